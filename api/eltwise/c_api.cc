#include "oneapi/dnnl/eltwise/c_api.h"

#include <memory>

#include "api/eltwise/operation.h"
#include "api/memory/layout.h"
#include "api/model/c_guard.h"
#include "api/model/operation_in_c.h"
#include "oneapi/dnnl/eltwise/eltwise.hpp"

namespace api {
namespace {

dnnl::eltwise_forward::desc ForwardOf(dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t alg_kind,
                                      const dnnl_memory_desc_t& data, float alpha, float beta) {
  return {static_cast<dnnl::prop_kind>(prop_kind), static_cast<dnnl::algorithm>(alg_kind), data,
          alpha, beta};
}

dnnl::eltwise_backward::desc BackwardOf(dnnl_alg_kind_t alg_kind,
                                        const dnnl_memory_desc_t& diff_data,
                                        const dnnl_memory_desc_t& data, float alpha, float beta) {
  return {static_cast<dnnl::algorithm>(alg_kind), diff_data, data, alpha, beta};
}

dnnl::primitive_desc Describe(const void* op_desc, const dnnl::primitive_attr& attr,
                              const dnnl::engine& on, dnnl_primitive_desc_t hint) {
  const auto& c = *static_cast<const dnnl_eltwise_desc_t*>(op_desc);
  if (c.prop_kind == dnnl_backward_data)
    return dnnl::eltwise_backward::primitive_desc(
        BackwardOf(c.alg_kind, c.diff_data_desc, c.data_desc, c.alpha, c.beta), attr, on,
        dnnl::eltwise_forward::primitive_desc(hint));
  return dnnl::eltwise_forward::primitive_desc(
      ForwardOf(c.prop_kind, c.alg_kind, c.data_desc, c.alpha, c.beta), attr, on);
}

std::shared_ptr<const void> MadeOf(const spi::Operation& operation) {
  const spi::EltwiseView eltwise(operation);
  return std::make_shared<const dnnl_eltwise_desc_t>(
      dnnl_eltwise_desc_t{dnnl_eltwise, static_cast<dnnl_prop_kind_t>(operation.prop),
                          static_cast<dnnl_alg_kind_t>(eltwise.algorithm), DescOf(eltwise.data),
                          DescOf(eltwise.diff_dst), eltwise.alpha, eltwise.beta});
}

}  // namespace

extern const OperationInC kEltwiseInC;
const OperationInC kEltwiseInC = {dnnl_eltwise, dnnl_query_eltwise_d, Describe, MadeOf};

}  // namespace api

extern "C" {

dnnl_status_t dnnl_eltwise_forward_desc_init(dnnl_eltwise_desc_t* eltwise_desc,
                                             dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t alg_kind,
                                             const dnnl_memory_desc_t* data_desc, float alpha,
                                             float beta) {
  return api::StatusOf(
      [&] { *eltwise_desc = api::ForwardOf(prop_kind, alg_kind, *data_desc, alpha, beta).data; },
      eltwise_desc, data_desc);
}

dnnl_status_t dnnl_eltwise_backward_desc_init(dnnl_eltwise_desc_t* eltwise_desc,
                                              dnnl_alg_kind_t alg_kind,
                                              const dnnl_memory_desc_t* diff_data_desc,
                                              const dnnl_memory_desc_t* data_desc, float alpha,
                                              float beta) {
  return api::StatusOf(
      [&] {
        *eltwise_desc = api::BackwardOf(alg_kind, *diff_data_desc, *data_desc, alpha, beta).data;
      },
      eltwise_desc, diff_data_desc, data_desc);
}

}  // extern "C"
