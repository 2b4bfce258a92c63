#include "impl_vulkan/model/engine.h"

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "impl_vulkan/memory/buffer.h"
#include "impl_vulkan/memory/handles.h"
#include "impl_vulkan/model/stream.h"
#include "impl_vulkan/reorder/move_plan.h"
#include "impl_vulkan/reorder/transfer_plan.h"
#include "impl_vulkan/shuffle/move.h"

namespace impl_vulkan {
namespace {

using PlanResult = absl::StatusOr<std::shared_ptr<const spi::Plan>>;

// One overload for each operation.
struct PlanOf {
  const std::shared_ptr<Context>& context;
  int candidate;

  PlanResult operator()(const spi::ReorderOperation& operation) const {
    Move move = MoveOf(operation);
    const bool table = move.arithmetic.scales == Arithmetic::Scales::kMany;
    return Make({spi::kArgSrc, spi::kArgDst}, std::move(move),
                table && !operation.run_time_scales ? operation.scales : std::vector<float>());
  }

  PlanResult operator()(const spi::ShuffleOperation& operation) const {
    return Make(operation.forward ? MoveArguments{spi::kArgSrc, spi::kArgDst}
                                  : MoveArguments{spi::kArgDiffDst, spi::kArgDiffSrc},
                MoveOf(operation), {});
  }

  PlanResult Make(const MoveArguments& arguments, Move move,
                  const std::vector<float>& scales) const {
    if (candidate > 1) return absl::UnimplementedError("vulkan: no further implementation");
    return MovePlan::Create(context, arguments, std::move(move), scales, candidate == 1);
  }
};

}  // namespace

absl::StatusOr<std::unique_ptr<spi::Stream>> Engine::MakeStream(unsigned) {
  absl::StatusOr<std::unique_ptr<Submitter>> submitter = context_->MakeSubmitter();
  if (!submitter.ok()) return submitter.status();
  return std::make_unique<Stream>(context_, *std::move(submitter));
}

absl::StatusOr<std::shared_ptr<spi::Buffer>> Engine::Allocate(size_t bytes) {
  absl::StatusOr<std::shared_ptr<const Region>> region =
      context_->Allocate(bytes, Purpose::kTensor);
  if (!region.ok()) return region.status();
  void* const handle = context_->handles().Add(*region, false);
  return std::make_shared<Buffer>(context_, handle, *std::move(region), 0, bytes, false);
}

absl::StatusOr<std::shared_ptr<spi::Buffer>> Engine::Wrap(void* handle, size_t bytes) {
  if (handle == nullptr || bytes == 0) return std::make_shared<Buffer>(context_, handle);
  const std::optional<Handles::Place> place = context_->handles().Find(handle);
  if (!place) {
    return absl::InvalidArgumentError(
        absl::StrCat("vulkan: handle ", absl::Hex(reinterpret_cast<uintptr_t>(handle)),
                     " is not of this engine: it takes what get_data_handle gave, or a VkBuffer by "
                     "dnnl::vulkan_interop (MEM-005)"));
  }
  if (bytes > place->region->bytes() - place->offset) {
    return absl::InvalidArgumentError(absl::StrCat("vulkan: the memory behind the handle has ",
                                                   place->region->bytes() - place->offset,
                                                   " bytes, ", bytes, " are needed (MEM-029)"));
  }
  return std::make_shared<Buffer>(context_, handle, place->region, place->offset, bytes,
                                  place->pointer);
}

PlanResult Engine::MakePlan(const spi::Operation& operation, int candidate) {
  return std::visit(PlanOf{context_, candidate}, operation);
}

PlanResult Engine::MakeTransferPlan(const spi::Operation& operation, spi::Engine& src,
                                    spi::Engine& dst, int candidate) {
  const auto* const reorder = std::get_if<spi::ReorderOperation>(&operation);
  if (reorder == nullptr || candidate > 0) {
    return absl::UnimplementedError("vulkan: no further implementation");
  }
  const auto context_of = [](spi::Engine& engine) {
    auto* const ours = dynamic_cast<Engine*>(&engine);
    return ours == nullptr ? nullptr : ours->context();
  };
  return TransferPlan::Create(context_of(src), context_of(dst), *reorder);
}

}  // namespace impl_vulkan
