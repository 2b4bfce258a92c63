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

// Of each place x of the extents `from` to which match(axis, place) assigns a place y of the
// extents `to` on every axis: visit(x, y), both as numbers.
template <class Match, class Visit>
void ForEachMatch(const Convolution& p, int64_t ConvolutionAxis::*from,
                  int64_t ConvolutionAxis::*to, Match match, Visit visit) {
  const auto& a = p.axes;
  for (int64_t d = 0; d < a[0].*from; ++d) {
    const auto of_d = match(0, d);
    for (int64_t h = 0; of_d && h < a[1].*from; ++h) {
      const auto of_h = match(1, h);
      for (int64_t w = 0; of_h && w < a[2].*from; ++w) {
        if (const auto of_w = match(2, w))
          visit((d * a[1].*from + h) * a[2].*from + w,
                (*of_d * a[1].*to + *of_h) * a[2].*to + *of_w);
      }
    }
  }
}

// Of what place `output` of the destination reads: visit(tap, input).
template <class Visit>
void ForEachRead(const Convolution& p, int64_t output, Visit visit) {
  const Place o = Unravel3(output, p.axes[1].output, p.axes[2].output);
  const auto source = [&](size_t axis, int64_t tap) { return p.axes[axis].Source(o[axis], tap); };
  ForEachMatch(p, &ConvolutionAxis::kernel, &ConvolutionAxis::input, source, visit);
}

// Of what reads by `tap`: visit(output, input).
template <class Visit>
void ForEachReadBy(const Convolution& p, int64_t tap, Visit visit) {
  const Place k = Unravel3(tap, p.axes[1].kernel, p.axes[2].kernel);
  const auto source = [&](size_t axis, int64_t place) {
    return p.axes[axis].Source(place, k[axis]);
  };
  ForEachMatch(p, &ConvolutionAxis::output, &ConvolutionAxis::input, source, visit);
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
  const Place i = Unravel3(input, p.axes[1].input, p.axes[2].input);
  const auto destination = [&](size_t axis, int64_t tap) {
    return DestinationOf(p.axes[axis], i[axis], tap);
  };
  ForEachMatch(p, &ConvolutionAxis::kernel, &ConvolutionAxis::output, destination, visit);
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
                          int64_t n, int64_t oc, int64_t output, const std::optional<Approx>& old) {
  const int64_t inputs = p.inputs(), taps = p.taps(), first = oc / p.oc * p.ic;
  Summation sum;
  ForEachRead(p, output, [&](int64_t tap, int64_t input) {
    for (int64_t ic = 0; ic < p.ic; ++ic)
      sum.Add(Exactly(At(src, (n * p.groups * p.ic + first + ic) * inputs + input)) *
              Exactly(At(weights, (oc * p.ic + ic) * taps + tap)));
  });
  if (!bias.empty()) sum.Add(Exactly(At(bias, oc)));
  if (old) sum.Add(*old);
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
  ForEachReadBy(p, tap, [&](int64_t output, int64_t input) {
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
