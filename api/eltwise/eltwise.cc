#include "oneapi/dnnl/eltwise/eltwise.hpp"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/eltwise/operation.h"
#include "api/engine/throw.h"
#include "api/memory/checks.h"
#include "api/memory/layout.h"
#include "api/model/primitive_state.h"

namespace api {
namespace {

namespace state = dnnl::state;
using State = state::primitive_desc;
using Computation = state::computation;
using Desc = dnnl_eltwise_desc_t;

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("eltwise: ", args...));
}

// `wanted` is forward for both forward ones.
absl::Status CheckDirection(dnnl_prop_kind_t wanted, dnnl_prop_kind_t given) {
  if (wanted == dnnl_backward_data && given != wanted)
    return Invalid("prop_kind = ", NameOfPropKind(given), " is not backward_data (ELT-006)");
  if (wanted == dnnl_forward && given != dnnl_forward_training && given != dnnl_forward_inference)
    return Invalid("prop_kind = ", NameOfPropKind(given),
                   " is neither forward_training nor forward_inference (ELT-006)");
  return absl::OkStatus();
}

// What `desc` asks for, whose direction is checked, with a gradient that may still be `any`.
absl::StatusOr<spi::Operation> OperationOf(const Desc& desc) {
  const bool forward = desc.prop_kind != dnnl_backward_data;
  absl::Status status = CheckDesc("eltwise: data_desc", desc.data_desc);
  if (status.ok() && !forward) status = CheckDesc("eltwise: diff_data_desc", desc.diff_data_desc);
  if (!status.ok()) return status;
  if (HasRunTimeValues(desc.data_desc) || (!forward && HasRunTimeValues(desc.diff_data_desc)))
    return absl::UnimplementedError("eltwise: run-time dims and strides are not served (ELT-013)");
  if (!forward && desc.data_desc.format_kind == dnnl_format_kind_any)
    return Invalid("data_desc is `any` and has no layout (ELT-010)");
  spi::EltwiseParams params;
  params.algorithm = static_cast<spi::Algorithm>(desc.alg_kind);
  params.alpha = desc.alpha;
  params.beta = desc.beta;
  const spi::Layout data = LayoutOf(desc.data_desc);
  const spi::Layout diff = LayoutOf(desc.diff_data_desc);
  spi::Operation operation =
      forward
          ? spi::MakeEltwiseForward(static_cast<spi::PropKind>(desc.prop_kind), params, data, data)
          : spi::MakeEltwiseBackward(params, data, diff, diff);
  status = spi::CheckRequest(operation);
  if (!status.ok()) return status;
  return operation;
}

// Whatever is known before there is an engine or a hint.
absl::StatusOr<Desc> Request(dnnl_prop_kind_t wanted, const Desc& desc) {
  absl::Status status = CheckDirection(wanted, desc.prop_kind);
  if (status.ok()) status = OperationOf(desc).status();
  if (!status.ok()) return status;
  return desc;
}

absl::Status CheckHint(const std::shared_ptr<const State>& hint) {
  if (hint == nullptr) return Invalid("the forward primitive descriptor is empty (PRIM-016)");
  const spi::Operation& forward = hint->computation->resolved;
  if (forward.kind != spi::PrimitiveKind::kEltwise || !spi::IsForward(forward.prop))
    return Invalid("the hint is no forward eltwise (PRIM-016)");
  return absl::OkStatus();
}

// Gradients without a layout get that of the data, which is the first tensor (ELT-009).
void ResolveGradients(spi::Operation* operation) {
  for (spi::TensorArg& tensor : operation->tensors)
    if (tensor.layout.kind == spi::LayoutKind::kAny) tensor.layout = operation->tensors[0].layout;
}

// `hint` is for backward.
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
  if (wanted != dnnl_forward) status = CheckHint(hint);
  if (!status.ok()) return status;
  auto made = std::make_shared<Computation>();
  made->resolved = *std::move(operation);
  ResolveGradients(&made->resolved);
  status = CopyAttributes("eltwise", attr, made.get());
  if (status.ok() && made->attr != nullptr)
    status = CheckAttributes("eltwise", spi::kEltwiseSignature.attributes, *made->attr);
  if (!status.ok()) return status;
  absl::StatusOr<std::shared_ptr<const State>> desc = Complete(std::move(made), engine);
  // In C it tells what was asked for all the same.
  if (desc.ok() && !spi::IsForward((*desc)->computation->resolved.prop) &&
      request.diff_data_desc.format_kind == dnnl_format_kind_any)
    (*desc)->c_operation = std::make_shared<const Desc>(request);
  return desc;
}

}  // namespace
}  // namespace api

namespace dnnl {

eltwise_forward::desc::desc(prop_kind aprop_kind, algorithm aalgorithm,
                            const memory::desc& data_desc, float alpha, float beta)
    : data(api::ValueOrThrow(api::WithMemory([&] {
        return api::Request(dnnl_forward,
                            {dnnl_eltwise, convert_to_c(aprop_kind), convert_to_c(aalgorithm),
                             data_desc.data, dnnl_memory_desc_t{}, alpha, beta});
      }))) {}

eltwise_forward::primitive_desc::primitive_desc(const desc& adesc, const primitive_attr& attr,
                                                const engine& aengine, bool allow_empty) {
  state_ = api::ValueOrEmpty(
      [&] { return api::Describe(dnnl_forward, adesc.data, aengine, attr, nullptr); }, allow_empty);
}

eltwise_backward::desc::desc(algorithm aalgorithm, const memory::desc& diff_data_desc,
                             const memory::desc& data_desc, float alpha, float beta)
    : data(api::ValueOrThrow(api::WithMemory([&] {
        return api::Request(dnnl_backward_data,
                            {dnnl_eltwise, dnnl_backward_data, convert_to_c(aalgorithm),
                             data_desc.data, diff_data_desc.data, alpha, beta});
      }))) {}

eltwise_backward::primitive_desc::primitive_desc(const desc& adesc, const primitive_attr& attr,
                                                 const engine& aengine,
                                                 const eltwise_forward::primitive_desc& hint_fwd_pd,
                                                 bool allow_empty) {
  state_ = api::ValueOrEmpty(
      [&] {
        return api::Describe(dnnl_backward_data, adesc.data, aengine, attr,
                             state::access::of(hint_fwd_pd));
      },
      allow_empty);
}

}  // namespace dnnl
