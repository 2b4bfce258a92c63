#include "examples/plugin-xnnpack/products.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "examples/plugin-cpu/operations.h"
#include "examples/plugin-cpu/plugin.h"
#include "examples/plugin-cpu/tensors.h"
#include "examples/plugin-xnnpack/copies.h"
#include "examples/plugin-xnnpack/operators.h"

namespace plugin {
namespace {

// What all products have.
struct ProductPlan : dnnspec_plan, Product {
  // Zeros without a bias.
  Floats Bias(int64_t channels, const dnnspec_argument* arguments) const {
    return bias_at < 0 ? Floats(channels) : Gather(bias, arguments[bias_at]);
  }

  // For results of nothing: the bias, in all pixels.
  static void Fill(const Floats& bias, Floats* dst) {
    for (size_t i = 0; i < dst->size(); i += bias.size())
      std::copy_n(bias.data(), bias.size(), dst->data() + i);
  }
};

dnnspec_status ReadForward(const dnnspec_operation& operation, dnnspec_layout* chosen,
                           Product* product) {
  if (operation.prop_kind >= DNNSPEC_BACKWARD) return Unimplemented("XNNPACK is for inference");
  return ReadProduct(operation, chosen, product);
}

// ---- inner product ----

// All axes but the first are one, of which source and weights have the same.
struct InnerProduct : ProductPlan {
  void Execute(const dnnspec_argument* arguments) const override {
    if (IsEmpty(dst)) return;
    const int64_t rows = dst.axes[0].extent, outputs = dst.axes[1].extent;
    const Floats biases = Bias(outputs, arguments);
    Floats sums(rows * outputs);
    if (IsEmpty(src)) {
      Fill(biases, &sums);
    } else {
      const Floats from = Gather(src, arguments[src_at]);
      Multiply(static_cast<size_t>(rows), from.size() / static_cast<size_t>(rows),
               static_cast<size_t>(outputs), from, Gather(weights, arguments[weights_at]),
               biases.data(), &sums);
    }
    Scatter(sums, dst, arguments[dst_at]);
  }
};

// ---- convolution ----

// One spatial axis.
struct Spatial {
  int64_t stride = 1, step = 1, padding = 0;
};

// The places of an axis of the source that some place of the result reaches, and the padding around
// them.
struct Reach {
  int64_t begin, end;
  Convolution2d::Axis axis;
};

Reach ReachOf(const Spatial& spatial, int64_t extent, int64_t taps, int64_t places) {
  const int64_t last = (places - 1) * spatial.stride - spatial.padding + (taps - 1) * spatial.step;
  const int64_t begin = std::max<int64_t>(-spatial.padding, 0), end = std::min(extent, last + 1);
  return {
      begin,
      end,
      {static_cast<uint32_t>(std::max<int64_t>(spatial.padding, 0)),
       static_cast<uint32_t>(std::max<int64_t>(last + 1 - extent, 0)), static_cast<uint32_t>(taps),
       static_cast<uint32_t>(spatial.stride), static_cast<uint32_t>(spatial.step),
       static_cast<size_t>(std::max<int64_t>(end - begin, 0))}};
}

// Of the outermost axis one place.
Tensor SliceOf(Tensor tensor, int64_t place) {
  tensor.offset += place * tensor.axes.front().stride;
  tensor.axes.erase(tensor.axes.begin());
  return tensor;
}

// Axis `axis` from place `begin` to before `end`.
Tensor Cut(Tensor tensor, size_t axis, int64_t begin, int64_t end) {
  tensor.offset += begin * tensor.axes[axis].stride;
  tensor.axes[axis].extent = end - begin;
  return tensor;
}

Tensor Permuted(const Tensor& tensor, const std::vector<size_t>& order) {
  Tensor permuted = tensor;
  for (size_t j = 0; j < order.size(); ++j) permuted.axes[j] = tensor.axes[order[j]];
  return permuted;
}

// Pictures of depths, which are added up: each is a convolution of two axes.
struct Convolution : ProductPlan {
  // src and dst {depth, batch, rows, columns, channels}, weights {depth, groups, outputs, rows,
  // columns, inputs}
  std::array<Spatial, 3> spatial;

  // Missing axes are of extent 1.
  void Normalize(const dnnspec_convolution_params& params) {
    const size_t axes = src.axes.size() - 2, missing = 3 - axes;
    if (weights.axes.size() == src.axes.size())
      weights.axes.insert(weights.axes.begin(), Axis{1, 0});
    src.axes.insert(src.axes.begin() + 2, missing, Axis{1, 0});
    dst.axes.insert(dst.axes.begin() + 2, missing, Axis{1, 0});
    weights.axes.insert(weights.axes.begin() + 3, missing, Axis{1, 0});
    src = Permuted(src, {2, 0, 3, 4, 1});
    dst = Permuted(dst, {2, 0, 3, 4, 1});
    weights = Permuted(weights, {3, 0, 1, 4, 5, 2});
    for (size_t j = 0; j < axes; ++j)
      spatial[missing + j] = {params.strides[j], params.dilates[j] + 1, params.padding_l[j]};
  }

  void Execute(const dnnspec_argument* arguments) const override {
    if (IsEmpty(dst)) return;
    const Floats biases = Bias(dst.axes.back().extent, arguments);
    for (int64_t place = 0; place < dst.axes.front().extent; ++place) {
      const Tensor result = SliceOf(dst, place);
      Floats sums(Elements(result.axes));
      if (!Sum(arguments, place, biases, &sums)) Fill(biases, &sums);
      Scatter(sums, result, arguments[dst_at]);
    }
  }

  // Of one depth of the result. False if nothing reaches it.
  bool Sum(const dnnspec_argument* arguments, int64_t place, const Floats& biases,
           Floats* sums) const {
    const Reach rows =
        ReachOf(spatial[1], src.axes[2].extent, weights.axes[3].extent, dst.axes[2].extent);
    const Reach columns =
        ReachOf(spatial[2], src.axes[3].extent, weights.axes[4].extent, dst.axes[3].extent);
    const Convolution2d convolution = {rows.axis,
                                       columns.axis,
                                       static_cast<size_t>(src.axes[1].extent),
                                       static_cast<uint32_t>(weights.axes[1].extent),
                                       static_cast<size_t>(weights.axes[5].extent),
                                       static_cast<size_t>(weights.axes[2].extent)};
    if (rows.axis.extent == 0 || columns.axis.extent == 0 || IsEmpty(src) || IsEmpty(weights))
      return false;
    const Tensor reached = Cut(Cut(src, 2, rows.begin, rows.end), 3, columns.begin, columns.end);
    bool begun = false;
    for (int64_t tap = 0; tap < weights.axes.front().extent; ++tap) {
      const int64_t from = place * spatial[0].stride + tap * spatial[0].step - spatial[0].padding;
      if (from < 0 || from >= src.axes.front().extent) continue;
      const Floats picture = Gather(SliceOf(reached, from), arguments[src_at]);
      const Floats kernel = Gather(SliceOf(weights, tap), arguments[weights_at]);
      Floats terms(static_cast<int64_t>(sums->size()));
      Convolve(convolution, picture, kernel, begun ? nullptr : biases.data(),
               begun ? &terms : sums);
      if (begun) Apply(Binary::kAdd, *sums, terms, sums);
      begun = true;
    }
    return begun;
  }
};

}  // namespace

dnnspec_status PlanInnerProduct(const dnnspec_operation& operation, dnnspec_layout* chosen,
                                std::unique_ptr<dnnspec_plan>* out) {
  auto plan = std::make_unique<InnerProduct>();
  const dnnspec_status status = ReadForward(operation, chosen, plan.get());
  if (status == DNNSPEC_OK) *out = std::move(plan);
  return status;
}

dnnspec_status PlanConvolution(const dnnspec_operation& operation, dnnspec_layout* chosen,
                               std::unique_ptr<dnnspec_plan>* out) {
  dnnspec_convolution_params params;
  if (dnnspec_read(operation.params, &params, sizeof(params)) == 0)
    return Unimplemented("newer than this plug-in");
  if (params.algorithm == DNNSPEC_CONVOLUTION_WINOGRAD)
    return Unimplemented("sums are made directly");
  auto plan = std::make_unique<Convolution>();
  const dnnspec_status status = ReadForward(operation, chosen, plan.get());
  if (status != DNNSPEC_OK) return status;
  plan->Normalize(params);
  *out = std::move(plan);
  return DNNSPEC_OK;
}

}  // namespace plugin
