#include "examples/plugin-eigen/plans.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "examples/plugin-eigen/convolution.h"
#include "examples/plugin-eigen/eltwise.h"
#include "examples/plugin-eigen/products.h"
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

// All axes but the first are one, of which the weights have the same.
struct InnerProduct : dnnspec_plan {
  Product product;

  void Execute(const dnnspec_argument* arguments) const override {
    Sums src(product.src), weights(product.weights), dst(product.dst);
    src.Load(arguments[product.src_at], !product.ComputesSrc());
    weights.Load(arguments[product.weights_at], !product.ComputesWeights());
    dst.Load(arguments[product.dst_at], !product.ComputesDst());
    const size_t inner = product.src.axes.size() - 1;
    const auto whole = [](const Sums& sums, size_t columns) {
      return sums.Gather(sums.tensor(), columns);
    };
    if (product.ComputesSrc()) {
      src.Add(src.tensor(), whole(dst, 1) * whole(weights, inner));
      src.Store(arguments[product.src_at]);
    } else if (product.ComputesWeights()) {
      weights.Add(weights.tensor(), whole(dst, 1).transpose() * whole(src, inner));
      weights.Store(arguments[product.weights_at]);
      product.StoreBias(dst, arguments);
    } else {
      dst.Add(dst.tensor(), whole(src, inner) * whole(weights, inner).transpose());
      product.AddBias(arguments, &dst);
      dst.Store(arguments[product.dst_at]);
    }
  }
};

dnnspec_status PlanInnerProduct(const dnnspec_operation& operation, dnnspec_layout* chosen,
                                std::unique_ptr<dnnspec_plan>* out) {
  auto plan = std::make_unique<InnerProduct>();
  const dnnspec_status status = ReadProduct(operation, chosen, &plan->product);
  if (status == DNNSPEC_OK) *out = std::move(plan);
  return status;
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
    case DNNSPEC_CONVOLUTION:
      return PlanConvolution(operation, chosen, plan);
    case DNNSPEC_ELTWISE:
      return PlanEltwise(operation, chosen, plan);
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
