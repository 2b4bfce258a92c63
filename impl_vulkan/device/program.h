// What one execution submits: steps over a source, a destination and a table of scales.
//
// A program holds everything but the memory: pipelines, sizes, parameters. Bindings bring the
// memory. Windows are byte ranges counted from the start of a binding.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_PROGRAM_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_PROGRAM_H_

#include <vulkan/vulkan.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "impl_vulkan/device/memory.h"
#include "impl_vulkan/device/pipelines.h"

namespace impl_vulkan {

struct Window {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

// A dispatch, or a copy of `source` to `destination` (equally long) where `pipeline` is null.
//
// A storage binding must start on an aligned offset, so a dispatch is told in its push constants
// how many elements each window's first one lies behind the start of its binding:
//   { source, destination, scales, and the two zero points of the execution }
struct Step {
  VkPipeline pipeline = VK_NULL_HANDLE;
  Window source, destination, scales;
  uint32_t source_element = 1, destination_element = 1;  // bytes
  uint64_t parameters = 0;                               // offset in Program::parameters
  uint32_t groups_x = 1, groups_y = 1;
  bool zeros = false;  // the source is Program::zeros
};

struct Program {
  uint64_t serial = NextSerial();  // never the same for two programs of one process
  std::vector<Step> steps;
  std::shared_ptr<Pipelines> pipelines;
  // Blocks of `parameter_bytes`, one for each dispatch; null if there is none.
  std::shared_ptr<const Region> parameters;
  uint64_t parameter_bytes = 0;
  uint64_t zeros = 0;  // offset in `parameters` of a word of 0

  static uint64_t NextSerial();
};

// The place of a tensor: its layout's element 0 counts from `offset` in `region`.
struct Binding {
  Binding() = default;
  Binding(std::shared_ptr<const Region> r, uint64_t o) : region(std::move(r)), offset(o) {}

  std::shared_ptr<const Region> region;
  uint64_t offset = 0;  // bytes
};

// Zero points, as bits of f32.
struct Zeros {
  uint32_t source = 0, destination = 0;

  uint64_t key() const { return uint64_t{source} << 32 | destination; }
};

// `scales` may be null if no step reads scales.
struct Bindings {
  Binding source, destination, scales;
  Zeros zeros = {};
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_PROGRAM_H_
