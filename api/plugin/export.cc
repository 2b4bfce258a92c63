#include "api/plugin/export.h"

#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/plugin/translate.h"

struct dnnspec_engine {
  std::shared_ptr<spi::Engine> engine;
};
struct dnnspec_stream {
  std::unique_ptr<spi::Stream> stream;
};
struct dnnspec_buffer {
  std::shared_ptr<spi::Buffer> buffer;
};
struct dnnspec_plan {
  std::shared_ptr<const spi::Plan> plan;
  std::string text;
  absl::InlinedVector<int, 6> indices;  // of its tensors, in their order
};

namespace spi {
namespace {

std::string& LastError() {
  thread_local std::string text;
  return text;
}

dnnspec_status Told(const absl::Status& status) {
  LastError() = std::string(status.message());
  return ToC(status);
}

// Without an explanation where there is no memory for one.
dnnspec_status Failed(const char* what) noexcept {
  try {
    LastError() = std::string("exception: ") + what;
  } catch (const std::bad_alloc&) {
    LastError().clear();
  }
  return DNNSPEC_FAILED;
}

// Runs `call`, which gives an absl::Status, and lets nothing out.
template <class Call>
dnnspec_status Guarded(Call&& call) noexcept {
  try {
    return Told(call());
  } catch (const std::bad_alloc&) {
    LastError().clear();  // to explain would allocate
    return DNNSPEC_OUT_OF_MEMORY;
  } catch (const std::exception& e) {
    return Failed(e.what());
  } catch (...) {
    return Failed("of no standard type");
  }
}

template <class T, class Handle, class Wrap>
absl::Status Give(absl::StatusOr<T> made, Handle** out, Wrap wrap) {
  if (!made.ok()) return made.status();
  *out = wrap(*std::move(made));
  return absl::OkStatus();
}

dnnspec_status CreateStream(dnnspec_engine* engine, uint32_t flags, dnnspec_stream** stream) {
  return Guarded([&] {
    return Give(engine->engine->MakeStream(flags), stream,
                [](auto made) { return new dnnspec_stream{std::move(made)}; });
  });
}

dnnspec_status Wait(dnnspec_stream* stream) {
  return Guarded([&] { return stream->stream->Wait(); });
}

dnnspec_status CreateBuffer(dnnspec_engine* engine, int32_t wraps, size_t bytes, void** handle,
                            dnnspec_buffer** buffer) {
  return Guarded([&] {
    auto made = wraps != 0 ? engine->engine->Wrap(*handle, bytes) : engine->engine->Allocate(bytes);
    const absl::Status status =
        Give(std::move(made), buffer, [](auto it) { return new dnnspec_buffer{std::move(it)}; });
    if (status.ok()) *handle = (*buffer)->buffer->handle();
    return status;
  });
}

dnnspec_status Map(dnnspec_buffer* buffer, void** mapped) {
  return Guarded([&] {
    const absl::StatusOr<void*> address = buffer->buffer->Map();
    if (address.ok()) *mapped = *address;
    return address.status();
  });
}

dnnspec_status Unmap(dnnspec_buffer* buffer, void* mapped) {
  return Guarded([&] { return buffer->buffer->Unmap(mapped); });
}

dnnspec_status CreatePlan(dnnspec_engine* engine, const dnnspec_operation* c, int32_t candidate,
                          dnnspec_plan** plan, dnnspec_plan_info* info) {
  return Guarded([&]() -> absl::Status {
    const std::optional<Operation> operation = FromC(*c);
    if (!operation) return absl::UnimplementedError("an operation of a newer host");
    absl::StatusOr<Planned> made = engine->engine->MakePlan({*operation, nullptr, candidate});
    if (!made.ok()) return made.status();
    auto owned =
        std::make_unique<dnnspec_plan>(dnnspec_plan{made->plan, made->plan->Describe(), {}});
    for (const TensorArg& tensor : operation->tensors) owned->indices.push_back(tensor.argument);
    if (made->scratchpad_bytes > 0) owned->indices.push_back(kArgScratchpad);
    info->text = owned->text.c_str();
    info->scratchpad_bytes = made->scratchpad_bytes;
    *plan = owned.release();
    return absl::OkStatus();
  });
}

dnnspec_status Execute(const dnnspec_plan* plan, dnnspec_stream* stream,
                       const dnnspec_argument* arguments, size_t argument_count) {
  return Guarded([&] {
    absl::InlinedVector<Buffer*, 6> own;
    for (const int index : plan->indices)
      for (size_t i = 0; i < argument_count; ++i)
        if (arguments[i].index == index) own.push_back(arguments[i].buffer->buffer.get());
    return plan->plan->Execute(*stream->stream, own);
  });
}

}  // namespace

size_t CountEngines(Implementation& implementation) noexcept {
  try {
    return implementation.EngineCount();
  } catch (...) {
    return 0;
  }
}

dnnspec_status CreateEngine(Implementation& implementation, size_t index, dnnspec_engine** engine) {
  return Guarded([&] {
    return Give(implementation.MakeEngine(index), engine,
                [](auto made) { return new dnnspec_engine{std::move(made)}; });
  });
}

dnnspec_plugin_table ExportedTable(const char* name, EngineKind kind, size_t (*engine_count)(),
                                   dnnspec_status (*engine_create)(size_t, dnnspec_engine**)) {
  dnnspec_plugin_table table = {};
  table.version = DNNSPEC_PLUGIN_VERSION;
  table.table_bytes = sizeof(dnnspec_plugin_table);
  table.name = name;
  table.engine_kind = static_cast<int32_t>(kind);
  table.engine_count = engine_count;
  table.engine_create = engine_create;
  table.engine_destroy = [](dnnspec_engine* engine) { delete engine; };
  table.stream_create = &CreateStream;
  table.stream_wait = &Wait;
  table.stream_destroy = [](dnnspec_stream* stream) { delete stream; };
  table.buffer_create = &CreateBuffer;
  table.buffer_map = &Map;
  table.buffer_unmap = &Unmap;
  table.buffer_destroy = [](dnnspec_buffer* buffer) { delete buffer; };
  table.plan_create = &CreatePlan;
  table.plan_execute = &Execute;
  table.plan_destroy = [](dnnspec_plan* plan) { delete plan; };
  table.last_error = [] { return LastError().empty() ? nullptr : LastError().c_str(); };
  table.reorder_bytes = sizeof(dnnspec_reorder);
  return table;
}

}  // namespace spi
