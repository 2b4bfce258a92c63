#include "oneapi/dnnl/model/primitive.hpp"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/engine/throw.h"
#include "api/model/primitive_state.h"
#include "oneapi/dnnl/model/primitive_desc.hpp"

namespace api {
namespace {

namespace state = dnnl::state;

absl::StatusOr<std::shared_ptr<const state::primitive>> MakePrimitive(
    const std::shared_ptr<const state::primitive_desc>& desc) {
  if (desc == nullptr)
    return absl::InvalidArgumentError("primitive: the primitive descriptor is empty (PRIM-045)");
  const state::computation& what = *desc->computation;
  auto made = std::make_shared<state::primitive>();
  made->desc = desc;
  made->computation = &what;
  made->arguments = what.arguments;
  made->encounters = what.encounters;
  made->scratchpad_bytes = LibraryScratchpad(what);
  if (what.plan != nullptr && what.resolve == nullptr && made->scratchpad_bytes == 0)
    made->just_runs_on = what.device.spi_engine.get();
  return made;
}

[[noreturn]] void ThrowEmpty(const char* member, const char* argument) {
  Throw(absl::InvalidArgumentError(
      absl::StrCat("primitive::", member, ": the ", argument, " is empty (ERR-011)")));
}

}  // namespace
}  // namespace api

template struct dnnspec::state::reference<const dnnl_primitive>;

namespace dnnl {

primitive::primitive(const primitive_desc_base& pd) try {
  state_ = api::ValueOrThrow(api::MakePrimitive(state::access::of(pd)));
} catch (...) {
  api::RethrowAsDnnlError();
}

primitive::primitive(const_dnnl_primitive_desc_t c_pd) try {
  state_ =
      api::ValueOrThrow(api::MakePrimitive(c_pd == nullptr ? nullptr : c_pd->shared_from_this()));
} catch (...) {
  api::RethrowAsDnnlError();
}

const_dnnl_primitive_desc_t primitive::get_primitive_desc() const try {
  if (state_ == nullptr) api::ThrowEmpty("get_primitive_desc", "primitive");
  return state_->desc.get();
} catch (...) {
  api::RethrowAsDnnlError();
}

primitive::kind primitive::get_kind() const try {
  if (state_ == nullptr) api::ThrowEmpty("get_kind", "primitive");
  return state_->computation->kind();
} catch (...) {
  api::RethrowAsDnnlError();
}

}  // namespace dnnl
