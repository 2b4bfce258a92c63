#include "oneapi/dnnl/convolution/c_api.h"

#include <algorithm>
#include <memory>

#include "api/convolution/operation.h"
#include "api/model/c_guard.h"
#include "api/model/operation_in_c.h"
#include "api/product/in_c.h"
#include "oneapi/dnnl/convolution/convolution.hpp"

namespace api {
namespace {

using Forward = dnnl::convolution_forward;
using BackwardData = dnnl::convolution_backward_data;
using BackwardWeights = dnnl::convolution_backward_weights;
using Vector = dnnl::memory::dims;

// A descriptor's vectors, or a caller's, as C++ has them.
struct Vectors {
  Vector strides, dilates, padding_l, padding_r;
};

// Null dilates are dense, a null padding_r is padding_l.
Vectors VectorsOf(const dnnl_memory_desc_t& src, const dnnl_dim_t* strides,
                  const dnnl_dim_t* dilates, const dnnl_dim_t* padding_l,
                  const dnnl_dim_t* padding_r) {
  const int spatial = std::clamp(src.ndims, 2, 5) - 2;
  const auto read = [spatial](const dnnl_dim_t* from) { return Vector(from, from + spatial); };
  const Vector dense(static_cast<size_t>(spatial), 0);
  return {read(strides), dilates == nullptr ? dense : read(dilates), read(padding_l),
          read(padding_r == nullptr ? padding_l : padding_r)};
}

Vectors VectorsOf(const dnnl_memory_desc_t& src, const dnnl_convolution_desc_t& c) {
  return VectorsOf(src, c.strides, c.dilates, c.padding[0], c.padding[1]);
}

Forward::desc ForwardOf(dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t alg_kind,
                        const dnnl_memory_desc_t& src, const dnnl_memory_desc_t& weights,
                        const dnnl::memory::desc& bias, const dnnl_memory_desc_t& dst,
                        const Vectors& v) {
  return {static_cast<dnnl::prop_kind>(prop_kind),
          static_cast<dnnl::algorithm>(alg_kind),
          src,
          weights,
          bias,
          dst,
          v.strides,
          v.dilates,
          v.padding_l,
          v.padding_r};
}

BackwardData::desc BackwardDataOf(dnnl_alg_kind_t alg_kind, const dnnl_memory_desc_t& diff_src,
                                  const dnnl_memory_desc_t& weights,
                                  const dnnl_memory_desc_t& diff_dst, const Vectors& v) {
  return {static_cast<dnnl::algorithm>(alg_kind),
          diff_src,
          weights,
          diff_dst,
          v.strides,
          v.dilates,
          v.padding_l,
          v.padding_r};
}

BackwardWeights::desc BackwardWeightsOf(dnnl_alg_kind_t alg_kind, const dnnl_memory_desc_t& src,
                                        const dnnl_memory_desc_t& diff_weights,
                                        const dnnl::memory::desc& diff_bias,
                                        const dnnl_memory_desc_t& diff_dst, const Vectors& v) {
  return {static_cast<dnnl::algorithm>(alg_kind),
          src,
          diff_weights,
          diff_bias,
          diff_dst,
          v.strides,
          v.dilates,
          v.padding_l,
          v.padding_r};
}

dnnl::primitive_desc Describe(const void* op_desc, const dnnl::primitive_attr& attr,
                              const dnnl::engine& on, dnnl_primitive_desc_t hint) {
  const auto& c = *static_cast<const dnnl_convolution_desc_t*>(op_desc);
  if (c.prop_kind == dnnl_backward_data)
    return BackwardData::primitive_desc(
        BackwardDataOf(c.alg_kind, c.diff_src_desc, c.weights_desc, c.diff_dst_desc,
                       VectorsOf(c.diff_src_desc, c)),
        attr, on, Forward::primitive_desc(hint));
  if (c.prop_kind == dnnl_backward_weights)
    return BackwardWeights::primitive_desc(
        BackwardWeightsOf(c.alg_kind, c.src_desc, c.diff_weights_desc, c.diff_bias_desc,
                          c.diff_dst_desc, VectorsOf(c.src_desc, c)),
        attr, on, Forward::primitive_desc(hint));
  return Forward::primitive_desc(ForwardOf(c.prop_kind, c.alg_kind, c.src_desc, c.weights_desc,
                                           c.bias_desc, c.dst_desc, VectorsOf(c.src_desc, c)),
                                 attr, on);
}

std::shared_ptr<const void> MadeOf(const spi::Operation& operation) {
  auto desc = DescriptorOf<dnnl_convolution_desc_t>(operation);
  const spi::ConvolutionView convolution(operation);
  const spi::ConvolutionParams& params = convolution.params;
  desc.alg_kind = static_cast<dnnl_alg_kind_t>(params.algorithm);
  std::copy_n(params.strides.begin(), convolution.spatial, desc.strides);
  std::copy_n(params.dilates.begin(), convolution.spatial, desc.dilates);
  std::copy_n(params.padding_l.begin(), convolution.spatial, desc.padding[0]);
  std::copy_n(params.padding_r.begin(), convolution.spatial, desc.padding[1]);
  return std::make_shared<const dnnl_convolution_desc_t>(desc);
}

// What the functions do, dilated or not: their `dilates` are null where they have none.
dnnl_status_t InitForward(dnnl_convolution_desc_t* conv_desc, dnnl_prop_kind_t prop_kind,
                          dnnl_alg_kind_t alg_kind, const dnnl_memory_desc_t* src,
                          const dnnl_memory_desc_t* weights, const dnnl_memory_desc_t* bias,
                          const dnnl_memory_desc_t* dst, const dnnl_dim_t* strides,
                          const dnnl_dim_t* dilates, const dnnl_dim_t* padding_l,
                          const dnnl_dim_t* padding_r) {
  return StatusOf(
      [&] {
        *conv_desc = ForwardOf(prop_kind, alg_kind, *src, *weights, OrNone(bias), *dst,
                               VectorsOf(*src, strides, dilates, padding_l, padding_r))
                         .data;
      },
      conv_desc, src, weights, dst, strides, padding_l);
}

dnnl_status_t InitBackwardData(dnnl_convolution_desc_t* conv_desc, dnnl_alg_kind_t alg_kind,
                               const dnnl_memory_desc_t* diff_src,
                               const dnnl_memory_desc_t* weights,
                               const dnnl_memory_desc_t* diff_dst, const dnnl_dim_t* strides,
                               const dnnl_dim_t* dilates, const dnnl_dim_t* padding_l,
                               const dnnl_dim_t* padding_r) {
  return StatusOf(
      [&] {
        *conv_desc = BackwardDataOf(alg_kind, *diff_src, *weights, *diff_dst,
                                    VectorsOf(*diff_src, strides, dilates, padding_l, padding_r))
                         .data;
      },
      conv_desc, diff_src, weights, diff_dst, strides, padding_l);
}

dnnl_status_t InitBackwardWeights(dnnl_convolution_desc_t* conv_desc, dnnl_alg_kind_t alg_kind,
                                  const dnnl_memory_desc_t* src,
                                  const dnnl_memory_desc_t* diff_weights,
                                  const dnnl_memory_desc_t* diff_bias,
                                  const dnnl_memory_desc_t* diff_dst, const dnnl_dim_t* strides,
                                  const dnnl_dim_t* dilates, const dnnl_dim_t* padding_l,
                                  const dnnl_dim_t* padding_r) {
  return StatusOf(
      [&] {
        *conv_desc = BackwardWeightsOf(alg_kind, *src, *diff_weights, OrNone(diff_bias), *diff_dst,
                                       VectorsOf(*src, strides, dilates, padding_l, padding_r))
                         .data;
      },
      conv_desc, src, diff_weights, diff_dst, strides, padding_l);
}

}  // namespace

extern const OperationInC kConvolutionInC;
const OperationInC kConvolutionInC = {dnnl_convolution, dnnl_query_convolution_d, Describe, MadeOf};

}  // namespace api

extern "C" {

dnnl_status_t dnnl_convolution_forward_desc_init(
    dnnl_convolution_desc_t* conv_desc, dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t alg_kind,
    const dnnl_memory_desc_t* src_desc, const dnnl_memory_desc_t* weights_desc,
    const dnnl_memory_desc_t* bias_desc, const dnnl_memory_desc_t* dst_desc,
    const dnnl_dims_t strides, const dnnl_dims_t padding_l, const dnnl_dims_t padding_r) {
  return api::InitForward(conv_desc, prop_kind, alg_kind, src_desc, weights_desc, bias_desc,
                          dst_desc, strides, nullptr, padding_l, padding_r);
}

dnnl_status_t dnnl_dilated_convolution_forward_desc_init(
    dnnl_convolution_desc_t* conv_desc, dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t alg_kind,
    const dnnl_memory_desc_t* src_desc, const dnnl_memory_desc_t* weights_desc,
    const dnnl_memory_desc_t* bias_desc, const dnnl_memory_desc_t* dst_desc,
    const dnnl_dims_t strides, const dnnl_dims_t dilates, const dnnl_dims_t padding_l,
    const dnnl_dims_t padding_r) {
  if (dilates == nullptr) return dnnl_invalid_arguments;
  return api::InitForward(conv_desc, prop_kind, alg_kind, src_desc, weights_desc, bias_desc,
                          dst_desc, strides, dilates, padding_l, padding_r);
}

dnnl_status_t dnnl_convolution_backward_data_desc_init(
    dnnl_convolution_desc_t* conv_desc, dnnl_alg_kind_t alg_kind,
    const dnnl_memory_desc_t* diff_src_desc, const dnnl_memory_desc_t* weights_desc,
    const dnnl_memory_desc_t* diff_dst_desc, const dnnl_dims_t strides, const dnnl_dims_t padding_l,
    const dnnl_dims_t padding_r) {
  return api::InitBackwardData(conv_desc, alg_kind, diff_src_desc, weights_desc, diff_dst_desc,
                               strides, nullptr, padding_l, padding_r);
}

dnnl_status_t dnnl_dilated_convolution_backward_data_desc_init(
    dnnl_convolution_desc_t* conv_desc, dnnl_alg_kind_t alg_kind,
    const dnnl_memory_desc_t* diff_src_desc, const dnnl_memory_desc_t* weights_desc,
    const dnnl_memory_desc_t* diff_dst_desc, const dnnl_dims_t strides, const dnnl_dims_t dilates,
    const dnnl_dims_t padding_l, const dnnl_dims_t padding_r) {
  if (dilates == nullptr) return dnnl_invalid_arguments;
  return api::InitBackwardData(conv_desc, alg_kind, diff_src_desc, weights_desc, diff_dst_desc,
                               strides, dilates, padding_l, padding_r);
}

dnnl_status_t dnnl_convolution_backward_weights_desc_init(
    dnnl_convolution_desc_t* conv_desc, dnnl_alg_kind_t alg_kind,
    const dnnl_memory_desc_t* src_desc, const dnnl_memory_desc_t* diff_weights_desc,
    const dnnl_memory_desc_t* diff_bias_desc, const dnnl_memory_desc_t* diff_dst_desc,
    const dnnl_dims_t strides, const dnnl_dims_t padding_l, const dnnl_dims_t padding_r) {
  return api::InitBackwardWeights(conv_desc, alg_kind, src_desc, diff_weights_desc, diff_bias_desc,
                                  diff_dst_desc, strides, nullptr, padding_l, padding_r);
}

dnnl_status_t dnnl_dilated_convolution_backward_weights_desc_init(
    dnnl_convolution_desc_t* conv_desc, dnnl_alg_kind_t alg_kind,
    const dnnl_memory_desc_t* src_desc, const dnnl_memory_desc_t* diff_weights_desc,
    const dnnl_memory_desc_t* diff_bias_desc, const dnnl_memory_desc_t* diff_dst_desc,
    const dnnl_dims_t strides, const dnnl_dims_t dilates, const dnnl_dims_t padding_l,
    const dnnl_dims_t padding_r) {
  if (dilates == nullptr) return dnnl_invalid_arguments;
  return api::InitBackwardWeights(conv_desc, alg_kind, src_desc, diff_weights_desc, diff_bias_desc,
                                  diff_dst_desc, strides, dilates, padding_l, padding_r);
}

}  // extern "C"
