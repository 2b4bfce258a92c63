/* A library that exists already, as a plug-in: stock oneDNN 2.x through its C API.
 *
 * From the root of the repository:
 *   cc -std=c99 -O2 -shared -fPIC -fvisibility=hidden -I. examples/plugin-onednn/stock.c \
 *       -o libstock.so -ldnnl
 *   tools/conform --plugin=./libstock.so --claims=examples/plugin-onednn/stock.claims
 *
 * A plug-in is a translation: an operation becomes a primitive, an execution a call. What the
 * library refuses becomes DNNSPEC_UNIMPLEMENTED. */
#include <oneapi/dnnl/dnnl.h>
#include <oneapi/dnnl/dnnl_version.h>
#include <stdlib.h>
#include <string.h>

#include "api/spi/plugin_abi.h"

struct dnnspec_engine {
  dnnl_engine_t engine;
};
struct dnnspec_stream {
  dnnl_stream_t stream;
};
struct dnnspec_buffer {
  void* data;
  int owned;
};

enum { kTensors = 5 }; /* at most: src, dst, scales, two zero points */

/* One tensor of a primitive, and which argument it is. */
typedef struct {
  int index;
  dnnl_memory_desc_t desc;
  size_t offset_bytes;
} tensor;

struct dnnspec_plan {
  dnnl_engine_t engine;
  dnnl_primitive_t primitive; /* null: there is no element, and nothing to do */
  tensor tensors[kTensors];
  int tensor_count;
};

/* C99 has no word for what each thread has of its own. */
#if __STDC_VERSION__ >= 201112L
#define PER_THREAD _Thread_local
#else
#define PER_THREAD __thread
#endif

/* What went wrong last in this thread: one line. */
static PER_THREAD const char* why = NULL;

static dnnspec_status refuse(dnnspec_status status, const char* text) {
  why = text;
  return status;
}

static const char* last_error(void) { return why; }

/* Of a request: the host knows that it is legal. */
static dnnspec_status answer(dnnl_status_t status) {
  if (status == dnnl_success) return DNNSPEC_OK;
  if (status == dnnl_out_of_memory) return refuse(DNNSPEC_OUT_OF_MEMORY, "oneDNN: no memory");
  return refuse(DNNSPEC_UNIMPLEMENTED, "oneDNN does not offer this");
}

/* Of a call that must succeed. */
static dnnspec_status outcome(dnnl_status_t status) {
  if (status == dnnl_success) return DNNSPEC_OK;
  return refuse(status == dnnl_out_of_memory ? DNNSPEC_OUT_OF_MEMORY : DNNSPEC_FAILED,
                "oneDNN: the call failed");
}

static size_t engine_count(void) { return dnnl_engine_get_count(dnnl_cpu); }

static dnnspec_status engine_create(size_t index, dnnspec_engine** engine) {
  dnnl_engine_t made = NULL;
  const dnnspec_status status = outcome(dnnl_engine_create(&made, dnnl_cpu, index));
  if (status != DNNSPEC_OK) return status;
  *engine = malloc(sizeof(**engine));
  (*engine)->engine = made;
  return DNNSPEC_OK;
}

static void engine_destroy(dnnspec_engine* engine) {
  dnnl_engine_destroy(engine->engine);
  free(engine);
}

static dnnspec_status stream_create(dnnspec_engine* engine, uint32_t flags,
                                    dnnspec_stream** stream) {
  dnnl_stream_t made = NULL;
  const dnnspec_status status =
      outcome(dnnl_stream_create(&made, engine->engine, dnnl_stream_default_flags));
  (void)flags; /* in order is right for both */
  if (status != DNNSPEC_OK) return status;
  *stream = malloc(sizeof(**stream));
  (*stream)->stream = made;
  return DNNSPEC_OK;
}

static dnnspec_status stream_wait(dnnspec_stream* stream) {
  return outcome(dnnl_stream_wait(stream->stream));
}

static void stream_destroy(dnnspec_stream* stream) {
  dnnl_stream_destroy(stream->stream);
  free(stream);
}

static dnnspec_status buffer_create(dnnspec_engine* engine, int32_t wraps, size_t bytes,
                                    void** handle, dnnspec_buffer** buffer) {
  dnnspec_buffer* const made = malloc(sizeof(*made));
  (void)engine;
  made->owned = !wraps;
  made->data = wraps ? *handle : malloc(bytes);
  if (!wraps && made->data == NULL) {
    free(made);
    return refuse(DNNSPEC_OUT_OF_MEMORY, "no memory for a tensor");
  }
  *handle = made->data;
  *buffer = made;
  return DNNSPEC_OK;
}

static dnnspec_status buffer_map(dnnspec_buffer* buffer, void** mapped) {
  *mapped = buffer->data;
  return DNNSPEC_OK;
}

static dnnspec_status buffer_unmap(dnnspec_buffer* buffer, void* mapped) {
  (void)buffer;
  (void)mapped;
  return DNNSPEC_OK;
}

static void buffer_destroy(dnnspec_buffer* buffer) {
  if (buffer->owned) free(buffer->data);
  free(buffer);
}

/* ---- plans ---- */

/* A host of a later day may say more than this header knows: dnnspec_read tells. */
static dnnspec_status newer(void) {
  return refuse(DNNSPEC_UNIMPLEMENTED, "newer than this plug-in");
}

static int is_empty(const dnnspec_layout* layout) {
  for (int j = 0; j < layout->rank; ++j)
    if (layout->dims[j] == 0) return 1;
  return 0;
}

/* The library gets the start of the tensor as an address: its own offsets are not reliable. */
static dnnspec_status describe(const dnnspec_tensor* given, tensor* out) {
  static const size_t kBytes[] = {0, 2, 2, 4, 4, 1, 1};
  dnnspec_tensor read;
  const dnnspec_layout* const layout = &read.layout;
  if (!dnnspec_read(given, &read, sizeof(read))) return newer();
  if (layout->kind != DNNSPEC_LAYOUT_STRIDED || layout->block_count > 0)
    return refuse(DNNSPEC_UNIMPLEMENTED, "only plain layouts are translated");
  out->index = read.argument;
  out->offset_bytes = (size_t)layout->offset * kBytes[layout->data_type];
  return answer(dnnl_memory_desc_init_by_strides(&out->desc, layout->rank, layout->dims,
                                                 (dnnl_data_type_t)layout->data_type,
                                                 layout->strides));
}

static dnnspec_status set_zero_point(const dnnspec_zero_point* given, dnnl_primitive_attr_t attr) {
  dnnspec_zero_point zero;
  if (!dnnspec_read(given, &zero, sizeof(zero))) return newer();
  const int32_t value = zero.run_time ? DNNL_RUNTIME_S32_VAL : zero.value;
  return answer(dnnl_primitive_attr_set_zero_points(attr, zero.argument, 1, 0, &value));
}

static dnnspec_status set_scales(const dnnspec_scales* given, dnnl_primitive_attr_t attr) {
  const float later = DNNL_RUNTIME_F32_VAL;
  dnnspec_scales scales;
  if (!dnnspec_read(given, &scales, sizeof(scales))) return newer();
  if (scales.run_time)
    return answer(dnnl_primitive_attr_set_output_scales(attr, 1, scales.mask, &later));
  return answer(
      dnnl_primitive_attr_set_output_scales(attr, scales.count, scales.mask, scales.values));
}

static dnnspec_status set_sum(const dnnspec_post_op* op, int32_t dst_type,
                              dnnl_primitive_attr_t attr) {
  dnnspec_sum sum;
  dnnl_post_ops_t ops = NULL;
  if (op->kind != DNNSPEC_POST_OP_SUM || !dnnspec_read(op, &sum, sizeof(sum))) return newer();
  /* A reorder takes the type of the destination only, and only unsaid. */
  if (sum.data_type != dst_type)
    return refuse(DNNSPEC_UNIMPLEMENTED, "a sum of another data type is not translated");
  dnnl_status_t status = dnnl_post_ops_create(&ops);
  if (status == dnnl_success) status = dnnl_post_ops_append_sum(ops, sum.scale);
  if (status == dnnl_success) status = dnnl_primitive_attr_set_post_ops(attr, ops);
  if (ops != NULL) dnnl_post_ops_destroy(ops);
  return answer(status);
}

static dnnspec_status set_attributes(const dnnspec_attributes* given, int32_t dst_type,
                                     dnnl_primitive_attr_t attr) {
  dnnspec_attributes attributes;
  dnnspec_status status = DNNSPEC_OK;
  if (!dnnspec_read(given, &attributes, sizeof(attributes))) return newer();
  if (attributes.post_op_count > 1) return refuse(DNNSPEC_UNIMPLEMENTED, "one sum is translated");
  if (attributes.scales_count > 0) status = set_scales(attributes.scales[0], attr);
  if (status == DNNSPEC_OK && attributes.post_op_count > 0)
    status = set_sum(attributes.post_ops[0], dst_type, attr);
  for (uint32_t k = 0; status == DNNSPEC_OK && k < attributes.zero_point_count; ++k)
    status = set_zero_point(attributes.zero_points[k], attr);
  return status;
}

/* All tensors of an operation, run-time values of attributes included. */
static dnnspec_status describe_all(const dnnspec_operation* op, dnnspec_plan* plan) {
  dnnspec_status status = DNNSPEC_OK;
  if (op->tensor_count > kTensors) return newer();
  for (uint32_t k = 0; status == DNNSPEC_OK && k < op->tensor_count; ++k)
    status = describe(op->tensors[k], &plan->tensors[plan->tensor_count++]);
  return status;
}

static dnnspec_status plan_reorder(const dnnspec_operation* op, dnnspec_plan* plan,
                                   dnnl_primitive_desc_t* pd) {
  dnnl_primitive_attr_t attr = NULL;
  dnnspec_status status = answer(dnnl_primitive_attr_create(&attr));
  if (status == DNNSPEC_OK && op->attributes != NULL)
    status = set_attributes(op->attributes, plan->tensors[1].desc.data_type, attr);
  if (status == DNNSPEC_OK)
    status = answer(dnnl_reorder_primitive_desc_create(pd, &plan->tensors[0].desc, plan->engine,
                                                       &plan->tensors[1].desc, plan->engine, attr));
  if (attr != NULL) dnnl_primitive_attr_destroy(attr);
  return status;
}

static dnnspec_status plan_shuffle(const dnnspec_operation* op, dnnspec_plan* plan,
                                   dnnl_primitive_desc_t* pd) {
  dnnspec_shuffle_params params;
  dnnl_shuffle_desc_t forward, backward;
  dnnl_primitive_desc_t hint = NULL;
  const int goes_forward = op->prop_kind < DNNSPEC_BACKWARD;
  const dnnl_memory_desc_t* const desc = &plan->tensors[0].desc;
  if (!dnnspec_read(op->params, &params, sizeof(params))) return newer();
  if (!dnnl_memory_desc_equal(desc, &plan->tensors[1].desc))
    return refuse(DNNSPEC_UNIMPLEMENTED, "oneDNN 2.x shuffles within one layout");
  dnnspec_status status = answer(dnnl_shuffle_forward_desc_init(
      &forward, dnnl_forward_training, desc, params.axis, params.group_size));
  if (status == DNNSPEC_OK)
    status = answer(
        dnnl_primitive_desc_create(goes_forward ? pd : &hint, &forward, NULL, plan->engine, NULL));
  if (status != DNNSPEC_OK || goes_forward) return status;
  status = answer(dnnl_shuffle_backward_desc_init(&backward, desc, params.axis, params.group_size));
  if (status == DNNSPEC_OK)
    status = answer(dnnl_primitive_desc_create(pd, &backward, NULL, plan->engine, hint));
  dnnl_primitive_desc_destroy(hint);
  return status;
}

static void plan_destroy(dnnspec_plan* plan) {
  if (plan->primitive != NULL) dnnl_primitive_destroy(plan->primitive);
  free(plan);
}

static dnnspec_status make_primitive(const dnnspec_operation* op, dnnspec_plan* plan) {
  dnnl_primitive_desc_t pd = NULL;
  dnnspec_status status =
      op->kind == DNNSPEC_REORDER ? plan_reorder(op, plan, &pd) : plan_shuffle(op, plan, &pd);
  if (status == DNNSPEC_OK) status = answer(dnnl_primitive_create(&plan->primitive, pd));
  if (pd != NULL) dnnl_primitive_desc_destroy(pd);
  return status;
}

static dnnspec_status plan_create(dnnspec_engine* engine, const dnnspec_request* request,
                                  dnnspec_planned* planned) {
  dnnspec_request asked;
  dnnspec_operation op;
  if (!dnnspec_read(request, &asked, sizeof(asked)) ||
      !dnnspec_read(asked.operation, &op, sizeof(op)))
    return newer();
  if (asked.candidate > 0 || (op.kind != DNNSPEC_REORDER && op.kind != DNNSPEC_SHUFFLE))
    return refuse(DNNSPEC_UNIMPLEMENTED, "nothing further");
  dnnspec_plan* const made = calloc(1, sizeof(*made));
  if (made == NULL) return refuse(DNNSPEC_OUT_OF_MEMORY, "no memory for a plan");
  made->engine = engine->engine;
  dnnspec_status status = describe_all(&op, made);
  if (status == DNNSPEC_OK && !is_empty(&op.tensors[1]->layout)) status = make_primitive(&op, made);
  if (status != DNNSPEC_OK) {
    plan_destroy(made);
    return status;
  }
  planned->plan = made;
  planned->text = op.kind == DNNSPEC_REORDER ? "stock:reorder" : "stock:shuffle";
  return DNNSPEC_OK;
}

static dnnspec_status plan_execute(const dnnspec_plan* plan, dnnspec_stream* stream,
                                   const dnnspec_argument* arguments, size_t argument_count) {
  dnnl_memory_t memories[kTensors] = {NULL};
  dnnl_exec_arg_t args[kTensors];
  dnnl_status_t status = dnnl_success;
  (void)argument_count; /* as many as tensors, in their order */
  if (plan->primitive == NULL) return DNNSPEC_OK;
  for (int i = 0; i < plan->tensor_count && status == dnnl_success; ++i) {
    const tensor* const t = &plan->tensors[i];
    char* const data = (char*)arguments[i].buffer->data + t->offset_bytes;
    status = dnnl_memory_create(&memories[i], &t->desc, plan->engine, data);
    args[i].arg = t->index;
    args[i].memory = memories[i];
  }
  if (status == dnnl_success)
    status = dnnl_primitive_execute(plan->primitive, stream->stream, plan->tensor_count, args);
  if (status == dnnl_success) status = dnnl_stream_wait(stream->stream);
  for (int i = 0; i < kTensors; ++i)
    if (memories[i] != NULL) dnnl_memory_destroy(memories[i]);
  return outcome(status);
}

/* Of the header: the table is data, and the library cannot be asked. */
#define TEXT_OF(number) #number
#define JOINED(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)
#define VERSION JOINED(DNNL_VERSION_MAJOR, DNNL_VERSION_MINOR, DNNL_VERSION_PATCH)

const dnnspec_plugin_table dnnspec_plugin = {DNNSPEC_PLUGIN_VERSION,
                                             sizeof(dnnspec_plugin_table),
                                             "stock",
                                             VERSION,
                                             DNNSPEC_ENGINE_CPU,
                                             0,
                                             engine_count,
                                             engine_create,
                                             engine_destroy,
                                             stream_create,
                                             stream_wait,
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
