// Convolution on the CPU.
//
//   direct     floats, and bytes whose sums they hold, forward and backward data, where a tap reads
//              few channels, or in f32 a row has many places: direct.h
//   tiled      the others, and bytes, forward and backward data: tiled.h
//   winograd   3x3 without strides, where the caller lets it, forward and backward data: winograd.h
//   gradient   backward weights: gradient.h
//   plain      everything
//
// `any` becomes channels innermost for tensors of activations, unless one of them is given with
// another order of axes: then that. In f32, a multiple of 512 channels has a line of 64 bytes left
// free behind each of several places, unless the other tensor is given and has no such gaps.
// Weights become panels of 16 channels that are computed, in the order in which tiles read them;
// the same on every machine.
#ifndef DNNSPEC_IMPL_CPU_CONVOLUTION_PLAN_H_
#define DNNSPEC_IMPL_CPU_CONVOLUTION_PLAN_H_

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"

namespace impl_cpu {

// kUnimplemented for types and masks of scales that are not served, Winograd's algorithm of what it
// is not for, and where there are not that many candidates.
absl::StatusOr<spi::Planned> PlanConvolution(const spi::Request& request);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVOLUTION_PLAN_H_
