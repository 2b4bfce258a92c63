#include "impl_vulkan/strided/move_plan.h"

#include "absl/strings/str_cat.h"
#include "impl_vulkan/memory/buffer.h"
#include "impl_vulkan/strided/plan.h"

namespace impl_vulkan {

absl::Status Fit(Context& context, std::initializer_list<const spi::Layout*> tensors) {
  const uint64_t most = context.device().plan().largest_heap;
  for (const spi::Layout* const tensor : tensors) {
    if (!EndsBeyond(*tensor, most)) continue;
    return absl::ResourceExhaustedError(absl::StrCat(
        "vulkan: ", spi::ToString(*tensor), " ends beyond the largest heap of ", most, " bytes"));
  }
  return absl::OkStatus();
}

absl::StatusOr<Bindings> BindBeside(const Move& move, const std::shared_ptr<const Region>& table,
                                    Stream& stream, spi::Buffers buffers) {
  Bindings bindings;
  bindings.buffers.resize(kDestination + 1);
  const auto bind = [&](int position, const Binding& binding) {
    const auto at = static_cast<size_t>(position);
    if (bindings.buffers.size() <= at) bindings.buffers.resize(at + 1);
    bindings.buffers[at] = binding;
  };
  const auto bind_argument = [&](int position) {
    bind(position, BindingOf(buffers, move.positions[static_cast<size_t>(position)]));
  };
  const Arithmetic& arithmetic = move.arithmetic;
  if (table != nullptr) {
    bind(kScales, {table, 0});
  } else if (arithmetic.scales == Arithmetic::Scales::kMany ||
             (move.function.has_value() && move.function->backward)) {
    bind_argument(kScales);
  }
  if (arithmetic.src_zero.run_time) bind_argument(kSrcZero);
  if (arithmetic.dst_zero.run_time) bind_argument(kDstZero);
  if (arithmetic.both_at_run_time()) {
    const absl::StatusOr<std::shared_ptr<const Region>> scratch = stream.Scratch(kZeroPointsBytes);
    if (!scratch.ok()) return scratch.status();
    bind(kZeroPoints, {*scratch, 0});
  }
  return bindings;
}

absl::StatusOr<spi::Planned> MovePlan::Create(std::shared_ptr<Context> context, Move move,
                                              const std::vector<float>& scales, int candidate) {
  if (candidate > 1 || (candidate == 1 && IsAllGeneric(move, context->device().plan()))) {
    return absl::UnimplementedError("vulkan: no further implementation");
  }
  absl::StatusOr<std::shared_ptr<const Region>> table = UploadScales(*context, scales);
  if (!table.ok()) return table.status();
  PlanOptions usual = UsualOptions(context->device().plan());
  usual.generic_only = candidate == 1;
  absl::StatusOr<std::shared_ptr<const MovePrograms>> programs =
      MovePrograms::Create(std::move(context), std::move(move), usual);
  if (!programs.ok()) return programs.status();
  spi::Planned planned;
  planned.plan.reset(new MovePlan(*std::move(programs), *std::move(table)));
  return planned;
}

std::string MovePlan::Describe() const { return absl::StrCat("vulkan:", programs_->Describe()); }

absl::Status MovePlan::Execute(spi::Stream& stream, spi::Buffers buffers) const {
  Context& context = programs_->context();
  if (context.device().forked()) return context.device().Alive();
  if (programs_->empty()) return context.device().Alive();
  auto* const ours = dynamic_cast<Stream*>(&stream);
  if (ours == nullptr || &ours->context() != &context) {
    return absl::InvalidArgumentError("vulkan: the stream is of another engine (STR-009)");
  }
  const Move& move = programs_->move();
  absl::StatusOr<Bindings> bindings = BindBeside(move, scales_, *ours, buffers);
  if (!bindings.ok()) return bindings.status();
  Binding& source = bindings->buffers[kSource];
  Binding& destination = bindings->buffers[kDestination];
  source = BindingOf(buffers, move.positions[kSource]);
  destination = BindingOf(buffers, move.positions[kDestination]);
  const absl::StatusOr<std::shared_ptr<const Program>> program =
      programs_->For(source, destination);
  if (!program.ok()) return program.status();
  if (*program == nullptr) return context.device().Alive();
  return ours->Submit(*program, *bindings);
}

}  // namespace impl_vulkan
