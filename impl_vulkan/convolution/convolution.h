// A convolution as dispatches: every decision about how shaders do it, made without a device.
//
//   C(g, m, n) = sum over k of A(g, m, k) * B(g, n, k)
//
//   direction         m            n    k            A         B         C
//   forward           batch, o     oc   ic, taps     src       weights   dst
//   backward data     batch, i     ic   oc, taps     diff_dst  weights   diff_src
//   backward weights  ic, taps     oc   batch, o     src       diff_dst  diff_weights
//
// m and k are each a channel or the batch, and three spatial loops: x of m and t of k. Where A is
// read follows from both (Gather), and a term whose place does not exist is left out.
#ifndef DNNSPEC_IMPL_VULKAN_CONVOLUTION_CONVOLUTION_H_
#define DNNSPEC_IMPL_VULKAN_CONVOLUTION_CONVOLUTION_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "api/convolution/operation.h"
#include "impl_vulkan/convolution/parameters.h"
#include "impl_vulkan/device/steps.h"
#include "impl_vulkan/product/product.h"
#include "impl_vulkan/strided/plan.h"

namespace impl_vulkan {

// What a convolution runs through; the first three make up each of m and n, see above. Of kX0 and
// kT0 the next two are those of the further axes.
enum Loop { kGroup, kChannel, kOuter, kX0, kInner = kX0 + 3, kT0 };
constexpr int kLoops = kT0 + 3;
constexpr int kNoLoop = -1;

struct LoopRange {
  int64_t first = 0, extent = 1;
};
using LoopRanges = std::array<LoopRange, kLoops>;

// What an axis of a tensor is indexed by: a loop; with kGroup before it, the channels of all
// groups.
struct LoopsOf {
  int outer = kNoLoop, loop = kNoLoop;
  int spatial = -1;  // not a loop: one of the gathered axes of A
};

struct ConvolutionOperand {
  int position = -1;  // among the buffers of an execution; -1: there is none
  spi::Layout layout;
  std::vector<LoopsOf> axes;

  bool present() const { return position >= 0; }
};

// x and t read A at (base + x * row_step + t * tap_step) / stride, if that is an element.
struct Gather {
  int64_t base = 0, row_step = 0, tap_step = 0, stride = 1;
};

struct Convolution {
  std::array<ConvolutionOperand, kOperands> operands;  // as those of a Product
  LoopRanges ranges;                                   // from 0 on
  std::array<Gather, 3> gathers;
  int a_channel = kInner;  // or kOuter: the loop that channels of A belong to
  int scales_position = -1;
  Epilogue epilogue;
};

// `operation` is resolved, and what it writes has elements. Partial sums are the scratchpad's.
// kUnimplemented for attributes that are not served.
absl::StatusOr<Convolution> ConvolutionOf(const spi::Operation& operation);

enum class ConvolutionKernel {
  kDirect,  // each invocation for itself
  kTile,    // workgroups, through shared memory
  kWindow,  // each invocation for itself, several rows whose taps overlap
};
const char* NameOf(ConvolutionKernel kernel);  // "direct"

struct ConvolutionDispatch {
  ConvolutionKernel kernel = ConvolutionKernel::kDirect;
  bool extras = false;              // a module with scales and partial sums
  bool partial = false;             // one of several on the same sums
  std::vector<uint32_t> constants;  // specialization constants, from 0 on
  ConvolutionParameters parameters;
  Step step;  // without its pipeline and the place of its parameters
};

// The dispatches of `convolution`, in order; `parts` as in PlanProduct; passes of those that go on
// where others ended ascend. kUnimplemented where a tensor has blocks that no binding can span, or
// there are too many pieces.
absl::StatusOr<std::vector<ConvolutionDispatch>> DispatchesOf(const Convolution& convolution,
                                                              const Limits& limits,
                                                              ConvolutionKernel kernel,
                                                              int64_t parts = 1);

// As PartsOf of a product.
int64_t PartsOf(const Convolution& convolution, const Limits& limits);

// The kernels that a device with `limits` can run it by, and that are of use, the best one first.
std::vector<ConvolutionKernel> KernelsOf(const Convolution& convolution, const Limits& limits);

// "convolution f32 f32->f32 2x98x16x27 bias": groups, m, n, k.
std::string Describe(const Convolution& convolution);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_CONVOLUTION_CONVOLUTION_H_
