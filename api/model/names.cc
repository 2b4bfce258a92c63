// Names of enumerators, in the words of oneDNN 2.6.3.

#include <cstddef>

#include "api/memory/tags.h"
#include "api/spi/types.h"
#include "oneapi/dnnl/model/c_debug.h"
#include "oneapi/dnnl/model/c_functions.h"

namespace {

// The name at the first pair whose number is `value`.
struct Named {
  int value;
  const char* name;
};
template <typename Enum, std::size_t kCount>
const char* Find(const Named (&names)[kCount], Enum value) {
  for (const Named& named : names)
    if (named.value == static_cast<int>(value)) return named.name;
  return "unknown";
}

const Named kAlgorithms[] = {
    {dnnl_alg_kind_undef, "undef"},
    {dnnl_convolution_direct, "convolution_direct"},
    {dnnl_convolution_winograd, "convolution_winograd"},
    {dnnl_convolution_auto, "convolution_auto"},
    {dnnl_deconvolution_direct, "deconvolution_direct"},
    {dnnl_deconvolution_winograd, "deconvolution_winograd"},
    {dnnl_eltwise_relu, "eltwise_relu"},
    {dnnl_eltwise_tanh, "eltwise_tanh"},
    {dnnl_eltwise_elu, "eltwise_elu"},
    {dnnl_eltwise_square, "eltwise_square"},
    {dnnl_eltwise_abs, "eltwise_abs"},
    {dnnl_eltwise_sqrt, "eltwise_sqrt"},
    {dnnl_eltwise_linear, "eltwise_linear"},
    {dnnl_eltwise_bounded_relu, "eltwise_bounded_relu"},
    {dnnl_eltwise_soft_relu, "eltwise_soft_relu"},
    {dnnl_eltwise_logistic, "eltwise_logistic"},
    {dnnl_eltwise_exp, "eltwise_exp"},
    {dnnl_eltwise_gelu_tanh, "eltwise_gelu_tanh"},
    {dnnl_eltwise_swish, "eltwise_swish"},
    {dnnl_eltwise_log, "eltwise_log"},
    {dnnl_eltwise_clip, "eltwise_clip"},
    {dnnl_eltwise_clip_v2, "eltwise_clip_v2"},
    {dnnl_eltwise_pow, "eltwise_pow"},
    {dnnl_eltwise_gelu_erf, "eltwise_gelu_erf"},
    {dnnl_eltwise_round, "eltwise_round"},
    {dnnl_eltwise_logsigmoid, "eltwise_logsigmoid"},
    {dnnl_eltwise_mish, "eltwise_mish"},
    {dnnl_eltwise_hardswish, "eltwise_hardswish"},
    {dnnl_eltwise_relu_use_dst_for_bwd, "eltwise_relu_use_dst_for_bwd"},
    {dnnl_eltwise_tanh_use_dst_for_bwd, "eltwise_tanh_use_dst_for_bwd"},
    {dnnl_eltwise_elu_use_dst_for_bwd, "eltwise_elu_use_dst_for_bwd"},
    {dnnl_eltwise_sqrt_use_dst_for_bwd, "eltwise_sqrt_use_dst_for_bwd"},
    {dnnl_eltwise_logistic_use_dst_for_bwd, "eltwise_logistic_use_dst_for_bwd"},
    {dnnl_eltwise_exp_use_dst_for_bwd, "eltwise_exp_use_dst_for_bwd"},
    {dnnl_eltwise_clip_v2_use_dst_for_bwd, "eltwise_clip_v2_use_dst_for_bwd"},
    {dnnl_pooling_max, "pooling_max"},
    {dnnl_pooling_avg_include_padding, "pooling_avg_include_padding"},
    {dnnl_pooling_avg_exclude_padding, "pooling_avg_exclude_padding"},
    {dnnl_lrn_across_channels, "lrn_across_channels"},
    {dnnl_lrn_within_channel, "lrn_within_channel"},
    {dnnl_vanilla_rnn, "vanilla_rnn"},
    {dnnl_vanilla_lstm, "vanilla_lstm"},
    {dnnl_vanilla_gru, "vanilla_gru"},
    {dnnl_lbr_gru, "lbr_gru"},
    {dnnl_vanilla_augru, "vanilla_augru"},
    {dnnl_lbr_augru, "lbr_augru"},
    {dnnl_binary_add, "binary_add"},
    {dnnl_binary_mul, "binary_mul"},
    {dnnl_binary_max, "binary_max"},
    {dnnl_binary_min, "binary_min"},
    {dnnl_binary_div, "binary_div"},
    {dnnl_binary_sub, "binary_sub"},
    {dnnl_binary_ge, "binary_ge"},
    {dnnl_binary_gt, "binary_gt"},
    {dnnl_binary_le, "binary_le"},
    {dnnl_binary_lt, "binary_lt"},
    {dnnl_binary_eq, "binary_eq"},
    {dnnl_binary_ne, "binary_ne"},
    {dnnl_resampling_nearest, "resampling_nearest"},
    {dnnl_resampling_linear, "resampling_linear"},
    {dnnl_reduction_max, "reduction_max"},
    {dnnl_reduction_min, "reduction_min"},
    {dnnl_reduction_sum, "reduction_sum"},
    {dnnl_reduction_mul, "reduction_mul"},
    {dnnl_reduction_mean, "reduction_mean"},
    {dnnl_reduction_norm_lp_max, "reduction_norm_lp_max"},
    {dnnl_reduction_norm_lp_sum, "reduction_norm_lp_sum"},
    {dnnl_reduction_norm_lp_power_p_max, "reduction_norm_lp_power_p_max"},
    {dnnl_reduction_norm_lp_power_p_sum, "reduction_norm_lp_power_p_sum"},
    {dnnl_softmax_accurate, "softmax_accurate"},
    {dnnl_softmax_log, "softmax_log"},
};

}  // namespace

extern "C" {

const char* dnnl_status2str(dnnl_status_t value) {
  static const Named kNames[] = {
      {dnnl_success, "success"},
      {dnnl_out_of_memory, "out_of_memory"},
      {dnnl_invalid_arguments, "invalid_arguments"},
      {dnnl_unimplemented, "unimplemented"},
      {dnnl_iterator_ends, "iterator_ends"},
      {dnnl_runtime_error, "runtime_error"},
      {dnnl_not_required, "not_required"},
  };
  return Find(kNames, value);
}

const char* dnnl_dt2str(dnnl_data_type_t value) {
  const int number = static_cast<int>(value);
  if (number < dnnl_data_type_undef || number > dnnl_u8) return "unknown";
  return spi::NameOf(static_cast<spi::DataType>(number));
}

const char* dnnl_fmt_kind2str(dnnl_format_kind_t value) {
  static const Named kNames[] = {
      {dnnl_format_kind_undef, "undef"},
      {dnnl_format_kind_any, "any"},
      {dnnl_blocked, "blocked"},
      {dnnl_format_kind_wino, "wino"},
      {dnnl_format_kind_rnn_packed, "rnn_packed"},
  };
  return Find(kNames, value);
}

const char* dnnl_fmt_tag2str(dnnl_format_tag_t value) {
  if (value == dnnl_format_tag_undef) return "undef";
  if (value == dnnl_format_tag_any) return "any";
  const char* const word = api::WordOf(value);
  return word == nullptr ? "unknown" : word;
}

const char* dnnl_prop_kind2str(dnnl_prop_kind_t value) {
  static const Named kNames[] = {
      {dnnl_prop_kind_undef, "undef"},
      {dnnl_forward_training, "forward_training"},
      {dnnl_forward_inference, "forward_inference"},
      {dnnl_backward, "backward"},
      {dnnl_backward_data, "backward_data"},
      {dnnl_backward_weights, "backward_weights"},
      {dnnl_backward_bias, "backward_bias"},
  };
  return Find(kNames, value);
}

const char* dnnl_prim_kind2str(dnnl_primitive_kind_t value) {
  static const Named kNames[] = {
      {dnnl_undefined_primitive, "undef"},
      {dnnl_reorder, "reorder"},
      {dnnl_shuffle, "shuffle"},
      {dnnl_concat, "concat"},
      {dnnl_sum, "sum"},
      {dnnl_convolution, "convolution"},
      {dnnl_deconvolution, "deconvolution"},
      {dnnl_eltwise, "eltwise"},
      {dnnl_softmax, "softmax"},
      {dnnl_pooling, "pooling"},
      {dnnl_lrn, "lrn"},
      {dnnl_batch_normalization, "batch_normalization"},
      {dnnl_layer_normalization, "layer_normalization"},
      {dnnl_inner_product, "inner_product"},
      {dnnl_rnn, "rnn"},
      {dnnl_gemm, "gemm"},
      {dnnl_binary, "binary"},
      {dnnl_logsoftmax, "logsoftmax"},
      {dnnl_matmul, "matmul"},
      {dnnl_resampling, "resampling"},
      {dnnl_pooling_v2, "pooling_v2"},
      {dnnl_reduction, "reduction"},
      {dnnl_prelu, "prelu"},
      {dnnl_softmax_v2, "softmax_v2"},
      {dnnl_primitive_kind_max, "primitive_kind_max"},
  };
  return Find(kNames, value);
}

const char* dnnl_engine_kind2str(dnnl_engine_kind_t value) {
  static const Named kNames[] = {{dnnl_any_engine, "any"}, {dnnl_cpu, "cpu"}, {dnnl_gpu, "gpu"}};
  return Find(kNames, value);
}

const char* dnnl_scratchpad_mode2str(dnnl_scratchpad_mode_t value) {
  static const Named kNames[] = {{dnnl_scratchpad_mode_library, "library"},
                                 {dnnl_scratchpad_mode_user, "user"}};
  return Find(kNames, value);
}

const char* dnnl_alg_kind2str(dnnl_alg_kind_t value) { return Find(kAlgorithms, value); }

const char* dnnl_rnn_flags2str(dnnl_rnn_flags_t value) {
  static const Named kNames[] = {
      {dnnl_rnn_flags_undef, "undef"},
  };
  return Find(kNames, value);
}

const char* dnnl_rnn_direction2str(dnnl_rnn_direction_t value) {
  static const Named kNames[] = {
      {dnnl_unidirectional_left2right, "unidirectional_left2right"},
      {dnnl_unidirectional_right2left, "unidirectional_right2left"},
      {dnnl_bidirectional_concat, "bidirectional_concat"},
      {dnnl_bidirectional_sum, "bidirectional_sum"},
  };
  return Find(kNames, value);
}

const char* dnnl_fpmath_mode2str(dnnl_fpmath_mode_t value) {
  static const Named kNames[] = {
      {dnnl_fpmath_mode_strict, "fpmath_mode_strict"},
      {dnnl_fpmath_mode_bf16, "fpmath_mode_bf16"},
      {dnnl_fpmath_mode_f16, "fpmath_mode_f16"},
      {dnnl_fpmath_mode_any, "any"},
  };
  return Find(kNames, value);
}

const char* dnnl_cpu_isa2str(dnnl_cpu_isa_t value) {
  static const Named kNames[] = {
      {dnnl_cpu_isa_all, "cpu_isa_all"},
      {dnnl_cpu_isa_sse41, "cpu_isa_sse41"},
      {dnnl_cpu_isa_avx, "cpu_isa_avx"},
      {dnnl_cpu_isa_avx2, "cpu_isa_avx2"},
      {dnnl_cpu_isa_avx512_mic, "cpu_isa_avx512_mic"},
      {dnnl_cpu_isa_avx512_mic_4ops, "cpu_isa_avx512_mic_4ops"},
      {dnnl_cpu_isa_avx512_core, "cpu_isa_avx512_core"},
      {dnnl_cpu_isa_avx512_core_vnni, "cpu_isa_avx512_core_vnni"},
      {dnnl_cpu_isa_avx512_core_bf16, "cpu_isa_avx512_core_bf16"},
      {dnnl_cpu_isa_avx512_core_amx, "cpu_isa_avx512_core_amx"},
      {dnnl_cpu_isa_avx2_vnni, "cpu_isa_avx2_vnni"},
  };
  return Find(kNames, value);
}

const char* dnnl_cpu_isa_hints2str(dnnl_cpu_isa_hints_t value) {
  static const Named kNames[] = {
      {dnnl_cpu_isa_no_hints, "cpu_isa_no_hints"},
      {dnnl_cpu_isa_prefer_ymm, "cpu_isa_prefer_ymm"},
  };
  return Find(kNames, value);
}

const char* dnnl_runtime2str(unsigned value) {
  switch (value) {
    case DNNL_RUNTIME_NONE:
      return "none";
    case DNNL_RUNTIME_SEQ:
      return "sequential";
    case DNNL_RUNTIME_OMP:
      return "OpenMP";
    case DNNL_RUNTIME_TBB:
      return "TBB";
    case DNNL_RUNTIME_THREADPOOL:
      return "threadpool";
    case DNNL_RUNTIME_OCL:
      return "OpenCL";
    default:
      return "unknown";
  }
}

}  // extern "C"
