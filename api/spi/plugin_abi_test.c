/* What a compiler of C99 makes of the header. */
#include "api/spi/plugin_abi.h"

size_t TableBytesAsC(void);
size_t ReorderBytesAsC(void);
size_t ShuffleBytesAsC(void);
size_t ExecuteOffsetAsC(void);

size_t TableBytesAsC(void) { return sizeof(dnnspec_plugin_table); }
size_t ReorderBytesAsC(void) { return sizeof(dnnspec_reorder); }
size_t ShuffleBytesAsC(void) { return sizeof(dnnspec_shuffle); }
size_t ExecuteOffsetAsC(void) { return offsetof(dnnspec_plugin_table, plan_execute); }
