#include "oneapi/dnnl/reorder/reorder.hpp"

#include <array>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/engine/throw.h"
#include "api/memory/layout.h"
#include "api/memory/memory_state.h"
#include "api/model/primitive_state.h"
#include "api/reorder/operation.h"
#include "api/reorder/request.h"
#include "api/reorder/transfer.h"

namespace api {
namespace {

namespace state = dnnl::state;
using State = state::primitive_desc;

// Places in the list of arguments.
enum : std::size_t { kSrc = 0, kDst = 1 };
// Both tensors, scales, two zero points, scratchpad.
constexpr std::size_t kMostArguments = 6;

absl::StatusOr<spi::Planned> PlanFor(const State& desc, const state::memory* const* given) {
  spi::Operation operation = desc.resolved;
  for (std::size_t i = 0; i < operation.tensors.size(); ++i)
    if (desc.arguments[i].open) operation.tensors[i].layout = given[i]->layout;
  absl::Status status = spi::CheckRequest(operation);
  if (!status.ok()) return status;
  if (spi::WritesNothing(operation)) return spi::Planned();
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
  const spi::Operation& request = desc->resolved;
  status = FillReorderRequest(src, dst, desc->attr.get(), &desc->resolved);
  if (!status.ok()) return status;
  const bool resolved_later = HasRunTimeValues(request.tensors[kSrc].layout) ||
                              HasRunTimeValues(request.tensors[kDst].layout);
  if (!resolved_later) status = spi::CheckRequest(request);
  if (!status.ok()) return status;

  desc->engine = EngineOfReorder(src_engine, dst_engine);
  desc->src_engine = src_engine;
  desc->dst_engine = dst_engine;
  if (resolved_later) {
    desc->resolve = PlanFor;
    ListArguments(desc.get());
    absl::StatusOr<spi::Operation> known = WithoutRunTimeValues(request);
    if (!known.ok()) return known.status();
    if (spi::WritesNothing(*known)) return desc;
    status = PlanReorder(*known, src_engine, dst_engine).status();
    if (!status.ok()) return status;
    return desc;
  }
  if (spi::WritesNothing(request)) {
    ListArguments(desc.get());
    return desc;
  }
  status = Adopt(PlanReorder(request, src_engine, dst_engine), desc.get());
  if (!status.ok()) return status;
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
  return Describe(from->engine, DescOf(from->layout), to->engine, DescOf(to->layout), attr);
}

[[noreturn]] void ThrowEmpty(const char* member, const char* what) {
  Throw(absl::InvalidArgumentError(
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
  if (state_ == nullptr) api::ThrowEmpty("primitive_desc::get_src_engine", "primitive descriptor");
  return state::access::make<engine>(state_->src_engine);
} catch (...) {
  api::RethrowAsDnnlError();
}

engine reorder::primitive_desc::get_dst_engine() const try {
  if (state_ == nullptr) api::ThrowEmpty("primitive_desc::get_dst_engine", "primitive descriptor");
  return state::access::make<engine>(state_->dst_engine);
} catch (...) {
  api::RethrowAsDnnlError();
}

void reorder::execute(const stream& astream, memory& src, memory& dst) const try {
  const state::primitive* const self = state_.get();
  const state::stream* const queue = state::access::of(astream).get();
  if (self == nullptr) api::ThrowEmpty("execute", "primitive");
  if (queue == nullptr) api::ThrowEmpty("execute", "stream");
  const state::memory* given[api::kMostArguments] = {state::access::of(src).get(),
                                                     state::access::of(dst).get()};
  api::ThrowUnlessOk(api::Execute(*self, *queue, given, nullptr));
} catch (...) {
  api::RethrowAsDnnlError();
}

}  // namespace dnnl
