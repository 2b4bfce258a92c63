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

/* One tensor of a primitive, and which argument it is. */
typedef struct {
  int index;
  dnnl_memory_desc_t desc;
  size_t offset_bytes;
} tensor;

struct dnnspec_plan {
  dnnl_engine_t engine;
  dnnl_primitive_t primitive; /* null: there is no element, and nothing to do */
  tensor tensors[5];
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

static int is_empty(const dnnspec_layout* layout) {
  for (int j = 0; j < layout->rank; ++j)
    if (layout->dims[j] == 0) return 1;
  return 0;
}

/* The library gets the start of the tensor as an address: its own offsets are not reliable. */
static dnnspec_status describe(const dnnspec_layout* layout, int index, tensor* out) {
  static const size_t kBytes[] = {0, 2, 2, 4, 4, 1, 1};
  if (layout->block_count > 0)
    return refuse(DNNSPEC_UNIMPLEMENTED, "blocked layouts are not translated");
  out->index = index;
  out->offset_bytes = (size_t)layout->offset * kBytes[layout->data_type];
  return answer(dnnl_memory_desc_init_by_strides(&out->desc, layout->rank, layout->dims,
                                                 (dnnl_data_type_t)layout->data_type,
                                                 layout->strides));
}

static dnnl_status_t set_zero_point(dnnl_primitive_attr_t attr, int arg, int32_t run_time,
                                    int32_t value) {
  const int32_t given = run_time ? DNNL_RUNTIME_S32_VAL : value;
  if (given == 0) return dnnl_success;
  return dnnl_primitive_attr_set_zero_points(attr, arg, 1, 0, &given);
}

static dnnspec_status set_attributes(const dnnspec_reorder* op, dnnl_primitive_attr_t attr) {
  dnnl_status_t status = dnnl_success;
  if (op->run_time_scales) {
    const float later = DNNL_RUNTIME_F32_VAL;
    status = dnnl_primitive_attr_set_output_scales(attr, 1, op->scale_mask, &later);
  } else if (op->scales != NULL) {
    status =
        dnnl_primitive_attr_set_output_scales(attr, op->scale_count, op->scale_mask, op->scales);
  }
  if (status == dnnl_success && op->has_sum) {
    dnnl_post_ops_t ops = NULL;
    status = dnnl_post_ops_create(&ops);
    /* A reorder takes the type of the destination only, and only unsaid. */
    if (op->sum_type != op->dst.data_type) status = dnnl_unimplemented;
    if (status == dnnl_success) status = dnnl_post_ops_append_sum(ops, op->beta);
    if (status == dnnl_success) status = dnnl_primitive_attr_set_post_ops(attr, ops);
    if (ops != NULL) dnnl_post_ops_destroy(ops);
  }
  if (status == dnnl_success)
    status = set_zero_point(attr, DNNL_ARG_SRC, op->run_time_src_zero_point, op->src_zero_point);
  if (status == dnnl_success)
    status = set_zero_point(attr, DNNL_ARG_DST, op->run_time_dst_zero_point, op->dst_zero_point);
  return answer(status);
}

/* One more argument of the primitive: so many values in a row. */
static dnnspec_status add_values(dnnspec_plan* plan, int index, int64_t count,
                                 dnnl_data_type_t type) {
  const dnnl_dims_t dims = {count};
  tensor* const next = &plan->tensors[plan->tensor_count++];
  next->index = index;
  return answer(dnnl_memory_desc_init_by_tag(&next->desc, 1, dims, type, dnnl_a));
}

static dnnspec_status plan_reorder(const dnnspec_reorder* op, dnnspec_plan* plan,
                                   dnnl_primitive_desc_t* pd) {
  dnnl_primitive_attr_t attr = NULL;
  dnnspec_status status = describe(&op->src, DNNSPEC_ARG_SRC, &plan->tensors[0]);
  if (status == DNNSPEC_OK) status = describe(&op->dst, DNNSPEC_ARG_DST, &plan->tensors[1]);
  plan->tensor_count = 2;
  if (status == DNNSPEC_OK && op->run_time_scales)
    status = add_values(plan, DNNSPEC_ARG_OUTPUT_SCALES, op->scale_count, dnnl_f32);
  if (status == DNNSPEC_OK && op->run_time_src_zero_point)
    status = add_values(plan, DNNSPEC_ARG_SRC_ZERO_POINT, 1, dnnl_s32);
  if (status == DNNSPEC_OK && op->run_time_dst_zero_point)
    status = add_values(plan, DNNSPEC_ARG_DST_ZERO_POINT, 1, dnnl_s32);
  if (status == DNNSPEC_OK) status = answer(dnnl_primitive_attr_create(&attr));
  if (status == DNNSPEC_OK) status = set_attributes(op, attr);
  if (status == DNNSPEC_OK)
    status = answer(dnnl_reorder_primitive_desc_create(pd, &plan->tensors[0].desc, plan->engine,
                                                       &plan->tensors[1].desc, plan->engine, attr));
  if (attr != NULL) dnnl_primitive_attr_destroy(attr);
  return status;
}

static dnnspec_status plan_shuffle(const dnnspec_shuffle* op, dnnspec_plan* plan,
                                   dnnl_primitive_desc_t* pd) {
  dnnl_shuffle_desc_t forward, backward;
  dnnl_primitive_desc_t hint = NULL;
  const int axis = op->axis;
  dnnspec_status status =
      describe(&op->from, op->forward ? DNNSPEC_ARG_SRC : DNNSPEC_ARG_DIFF_DST, &plan->tensors[0]);
  if (status == DNNSPEC_OK)
    status =
        describe(&op->to, op->forward ? DNNSPEC_ARG_DST : DNNSPEC_ARG_DIFF_SRC, &plan->tensors[1]);
  plan->tensor_count = 2;
  if (status != DNNSPEC_OK) return status;
  const dnnl_memory_desc_t* const desc = &plan->tensors[0].desc;
  if (!dnnl_memory_desc_equal(desc, &plan->tensors[1].desc))
    return refuse(DNNSPEC_UNIMPLEMENTED, "oneDNN 2.x shuffles within one layout");
  status = answer(
      dnnl_shuffle_forward_desc_init(&forward, dnnl_forward_training, desc, axis, op->group_size));
  if (status == DNNSPEC_OK)
    status = answer(
        dnnl_primitive_desc_create(op->forward ? pd : &hint, &forward, NULL, plan->engine, NULL));
  if (status != DNNSPEC_OK || op->forward) return status;
  status = answer(dnnl_shuffle_backward_desc_init(&backward, desc, axis, op->group_size));
  if (status == DNNSPEC_OK)
    status = answer(dnnl_primitive_desc_create(pd, &backward, NULL, plan->engine, hint));
  dnnl_primitive_desc_destroy(hint);
  return status;
}

static void plan_destroy(dnnspec_plan* plan) {
  if (plan->primitive != NULL) dnnl_primitive_destroy(plan->primitive);
  free(plan);
}

static dnnspec_status plan_create(dnnspec_engine* engine, const dnnspec_operation* operation,
                                  int32_t candidate, dnnspec_plan** plan, dnnspec_plan_info* info) {
  const dnnspec_reorder* const reorder = operation->reorder;
  const dnnspec_shuffle* const shuffle = operation->shuffle;
  if (candidate > 0 || (reorder == NULL && shuffle == NULL))
    return refuse(DNNSPEC_UNIMPLEMENTED, "nothing further");
  dnnspec_plan* const made = calloc(1, sizeof(*made));
  if (made == NULL) return refuse(DNNSPEC_OUT_OF_MEMORY, "no memory for a plan");
  made->engine = engine->engine;
  if (!is_empty(reorder != NULL ? &reorder->dst : &shuffle->to)) {
    dnnl_primitive_desc_t pd = NULL;
    dnnspec_status status =
        reorder != NULL ? plan_reorder(reorder, made, &pd) : plan_shuffle(shuffle, made, &pd);
    if (status == DNNSPEC_OK) status = answer(dnnl_primitive_create(&made->primitive, pd));
    if (pd != NULL) dnnl_primitive_desc_destroy(pd);
    if (status != DNNSPEC_OK) {
      free(made);
      return status;
    }
  }
  info->text = reorder != NULL ? "stock:reorder" : "stock:shuffle";
  info->scratchpad_bytes = 0;
  *plan = made;
  return DNNSPEC_OK;
}

static char* data_of(const dnnspec_argument* arguments, size_t count, int index) {
  for (size_t i = 0; i < count; ++i)
    if (arguments[i].index == index) return arguments[i].buffer->data;
  return NULL;
}

static dnnspec_status plan_execute(const dnnspec_plan* plan, dnnspec_stream* stream,
                                   const dnnspec_argument* arguments, size_t argument_count) {
  dnnl_memory_t memories[5] = {NULL, NULL, NULL, NULL, NULL};
  dnnl_exec_arg_t args[5];
  dnnl_status_t status = dnnl_success;
  if (plan->primitive == NULL) return DNNSPEC_OK;
  for (int i = 0; i < plan->tensor_count && status == dnnl_success; ++i) {
    const tensor* const t = &plan->tensors[i];
    char* const data = data_of(arguments, argument_count, t->index) + t->offset_bytes;
    status = dnnl_memory_create(&memories[i], &t->desc, plan->engine, data);
    args[i].arg = t->index;
    args[i].memory = memories[i];
  }
  if (status == dnnl_success)
    status = dnnl_primitive_execute(plan->primitive, stream->stream, plan->tensor_count, args);
  if (status == dnnl_success) status = dnnl_stream_wait(stream->stream);
  for (int i = 0; i < 5; ++i)
    if (memories[i] != NULL) dnnl_memory_destroy(memories[i]);
  return outcome(status);
}

const dnnspec_plugin_table dnnspec_plugin = {DNNSPEC_PLUGIN_VERSION,
                                             sizeof(dnnspec_plugin_table),
                                             "stock",
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
                                             plan_execute,
                                             plan_destroy,
                                             last_error,
                                             sizeof(dnnspec_reorder)};
