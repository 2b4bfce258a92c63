// A library of mathematics that knows nothing of tensors, as a plug-in: Eigen's kernels.
//
// From the root of the repository:
//   g++ -std=c++17 -O2 -shared -fPIC -fvisibility=hidden -I. -I/usr/include/eigen3
//       examples/plugin-cpu/*.cc examples/plugin-eigen/*.cc -o libeigen.so
//   tools/conform --plugin=./libeigen.so --claims=examples/plugin-eigen/eigen.claims
//
// Here operations become plans: an inner product is a matrix product. Tensors become matrices in
// matrices.h. What is not translated is DNNSPEC_UNIMPLEMENTED.
#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "api/spi/plugin_abi.h"
#include "examples/plugin-cpu/operations.h"
#include "examples/plugin-cpu/plugin.h"
#include "examples/plugin-cpu/table.h"
#include "examples/plugin-cpu/tensors.h"
#include "examples/plugin-eigen/convolution.h"
#include "examples/plugin-eigen/eltwise.h"
#include "examples/plugin-eigen/matrices.h"
#include "examples/plugin-eigen/products.h"

#define TEXT_OF(number) #number
#define JOINED(world, major, minor) TEXT_OF(world) "." TEXT_OF(major) "." TEXT_OF(minor)

namespace plugin {
namespace {

// ---- reorder ----

struct Reorder : dnnspec_plan, ReorderOperation {
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

dnnspec_status PlanReorder(const dnnspec_operation& operation, std::unique_ptr<dnnspec_plan>* out) {
  auto plan = std::make_unique<Reorder>();
  const dnnspec_status status = ReadReorder(operation, plan.get());
  if (status != DNNSPEC_OK) return status;
  const Tensor *const src = &plan->src, *const dst = &plan->dst;
  if (src->type != dst->type) return Unimplemented("equal data types are translated");
  if (plan->computes && src->type != DNNSPEC_F32)
    return Unimplemented("a scale and a sum of f32 are translated");
  *out = std::move(plan);
  return DNNSPEC_OK;
}

// ---- shuffle ----

struct Shuffle : dnnspec_plan, CopyOperation {
  void Execute(const dnnspec_argument* arguments) const override {
    ForBits(src.type, [&](auto* bits) {
      using T = std::remove_pointer_t<decltype(bits)>;
      Copy<T>(DataOf<T>(arguments[0], src), src.axes, DataOf<T>(arguments[1], dst), dst.axes);
    });
  }
};

dnnspec_status PlanShuffle(const dnnspec_operation& operation, const dnnspec_layout* chosen,
                           std::unique_ptr<dnnspec_plan>* out) {
  auto plan = std::make_unique<Shuffle>();
  const dnnspec_status status = ReadShuffle(operation, chosen, plan.get());
  if (status == DNNSPEC_OK) *out = std::move(plan);
  return status;
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
      StoreBias(product, dst, arguments);
    } else {
      dst.Add(dst.tensor(), whole(src, inner) * whole(weights, inner).transpose());
      AddBias(product, arguments, &dst);
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

}  // namespace plugin

const dnnspec_plugin_table dnnspec_plugin =
    plugin::Table("eigen", JOINED(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION));
