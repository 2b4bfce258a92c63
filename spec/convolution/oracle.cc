#include "spec/convolution/oracle.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "spec/numeric/approx.h"

namespace spec {
namespace {

using Place = std::array<int64_t, 3>;

Place Unravel3(int64_t number, int64_t height, int64_t width) {
  return {number / width / height, number / width % height, number % width};
}

// Of what place `output` of the destination reads: visit(tap, input), all as numbers.
template <class Visit>
void ForEachRead(const Convolution& p, int64_t output, Visit visit) {
  const auto& a = p.axes;
  const Place o = Unravel3(output, a[1].output, a[2].output);
  for (int64_t kd = 0; kd < a[0].kernel; ++kd) {
    const auto d = a[0].Source(o[0], kd);
    for (int64_t kh = 0; d && kh < a[1].kernel; ++kh) {
      const auto h = a[1].Source(o[1], kh);
      for (int64_t kw = 0; h && kw < a[2].kernel; ++kw) {
        const auto w = a[2].Source(o[2], kw);
        if (w)
          visit((kd * a[1].kernel + kh) * a[2].kernel + kw,
                (*d * a[1].input + *h) * a[2].input + *w);
      }
    }
  }
}

// Of what reads by `tap`: visit(output, input).
template <class Visit>
void ForEachPlaceOf(const Convolution& p, int64_t tap, Visit visit) {
  const auto& a = p.axes;
  const Place k = Unravel3(tap, a[1].kernel, a[2].kernel);
  for (int64_t od = 0; od < a[0].output; ++od) {
    const auto d = a[0].Source(od, k[0]);
    for (int64_t oh = 0; d && oh < a[1].output; ++oh) {
      const auto h = a[1].Source(oh, k[1]);
      for (int64_t ow = 0; h && ow < a[2].output; ++ow) {
        const auto w = a[2].Source(ow, k[2]);
        if (w)
          visit((od * a[1].output + oh) * a[2].output + ow,
                (*d * a[1].input + *h) * a[2].input + *w);
      }
    }
  }
}

// The place of the destination that reads place `input` by `tap` on an axis: there is no other.
std::optional<int64_t> DestinationOf(const ConvolutionAxis& axis, int64_t input, int64_t tap) {
  const int64_t from = input + axis.padding_l - tap * (axis.dilation + 1);
  if (from < 0 || from % axis.stride != 0 || from / axis.stride >= axis.output) return std::nullopt;
  return from / axis.stride;
}

// Of what reads `input`: visit(tap, output).
template <class Visit>
void ForEachReaderOf(const Convolution& p, int64_t input, Visit visit) {
  const auto& a = p.axes;
  const Place i = Unravel3(input, a[1].input, a[2].input);
  for (int64_t kd = 0; kd < a[0].kernel; ++kd) {
    const auto d = DestinationOf(a[0], i[0], kd);
    for (int64_t kh = 0; d && kh < a[1].kernel; ++kh) {
      const auto h = DestinationOf(a[1], i[1], kh);
      for (int64_t kw = 0; h && kw < a[2].kernel; ++kw) {
        const auto w = DestinationOf(a[2], i[2], kw);
        if (w)
          visit((kd * a[1].kernel + kh) * a[2].kernel + kw,
                (*d * a[1].output + *h) * a[2].output + *w);
      }
    }
  }
}

double At(const std::vector<double>& tensor, int64_t number) {
  return tensor[static_cast<size_t>(number)];
}

}  // namespace

int64_t ConvolutionAxis::RightOutput() const {
  const int64_t range = input - (1 + (kernel - 1) * (dilation + 1)) + padding_l + padding_r;
  const int64_t floor = range >= 0 ? range / stride : -((-range + stride - 1) / stride);
  return floor + 1;
}

int64_t Convolution::inputs() const { return axes[0].input * axes[1].input * axes[2].input; }
int64_t Convolution::outputs() const { return axes[0].output * axes[1].output * axes[2].output; }
int64_t Convolution::taps() const { return axes[0].kernel * axes[1].kernel * axes[2].kernel; }

Approx ConvolutionForward(const Convolution& p, const std::vector<double>& src,
                          const std::vector<double>& weights, const std::vector<double>& bias,
                          int64_t n, int64_t oc, int64_t output) {
  const int64_t inputs = p.inputs(), taps = p.taps(), first = oc / p.oc * p.ic;
  Summation sum;
  ForEachRead(p, output, [&](int64_t tap, int64_t input) {
    for (int64_t ic = 0; ic < p.ic; ++ic)
      sum.Add(Exactly(At(src, (n * p.groups * p.ic + first + ic) * inputs + input)) *
              Exactly(At(weights, (oc * p.ic + ic) * taps + tap)));
  });
  if (!bias.empty()) sum.Add(Exactly(At(bias, oc)));
  return sum.Total();
}

Approx ConvolutionBackwardData(const Convolution& p, const std::vector<double>& diff_dst,
                               const std::vector<double>& weights, int64_t n, int64_t ic,
                               int64_t input) {
  const int64_t outputs = p.outputs(), taps = p.taps(), group = ic / p.ic;
  Summation sum;
  ForEachReaderOf(p, input, [&](int64_t tap, int64_t output) {
    for (int64_t oc = group * p.oc; oc < (group + 1) * p.oc; ++oc)
      sum.Add(Exactly(At(diff_dst, (n * p.groups * p.oc + oc) * outputs + output)) *
              Exactly(At(weights, (oc * p.ic + ic % p.ic) * taps + tap)));
  });
  return sum.Total();
}

Approx ConvolutionBackwardWeights(const Convolution& p, const std::vector<double>& src,
                                  const std::vector<double>& diff_dst, int64_t oc, int64_t ic,
                                  int64_t tap) {
  const int64_t inputs = p.inputs(), outputs = p.outputs(), channel = oc / p.oc * p.ic + ic;
  Summation sum;
  ForEachPlaceOf(p, tap, [&](int64_t output, int64_t input) {
    for (int64_t n = 0; n < p.n; ++n)
      sum.Add(Exactly(At(diff_dst, (n * p.groups * p.oc + oc) * outputs + output)) *
              Exactly(At(src, (n * p.groups * p.ic + channel) * inputs + input)));
  });
  return sum.Total();
}

Approx ConvolutionBackwardBias(const Convolution& p, const std::vector<double>& diff_dst,
                               int64_t oc) {
  Summation sum;
  for (int64_t n = 0; n < p.n; ++n)
    for (int64_t output = 0; output < p.outputs(); ++output)
      sum.Add(Exactly(At(diff_dst, (n * p.groups * p.oc + oc) * p.outputs() + output)));
  return sum.Total();
}

bool MayBeWinograd(const Convolution& p) {
  const ConvolutionAxis& depth = p.axes[0];
  if (p.groups != 1 || depth.input != 1 || depth.kernel != 1 || depth.output != 1) return false;
  for (const size_t axis : {1, 2}) {
    const ConvolutionAxis& a = p.axes[axis];
    if (a.kernel != 3 || a.stride != 1 || a.dilation != 0) return false;
  }
  return true;
}

double WinogradBound(double largest, double kernels, int64_t summands, bool small_tiles) {
  const double u = 0x1p-24, n = static_cast<double>(summands + (small_tiles ? 12 : 30));
  const double rows = small_tiles ? 36 : 36100;  // (2 * 3)^2, (10 * 19)^2
  return n * u / (1 - n * u) * rows * kernels * largest;
}

}  // namespace spec
