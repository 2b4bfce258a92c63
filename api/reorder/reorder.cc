#include "oneapi/dnnl/reorder/reorder.hpp"

#include <array>
#include <memory>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/memory/layout.h"
#include "api/memory/memory_state.h"
#include "api/model/primitive_state.h"
#include "api/model/raise.h"
#include "api/reorder/operation.h"
#include "api/reorder/request.h"
#include "api/reorder/transfer.h"

namespace api {
namespace {

namespace state = dnnl::state;
using State = state::primitive_desc;

// Places in the list of arguments; run-time zero points follow the scales.
enum : std::size_t { kSrc = 0, kDst = 1, kScales = 2 };
// Both tensors, scales, two zero points, scratchpad.
constexpr std::size_t kMostArguments = 6;

// Run-time zero points: one s32 each (REO-ZP-011).
void ListZeroPoints(const spi::ReorderOperation& operation, State* desc) {
  for (const auto& [zero, index] :
       {std::pair(operation.src_zero_point, DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC),
        std::pair(operation.dst_zero_point, DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST)}) {
    if (!zero.run_time) continue;
    if (desc->zero_point == nullptr)
      desc->zero_point = std::make_unique<spi::Layout>(VectorLayout(spi::DataType::kS32, 1));
    desc->arguments.emplace_back(index, desc->zero_point.get(), desc->on->device.get(),
                                 state::effect::reads);
  }
}

void ListArguments(State* desc) {
  const auto& operation = std::get<spi::ReorderOperation>(desc->operation);
  desc->arguments.emplace_back(DNNL_ARG_FROM, &operation.src, desc->src_engine->device.get(),
                               state::effect::reads);
  desc->arguments.emplace_back(DNNL_ARG_TO, &operation.dst, desc->dst_engine->device.get(),
                               state::effect::writes);
  // A sum wants the source and what the destination was: two tensors.
  desc->elementwise = !operation.has_sum || operation.beta == 0;
  if (operation.run_time_scales) {
    desc->scales =
        std::make_unique<spi::Layout>(VectorLayout(spi::DataType::kF32, operation.scale_count));
    desc->arguments.emplace_back(DNNL_ARG_ATTR_OUTPUT_SCALES, desc->scales.get(),
                                 desc->on->device.get(), state::effect::reads);
  }
  ListZeroPoints(operation, desc);
}

absl::StatusOr<std::shared_ptr<const spi::Plan>> PlanFor(const State& desc,
                                                         const state::memory* const* given) {
  spi::ReorderOperation operation = std::get<spi::ReorderOperation>(desc.operation);
  if (desc.arguments[kSrc].open) operation.src = given[kSrc]->layout;
  if (desc.arguments[kDst].open) operation.dst = given[kDst]->layout;
  if (operation.run_time_scales && desc.arguments[kScales].open)
    operation.scale_count = given[kScales]->layout.dims[0];
  absl::Status status = spi::Validate(operation);
  if (!status.ok()) return status;
  if (spi::IsEmpty(operation.dst)) return std::shared_ptr<const spi::Plan>();
  return PlanReorder(operation, desc.src_engine, desc.dst_engine);
}

absl::StatusOr<std::shared_ptr<const State>> Describe(const EngineState& src_engine,
                                                      const dnnl_memory_desc_t& src,
                                                      const EngineState& dst_engine,
                                                      const dnnl_memory_desc_t& dst,
                                                      const dnnl::primitive_attr& attr) {
  for (const EngineState* engine : {&src_engine, &dst_engine})
    if (*engine == nullptr)
      return absl::InvalidArgumentError(absl::StrCat(
          "reorder: ", engine == &src_engine ? "src_engine" : "dst_engine", " is empty (ERR-011)"));
  auto desc = std::make_shared<State>();
  absl::Status status = CopyAttributes("reorder", attr, desc.get());
  if (!status.ok()) return status;
  // Mostly it is what a new variant holds, and making it once more would take as long as the
  // checks.
  if (!std::holds_alternative<spi::ReorderOperation>(desc->operation))
    desc->operation.emplace<spi::ReorderOperation>();
  auto& operation = std::get<spi::ReorderOperation>(desc->operation);
  status = FillReorderRequest(src, dst, desc->attr.get(), &operation);
  const bool resolved_later = HasRunTimeValues(operation.src) || HasRunTimeValues(operation.dst);
  if (status.ok() && !resolved_later) status = spi::Validate(operation);
  if (!status.ok()) return status;

  desc->kind = dnnl::primitive::kind::reorder;
  desc->on = EngineOfReorder(src_engine, dst_engine);
  desc->src_engine = src_engine;
  desc->dst_engine = dst_engine;
  desc->list_arguments = ListArguments;
  ListArguments(desc.get());
  if (resolved_later) {
    desc->resolve = PlanFor;
    absl::StatusOr<spi::ReorderOperation> known = WithoutRunTimeValues(operation);
    if (!known.ok()) return known.status();
    if (spi::IsEmpty(known->dst)) return desc;
    status = PlanReorder(*known, src_engine, dst_engine).status();
    if (!status.ok()) return status;
    return desc;
  }
  if (spi::IsEmpty(operation.dst)) return desc;
  absl::StatusOr<std::shared_ptr<const spi::Plan>> plan =
      PlanReorder(operation, src_engine, dst_engine);
  if (!plan.ok()) return plan.status();
  AdoptPlan(*std::move(plan), desc.get());
  return desc;
}

absl::StatusOr<std::shared_ptr<const State>> DescribeMemories(const dnnl::memory& src,
                                                              const dnnl::memory& dst,
                                                              const dnnl::primitive_attr& attr) {
  const auto& from = state::access::of(src);
  const auto& to = state::access::of(dst);
  if (from == nullptr || to == nullptr)
    return absl::InvalidArgumentError(
        absl::StrCat("reorder: ", from == nullptr ? "src" : "dst", " is empty (ERR-011)"));
  return Describe(from->on, DescOf(from->layout), to->on, DescOf(to->layout), attr);
}

[[noreturn]] void RaiseEmpty(const char* member, const char* what) {
  Raise(absl::InvalidArgumentError(
      absl::StrCat("reorder::", member, ": the ", what, " is empty (ERR-011)")));
}

}  // namespace
}  // namespace api

namespace dnnl {

reorder::primitive_desc::primitive_desc(const engine& src_engine, const memory::desc& src_md,
                                        const engine& dst_engine, const memory::desc& dst_md,
                                        const primitive_attr& attr, bool allow_empty) {
  state_ = api::ValueOrEmpty(
      [&] {
        return api::Describe(state::access::of(src_engine), src_md.data,
                             state::access::of(dst_engine), dst_md.data, attr);
      },
      allow_empty);
}

reorder::primitive_desc::primitive_desc(const memory& src, const memory& dst,
                                        const primitive_attr& attr, bool allow_empty) {
  state_ = api::ValueOrEmpty([&] { return api::DescribeMemories(src, dst, attr); }, allow_empty);
}

engine reorder::primitive_desc::get_src_engine() const try {
  if (state_ == nullptr) api::RaiseEmpty("primitive_desc::get_src_engine", "primitive descriptor");
  return state::access::make<engine>(state_->src_engine);
} catch (...) {
  api::RaiseAgain();
}

engine reorder::primitive_desc::get_dst_engine() const try {
  if (state_ == nullptr) api::RaiseEmpty("primitive_desc::get_dst_engine", "primitive descriptor");
  return state::access::make<engine>(state_->dst_engine);
} catch (...) {
  api::RaiseAgain();
}

void reorder::execute(const stream& astream, memory& src, memory& dst) const try {
  const state::primitive* const self = state_.get();
  const state::stream* const queue = state::access::of(astream).get();
  if (self == nullptr) api::RaiseEmpty("execute", "primitive");
  if (queue == nullptr) api::RaiseEmpty("execute", "stream");
  const state::memory* given[api::kMostArguments] = {state::access::of(src).get(),
                                                     state::access::of(dst).get()};
  api::RaiseUnlessOk(api::Execute(*self, *queue, given, nullptr));
} catch (...) {
  api::RaiseAgain();
}

}  // namespace dnnl
