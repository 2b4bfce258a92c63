#include "examples/plugin-eigen/plans.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "examples/plugin-eigen/tensors.h"

namespace plugin_eigen {
namespace {

thread_local const char* why = nullptr;

// ---- reorder ----

struct Reorder : dnnspec_plan {
  Tensor src, dst;
  float scale = 1, beta = 0;
  bool computes = false;

  void Execute(const dnnspec_argument* arguments) const override {
    if (!computes) {
      return ForBits(src.type, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        Copy<T>(DataOf<T>(arguments[0], src), src.axes, DataOf<T>(arguments[1], dst), dst.axes);
      });
    }
    ForMatrices<float>(DataOf<float>(arguments[0], src), src.axes, DataOf<float>(arguments[1], dst),
                       dst.axes, [&](const auto& from, auto to) {
                         if (beta == 0) {
                           to = from * scale;
                         } else {
                           to = from * scale + to * beta;
                         }
                       });
  }
};

// One scale for all and a sum of f32, each at most once.
dnnspec_status ReadAttributes(const dnnspec_attributes& given, Reorder* plan) {
  dnnspec_attributes attributes;
  if (dnnspec_read(&given, &attributes, sizeof(attributes)) == 0)
    return Unimplemented("newer than this plug-in");
  if (attributes.zero_point_count > 0 || attributes.scales_count > 1 ||
      attributes.post_op_count > 1 || plan->src.type != DNNSPEC_F32)
    return Unimplemented("one scale and one sum of f32 are translated");
  plan->computes = true;
  if (attributes.scales_count == 1) {
    dnnspec_scales scales;
    if (dnnspec_read(attributes.scales[0], &scales, sizeof(scales)) == 0 || scales.mask != 0 ||
        scales.run_time != 0)
      return Unimplemented("one scale that is known beforehand is translated");
    plan->scale = scales.values[0];
  }
  if (attributes.post_op_count == 1) {
    dnnspec_sum sum;
    const dnnspec_post_op* const op = attributes.post_ops[0];
    if (op->kind != DNNSPEC_POST_OP_SUM || dnnspec_read(op, &sum, sizeof(sum)) == 0 ||
        sum.data_type != DNNSPEC_F32)
      return Unimplemented("a sum of f32 is translated");
    plan->beta = sum.scale;
  }
  return DNNSPEC_OK;
}

dnnspec_status PlanReorder(const dnnspec_operation& operation, std::unique_ptr<dnnspec_plan>* out) {
  const std::optional<Tensor> src = Read(operation, DNNSPEC_ARG_SRC);
  const std::optional<Tensor> dst = Read(operation, DNNSPEC_ARG_DST);
  if (!src || !dst) return Unimplemented("plain layouts are translated");
  if (src->type != dst->type) return Unimplemented("equal data types are translated");
  auto plan = std::make_unique<Reorder>();
  plan->src = *src;
  plan->dst = *dst;
  if (operation.attributes != nullptr) {
    const dnnspec_status status = ReadAttributes(*operation.attributes, plan.get());
    if (status != DNNSPEC_OK) return status;
  }
  *out = std::move(plan);
  return DNNSPEC_OK;
}

// ---- shuffle ----

// The axis as two: row-major rows x columns. Transposed, it is the other side's axis.
struct Shuffle : dnnspec_plan {
  int32_t type = 0;
  Tensor src, dst;

  void Execute(const dnnspec_argument* arguments) const override {
    ForBits(type, [&](auto* bits) {
      using T = std::remove_pointer_t<decltype(bits)>;
      Copy<T>(DataOf<T>(arguments[0], src), src.axes, DataOf<T>(arguments[1], dst), dst.axes);
    });
  }
};

// Axis `axis` becomes an outer one of `parts` and an inner one; `transposed` changes their order.
void SplitAxis(int32_t axis, int64_t parts, bool transposed, Tensor* tensor) {
  const Axis whole = tensor->axes[axis];
  const int64_t inner = whole.extent / parts;
  tensor->axes[axis] = {parts, whole.stride * inner};
  tensor->axes.insert(tensor->axes.begin() + axis + 1, {inner, whole.stride});
  if (transposed) std::swap(tensor->axes[axis], tensor->axes[axis + 1]);
}

dnnspec_status PlanShuffle(const dnnspec_operation& operation, dnnspec_layout* chosen,
                           std::unique_ptr<dnnspec_plan>* out) {
  dnnspec_shuffle_params params;
  if (dnnspec_read(operation.params, &params, sizeof(params)) == 0)
    return Unimplemented("newer than this plug-in");
  if (chosen != nullptr) return Unimplemented("no layout is chosen for a shuffle");
  const bool forward = operation.prop_kind < DNNSPEC_BACKWARD;
  const std::optional<Tensor> src =
      Read(operation, forward ? DNNSPEC_ARG_SRC : DNNSPEC_ARG_DIFF_DST);
  const std::optional<Tensor> dst =
      Read(operation, forward ? DNNSPEC_ARG_DST : DNNSPEC_ARG_DIFF_SRC);
  if (!src || !dst) return Unimplemented("plain layouts are translated");
  auto plan = std::make_unique<Shuffle>();
  plan->type = src->type;
  plan->src = *src;
  plan->dst = *dst;
  if (!IsEmpty(*src)) {
    // forward: dst, as G x C/G, is src, as C/G x G, transposed
    const int64_t groups = params.group_size;
    const int64_t others = src->axes[params.axis].extent / groups;
    SplitAxis(params.axis, forward ? others : groups, false, &plan->src);
    SplitAxis(params.axis, forward ? groups : others, true, &plan->dst);
  }
  *out = std::move(plan);
  return DNNSPEC_OK;
}

// ---- inner product ----

struct InnerProduct : dnnspec_plan {
  int32_t prop_kind = 0;
  // In the order of the operation's tensors; the bias is the last one if there is one.
  Tensor src, weights, dst, bias;
  int src_at = 0, weights_at = 0, dst_at = 0, bias_at = -1;

  // A copy, dense, with all axes but the first as one.
  static Matrix<float> Gather(const dnnspec_argument& argument, const Tensor& tensor) {
    const std::vector<Axis> others(tensor.axes.begin() + 1, tensor.axes.end());
    Matrix<float> dense(tensor.axes.front().extent, Elements(others));
    Copy<float>(DataOf<float>(argument, tensor), tensor.axes, dense.data(), Dense(tensor.axes));
    return dense;
  }

  static void Scatter(const Matrix<float>& dense, const dnnspec_argument& argument,
                      const Tensor& tensor) {
    Copy<float>(dense.data(), Dense(tensor.axes), DataOf<float>(argument, tensor), tensor.axes);
  }

  void Forward(const dnnspec_argument* arguments) const {
    Matrix<float> result =
        Gather(arguments[src_at], src) * Gather(arguments[weights_at], weights).transpose();
    if (bias_at >= 0) {
      const View<float> row =
          ViewOf(DataOf<float>(arguments[bias_at], bias), Axis{1, 0}, bias.axes.front());
      result.rowwise() += row.row(0);
    }
    Scatter(result, arguments[dst_at], dst);
  }

  void BackwardWeights(const dnnspec_argument* arguments) const {
    const Matrix<float> gradient = Gather(arguments[dst_at], dst);
    Scatter(gradient.transpose() * Gather(arguments[src_at], src), arguments[weights_at], weights);
    if (bias_at < 0) return;
    View<float> row =
        ViewOf(DataOf<float>(arguments[bias_at], bias), Axis{1, 0}, bias.axes.front());
    row.row(0) = gradient.colwise().sum();
  }

  void Execute(const dnnspec_argument* arguments) const override {
    if (prop_kind < DNNSPEC_BACKWARD) return Forward(arguments);
    if (prop_kind == DNNSPEC_BACKWARD_WEIGHTS) return BackwardWeights(arguments);
    Scatter(Gather(arguments[dst_at], dst) * Gather(arguments[weights_at], weights),
            arguments[src_at], src);
  }
};

// Dense, the last axis innermost: what this plug-in answers `any` with.
dnnspec_layout Chosen(const dnnspec_layout& open) {
  dnnspec_layout layout = open;
  layout.kind = DNNSPEC_LAYOUT_STRIDED;
  int64_t stride = 1;
  for (int32_t j = layout.rank - 1; j >= 0; --j) {
    layout.strides[j] = stride;
    stride *= std::max<int64_t>(layout.dims[j], 1);
  }
  return layout;
}

// The operation's tensors with layouts for what is open, in the order of `chosen`.
bool Settle(const dnnspec_operation& operation, dnnspec_layout* chosen,
            std::vector<dnnspec_tensor>* tensors) {
  for (uint32_t k = 0; k < operation.tensor_count; ++k) {
    dnnspec_tensor tensor;
    if (dnnspec_read(operation.tensors[k], &tensor, sizeof(tensor)) == 0) return false;
    if (tensor.layout.kind == DNNSPEC_LAYOUT_ANY) tensor.layout = *chosen++ = Chosen(tensor.layout);
    tensors->push_back(tensor);
  }
  return true;
}

dnnspec_status PlanInnerProduct(const dnnspec_operation& given, dnnspec_layout* chosen,
                                std::unique_ptr<dnnspec_plan>* out) {
  if (given.attributes != nullptr) return Unimplemented("no attributes are translated");
  std::vector<dnnspec_tensor> tensors;
  if (!Settle(given, chosen, &tensors)) return Unimplemented("newer than this plug-in");
  std::vector<const dnnspec_tensor*> pointers;
  for (const dnnspec_tensor& tensor : tensors) pointers.push_back(&tensor);
  dnnspec_operation operation = given;
  operation.tensors = pointers.data();

  auto plan = std::make_unique<InnerProduct>();
  plan->prop_kind = operation.prop_kind;
  for (int at = 0; at < static_cast<int>(tensors.size()); ++at) {
    const int32_t argument = tensors[at].argument;
    const std::optional<Tensor> tensor = Read(operation, argument);
    if (!tensor || tensor->type != DNNSPEC_F32)
      return Unimplemented("plain layouts of f32 are translated");
    switch (argument) {
      case DNNSPEC_ARG_SRC:
      case DNNSPEC_ARG_DIFF_SRC:
        plan->src = *tensor, plan->src_at = at;
        break;
      case DNNSPEC_ARG_WEIGHTS:
      case DNNSPEC_ARG_DIFF_WEIGHTS:
        plan->weights = *tensor, plan->weights_at = at;
        break;
      case DNNSPEC_ARG_DST:
      case DNNSPEC_ARG_DIFF_DST:
        plan->dst = *tensor, plan->dst_at = at;
        break;
      case DNNSPEC_ARG_BIAS:
      case DNNSPEC_ARG_DIFF_BIAS:
        plan->bias = *tensor, plan->bias_at = at;
        break;
      default:
        return Unimplemented("another tensor than those of an inner product");
    }
  }
  *out = std::move(plan);
  return DNNSPEC_OK;
}

}  // namespace

dnnspec_status MakePlan(const dnnspec_operation& operation, dnnspec_layout* chosen,
                        std::unique_ptr<dnnspec_plan>* plan) {
  switch (operation.kind) {
    case DNNSPEC_REORDER:
      return PlanReorder(operation, plan);
    case DNNSPEC_SHUFFLE:
      return PlanShuffle(operation, chosen, plan);
    case DNNSPEC_INNER_PRODUCT:
      return PlanInnerProduct(operation, chosen, plan);
    default:
      return Unimplemented("another primitive");
  }
}

dnnspec_status Refuse(dnnspec_status status, const char* text) {
  why = text;
  return status;
}

dnnspec_status Unimplemented(const char* text) { return Refuse(DNNSPEC_UNIMPLEMENTED, text); }

const char* LastError() { return why; }

}  // namespace plugin_eigen
