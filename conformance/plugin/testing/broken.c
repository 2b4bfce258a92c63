/* Plug-ins that are wrong, each in one way: what a host must say of them. */
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef NO_SYMBOL
int something_else = 1;
#else

#include "api/spi/plugin_abi.h"

#ifdef DIES_WHEN_LOADED
__attribute__((constructor)) static void die(void) { abort(); }
#endif

#ifdef CHANGES_ITS_PROCESS
__attribute__((constructor)) static void change(void) { umask(0123); }
#endif

static int bytes[64];

static size_t engine_count(void) {
#ifdef HANGS_WHEN_ASKED
  for (;;) pause();
#endif
  return 1;
}

static dnnspec_status engine_create(size_t index, dnnspec_engine** engine) {
  (void)index;
  *engine = (dnnspec_engine*)bytes;
  return DNNSPEC_OK;
}
static void engine_destroy(dnnspec_engine* engine) { (void)engine; }

static dnnspec_status stream_create(dnnspec_engine* engine, uint32_t flags,
                                    dnnspec_stream** stream) {
  (void)engine, (void)flags;
  *stream = (dnnspec_stream*)bytes;
  return DNNSPEC_OK;
}
static dnnspec_status stream_wait(dnnspec_stream* stream) {
  (void)stream;
  return DNNSPEC_OK;
}
static void stream_destroy(dnnspec_stream* stream) { (void)stream; }

static dnnspec_status buffer_create(dnnspec_engine* engine, int32_t wraps, size_t size,
                                    void** handle, dnnspec_buffer** buffer) {
  (void)engine;
  if (!wraps) *handle = malloc(size);
  *buffer = *handle;
  return DNNSPEC_OK;
}
static dnnspec_status buffer_map(dnnspec_buffer* buffer, void** mapped) {
  *mapped = buffer;
  return DNNSPEC_OK;
}
static dnnspec_status buffer_unmap(dnnspec_buffer* buffer, void* mapped) {
  (void)buffer, (void)mapped;
  return DNNSPEC_OK;
}
static void buffer_destroy(dnnspec_buffer* buffer) { (void)buffer; }

static dnnspec_status plan_create(dnnspec_engine* engine, const dnnspec_request* request,
                                  dnnspec_planned* planned) {
  (void)engine;
#ifdef CRASHES_IN_PLAN
  raise(SIGSEGV);
#endif
#ifdef HANGS_IN_PLAN
  for (;;) pause();
#endif
#ifdef PLAN_STATUS
  if (request->operation->tensors[0]->layout.data_type == DNNSPEC_S8) return PLAN_STATUS;
#endif
  if (request->candidate > 0) return DNNSPEC_UNIMPLEMENTED;
  planned->plan = (dnnspec_plan*)bytes;
  planned->text = "broken";
  return DNNSPEC_OK;
}
/* Does nothing: every result is wrong. */
static dnnspec_status plan_execute(const dnnspec_plan* plan, dnnspec_stream* stream,
                                   const dnnspec_argument* arguments, size_t argument_count) {
  (void)plan, (void)stream, (void)arguments, (void)argument_count;
  return DNNSPEC_OK;
}
static void plan_destroy(dnnspec_plan* plan) { (void)plan; }
static const char* last_error(void) {
#ifdef SAYS_WHY
  return "no kernel of s8";
#else
  return NULL;
#endif
}

#ifndef VERSION
#define VERSION DNNSPEC_PLUGIN_VERSION
#endif
#ifndef LIBRARY_VERSION
#define LIBRARY_VERSION NULL
#endif
#ifdef NULL_ENTRIES
#define STREAM_WAIT NULL
#else
#define STREAM_WAIT stream_wait
#endif

dnnspec_status (*const keep_stream_wait)(dnnspec_stream*) = stream_wait;

const dnnspec_plugin_table dnnspec_plugin = {VERSION,
                                             sizeof(dnnspec_plugin_table),
                                             "broken",
                                             LIBRARY_VERSION,
                                             DNNSPEC_ENGINE_CPU,
                                             0,
                                             engine_count,
                                             engine_create,
                                             engine_destroy,
                                             stream_create,
                                             STREAM_WAIT,
                                             stream_destroy,
                                             buffer_create,
                                             buffer_map,
                                             buffer_unmap,
                                             buffer_destroy,
                                             plan_create,
                                             NULL,
                                             plan_execute,
                                             plan_destroy,
                                             last_error};
#endif
