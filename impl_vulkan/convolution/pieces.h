// A convolution in pieces that bindings and 32-bit offsets can span.
#ifndef DNNSPEC_IMPL_VULKAN_CONVOLUTION_PIECES_H_
#define DNNSPEC_IMPL_VULKAN_CONVOLUTION_PIECES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "impl_vulkan/convolution/convolution.h"
#include "impl_vulkan/strided/plan.h"

namespace impl_vulkan {

struct ConvolutionPiece {
  LoopRanges ranges;
  bool begins = true, ends = true;  // its sums; between the two they are partial
  // What follows from these: the part of each operand that is touched, whose layout begins with
  // the first coordinates of the ranges; gathers from there on; and whether any tap lies in A.
  std::array<ConvolutionOperand, kOperands> operands;
  std::array<Gather, 3> gathers;
  bool reaches = true;

  int64_t ExtentOf(int loop) const { return ranges[static_cast<size_t>(loop)].extent; }
  // Of one loop and the three that follow it.
  int64_t ExtentOfFour(int loop) const {
    return ExtentOf(loop) * ExtentOf(loop + 1) * ExtentOf(loop + 2) * ExtentOf(loop + 3);
  }
};

// Pieces that together are `convolution`: those of one sum in the order in which they go on.
absl::StatusOr<std::vector<ConvolutionPiece>> CutConvolution(const Convolution& convolution,
                                                             const Limits& limits);

// The axes of an operand that `loops` index, in their order.
Axes AxesOf(const ConvolutionOperand& operand, std::initializer_list<int> loops);
// The axis of an operand that is gathered as number `spatial`; none or one.
Axes GatheredAxis(const ConvolutionOperand& operand, int spatial);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_CONVOLUTION_PIECES_H_
