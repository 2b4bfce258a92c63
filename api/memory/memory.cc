#include "oneapi/dnnl/memory/memory.hpp"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/engine/throw.h"
#include "api/memory/checks.h"
#include "api/memory/layout.h"
#include "api/memory/memory_state.h"

namespace api {
namespace {

using State = dnnl::state::memory;

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("memory", args...));
}

absl::Status Empty(const char* member) {
  return Invalid("::", member, ": the memory is empty (ERR-011)");
}

State& Live(const std::shared_ptr<State>& state, const char* member) {
  if (state == nullptr) Throw(Empty(member));
  return *state;
}

// Points `memory` to `handle`, with the constructor's meanings. Nothing changes on failure.
absl::Status Attach(State* memory, void* handle) {
  std::shared_ptr<spi::Buffer> buffer;
  if (memory->bytes == 0) {
    if (handle == DNNL_MEMORY_ALLOCATE) handle = nullptr;
  } else if (handle == DNNL_MEMORY_ALLOCATE) {
    absl::StatusOr<std::shared_ptr<spi::Buffer>> made = memory->spi_engine->Allocate(memory->bytes);
    if (!made.ok())
      return absl::Status(made.status().code(),
                          absl::StrCat("memory: allocating ", memory->bytes,
                                       " bytes: ", made.status().message(), " (MEM-031)"));
    buffer = *std::move(made);
    handle = buffer->handle();
  } else if (handle != DNNL_MEMORY_NONE) {
    absl::StatusOr<std::shared_ptr<spi::Buffer>> made =
        memory->spi_engine->Wrap(handle, memory->bytes);
    if (!made.ok()) return made.status();
    buffer = *std::move(made);
  }
  memory->buffer = std::move(buffer);
  memory->handle = handle;
  memory->UpdateUsable();
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<State>> MakeMemory(const dnnl_memory_desc_t& desc,
                                                  const dnnl::engine& on, void* handle) {
  const auto& engine = dnnl::state::access::of(on);
  if (engine == nullptr) return Invalid(": the engine is empty (ERR-011)");
  absl::Status status = CheckDesc("memory: md", desc);
  if (!status.ok()) return status;
  if (desc.format_kind == dnnl_format_kind_any && desc.ndims > 0)
    return Invalid(": md is `any` and has no layout (MEM-015)");
  if (HasRunTimeValues(desc)) return Invalid(": md has run-time values (MEM-015)");

  auto memory = std::make_shared<State>();
  memory->engine = engine;
  memory->spi_engine = engine->spi_engine.get();
  if (desc.ndims > 0) {
    memory->layout = LayoutOf(desc);
    memory->bytes = SizeInBytes(memory->layout);
  }
  memory->desc = DescOf(memory->layout);
  memory->desc.extra = desc.extra;
  status = Attach(memory.get(), handle);
  if (!status.ok()) return status;
  return memory;
}

absl::Status SetHandle(State* memory, void* handle) {
  if (memory->map_count > 0)
    return Invalid("::set_data_handle: the memory is mapped ", memory->map_count,
                   " times (MEM-022)");
  return Attach(memory, handle);
}

}  // namespace
}  // namespace api

template struct dnnspec::state::reference<dnnl_memory>;

namespace dnnl {

memory::memory(const desc& md, const engine& aengine, void* ahandle) try {
  state_ = api::ValueOrThrow(api::MakeMemory(md.data, aengine, ahandle));
} catch (...) {
  api::RethrowAsDnnlError();
}

memory::memory(const desc& md, const engine& aengine) : memory(md, aengine, DNNL_MEMORY_ALLOCATE) {}

memory::desc memory::get_desc() const try {
  return api::Live(state_, "get_desc").desc;
} catch (...) {
  api::RethrowAsDnnlError();
}

engine memory::get_engine() const try {
  return state::access::make<engine>(api::Live(state_, "get_engine").engine);
} catch (...) {
  api::RethrowAsDnnlError();
}

void* memory::get_data_handle() const try {
  return api::Live(state_, "get_data_handle").handle;
} catch (...) {
  api::RethrowAsDnnlError();
}

void memory::set_data_handle(void* ahandle, const stream& astream) const try {
  state::memory& self = api::Live(state_, "set_data_handle");
  const auto& hint = state::access::of(astream);
  if (hint != nullptr && hint->spi_engine != self.spi_engine)
    api::Throw(api::Invalid("::set_data_handle: the stream is of another engine (MEM-010)"));
  api::ThrowUnlessOk(api::SetHandle(&self, ahandle));
} catch (...) {
  api::RethrowAsDnnlError();
}

void memory::set_data_handle(void* ahandle) const try {
  api::ThrowUnlessOk(api::SetHandle(&api::Live(state_, "set_data_handle"), ahandle));
} catch (...) {
  api::RethrowAsDnnlError();
}

void* memory::map_raw() const try {
  state::memory& self = api::Live(state_, "map_data");
  if (self.buffer == nullptr) return nullptr;
  if (self.map_count == 0) self.mapped = api::ValueOrThrow(self.buffer->Map());
  ++self.map_count;
  self.UpdateUsable();
  return self.mapped;
} catch (...) {
  api::RethrowAsDnnlError();
}

void memory::unmap_data(void* mapped) const try {
  state::memory& self = api::Live(state_, "unmap_data");
  if (self.buffer == nullptr && mapped == nullptr) return;
  if (self.map_count == 0 || mapped != self.mapped)
    api::Throw(api::Invalid("::unmap_data: the pointer is not from map_data (MEM-025)"));
  if (self.map_count == 1) api::ThrowUnlessOk(self.buffer->Unmap(mapped));
  --self.map_count;
  self.UpdateUsable();
} catch (...) {
  api::RethrowAsDnnlError();
}

}  // namespace dnnl
