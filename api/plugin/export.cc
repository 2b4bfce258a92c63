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
#include "absl/strings/str_cat.h"
#include "api/plugin/translate.h"
#include "api/spi/signatures.h"

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

// The other side of a transfer, where that is the host: its buffers are addresses.
class Host final : public Engine {
 public:
  absl::StatusOr<std::unique_ptr<Stream>> MakeStream(unsigned) override { return None(); }
  absl::StatusOr<std::shared_ptr<Buffer>> Allocate(size_t) override { return None(); }
  absl::StatusOr<std::shared_ptr<Buffer>> Wrap(void*, size_t) override { return None(); }
  absl::StatusOr<Planned> MakePlan(const Request&) override { return None(); }

 private:
  static absl::Status None() { return absl::UnimplementedError("the host is a side only"); }
};

class HostBuffer final : public Buffer {
 public:
  explicit HostBuffer(void* address) : Buffer(address) {}
  absl::StatusOr<void*> Map() override { return handle(); }
  absl::Status Unmap(void*) override { return absl::OkStatus(); }
};

// Says what an implementation answered to `request`, and owns its plan from then on.
absl::Status Fill(absl::StatusOr<Planned> answer, const Operation& operation,
                  dnnspec_planned* planned) {
  if (!answer.ok()) return answer.status();
  if (answer->plan == nullptr) return absl::InternalError("no plan");
  if (answer->chosen.size() != planned->chosen_count)
    return absl::InternalError(absl::StrCat(SignatureOf(operation).name, ": ",
                                            answer->chosen.size(), " layouts for ",
                                            planned->chosen_count, " that were open"));
  auto owned = std::make_unique<dnnspec_plan>(dnnspec_plan{answer->plan, answer->plan->Describe()});
  for (size_t k = 0; k < answer->chosen.size(); ++k) planned->chosen[k] = ToC(answer->chosen[k]);
  if (answer->workspace != nullptr) planned->workspace = ToC(*answer->workspace);
  planned->scratchpad_bytes = answer->scratchpad_bytes;
  planned->text = owned->text.c_str();
  planned->plan = owned.release();
  return absl::OkStatus();
}

// Asks `make` for a plan of what `c` asks for.
template <class Make>
dnnspec_status AnswerTo(const dnnspec_request* c, dnnspec_planned* planned, const Make& make) {
  return Guarded([&]() -> absl::Status {
    dnnspec_request asked;
    std::optional<Operation> operation, forward;
    bool known = dnnspec_read(c, &asked, sizeof(asked)) != 0;
    if (known) operation = FromC(*asked.operation);
    known = known && operation.has_value();
    if (known && asked.forward != nullptr) {
      forward = FromC(*asked.forward);
      known = forward.has_value();
    }
    if (!known) return absl::UnimplementedError("what only a newer host asks for");
    return Fill(make({*operation, forward.has_value() ? &*forward : nullptr, asked.candidate}),
                *operation, planned);
  });
}

dnnspec_status CreatePlan(dnnspec_engine* engine, const dnnspec_request* request,
                          dnnspec_planned* planned) {
  return AnswerTo(request, planned,
                  [&](const Request& asked) { return engine->engine->MakePlan(asked); });
}

dnnspec_status CreateTransfer(dnnspec_engine* engine, dnnspec_engine* src, dnnspec_engine* dst,
                              const dnnspec_request* request, dnnspec_planned* planned) {
  return AnswerTo(request, planned, [&](const Request& asked) {
    Host host;
    return engine->engine->MakeTransferPlan(asked, src == nullptr ? host : *src->engine,
                                            dst == nullptr ? host : *dst->engine);
  });
}

dnnspec_status Execute(const dnnspec_plan* plan, dnnspec_stream* stream,
                       const dnnspec_argument* arguments, size_t argument_count) {
  return Guarded([&] {
    absl::InlinedVector<Buffer*, 6> own;
    absl::InlinedVector<std::shared_ptr<Buffer>, 1> of_host;
    for (size_t i = 0; i < argument_count; ++i) {
      if (arguments[i].buffer == nullptr) {
        of_host.push_back(std::make_shared<HostBuffer>(arguments[i].host));
        own.push_back(of_host.back().get());
      } else {
        own.push_back(arguments[i].buffer->buffer.get());
      }
    }
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

dnnspec_plugin_table ExportedTable(const Implementation& implementation, size_t (*engine_count)(),
                                   dnnspec_status (*engine_create)(size_t, dnnspec_engine**)) {
  dnnspec_plugin_table table = {};
  table.version = DNNSPEC_PLUGIN_VERSION;
  table.bytes = sizeof(dnnspec_plugin_table);
  table.name = implementation.name();
  table.library_version = implementation.version();
  table.engine_kind = static_cast<int32_t>(implementation.kind());
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
  table.transfer_create = &CreateTransfer;
  table.plan_execute = &Execute;
  table.plan_destroy = [](dnnspec_plan* plan) { delete plan; };
  table.last_error = [] { return LastError().empty() ? nullptr : LastError().c_str(); };
  return table;
}

}  // namespace spi
