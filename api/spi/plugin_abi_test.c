/* What a compiler of C99 makes of the header. */
#include "api/spi/plugin_abi.h"

size_t TableBytesAsC(void);
size_t OperationBytesAsC(void);
size_t PlannedBytesAsC(void);
size_t TensorBytesAsC(void);
size_t ExecuteOffsetAsC(void);
int ReadAsC(const void* from, dnnspec_shuffle_params* to);

size_t TableBytesAsC(void) { return sizeof(dnnspec_plugin_table); }
size_t OperationBytesAsC(void) { return sizeof(dnnspec_operation); }
size_t PlannedBytesAsC(void) { return sizeof(dnnspec_planned); }
size_t TensorBytesAsC(void) { return sizeof(dnnspec_tensor); }
size_t ExecuteOffsetAsC(void) { return offsetof(dnnspec_plugin_table, plan_execute); }
int ReadAsC(const void* from, dnnspec_shuffle_params* to) {
  return dnnspec_read(from, to, sizeof(*to));
}
