#include "examples/plugin-eigen/convolution.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "examples/plugin-cpu/operations.h"
#include "examples/plugin-cpu/plugin.h"
#include "examples/plugin-cpu/tensors.h"
#include "examples/plugin-eigen/products.h"

namespace plugin {
namespace {

// One axis of the picture, and of the kernel.
struct Spatial {
  int64_t stride, step, padding;  // step: between taps
};

// Places of one axis: the first, and how many.
struct Range {
  int64_t begin, count;
};

// The places of the result whose tap number `tap` lies in a source of `extent` places. What lies
// outside does not exist, so no zero is multiplied for it: it could meet an infinity.
Range Reached(const Spatial& axis, int64_t tap, int64_t extent, int64_t places) {
  const int64_t shift = tap * axis.step - axis.padding;
  int64_t begin = 0, end = places;
  while (begin < end && begin * axis.stride + shift < 0) ++begin;
  while (end > begin && (end - 1) * axis.stride + shift >= extent) --end;
  return {begin, end - begin};
}

struct Convolution : dnnspec_plan {
  Product product;
  std::vector<Spatial> spatial;
  int64_t groups = 1;

  // Weights have groups before their output channels, as an axis that may be missing.
  size_t FirstTap() const { return product.weights.axes.size() - spatial.size(); }

  // The two sides of one product: all places of the source and of the result that meet at a tap,
  // the channels of a group innermost. False where none do.
  bool Meet(const std::vector<int64_t>& tap, int64_t group, Tensor* src, Tensor* dst) const {
    for (size_t j = 0; j < spatial.size(); ++j) {
      Axis& from = src->axes[j + 2];
      Axis& to = dst->axes[j + 2];
      const Range range = Reached(spatial[j], tap[j], from.extent, to.extent);
      if (range.count == 0) return false;
      const int64_t first =
          range.begin * spatial[j].stride + tap[j] * spatial[j].step - spatial[j].padding;
      src->offset += first * from.stride;
      dst->offset += range.begin * to.stride;
      from = {range.count, from.stride * spatial[j].stride};
      to.extent = range.count;
    }
    for (Tensor* const tensor : {src, dst}) {
      Axis& channels = tensor->axes[1];
      channels.extent /= groups;
      tensor->offset += group * channels.extent * channels.stride;
      std::rotate(tensor->axes.begin() + 1, tensor->axes.begin() + 2, tensor->axes.end());
    }
    return true;
  }

  // The weights of a tap: output channels x input channels.
  Tensor WeightsAt(const std::vector<int64_t>& tap, int64_t group, Tensor weights) const {
    const size_t first = FirstTap();
    for (size_t j = 0; j < spatial.size(); ++j)
      weights.offset += tap[j] * weights.axes[first + j].stride;
    weights.axes.resize(first);
    if (first == 3) {
      weights.offset += group * weights.axes.front().stride;
      weights.axes.erase(weights.axes.begin());
    }
    return weights;
  }

  template <typename F>
  void ForEachTap(const F& f) const {
    std::vector<int64_t> tap(spatial.size(), 0);
    const size_t first = FirstTap();
    size_t axis = 0;
    do {
      f(tap);
      for (axis = 0; axis < tap.size(); ++axis) {
        if (++tap[axis] < product.weights.axes[first + axis].extent) break;
        tap[axis] = 0;
      }
    } while (axis < tap.size());
  }

  // Sums of many taps are made dense, and stored once.
  void Execute(const dnnspec_argument* arguments) const override {
    Sums src(product.src), weights(product.weights), dst(product.dst);
    src.Load(arguments[product.src_at], !product.ComputesSrc());
    weights.Load(arguments[product.weights_at], !product.ComputesWeights());
    dst.Load(arguments[product.dst_at], !product.ComputesDst());
    if (!IsEmpty(product.weights) && !IsEmpty(product.src) && !IsEmpty(product.dst)) {
      ForEachTap([&](const std::vector<int64_t>& tap) {
        for (int64_t group = 0; group < groups; ++group) AddTap(tap, group, &src, &weights, &dst);
      });
    }
    if (product.ComputesSrc()) return src.Store(arguments[product.src_at]);
    if (product.ComputesWeights()) {
      weights.Store(arguments[product.weights_at]);
      return StoreBias(product, dst, arguments);
    }
    AddBias(product, arguments, &dst);
    dst.Store(arguments[product.dst_at]);
  }

  void AddTap(const std::vector<int64_t>& tap, int64_t group, Sums* src, Sums* weights,
              Sums* dst) const {
    Tensor from = src->tensor(), to = dst->tensor();
    if (!Meet(tap, group, &from, &to)) return;
    const Tensor at = WeightsAt(tap, group, weights->tensor());
    if (product.ComputesSrc()) {
      src->Add(from, dst->Gather(to, 1) * weights->Gather(at, 1));
    } else if (product.ComputesWeights()) {
      weights->Add(at, dst->Gather(to, 1).transpose() * src->Gather(from, 1));
    } else {
      dst->Add(to, src->Gather(from, 1) * weights->Gather(at, 1).transpose());
    }
  }
};

}  // namespace

dnnspec_status PlanConvolution(const dnnspec_operation& operation, dnnspec_layout* chosen,
                               std::unique_ptr<dnnspec_plan>* out) {
  dnnspec_convolution_params params;
  if (dnnspec_read(operation.params, &params, sizeof(params)) == 0)
    return Unimplemented("newer than this plug-in");
  if (params.algorithm == DNNSPEC_CONVOLUTION_WINOGRAD)
    return Unimplemented("sums are made directly");
  auto plan = std::make_unique<Convolution>();
  const dnnspec_status status = ReadProduct(operation, chosen, &plan->product);
  if (status != DNNSPEC_OK) return status;
  const size_t axes = plan->product.src.axes.size() - 2;
  for (size_t j = 0; j < axes; ++j)
    plan->spatial.push_back({params.strides[j], params.dilates[j] + 1, params.padding_l[j]});
  if (plan->FirstTap() == 3) plan->groups = plan->product.weights.axes.front().extent;
  *out = std::move(plan);
  return DNNSPEC_OK;
}

}  // namespace plugin
