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
using Engine = std::shared_ptr<const state::engine>;
using State = state::primitive_desc;
using Computation = state::computation;

// Places in the list of arguments.
enum : std::size_t { kSrc = 0, kDst = 1 };
// Both tensors, scales, two zero points, scratchpad.
constexpr std::size_t kMostArguments = 6;

absl::StatusOr<spi::Planned> PlanFor(const Computation& what, const state::memory* const* given) {
  spi::Operation operation = what.resolved;
  for (std::size_t i = 0; i < operation.tensors.size(); ++i)
    if (what.arguments[i].open) operation.tensors[i].layout = given[i]->layout;
  absl::Status status = spi::CheckRequest(operation);
  if (!status.ok()) return status;
  if (spi::WritesNothing(operation)) return spi::Planned();
  return PlanReorder(operation, what.src_device, what.dst_device);
}

// What can be done before run-time values are known.
absl::Status PlanLater(Computation* made) {
  made->resolve = PlanFor;
  ListArguments(made);
  absl::StatusOr<spi::Operation> known = WithoutRunTimeValues(made->resolved);
  if (!known.ok()) return known.status();
  if (spi::WritesNothing(*known)) return absl::OkStatus();
  return PlanReorder(*known, made->src_device, made->dst_device).status();
}

absl::Status PlanSides(Computation* made) {
  const spi::Operation& request = made->resolved;
  if (HasRunTimeValues(request.tensors[kSrc].layout) ||
      HasRunTimeValues(request.tensors[kDst].layout))
    return PlanLater(made);
  absl::Status status = spi::CheckRequest(request);
  if (!status.ok()) return status;
  if (spi::WritesNothing(request)) {
    ListArguments(made);
    return absl::OkStatus();
  }
  return Adopt(PlanReorder(request, made->src_device, made->dst_device), made);
}

absl::StatusOr<std::shared_ptr<const State>> Describe(const Engine& src_engine,
                                                      const dnnl_memory_desc_t& src,
                                                      const Engine& dst_engine,
                                                      const dnnl_memory_desc_t& dst,
                                                      const dnnl::primitive_attr& attr) {
  for (const Engine* engine : {&src_engine, &dst_engine})
    if (*engine == nullptr)
      return absl::InvalidArgumentError(absl::StrCat(
          "reorder: ", engine == &src_engine ? "src_engine" : "dst_engine", " is empty (ERR-011)"));
  auto made = std::make_shared<Computation>();
  absl::Status status = CopyAttributes("reorder", attr, made.get());
  if (!status.ok()) return status;
  status = FillReorderRequest(src, dst, made->attr.get(), &made->resolved);
  if (!status.ok()) return status;
  const Engine& engine = ExecutesOnDst(*src_engine, *dst_engine) ? dst_engine : src_engine;
  return Complete(std::move(made), {engine, src_engine, dst_engine}, PlanSides);
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
