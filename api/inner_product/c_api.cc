#include "oneapi/dnnl/inner_product/c_api.h"

#include <memory>

#include "api/model/c_guard.h"
#include "api/model/operation_in_c.h"
#include "api/product/in_c.h"
#include "oneapi/dnnl/inner_product/inner_product.hpp"

namespace api {
namespace {

using Forward = dnnl::inner_product_forward;
using BackwardData = dnnl::inner_product_backward_data;
using BackwardWeights = dnnl::inner_product_backward_weights;

dnnl::primitive_desc Describe(const void* op_desc, const dnnl::primitive_attr& attr,
                              const dnnl::engine& on, dnnl_primitive_desc_t hint) {
  const auto& c = *static_cast<const dnnl_inner_product_desc_t*>(op_desc);
  if (c.prop_kind == dnnl_backward_data)
    return BackwardData::primitive_desc(
        BackwardData::desc(c.diff_src_desc, c.weights_desc, c.diff_dst_desc), attr, on,
        Forward::primitive_desc(hint));
  if (c.prop_kind == dnnl_backward_weights)
    return BackwardWeights::primitive_desc(
        BackwardWeights::desc(c.src_desc, c.diff_weights_desc, c.diff_bias_desc, c.diff_dst_desc),
        attr, on, Forward::primitive_desc(hint));
  const Forward::desc forward(static_cast<dnnl::prop_kind>(c.prop_kind), c.src_desc, c.weights_desc,
                              c.bias_desc, c.dst_desc);
  return Forward::primitive_desc(forward, attr, on);
}

std::shared_ptr<const void> MadeOf(const spi::Operation& operation) {
  return std::make_shared<const dnnl_inner_product_desc_t>(
      DescriptorOf<dnnl_inner_product_desc_t>(operation));
}

}  // namespace

extern const OperationInC kInnerProductInC;
const OperationInC kInnerProductInC = {dnnl_inner_product, dnnl_query_inner_product_d, Describe,
                                       MadeOf};

}  // namespace api

extern "C" {

dnnl_status_t dnnl_inner_product_forward_desc_init(dnnl_inner_product_desc_t* ip_desc,
                                                   dnnl_prop_kind_t prop_kind,
                                                   const dnnl_memory_desc_t* src_desc,
                                                   const dnnl_memory_desc_t* weights_desc,
                                                   const dnnl_memory_desc_t* bias_desc,
                                                   const dnnl_memory_desc_t* dst_desc) {
  return api::StatusOf(
      [&] {
        *ip_desc = api::Forward::desc(static_cast<dnnl::prop_kind>(prop_kind), *src_desc,
                                      *weights_desc, api::OrNone(bias_desc), *dst_desc)
                       .data;
      },
      ip_desc, src_desc, weights_desc, dst_desc);
}

dnnl_status_t dnnl_inner_product_backward_data_desc_init(dnnl_inner_product_desc_t* ip_desc,
                                                         const dnnl_memory_desc_t* diff_src_desc,
                                                         const dnnl_memory_desc_t* weights_desc,
                                                         const dnnl_memory_desc_t* diff_dst_desc) {
  return api::StatusOf(
      [&] {
        *ip_desc = api::BackwardData::desc(*diff_src_desc, *weights_desc, *diff_dst_desc).data;
      },
      ip_desc, diff_src_desc, weights_desc, diff_dst_desc);
}

dnnl_status_t dnnl_inner_product_backward_weights_desc_init(
    dnnl_inner_product_desc_t* ip_desc, const dnnl_memory_desc_t* src_desc,
    const dnnl_memory_desc_t* diff_weights_desc, const dnnl_memory_desc_t* diff_bias_desc,
    const dnnl_memory_desc_t* diff_dst_desc) {
  return api::StatusOf(
      [&] {
        *ip_desc = api::BackwardWeights::desc(*src_desc, *diff_weights_desc,
                                              api::OrNone(diff_bias_desc), *diff_dst_desc)
                       .data;
      },
      ip_desc, src_desc, diff_weights_desc, diff_dst_desc);
}

}  // extern "C"
