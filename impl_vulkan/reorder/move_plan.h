// The plan of a move whose two tensors live on one device.
#ifndef DNNSPEC_IMPL_VULKAN_REORDER_MOVE_PLAN_H_
#define DNNSPEC_IMPL_VULKAN_REORDER_MOVE_PLAN_H_

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "impl_vulkan/device/program.h"
#include "impl_vulkan/model/context.h"
#include "impl_vulkan/reorder/move.h"

namespace impl_vulkan {

// Which arguments the two tensors are.
struct MoveArguments {
  int source = spi::kArgSrc;
  int destination = spi::kArgDst;
};

// A table of scales in device memory; null if the plan has none of its own.
absl::StatusOr<std::shared_ptr<const Region>> UploadScales(Context& context,
                                                           const std::vector<float>& scales);

class MovePlan final : public spi::Plan {
 public:
  // `scales` is the table of a move that reads one, empty if it comes at run time.
  // `generic_only`: the plainest kernel, which is the last candidate.
  static absl::StatusOr<std::shared_ptr<const spi::Plan>> Create(std::shared_ptr<Context> context,
                                                                 const MoveArguments& arguments,
                                                                 Move move,
                                                                 const std::vector<float>& scales,
                                                                 bool generic_only);

  std::string Describe() const override;
  absl::Status Execute(spi::Stream& stream, spi::Arguments arguments) const override;

 private:
  MovePlan(std::shared_ptr<Context> context, const MoveArguments& arguments, Move move,
           bool generic_only);

  // The program for memory that grants less than usual: made when first needed.
  absl::StatusOr<std::shared_ptr<const Program>> CautiousProgram() const;

  const std::shared_ptr<Context> context_;
  const MoveArguments arguments_;
  const Move move_;
  const bool generic_only_;
  std::shared_ptr<const Region> scales_;
  std::shared_ptr<const Program> program_;  // aligned words, copy commands

  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Program> cautious_;
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_REORDER_MOVE_PLAN_H_
