// A plan's dispatches made ready for one device: pipelines compiled, parameters in its memory.
#ifndef DNNSPEC_IMPL_VULKAN_STRIDED_PROGRAM_H_
#define DNNSPEC_IMPL_VULKAN_STRIDED_PROGRAM_H_

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "impl_vulkan/device/context.h"
#include "impl_vulkan/device/device_plan.h"
#include "impl_vulkan/device/program.h"
#include "impl_vulkan/strided/move.h"
#include "impl_vulkan/strided/plan.h"

namespace impl_vulkan {

Limits LimitsOf(const DevicePlan& plan);

// What a program may take for granted over memory as this library makes it on the device.
PlanOptions UsualOptions(const DevicePlan& plan);
// The same over these bindings. Copy commands reach memory of the host at least as fast as shaders.
PlanOptions OptionsFor(const DevicePlan& plan, const Binding& source, const Binding& destination);

// A program without steps if there is nothing to move.
absl::StatusOr<std::shared_ptr<const Program>> MakeProgram(Context& context, const Move& move,
                                                           const PlanOptions& options);

// See memory/buffer.h.
absl::Status CopyBytes(Context& context, const Binding& from, const Binding& to, uint64_t bytes);

// Whether the plainest kernel is the first choice already, everywhere: with `generic_only` the
// program would be the same, and no second implementation (PRIM-012).
bool IsAllGeneric(const Move& move, const DevicePlan& plan);

// A move on one device, ready for any memory: the program for what is usual, and others for what
// turns out to be otherwise, made when they are first needed. Thread-safe.
class MovePrograms {
 public:
  static absl::StatusOr<std::shared_ptr<const MovePrograms>> Create(
      std::shared_ptr<Context> context, Move move, const PlanOptions& usual);

  Context& context() const { return *context_; }
  const Move& move() const { return move_; }
  bool empty() const { return usual_->steps.empty(); }

  // Null if nothing is to be done: the source is the destination already.
  absl::StatusOr<std::shared_ptr<const Program>> For(const Binding& source,
                                                     const Binding& destination) const;

  std::string Describe() const;

 private:
  MovePrograms(std::shared_ptr<Context> context, Move move, const PlanOptions& usual);
  bool IsSelfCopy(const Binding& source, const Binding& destination) const;

  const std::shared_ptr<Context> context_;
  const Move move_;
  const bool can_copy_;
  const PlanOptions options_;  // of the usual program
  std::shared_ptr<const Program> usual_;
  mutable std::mutex mutex_;
  // By whether words are aligned and whether copy commands may be used.
  mutable std::array<std::array<std::shared_ptr<const Program>, 2>, 2> others_;
};

// A table of scales in device memory; null for an empty one.
absl::StatusOr<std::shared_ptr<const Region>> UploadScales(Context& context,
                                                           const std::vector<float>& scales);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_STRIDED_PROGRAM_H_
