// The steps of a program as values: which buffers each of them reads and writes, and which of them
// have to wait for others. Nothing here needs a device.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_STEPS_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_STEPS_H_

#include <vulkan/vulkan.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

namespace impl_vulkan {

// Bytes of a buffer, counted from where its tensor starts.
struct ByteRange {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

enum class Access : uint8_t { kRead = 1, kWrite = 2, kReadWrite = 3 };

// Stands for Program::constants where a position is asked for. No step writes these.
constexpr int kConstants = -1;

// One buffer of a step: part of what an execution binds at `position`.
struct BufferUse {
  int position = 0;
  Access access = Access::kRead;
  ByteRange range;
  uint32_t element_bytes = 4;  // the unit of the offset that a shader is told (pipelines.h)
};

// A dispatch; or, where `pipeline` is null, a copy of uses[0] to uses[1], which are equally long.
struct Step {
  VkPipeline pipeline = VK_NULL_HANDLE;
  absl::InlinedVector<BufferUse, 3> uses;  // in the order of the shader's bindings
  uint64_t parameters = 0;                 // offset in Program::constants
  std::array<uint32_t, 3> groups = {1, 1, 1};
  // Steps of one pass touch different elements, even where the ranges that hold these overlap: a
  // pass is one computation that was cut into boxes. Passes follow each other in ascending order.
  int pass = 0;
};

// A written position and a read one that may be bound to the same bytes.
using InPlacePair = std::pair<int, int>;

// For each step whether a barrier has to stand before it: whether it uses bytes that a step of an
// earlier pass used since the last barrier, and one of the two writes. Positions of a pair count as
// one. Steps leave the bytes alone that a word of theirs shares with others.
std::vector<bool> PlanBarriers(absl::Span<const Step> steps,
                               absl::Span<const InPlacePair> in_place);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_STEPS_H_
