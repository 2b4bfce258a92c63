#include "oneapi/dnnl/c_api/post_ops.h"

#include <variant>
#include <vector>

#include "api/model/attributes_state.h"
#include "api/model/c_guard.h"
#include "oneapi/dnnl/model/post_ops.hpp"

namespace {

using api::StatusOf;
using dnnl::memory;
namespace state = dnnl::state;

dnnl::post_ops Borrow(const_dnnl_post_ops_t post_ops) {
  return api::Borrow<dnnl::post_ops>(post_ops);
}

memory::data_type TypeOf(dnnl_data_type_t type) { return static_cast<memory::data_type>(type); }

// Calls read(entry number `index`), which is of type Op.
template <typename Op, typename Read>
dnnl_status_t ReadEntry(const_dnnl_post_ops_t post_ops, int index, const Read& read) {
  if (post_ops == nullptr || index < 0 || index >= dnnl_post_ops_len(post_ops))
    return dnnl_invalid_arguments;
  const Op* const op = std::get_if<Op>(&post_ops->ops[static_cast<std::size_t>(index)]);
  if (op == nullptr) return dnnl_invalid_arguments;
  read(*op);
  return dnnl_success;
}

template <typename T, typename From>
void Put(const From& value, T* to) {
  if (to != nullptr) *to = static_cast<T>(value);
}

}  // namespace

extern "C" {

dnnl_status_t dnnl_post_ops_create(dnnl_post_ops_t* post_ops) {
  return StatusOf([&] { *post_ops = api::Give(dnnl::post_ops()); }, post_ops);
}

dnnl_status_t dnnl_post_ops_destroy(dnnl_post_ops_t post_ops) { return api::Destroy(post_ops); }

int dnnl_post_ops_len(const_dnnl_post_ops_t post_ops) {
  return post_ops == nullptr ? 0 : static_cast<int>(post_ops->ops.size());
}

dnnl_primitive_kind_t dnnl_post_ops_get_kind(const_dnnl_post_ops_t post_ops, int index) {
  dnnl_primitive_kind_t kind = dnnl_undefined_primitive;
  StatusOf([&] { kind = dnnl::convert_to_c(Borrow(post_ops).kind(index)); }, post_ops);
  return kind;
}

dnnl_status_t dnnl_post_ops_append_sum(dnnl_post_ops_t post_ops, float scale) {
  return dnnl_post_ops_append_sum_v3(post_ops, scale, 0, dnnl_data_type_undef);
}

dnnl_status_t dnnl_post_ops_append_sum_v2(dnnl_post_ops_t post_ops, float scale,
                                          dnnl_data_type_t data_type) {
  return dnnl_post_ops_append_sum_v3(post_ops, scale, 0, data_type);
}

dnnl_status_t dnnl_post_ops_append_sum_v3(dnnl_post_ops_t post_ops, float scale, int32_t zero_point,
                                          dnnl_data_type_t data_type) {
  return StatusOf([&] { Borrow(post_ops).append_sum(scale, zero_point, TypeOf(data_type)); },
                  post_ops);
}

dnnl_status_t dnnl_post_ops_get_params_sum(const_dnnl_post_ops_t post_ops, int index,
                                           float* scale) {
  return dnnl_post_ops_get_params_sum_v3(post_ops, index, scale, nullptr, nullptr);
}

dnnl_status_t dnnl_post_ops_get_params_sum_v2(const_dnnl_post_ops_t post_ops, int index,
                                              float* scale, dnnl_data_type_t* data_type) {
  return dnnl_post_ops_get_params_sum_v3(post_ops, index, scale, nullptr, data_type);
}

dnnl_status_t dnnl_post_ops_get_params_sum_v3(const_dnnl_post_ops_t post_ops, int index,
                                              float* scale, int32_t* zero_point,
                                              dnnl_data_type_t* data_type) {
  return ReadEntry<state::sum_op>(post_ops, index, [&](const auto& op) {
    Put(op.scale, scale);
    Put(op.zero_point, zero_point);
    Put(op.type, data_type);
  });
}

dnnl_status_t dnnl_post_ops_append_eltwise(dnnl_post_ops_t post_ops, float scale,
                                           dnnl_alg_kind_t alg_kind, float alpha, float beta) {
  return StatusOf(
      [&] {
        Borrow(post_ops).append_eltwise(scale, static_cast<dnnl::algorithm>(alg_kind), alpha, beta);
      },
      post_ops);
}

dnnl_status_t dnnl_post_ops_get_params_eltwise(const_dnnl_post_ops_t post_ops, int index,
                                               float* scale, dnnl_alg_kind_t* alg_kind,
                                               float* alpha, float* beta) {
  return ReadEntry<state::eltwise_op>(post_ops, index, [&](const auto& op) {
    Put(op.scale, scale);
    Put(op.kind, alg_kind);
    Put(op.alpha, alpha);
    Put(op.beta, beta);
  });
}

dnnl_status_t dnnl_post_ops_append_dw(dnnl_post_ops_t post_ops, dnnl_data_type_t weights_data_type,
                                      dnnl_data_type_t bias_data_type,
                                      dnnl_data_type_t dst_data_type, dnnl_dim_t kernel_size,
                                      dnnl_dim_t stride_size, dnnl_dim_t padding_l_size,
                                      dnnl_dim_t count, int mask, const float* scales) {
  return StatusOf(
      [&] {
        Borrow(post_ops).append_dw(TypeOf(weights_data_type), TypeOf(bias_data_type),
                                   TypeOf(dst_data_type), kernel_size, stride_size, padding_l_size,
                                   mask, api::ValuesOf<float>(count, scales));
      },
      post_ops);
}

dnnl_status_t dnnl_post_ops_get_params_dw(const_dnnl_post_ops_t post_ops, int index,
                                          dnnl_data_type_t* weights_data_type,
                                          dnnl_data_type_t* bias_data_type,
                                          dnnl_data_type_t* dst_data_type, dnnl_dim_t* kernel_size,
                                          dnnl_dim_t* stride_size, dnnl_dim_t* padding_l_size,
                                          dnnl_dim_t* count, int* mask, const float** scales) {
  return ReadEntry<state::depthwise_op>(post_ops, index, [&](const auto& op) {
    Put(op.weights, weights_data_type);
    Put(op.bias, bias_data_type);
    Put(op.dst, dst_data_type);
    Put(op.kernel, kernel_size);
    Put(op.stride, stride_size);
    Put(op.padding, padding_l_size);
    Put(op.scales.size(), count);
    Put(op.mask, mask);
    Put(op.scales.data(), scales);
  });
}

dnnl_status_t dnnl_post_ops_append_dw_k3s1p1(dnnl_post_ops_t ops, dnnl_data_type_t weights,
                                             dnnl_data_type_t bias, dnnl_data_type_t dst,
                                             dnnl_dim_t count, int mask, const float* scales) {
  return dnnl_post_ops_append_dw(ops, weights, bias, dst, 3, 1, 1, count, mask, scales);
}

dnnl_status_t dnnl_post_ops_get_params_dw_k3s1p1(const_dnnl_post_ops_t ops, int index,
                                                 dnnl_data_type_t* weights, dnnl_data_type_t* bias,
                                                 dnnl_data_type_t* dst, dnnl_dim_t* count,
                                                 int* mask, const float** scales) {
  return dnnl_post_ops_get_params_dw(ops, index, weights, bias, dst, nullptr, nullptr, nullptr,
                                     count, mask, scales);
}

dnnl_status_t dnnl_post_ops_append_dw_k3s2p1(dnnl_post_ops_t ops, dnnl_data_type_t weights,
                                             dnnl_data_type_t bias, dnnl_data_type_t dst,
                                             dnnl_dim_t count, int mask, const float* scales) {
  return dnnl_post_ops_append_dw(ops, weights, bias, dst, 3, 2, 1, count, mask, scales);
}

dnnl_status_t dnnl_post_ops_get_params_dw_k3s2p1(const_dnnl_post_ops_t ops, int index,
                                                 dnnl_data_type_t* weights, dnnl_data_type_t* bias,
                                                 dnnl_data_type_t* dst, dnnl_dim_t* count,
                                                 int* mask, const float** scales) {
  return dnnl_post_ops_get_params_dw(ops, index, weights, bias, dst, nullptr, nullptr, nullptr,
                                     count, mask, scales);
}

dnnl_status_t dnnl_post_ops_append_binary(dnnl_post_ops_t post_ops, dnnl_alg_kind_t alg_kind,
                                          const dnnl_memory_desc_t* src1_desc) {
  return StatusOf(
      [&] { Borrow(post_ops).append_binary(static_cast<dnnl::algorithm>(alg_kind), *src1_desc); },
      post_ops, src1_desc);
}

dnnl_status_t dnnl_post_ops_get_params_binary(const_dnnl_post_ops_t post_ops, int index,
                                              dnnl_alg_kind_t* alg_kind,
                                              const dnnl_memory_desc_t** src1_desc) {
  return ReadEntry<state::binary_op>(post_ops, index, [&](const auto& op) {
    Put(op.kind, alg_kind);
    Put(&op.src1, src1_desc);
  });
}

dnnl_status_t dnnl_post_ops_append_prelu(dnnl_post_ops_t post_ops, int mask) {
  return StatusOf([&] { Borrow(post_ops).append_prelu(mask); }, post_ops);
}

dnnl_status_t dnnl_post_ops_get_params_prelu(const_dnnl_post_ops_t post_ops, int index, int* mask) {
  return ReadEntry<state::prelu_op>(post_ops, index, [&](const auto& op) { Put(op.mask, mask); });
}

}  // extern "C"
