// ORC-CONV: the definition of convolution, as the specification writes it, and its derivatives.
//
// Tensors are row-major in logical order whatever the layouts are, with three spatial axes, of
// which those that a problem has not are 1 long: src and diff_src n x (groups * ic) x input,
// weights and diff_weights groups x oc x ic x kernel, dst and diff_dst n x (groups * oc) x output.
// Functions take channels over all groups, and places as row-major numbers within input, kernel or
// output. Slow and obvious: each gives one element, by the sum that defines it.
#ifndef DNNSPEC_SPEC_CONVOLUTION_ORACLE_H_
#define DNNSPEC_SPEC_CONVOLUTION_ORACLE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "spec/numeric/approx.h"

namespace spec {

// Of one spatial axis. A dilation of 0 is dense.
struct ConvolutionAxis {
  int64_t input = 1, output = 1, kernel = 1, stride = 1, dilation = 0, padding_l = 0, padding_r = 0;

  // The input that `output_place` reads by `tap`; nullopt where that is padding.
  std::optional<int64_t> Source(int64_t output_place, int64_t tap) const {
    const int64_t place = output_place * stride + tap * (dilation + 1) - padding_l;
    if (place < 0 || place >= input) return std::nullopt;
    return place;
  }
  // What the other extents make of `output`: floor((I - KD + PL + PR) / S) + 1.
  int64_t RightOutput() const;
};

struct Convolution {
  int64_t n = 1, groups = 1, ic = 1, oc = 1;  // channels of one group
  std::array<ConvolutionAxis, 3> axes;

  int64_t inputs() const;   // places of the source
  int64_t outputs() const;  // of the destination
  int64_t taps() const;     // of the kernel
};

// `bias` is empty or has groups * oc numbers. With `old` that is one more term of the sum.
Approx ConvolutionForward(const Convolution& problem, const std::vector<double>& src,
                          const std::vector<double>& weights, const std::vector<double>& bias,
                          int64_t n, int64_t oc, int64_t output,
                          const std::optional<Approx>& old = {});

Approx ConvolutionBackwardData(const Convolution& problem, const std::vector<double>& diff_dst,
                               const std::vector<double>& weights, int64_t n, int64_t ic,
                               int64_t input);

// `ic` within the group of `oc`.
Approx ConvolutionBackwardWeights(const Convolution& problem, const std::vector<double>& src,
                                  const std::vector<double>& diff_dst, int64_t oc, int64_t ic,
                                  int64_t tap);

Approx ConvolutionBackwardBias(const Convolution& problem, const std::vector<double>& diff_dst,
                               int64_t oc);

// Whether a primitive that may use Winograd's algorithm might: two spatial axes, 3 by 3,
// stride 1, dense, one group.
bool MayBeWinograd(const Convolution& problem);
// How far from the sum an element may then be: `summands` products of transformed numbers, none of
// one factor larger than `largest`, and of the other `kernels` the sum of all magnitudes. Small
// tiles: F(2,3); otherwise F(4,3).
double WinogradBound(double largest, double kernels, int64_t summands, bool small_tiles);

}  // namespace spec

#endif  // DNNSPEC_SPEC_CONVOLUTION_ORACLE_H_
