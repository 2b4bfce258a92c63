#include "oneapi/dnnl/shuffle/shuffle.hpp"

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/engine/throw.h"
#include "api/memory/checks.h"
#include "api/memory/layout.h"
#include "api/model/primitive_state.h"
#include "api/shuffle/operation.h"
#include "api/shuffle/request.h"

namespace api {
namespace {

namespace state = dnnl::state;
using State = state::primitive_desc;
using Computation = state::computation;

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("shuffle: ", args...));
}

bool IsForward(const dnnl_shuffle_desc_t& desc) {
  return desc.prop_kind == dnnl_forward_training || desc.prop_kind == dnnl_forward_inference;
}

// What has to be so that there is an operation, which is then checked as those of all primitives.
absl::Status CheckKindAndData(const dnnl_shuffle_desc_t& desc) {
  const bool forward = IsForward(desc);
  if (!forward && desc.prop_kind != dnnl_backward_data)
    return Invalid("prop_kind = ", NameOfPropKind(desc.prop_kind),
                   " is neither forward_training nor forward_inference (SHU-006)");
  return CheckDesc(forward ? "shuffle: data_desc" : "shuffle: diff_data_desc", desc.data_desc);
}

absl::Status RunTimeValues() {
  return absl::UnimplementedError("shuffle: run-time dims and strides are not served (SHU-014)");
}

// Backward data without a layout gets that of the forward data, with its own type (SHU-011).
absl::StatusOr<spi::Layout> LayoutByHint(const dnnl_memory_desc_t& data, const State& hint) {
  const auto forward = spi::AsShuffle(hint.computation->resolved);
  if (!forward.has_value() || !forward->forward)
    return Invalid("the hint is no forward shuffle (PRIM-016)");
  if (forward->to.rank != data.ndims)
    return Invalid("diff_data_desc.ndims = ", data.ndims, " is not ", forward->to.rank,
                   " of the hint (SHU-013)");
  for (int j = 0; j < data.ndims; ++j)
    if (forward->to.dims[j] != data.dims[j])
      return Invalid("diff_data_desc.dims[", j, "] = ", data.dims[j], " is not ",
                     forward->to.dims[j], " of the hint (SHU-013)");
  if (data.format_kind != dnnl_format_kind_any) return LayoutOf(data);
  spi::Layout layout = forward->to;
  layout.type = DataTypeOf(data.data_type);
  // The strides are the hint's; in a wider type their extent may be too large.
  absl::Status status = CheckDesc("shuffle: diff_data_desc", DescOf(layout));
  if (!status.ok()) return status;
  return layout;
}

// `hint` is the forward descriptor of a backward shuffle.
absl::StatusOr<std::shared_ptr<const State>> Describe(const dnnl_shuffle_desc_t& request,
                                                      const dnnl::engine& on,
                                                      const dnnl::primitive_attr& attr,
                                                      const State* hint) {
  const auto& engine = state::access::of(on);
  if (engine == nullptr) return Invalid("the engine is empty (ERR-011)");
  const bool forward = IsForward(request);
  if (!forward && hint == nullptr)
    return Invalid("the forward primitive descriptor is empty (PRIM-016)");
  if (forward && hint != nullptr)
    return Invalid("prop_kind = ", NameOfPropKind(request.prop_kind),
                   " is not backward_data (SHU-006)");
  absl::Status status = CheckKindAndData(request);
  if (!status.ok()) return status;
  if (HasRunTimeValues(request.data_desc)) return RunTimeValues();

  auto made = std::make_shared<Computation>();
  status = CopyAttributes("shuffle", attr, made.get());
  if (!status.ok()) return status;
  if (made->attr != nullptr)
    status = CheckAttributes("shuffle", spi::kShuffleSignature.attributes, *made->attr);
  if (!status.ok()) return status;

  absl::StatusOr<spi::Layout> layout =
      forward ? LayoutOf(request.data_desc) : LayoutByHint(request.data_desc, *hint);
  if (!layout.ok()) return layout.status();
  spi::ShuffleParams params;
  params.axis = request.axis;
  params.group_size = request.group_size;
  spi::FillShuffle(static_cast<spi::PropKind>(request.prop_kind), *layout, *layout, params,
                   &made->resolved);
  absl::StatusOr<std::shared_ptr<const State>> described = Complete(std::move(made), engine);
  // In C it tells what was asked for all the same.
  if (described.ok() && request.data_desc.format_kind == dnnl_format_kind_any)
    (*described)->c_operation = std::make_shared<const dnnl_shuffle_desc_t>(request);
  return described;
}

}  // namespace

absl::StatusOr<dnnl_shuffle_desc_t> ShuffleRequest(dnnl_prop_kind_t prop_kind,
                                                   const dnnl_memory_desc_t& data, int axis,
                                                   dnnl_dim_t group) {
  const dnnl_shuffle_desc_t desc = {dnnl_shuffle, prop_kind, data, axis, group};
  absl::Status status = CheckKindAndData(desc);
  if (!status.ok()) return status;
  if (HasRunTimeValues(data)) return RunTimeValues();
  spi::Layout layout = LayoutOf(data);
  // A gradient gets the hint's layout; whether the rest is right, any of them tells.
  if (prop_kind == dnnl_backward_data && layout.kind == spi::LayoutKind::kAny)
    layout = spi::Strided(layout.type, {layout.dims.data(), layout.rank});
  status = spi::CheckRequest(spi::MakeShuffle(static_cast<spi::PropKind>(prop_kind), layout, layout,
                                              {desc.axis, desc.group_size}));
  if (!status.ok()) return status;
  return desc;
}

}  // namespace api

namespace dnnl {

shuffle_forward::desc::desc(prop_kind aprop_kind, const memory::desc& data_desc, int axis,
                            int group_size)
    : data(api::ValueOrThrow(api::WithMemory([&]() -> absl::StatusOr<dnnl_shuffle_desc_t> {
        if (aprop_kind == prop_kind::backward_data)
          return api::Invalid("prop_kind = backward_data is not forward (SHU-006)");
        return api::ShuffleRequest(convert_to_c(aprop_kind), data_desc.data, axis, group_size);
      }))) {}

shuffle_forward::primitive_desc::primitive_desc(const desc& adesc, const engine& aengine,
                                                const primitive_attr& attr, bool allow_empty) {
  state_ = api::ValueOrEmpty([&] { return api::Describe(adesc.data, aengine, attr, nullptr); },
                             allow_empty);
}

shuffle_backward::desc::desc(const memory::desc& diff_data_desc, int axis, int group_size)
    : data(api::ValueOrThrow(api::WithMemory([&] {
        return api::ShuffleRequest(dnnl_backward_data, diff_data_desc.data, axis, group_size);
      }))) {}

shuffle_backward::primitive_desc::primitive_desc(const desc& adesc, const engine& aengine,
                                                 const shuffle_forward::primitive_desc& hint_fwd_pd,
                                                 const primitive_attr& attr, bool allow_empty) {
  state_ = api::ValueOrEmpty(
      [&] {
        return api::Describe(adesc.data, aengine, attr, state::access::of(hint_fwd_pd).get());
      },
      allow_empty);
}

}  // namespace dnnl
