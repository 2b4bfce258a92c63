// C enumerations of the programming model: statuses, engines, streams, propagation, primitives,
// queries. dnnl's scoped enumerations have the same numbers.
//
// Source: oneDNN 2.6.3, "dnnl_types.h" (names and numbers). Valid C99 and C++.
#ifndef DNNSPEC_API_TYPES_C_TYPES_H_
#define DNNSPEC_API_TYPES_C_TYPES_H_

#include <stddef.h>
#include <stdint.h>

#include "oneapi/dnnl/types/c_enum.h"

typedef enum DNNSPEC_INT_ENUM {
  dnnl_success = 0,
  dnnl_out_of_memory = 1,
  dnnl_invalid_arguments = 2,  // wrong for every implementation
  dnnl_unimplemented = 3,      // right, but not served here
  dnnl_iterator_ends = 4,
  dnnl_runtime_error = 5,  // a device failed
  dnnl_not_required = 6,
} dnnl_status_t;

typedef enum DNNSPEC_INT_ENUM {
  dnnl_any_engine = 0,
  dnnl_cpu = 1,
  dnnl_gpu = 2,
} dnnl_engine_kind_t;

typedef enum DNNSPEC_INT_ENUM {
  dnnl_stream_in_order = 0x1U,
  dnnl_stream_out_of_order = 0x2U,
  dnnl_stream_default_flags = dnnl_stream_in_order,
} dnnl_stream_flags_t;

typedef enum DNNSPEC_INT_ENUM {
  dnnl_prop_kind_undef = 0,
  dnnl_forward_training = 64,
  dnnl_forward_inference = 96,
  dnnl_forward_scoring = dnnl_forward_inference,
  dnnl_forward = dnnl_forward_training,
  dnnl_backward = 128,
  dnnl_backward_data = 160,
  dnnl_backward_weights = 192,
  dnnl_backward_bias = 193,
} dnnl_prop_kind_t;

typedef enum DNNSPEC_INT_ENUM {
  dnnl_undefined_primitive = 0,
  dnnl_reorder = 1,
  dnnl_shuffle = 2,
  dnnl_concat = 3,
  dnnl_sum = 4,
  dnnl_convolution = 5,
  dnnl_deconvolution = 6,
  dnnl_eltwise = 7,
  dnnl_softmax = 8,
  dnnl_pooling = 9,
  dnnl_lrn = 10,
  dnnl_batch_normalization = 11,
  dnnl_layer_normalization = 12,
  dnnl_inner_product = 13,
  dnnl_rnn = 14,
  dnnl_gemm = 15,
  dnnl_binary = 16,
  dnnl_logsoftmax = 17,
  dnnl_matmul = 18,
  dnnl_resampling = 19,
  dnnl_pooling_v2 = 20,
  dnnl_reduction = 21,
  dnnl_prelu = 22,
  dnnl_softmax_v2 = 23,
  dnnl_primitive_kind_max = 0x7fff,
} dnnl_primitive_kind_t;

typedef enum DNNSPEC_INT_ENUM {
  dnnl_fpmath_mode_strict = 0,
  dnnl_fpmath_mode_bf16 = 1,
  dnnl_fpmath_mode_f16 = 2,
  dnnl_fpmath_mode_any = 3,
} dnnl_fpmath_mode_t;

typedef enum DNNSPEC_INT_ENUM {
  dnnl_scratchpad_mode_library = 0,
  dnnl_scratchpad_mode_user = 1,
} dnnl_scratchpad_mode_t;

typedef enum DNNSPEC_INT_ENUM {
  dnnl_query_undef = 0,
  dnnl_query_engine = 1,
  dnnl_query_primitive_kind = 2,
  dnnl_query_num_of_inputs_s32 = 3,
  dnnl_query_num_of_outputs_s32 = 4,
  dnnl_query_time_estimate_f64 = 5,
  dnnl_query_memory_consumption_s64 = 6,
  dnnl_query_scratchpad_engine = 7,
  dnnl_query_impl_info_str = 8,
  dnnl_query_reorder_src_engine = 9,
  dnnl_query_reorder_dst_engine = 10,
  dnnl_query_prop_kind = 11,
  dnnl_query_cache_blob_id_size_s64 = 12,
  dnnl_query_cache_blob_id = 13,
  // operation descriptors
  dnnl_query_some_d = 64,
  dnnl_query_op_d = 65,
  dnnl_query_convolution_d = 66,
  dnnl_query_deconvolution_d = 67,
  dnnl_query_shuffle_d = 68,
  dnnl_query_eltwise_d = 69,
  dnnl_query_softmax_d = 70,
  dnnl_query_pooling_d = 71,
  dnnl_query_lrn_d = 72,
  dnnl_query_batch_normalization_d = 73,
  dnnl_query_layer_normalization_d = 74,
  dnnl_query_inner_product_d = 75,
  dnnl_query_rnn_d = 76,
  dnnl_query_gemm_d = 77,
  dnnl_query_binary_d = 78,
  dnnl_query_logsoftmax_d = 79,
  dnnl_query_matmul_d = 80,
  dnnl_query_resampling_d = 81,
  dnnl_query_pooling_v2_d = 82,
  dnnl_query_reduction_d = 83,
  dnnl_query_prelu_d = 84,
  dnnl_query_softmax_v2_d = 85,
  // memory descriptors
  dnnl_query_some_md = 128,
  dnnl_query_src_md = 129,
  dnnl_query_diff_src_md = 130,
  dnnl_query_weights_md = 131,
  dnnl_query_diff_weights_md = 132,
  dnnl_query_dst_md = 133,
  dnnl_query_diff_dst_md = 134,
  dnnl_query_workspace_md = 135,
  dnnl_query_scratchpad_md = 136,
  dnnl_query_exec_arg_md = 255,
  dnnl_query_max = 0x7fff,
} dnnl_query_t;

// Thread and device runtimes, for DNNL_CPU_RUNTIME and DNNL_GPU_RUNTIME in dnnl_config.h.
#define DNNL_RUNTIME_NONE 0u
#define DNNL_RUNTIME_SEQ 1u
#define DNNL_RUNTIME_OMP 2u
#define DNNL_RUNTIME_TBB 4u
#define DNNL_RUNTIME_THREADPOOL 8u
#define DNNL_RUNTIME_OCL 256u
#define DNNL_RUNTIME_SYCL 512u
#define DNNL_RUNTIME_DPCPP DNNL_RUNTIME_SYCL

typedef struct {
  int major;
  int minor;
  int patch;
  const char *hash;
  unsigned cpu_runtime;
  unsigned gpu_runtime;
} dnnl_version_t;

#endif  // DNNSPEC_API_TYPES_C_TYPES_H_
