#include "api/fake/element.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <variant>
#include <vector>

namespace fake {
namespace {

using spi::DataType;
using spi::Layout;

int64_t Count(const Layout& layout) {
  int64_t count = 1;
  for (int j = 0; j < layout.rank; ++j) count *= layout.dims[j];
  return count;
}

spi::Dims Unravel(const Layout& layout, int64_t k) {
  spi::Dims x{};
  for (int j = layout.rank - 1; j >= 0; --j) {
    x[j] = k % layout.dims[j];
    k /= layout.dims[j];
  }
  return x;
}

int64_t Ravel(const Layout& layout, const spi::Dims& x) {
  int64_t k = 0;
  for (int j = 0; j < layout.rank; ++j) k = k * layout.dims[j] + x[j];
  return k;
}

int64_t ByteOffset(const Layout& layout, const spi::Dims& x) {
  return spi::OffsetOf(layout, x) * spi::SizeOf(layout.type);
}

template <typename T>
T Load(const void* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

double Read(DataType type, const void* at) {
  switch (type) {
    case DataType::kF32:
      return Load<float>(at);
    case DataType::kS32:
      return Load<int32_t>(at);
    case DataType::kS8:
      return Load<int8_t>(at);
    case DataType::kU8:
      return Load<uint8_t>(at);
    default:
      return 0;  // 16-bit floats are copied, not computed
  }
}

template <typename T>
void Store(double value, void* at) {
  const double low = static_cast<double>(std::numeric_limits<T>::lowest());
  const double high = static_cast<double>(std::numeric_limits<T>::max());
  const T stored = static_cast<T>(std::min(high, std::max(low, std::nearbyint(value))));
  std::memcpy(at, &stored, sizeof(T));
}

void Write(DataType type, double value, void* at) {
  switch (type) {
    case DataType::kF32: {
      const float stored = static_cast<float>(value);
      std::memcpy(at, &stored, sizeof(stored));
      return;
    }
    case DataType::kS32:
      return Store<int32_t>(value, at);
    case DataType::kS8:
      return Store<int8_t>(value, at);
    case DataType::kU8:
      return Store<uint8_t>(value, at);
    default:
      return;
  }
}

const char* At(const void* base, int64_t bytes) { return static_cast<const char*>(base) + bytes; }
char* At(void* base, int64_t bytes) { return static_cast<char*>(base) + bytes; }

// A tensor by its coordinates.
struct Elements {
  const Layout& layout;
  char* base;

  void* operator[](const spi::Dims& x) const { return base + ByteOffset(layout, x); }
  double Get(const spi::Dims& x) const { return Read(layout.type, (*this)[x]); }
  void Set(const spi::Dims& x, double value) const { Write(layout.type, value, (*this)[x]); }
};

Elements ElementsOf(const Layout& layout, void* base) { return {layout, static_cast<char*>(base)}; }

double Apply(spi::Algorithm algorithm, double alpha, double beta, double x) {
  switch (spi::PlainOf(algorithm)) {
    case spi::Algorithm::kEltwiseRelu:
      return x > 0 ? x : alpha * x;
    case spi::Algorithm::kEltwiseLinear:
      return alpha * x + beta;
    case spi::Algorithm::kEltwiseExp:
      return std::exp(x);
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

// `data` is the source or, where the algorithm says so, the destination.
double Derivative(spi::Algorithm algorithm, double alpha, double data) {
  switch (algorithm) {
    case spi::Algorithm::kEltwiseRelu:
    case spi::Algorithm::kEltwiseReluUseDstForBwd:
      return data > 0 ? 1 : alpha;
    case spi::Algorithm::kEltwiseLinear:
      return alpha;
    case spi::Algorithm::kEltwiseExp:
      return std::exp(data);
    case spi::Algorithm::kEltwiseExpUseDstForBwd:
      return data;
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

double Apply(const spi::EltwiseOp& op, double x) {
  return op.scale * Apply(op.algorithm, op.alpha, op.beta, x);
}

// What follows a sum of products with its bias; `old` is what the destination held.
double Finish(const spi::Attributes& attributes, const float* run_time_scales, int64_t channel,
              double x, const void* old) {
  for (const spi::Scales& scales : attributes.scales) {
    const float* const factors = scales.run_time ? run_time_scales : scales.values.data();
    x *= factors[scales.mask == 0 ? 0 : channel];
  }
  for (const spi::PostOp& op : attributes.post_ops) {
    if (const auto* const sum = std::get_if<spi::SumOp>(&op))
      x += sum->scale == 0 ? 0 : sum->scale * Read(sum->type, old);
    else
      x = Apply(std::get<spi::EltwiseOp>(op), x);
  }
  return x;
}

// Calls `visit` with the coordinates in dst, src and weights of each product of the sums.
template <typename Visit>
void EachProduct(const spi::ConvolutionView& operation, const Visit& visit) {
  const int of_group = operation.grouped ? 1 : 0;
  const int64_t weights_of_channel = Count(operation.weights) / (operation.groups * operation.oc);
  for (int64_t d = 0; d < Count(operation.dst); ++d) {
    const spi::Dims to = Unravel(operation.dst, d);
    for (int64_t k = 0; k < weights_of_channel; ++k) {
      const spi::Dims weight = Unravel(operation.weights, to[1] * weights_of_channel + k);
      const int64_t group = to[1] / operation.oc;
      spi::Dims from = {to[0], group * operation.ic + weight[1 + of_group]};
      bool exists = true;
      for (int j = 0; j < operation.spatial; ++j) {
        const spi::ConvolutionAxis& axis = operation.axes[3 - operation.spatial + j];
        from[2 + j] = to[2 + j] * axis.stride + weight[2 + of_group + j] * axis.step - axis.padding;
        exists &= from[2 + j] >= 0 && from[2 + j] < axis.input;
      }
      if (exists) visit(to, from, weight);
    }
  }
}

// Sums, one for each element of a tensor.
struct Sums {
  const Elements& of;
  std::vector<double> values = std::vector<double>(static_cast<size_t>(Count(of.layout)));

  double& operator[](const spi::Dims& x) {
    return values[static_cast<size_t>(Ravel(of.layout, x))];
  }
  void Store() const {
    for (size_t k = 0; k < values.size(); ++k)
      of.Set(Unravel(of.layout, static_cast<int64_t>(k)), values[k]);
  }
};

}  // namespace

void Run(const spi::ReorderView& operation, const void* src, void* dst,
         const RunTimeValues& given) {
  const float* const scales =
      given.scales != nullptr || operation.scales.empty() ? given.scales : operation.scales.data();
  const auto zero = [](const spi::ZeroPoint& known, const int32_t* later) {
    return static_cast<double>(known.run_time ? *later : known.value);
  };
  const double src_zero = zero(operation.src_zero_point, given.src_zero_point);
  const double dst_zero = zero(operation.dst_zero_point, given.dst_zero_point);
  const bool copies = scales == nullptr && !operation.has_sum && !operation.has_zero_points();
  for (int64_t k = 0; k < Count(operation.dst); ++k) {
    const spi::Dims x = Unravel(operation.dst, k);
    const void* const from = At(src, ByteOffset(operation.src, x));
    void* const to = At(dst, ByteOffset(operation.dst, x));
    if (operation.src.type == operation.dst.type && copies) {
      std::memcpy(to, from, static_cast<size_t>(spi::SizeOf(operation.dst.type)));
      continue;
    }
    int64_t scale = 0;
    for (int j = 0; j < operation.dst.rank; ++j)
      if (operation.scale_mask >> j & 1) scale = scale * operation.dst.dims[j] + x[j];
    double value = Read(operation.src.type, from) - src_zero;
    if (scales != nullptr) value *= scales[scale];
    if (operation.has_sum && operation.beta != 0)
      value += operation.beta * Read(operation.sum_type, to);
    Write(operation.dst.type, value + dst_zero, to);
  }
}

void Run(const spi::ShuffleView& operation, const void* from, void* to) {
  const int64_t groups = operation.to.dims[operation.axis] / operation.group_size;
  for (int64_t k = 0; k < Count(operation.to); ++k) {
    spi::Dims x = Unravel(operation.to, k), y = x;
    const int64_t rows = operation.forward ? groups : operation.group_size;
    const int64_t columns = operation.forward ? operation.group_size : groups;
    y[operation.axis] = x[operation.axis] % rows * columns + x[operation.axis] / rows;
    std::memcpy(At(to, ByteOffset(operation.to, x)), At(from, ByteOffset(operation.from, y)),
                static_cast<size_t>(spi::SizeOf(operation.to.type)));
  }
}

void Run(const spi::EltwiseView& operation, const void* data, const void* diff_dst, void* to) {
  for (int64_t k = 0; k < Count(operation.to); ++k) {
    const spi::Dims x = Unravel(operation.to, k);
    const double at = Read(operation.data.type, At(data, ByteOffset(operation.data, x)));
    const double value =
        operation.forward
            ? Apply(operation.algorithm, operation.alpha, operation.beta, at)
            : Read(operation.diff_dst.type, At(diff_dst, ByteOffset(operation.diff_dst, x))) *
                  Derivative(operation.algorithm, operation.alpha, at);
    Write(operation.to.type, value, At(to, ByteOffset(operation.to, x)));
  }
}

void Run(const spi::InnerProductView& operation, const spi::Attributes& attributes,
         const ProductBuffers& at, const float* run_time_scales) {
  const Elements src = ElementsOf(operation.src, at.src), dst = ElementsOf(operation.dst, at.dst),
                 weights = ElementsOf(operation.weights, at.weights);
  const int64_t rows = operation.dst.dims[0], channels = operation.dst.dims[1];
  // The terms of the sum for one element; `i` counts the inputs.
  const int64_t inputs = Count(operation.weights) / channels;
  const auto weight = [&](int64_t channel, int64_t i) {
    return Unravel(operation.weights, channel * inputs + i);
  };
  const auto source = [&](int64_t row, int64_t i) {
    spi::Dims x = Unravel(operation.weights, i);
    x[0] = row;
    return x;
  };
  if (spi::IsForward(operation.prop)) {
    for (int64_t n = 0; n < rows; ++n)
      for (int64_t c = 0; c < channels; ++c) {
        double sum = 0;
        if (operation.bias != nullptr) sum = ElementsOf(*operation.bias, at.bias).Get({c});
        for (int64_t i = 0; i < inputs; ++i)
          sum += src.Get(source(n, i)) * weights.Get(weight(c, i));
        dst.Set({n, c}, Finish(attributes, run_time_scales, c, sum, dst[{n, c}]));
      }
    return;
  }
  if (operation.prop == spi::PropKind::kBackwardData) {
    for (int64_t n = 0; n < rows; ++n)
      for (int64_t i = 0; i < inputs; ++i) {
        double sum = 0;
        for (int64_t c = 0; c < channels; ++c) sum += dst.Get({n, c}) * weights.Get(weight(c, i));
        src.Set(source(n, i), sum);
      }
    return;
  }
  for (int64_t c = 0; c < channels; ++c) {
    double of_bias = 0;
    for (int64_t n = 0; n < rows; ++n) of_bias += dst.Get({n, c});
    if (operation.bias != nullptr) ElementsOf(*operation.bias, at.bias).Set({c}, of_bias);
    for (int64_t i = 0; i < inputs; ++i) {
      double sum = 0;
      for (int64_t n = 0; n < rows; ++n) sum += dst.Get({n, c}) * src.Get(source(n, i));
      weights.Set(weight(c, i), sum);
    }
  }
}

void Run(const spi::ConvolutionView& operation, const spi::Attributes& attributes,
         const ProductBuffers& at, const float* run_time_scales) {
  using Dims = spi::Dims;
  const Elements src = ElementsOf(operation.src, at.src), dst = ElementsOf(operation.dst, at.dst),
                 weights = ElementsOf(operation.weights, at.weights);
  if (spi::IsForward(operation.prop)) {
    Sums sums{dst};
    EachProduct(operation, [&](const Dims& to, const Dims& from, const Dims& weight) {
      sums[to] += src.Get(from) * weights.Get(weight);
    });
    for (int64_t k = 0; k < Count(operation.dst); ++k) {
      const Dims x = Unravel(operation.dst, k);
      if (operation.bias != nullptr) sums[x] += ElementsOf(*operation.bias, at.bias).Get({x[1]});
      dst.Set(x, Finish(attributes, run_time_scales, x[1], sums[x], dst[x]));
    }
    return;
  }
  if (operation.prop == spi::PropKind::kBackwardData) {
    Sums sums{src};
    EachProduct(operation, [&](const Dims& to, const Dims& from, const Dims& weight) {
      sums[from] += dst.Get(to) * weights.Get(weight);
    });
    return sums.Store();
  }
  Sums sums{weights};
  EachProduct(operation, [&](const Dims& to, const Dims& from, const Dims& weight) {
    sums[weight] += dst.Get(to) * src.Get(from);
  });
  sums.Store();
  if (operation.bias == nullptr) return;
  const Elements bias = ElementsOf(*operation.bias, at.bias);
  Sums of_bias{bias};
  for (int64_t k = 0; k < Count(operation.dst); ++k) {
    const Dims x = Unravel(operation.dst, k);
    of_bias[{x[1]}] += dst.Get(x);
  }
  of_bias.Store();
}

}  // namespace fake
