#include "oneapi/dnnl/convolution/convolution.hpp"

#include <algorithm>
#include <memory>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/convolution/operation.h"
#include "api/engine/throw.h"
#include "api/model/primitive_state.h"
#include "api/product/request.h"

namespace api {
namespace {

namespace state = dnnl::state;
using State = state::primitive_desc;
using Desc = dnnl_convolution_desc_t;
using Md = dnnl::memory::desc;
using Vector = dnnl::memory::dims;

// Whether `backward` is of `forward`, whatever the algorithms.
bool SameParams(const spi::Params& backward, const spi::Params& forward) {
  auto params = std::get<spi::ConvolutionParams>(backward);
  const auto& of_forward = std::get<spi::ConvolutionParams>(forward);
  params.algorithm = of_forward.algorithm;
  return params == of_forward;
}

constexpr Product kConvolution = {
    spi::kConvolutionSignature,
    "convolution",
    /*direction=*/"CONV-044",
    /*run_time_values=*/"CONV-042",
    /*masks=*/"CONV-141",
    /*data_attributes=*/"CONV-104",
    /*weights_attributes=*/"CONV-116",
    SameParams,
};

// Of tensors of legal rank, and harmless for others.
int SpatialOf(const dnnl_memory_desc_t& src) { return std::clamp(src.ndims, 2, 5) - 2; }

spi::ConvolutionParams ParamsOf(const Desc& desc) {
  const int spatial = SpatialOf(*TensorsOf(desc).src);
  spi::ConvolutionParams params;
  params.algorithm = static_cast<spi::ConvolutionAlgorithm>(desc.alg_kind);
  std::copy_n(desc.strides, spatial, params.strides.begin());
  std::copy_n(desc.dilates, spatial, params.dilates.begin());
  std::copy_n(desc.padding[0], spatial, params.padding_l.begin());
  std::copy_n(desc.padding[1], spatial, params.padding_r.begin());
  return params;
}

ProductRequest RequestOf(const Desc& desc) {
  return {desc.prop_kind, TensorsOf(desc), ParamsOf(desc)};
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
    return kConvolution.Invalid(name, " has ", given.size(), " values for ", spatial,
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
  const dnnl_memory_desc_t* const bias = given.bias == nullptr ? nullptr : &given.bias->data;
  absl::Status status =
      FillDesc(kConvolution, wanted, prop_kind,
               {&given.src.data, &given.weights.data, bias, &given.dst.data}, desc);
  desc->alg_kind = alg_kind;
  if (status.ok()) status = TakeVectors(given, desc);
  return status.ok() ? CheckProduct(kConvolution, RequestOf(*desc)) : status;
}

// `hint` is for backward ones.
absl::StatusOr<std::shared_ptr<const State>> Describe(dnnl_prop_kind_t wanted, const Desc& request,
                                                      const dnnl::engine& on,
                                                      const dnnl::primitive_attr& attr,
                                                      const std::shared_ptr<const State>& hint) {
  return DescribeProduct(kConvolution, wanted, RequestOf(request), on, attr, hint);
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
