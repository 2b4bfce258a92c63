#include "oneapi/dnnl/model/primitive_desc.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/engine/throw.h"
#include "api/memory/layout.h"
#include "api/model/primitive_cache.h"
#include "api/model/primitive_state.h"
#include "api/model/resolve.h"
#include "oneapi/dnnl/model/c_functions.h"

namespace api {
namespace {

namespace state = dnnl::state;
using State = state::primitive_desc;
using Computation = state::computation;

// What is behind `handle`, which is not empty.
const State& Live(const std::shared_ptr<const State>& handle, const char* member) {
  if (handle == nullptr)
    Throw(absl::InvalidArgumentError(absl::StrCat(
        "primitive_desc_base::", member, ": the primitive descriptor is empty (ERR-011)")));
  return *handle;
}

std::string Describe(const Computation& what) {
  const std::string engine = what.device.implementation->name();
  if (what.resolve != nullptr) return engine + ":run-time shapes";
  if (what.plan == nullptr) return engine + ":no elements";
  return what.plan->Describe();
}

// `prop` forward stands for both forward ones.
absl::Status CheckKind(const Computation& what, dnnl::primitive::kind kind, dnnl::prop_kind prop) {
  if (what.kind() != kind)
    return absl::InvalidArgumentError(
        absl::StrCat("primitive_desc: pd, a C handle, is of kind ", NameOf(what), ", not ",
                     dnnl_prim_kind2str(dnnl::convert_to_c(kind)), " (PRIM-004)"));
  const bool forward =
      prop == dnnl::prop_kind::forward && what.prop() == dnnl::prop_kind::forward_inference;
  if (what.prop() != prop && !forward)
    return absl::InvalidArgumentError(
        absl::StrCat("primitive_desc: pd, a C handle, is of prop_kind ",
                     dnnl_prop_kind2str(dnnl::convert_to_c(what.prop())), ", not ",
                     dnnl_prop_kind2str(dnnl::convert_to_c(prop)), " (PRIM-016)"));
  return absl::OkStatus();
}

// A reorder has two sides; all else is where the primitive executes.
spi::Engine* DeviceOf(const Computation& what, int argument) {
  const bool side = what.has_sides() && !spi::IsOfAttributes(argument);
  if (side && argument == spi::kArgSrc) return what.src_device.spi_engine.get();
  if (side && argument == spi::kArgDst) return what.dst_device.spi_engine.get();
  return what.device.spi_engine.get();
}

bool AsksForADescriptor(dnnl::query what) {
  return (what >= dnnl::query::src_md && what <= dnnl::query::scratchpad_md) ||
         what == dnnl::query::exec_arg_md;
}

}  // namespace

std::string NameOfPropKind(dnnl_prop_kind_t kind) {
  const std::string word = dnnl_prop_kind2str(kind);
  return word == "unknown" ? absl::StrCat(static_cast<int>(kind)) : word;
}

absl::Status CopyAttributes(const char* what, const dnnl::primitive_attr& attr, Computation* made) {
  const auto& from = state::access::of(attr);
  if (from == nullptr)
    return absl::InvalidArgumentError(
        absl::StrCat(what, ": the attributes are empty, moved from (ERR-011)"));
  made->scratchpad_mode = from->scratchpad;
  if (!from->output.neutral() || !from->post_ops.empty() ||
      from->fpmath != dnnl::fpmath_mode::strict || HasZeroPoints(*from) ||
      FirstUncommonAttribute(*from) != nullptr)
    made->attr = std::make_shared<const state::primitive_attr>(*from);
  return absl::OkStatus();
}

void NoteRequest(Computation* made) {
  const auto& tensors = made->resolved.tensors;
  made->asked = tensors.size();
  made->open = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].layout.kind == spi::LayoutKind::kAny) made->open |= 1u << i;
}

spi::Operation RequestOf(const Computation& what) {
  spi::Operation request = what.resolved;
  request.tensors.resize(what.asked);
  for (std::size_t i = 0; i < what.asked; ++i) {
    spi::Layout& layout = request.tensors[i].layout;
    if ((what.open >> i & 1) != 0)
      layout = spi::Any(layout.type, {layout.dims.data(), static_cast<std::size_t>(layout.rank)});
  }
  return request;
}

void ListArguments(Computation* made) {
  for (const spi::TensorArg& tensor : made->resolved.tensors)
    if (tensor.argument != spi::kArgScratchpad ||
        made->scratchpad_mode == dnnl::scratchpad_mode::user)
      made->arguments.emplace_back(tensor, DeviceOf(*made, tensor.argument));
  made->in_place = spi::InPlaceOf(made->resolved);
  FindEncounters(made);
}

absl::Status Adopt(absl::StatusOr<spi::Planned> planned, Computation* made) {
  if (!planned.ok()) return planned.status();
  absl::Status status = Resolve(*planned, OwnerOf(*made->device.implementation), &made->resolved);
  if (!status.ok()) return status;
  made->plan = std::move(planned->plan);
  ListArguments(made);
  for (const state::argument& argument : made->arguments) {
    if (!spi::IsEmpty(*argument.layout) || made->nothing != nullptr) continue;
    absl::StatusOr<std::shared_ptr<spi::Buffer>> empty = made->device.spi_engine->Wrap(nullptr, 0);
    if (!empty.ok()) return empty.status();
    made->nothing = *std::move(empty);
  }
  return absl::OkStatus();
}

namespace {

// Where nothing is to be done, no implementation is asked for layouts either.
void ChooseRowMajor(Computation* made) {
  for (spi::TensorArg& tensor : made->resolved.tensors) {
    const spi::Layout& open = tensor.layout;
    if (open.kind != spi::LayoutKind::kAny) continue;
    tensor.layout =
        spi::Strided(open.type, {open.dims.data(), static_cast<std::size_t>(open.rank)});
  }
}

}  // namespace

absl::Status PlanRequest(Computation* made) {
  absl::Status status = spi::CheckRequest(made->resolved);
  if (!status.ok()) return status;
  if (spi::WritesNothing(made->resolved)) {
    ChooseRowMajor(made);
    ListArguments(made);
    return absl::OkStatus();
  }
  status = CheckOwner(made->resolved, OwnerOf(*made->device.implementation));
  if (!status.ok()) return status;
  return Adopt(made->device.spi_engine->MakePlan({made->resolved, made->forward.get(), 0}), made);
}

absl::StatusOr<std::shared_ptr<const State>> Complete(std::shared_ptr<Computation> made,
                                                      state::engines&& engines,
                                                      absl::Status (*plan)(Computation*)) {
  NoteRequest(made.get());
  const std::size_t key = KeyOf(*made, engines);
  if (auto known = FindCached(key, *made, engines))
    return std::make_shared<const State>(std::move(known), std::move(engines));
  made->device = *engines.engine;
  if (engines.src_engine != nullptr) made->src_device = *engines.src_engine;
  if (engines.dst_engine != nullptr) made->dst_device = *engines.dst_engine;
  absl::Status status = plan(made.get());
  if (!status.ok()) return status;
  Cache(key, made);
  return std::make_shared<const State>(std::move(made), std::move(engines));
}

namespace {

// The same request by the next candidate of the same device.
absl::StatusOr<std::shared_ptr<const State>> Next(const State& desc) {
  const Computation& what = *desc.computation;
  if (what.plan == nullptr || what.has_sides())
    return absl::UnimplementedError("there is one implementation");
  auto next = std::make_shared<Computation>();
  next->device = what.device;
  next->scratchpad_mode = what.scratchpad_mode;
  next->attr = what.attr;
  next->candidate = what.candidate + 1;
  next->resolved = RequestOf(what);
  NoteRequest(next.get());
  next->forward = what.forward;
  absl::Status status = Adopt(
      what.device.spi_engine->MakePlan({next->resolved, next->forward.get(), next->candidate}),
      next.get());
  if (!status.ok()) return status;
  auto made = std::make_shared<const State>(std::move(next), state::engines(desc));
  std::lock_guard<std::mutex> lock(desc.c_mutex);
  made->c_operation = desc.c_operation;
  return made;
}

}  // namespace
}  // namespace api

template struct dnnspec::state::reference<const dnnl_primitive_desc>;

namespace dnnl {

// Here, since engines know nothing of primitives.
engine::engine(const handle<dnnl_primitive_desc_t>& pd) try {
  state_ = api::Live(state::access::of(pd), "get_engine").engine;
} catch (...) {
  api::RethrowAsDnnlError();
}

primitive_desc_base::primitive_desc_base(dnnl_primitive_desc_t from, dnnl::primitive::kind kind,
                                         prop_kind prop)
    : handle(from, true) {
  if (from == nullptr) return;
  api::ThrowUnlessOk(
      api::WithMemory([&] { return api::CheckKind(*state_->computation, kind, prop); }));
}

engine primitive_desc_base::get_engine() const try {
  return state::access::make<engine>(api::Live(state_, "get_engine").engine);
} catch (...) {
  api::RethrowAsDnnlError();
}

const char* primitive_desc_base::impl_info_str() const try {
  const state::primitive_desc& self = api::Live(state_, "impl_info_str");
  const std::string* text = self.description.load();
  if (text == nullptr) {
    auto made = std::make_unique<const std::string>(api::Describe(*self.computation));
    if (self.description.compare_exchange_strong(text, made.get())) text = made.release();
  }
  return text->c_str();
} catch (...) {
  api::RethrowAsDnnlError();
}

memory::dim primitive_desc_base::query_s64(query what) const try {
  const state::computation& self = *api::Live(state_, "query_s64").computation;
  if (what != query::memory_consumption_s64)
    api::Throw(absl::InvalidArgumentError(
        absl::StrCat("primitive_desc_base::query_s64: query ", static_cast<int>(what),
                     " is not memory_consumption_s64 (PRIM-007)")));
  return static_cast<memory::dim>(api::LibraryScratchpad(self));
} catch (...) {
  api::RethrowAsDnnlError();
}

memory::desc primitive_desc_base::query_md(query what, int idx) const try {
  const state::computation& self = *api::Live(state_, "query_md").computation;
  if (!api::AsksForADescriptor(what))
    api::Throw(absl::InvalidArgumentError(
        absl::StrCat("primitive_desc_base::query_md: query ", static_cast<int>(what),
                     " is not for a memory descriptor (PRIM-009)")));
  if (idx < 0) return memory::desc();
  for (const state::argument& argument : self.arguments) {
    const bool found =
        what == query::exec_arg_md ? argument.index == idx : argument.what == what && idx-- == 0;
    if (found) return api::DescOf(*argument.layout);
  }
  return memory::desc();
} catch (...) {
  api::RethrowAsDnnlError();
}

engine primitive_desc_base::scratchpad_engine() const try {
  return state::access::make<engine>(api::Live(state_, "scratchpad_engine").engine);
} catch (...) {
  api::RethrowAsDnnlError();
}

primitive_attr primitive_desc_base::get_primitive_attr() const try {
  const state::computation& self = *api::Live(state_, "get_primitive_attr").computation;
  primitive_attr attr;
  if (self.attr != nullptr) *state::access::of(attr) = *self.attr;
  attr.set_scratchpad_mode(self.scratchpad_mode);
  return attr;
} catch (...) {
  api::RethrowAsDnnlError();
}

primitive::kind primitive_desc_base::get_kind() const try {
  return api::Live(state_, "get_kind").computation->kind();
} catch (...) {
  api::RethrowAsDnnlError();
}

bool primitive_desc::next_impl() try {
  api::Live(state_, "next_impl");
  auto next = api::Next(*state_);
  if (!next.ok() && next.status().code() == absl::StatusCode::kUnimplemented) return false;
  state_ = api::ValueOrThrow(std::move(next));
  return true;
} catch (...) {
  api::RethrowAsDnnlError();
}

}  // namespace dnnl
