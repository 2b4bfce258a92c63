#include "api/product/request.h"

#include <utility>

#include "api/memory/checks.h"
#include "api/memory/layout.h"
#include "api/model/operation_attributes.h"
#include "api/product/operation.h"

namespace api {
namespace {

namespace state = dnnl::state;
using State = state::primitive_desc;
using Computation = state::computation;

// What `request` asks for; relations between its tensors are not checked.
absl::StatusOr<spi::Operation> OperationOf(const Product& product, const ProductRequest& request) {
  const auto [src, weights, bias, dst] = request.tensors;
  const auto prop = static_cast<spi::PropKind>(request.prop_kind);
  const spi::ProductNames names = spi::ProductNamesOf(prop);
  const bool has_bias = bias != nullptr && bias->ndims != 0;
  const auto check = [&product](const char* name, const dnnl_memory_desc_t& desc) {
    absl::Status status = CheckDesc("", desc);
    if (status.ok()) return status;
    return absl::Status(
        status.code(), absl::StrCat(product.signature.name, ": ", name, "_desc", status.message()));
  };
  absl::Status status = check(names.src, *src);
  if (status.ok()) status = check(names.weights, *weights);
  if (status.ok() && has_bias) status = check(names.bias, *bias);
  if (status.ok()) status = check(names.dst, *dst);
  if (!status.ok()) return status;
  if (HasRunTimeValues(*src) || HasRunTimeValues(*weights) || HasRunTimeValues(*dst) ||
      (has_bias && HasRunTimeValues(*bias)))
    return absl::UnimplementedError(absl::StrCat(product.signature.name,
                                                 ": run-time dims and strides are not served (",
                                                 product.run_time_values, ")"));
  spi::Layout of_bias;
  if (has_bias) FillLayout(*bias, &of_bias);
  return spi::MakeProduct(product.signature.kind, prop, request.params, LayoutOf(*src),
                          LayoutOf(*weights), has_bias ? &of_bias : nullptr, LayoutOf(*dst));
}

bool SameDims(const spi::Layout& a, const spi::Layout& b) {
  return a.rank == b.rank && a.dims == b.dims;
}

// The forward operation of `hint` into `made`, where `made` belongs to it: of its dims and
// parameters, whatever their types and layouts. Another implementation's layouts are none of this
// one's business.
absl::Status TakeHint(const Product& product, const std::shared_ptr<const State>& hint,
                      const state::device& device, Computation* made) {
  if (hint == nullptr)
    return product.Invalid("the forward primitive descriptor is empty (PRIM-016)");
  const spi::Operation& operation = hint->computation->resolved;
  if (operation.kind != product.signature.kind || !spi::IsForward(operation.prop))
    return product.Invalid("the hint is no forward ", product.noun, " (PRIM-016)");
  const spi::ProductView forward(operation), own(made->resolved);
  if (hint->computation->device.implementation == device.implementation &&
      SameDims(own.src, forward.src) && SameDims(own.weights, forward.weights) &&
      SameDims(own.dst, forward.dst) &&
      (product.same_params == nullptr ||
       product.same_params(made->resolved.params, operation.params)))
    made->forward = std::shared_ptr<const spi::Operation>(hint->computation, &operation);
  return absl::OkStatus();
}

// The attributes in `made` become those of its operation.
absl::Status AddAttributes(const Product& product, Computation* made) {
  const state::primitive_attr& attr = *made->attr;
  spi::Operation& operation = made->resolved;
  const bool forward = spi::IsForward(operation.prop);
  const char* const backward = operation.prop == spi::PropKind::kBackwardData
                                   ? product.data_attributes
                                   : product.weights_attributes;
  const spi::AttributeSupport support =
      forward ? product.signature.attributes : spi::AttributeSupport{0, backward};
  absl::Status status = CheckAttributes(product.signature.name, support, attr);
  if (!status.ok()) return status;
  if (!forward) return absl::OkStatus();
  auto attributes = std::make_shared<spi::Attributes>();
  TakeScales(attr, attributes.get());
  const spi::Layout& dst = LayoutOf(operation, spi::kArgDst);
  // Bits beyond the rank are told by CheckRequest.
  for (const spi::Scales& scales : attributes->scales)
    if (scales.mask > 0 && scales.mask != 2 && scales.mask >> dst.rank == 0)
      return absl::UnimplementedError(absl::StrCat(product.signature.name,
                                                   ": output scale mask = ", scales.mask,
                                                   " is neither 0 nor 2 (", product.masks, ")"));
  status = TakePostOps(product.signature.name, attr, dst.type, attributes.get());
  if (status.ok()) spi::SetAttributes(std::move(attributes), &operation);
  return status;
}

}  // namespace

absl::Status CheckDirection(const Product& product, dnnl_prop_kind_t wanted,
                            dnnl_prop_kind_t given) {
  if (wanted == dnnl_forward) {
    if (given == dnnl_forward_training || given == dnnl_forward_inference) return absl::OkStatus();
    return product.Invalid("prop_kind = ", NameOfPropKind(given),
                           " is neither forward_training nor forward_inference (",
                           product.direction, ")");
  }
  if (given == wanted) return absl::OkStatus();
  return product.Invalid("prop_kind = ", NameOfPropKind(given), " is not ", NameOfPropKind(wanted),
                         " (", product.direction, ")");
}

dnnl_data_type_t AccumulatorOf(dnnl_prop_kind_t prop_kind, const ProductTensors& tensors) {
  const auto is_integer = [](const dnnl_memory_desc_t& md) { return md.data_type >= dnnl_s32; };
  const dnnl_memory_desc_t& first = *(prop_kind == dnnl_backward_data ? tensors.dst : tensors.src);
  const dnnl_memory_desc_t& second =
      *(prop_kind == dnnl_backward_weights ? tensors.dst : tensors.weights);
  return is_integer(first) && is_integer(second) ? dnnl_s32 : dnnl_f32;
}

absl::Status CheckProduct(const Product& product, const ProductRequest& request) {
  absl::StatusOr<spi::Operation> operation = OperationOf(product, request);
  return operation.ok() ? spi::CheckRequest(*operation) : operation.status();
}

absl::StatusOr<std::shared_ptr<const State>> DescribeProduct(
    const Product& product, dnnl_prop_kind_t wanted, const ProductRequest& request,
    const dnnl::engine& on, const dnnl::primitive_attr& attr,
    const std::shared_ptr<const State>& hint) {
  const auto& engine = state::access::of(on);
  if (engine == nullptr) return product.Invalid("the engine is empty (ERR-011)");
  absl::Status status = CheckDirection(product, wanted, request.prop_kind);
  if (!status.ok()) return status;
  absl::StatusOr<spi::Operation> operation = OperationOf(product, request);
  if (!operation.ok()) return operation.status();
  auto made = std::make_shared<Computation>();
  made->resolved = *std::move(operation);
  if (wanted != dnnl_forward) status = TakeHint(product, hint, *engine, made.get());
  if (status.ok()) status = CopyAttributes(product.signature.name, attr, made.get());
  if (status.ok() && made->attr != nullptr) status = AddAttributes(product, made.get());
  if (!status.ok()) return status;
  return Complete(std::move(made), engine);
}

}  // namespace api
