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
struct dnnspec_plan {
  int32_t kind;
  dnnspec_reorder reorder;
  dnnspec_shuffle shuffle;
  float* scales;
  char text[64];
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
  float src_zero, dst_zero;
} parameters;

static void reorder_run(const dnnspec_reorder* op, const parameters* with, const char* src,
                        char* dst) {
  const int64_t count = count_of(&op->dst);
  const int32_t from = op->src.data_type, to = op->dst.data_type;
  const float* const scales = with->scales;
  const int subtracts = op->run_time_src_zero_point || op->src_zero_point != 0;
  const int adds = op->run_time_dst_zero_point || op->dst_zero_point != 0;
  const int copies = scales == NULL && !op->has_sum && !subtracts && !adds;
  int64_t x[DNNSPEC_MAX_RANK];
  for (int64_t k = 0; k < count; ++k) {
    coordinates(&op->dst, k, x);
    const char* const in = src + place(&op->src, x);
    char* const out = dst + place(&op->dst, x);
    if (copies && from == to) {
      memmove(out, in, bytes_of(to));
    } else if (copies && is_integer(from) && is_integer(to)) {
      store_integer(to, load_integer(from, in), out);
    } else {
      float value = load(from, in);
      if (subtracts) value -= with->src_zero;
      if (scales != NULL) {
        int64_t scale = 0;
        for (int j = 0; j < op->dst.rank; ++j)
          if (op->scale_mask >> j & 1) scale = scale * op->dst.dims[j] + x[j];
        value *= scales[scale];
      }
      if (op->has_sum && op->beta != 0) value += op->beta * load(op->sum_type, out);
      if (adds) value += with->dst_zero;
      store(to, value, out);
    }
  }
}

static void shuffle_run(const dnnspec_shuffle* op, const char* from, char* to) {
  const int64_t count = count_of(&op->to), groups = op->to.dims[op->axis] / op->group_size;
  const int64_t rows = op->forward ? groups : op->group_size;
  const int64_t columns = op->forward ? op->group_size : groups;
  int64_t x[DNNSPEC_MAX_RANK];
  for (int64_t k = 0; k < count; ++k) {
    coordinates(&op->to, k, x);
    char* const out = to + place(&op->to, x);
    x[op->axis] = x[op->axis] % rows * columns + x[op->axis] / rows;
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

static int computes(int32_t type) { return type == DNNSPEC_F32 || is_integer(type); }

static dnnspec_status plan_create(dnnspec_engine* engine, const dnnspec_operation* operation,
                                  int32_t candidate, dnnspec_plan** plan, dnnspec_plan_info* info) {
  const dnnspec_reorder* const reorder = operation->reorder;
  (void)engine;
  if (candidate > 0) return refuse(DNNSPEC_UNIMPLEMENTED, "there is one implementation");
  if (operation->kind == DNNSPEC_REORDER) {
    if (!computes(reorder->src.data_type) || !computes(reorder->dst.data_type))
      return refuse(DNNSPEC_UNIMPLEMENTED, "16-bit floats are not served");
    if (reorder->src.block_count + reorder->dst.block_count > 0)
      return refuse(DNNSPEC_UNIMPLEMENTED, "blocked layouts are not served");
  } else if (operation->kind != DNNSPEC_SHUFFLE) {
    return refuse(DNNSPEC_UNIMPLEMENTED, "not a known operation");
  }
  dnnspec_plan* const made = calloc(1, sizeof(*made));
  if (made == NULL) return refuse(DNNSPEC_OUT_OF_MEMORY, "no memory for a plan");
  made->kind = operation->kind;
  if (made->kind == DNNSPEC_SHUFFLE) {
    made->shuffle = *operation->shuffle;
    strcpy(made->text, "vendor:shuffle");
  } else {
    /* A host of before the last fields passes less; they stay 0. */
    memcpy(&made->reorder, reorder,
           operation->bytes < sizeof(*reorder) ? operation->bytes : sizeof(*reorder));
    strcpy(made->text, "vendor:reorder");
    if (reorder->scales != NULL) {
      const size_t bytes = (size_t)reorder->scale_count * sizeof(float);
      made->scales = malloc(bytes + 1);
      if (made->scales == NULL) {
        free(made);
        return refuse(DNNSPEC_OUT_OF_MEMORY, "no memory for scales");
      }
      memcpy(made->scales, reorder->scales, bytes);
    }
  }
  info->text = made->text;
  info->scratchpad_bytes = 0;
  *plan = made;
  return DNNSPEC_OK;
}

static void plan_destroy(dnnspec_plan* plan) {
  free(plan->scales);
  free(plan);
}

static void* data_of(const dnnspec_argument* arguments, size_t count, int32_t index) {
  for (size_t i = 0; i < count; ++i)
    if (arguments[i].index == index) return arguments[i].buffer->data;
  return NULL;
}

/* A zero point: what was said when the plan was made, or what the argument holds. */
static float zero_of(const dnnspec_argument* arguments, size_t count, int32_t run_time,
                     int32_t said, int32_t index) {
  return (float)(run_time ? *(const int32_t*)data_of(arguments, count, index) : said);
}

static dnnspec_status plan_execute(const dnnspec_plan* plan, dnnspec_stream* stream,
                                   const dnnspec_argument* arguments, size_t argument_count) {
  fenv_t callers;
  (void)stream;
  /* The caller may round otherwise; results do not depend on it. */
  fegetenv(&callers);
  fesetenv(FE_DFL_ENV);
  if (plan->kind == DNNSPEC_REORDER) {
    const dnnspec_reorder* const op = &plan->reorder;
    const parameters with = {op->run_time_scales
                                 ? data_of(arguments, argument_count, DNNSPEC_ARG_OUTPUT_SCALES)
                                 : plan->scales,
                             zero_of(arguments, argument_count, op->run_time_src_zero_point,
                                     op->src_zero_point, DNNSPEC_ARG_SRC_ZERO_POINT),
                             zero_of(arguments, argument_count, op->run_time_dst_zero_point,
                                     op->dst_zero_point, DNNSPEC_ARG_DST_ZERO_POINT)};
    reorder_run(op, &with, data_of(arguments, argument_count, DNNSPEC_ARG_SRC),
                data_of(arguments, argument_count, DNNSPEC_ARG_DST));
  } else {
    const int forward = plan->shuffle.forward;
    shuffle_run(
        &plan->shuffle,
        data_of(arguments, argument_count, forward ? DNNSPEC_ARG_SRC : DNNSPEC_ARG_DIFF_DST),
        data_of(arguments, argument_count, forward ? DNNSPEC_ARG_DST : DNNSPEC_ARG_DIFF_SRC));
  }
  fesetenv(&callers);
  return DNNSPEC_OK;
}

const dnnspec_plugin_table dnnspec_plugin = {DNNSPEC_PLUGIN_VERSION,
                                             sizeof(dnnspec_plugin_table),
                                             "vendor",
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
