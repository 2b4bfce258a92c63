// Plans the dispatches of a move: every decision about how shaders do it is made here, without a
// device.
//
//   part -> wide elements -> boxes that 32-bit offsets and one binding can span -> a kernel for
//   each
//
// Sizes are bytes where the name says so, else elements.
#ifndef DNNSPEC_IMPL_VULKAN_STRIDED_PLAN_H_
#define DNNSPEC_IMPL_VULKAN_STRIDED_PLAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "impl_vulkan/device/device_plan.h"
#include "impl_vulkan/device/steps.h"
#include "impl_vulkan/strided/move.h"
#include "impl_vulkan/strided/parameters.h"

namespace impl_vulkan {

enum class Kernel {
  kCopy,     // one contiguous stretch of equal types: no shader
  kRow,      // contiguous runs on both sides
  kTile,     // contiguous along one axis here, along another there
  kPacked,   // contiguous blocks, another order inside
  kGeneric,  // anything
};
constexpr int kKernels = 5;
const char* NameOf(Kernel kernel);  // "row"

struct Limits {
  uint64_t window_bytes = 0;   // a binding may span, at most
  uint64_t alignment = 256;    // bytes, of a binding's offset
  uint32_t invocations = 128;  // of a workgroup; a power of two
  uint64_t shared_bytes = 16384;
  uint32_t groups = 65535;  // in one dimension of a dispatch
  bool stages = true;       // whether shared memory is worth its barrier
  // Of the loops of an invocation, in all, at most. llvmpipe leaves them after 65535.
  int64_t rounds = 60000;
  // Of all sums of a dispatch, at most, if there are enough of them to keep a device busy.
  int64_t terms = INT64_MAX;
  TileShape tile = {};  // of matrix products, if any is asked for
};

struct PlanOptions {
  // Both tensors start on a 32-bit word, as all do but external ones with an odd offset.
  bool words_aligned = true;
  // Copy commands may be used, and are worth it.
  bool copies = true;
  // Nothing but the kernel that can do everything.
  bool generic_only = false;
};

// Positions of a move's buffers. A shader has the first three, and a fourth for zero points where
// it computes; the source stands in for what is not there. Padding is copied from kConstants, which
// begins with an element of zeros.
constexpr int kSource = 0, kDestination = 1, kScales = 2, kSrcZero = 3, kDstZero = 4;
// Where both zero points come with the execution, they are first copied side by side, since no more
// than four buffers are sure to be bound at a time. This memory is of one execution at a time, or
// of one stream.
constexpr int kZeroPoints = 5;
// Of kZeroPoints, in bytes: further apart than a binding can demand, so that the copies' bindings
// are too.
constexpr uint64_t kZeroPointDistance = 256,
                   kZeroPointsBytes = kZeroPointDistance + sizeof(int32_t);

struct Dispatch {
  Kernel kernel = Kernel::kGeneric;
  std::vector<uint32_t> constants;  // specialization constants, from 0 on
  Parameters parameters;
  Step step;  // without its pipeline and the place of its parameters
};

// The dispatches of `move`, in no particular order: they write different elements and are one pass.
// Before them, as a pass of their own, those that copy zero points. None if there is nothing to
// move.
std::vector<Dispatch> PlanMove(const Move& move, const Limits& limits, const PlanOptions& options);

// Whether one copy command can do all of it.
bool CanCopy(const Move& move);

// Whether it writes zeros beyond the elements.
bool IsPadding(const Dispatch& dispatch);

// Whether it copies a zero point to kZeroPoints.
bool IsOfZeroPoint(const Dispatch& dispatch);

// "row*3+generic f32->bf16 scales sum padding": kernels, how often, types and arithmetic, and
// whether padding is written.
std::string Describe(const Move& move, const std::vector<Dispatch>& dispatches);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_STRIDED_PLAN_H_
