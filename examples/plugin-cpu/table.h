// The functions of a table for host memory: there is one engine, and all work is done when
// plan_execute returns. Each plug-in defines its table:
//
//   const dnnspec_plugin_table dnnspec_plugin = plugin::Table("eigen", "3.4.0");
#ifndef DNNSPEC_EXAMPLES_PLUGIN_CPU_TABLE_H_
#define DNNSPEC_EXAMPLES_PLUGIN_CPU_TABLE_H_

#include <cstddef>
#include <cstdint>

#include "api/spi/plugin_abi.h"

namespace plugin {

size_t EngineCount();
dnnspec_status EngineCreate(size_t index, dnnspec_engine** engine);
void EngineDestroy(dnnspec_engine* engine);
dnnspec_status StreamCreate(dnnspec_engine* engine, uint32_t flags, dnnspec_stream** stream);
dnnspec_status StreamWait(dnnspec_stream* stream);
void StreamDestroy(dnnspec_stream* stream);
dnnspec_status BufferCreate(dnnspec_engine* engine, int32_t wraps, size_t bytes, void** handle,
                            dnnspec_buffer** buffer);
dnnspec_status BufferMap(dnnspec_buffer* buffer, void** mapped);
dnnspec_status BufferUnmap(dnnspec_buffer* buffer, void* mapped);
void BufferDestroy(dnnspec_buffer* buffer);
dnnspec_status PlanCreate(dnnspec_engine* engine, const dnnspec_request* request,
                          dnnspec_planned* planned);
dnnspec_status PlanExecute(const dnnspec_plan* plan, dnnspec_stream* stream,
                           const dnnspec_argument* arguments, size_t argument_count);
void PlanDestroy(dnnspec_plan* plan);
const char* LastError();

constexpr dnnspec_plugin_table Table(const char* name, const char* library_version) {
  return {DNNSPEC_PLUGIN_VERSION,
          sizeof(dnnspec_plugin_table),
          name,
          library_version,
          DNNSPEC_ENGINE_CPU,
          0,
          EngineCount,
          EngineCreate,
          EngineDestroy,
          StreamCreate,
          StreamWait,
          StreamDestroy,
          BufferCreate,
          BufferMap,
          BufferUnmap,
          BufferDestroy,
          PlanCreate,
          nullptr,
          PlanExecute,
          PlanDestroy,
          LastError};
}

}  // namespace plugin

#endif  // DNNSPEC_EXAMPLES_PLUGIN_CPU_TABLE_H_
