#include "oneapi/dnnl/model/primitive.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/engine/throw.h"
#include "api/memory/memory_state.h"
#include "api/model/primitive_state.h"
#include "oneapi/dnnl/model/primitive_desc.hpp"

namespace api {
namespace {

namespace state = dnnl::state;

absl::StatusOr<std::shared_ptr<const state::primitive>> MakePrimitive(
    const std::shared_ptr<const state::primitive_desc>& desc) {
  if (desc == nullptr)
    return absl::InvalidArgumentError("primitive: the primitive descriptor is empty (PRIM-045)");
  auto made = std::make_shared<state::primitive>();
  made->desc = desc;
  made->serves_one_buffer =
      desc->plan != nullptr && desc->resolve == nullptr && ServesOneBuffer(*desc);
  made->scratchpad_bytes = LibraryScratchpad(*desc);
  return made;
}

// As args.find(index). Most maps have few entries, and looking at all of them costs less than the
// divisions by the number of buckets.
ArgumentMap::const_iterator Find(const ArgumentMap& args, int index) {
  constexpr std::size_t kFew = 8;
  if (args.size() > kFew) return args.find(index);
  auto found = args.begin();
  while (found != args.end() && found->first != index) ++found;
  return found;
}

[[noreturn]] void ThrowEmpty(const char* member, const char* argument) {
  Throw(absl::InvalidArgumentError(
      absl::StrCat("primitive::", member, ": the ", argument, " is empty (ERR-011)")));
}

}  // namespace

void ListMemories(const state::primitive& primitive, const ArgumentMap& args,
                  const state::memory** given) {
  std::size_t count = 0;
  for (const state::argument& argument : primitive.desc->arguments) {
    const auto found = Find(args, argument.index);
    given[count++] = found == args.end() ? nullptr : state::access::of(found->second).get();
  }
}

}  // namespace api

namespace dnnl {

template struct state::reference<const dnnl_primitive>;

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
  return state_->desc->kind();
} catch (...) {
  api::RethrowAsDnnlError();
}

void primitive::execute(const stream& astream, const std::unordered_map<int, memory>& args) const
    try {
  if (state_ == nullptr) api::ThrowEmpty("execute", "primitive");
  const state::stream* const queue = state::access::of(astream).get();
  if (queue == nullptr) api::ThrowEmpty("execute", "stream");
  std::array<const state::memory*, api::kMaxArguments> given;
  api::ListMemories(*state_, args, given.data());
  api::ThrowUnlessOk(api::Execute(*state_, *queue, given.data(), &args));
} catch (...) {
  api::RethrowAsDnnlError();
}

}  // namespace dnnl
