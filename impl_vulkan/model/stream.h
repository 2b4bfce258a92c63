// A stream: programs in the order of submission, on one queue.
//
// Out-of-order streams are served as in-order ones: what may be reordered need not be.
#ifndef DNNSPEC_IMPL_VULKAN_MODEL_STREAM_H_
#define DNNSPEC_IMPL_VULKAN_MODEL_STREAM_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "api/spi/implementation.h"
#include "api/spi/vulkan_native.h"
#include "impl_vulkan/device/context.h"
#include "impl_vulkan/device/memory.h"
#include "impl_vulkan/device/program.h"
#include "impl_vulkan/device/submitter.h"

namespace impl_vulkan {

class Stream final : public spi::Stream, public spi::vulkan::NativeStream {
 public:
  Stream(std::shared_ptr<Context> context, std::unique_ptr<Submitter> submitter);

  // Waits: work is not lost with its stream.
  ~Stream() override;

  Context& context() { return *context_; }
  Submitter& submitter() { return *submitter_; }

  absl::Status Submit(const std::shared_ptr<const Program>& program, const Bindings& bindings);

  // What the host does when all that was submitted so far is done; in order, by Wait.
  void Defer(std::function<absl::Status()> task);
  bool has_deferred() const { return !deferred_.empty(); }

  absl::Status Wait() override;

  VkQueue queue() const override;
  absl::Status Synchronise(absl::Span<const spi::vulkan::SyncPoint> waits,
                           absl::Span<const spi::vulkan::SyncPoint> signals) override;
  spi::vulkan::SyncPoint last() const override;

  // A region of at least `bytes` that the host sees and nothing uses. It is in use again as long as
  // the caller, a submission or a deferred task keeps it.
  absl::StatusOr<std::shared_ptr<const Region>> TakeStaging(uint64_t bytes);

  // A region of at least `bytes` for what a program passes from one step of it to another, always
  // the same one: its programs run one after the other.
  absl::StatusOr<std::shared_ptr<const Region>> Scratch(uint64_t bytes);

 private:
  const std::shared_ptr<Context> context_;
  const std::unique_ptr<Submitter> submitter_;
  std::vector<std::function<absl::Status()>> deferred_;
  std::vector<std::shared_ptr<const Region>> staging_;
  std::shared_ptr<const Region> scratch_;  // null before the first request
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_MODEL_STREAM_H_
