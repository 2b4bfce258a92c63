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

// The source's place that place `output` of the destination reads by `tap`, all as numbers.
std::optional<int64_t> SourceOf(const Convolution& p, int64_t output, int64_t tap) {
  const auto& a = p.axes;
  const Place o = Unravel3(output, a[1].output, a[2].output);
  const Place k = Unravel3(tap, a[1].kernel, a[2].kernel);
  const auto d = a[0].Source(o[0], k[0]), h = a[1].Source(o[1], k[1]), w = a[2].Source(o[2], k[2]);
  if (!d || !h || !w) return std::nullopt;
  return (*d * a[1].input + *h) * a[2].input + *w;
}

// The destination's place that reads `input` by `tap`, if there is one: there is no other.
std::optional<int64_t> DestinationOf(const Convolution& p, int64_t input, int64_t tap) {
  const auto& a = p.axes;
  const Place i = Unravel3(input, a[1].input, a[2].input);
  const Place k = Unravel3(tap, a[1].kernel, a[2].kernel);
  int64_t output = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const int64_t from = i[axis] + a[axis].padding_l - k[axis] * (a[axis].dilation + 1);
    if (from < 0 || from % a[axis].stride != 0 || from / a[axis].stride >= a[axis].output)
      return std::nullopt;
    output = output * a[axis].output + from / a[axis].stride;
  }
  return output;
}

double At(const std::vector<double>& tensor, int64_t number) {
  return tensor[static_cast<size_t>(number)];
}

}  // namespace

std::optional<int64_t> ConvolutionAxis::Source(int64_t output_place, int64_t tap) const {
  const int64_t place = output_place * stride + tap * (dilation + 1) - padding_l;
  if (place < 0 || place >= input) return std::nullopt;
  return place;
}

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
  const int64_t group = oc / p.oc;
  Summation sum;
  for (int64_t tap = 0; tap < p.taps(); ++tap) {
    const auto input = SourceOf(p, output, tap);
    if (!input) continue;
    for (int64_t ic = 0; ic < p.ic; ++ic) {
      const int64_t channel = group * p.ic + ic;
      sum.Add(Exactly(At(src, (n * p.groups * p.ic + channel) * p.inputs() + *input)) *
              Exactly(At(weights, (oc * p.ic + ic) * p.taps() + tap)));
    }
  }
  if (!bias.empty()) sum.Add(Exactly(At(bias, oc)));
  return sum.Total();
}

Approx ConvolutionBackwardData(const Convolution& p, const std::vector<double>& diff_dst,
                               const std::vector<double>& weights, int64_t n, int64_t ic,
                               int64_t input) {
  const int64_t group = ic / p.ic;
  Summation sum;
  for (int64_t tap = 0; tap < p.taps(); ++tap) {
    const auto output = DestinationOf(p, input, tap);
    if (!output) continue;
    for (int64_t oc = group * p.oc; oc < (group + 1) * p.oc; ++oc)
      sum.Add(Exactly(At(diff_dst, (n * p.groups * p.oc + oc) * p.outputs() + *output)) *
              Exactly(At(weights, (oc * p.ic + ic % p.ic) * p.taps() + tap)));
  }
  return sum.Total();
}

Approx ConvolutionBackwardWeights(const Convolution& p, const std::vector<double>& src,
                                  const std::vector<double>& diff_dst, int64_t oc, int64_t ic,
                                  int64_t tap) {
  const int64_t channel = oc / p.oc * p.ic + ic;
  Summation sum;
  for (int64_t output = 0; output < p.outputs(); ++output) {
    const auto input = SourceOf(p, output, tap);
    if (!input) continue;
    for (int64_t n = 0; n < p.n; ++n)
      sum.Add(Exactly(At(diff_dst, (n * p.groups * p.oc + oc) * p.outputs() + output)) *
              Exactly(At(src, (n * p.groups * p.ic + channel) * p.inputs() + *input)));
  }
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
