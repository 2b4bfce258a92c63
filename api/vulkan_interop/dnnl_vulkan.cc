#include "oneapi/dnnl/dnnl_vulkan.hpp"

#include <array>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/engine/engine_state.h"
#include "api/engine/throw.h"
#include "api/memory/memory_state.h"
#include "api/model/primitive_state.h"
#include "api/spi/implementation.h"
#include "api/spi/vulkan_native.h"

namespace api {
namespace {

namespace native = spi::vulkan;
using dnnl::state::access;

// `call` is the name of the function that was called.
template <typename... Args>
absl::Status Invalid(const char* call, const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("vulkan_interop::", call, ": ", args...));
}

// The native side of what is behind a handle; throws where there is none.
native::NativeEngine& NativeOf(const char* call, const dnnl::engine& from) try {
  const auto& state = access::of(from);
  if (state == nullptr) Throw(Invalid(call, "the engine is empty (ERR-011)"));
  auto* const found = dynamic_cast<native::NativeEngine*>(state->spi_engine.get());
  if (found == nullptr) Throw(Invalid(call, "the engine is not on Vulkan (INTEROP-005)"));
  return *found;
} catch (...) {
  RethrowAsDnnlError();
}

native::NativeStream& NativeOf(const char* call, const dnnl::stream& from) try {
  const auto& state = access::of(from);
  if (state == nullptr) Throw(Invalid(call, "the stream is empty (ERR-011)"));
  auto* const found = dynamic_cast<native::NativeStream*>(state->spi_stream.get());
  if (found == nullptr) Throw(Invalid(call, "the stream is not on Vulkan (INTEROP-007)"));
  return *found;
} catch (...) {
  RethrowAsDnnlError();
}

dnnl::state::memory& StateOf(const char* call, const dnnl::memory& from) {
  const auto& state = access::of(from);
  if (state == nullptr) Throw(Invalid(call, "the memory is empty (ERR-011)"));
  if (dynamic_cast<native::NativeEngine*>(state->spi_engine) == nullptr)
    Throw(Invalid(call, "the memory is not on Vulkan (INTEROP-011)"));
  return *state;
}

// Null where there is no storage.
native::NativeBuffer* NativeOf(const dnnl::state::memory& memory) {
  return dynamic_cast<native::NativeBuffer*>(memory.buffer.get());
}

native::QueueGuard GuardOf(const dnnl::vulkan_interop::queue_guard& guard) {
  return {guard.lock, guard.unlock, guard.user};
}

void Attach(std::shared_ptr<spi::Buffer> buffer, dnnl::state::memory* memory) {
  memory->handle = buffer->handle();
  memory->buffer = std::move(buffer);
  memory->UpdateUsable();
}

void SetBuffer(const char* call, const dnnl::vulkan_interop::buffer_range& range,
               const dnnl::memory& to) {
  dnnl::state::memory& state = StateOf(call, to);
  if (state.map_count > 0) Throw(Invalid(call, "the memory is mapped (MEM-022)"));
  if (state.bytes > 0) {
    auto& on = dynamic_cast<native::NativeEngine&>(*state.spi_engine);
    Attach(ValueOrThrow(on.WrapRange({range.buffer, range.offset, range.size, range.usage},
                                     state.bytes,
                                     static_cast<std::size_t>(spi::SizeOf(state.layout.type)))),
           &state);
  }
  state.pointer_kind = false;
}

// Whether an execution reads memory of another engine, which it does during the call.
bool ReadsElsewhere(const dnnl::state::computation& what, const dnnl::state::stream& stream,
                    const dnnl::state::memory* const* given) {
  for (std::size_t i = 0; i < what.arguments.size(); ++i) {
    const bool read =
        i >= what.resolved.tensors.size() || what.resolved.tensors[i].access != spi::Access::kWrite;
    if (read && given[i]->spi_engine != stream.spi_engine) return true;
  }
  return false;
}

std::vector<native::SyncPoint> PointsOf(
    const std::vector<dnnl::vulkan_interop::sync_point>& points) {
  std::vector<native::SyncPoint> converted;
  converted.reserve(points.size());
  for (const auto& point : points) converted.push_back({point.semaphore, point.value});
  return converted;
}

}  // namespace
}  // namespace api

namespace dnnl {
namespace vulkan_interop {

engine make_engine(const device_info& info) try {
  api::native::DeviceInfo external;
  external.get_instance_proc_addr = info.get_instance_proc_addr;
  external.instance = info.instance;
  external.api_version = info.api_version;
  external.physical_device = info.physical_device;
  external.device = info.device;
  external.queue_family = info.queue_family;
  external.queue = info.queue;
  external.guard = api::GuardOf(info.guard);
  external.enabled_features = info.enabled_features;
  for (spi::Implementation* implementation : spi::Implementations()) {
    auto* const offers = dynamic_cast<api::native::NativeImplementation*>(implementation);
    if (offers == nullptr) continue;
    auto state = std::make_shared<state::engine>();
    state->spi_engine = api::ValueOrThrow(offers->MakeEngineFrom(external));
    state->implementation = implementation;
    return state::access::make<engine>(std::shared_ptr<const state::engine>(std::move(state)));
  }
  api::Throw(absl::UnimplementedError(
      "vulkan_interop::make_engine: no implementation on Vulkan is linked (INTEROP-004)"));
} catch (...) {
  api::RethrowAsDnnlError();
}

VkInstance get_instance(const engine& aengine) {
  return api::NativeOf("get_instance", aengine).instance();
}

VkPhysicalDevice get_physical_device(const engine& aengine) {
  return api::NativeOf("get_physical_device", aengine).physical_device();
}

VkDevice get_device(const engine& aengine) { return api::NativeOf("get_device", aengine).device(); }

uint32_t get_queue_family(const engine& aengine) {
  return api::NativeOf("get_queue_family", aengine).queue_family();
}

stream make_stream(const engine& aengine, VkQueue queue, const queue_guard& guard) try {
  api::native::NativeEngine& on = api::NativeOf("make_stream", aengine);
  auto state = std::make_shared<state::stream>();
  state->engine = state::access::of(aengine);
  state->spi_engine = state->engine->spi_engine.get();
  state->spi_stream = api::ValueOrThrow(on.MakeStreamOn(queue, api::GuardOf(guard)));
  return state::access::make<stream>(std::move(state));
} catch (...) {
  api::RethrowAsDnnlError();
}

VkQueue get_queue(const stream& astream) { return api::NativeOf("get_queue", astream).queue(); }

memory make_memory(const memory::desc& adesc, const engine& aengine, memory_kind kind,
                   void* handle) try {
  api::native::NativeEngine& on = api::NativeOf("make_memory", aengine);
  if (kind != memory_kind::pointer && kind != memory_kind::buffer)
    api::Throw(api::Invalid("make_memory", "kind = ", static_cast<int>(kind),
                            " is neither pointer nor buffer (INTEROP-009)"));
  const bool special = handle == DNNL_MEMORY_ALLOCATE || handle == DNNL_MEMORY_NONE;
  if (kind == memory_kind::buffer) {
    if (!special)
      api::Throw(
          api::Invalid("make_memory", "handle = 0x", absl::Hex(reinterpret_cast<uintptr_t>(handle)),
                       " is neither DNNL_MEMORY_ALLOCATE nor DNNL_MEMORY_NONE, which a memory "
                       "of kind buffer takes (INTEROP-009)"));
    return memory(adesc, aengine, handle);
  }
  memory made(adesc, aengine, special ? DNNL_MEMORY_NONE : handle);
  state::memory& state = *state::access::of(made);
  state.pointer_kind = true;
  if (state.bytes == 0) return made;
  if (handle == DNNL_MEMORY_ALLOCATE) {
    api::Attach(api::ValueOrThrow(on.AllocateVisible(state.bytes)), &state);
  } else if (handle != DNNL_MEMORY_NONE && !api::NativeOf(state)->is_pointer()) {
    api::Throw(api::Invalid("make_memory", "handle = 0x",
                            absl::Hex(reinterpret_cast<uintptr_t>(handle)),
                            " is no address in a memory of kind pointer (INTEROP-009)"));
  }
  return made;
} catch (...) {
  api::RethrowAsDnnlError();
}

memory make_memory(const memory::desc& adesc, const stream& astream, memory_kind kind,
                   void* handle) try {
  return make_memory(adesc, astream.get_engine(), kind, handle);
} catch (...) {
  api::RethrowAsDnnlError();
}

memory make_memory(const memory::desc& adesc, const engine& aengine,
                   const buffer_range& range) try {
  memory made(adesc, aengine, DNNL_MEMORY_NONE);
  api::SetBuffer("make_memory", range, made);
  return made;
} catch (...) {
  api::RethrowAsDnnlError();
}

memory make_memory(const memory::desc& adesc, const stream& astream,
                   const buffer_range& range) try {
  return make_memory(adesc, astream.get_engine(), range);
} catch (...) {
  api::RethrowAsDnnlError();
}

memory_kind get_memory_kind(const memory& amemory) try {
  const state::memory& state = api::StateOf("get_memory_kind", amemory);
  const api::native::NativeBuffer* const buffer = api::NativeOf(state);
  const bool pointer = buffer != nullptr ? buffer->is_pointer() : state.pointer_kind;
  return pointer ? memory_kind::pointer : memory_kind::buffer;
} catch (...) {
  api::RethrowAsDnnlError();
}

void set_buffer(memory& amemory, const buffer_range& range) try {
  api::SetBuffer("set_buffer", range, amemory);
} catch (...) {
  api::RethrowAsDnnlError();
}

void set_buffer(memory& amemory, const buffer_range& range, const stream& astream) try {
  const auto& hint = state::access::of(astream);
  if (hint != nullptr && hint->spi_engine != api::StateOf("set_buffer", amemory).spi_engine)
    api::Throw(api::Invalid("set_buffer", "the stream is of another engine (MEM-010)"));
  set_buffer(amemory, range);
} catch (...) {
  api::RethrowAsDnnlError();
}

buffer_range get_buffer(const memory& amemory) try {
  const api::native::NativeBuffer* const buffer =
      api::NativeOf(api::StateOf("get_buffer", amemory));
  if (buffer == nullptr || buffer->is_pointer())
    api::Throw(
        api::Invalid("get_buffer", "the memory has no storage of kind buffer (INTEROP-013)"));
  const api::native::BufferRange range = buffer->range();
  return {range.buffer, range.offset, range.size, range.usage};
} catch (...) {
  api::RethrowAsDnnlError();
}

sync_point execute(const primitive& aprimitive, const stream& astream,
                   const std::unordered_map<int, memory>& args,
                   const std::vector<sync_point>& waits,
                   const std::vector<sync_point>& signals) try {
  api::native::NativeStream& on = api::NativeOf("execute", astream);
  const auto& self = api::access::of(aprimitive);
  if (self == nullptr) api::Throw(api::Invalid("execute", "the primitive is empty (ERR-011)"));
  const std::vector<api::native::SyncPoint> before = api::PointsOf(waits),
                                            after = api::PointsOf(signals);
  // Everything that can be wrong comes before the first wait, which no failure could take back
  // (ERR-014).
  for (const auto* points : {&before, &after})
    for (const api::native::SyncPoint& point : *points)
      if (point.semaphore == VK_NULL_HANDLE)
        api::Throw(api::Invalid("execute", points == &before ? "waits" : "signals", "[",
                                &point - points->data(), "] has no semaphore (INTEROP-015)"));
  std::array<const state::memory*, api::kMaxArguments> given;
  api::ListMemories(*self, args, given.data());
  const state::stream& queue = *api::access::of(astream);
  api::ThrowUnlessOk(api::CheckExecution(*self, queue, given.data(), &args));
  if (!before.empty()) api::ThrowUnlessOk(on.Synchronise(before, {}));
  if (!before.empty() && api::ReadsElsewhere(*self->computation, queue, given.data()))
    api::ThrowUnlessOk(queue.spi_stream->Wait());
  api::ThrowUnlessOk(api::Execute(*self, queue, given.data(), &args));
  if (!after.empty()) api::ThrowUnlessOk(on.Synchronise({}, after));
  const api::native::SyncPoint last = on.last();
  return {last.semaphore, last.value};
} catch (...) {
  api::RethrowAsDnnlError();
}

}  // namespace vulkan_interop
}  // namespace dnnl
