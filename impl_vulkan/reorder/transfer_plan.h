// The plan of a reorder between a device and a host, or between two devices.
//
// Everything that is not copying is done on the device. The host's side is any engine's buffer that
// Map makes readable; a device's memory is never mapped.
//
//   host to device    The host copies elements into staging, in Execute, and the device reads them.
//   device to host    The device fills staging; the host copies elements out of it in Stream::Wait,
//                     or in Execute where the tensor is larger than what staging may hold. The
//                     device then goes on with later stages while the host has one.
//   device to device  Through staging of both; complete when Execute returns.
#ifndef DNNSPEC_IMPL_VULKAN_REORDER_TRANSFER_PLAN_H_
#define DNNSPEC_IMPL_VULKAN_REORDER_TRANSFER_PLAN_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "impl_vulkan/device/context.h"
#include "impl_vulkan/model/stream.h"
#include "impl_vulkan/strided/move.h"
#include "impl_vulkan/strided/program.h"
#include "impl_vulkan/strided/staging.h"

namespace impl_vulkan {

class TransferPlan final : public spi::Plan {
 public:
  // `source` and `destination` are null for a side that is not a Vulkan device; not both.
  static absl::StatusOr<spi::Planned> Create(std::shared_ptr<Context> source,
                                             std::shared_ptr<Context> destination,
                                             const spi::Operation& operation);

  std::string Describe() const override;
  absl::Status Execute(spi::Stream& stream, spi::Buffers buffers) const override;

 private:
  struct Stage {
    Chunk chunk;
    std::shared_ptr<const MovePrograms> collect;  // between devices: from the source into staging
    std::shared_ptr<const MovePrograms> device;   // between staging and the device that computes
  };

  TransferPlan(std::shared_ptr<Context> source, std::shared_ptr<Context> destination, Move move)
      : source_(std::move(source)), destination_(std::move(destination)), move_(std::move(move)) {}

  absl::Status Prepare(const spi::Operation& operation);
  absl::Status FromHost(Stream& stream, spi::Buffers buffers) const;
  absl::Status ToHost(Stream& stream, spi::Buffers buffers) const;
  absl::Status BetweenDevices(Stream& stream, spi::Buffers buffers) const;
  // What BindBeside gives for a destination on another device than `stream` and the arguments.
  absl::StatusOr<Bindings> FetchBeside(Stream& stream, spi::Buffers buffers) const;
  // A copy of what lies there on the source's device, for the destination's. All that was submitted
  // to `stream` is done.
  absl::StatusOr<Binding> Fetch(Stream& stream, const Binding& from, uint64_t bytes) const;
  // Writes zeros to the padding of the destination.
  absl::Status ClearPaddingOnDevice(Stream& stream, const Binding& to) const;
  absl::Status ClearPaddingOnHost(spi::Buffer& to) const;
  // Submits what fills `staging` with `stage`.
  absl::Status Fill(Stream& stream, const Stage& stage,
                    const std::shared_ptr<const Region>& staging, spi::Buffers buffers,
                    const Bindings& beside) const;
  absl::Status ToHostAtOnce(Stream& stream, spi::Buffers buffers, const Bindings& beside) const;
  // Takes the elements of `stage` out of staging.
  absl::Status Deliver(const Stage& stage, const Region& staging, spi::Buffer& to) const;
  uint64_t BytesOf(const Stage& stage) const;

  const std::shared_ptr<Context> source_, destination_;
  const Move move_;
  std::shared_ptr<const Region> scales_;  // those known when the plan was made
  std::vector<Stage> stages_;
  std::shared_ptr<const MovePrograms> padding_;  // null if the destination's device has none
  uint64_t staged_bytes_ = 0;                    // of all stages together
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_REORDER_TRANSFER_PLAN_H_
