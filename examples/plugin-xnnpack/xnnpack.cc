// A library for inference as a plug-in: XNNPACK's operators.
//
// From the root of the repository:
//   g++ -std=c++17 -O2 -shared -fPIC -fvisibility=hidden -I. examples/plugin-cpu/*.cc
//       examples/plugin-xnnpack/*.cc -lXNNPACK -lpthreadpool -o libxnnpack.so
//   tools/conform --plugin=./libxnnpack.so --claims=examples/plugin-xnnpack/xnnpack.claims
//
// Here operations become plans. The operators know rows of elements: tensors become such in
// copies.h.
#include <xnnpack.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "api/spi/plugin_abi.h"
#include "examples/plugin-cpu/operations.h"
#include "examples/plugin-cpu/plugin.h"
#include "examples/plugin-cpu/table.h"
#include "examples/plugin-cpu/tensors.h"
#include "examples/plugin-xnnpack/copies.h"
#include "examples/plugin-xnnpack/eltwise.h"
#include "examples/plugin-xnnpack/operators.h"
#include "examples/plugin-xnnpack/products.h"

namespace plugin {
namespace {

struct Reorder : dnnspec_plan, ReorderOperation {
  void Execute(const dnnspec_argument* arguments) const override {
    if (!computes || IsEmpty(src)) return Copy(src, arguments[0], dst, arguments[1]);
    Floats values = Gather(src, arguments[0]);
    Apply(Binary::kMultiply, values, Only(scale), &values);
    if (beta != 0) {
      Floats old = Gather(dst, arguments[1]);
      Apply(Binary::kMultiply, old, Only(beta), &old);
      Apply(Binary::kAdd, values, old, &values);
    }
    Scatter(values, dst, arguments[1]);
  }
};

dnnspec_status PlanReorder(const dnnspec_operation& operation, std::unique_ptr<dnnspec_plan>* out) {
  auto plan = std::make_unique<Reorder>();
  const dnnspec_status status = ReadReorder(operation, plan.get());
  if (status != DNNSPEC_OK) return status;
  if (plan->src.type != plan->dst.type) return Unimplemented("equal data types are translated");
  if (plan->computes && plan->src.type != DNNSPEC_F32)
    return Unimplemented("a scale and a sum of f32 are translated");
  *out = std::move(plan);
  return DNNSPEC_OK;
}

// ---- shuffle ----

struct Shuffle : dnnspec_plan, CopyOperation {
  // Two axes as XNNPACK's shuffle knows them: adjacent channels in groups, whose order changes.
  // Nothing where they are not the innermost ones.
  std::optional<size_t> channels;

  void FindChannels() {
    for (size_t j = 0; j + 1 < src.axes.size() && SizeOf(src.type) != 2; ++j) {
      const Axis &groups = src.axes[j], &inner = src.axes[j + 1];
      if (groups.extent > 1 && inner.extent > 1 && inner.stride == 1 &&
          groups.stride == inner.extent && dst.axes[j].stride == 1 &&
          dst.axes[j + 1].stride == groups.extent)
        channels = j;
    }
  }

  void Execute(const dnnspec_argument* arguments) const override {
    if (!channels) return Copy(src, arguments[0], dst, arguments[1]);
    const int64_t size = SizeOf(src.type);
    const int64_t groups = src.axes[*channels].extent, inner = src.axes[*channels + 1].extent;
    std::vector<Axis> from = src.axes, to = dst.axes;
    for (std::vector<Axis>* const axes : {&from, &to}) {
      const auto at = axes->begin() + static_cast<ptrdiff_t>(*channels);
      axes->erase(at, at + 2);
    }
    ForEach(from, to, 0, 0, 0, [&](int64_t at_src, int64_t at_dst) {
      ShuffleChannels(size, static_cast<size_t>(groups), static_cast<size_t>(inner),
                      {1, groups * inner, groups * inner, groups * inner},
                      StartOf(src, arguments[0]) + at_src * size,
                      StartOf(dst, arguments[1]) + at_dst * size);
    });
  }
};

dnnspec_status PlanShuffle(const dnnspec_operation& operation, const dnnspec_layout* chosen,
                           std::unique_ptr<dnnspec_plan>* out) {
  auto plan = std::make_unique<Shuffle>();
  const dnnspec_status status = ReadShuffle(operation, chosen, plan.get());
  if (status != DNNSPEC_OK) return status;
  plan->FindChannels();
  *out = std::move(plan);
  return DNNSPEC_OK;
}

}  // namespace

dnnspec_status MakePlan(const dnnspec_operation& operation, dnnspec_layout* chosen,
                        std::unique_ptr<dnnspec_plan>* plan) {
  static const bool initialized = Initialize();
  if (!initialized) return Unimplemented("XNNPACK does not run on this processor");
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

}  // namespace plugin

// XNNPACK has no version: the year of its interface.
#ifdef XNN_FLAG_KEEP_DIMS
const dnnspec_plugin_table dnnspec_plugin = plugin::Table("xnnpack", "2024");
#else
const dnnspec_plugin_table dnnspec_plugin = plugin::Table("xnnpack", "2022");
#endif
