/* An implementation as a shared object: implementation.h in plain C99.
 *
 *   const dnnspec_plugin_table dnnspec_plugin = {DNNSPEC_PLUGIN_VERSION,
 *                                                sizeof(dnnspec_plugin_table), "vendor", ...};
 *
 * A shared object exports this one symbol, `dnnspec_plugin`: data, so that looking at it calls no
 * function of the plug-in. Opening the object does run its constructors, if it has any. Nothing
 * else is shared: no library, no C++ runtime, no memory to be freed by the other side.
 *
 *   host                                        plug-in
 *   dnnl:: call, checked                   ->   plan_create(engine, request, planned)
 *   planned, checked                       <-   a plan, and layouts for what was left open
 *   execute                                ->   plan_execute(plan, stream, arguments)
 *
 * A plug-in never validates: an operation that reaches plan_create is legal, and plan_execute gets
 * every tensor of it, with storage unless the tensor is empty. Dims, strides and offsets count
 * elements; names that end in `bytes` count bytes.
 *
 * Status: each function that returns one gives DNNSPEC_OK or says what became of the call, and
 * leaves its output alone then. What a _create function gives with DNNSPEC_OK is not null.
 * last_error() explains. No exception leaves a function.
 *
 * Lifetime: what a _create function made, the host gives back to the _destroy of the same name,
 * once; a plan of transfer_create goes to plan_destroy. An engine outlives its streams, buffers and
 * plans. A plan, and the buffers and host memory of an execution, outlive the next stream_wait of
 * its stream; the host waits before it destroys a stream. All else that the host passes (a request
 * and what it points to, arguments) is valid during the call only. Strings that the table points to
 * live as long as the process.
 *
 * Threads: engines and plans are immutable once made and are used from several threads at once. A
 * stream is used by one thread at a time, and so is a buffer's map / unmap.
 *
 * Sizes: a struct that begins with `bytes`, its sizeof where its writer was compiled, may get
 * fields at its end while the version stays what it is; 0 in a new field means what was meant
 * before there was one. So a reader takes what is missing as 0, and refuses, with
 * DNNSPEC_UNIMPLEMENTED, what is longer than it knows and not 0 there: dnnspec_read does both. Who
 * fills a struct for another (dnnspec_planned) writes no field that ends beyond its `bytes`. Lists
 * are arrays of pointers, so that what they point to may grow. Structs without `bytes` stay as they
 * are under one version: layouts, blocks, arguments. Fields named `reserved` are 0.
 *
 * Versions: a table whose version is not the host's is refused. Under one version no field or
 * function is removed, moved or given another meaning; a host may know more kinds of operation,
 * layout and post-op than a plug-in: answer DNNSPEC_UNIMPLEMENTED to a kind you do not know.
 */
#ifndef DNNSPEC_API_SPI_PLUGIN_ABI_H_
#define DNNSPEC_API_SPI_PLUGIN_ABI_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DNNSPEC_PLUGIN_VERSION 2
#define DNNSPEC_PLUGIN_SYMBOL "dnnspec_plugin"
#define DNNSPEC_MAX_RANK 12
#define DNNSPEC_MAX_BLOCKS 6

#ifdef __cplusplus
extern "C" {
#endif

/* What a call came to. Values as in dnnl_status_t. */
enum {
  DNNSPEC_OK = 0,
  DNNSPEC_OUT_OF_MEMORY = 1, /* of the host or the device */
  DNNSPEC_UNIMPLEMENTED = 3, /* a legal request that is not served here: plan_create and
                                transfer_create only */
  DNNSPEC_FAILED = 5         /* a device failed, or a handle is none of its storage */
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
  DNNSPEC_ARG_WEIGHTS = 33,
  DNNSPEC_ARG_BIAS = 41,
  DNNSPEC_ARG_WORKSPACE = 64,
  DNNSPEC_ARG_SCRATCHPAD = 80,
  DNNSPEC_ARG_DIFF_SRC = 129,
  DNNSPEC_ARG_DIFF_DST = 145,
  DNNSPEC_ARG_DIFF_WEIGHTS = 161,
  DNNSPEC_ARG_DIFF_BIAS = 169,
  DNNSPEC_ARG_OUTPUT_SCALES = 513,
  DNNSPEC_ARG_ZERO_POINTS = 4096, /* together with the argument they are of */
  DNNSPEC_ARG_SRC_ZERO_POINT = 4097,
  DNNSPEC_ARG_DST_ZERO_POINT = 4113
};

/* ---- tensors ---- */

/* How a layout says where elements are. */
enum {
  DNNSPEC_LAYOUT_NONE = 0,    /* no tensor */
  DNNSPEC_LAYOUT_STRIDED = 1, /* strides and, optionally, inner blocks */
  DNNSPEC_LAYOUT_ANY = 2,     /* type and dims only: plan_create chooses the rest */
  DNNSPEC_LAYOUT_OPAQUE = 3   /* only the plug-in that chose it knows */
};

/* One inner block: `size` >= 2 consecutive indices of axis `axis` stored together. */
typedef struct {
  int32_t axis;
  int32_t size;
} dnnspec_block;

/* Where each element of a tensor lies, in elements from the start of its buffer. What is not in use
 * is 0.
 *
 * Strided, without blocks: element i lies at offset + sum_j i[j] * strides[j]. With blocks, axis j
 * is first split by its blocks, outermost block first; the last block has stride 1, each earlier
 * one the product of the sizes after it; strides[j] is the step of what remains of axis j. In
 * memory the axis has dims[j] rounded up to whole blocks; the elements beyond dims[j] are padding,
 * which is 0 when a primitive that wrote the tensor returns. A stride of 0 repeats one element
 * along the axis (tensors that are read only). Some extent may be 0: there is no element then, and
 * no storage is touched.
 *
 * Opaque: opaque_format is a number of the plug-in's choice in [1, 65535] that tells all that type
 * and dims do not, and opaque_bytes the size of the buffer. `owner` is the host's: it gives a
 * layout back to the plug-in that chose it and to no other. Answer 0 there. */
typedef struct {
  int32_t kind; /* DNNSPEC_LAYOUT_ */
  int32_t data_type;
  int32_t rank;        /* entries in use of dims and strides */
  int32_t block_count; /* entries in use of blocks */
  int64_t dims[DNNSPEC_MAX_RANK];
  int64_t strides[DNNSPEC_MAX_RANK];
  int64_t offset;
  dnnspec_block blocks[DNNSPEC_MAX_BLOCKS];
  int32_t owner;
  int32_t opaque_format;
  int64_t opaque_bytes;
} dnnspec_layout;

enum { DNNSPEC_READ = 1, DNNSPEC_WRITE = 2, DNNSPEC_READ_WRITE = 3 };

/* One tensor of an operation. */
typedef struct {
  uint32_t bytes;
  int32_t argument; /* DNNSPEC_ARG_ */
  int32_t access;   /* DNNSPEC_READ, ... */
  int32_t reserved;
  dnnspec_layout layout;
} dnnspec_tensor;

/* ---- attributes ---- */

/* Factors of a tensor: one for each index of the axes in `mask`, row-major over those axes in
 * logical order; a single one if the mask is 0. With run_time they come at execution as the tensor
 * DNNSPEC_ARG_OUTPUT_SCALES, dense f32, and there are no values. */
typedef struct {
  uint32_t bytes;
  int32_t argument; /* that is scaled */
  int32_t mask;
  int32_t run_time; /* 0 or 1 */
  const float* values;
  int64_t count; /* of values */
} dnnspec_scales;

/* A number that is subtracted from a tensor that is read, or added to one that is written, rounded
 * to f32 first. With run_time it comes at execution as the tensor DNNSPEC_ARG_ZERO_POINTS |
 * argument, one s32, and takes part whatever it is. */
typedef struct {
  uint32_t bytes;
  int32_t argument;
  int32_t value; /* not 0, unless run_time */
  int32_t run_time;
} dnnspec_zero_point;

/* What is done to a result before it is converted and stored. Each sort of post-op is a struct that
 * begins like this one; its kind tells which. */
typedef struct {
  uint32_t bytes;
  int32_t kind; /* DNNSPEC_POST_OP_ */
} dnnspec_post_op;
enum { DNNSPEC_POST_OP_SUM = 1, DNNSPEC_POST_OP_ELTWISE = 2 };

/* result += scale * dst, where dst is read as data_type, of the same size as its own. A scale of 0
 * does not read it, but the result passes through f32 all the same. */
typedef struct {
  uint32_t bytes;
  int32_t kind; /* DNNSPEC_POST_OP_SUM */
  float scale;
  int32_t data_type;
} dnnspec_sum;

/* result = scale * f(result), where f is the algorithm with alpha and beta. */
typedef struct {
  uint32_t bytes;
  int32_t kind;      /* DNNSPEC_POST_OP_ELTWISE */
  int32_t algorithm; /* as in dnnl_alg_kind_t: dnnl_eltwise_relu, ... */
  float scale, alpha, beta;
} dnnspec_eltwise;

/* Numbers are f32: zero points of what is read, scales, post-ops in their order, zero points of
 * what is written, conversion; each operation is rounded by itself, from left to right. s32, s8 and
 * u8 are rounded to nearest even and saturate, bf16 and f16 are rounded to nearest even
 * (requirements DT-001 and on). */
typedef struct {
  uint32_t bytes;
  uint32_t scales_count, zero_point_count, post_op_count;
  const dnnspec_scales* const* scales;
  const dnnspec_zero_point* const* zero_points;
  const dnnspec_post_op* const* post_ops;
} dnnspec_attributes;

/* ---- operations ---- */

/* Values as in dnnl_primitive_kind_t. Kinds without a struct of parameters below have none: their
 * tensors and attributes say all. */
enum {
  DNNSPEC_REORDER = 1,
  DNNSPEC_SHUFFLE = 2,
  DNNSPEC_CONVOLUTION = 5,
  DNNSPEC_ELTWISE = 7,
  DNNSPEC_INNER_PRODUCT = 13
};

/* Values as in dnnl_prop_kind_t. DNNSPEC_PROP_NONE: the primitive has no direction. */
enum {
  DNNSPEC_PROP_NONE = 0,
  DNNSPEC_FORWARD_TRAINING = 64,
  DNNSPEC_FORWARD_INFERENCE = 96,
  DNNSPEC_BACKWARD = 128,
  DNNSPEC_BACKWARD_DATA = 160,
  DNNSPEC_BACKWARD_WEIGHTS = 192
};

/* Reorder, of src and dst: dst(x) = convert(src(x)), with attributes in between. Equal dims.
 * Without attributes equal types are copied bit for bit, and pairs of integer types saturate
 * without f32 between. */

/* Inner product, of src, weights, bias (may be left out) and dst: dst(n, o) = bias(o) + the sum of
 * src(n, ...) * weights(o, ...) over all that is the same in both, in f32. Backward has diff_src,
 * or diff_weights and diff_bias, in the place of what is computed, and diff_dst is read. */

/* Shuffle, of src and dst, or diff_dst and diff_src. C = dims[axis], G = group_size. The axis, read
 * as a row-major (C / G) x G matrix, is transposed; backward applies the inverse. What moves is
 * bits:
 *   forward:   dst(u + v * C/G) = src(u * G + v)              0 <= u < C/G, 0 <= v < G
 *   backward:  diff_src(u * G + v) = diff_dst(u + v * C/G)
 */
typedef struct dnnspec_shuffle_params {
  uint32_t bytes;
  int32_t axis;
  int64_t group_size; /* divides dims[axis] */
} dnnspec_shuffle_params;

/* Convolution, of src {N, G*IC, spatial}, weights {OC, IC, spatial} or, with groups,
 * {G, OC, IC, spatial}, bias {G*OC} (may be left out) and dst {N, G*OC, spatial}: dst(n, g*OC + oc,
 * o) = bias(g*OC + oc) + the sum of src(n, g*IC + ic, o * stride + k * (dilate + 1) - padding_l) *
 * weights(g, oc, ic, k) over ic and the taps k whose places in the source exist, in f32. o and k
 * have one to three axes, ranks are 3 to 5, and weights of rank + 1 have groups. padding_r is known
 * by the extents: below 0 it crops. Backward has diff_src, or diff_weights and diff_bias, in the
 * place of what is computed, and diff_dst is read. */
enum {
  DNNSPEC_CONVOLUTION_DIRECT = 1,
  DNNSPEC_CONVOLUTION_WINOGRAD = 2,
  DNNSPEC_CONVOLUTION_AUTO = 3 /* either */
};
typedef struct dnnspec_convolution_params {
  uint32_t bytes;
  int32_t algorithm;  /* DNNSPEC_CONVOLUTION_ */
  int64_t strides[3]; /* of the spatial axes in the order of dims; those beyond them are 0 */
  int64_t dilates[3]; /* 0: dense */
  int64_t padding_l[3];
  int64_t padding_r[3];
} dnnspec_convolution_params;

/* Eltwise, of src and dst: dst(x) = f(src(x)), in f32. Backward, of src, diff_dst and diff_src:
 * diff_src(x) = diff_dst(x) * f'(src(x)); an algorithm whose name ends in use_dst_for_bwd has dst
 * in the place of src there, and is the function without that end forward. Equal dims and types.
 * Each algorithm has its use for alpha and beta, or ignores them. */
typedef struct dnnspec_eltwise_params {
  uint32_t bytes;
  int32_t algorithm; /* as in dnnl_alg_kind_t: dnnl_eltwise_relu, ... */
  float alpha, beta;
} dnnspec_eltwise_params;

/* A computation: which, on which tensors. */
typedef struct {
  uint32_t bytes;
  int32_t kind;          /* DNNSPEC_REORDER, ... */
  int32_t prop_kind;     /* DNNSPEC_FORWARD_TRAINING, ... */
  uint32_t tensor_count; /* at least 2 */
  /* Each kind has its order, and what comes at execution for attributes is last. What the caller
   * left out is not listed: dnnspec_find looks a tensor up. */
  const dnnspec_tensor* const* tensors;
  const dnnspec_attributes* attributes; /* null: none */
  const void* params;                   /* dnnspec_shuffle_params, ...; null: the kind has none */
} dnnspec_operation;

/* What a plug-in is asked for. */
typedef struct {
  uint32_t bytes;
  int32_t candidate; /* which plan, best first from 0 */
  const dnnspec_operation* operation;
  /* For a backward operation, the forward one that it belongs to, nothing in it open. If that one
   * has a workspace, it is a tensor of both. Null where backward needs nothing of it. */
  const dnnspec_operation* forward;
} dnnspec_request;

/* The plug-in's own; the host only passes them on. */
typedef struct dnnspec_engine dnnspec_engine;
typedef struct dnnspec_stream dnnspec_stream;
typedef struct dnnspec_buffer dnnspec_buffer;
typedef struct dnnspec_plan dnnspec_plan;

/* What it answers. The host sets `bytes`, `chosen` and `chosen_count`, and the rest to 0. */
typedef struct {
  uint32_t bytes;
  uint32_t chosen_count;
  /* Room for chosen_count layouts: one for each tensor of the request whose layout is
   * DNNSPEC_LAYOUT_ANY, in their order, of its type and dims, strided or opaque. A function of the
   * request alone: the same on every machine, each time. The host holds each against the rules of
   * memory descriptors, and refuses the plan where one is broken. */
  dnnspec_layout* chosen;
  dnnspec_plan* plan;
  /* One line that names the implementation and its decisions ("vendor:copy f32"), valid as long as
   * the plan. Null: the plug-in's name stands for it. */
  const char* text;
  /* Temporary storage: the host passes as many bytes as DNNSPEC_ARG_SCRATCHPAD to each execution,
   * and nothing if it is 0. Executions on one stream may be given the same: work that is submitted
   * later writes it once earlier work is done with it, on a stream out of order too. */
  size_t scratchpad_bytes;
  /* What a forward training hands to its backward: DNNSPEC_ARG_WORKSPACE, which it writes. */
  dnnspec_layout workspace;
} dnnspec_planned;

/* One tensor of an execution. Of the two, one is not null unless the tensor is empty: host memory
 * occurs in plans of transfer_create only. */
typedef struct {
  int32_t argument; /* DNNSPEC_ARG_ */
  int32_t reserved;
  dnnspec_buffer* buffer;
  void* host; /* the address of the data, where the tensor is in host memory */
} dnnspec_argument;

/* ---- the table ---- */

/* Every entry is set but for those that may be null. */
typedef struct {
  uint32_t version; /* DNNSPEC_PLUGIN_VERSION */
  uint32_t bytes;   /* sizeof(dnnspec_plugin_table) */
  const char* name; /* stable, at most 64 printable ASCII characters, no space: "vendor" */
  /* Of the library behind it: "2.6.3", at most 64 letters, digits and .+~_-. Reports carry it. May
   * be null: it has none. */
  const char* library_version;
  int32_t engine_kind; /* DNNSPEC_ENGINE_ */
  int32_t reserved;

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
   * address on a CPU engine, whatever names the storage on a GPU. A program may wrap a handle that
   * names no storage of the engine, or less than `bytes` bytes: a plug-in that can tell, as one for
   * a GPU can, answers DNNSPEC_FAILED, which the program sees as dnnl_runtime_error. */
  dnnspec_status (*buffer_create)(dnnspec_engine* engine, int32_t wraps, size_t bytes,
                                  void** handle, dnnspec_buffer** buffer);
  /* A host address through which the whole contents are readable and writable until buffer_unmap.
   * All work that was submitted before is finished when it returns. */
  dnnspec_status (*buffer_map)(dnnspec_buffer* buffer, void** mapped);
  dnnspec_status (*buffer_unmap)(dnnspec_buffer* buffer, void* mapped);
  void (*buffer_destroy)(dnnspec_buffer* buffer);

  /* The plan of the request's candidate. DNNSPEC_UNIMPLEMENTED when there are not that many. Copies
   * what it needs of the request. */
  dnnspec_status (*plan_create)(dnnspec_engine* engine, const dnnspec_request* request,
                                dnnspec_planned* planned);
  /* The same for a reorder between two engines: src lives on the one, dst on the other, all else on
   * `engine`, which is one of them and whose streams the plan gets. A null one is host memory. Two
   * that are not null are engines of this plug-in. May be null, or answer DNNSPEC_UNIMPLEMENTED:
   * the host then maps the buffers and goes through host memory. */
  dnnspec_status (*transfer_create)(dnnspec_engine* engine, dnnspec_engine* src,
                                    dnnspec_engine* dst, const dnnspec_request* request,
                                    dnnspec_planned* planned);
  /* Runs, or submits to `stream`. Arguments come in the order of the operation's tensors, then the
   * workspace and the scratchpad, where the plan's answer had them. Writes the elements of what the
   * operation writes, zeros to what their blocks hold beyond them, and no other byte.
   *
   * A buffer holds all that its argument's layout addresses, and may hold more. What is written
   * shares no byte with the other arguments, but for one case: where each element of the
   * destination comes from one element of the source alone, it may lie on exactly that element's
   * bytes; so may the gradient of the source on that of the destination. The host tells buffers of
   * one engine apart by their addresses on a CPU engine, by their handles on a GPU. */
  dnnspec_status (*plan_execute)(const dnnspec_plan* plan, dnnspec_stream* stream,
                                 const dnnspec_argument* arguments, size_t argument_count);
  void (*plan_destroy)(dnnspec_plan* plan);

  /* One line about the last call of this thread that did not return DNNSPEC_OK, valid until the
   * thread's next call; or null. */
  const char* (*last_error)(void);
} dnnspec_plugin_table;

/* ---- what every reader needs ---- */

/* Reads a struct that begins with `bytes`, of any length, into one of `known` bytes, by the rule
 * "Sizes". 0: it says something that the reader does not know. */
static inline int dnnspec_read(const void* from, void* to, size_t known) {
  uint32_t given;
  size_t k;
  memcpy(&given, from, sizeof(given));
  memset(to, 0, known);
  memcpy(to, from, given < known ? given : known);
  for (k = known; k < given; ++k)
    if (((const unsigned char*)from)[k] != 0) return 0;
  return 1;
}

/* The tensor of an argument; null where it is not listed. */
static inline const dnnspec_tensor* dnnspec_find(const dnnspec_operation* operation,
                                                 int32_t argument) {
  uint32_t k;
  for (k = 0; k < operation->tensor_count; ++k)
    if (operation->tensors[k]->argument == argument) return operation->tensors[k];
  return NULL;
}

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
