#include "oneapi/dnnl/model/primitive_desc.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/engine/throw.h"
#include "api/memory/layout.h"
#include "api/model/primitive_state.h"
#include "api/model/resolve.h"
#include "oneapi/dnnl/model/c_functions.h"

namespace api {
namespace {

namespace state = dnnl::state;
using State = state::primitive_desc;

const State& Live(const std::shared_ptr<const State>& handle, const char* member) {
  if (handle == nullptr)
    Throw(absl::InvalidArgumentError(absl::StrCat(
        "primitive_desc_base::", member, ": the primitive descriptor is empty (ERR-011)")));
  return *handle;
}

std::string Describe(const State& desc) {
  const std::string engine = desc.engine->implementation->name();
  if (desc.resolve != nullptr) return engine + ":run-time shapes";
  if (desc.plan == nullptr) return engine + ":no elements";
  return desc.plan->Describe();
}

// `prop` forward stands for both forward ones.
absl::Status CheckKind(const State& desc, dnnl::primitive::kind kind, dnnl::prop_kind prop) {
  if (desc.kind() != kind)
    return absl::InvalidArgumentError(absl::StrCat("primitive_desc: the C handle is of a ",
                                                   NameOf(desc), ", not of a ",
                                                   dnnl_prim_kind2str(dnnl::convert_to_c(kind))));
  const bool forward =
      prop == dnnl::prop_kind::forward && desc.prop() == dnnl::prop_kind::forward_inference;
  if (desc.prop() != prop && !forward)
    return absl::InvalidArgumentError(
        absl::StrCat("primitive_desc: the C handle's prop_kind is ",
                     dnnl_prop_kind2str(dnnl::convert_to_c(desc.prop())), ", not ",
                     dnnl_prop_kind2str(dnnl::convert_to_c(prop))));
  return absl::OkStatus();
}

// A reorder has two sides; all else is where the primitive executes.
spi::Engine* DeviceOf(const State& desc, int argument) {
  const bool side = desc.src_engine != nullptr && !spi::IsOfAttributes(argument);
  if (side && argument == spi::kArgSrc) return desc.src_engine->spi_engine.get();
  if (side && argument == spi::kArgDst) return desc.dst_engine->spi_engine.get();
  return desc.engine->spi_engine.get();
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

absl::Status CopyAttributes(const char* what, const dnnl::primitive_attr& attr, State* desc) {
  const auto& from = state::access::of(attr);
  if (from == nullptr)
    return absl::InvalidArgumentError(
        absl::StrCat(what, ": the attributes are empty, moved from (ERR-011)"));
  desc->scratchpad_mode = from->scratchpad;
  if (!from->output.neutral() || !from->post_ops.empty() ||
      from->fpmath != dnnl::fpmath_mode::strict || HasZeroPoints(*from) ||
      FirstUncommonAttribute(*from) != nullptr)
    desc->attr = std::make_shared<const state::primitive_attr>(*from);
  return absl::OkStatus();
}

void ListArguments(State* desc) {
  for (const spi::TensorArg& tensor : desc->resolved.tensors)
    if (tensor.argument != spi::kArgScratchpad ||
        desc->scratchpad_mode == dnnl::scratchpad_mode::user)
      desc->arguments.emplace_back(tensor, DeviceOf(*desc, tensor.argument));
  desc->in_place = spi::InPlaceOf(desc->resolved);
}

absl::Status Adopt(absl::StatusOr<spi::Planned> planned, State* desc) {
  if (!planned.ok()) return planned.status();
  if (!planned->chosen.empty() || planned->workspace != nullptr)
    desc->request = std::make_shared<const spi::Operation>(desc->resolved);
  absl::Status status = Resolve(*planned, OwnerOf(*desc->engine->implementation), &desc->resolved);
  if (!status.ok()) return status;
  desc->plan = std::move(planned->plan);
  ListArguments(desc);
  for (const state::argument& argument : desc->arguments) {
    if (!spi::IsEmpty(*argument.layout) || desc->nothing != nullptr) continue;
    absl::StatusOr<std::shared_ptr<spi::Buffer>> made = desc->engine->spi_engine->Wrap(nullptr, 0);
    if (!made.ok()) return made.status();
    desc->nothing = *std::move(made);
  }
  return absl::OkStatus();
}

namespace {

// Where nothing is to be done, no implementation is asked for layouts either.
void ChooseRowMajor(State* desc) {
  for (spi::TensorArg& tensor : desc->resolved.tensors) {
    const spi::Layout& open = tensor.layout;
    if (open.kind != spi::LayoutKind::kAny) continue;
    if (desc->request == nullptr)
      desc->request = std::make_shared<const spi::Operation>(desc->resolved);
    tensor.layout =
        spi::Strided(open.type, {open.dims.data(), static_cast<std::size_t>(open.rank)});
  }
}

}  // namespace

absl::Status Complete(State* desc) {
  absl::Status status = spi::CheckRequest(desc->resolved);
  if (!status.ok()) return status;
  if (spi::WritesNothing(desc->resolved)) {
    ChooseRowMajor(desc);
    ListArguments(desc);
    return absl::OkStatus();
  }
  status = CheckOwner(desc->resolved, OwnerOf(*desc->engine->implementation));
  if (!status.ok()) return status;
  return Adopt(desc->engine->spi_engine->MakePlan({desc->resolved, desc->forward.get(), 0}), desc);
}

namespace {

// The same request by the next candidate of the same engine.
absl::StatusOr<std::shared_ptr<const State>> Next(const State& desc) {
  if (desc.plan == nullptr || desc.src_engine != nullptr)
    return absl::UnimplementedError("there is one implementation");
  auto next = std::make_shared<State>();
  next->engine = desc.engine;
  next->scratchpad_mode = desc.scratchpad_mode;
  next->attr = desc.attr;
  next->candidate = desc.candidate + 1;
  next->resolved = desc.request != nullptr ? *desc.request : desc.resolved;
  if (next->resolved.tensors.back().argument == spi::kArgScratchpad)
    next->resolved.tensors.pop_back();
  next->forward = desc.forward;
  {
    std::lock_guard<std::mutex> lock(desc.c_mutex);
    next->c_operation = desc.c_operation;
  }
  absl::Status status = Adopt(
      desc.engine->spi_engine->MakePlan({next->resolved, next->forward.get(), next->candidate}),
      next.get());
  if (!status.ok()) return status;
  return next;
}

}  // namespace
}  // namespace api

namespace dnnl {

template struct state::reference<const dnnl_primitive_desc>;

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
  api::ThrowUnlessOk(api::WithMemory([&] { return api::CheckKind(*state_, kind, prop); }));
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
    auto made = std::make_unique<const std::string>(api::Describe(self));
    if (self.description.compare_exchange_strong(text, made.get())) text = made.release();
  }
  return text->c_str();
} catch (...) {
  api::RethrowAsDnnlError();
}

memory::dim primitive_desc_base::query_s64(query what) const try {
  const state::primitive_desc& self = api::Live(state_, "query_s64");
  if (what != query::memory_consumption_s64)
    api::Throw(absl::InvalidArgumentError(
        absl::StrCat("primitive_desc_base::query_s64: query ", static_cast<int>(what),
                     " is not memory_consumption_s64 (PRIM-007)")));
  return static_cast<memory::dim>(api::LibraryScratchpad(self));
} catch (...) {
  api::RethrowAsDnnlError();
}

memory::desc primitive_desc_base::query_md(query what, int idx) const try {
  const state::primitive_desc& self = api::Live(state_, "query_md");
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
  const state::primitive_desc& self = api::Live(state_, "get_primitive_attr");
  primitive_attr attr;
  if (self.attr != nullptr) *state::access::of(attr) = *self.attr;
  attr.set_scratchpad_mode(self.scratchpad_mode);
  return attr;
} catch (...) {
  api::RethrowAsDnnlError();
}

primitive::kind primitive_desc_base::get_kind() const try {
  return api::Live(state_, "get_kind").kind();
} catch (...) {
  api::RethrowAsDnnlError();
}

bool primitive_desc::next_impl() try {
  auto next = api::Next(api::Live(state_, "next_impl"));
  if (!next.ok() && next.status().code() == absl::StatusCode::kUnimplemented) return false;
  state_ = api::ValueOrThrow(std::move(next));
  return true;
} catch (...) {
  api::RethrowAsDnnlError();
}

}  // namespace dnnl
