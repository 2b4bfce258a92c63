/* A whole implementation in C99, to copy and to change: one CPU engine that reorders plain strided
 * tensors of f32, s32, s8 and u8, with scales, zero points and sum, and shuffles every data type.
 * One element after the other, in the order of the coordinates: a start, not a fast one.
 *
 * From the root of the repository:
 *   cc -std=c99 -O2 -shared -fPIC -fvisibility=hidden -I. examples/plugin-c/vendor.c \
 *       -o libvendor.so -lm
 *   tools/conform --plugin=./libvendor.so --claims=examples/plugin-c/vendor.claims
 *
 * From the folder `template` of the archive that works without Bazel:
 *   cc -std=c99 -O2 -shared -fPIC -fvisibility=hidden -I../include vendor.c -o libvendor.so -lm
 *   ../bin/conform --plugin=./libvendor.so --claims=vendor.claims
 *
 * Your kernels go where reorder_run and shuffle_run are; what is around them may stay as it is as
 * long as your memory is host memory. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/spi/plugin_abi.h"

struct dnnspec_engine {
  size_t index;
};
struct dnnspec_stream {
  dnnspec_engine* engine;
};
struct dnnspec_buffer {
  void* data;
  int owned;
};
/* A number that is known when the plan is made, or comes at execution. */
typedef struct {
  int32_t run_time, value;
} zero_point;

struct dnnspec_plan {
  int32_t kind, forward;
  dnnspec_layout from, to; /* what is read and what is written */
  dnnspec_shuffle_params shuffle;
  /* What a reorder does on the way. */
  int32_t scale_mask, run_time_scales;
  float* scales; /* null: 1 everywhere, unless run_time_scales */
  zero_point from_zero, to_zero;
  int32_t has_sum;
  dnnspec_sum sum;
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

/* ---- elements ---- */

static size_t bytes_of(int32_t type) {
  switch (type) {
    case DNNSPEC_F32:
    case DNNSPEC_S32:
      return 4;
    case DNNSPEC_F16:
    case DNNSPEC_BF16:
      return 2;
    default:
      return 1;
  }
}

static int is_integer(int32_t type) {
  return type == DNNSPEC_S32 || type == DNNSPEC_S8 || type == DNNSPEC_U8;
}

static int64_t load_integer(int32_t type, const char* at) {
  int32_t word;
  switch (type) {
    case DNNSPEC_S32:
      memcpy(&word, at, 4);
      return word;
    case DNNSPEC_S8:
      return *(const signed char*)at;
    default:
      return *(const unsigned char*)at;
  }
}

static float load(int32_t type, const char* at) {
  float value;
  if (is_integer(type)) return (float)load_integer(type, at);
  memcpy(&value, at, 4);
  return value;
}

/* What does not fit becomes the nearest value that does. */
static void store_integer(int32_t type, int64_t value, char* at) {
  const int64_t low = type == DNNSPEC_S32 ? INT32_MIN : type == DNNSPEC_S8 ? -128 : 0;
  const int64_t high = type == DNNSPEC_S32 ? INT32_MAX : type == DNNSPEC_S8 ? 127 : 255;
  const int64_t fits = value < low ? low : value > high ? high : value;
  const int32_t word = (int32_t)fits;
  const unsigned char byte = (unsigned char)fits;
  if (type == DNNSPEC_S32)
    memcpy(at, &word, 4);
  else
    memcpy(at, &byte, 1);
}

/* To integers: the nearest, the even one of two; NaN becomes 0. */
static void store(int32_t type, float value, char* at) {
  if (!is_integer(type))
    memcpy(at, &value, 4);
  else if (isnan(value))
    store_integer(type, 0, at);
  else if (fabsf(value) >= 4e9f)
    store_integer(type, value < 0 ? INT64_MIN : INT64_MAX, at);
  else
    store_integer(type, (int64_t)rint(value), at);
}

/* ---- tensors ---- */

static int64_t count_of(const dnnspec_layout* layout) {
  int64_t count = 1;
  for (int j = 0; j < layout->rank; ++j) count *= layout->dims[j];
  return count;
}

/* The coordinates of element number k in row-major order. */
static void coordinates(const dnnspec_layout* layout, int64_t k, int64_t* x) {
  for (int j = layout->rank - 1; j >= 0; --j) {
    x[j] = k % layout->dims[j];
    k /= layout->dims[j];
  }
}

static size_t place(const dnnspec_layout* layout, const int64_t* x) {
  int64_t at = layout->offset;
  for (int j = 0; j < layout->rank; ++j) at += x[j] * layout->strides[j];
  return (size_t)at * bytes_of(layout->data_type);
}

/* ---- kernels ---- */

/* What is known in advance, or comes at execution. */
typedef struct {
  const float* scales;
  float from_zero, to_zero;
} parameters;

static void reorder_run(const dnnspec_plan* op, const parameters* with, const char* src,
                        char* dst) {
  const int64_t count = count_of(&op->to);
  const int32_t from = op->from.data_type, to = op->to.data_type;
  const float* const scales = with->scales;
  const int subtracts = op->from_zero.run_time || op->from_zero.value != 0;
  const int adds = op->to_zero.run_time || op->to_zero.value != 0;
  const int copies = scales == NULL && !op->has_sum && !subtracts && !adds;
  int64_t x[DNNSPEC_MAX_RANK];
  for (int64_t k = 0; k < count; ++k) {
    coordinates(&op->to, k, x);
    const char* const in = src + place(&op->from, x);
    char* const out = dst + place(&op->to, x);
    if (copies && from == to) {
      memmove(out, in, bytes_of(to));
    } else if (copies && is_integer(from) && is_integer(to)) {
      store_integer(to, load_integer(from, in), out);
    } else {
      float value = load(from, in);
      if (subtracts) value -= with->from_zero;
      if (scales != NULL) {
        int64_t scale = 0;
        for (int j = 0; j < op->to.rank; ++j)
          if (op->scale_mask >> j & 1) scale = scale * op->to.dims[j] + x[j];
        value *= scales[scale];
      }
      if (op->has_sum && op->sum.scale != 0) value += op->sum.scale * load(op->sum.data_type, out);
      if (adds) value += with->to_zero;
      store(to, value, out);
    }
  }
}

static void shuffle_run(const dnnspec_plan* op, const char* from, char* to) {
  const int32_t axis = op->shuffle.axis;
  const int64_t size = op->shuffle.group_size, groups = op->to.dims[axis] / size;
  const int64_t count = count_of(&op->to);
  const int64_t rows = op->forward ? groups : size, columns = op->forward ? size : groups;
  int64_t x[DNNSPEC_MAX_RANK];
  for (int64_t k = 0; k < count; ++k) {
    coordinates(&op->to, k, x);
    char* const out = to + place(&op->to, x);
    x[axis] = x[axis] % rows * columns + x[axis] / rows;
    memcpy(out, from + place(&op->from, x), bytes_of(op->to.data_type));
  }
}

/* ---- the table ---- */

static size_t engine_count(void) { return 1; }

static dnnspec_status engine_create(size_t index, dnnspec_engine** engine) {
  dnnspec_engine* const made = malloc(sizeof(*made));
  if (made == NULL) return refuse(DNNSPEC_OUT_OF_MEMORY, "no memory for an engine");
  made->index = index;
  *engine = made;
  return DNNSPEC_OK;
}

static void engine_destroy(dnnspec_engine* engine) { free(engine); }

static dnnspec_status stream_create(dnnspec_engine* engine, uint32_t flags,
                                    dnnspec_stream** stream) {
  dnnspec_stream* const made = malloc(sizeof(*made));
  (void)flags;
  if (made == NULL) return refuse(DNNSPEC_OUT_OF_MEMORY, "no memory for a stream");
  made->engine = engine;
  *stream = made;
  return DNNSPEC_OK;
}

/* Every execution has finished when plan_execute returns. */
static dnnspec_status stream_wait(dnnspec_stream* stream) {
  (void)stream;
  return DNNSPEC_OK;
}

static void stream_destroy(dnnspec_stream* stream) { free(stream); }

static dnnspec_status buffer_create(dnnspec_engine* engine, int32_t wraps, size_t bytes,
                                    void** handle, dnnspec_buffer** buffer) {
  dnnspec_buffer* const made = malloc(sizeof(*made));
  (void)engine;
  if (made == NULL) return refuse(DNNSPEC_OUT_OF_MEMORY, "no memory for a buffer");
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

static int computes(int32_t type) { return type == DNNSPEC_F32 || is_integer(type); }

/* A host of a later day may say more than this header knows: dnnspec_read tells. */
static dnnspec_status newer(void) {
  return refuse(DNNSPEC_UNIMPLEMENTED, "newer than this plug-in");
}

static dnnspec_status read_layout(const dnnspec_operation* op, int32_t argument,
                                  dnnspec_layout* layout) {
  const dnnspec_tensor* const given = dnnspec_find(op, argument);
  dnnspec_tensor tensor;
  if (given == NULL || !dnnspec_read(given, &tensor, sizeof(tensor))) return newer();
  *layout = tensor.layout;
  if (layout->kind != DNNSPEC_LAYOUT_STRIDED || layout->block_count > 0)
    return refuse(DNNSPEC_UNIMPLEMENTED, "only plain layouts are served");
  return DNNSPEC_OK;
}

/* A reorder has one list of scales at most, which are of its destination. */
static dnnspec_status read_scales(const dnnspec_scales* given, dnnspec_plan* plan) {
  dnnspec_scales scales;
  if (!dnnspec_read(given, &scales, sizeof(scales))) return newer();
  plan->scale_mask = scales.mask;
  plan->run_time_scales = scales.run_time;
  if (scales.values == NULL) return DNNSPEC_OK;
  plan->scales = malloc((size_t)scales.count * sizeof(float));
  if (plan->scales == NULL) return refuse(DNNSPEC_OUT_OF_MEMORY, "no memory for scales");
  memcpy(plan->scales, scales.values, (size_t)scales.count * sizeof(float));
  return DNNSPEC_OK;
}

static dnnspec_status read_attributes(const dnnspec_attributes* given, dnnspec_plan* plan) {
  dnnspec_attributes attributes;
  if (!dnnspec_read(given, &attributes, sizeof(attributes))) return newer();
  for (uint32_t k = 0; k < attributes.zero_point_count; ++k) {
    dnnspec_zero_point zero;
    if (!dnnspec_read(attributes.zero_points[k], &zero, sizeof(zero))) return newer();
    const zero_point kept = {zero.run_time, zero.value};
    *(zero.argument == DNNSPEC_ARG_SRC ? &plan->from_zero : &plan->to_zero) = kept;
  }
  for (uint32_t k = 0; k < attributes.post_op_count; ++k) {
    const dnnspec_post_op* const op = attributes.post_ops[k];
    if (plan->has_sum || op->kind != DNNSPEC_POST_OP_SUM)
      return refuse(DNNSPEC_UNIMPLEMENTED, "one sum is served, and no other post-op");
    if (!dnnspec_read(op, &plan->sum, sizeof(plan->sum))) return newer();
    plan->has_sum = 1;
  }
  return attributes.scales_count == 0 ? DNNSPEC_OK : read_scales(attributes.scales[0], plan);
}

static dnnspec_status read_reorder(const dnnspec_operation* op, dnnspec_plan* plan) {
  dnnspec_status status = read_layout(op, DNNSPEC_ARG_SRC, &plan->from);
  if (status == DNNSPEC_OK) status = read_layout(op, DNNSPEC_ARG_DST, &plan->to);
  if (status != DNNSPEC_OK) return status;
  if (!computes(plan->from.data_type) || !computes(plan->to.data_type))
    return refuse(DNNSPEC_UNIMPLEMENTED, "16-bit floats are not served");
  return op->attributes == NULL ? DNNSPEC_OK : read_attributes(op->attributes, plan);
}

static dnnspec_status read_shuffle(const dnnspec_operation* op, dnnspec_plan* plan) {
  dnnspec_status status;
  plan->forward = op->prop_kind < DNNSPEC_BACKWARD;
  status = read_layout(op, plan->forward ? DNNSPEC_ARG_SRC : DNNSPEC_ARG_DIFF_DST, &plan->from);
  if (status == DNNSPEC_OK)
    status = read_layout(op, plan->forward ? DNNSPEC_ARG_DST : DNNSPEC_ARG_DIFF_SRC, &plan->to);
  if (status != DNNSPEC_OK) return status;
  return dnnspec_read(op->params, &plan->shuffle, sizeof(plan->shuffle)) ? DNNSPEC_OK : newer();
}

static void plan_destroy(dnnspec_plan* plan);

static dnnspec_status plan_create(dnnspec_engine* engine, const dnnspec_request* request,
                                  dnnspec_planned* planned) {
  dnnspec_request asked;
  dnnspec_operation op;
  dnnspec_status status;
  (void)engine;
  if (!dnnspec_read(request, &asked, sizeof(asked)) ||
      !dnnspec_read(asked.operation, &op, sizeof(op)))
    return newer();
  if (asked.candidate > 0) return refuse(DNNSPEC_UNIMPLEMENTED, "there is one implementation");
  if (op.kind != DNNSPEC_REORDER && op.kind != DNNSPEC_SHUFFLE)
    return refuse(DNNSPEC_UNIMPLEMENTED, "reorder and shuffle are served");
  dnnspec_plan* const made = calloc(1, sizeof(*made));
  if (made == NULL) return refuse(DNNSPEC_OUT_OF_MEMORY, "no memory for a plan");
  made->kind = op.kind;
  status = op.kind == DNNSPEC_REORDER ? read_reorder(&op, made) : read_shuffle(&op, made);
  if (status != DNNSPEC_OK) {
    plan_destroy(made);
    return status;
  }
  planned->plan = made;
  planned->text = op.kind == DNNSPEC_REORDER ? "vendor:reorder" : "vendor:shuffle";
  return DNNSPEC_OK;
}

static void plan_destroy(dnnspec_plan* plan) {
  free(plan->scales);
  free(plan);
}

static void* data_of(const dnnspec_argument* arguments, size_t count, int32_t argument) {
  for (size_t i = 0; i < count; ++i)
    if (arguments[i].argument == argument) return arguments[i].buffer->data;
  return NULL;
}

static dnnspec_status plan_execute(const dnnspec_plan* plan, dnnspec_stream* stream,
                                   const dnnspec_argument* arguments, size_t argument_count) {
  /* What is read comes first, then what is written. */
  const char* const from = arguments[0].buffer->data;
  char* const to = arguments[1].buffer->data;
  parameters with = {plan->scales, (float)plan->from_zero.value, (float)plan->to_zero.value};
  fenv_t callers;
  (void)stream;
  if (plan->run_time_scales)
    with.scales = data_of(arguments, argument_count, DNNSPEC_ARG_OUTPUT_SCALES);
  if (plan->from_zero.run_time)
    with.from_zero =
        (float)*(const int32_t*)data_of(arguments, argument_count, DNNSPEC_ARG_SRC_ZERO_POINT);
  if (plan->to_zero.run_time)
    with.to_zero =
        (float)*(const int32_t*)data_of(arguments, argument_count, DNNSPEC_ARG_DST_ZERO_POINT);
  /* The caller may round otherwise; results do not depend on it. */
  fegetenv(&callers);
  fesetenv(FE_DFL_ENV);
  if (plan->kind == DNNSPEC_REORDER)
    reorder_run(plan, &with, from, to);
  else
    shuffle_run(plan, from, to);
  fesetenv(&callers);
  return DNNSPEC_OK;
}

const dnnspec_plugin_table dnnspec_plugin = {DNNSPEC_PLUGIN_VERSION,
                                             sizeof(dnnspec_plugin_table),
                                             "vendor",
                                             "1.0", /* its own version, for reports */
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
                                             NULL, /* there is no memory but the host's */
                                             plan_execute,
                                             plan_destroy,
                                             last_error};
