#include "oneapi/dnnl/inner_product/inner_product.hpp"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/engine/throw.h"
#include "api/inner_product/operation.h"
#include "api/model/primitive_state.h"
#include "api/product/request.h"

namespace api {
namespace {

namespace state = dnnl::state;
using State = state::primitive_desc;
using Desc = dnnl_inner_product_desc_t;

constexpr Product kInnerProduct = {
    spi::kInnerProductSignature,
    "inner product",
    /*direction=*/"IP-008",
    /*run_time_values=*/"IP-007",
    /*masks=*/"IP-042",
    /*data_attributes=*/"IP-045",
    /*weights_attributes=*/"IP-045",
    nullptr,
};

ProductRequest RequestOf(const Desc& desc) {
  return {desc.prop_kind, TensorsOf(desc), spi::InnerProductParams()};
}

// `hint` is for backward ones.
absl::StatusOr<std::shared_ptr<const State>> Describe(dnnl_prop_kind_t wanted, const Desc& request,
                                                      const dnnl::engine& on,
                                                      const dnnl::primitive_attr& attr,
                                                      const std::shared_ptr<const State>& hint) {
  return DescribeProduct(kInnerProduct, wanted, RequestOf(request), on, attr, hint);
}

// Whatever is known before there is an engine or a hint, with the memory for it, or a
// dnnl::error.
Desc RequestOrRaise(dnnl_prop_kind_t wanted, dnnl_prop_kind_t prop_kind,
                    const dnnl::memory::desc& src, const dnnl::memory::desc& weights,
                    const dnnl::memory::desc* bias, const dnnl::memory::desc& dst) {
  Desc desc = {};
  ThrowUnlessOk(WithMemory([&] {
    const absl::Status status = FillDesc(
        kInnerProduct, wanted, prop_kind,
        {&src.data, &weights.data, bias == nullptr ? nullptr : &bias->data, &dst.data}, &desc);
    return status.ok() ? CheckProduct(kInnerProduct, RequestOf(desc)) : status;
  }));
  return desc;
}

}  // namespace
}  // namespace api

namespace dnnl {

inner_product_forward::desc::desc(prop_kind aprop_kind, const memory::desc& src_desc,
                                  const memory::desc& weights_desc, const memory::desc& bias_desc,
                                  const memory::desc& dst_desc)
    : data(api::RequestOrRaise(dnnl_forward, convert_to_c(aprop_kind), src_desc, weights_desc,
                               &bias_desc, dst_desc)) {}

inner_product_forward::desc::desc(prop_kind aprop_kind, const memory::desc& src_desc,
                                  const memory::desc& weights_desc, const memory::desc& dst_desc)
    : data(api::RequestOrRaise(dnnl_forward, convert_to_c(aprop_kind), src_desc, weights_desc,
                               nullptr, dst_desc)) {}

inner_product_forward::primitive_desc::primitive_desc(const desc& adesc, const primitive_attr& attr,
                                                      const engine& aengine, bool allow_empty) {
  state_ = api::ValueOrEmpty(
      [&] { return api::Describe(dnnl_forward, adesc.data, aengine, attr, nullptr); }, allow_empty);
}

inner_product_backward_data::desc::desc(const memory::desc& diff_src_desc,
                                        const memory::desc& weights_desc,
                                        const memory::desc& diff_dst_desc)
    : data(api::RequestOrRaise(dnnl_backward_data, dnnl_backward_data, diff_src_desc, weights_desc,
                               nullptr, diff_dst_desc)) {}

inner_product_backward_data::primitive_desc::primitive_desc(
    const desc& adesc, const primitive_attr& attr, const engine& aengine,
    const inner_product_forward::primitive_desc& hint_fwd_pd, bool allow_empty) {
  state_ = api::ValueOrEmpty(
      [&] {
        return api::Describe(dnnl_backward_data, adesc.data, aengine, attr,
                             state::access::of(hint_fwd_pd));
      },
      allow_empty);
}

inner_product_backward_weights::desc::desc(const memory::desc& src_desc,
                                           const memory::desc& diff_weights_desc,
                                           const memory::desc& diff_bias_desc,
                                           const memory::desc& diff_dst_desc)
    : data(api::RequestOrRaise(dnnl_backward_weights, dnnl_backward_weights, src_desc,
                               diff_weights_desc, &diff_bias_desc, diff_dst_desc)) {}

inner_product_backward_weights::desc::desc(const memory::desc& src_desc,
                                           const memory::desc& diff_weights_desc,
                                           const memory::desc& diff_dst_desc)
    : data(api::RequestOrRaise(dnnl_backward_weights, dnnl_backward_weights, src_desc,
                               diff_weights_desc, nullptr, diff_dst_desc)) {}

inner_product_backward_weights::primitive_desc::primitive_desc(
    const desc& adesc, const primitive_attr& attr, const engine& aengine,
    const inner_product_forward::primitive_desc& hint_fwd_pd, bool allow_empty) {
  state_ = api::ValueOrEmpty(
      [&] {
        return api::Describe(dnnl_backward_weights, adesc.data, aengine, attr,
                             state::access::of(hint_fwd_pd));
      },
      allow_empty);
}

}  // namespace dnnl
