#include "examples/plugin-cpu/table.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>

#include "api/spi/plugin_abi.h"
#include "examples/plugin-cpu/plugin.h"
#include "examples/plugin-cpu/tensors.h"

struct dnnspec_engine {};
struct dnnspec_stream {};

namespace plugin {
namespace {

thread_local const char* why = nullptr;

// No exception leaves a function of the table.
template <typename F>
dnnspec_status Guarded(const F& f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    return Refuse(DNNSPEC_OUT_OF_MEMORY, "no memory");
  } catch (const std::exception&) {
    return Refuse(DNNSPEC_FAILED, "an exception");
  }
}

}  // namespace

size_t EngineCount() { return 1; }

dnnspec_status EngineCreate(size_t, dnnspec_engine** engine) {
  *engine = new (std::nothrow) dnnspec_engine;
  return *engine == nullptr ? Refuse(DNNSPEC_OUT_OF_MEMORY, "no memory") : DNNSPEC_OK;
}

void EngineDestroy(dnnspec_engine* engine) { delete engine; }

// All work is done when plan_execute returns, which is right for both orders.
dnnspec_status StreamCreate(dnnspec_engine*, uint32_t, dnnspec_stream** stream) {
  *stream = new (std::nothrow) dnnspec_stream;
  return *stream == nullptr ? Refuse(DNNSPEC_OUT_OF_MEMORY, "no memory") : DNNSPEC_OK;
}

dnnspec_status StreamWait(dnnspec_stream*) { return DNNSPEC_OK; }

void StreamDestroy(dnnspec_stream* stream) { delete stream; }

dnnspec_status BufferCreate(dnnspec_engine*, int32_t wraps, size_t bytes, void** handle,
                            dnnspec_buffer** buffer) {
  void* const data = wraps != 0 ? *handle : std::malloc(bytes);
  std::unique_ptr<dnnspec_buffer> made(new (std::nothrow) dnnspec_buffer{data, wraps == 0});
  if (made == nullptr || (wraps == 0 && data == nullptr)) {
    if (wraps == 0) std::free(data);
    return Refuse(DNNSPEC_OUT_OF_MEMORY, "no memory for a tensor");
  }
  *handle = data;
  *buffer = made.release();
  return DNNSPEC_OK;
}

dnnspec_status BufferMap(dnnspec_buffer* buffer, void** mapped) {
  *mapped = buffer->data;
  return DNNSPEC_OK;
}

dnnspec_status BufferUnmap(dnnspec_buffer*, void*) { return DNNSPEC_OK; }

void BufferDestroy(dnnspec_buffer* buffer) {
  if (buffer->owned) std::free(buffer->data);
  delete buffer;
}

dnnspec_status PlanCreate(dnnspec_engine*, const dnnspec_request* request,
                          dnnspec_planned* planned) {
  return Guarded([&] {
    dnnspec_request asked;
    dnnspec_operation operation;
    if (dnnspec_read(request, &asked, sizeof(asked)) == 0 ||
        dnnspec_read(asked.operation, &operation, sizeof(operation)) == 0)
      return Unimplemented("newer than this plug-in");
    if (asked.candidate > 0) return Unimplemented("there is one implementation");
    dnnspec_layout* const chosen = planned->chosen_count > 0 ? planned->chosen : nullptr;
    std::unique_ptr<dnnspec_plan> plan;
    const dnnspec_status status = MakePlan(operation, chosen, &plan);
    if (status == DNNSPEC_OK) planned->plan = plan.release();
    return status;
  });
}

dnnspec_status PlanExecute(const dnnspec_plan* plan, dnnspec_stream*,
                           const dnnspec_argument* arguments, size_t) {
  return Guarded([&] {
    plan->Execute(arguments);
    return DNNSPEC_OK;
  });
}

void PlanDestroy(dnnspec_plan* plan) { delete plan; }

const char* LastError() { return why; }

dnnspec_status Refuse(dnnspec_status status, const char* text) {
  why = text;
  return status;
}

dnnspec_status Unimplemented(const char* text) { return Refuse(DNNSPEC_UNIMPLEMENTED, text); }

}  // namespace plugin
