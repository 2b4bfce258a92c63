/* An implementation as a shared object: the table of implementation.h in plain C99.
 *
 *   const dnnspec_plugin_table dnnspec_plugin = {DNNSPEC_PLUGIN_VERSION,
 * sizeof(dnnspec_plugin_table), "vendor", DNNSPEC_ENGINE_CPU, ...};
 *
 * A shared object exports this one symbol, `dnnspec_plugin`: data, so that looking at it calls no
 * function of the plug-in. Opening the object does run its constructors, if it has any. Nothing
 * else is shared: no library, no C++ runtime, no memory to be freed by the other side.
 *
 *   host                                        plug-in
 *   dnnl:: call, validated                 ->   plan_create(engine, operation, candidate)
 *   execute                                ->   plan_execute(plan, stream, arguments)
 *
 * A plug-in never validates: an operation that reaches plan_create is legal, and plan_execute gets
 * every mandatory argument, with storage unless the tensor is empty. Dims, strides and offsets
 * count elements.
 *
 * Status: each function that returns one gives DNNSPEC_OK or says what became of the call, and
 * leaves its output alone then. What a _create function gives with DNNSPEC_OK is not null.
 * last_error() explains. No exception leaves a function.
 *
 * Lifetime: what a _create function made, the host gives back to the _destroy of the same name,
 * once. An engine outlives its streams, buffers and plans. A plan and the buffers of an execution
 * outlive the next stream_wait of its stream; the host waits before it destroys a stream. Whatever
 * the host passes (an operation, arguments, scales) is valid during the call only.
 *
 * Threads: engines and plans are immutable once made and are used from several threads at once. A
 * stream is used by one thread at a time, and so is a buffer's map / unmap.
 *
 * Versions: a table whose version is not the host's is refused. A field or function is never
 * removed, moved or given another meaning under one number; new ones come at the end of a struct,
 * and whoever gives it says how long it is (table_bytes, reorder_bytes, bytes of an operation). A
 * host may know more kinds of operation than a plug-in: answer DNNSPEC_UNIMPLEMENTED to a kind you
 * do not know.
 */
#ifndef DNNSPEC_API_SPI_PLUGIN_ABI_H_
#define DNNSPEC_API_SPI_PLUGIN_ABI_H_

#include <stddef.h>
#include <stdint.h>

#define DNNSPEC_PLUGIN_VERSION 1
#define DNNSPEC_PLUGIN_SYMBOL "dnnspec_plugin"
#define DNNSPEC_MAX_RANK 12

#ifdef __cplusplus
extern "C" {
#endif

/* What a call came to. Values as in dnnl_status_t. */
enum {
  DNNSPEC_OK = 0,
  DNNSPEC_OUT_OF_MEMORY = 1, /* of the host or the device */
  DNNSPEC_UNIMPLEMENTED = 3, /* a legal request that is not served here: plan_create only */
  DNNSPEC_FAILED = 5         /* a device failed */
};
typedef int32_t dnnspec_status;

/* Values as in dnnl_data_type_t. */
enum {
  DNNSPEC_UNDEF = 0,
  DNNSPEC_F16 = 1,
  DNNSPEC_BF16 = 2,
  DNNSPEC_F32 = 3,
  DNNSPEC_S32 = 4,
  DNNSPEC_S8 = 5,
  DNNSPEC_U8 = 6
};

/* Values as in dnnl_engine_kind_t. The handle of a CPU buffer is the address of its data. */
enum { DNNSPEC_ENGINE_CPU = 1, DNNSPEC_ENGINE_GPU = 2 };

/* Values as in dnnl_stream_flags_t. A stream gets one of them: in order, where its caller gave
 * both. */
enum { DNNSPEC_IN_ORDER = 1, DNNSPEC_OUT_OF_ORDER = 2 };

/* Values as in the DNNL_ARG_ macros. */
enum {
  DNNSPEC_ARG_SRC = 1,
  DNNSPEC_ARG_DST = 17,
  DNNSPEC_ARG_SCRATCHPAD = 80,
  DNNSPEC_ARG_DIFF_SRC = 129,
  DNNSPEC_ARG_DIFF_DST = 145,
  DNNSPEC_ARG_OUTPUT_SCALES = 513,
  DNNSPEC_ARG_SRC_ZERO_POINT = 4097,
  DNNSPEC_ARG_DST_ZERO_POINT = 4113
};

/* One inner block: `size` consecutive indices of axis `dim` stored together. */
typedef struct {
  int32_t dim;
  int32_t reserved; /* 0 */
  int64_t size;
} dnnspec_block;

/* Where each element of a tensor lies, in elements from the start of its buffer.
 *
 * Without blocks element i lies at offset + sum_j i[j] * strides[j]. With blocks, axis j is first
 * split by its blocks, outermost block first; the last block has stride 1, each earlier one the
 * product of the sizes after it; strides[j] is the step of what remains of axis j, and
 * padded_dims[j] is dims[j] rounded up to whole blocks. A stride of 0 repeats one element along the
 * axis (sources only). Some extent may be 0: there is no element then, and no storage is touched.
 */
typedef struct {
  int32_t data_type;
  int32_t rank; /* entries in use of the arrays below */
  int64_t dims[DNNSPEC_MAX_RANK];
  int64_t padded_dims[DNNSPEC_MAX_RANK]; /* equal to dims in plain layouts */
  int64_t strides[DNNSPEC_MAX_RANK];
  int64_t offset;
  int32_t block_count;
  int32_t reserved; /* 0 */
  dnnspec_block blocks[DNNSPEC_MAX_RANK];
} dnnspec_layout;

/* dst(x) = convert(scale(x) * (src(x) - src_zero) + beta * dst(x) + dst_zero), in f32 with each
 * operation rounded by itself, from left to right; s32, s8 and u8 are rounded to nearest even and
 * saturate, bf16 and f16 are rounded to nearest even (requirements DT-001 and on). With neither
 * scales nor zero points nor sum equal types are copied bit for bit, and pairs of integer types
 * saturate without f32 between. */
typedef struct {
  dnnspec_layout src, dst; /* equal rank and dims */
  /* Output scales: one for each index of the axes in scale_mask, row-major over those axes in
   * logical order; a single one if the mask is 0. A null `scales` means 1 everywhere, unless
   * run_time_scales: they come at execution as DNNSPEC_ARG_OUTPUT_SCALES then, dense f32. */
  int32_t scale_mask;
  int32_t run_time_scales; /* 0 or 1 */
  const float* scales;
  int64_t scale_count;
  /* With has_sum, beta * dst is added; dst is read as sum_type (same size as its own type). A beta
   * of 0 does not read dst at all. */
  int32_t has_sum; /* 0 or 1 */
  float beta;
  int32_t sum_type;
  int32_t reserved; /* 0 */
  /* One zero point of each side, rounded to f32. Known in advance, 0 is none. At run time it comes
   * at execution as DNNSPEC_ARG_SRC_ZERO_POINT or DNNSPEC_ARG_DST_ZERO_POINT, one s32, and takes
   * part whatever it is. */
  int32_t src_zero_point, dst_zero_point;
  int32_t run_time_src_zero_point, run_time_dst_zero_point; /* 0 or 1 */
} dnnspec_reorder;

/* C = dims[axis], G = group_size. The axis, read as a row-major (C / G) x G matrix, is transposed;
 * backward applies the inverse.
 *   forward:   to(u + v * C/G) = from(u * G + v)     0 <= u < C/G, 0 <= v < G
 *   backward:  to(u * G + v) = from(u + v * C/G)
 * Forward reads DNNSPEC_ARG_SRC and writes DNNSPEC_ARG_DST; backward reads DNNSPEC_ARG_DIFF_DST and
 * writes DNNSPEC_ARG_DIFF_SRC. */
typedef struct {
  dnnspec_layout from, to; /* equal rank, dims and type */
  int32_t forward;         /* 0 or 1 */
  int32_t axis;
  int64_t group_size; /* divides dims[axis] */
} dnnspec_shuffle;

enum { DNNSPEC_REORDER = 1, DNNSPEC_SHUFFLE = 2 };

typedef struct {
  int32_t kind;
  uint32_t bytes;                 /* sizeof what the host passes: dnnspec_reorder, ... */
  const dnnspec_reorder* reorder; /* null unless it is the kind */
  const dnnspec_shuffle* shuffle; /* null unless it is the kind */
} dnnspec_operation;

/* The plug-in's own; the host only passes them on. */
typedef struct dnnspec_engine dnnspec_engine;
typedef struct dnnspec_stream dnnspec_stream;
typedef struct dnnspec_buffer dnnspec_buffer;
typedef struct dnnspec_plan dnnspec_plan;

typedef struct {
  int32_t index; /* DNNSPEC_ARG_ */
  int32_t reserved;
  dnnspec_buffer* buffer; /* not null */
} dnnspec_argument;

/* What a plan says of itself. `text` is one line that names the implementation and its decisions
 * ("vendor:copy f32"), valid as long as the plan. The host passes `scratchpad_bytes` bytes of
 * temporary storage as DNNSPEC_ARG_SCRATCHPAD to each execution, and nothing if it is 0. Executions
 * on one stream may be given the same: work that is submitted later writes it once earlier work is
 * done with it, on a stream out of order too. */
typedef struct {
  const char* text;
  size_t scratchpad_bytes;
} dnnspec_plan_info;

/* Every entry is set, up to last_error. */
typedef struct {
  uint32_t version;     /* DNNSPEC_PLUGIN_VERSION */
  uint32_t table_bytes; /* sizeof(dnnspec_plugin_table) */
  const char* name;     /* stable, at most 64 printable ASCII characters, no space: "vendor" */
  int32_t engine_kind;  /* DNNSPEC_ENGINE_ */
  int32_t reserved;     /* 0 */

  /* Asked often; the answer is stable, and 0 where a driver or a device is missing. */
  size_t (*engine_count)(void);
  dnnspec_status (*engine_create)(size_t index, dnnspec_engine** engine);
  void (*engine_destroy)(dnnspec_engine* engine);

  dnnspec_status (*stream_create)(dnnspec_engine* engine, uint32_t flags, dnnspec_stream** stream);
  /* Returns when everything submitted has finished, with its first failure. */
  dnnspec_status (*stream_wait)(dnnspec_stream* stream);
  void (*stream_destroy)(dnnspec_stream* stream);

  /* wraps is 1: a view of `bytes` bytes (may be 0) of the caller's storage at *handle, which may be
   * null; reads and writes nothing. wraps is 0: `bytes` > 0 bytes of new storage, aligned for every
   * type, contents unspecified, and *handle becomes what dnnl::memory::get_data_handle returns: the
   * address on a CPU engine, whatever names the storage on a GPU. */
  dnnspec_status (*buffer_create)(dnnspec_engine* engine, int32_t wraps, size_t bytes,
                                  void** handle, dnnspec_buffer** buffer);
  /* A host address through which the whole contents are readable and writable until buffer_unmap.
   * All work that was submitted before is finished when it returns. */
  dnnspec_status (*buffer_map)(dnnspec_buffer* buffer, void** mapped);
  dnnspec_status (*buffer_unmap)(dnnspec_buffer* buffer, void* mapped);
  void (*buffer_destroy)(dnnspec_buffer* buffer);

  /* The plan of candidate number `candidate`, best first from 0. DNNSPEC_UNIMPLEMENTED when there
   * are not that many. Copies what it needs of `operation`. */
  dnnspec_status (*plan_create)(dnnspec_engine* engine, const dnnspec_operation* operation,
                                int32_t candidate, dnnspec_plan** plan, dnnspec_plan_info* info);
  /* Runs, or submits to `stream`. Writes the elements of the destination, zeros to what its blocks
   * hold beyond them, and no other byte.
   *
   * A buffer holds all that its argument's layout addresses, and may hold more. What is written
   * shares no byte with the other arguments, but for one case: where each element of the
   * destination comes from one element of the source alone, it may lie on exactly that element's
   * bytes. The host tells buffers of one engine apart by their addresses on a CPU engine, by their
   * handles on a GPU. */
  dnnspec_status (*plan_execute)(const dnnspec_plan* plan, dnnspec_stream* stream,
                                 const dnnspec_argument* arguments, size_t argument_count);
  void (*plan_destroy)(dnnspec_plan* plan);

  /* One line about the last call of this thread that did not return DNNSPEC_OK, valid until the
   * thread's next call; or null. */
  const char* (*last_error)(void);

  /* sizeof(dnnspec_reorder), as the plug-in knows it. The host asks for nothing that is said in
   * fields beyond: a plug-in that leaves this 0, or whose table ends before, is asked for no zero
   * points. */
  size_t reorder_bytes;
} dnnspec_plugin_table;

#if defined(__GNUC__)
#define DNNSPEC_EXPORT __attribute__((visibility("default")))
#else
#define DNNSPEC_EXPORT
#endif

/* What the plug-in defines. */
extern DNNSPEC_EXPORT const dnnspec_plugin_table dnnspec_plugin;

#ifdef __cplusplus
}
#endif

#endif /* DNNSPEC_API_SPI_PLUGIN_ABI_H_ */
