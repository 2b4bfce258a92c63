#include "network/plain.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace plain {
namespace {

// A tensor of sums, with the sum of the magnitudes of each one's terms.
class Sums {
 public:
  explicit Sums(std::vector<int64_t> dims)
      : dims_(std::move(dims)), sums_(Elements(dims_)), magnitudes_(sums_.size()) {}

  void Add(int64_t at, double term) {
    sums_[at] += term;
    magnitudes_[at] += std::abs(term);
  }

  Tensor Exact() const {
    for (double magnitude : magnitudes_) {
      if (magnitude > 1 << 24) {
        throw std::runtime_error("a sum of magnitude " + std::to_string(magnitude) +
                                 " need not be exact in f32");
      }
    }
    return {dims_, {sums_.begin(), sums_.end()}};
  }

 private:
  std::vector<int64_t> dims_;
  std::vector<double> sums_, magnitudes_;
};

// Calls term(s, w, d) for each product src[s] * weights[w] that belongs to dst[d].
template <typename Term>
void ForEachTerm(const Convolution& layer, const std::vector<int64_t>& src, Term term) {
  const std::vector<int64_t>&w = layer.weights.dims, dst = OutputDims(layer, src);
  const int64_t groups = w.size() == 5 ? w[0] : 1;
  const int64_t oc = dst[1] / groups, ic = src[1] / groups, kh = w.end()[-2], kw = w.end()[-1];
  const auto loop = [](int64_t end, auto body) {
    for (int64_t i = 0; i < end; ++i) body(i);
  };
  const auto row = [&](int64_t n, int64_t o, int64_t i, int64_t oy, int64_t ky) {
    const int64_t y = oy * layer.stride + ky - layer.padding;
    if (y < 0 || y >= src[2]) return;
    const int64_t channel = o / oc * ic + i;
    for (int64_t ox = 0; ox < dst[3]; ++ox) {
      for (int64_t kx = 0; kx < kw; ++kx) {
        const int64_t x = ox * layer.stride + kx - layer.padding;
        if (x < 0 || x >= src[3]) continue;
        term(((n * src[1] + channel) * src[2] + y) * src[3] + x, ((o * ic + i) * kh + ky) * kw + kx,
             ((n * dst[1] + o) * dst[2] + oy) * dst[3] + ox);
      }
    }
  };
  loop(src[0], [&](int64_t n) {
    loop(dst[1], [&](int64_t o) {
      loop(ic, [&](int64_t i) {
        loop(dst[2], [&](int64_t oy) { loop(kh, [&](int64_t ky) { row(n, o, i, oy, ky); }); });
      });
    });
  });
}

}  // namespace

int64_t Elements(const std::vector<int64_t>& dims) {
  int64_t elements = 1;
  for (int64_t dim : dims) elements *= dim;
  return elements;
}

Tensor ReadPicture(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string magic;
  int64_t width = 0, height = 0, most = 0;
  file >> magic >> width >> height >> most;
  if (!file || magic != "P6" || width < 1 || height < 1 || most != 255 || width > 1 << 14 ||
      height > 1 << 14) {
    throw std::runtime_error(path + " is no picture in PPM (P6, up to 255, no comments)");
  }
  std::string bytes(3 * width * height, '\0');
  file.get();
  if (!file.read(&bytes[0], static_cast<std::streamsize>(bytes.size()))) {
    throw std::runtime_error(path + " ends before its last pixel");
  }
  Tensor picture{{1, 3, height, width}, {}};
  for (int64_t colour = 0; colour < 3; ++colour) {
    for (int64_t pixel = 0; pixel < width * height; ++pixel) {
      picture.values.push_back(static_cast<uint8_t>(bytes[3 * pixel + colour]) / 16);
    }
  }
  return picture;
}

Tensor Integers(const std::vector<int64_t>& dims, std::mt19937* random) {
  Tensor tensor{dims, std::vector<float>(Elements(dims))};
  for (float& value : tensor.values) value = static_cast<float>((*random)() % 3) - 1;
  return tensor;
}

std::vector<int64_t> OutputDims(const Convolution& layer, const std::vector<int64_t>& src) {
  const auto extent = [&layer](int64_t input, int64_t kernel) {
    return (input + 2 * layer.padding - kernel) / layer.stride + 1;
  };
  const std::vector<int64_t>& w = layer.weights.dims;
  return {src[0], Elements(layer.bias.dims), extent(src[2], w.end()[-2]),
          extent(src[3], w.end()[-1])};
}

Tensor Forward(const Convolution& layer, const Tensor& src) {
  const std::vector<int64_t> dims = OutputDims(layer, src.dims);
  Sums sums(dims);
  const int64_t pixels = dims[2] * dims[3];
  for (int64_t at = 0; at < Elements(dims); ++at) {
    sums.Add(at, layer.bias.values[at / pixels % dims[1]]);
  }
  ForEachTerm(layer, src.dims, [&](int64_t s, int64_t w, int64_t d) {
    sums.Add(d, static_cast<double>(src.values[s]) * layer.weights.values[w]);
  });
  Tensor dst = sums.Exact();
  for (float& value : dst.values) {
    if (layer.relu) value = std::max(value, 0.0f);
  }
  return dst;
}

Gradients Backward(const Convolution& layer, const Tensor& src, const Tensor& diff_dst) {
  Sums by_src(src.dims), by_weights(layer.weights.dims), by_bias(layer.bias.dims);
  ForEachTerm(layer, src.dims, [&](int64_t s, int64_t w, int64_t d) {
    const double diff = diff_dst.values[d];
    by_src.Add(s, diff * layer.weights.values[w]);
    by_weights.Add(w, diff * src.values[s]);
  });
  const int64_t pixels = diff_dst.dims[2] * diff_dst.dims[3];
  for (int64_t at = 0; at < Elements(diff_dst.dims); ++at) {
    by_bias.Add(at / pixels % diff_dst.dims[1], diff_dst.values[at]);
  }
  return {by_src.Exact(), by_weights.Exact(), by_bias.Exact()};
}

Tensor Shuffle(const Tensor& src, int64_t group) {
  Tensor dst = src;
  const int64_t pixels = src.dims[2] * src.dims[3], each = src.dims[1] / group;
  for (int64_t at = 0; at < Elements(src.dims); ++at) {
    const int64_t pixel = at % pixels, channel = at / pixels % src.dims[1];
    const int64_t n = at / pixels / src.dims[1], u = channel / group, v = channel % group;
    dst.values[(n * src.dims[1] + u + v * each) * pixels + pixel] = src.values[at];
  }
  return dst;
}

Tensor Channels(const Tensor& src, int64_t begin, int64_t end) {
  const int64_t pixels = src.dims[2] * src.dims[3];
  return {{1, end - begin, src.dims[2], src.dims[3]},
          {src.values.begin() + begin * pixels, src.values.begin() + end * pixels}};
}

Tensor Concat(const Tensor& a, const Tensor& b) {
  Tensor both = a;
  both.dims[1] += b.dims[1];
  both.values.insert(both.values.end(), b.values.begin(), b.values.end());
  return both;
}

int64_t Different(const Tensor& a, const Tensor& b) {
  if (a.dims != b.dims) return std::max(Elements(a.dims), Elements(b.dims));
  int64_t different = 0;
  for (size_t i = 0; i < a.values.size(); ++i) different += a.values[i] == b.values[i] ? 0 : 1;
  return different;
}

}  // namespace plain
