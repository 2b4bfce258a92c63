// Describes what one execution submits: steps over the buffers that it binds.
//
// A program holds everything but the memory: pipelines, sizes, parameters. Bindings bring the
// memory, by position: the source of a copy is buffer 0 and its destination buffer 1, say.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_PROGRAM_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "impl_vulkan/device/memory.h"
#include "impl_vulkan/device/pipelines.h"
#include "impl_vulkan/device/steps.h"

namespace impl_vulkan {

struct Program {
  Program() = default;
  Program(std::vector<Step> s, absl::Span<const InPlacePair> in_place)
      : steps(std::move(s)), barriers(PlanBarriers(steps, in_place)) {}

  uint64_t serial = NextSerial();  // never the same for two programs of one process
  std::vector<Step> steps;
  std::vector<bool> barriers;  // before which steps all earlier ones have to be done
  std::shared_ptr<Pipelines> pipelines;
  // Read by the program alone: blocks of `parameter_bytes`, one for each dispatch (none if that is
  // 0), and what steps read at kConstants. Null if there is nothing of the kind.
  std::shared_ptr<const Region> constants;
  uint64_t parameter_bytes = 0;

  static uint64_t NextSerial();
};

// The place of a tensor: its layout's element 0 counts from `offset` in `region`.
struct Binding {
  Binding() = default;
  Binding(std::shared_ptr<const Region> r, uint64_t o) : region(std::move(r)), offset(o) {}

  std::shared_ptr<const Region> region;
  uint64_t offset = 0;  // bytes
};

// `buffers` are by position; those that no step uses may be missing or empty.
struct Bindings {
  absl::InlinedVector<Binding, 4> buffers;
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_PROGRAM_H_
