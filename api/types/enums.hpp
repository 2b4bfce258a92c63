// Scoped enumerations of the programming model. Numbers are those of the C enumerations.
//
// Source: oneDNN 2.6.3, "dnnl.hpp"; requirements OBJ-021, OBJ-023; readings.
#ifndef DNNSPEC_API_TYPES_ENUMS_HPP_
#define DNNSPEC_API_TYPES_ENUMS_HPP_

#include <type_traits>

#include "oneapi/dnnl/types/c_algorithms.h"
#include "oneapi/dnnl/types/c_types.h"

namespace dnnl {

enum class status {
  success = dnnl_success,
  out_of_memory = dnnl_out_of_memory,
  invalid_arguments = dnnl_invalid_arguments,
  unimplemented = dnnl_unimplemented,
  iterator_ends = dnnl_iterator_ends,
  runtime_error = dnnl_runtime_error,
  not_required = dnnl_not_required,
};

// Down-conversions that an implementation may, and none must, use inside f32 arithmetic.
enum class fpmath_mode {
  strict = dnnl_fpmath_mode_strict,
  bf16 = dnnl_fpmath_mode_bf16,
  f16 = dnnl_fpmath_mode_f16,
  any = dnnl_fpmath_mode_any,
};

// Who provides a primitive's temporary storage. With `library` the library does: here it belongs to
// the stream, but in other libraries to the primitive, so portable programs do not execute one from
// two threads at once. With `user` it comes as DNNL_ARG_SCRATCHPAD, and concurrent executions, each
// with its own, are safe (ATTR-007 to ATTR-014, PRIM-042).
enum class scratchpad_mode {
  library = dnnl_scratchpad_mode_library,
  user = dnnl_scratchpad_mode_user,
};

enum class prop_kind {
  undef = dnnl_prop_kind_undef,
  forward_training = dnnl_forward_training,
  forward_inference = dnnl_forward_inference,
  forward_scoring = dnnl_forward_scoring,
  forward = dnnl_forward,
  backward = dnnl_backward,
  backward_data = dnnl_backward_data,
  backward_weights = dnnl_backward_weights,
  backward_bias = dnnl_backward_bias,
};

enum class algorithm {
  undef = dnnl_alg_kind_undef,
  convolution_auto = dnnl_convolution_auto,
  convolution_direct = dnnl_convolution_direct,
  convolution_winograd = dnnl_convolution_winograd,
  deconvolution_direct = dnnl_deconvolution_direct,
  deconvolution_winograd = dnnl_deconvolution_winograd,
  eltwise_relu = dnnl_eltwise_relu,
  eltwise_tanh = dnnl_eltwise_tanh,
  eltwise_elu = dnnl_eltwise_elu,
  eltwise_square = dnnl_eltwise_square,
  eltwise_abs = dnnl_eltwise_abs,
  eltwise_sqrt = dnnl_eltwise_sqrt,
  eltwise_swish = dnnl_eltwise_swish,
  eltwise_linear = dnnl_eltwise_linear,
  eltwise_bounded_relu = dnnl_eltwise_bounded_relu,
  eltwise_soft_relu = dnnl_eltwise_soft_relu,
  eltwise_logsigmoid = dnnl_eltwise_logsigmoid,
  eltwise_mish = dnnl_eltwise_mish,
  eltwise_logistic = dnnl_eltwise_logistic,
  eltwise_exp = dnnl_eltwise_exp,
  eltwise_gelu = dnnl_eltwise_gelu,
  eltwise_gelu_tanh = dnnl_eltwise_gelu_tanh,
  eltwise_gelu_erf = dnnl_eltwise_gelu_erf,
  eltwise_log = dnnl_eltwise_log,
  eltwise_clip = dnnl_eltwise_clip,
  eltwise_clip_v2 = dnnl_eltwise_clip_v2,
  eltwise_pow = dnnl_eltwise_pow,
  eltwise_round = dnnl_eltwise_round,
  eltwise_hardswish = dnnl_eltwise_hardswish,
  eltwise_relu_use_dst_for_bwd = dnnl_eltwise_relu_use_dst_for_bwd,
  eltwise_tanh_use_dst_for_bwd = dnnl_eltwise_tanh_use_dst_for_bwd,
  eltwise_elu_use_dst_for_bwd = dnnl_eltwise_elu_use_dst_for_bwd,
  eltwise_sqrt_use_dst_for_bwd = dnnl_eltwise_sqrt_use_dst_for_bwd,
  eltwise_logistic_use_dst_for_bwd = dnnl_eltwise_logistic_use_dst_for_bwd,
  eltwise_exp_use_dst_for_bwd = dnnl_eltwise_exp_use_dst_for_bwd,
  eltwise_clip_v2_use_dst_for_bwd = dnnl_eltwise_clip_v2_use_dst_for_bwd,
  lrn_across_channels = dnnl_lrn_across_channels,
  lrn_within_channel = dnnl_lrn_within_channel,
  pooling_max = dnnl_pooling_max,
  pooling_avg = dnnl_pooling_avg,
  pooling_avg_include_padding = dnnl_pooling_avg_include_padding,
  pooling_avg_exclude_padding = dnnl_pooling_avg_exclude_padding,
  vanilla_rnn = dnnl_vanilla_rnn,
  vanilla_lstm = dnnl_vanilla_lstm,
  vanilla_gru = dnnl_vanilla_gru,
  lbr_gru = dnnl_lbr_gru,
  vanilla_augru = dnnl_vanilla_augru,
  lbr_augru = dnnl_lbr_augru,
  binary_add = dnnl_binary_add,
  binary_mul = dnnl_binary_mul,
  binary_max = dnnl_binary_max,
  binary_min = dnnl_binary_min,
  binary_div = dnnl_binary_div,
  binary_sub = dnnl_binary_sub,
  binary_ge = dnnl_binary_ge,
  binary_gt = dnnl_binary_gt,
  binary_le = dnnl_binary_le,
  binary_lt = dnnl_binary_lt,
  binary_eq = dnnl_binary_eq,
  binary_ne = dnnl_binary_ne,
  resampling_nearest = dnnl_resampling_nearest,
  resampling_linear = dnnl_resampling_linear,
  reduction_max = dnnl_reduction_max,
  reduction_min = dnnl_reduction_min,
  reduction_sum = dnnl_reduction_sum,
  reduction_mul = dnnl_reduction_mul,
  reduction_mean = dnnl_reduction_mean,
  reduction_norm_lp_max = dnnl_reduction_norm_lp_max,
  reduction_norm_lp_sum = dnnl_reduction_norm_lp_sum,
  reduction_norm_lp_power_p_max = dnnl_reduction_norm_lp_power_p_max,
  reduction_norm_lp_power_p_sum = dnnl_reduction_norm_lp_power_p_sum,
  softmax_accurate = dnnl_softmax_accurate,
  softmax_log = dnnl_softmax_log,
};

enum class normalization_flags : unsigned {
  none = dnnl_normalization_flags_none,
  use_global_stats = dnnl_use_global_stats,
  use_scale_shift = dnnl_use_scaleshift,
  fuse_norm_relu = dnnl_fuse_norm_relu,
  use_scale = dnnl_use_scale,
  use_shift = dnnl_use_shift,
};

enum class rnn_flags : unsigned {
  undef = dnnl_rnn_flags_undef,
};

enum class rnn_direction {
  unidirectional_left2right = dnnl_unidirectional_left2right,
  unidirectional_right2left = dnnl_unidirectional_right2left,
  bidirectional_concat = dnnl_bidirectional_concat,
  bidirectional_sum = dnnl_bidirectional_sum,
  unidirectional = dnnl_unidirectional,
};

enum class query {
  undef = dnnl_query_undef,
  engine = dnnl_query_engine,
  primitive_kind = dnnl_query_primitive_kind,
  num_of_inputs_s32 = dnnl_query_num_of_inputs_s32,
  num_of_outputs_s32 = dnnl_query_num_of_outputs_s32,
  time_estimate_f64 = dnnl_query_time_estimate_f64,
  memory_consumption_s64 = dnnl_query_memory_consumption_s64,
  scratchpad_engine = dnnl_query_scratchpad_engine,
  reorder_src_engine = dnnl_query_reorder_src_engine,
  reorder_dst_engine = dnnl_query_reorder_dst_engine,
  impl_info_str = dnnl_query_impl_info_str,
  prop_kind = dnnl_query_prop_kind,
  cache_blob_id_size_s64 = dnnl_query_cache_blob_id_size_s64,
  cache_blob_id = dnnl_query_cache_blob_id,
  op_d = dnnl_query_op_d,
  convolution_d = dnnl_query_convolution_d,
  deconvolution_d = dnnl_query_deconvolution_d,
  shuffle_d = dnnl_query_shuffle_d,
  eltwise_d = dnnl_query_eltwise_d,
  softmax_d = dnnl_query_softmax_d,
  pooling_d = dnnl_query_pooling_d,
  lrn_d = dnnl_query_lrn_d,
  batch_normalization_d = dnnl_query_batch_normalization_d,
  layer_normalization_d = dnnl_query_layer_normalization_d,
  inner_product_d = dnnl_query_inner_product_d,
  rnn_d = dnnl_query_rnn_d,
  binary_d = dnnl_query_binary_d,
  logsoftmax_d = dnnl_query_logsoftmax_d,
  matmul_d = dnnl_query_matmul_d,
  resampling_d = dnnl_query_resampling_d,
  reduction_d = dnnl_query_reduction_d,
  src_md = dnnl_query_src_md,
  diff_src_md = dnnl_query_diff_src_md,
  weights_md = dnnl_query_weights_md,
  diff_weights_md = dnnl_query_diff_weights_md,
  dst_md = dnnl_query_dst_md,
  diff_dst_md = dnnl_query_diff_dst_md,
  workspace_md = dnnl_query_workspace_md,
  scratchpad_md = dnnl_query_scratchpad_md,
  exec_arg_md = dnnl_query_exec_arg_md,
};

inline dnnl_fpmath_mode_t convert_to_c(fpmath_mode value) {
  return static_cast<dnnl_fpmath_mode_t>(value);
}
inline dnnl_scratchpad_mode_t convert_to_c(scratchpad_mode value) {
  return static_cast<dnnl_scratchpad_mode_t>(value);
}
inline dnnl_prop_kind_t convert_to_c(prop_kind value) {
  return static_cast<dnnl_prop_kind_t>(value);
}
inline dnnl_alg_kind_t convert_to_c(algorithm value) { return static_cast<dnnl_alg_kind_t>(value); }
inline dnnl_normalization_flags_t convert_to_c(normalization_flags value) {
  return static_cast<dnnl_normalization_flags_t>(value);
}
inline dnnl_rnn_flags_t convert_to_c(rnn_flags value) {
  return static_cast<dnnl_rnn_flags_t>(value);
}
inline dnnl_rnn_direction_t convert_to_c(rnn_direction value) {
  return static_cast<dnnl_rnn_direction_t>(value);
}
inline dnnl_query_t convert_to_c(query value) { return static_cast<dnnl_query_t>(value); }

}  // namespace dnnl

// What these headers need and oneDNN's lack. Not in dnnl, whose names a program with
// `using namespace dnnl;` cannot use for anything else.
namespace dnnspec {

// True for the enumerations whose values are sets of bits and combine with | & ^ ~ (OBJ-023).
template <typename Enum>
struct is_bitmask : std::false_type {};
template <>
struct is_bitmask<dnnl::normalization_flags> : std::true_type {};
template <>
struct is_bitmask<dnnl::rnn_flags> : std::true_type {};

template <typename Enum>
using if_bitmask = typename std::enable_if<is_bitmask<Enum>::value, Enum>::type;

}  // namespace dnnspec

namespace dnnl {

template <typename Enum>
constexpr dnnspec::if_bitmask<Enum> operator|(Enum a, Enum b) {
  return static_cast<Enum>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
template <typename Enum>
constexpr dnnspec::if_bitmask<Enum> operator&(Enum a, Enum b) {
  return static_cast<Enum>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}
template <typename Enum>
constexpr dnnspec::if_bitmask<Enum> operator^(Enum a, Enum b) {
  return static_cast<Enum>(static_cast<unsigned>(a) ^ static_cast<unsigned>(b));
}
template <typename Enum>
constexpr dnnspec::if_bitmask<Enum> operator~(Enum a) {
  return static_cast<Enum>(~static_cast<unsigned>(a));
}
template <typename Enum>
dnnspec::if_bitmask<Enum>& operator|=(Enum& a, Enum b) {
  return a = a | b;
}
template <typename Enum>
dnnspec::if_bitmask<Enum>& operator&=(Enum& a, Enum b) {
  return a = a & b;
}
template <typename Enum>
dnnspec::if_bitmask<Enum>& operator^=(Enum& a, Enum b) {
  return a = a ^ b;
}

}  // namespace dnnl

// Everything is in ::dnnl; ::oneapi::dnnl is another name for it (OBJ-017).
namespace oneapi {
namespace dnnl = ::dnnl;
}  // namespace oneapi

#endif  // DNNSPEC_API_TYPES_ENUMS_HPP_
