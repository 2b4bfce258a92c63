#include "oneapi/dnnl/inner_product/inner_product.hpp"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/engine/throw.h"
#include "api/inner_product/operation.h"
#include "api/memory/checks.h"
#include "api/memory/layout.h"
#include "api/model/operation_attributes.h"
#include "api/model/primitive_state.h"

namespace api {
namespace {

namespace state = dnnl::state;
using State = state::primitive_desc;
using Computation = state::computation;
using Desc = dnnl_inner_product_desc_t;

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("inner_product: ", args...));
}

// The tensors of a direction: `bias` is zero where there is none.
struct Tensors {
  const dnnl_memory_desc_t &src, &weights, &bias, &dst;
};

Tensors TensorsOf(const Desc& desc) {
  switch (desc.prop_kind) {
    case dnnl_backward_data:
      return {desc.diff_src_desc, desc.weights_desc, desc.bias_desc, desc.diff_dst_desc};
    case dnnl_backward_weights:
      return {desc.src_desc, desc.diff_weights_desc, desc.diff_bias_desc, desc.diff_dst_desc};
    default:
      return {desc.src_desc, desc.weights_desc, desc.bias_desc, desc.dst_desc};
  }
}

// `wanted` is forward for both forward ones.
absl::Status CheckDirection(dnnl_prop_kind_t wanted, dnnl_prop_kind_t given) {
  if (wanted == dnnl_forward) {
    if (given == dnnl_forward_training || given == dnnl_forward_inference) return absl::OkStatus();
    return Invalid("prop_kind = ", NameOfPropKind(given),
                   " is neither forward_training nor forward_inference (IP-008)");
  }
  if (given == wanted) return absl::OkStatus();
  return Invalid("prop_kind = ", NameOfPropKind(given), " is not ", NameOfPropKind(wanted),
                 " (IP-008)");
}

// What `desc` asks for, whose direction is checked; relations between its tensors are not.
absl::StatusOr<spi::Operation> OperationOf(const Desc& desc) {
  const auto [src, weights, bias, dst] = TensorsOf(desc);
  const bool data = desc.prop_kind == dnnl_backward_data;
  const bool weights_too = desc.prop_kind == dnnl_backward_weights;
  const bool has_bias = !data && bias.ndims != 0;
  absl::Status status =
      CheckDesc(data ? "inner_product: diff_src_desc" : "inner_product: src_desc", src);
  if (status.ok())
    status = CheckDesc(
        weights_too ? "inner_product: diff_weights_desc" : "inner_product: weights_desc", weights);
  if (status.ok() && has_bias)
    status =
        CheckDesc(weights_too ? "inner_product: diff_bias_desc" : "inner_product: bias_desc", bias);
  if (status.ok())
    status = CheckDesc(
        data || weights_too ? "inner_product: diff_dst_desc" : "inner_product: dst_desc", dst);
  if (!status.ok()) return status;
  if (HasRunTimeValues(src) || HasRunTimeValues(weights) || HasRunTimeValues(dst) ||
      (has_bias && HasRunTimeValues(bias)))
    return absl::UnimplementedError(
        "inner_product: run-time dims and strides are not served (IP-007)");
  spi::Layout of_bias;
  if (has_bias) FillLayout(bias, &of_bias);
  return spi::MakeInnerProduct(static_cast<spi::PropKind>(desc.prop_kind), LayoutOf(src),
                               LayoutOf(weights), has_bias ? &of_bias : nullptr, LayoutOf(dst));
}

// Integers are summed as such.
dnnl_data_type_t AccumulatorOf(const Desc& desc) {
  const auto is_integer = [](const dnnl_memory_desc_t& md) { return md.data_type >= dnnl_s32; };
  const Tensors tensors = TensorsOf(desc);
  const dnnl_memory_desc_t& first =
      desc.prop_kind == dnnl_backward_data ? tensors.dst : tensors.src;
  const dnnl_memory_desc_t& second =
      desc.prop_kind == dnnl_backward_weights ? tensors.dst : tensors.weights;
  return is_integer(first) && is_integer(second) ? dnnl_s32 : dnnl_f32;
}

// Whatever is known before there is an engine or a hint. `bias` may be null.
absl::StatusOr<Desc> Request(dnnl_prop_kind_t wanted, dnnl_prop_kind_t prop_kind,
                             const dnnl_memory_desc_t& src, const dnnl_memory_desc_t& weights,
                             const dnnl_memory_desc_t* bias, const dnnl_memory_desc_t& dst) {
  absl::Status status = CheckDirection(wanted, prop_kind);
  if (!status.ok()) return status;
  Desc desc = {};
  desc.primitive_kind = dnnl_inner_product;
  desc.prop_kind = prop_kind;
  const bool of_data = prop_kind == dnnl_backward_data;
  const bool of_weights = prop_kind == dnnl_backward_weights;
  (of_data ? desc.diff_src_desc : desc.src_desc) = src;
  (of_weights ? desc.diff_weights_desc : desc.weights_desc) = weights;
  if (bias != nullptr) (of_weights ? desc.diff_bias_desc : desc.bias_desc) = *bias;
  (of_data || of_weights ? desc.diff_dst_desc : desc.dst_desc) = dst;
  desc.accum_data_type = AccumulatorOf(desc);
  absl::StatusOr<spi::Operation> operation = OperationOf(desc);
  if (!operation.ok()) return operation.status();
  status = spi::CheckRequest(*operation);
  if (!status.ok()) return status;
  return desc;
}

bool SameDims(const spi::Layout& a, const spi::Layout& b) {
  return a.rank == b.rank && a.dims == b.dims;
}

// The forward operation of `hint` into `made`, where `made` belongs to it: of its dims. Another
// implementation's layouts are none of this one's business.
absl::Status TakeHint(const std::shared_ptr<const State>& hint, const state::device& device,
                      Computation* made) {
  if (hint == nullptr) return Invalid("the forward primitive descriptor is empty (PRIM-016)");
  const spi::Operation& operation = hint->computation->resolved;
  if (operation.kind != spi::PrimitiveKind::kInnerProduct || !spi::IsForward(operation.prop))
    return Invalid("the hint is no forward inner product (PRIM-016)");
  const spi::InnerProductView forward(operation), own(made->resolved);
  if (hint->computation->device.implementation == device.implementation &&
      SameDims(own.src, forward.src) && SameDims(own.weights, forward.weights))
    made->forward = std::shared_ptr<const spi::Operation>(hint->computation, &operation);
  return absl::OkStatus();
}

// The attributes in `made` become those of its operation.
absl::Status AddAttributes(Computation* made) {
  const state::primitive_attr& attr = *made->attr;
  spi::Operation& operation = made->resolved;
  const bool forward = spi::IsForward(operation.prop);
  const spi::AttributeSupport support =
      forward ? spi::kInnerProductSignature.attributes : spi::AttributeSupport{0, "IP-045"};
  absl::Status status = CheckAttributes("inner_product", support, attr);
  if (!status.ok()) return status;
  if (!forward) return absl::OkStatus();
  auto attributes = std::make_shared<spi::Attributes>();
  TakeScales(attr, attributes.get());
  // Bits beyond the rank are told by CheckRequest.
  for (const spi::Scales& scales : attributes->scales)
    if (scales.mask == 1 || scales.mask == 3)
      return absl::UnimplementedError(absl::StrCat(
          "inner_product: output scale mask = ", scales.mask, " is neither 0 nor 2 (IP-042)"));
  status =
      TakePostOps("inner_product", attr, LayoutOf(operation, spi::kArgDst).type, attributes.get());
  if (status.ok()) spi::SetAttributes(std::move(attributes), &operation);
  return status;
}

// `hint` is for backward ones.
absl::StatusOr<std::shared_ptr<const State>> Describe(dnnl_prop_kind_t wanted, const Desc& request,
                                                      const dnnl::engine& on,
                                                      const dnnl::primitive_attr& attr,
                                                      const std::shared_ptr<const State>& hint) {
  const auto& engine = state::access::of(on);
  if (engine == nullptr) return Invalid("the engine is empty (ERR-011)");
  absl::Status status = CheckDirection(wanted, request.prop_kind);
  if (!status.ok()) return status;
  absl::StatusOr<spi::Operation> operation = OperationOf(request);
  if (!operation.ok()) return operation.status();
  auto made = std::make_shared<Computation>();
  made->resolved = *std::move(operation);
  if (wanted != dnnl_forward) status = TakeHint(hint, *engine, made.get());
  if (status.ok()) status = CopyAttributes("inner_product", attr, made.get());
  if (status.ok() && made->attr != nullptr) status = AddAttributes(made.get());
  if (!status.ok()) return status;
  return Complete(std::move(made), engine);
}

// With the memory for it, or a dnnl::error.
Desc RequestOrRaise(dnnl_prop_kind_t wanted, dnnl_prop_kind_t prop_kind,
                    const dnnl::memory::desc& src, const dnnl::memory::desc& weights,
                    const dnnl::memory::desc* bias, const dnnl::memory::desc& dst) {
  return ValueOrThrow(WithMemory([&] {
    return Request(wanted, prop_kind, src.data, weights.data,
                   bias == nullptr ? nullptr : &bias->data, dst.data);
  }));
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
