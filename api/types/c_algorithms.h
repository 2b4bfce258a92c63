// C enumerations of what primitives compute. Post-ops of inner product use those of eltwise;
// the others are here so that programs which mix primitives compile.
//
// Source: oneDNN 2.6.3, "dnnl_types.h" (names and numbers). Valid C99 and C++.
#ifndef DNNSPEC_API_TYPES_C_ALGORITHMS_H_
#define DNNSPEC_API_TYPES_C_ALGORITHMS_H_

#include "oneapi/dnnl/types/c_enum.h"

typedef enum DNNSPEC_INT_ENUM {
  dnnl_alg_kind_undef = 0,
  dnnl_convolution_direct = 0x1,
  dnnl_convolution_winograd = 0x2,
  dnnl_convolution_auto = 0x3,
  dnnl_deconvolution_direct = 0xa,
  dnnl_deconvolution_winograd = 0xb,
  dnnl_eltwise_relu = 0x1f,
  dnnl_eltwise_tanh = 0x2f,
  dnnl_eltwise_elu = 0x3f,
  dnnl_eltwise_square = 0x4f,
  dnnl_eltwise_abs = 0x5f,
  dnnl_eltwise_sqrt = 0x6f,
  dnnl_eltwise_linear = 0x7f,
  dnnl_eltwise_bounded_relu = 0x8f,
  dnnl_eltwise_soft_relu = 0x9f,
  dnnl_eltwise_logistic = 0xaf,
  dnnl_eltwise_exp = 0xbf,
  dnnl_eltwise_gelu_tanh = 0xcf,
  dnnl_eltwise_gelu = dnnl_eltwise_gelu_tanh,
  dnnl_eltwise_swish = 0xdf,
  dnnl_eltwise_log = 0xef,
  dnnl_eltwise_clip = 0xff,
  dnnl_eltwise_clip_v2 = 0x10,
  dnnl_eltwise_pow = 0x20,
  dnnl_eltwise_gelu_erf = 0x30,
  dnnl_eltwise_round = 0x40,
  dnnl_eltwise_logsigmoid = 0x50,
  dnnl_eltwise_mish = 0x60,
  dnnl_eltwise_hardswish = 0x70,
  dnnl_eltwise_relu_use_dst_for_bwd = 0x100,
  dnnl_eltwise_tanh_use_dst_for_bwd = 0x101,
  dnnl_eltwise_elu_use_dst_for_bwd = 0x102,
  dnnl_eltwise_sqrt_use_dst_for_bwd = 0x103,
  dnnl_eltwise_logistic_use_dst_for_bwd = 0x104,
  dnnl_eltwise_exp_use_dst_for_bwd = 0x105,
  dnnl_eltwise_clip_v2_use_dst_for_bwd = 0x106,
  dnnl_pooling_max = 0x1ff,
  dnnl_pooling_avg_include_padding = 0x2ff,
  dnnl_pooling_avg_exclude_padding = 0x3ff,
  dnnl_pooling_avg = dnnl_pooling_avg_exclude_padding,
  dnnl_lrn_across_channels = 0xaff,
  dnnl_lrn_within_channel = 0xbff,
  dnnl_vanilla_rnn = 0x1fff,
  dnnl_vanilla_lstm = 0x2fff,
  dnnl_vanilla_gru = 0x3fff,
  dnnl_lbr_gru = 0x4fff,
  dnnl_vanilla_augru = 0x5fff,
  dnnl_lbr_augru = 0x6fff,
  dnnl_binary_add = 0x1fff0,
  dnnl_binary_mul = 0x1fff1,
  dnnl_binary_max = 0x1fff2,
  dnnl_binary_min = 0x1fff3,
  dnnl_binary_div = 0x1fff4,
  dnnl_binary_sub = 0x1fff5,
  dnnl_binary_ge = 0x1fff6,
  dnnl_binary_gt = 0x1fff7,
  dnnl_binary_le = 0x1fff8,
  dnnl_binary_lt = 0x1fff9,
  dnnl_binary_eq = 0x1fffa,
  dnnl_binary_ne = 0x1fffb,
  dnnl_resampling_nearest = 0x2fff0,
  dnnl_resampling_linear = 0x2fff1,
  dnnl_reduction_max = 0x2fff2,
  dnnl_reduction_min = 0x2fff3,
  dnnl_reduction_sum = 0x2fff4,
  dnnl_reduction_mul = 0x2fff5,
  dnnl_reduction_mean = 0x2fff6,
  dnnl_reduction_norm_lp_max = 0x2fff7,
  dnnl_reduction_norm_lp_sum = 0x2fff8,
  dnnl_reduction_norm_lp_power_p_max = 0x2fff9,
  dnnl_reduction_norm_lp_power_p_sum = 0x2fffa,
  dnnl_softmax_accurate = 0x30000,
  dnnl_softmax_log = 0x30001,
} dnnl_alg_kind_t;

typedef enum DNNSPEC_INT_ENUM {
  dnnl_normalization_flags_none = 0x0U,
  dnnl_use_global_stats = 0x1U,
  dnnl_use_scaleshift = 0x2U,
  dnnl_fuse_norm_relu = 0x4U,
  dnnl_use_scale = 0x8U,
  dnnl_use_shift = 0x10U,
} dnnl_normalization_flags_t;

typedef enum DNNSPEC_INT_ENUM {
  dnnl_rnn_flags_undef = 0x0,
} dnnl_rnn_flags_t;

typedef enum DNNSPEC_INT_ENUM {
  dnnl_unidirectional_left2right = 0,
  dnnl_unidirectional_right2left = 1,
  dnnl_bidirectional_concat = 2,
  dnnl_bidirectional_sum = 3,
  dnnl_unidirectional = dnnl_unidirectional_left2right,
} dnnl_rnn_direction_t;

typedef enum DNNSPEC_INT_ENUM {
  dnnl_cpu_isa_all = 0x0,
  dnnl_cpu_isa_sse41 = 0x1,
  dnnl_cpu_isa_avx = 0x3,
  dnnl_cpu_isa_avx2 = 0x7,
  dnnl_cpu_isa_avx512_mic = 0xf,
  dnnl_cpu_isa_avx512_mic_4ops = 0x1f,
  dnnl_cpu_isa_avx512_core = 0x27,
  dnnl_cpu_isa_avx512_core_vnni = 0x67,
  dnnl_cpu_isa_avx512_core_bf16 = 0xe7,
  dnnl_cpu_isa_avx512_core_amx = 0x3e7,
  dnnl_cpu_isa_avx2_vnni = 0x407,
} dnnl_cpu_isa_t;

typedef enum DNNSPEC_INT_ENUM {
  dnnl_cpu_isa_no_hints = 0x0,
  dnnl_cpu_isa_prefer_ymm = 0x1,
} dnnl_cpu_isa_hints_t;

#endif  // DNNSPEC_API_TYPES_C_ALGORITHMS_H_
