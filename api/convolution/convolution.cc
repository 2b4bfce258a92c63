#include "oneapi/dnnl/convolution/convolution.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/convolution/operation.h"
#include "api/engine/throw.h"
#include "api/memory/checks.h"
#include "api/memory/layout.h"
#include "api/model/operation_attributes.h"
#include "api/model/primitive_state.h"

namespace api {
namespace {

namespace state = dnnl::state;
using State = state::primitive_desc;
using Computation = state::computation;
using Desc = dnnl_convolution_desc_t;
using Md = dnnl::memory::desc;
using Vector = dnnl::memory::dims;

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("convolution: ", args...));
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
                   " is neither forward_training nor forward_inference (CONV-044)");
  }
  if (given == wanted) return absl::OkStatus();
  return Invalid("prop_kind = ", NameOfPropKind(given), " is not ", NameOfPropKind(wanted),
                 " (CONV-044)");
}

// Of tensors of legal rank, and harmless for others.
int SpatialOf(const dnnl_memory_desc_t& src) { return std::clamp(src.ndims, 2, 5) - 2; }

spi::ConvolutionParams ParamsOf(const Desc& desc) {
  const int spatial = SpatialOf(TensorsOf(desc).src);
  spi::ConvolutionParams params;
  params.algorithm = static_cast<spi::ConvolutionAlgorithm>(desc.alg_kind);
  std::copy_n(desc.strides, spatial, params.strides.begin());
  std::copy_n(desc.dilates, spatial, params.dilates.begin());
  std::copy_n(desc.padding[0], spatial, params.padding_l.begin());
  std::copy_n(desc.padding[1], spatial, params.padding_r.begin());
  return params;
}

// What `desc` asks for, whose direction is checked; relations between its tensors are not.
absl::StatusOr<spi::Operation> OperationOf(const Desc& desc) {
  const auto [src, weights, bias, dst] = TensorsOf(desc);
  const bool data = desc.prop_kind == dnnl_backward_data;
  const bool weights_too = desc.prop_kind == dnnl_backward_weights;
  const bool has_bias = !data && bias.ndims != 0;
  absl::Status status =
      CheckDesc(data ? "convolution: diff_src_desc" : "convolution: src_desc", src);
  if (status.ok())
    status = CheckDesc(weights_too ? "convolution: diff_weights_desc" : "convolution: weights_desc",
                       weights);
  if (status.ok() && has_bias)
    status =
        CheckDesc(weights_too ? "convolution: diff_bias_desc" : "convolution: bias_desc", bias);
  if (status.ok())
    status = CheckDesc(data || weights_too ? "convolution: diff_dst_desc" : "convolution: dst_desc",
                       dst);
  if (!status.ok()) return status;
  if (HasRunTimeValues(src) || HasRunTimeValues(weights) || HasRunTimeValues(dst) ||
      (has_bias && HasRunTimeValues(bias)))
    return absl::UnimplementedError(
        "convolution: run-time dims and strides are not served (CONV-042)");
  spi::Layout of_bias;
  if (has_bias) FillLayout(bias, &of_bias);
  return spi::MakeConvolution(static_cast<spi::PropKind>(desc.prop_kind), ParamsOf(desc),
                              LayoutOf(src), LayoutOf(weights), has_bias ? &of_bias : nullptr,
                              LayoutOf(dst));
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

// What a constructor got.
struct Given {
  const Md &src, &weights;
  const Md* bias;  // null: none
  const Md& dst;
  const Vector& strides;
  const Vector* dilates;  // null: dense
  const Vector &padding_l, &padding_r;
};

// One value for each spatial axis, into the first of `to`.
absl::Status TakeVector(const char* name, const Vector& given, int spatial, dnnl_dims_t to) {
  if (given.size() != static_cast<size_t>(spatial))
    return Invalid(name, " has ", given.size(), " values for ", spatial,
                   " spatial dims (CONV-041)");
  std::copy(given.begin(), given.end(), to);
  return absl::OkStatus();
}

// How many there should be follows from the source; where its rank is none that a convolution has,
// nothing is taken, and that is told.
absl::Status TakeVectors(const Given& given, Desc* desc) {
  const int rank = given.src.data.ndims;
  if (rank < 3 || rank > 5) return absl::OkStatus();
  const int spatial = SpatialOf(given.src.data);
  absl::Status status = TakeVector("strides", given.strides, spatial, desc->strides);
  if (status.ok() && given.dilates != nullptr)
    status = TakeVector("dilates", *given.dilates, spatial, desc->dilates);
  if (status.ok()) status = TakeVector("padding_l", given.padding_l, spatial, desc->padding[0]);
  if (status.ok()) status = TakeVector("padding_r", given.padding_r, spatial, desc->padding[1]);
  return status;
}

// Whatever is known before there is an engine or a hint, into `desc`, which is all zero.
absl::Status FillRequest(dnnl_prop_kind_t wanted, dnnl_prop_kind_t prop_kind,
                         dnnl_alg_kind_t alg_kind, const Given& given, Desc* desc) {
  absl::Status status = CheckDirection(wanted, prop_kind);
  if (!status.ok()) return status;
  desc->primitive_kind = dnnl_convolution;
  desc->prop_kind = prop_kind;
  desc->alg_kind = alg_kind;
  const bool of_data = prop_kind == dnnl_backward_data;
  const bool of_weights = prop_kind == dnnl_backward_weights;
  (of_data ? desc->diff_src_desc : desc->src_desc) = given.src.data;
  (of_weights ? desc->diff_weights_desc : desc->weights_desc) = given.weights.data;
  if (given.bias != nullptr)
    (of_weights ? desc->diff_bias_desc : desc->bias_desc) = given.bias->data;
  (of_data || of_weights ? desc->diff_dst_desc : desc->dst_desc) = given.dst.data;
  desc->accum_data_type = AccumulatorOf(*desc);
  status = TakeVectors(given, desc);
  if (!status.ok()) return status;
  absl::StatusOr<spi::Operation> operation = OperationOf(*desc);
  if (!operation.ok()) return operation.status();
  return spi::CheckRequest(*operation);
}

bool SameDims(const spi::Layout& a, const spi::Layout& b) {
  return a.rank == b.rank && a.dims == b.dims;
}

// Whether `backward` is of `forward`, whatever their types, layouts and algorithms.
bool Belongs(const spi::ConvolutionView& backward, const spi::ConvolutionView& forward) {
  spi::ConvolutionParams params = backward.params;
  params.algorithm = forward.params.algorithm;
  return params == forward.params && SameDims(backward.src, forward.src) &&
         SameDims(backward.weights, forward.weights) && SameDims(backward.dst, forward.dst);
}

// The forward operation of `hint` into `made`, where `made` belongs to it. Another implementation's
// layouts are none of this one's business.
absl::Status TakeHint(const std::shared_ptr<const State>& hint, const state::device& device,
                      Computation* made) {
  if (hint == nullptr) return Invalid("the forward primitive descriptor is empty (PRIM-016)");
  const spi::Operation& operation = hint->computation->resolved;
  if (operation.kind != spi::PrimitiveKind::kConvolution || !spi::IsForward(operation.prop))
    return Invalid("the hint is no forward convolution (PRIM-016)");
  const spi::ConvolutionView forward(operation), own(made->resolved);
  if (hint->computation->device.implementation == device.implementation && Belongs(own, forward))
    made->forward = std::shared_ptr<const spi::Operation>(hint->computation, &operation);
  return absl::OkStatus();
}

// The attributes in `made` become those of its operation.
absl::Status AddAttributes(Computation* made) {
  const state::primitive_attr& attr = *made->attr;
  spi::Operation& operation = made->resolved;
  const bool forward = spi::IsForward(operation.prop);
  const char* const backward =
      operation.prop == spi::PropKind::kBackwardData ? "CONV-104" : "CONV-116";
  const spi::AttributeSupport support =
      forward ? spi::kConvolutionSignature.attributes : spi::AttributeSupport{0, backward};
  absl::Status status = CheckAttributes("convolution", support, attr);
  if (!status.ok()) return status;
  if (!forward) return absl::OkStatus();
  auto attributes = std::make_shared<spi::Attributes>();
  TakeScales(attr, attributes.get());
  const spi::Layout& dst = LayoutOf(operation, spi::kArgDst);
  // Bits beyond the rank are told by CheckRequest.
  for (const spi::Scales& scales : attributes->scales)
    if (scales.mask > 0 && scales.mask != 2 && scales.mask >> dst.rank == 0)
      return absl::UnimplementedError(absl::StrCat("convolution: output scale mask = ", scales.mask,
                                                   " is neither 0 nor 2 (CONV-141)"));
  status = TakePostOps("convolution", attr, dst.type, attributes.get());
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
  if (status.ok()) status = CopyAttributes("convolution", attr, made.get());
  if (status.ok() && made->attr != nullptr) status = AddAttributes(made.get());
  if (!status.ok()) return status;
  return Complete(std::move(made), engine);
}

// With the memory for it, or a dnnl::error. `alg_kind` may be any number.
Desc RequestOrRaise(dnnl_prop_kind_t wanted, dnnl_prop_kind_t prop_kind, dnnl::algorithm alg_kind,
                    const Given& given) {
  Desc desc = {};
  ThrowUnlessOk(WithMemory(
      [&] { return FillRequest(wanted, prop_kind, convert_to_c(alg_kind), given, &desc); }));
  return desc;
}

}  // namespace
}  // namespace api

namespace dnnl {

convolution_forward::desc::desc(prop_kind aprop_kind, algorithm aalgorithm,
                                const memory::desc& src_desc, const memory::desc& weights_desc,
                                const memory::desc& bias_desc, const memory::desc& dst_desc,
                                const memory::dims& strides, const memory::dims& padding_l,
                                const memory::dims& padding_r)
    : data(api::RequestOrRaise(
          dnnl_forward, convert_to_c(aprop_kind), aalgorithm,
          {src_desc, weights_desc, &bias_desc, dst_desc, strides, nullptr, padding_l, padding_r})) {
}

convolution_forward::desc::desc(prop_kind aprop_kind, algorithm aalgorithm,
                                const memory::desc& src_desc, const memory::desc& weights_desc,
                                const memory::desc& bias_desc, const memory::desc& dst_desc,
                                const memory::dims& strides, const memory::dims& dilates,
                                const memory::dims& padding_l, const memory::dims& padding_r)
    : data(api::RequestOrRaise(dnnl_forward, convert_to_c(aprop_kind), aalgorithm,
                               {src_desc, weights_desc, &bias_desc, dst_desc, strides, &dilates,
                                padding_l, padding_r})) {}

convolution_forward::desc::desc(prop_kind aprop_kind, algorithm aalgorithm,
                                const memory::desc& src_desc, const memory::desc& weights_desc,
                                const memory::desc& dst_desc, const memory::dims& strides,
                                const memory::dims& padding_l, const memory::dims& padding_r)
    : data(api::RequestOrRaise(
          dnnl_forward, convert_to_c(aprop_kind), aalgorithm,
          {src_desc, weights_desc, nullptr, dst_desc, strides, nullptr, padding_l, padding_r})) {}

convolution_forward::desc::desc(prop_kind aprop_kind, algorithm aalgorithm,
                                const memory::desc& src_desc, const memory::desc& weights_desc,
                                const memory::desc& dst_desc, const memory::dims& strides,
                                const memory::dims& dilates, const memory::dims& padding_l,
                                const memory::dims& padding_r)
    : data(api::RequestOrRaise(
          dnnl_forward, convert_to_c(aprop_kind), aalgorithm,
          {src_desc, weights_desc, nullptr, dst_desc, strides, &dilates, padding_l, padding_r})) {}

convolution_forward::primitive_desc::primitive_desc(const desc& adesc, const primitive_attr& attr,
                                                    const engine& aengine, bool allow_empty) {
  state_ = api::ValueOrEmpty(
      [&] { return api::Describe(dnnl_forward, adesc.data, aengine, attr, nullptr); }, allow_empty);
}

convolution_backward_data::desc::desc(algorithm aalgorithm, const memory::desc& diff_src_desc,
                                      const memory::desc& weights_desc,
                                      const memory::desc& diff_dst_desc,
                                      const memory::dims& strides, const memory::dims& padding_l,
                                      const memory::dims& padding_r)
    : data(api::RequestOrRaise(dnnl_backward_data, dnnl_backward_data, aalgorithm,
                               {diff_src_desc, weights_desc, nullptr, diff_dst_desc, strides,
                                nullptr, padding_l, padding_r})) {}

convolution_backward_data::desc::desc(algorithm aalgorithm, const memory::desc& diff_src_desc,
                                      const memory::desc& weights_desc,
                                      const memory::desc& diff_dst_desc,
                                      const memory::dims& strides, const memory::dims& dilates,
                                      const memory::dims& padding_l, const memory::dims& padding_r)
    : data(api::RequestOrRaise(dnnl_backward_data, dnnl_backward_data, aalgorithm,
                               {diff_src_desc, weights_desc, nullptr, diff_dst_desc, strides,
                                &dilates, padding_l, padding_r})) {}

convolution_backward_data::primitive_desc::primitive_desc(
    const desc& adesc, const primitive_attr& attr, const engine& aengine,
    const convolution_forward::primitive_desc& hint_fwd_pd, bool allow_empty) {
  state_ = api::ValueOrEmpty(
      [&] {
        return api::Describe(dnnl_backward_data, adesc.data, aengine, attr,
                             state::access::of(hint_fwd_pd));
      },
      allow_empty);
}

convolution_backward_weights::desc::desc(algorithm aalgorithm, const memory::desc& src_desc,
                                         const memory::desc& diff_weights_desc,
                                         const memory::desc& diff_bias_desc,
                                         const memory::desc& diff_dst_desc,
                                         const memory::dims& strides, const memory::dims& padding_l,
                                         const memory::dims& padding_r)
    : data(api::RequestOrRaise(dnnl_backward_weights, dnnl_backward_weights, aalgorithm,
                               {src_desc, diff_weights_desc, &diff_bias_desc, diff_dst_desc,
                                strides, nullptr, padding_l, padding_r})) {}

convolution_backward_weights::desc::desc(algorithm aalgorithm, const memory::desc& src_desc,
                                         const memory::desc& diff_weights_desc,
                                         const memory::desc& diff_bias_desc,
                                         const memory::desc& diff_dst_desc,
                                         const memory::dims& strides, const memory::dims& dilates,
                                         const memory::dims& padding_l,
                                         const memory::dims& padding_r)
    : data(api::RequestOrRaise(dnnl_backward_weights, dnnl_backward_weights, aalgorithm,
                               {src_desc, diff_weights_desc, &diff_bias_desc, diff_dst_desc,
                                strides, &dilates, padding_l, padding_r})) {}

convolution_backward_weights::desc::desc(algorithm aalgorithm, const memory::desc& src_desc,
                                         const memory::desc& diff_weights_desc,
                                         const memory::desc& diff_dst_desc,
                                         const memory::dims& strides, const memory::dims& padding_l,
                                         const memory::dims& padding_r)
    : data(api::RequestOrRaise(dnnl_backward_weights, dnnl_backward_weights, aalgorithm,
                               {src_desc, diff_weights_desc, nullptr, diff_dst_desc, strides,
                                nullptr, padding_l, padding_r})) {}

convolution_backward_weights::desc::desc(algorithm aalgorithm, const memory::desc& src_desc,
                                         const memory::desc& diff_weights_desc,
                                         const memory::desc& diff_dst_desc,
                                         const memory::dims& strides, const memory::dims& dilates,
                                         const memory::dims& padding_l,
                                         const memory::dims& padding_r)
    : data(api::RequestOrRaise(dnnl_backward_weights, dnnl_backward_weights, aalgorithm,
                               {src_desc, diff_weights_desc, nullptr, diff_dst_desc, strides,
                                &dilates, padding_l, padding_r})) {}

convolution_backward_weights::primitive_desc::primitive_desc(
    const desc& adesc, const primitive_attr& attr, const engine& aengine,
    const convolution_forward::primitive_desc& hint_fwd_pd, bool allow_empty) {
  state_ = api::ValueOrEmpty(
      [&] {
        return api::Describe(dnnl_backward_weights, adesc.data, aengine, attr,
                             state::access::of(hint_fwd_pd));
      },
      allow_empty);
}

}  // namespace dnnl
