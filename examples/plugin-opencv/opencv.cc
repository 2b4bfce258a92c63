// A library for pictures as a plug-in: the core of OpenCV, which copies, transposes, converts and
// multiplies matrices.
//
// From the root of the repository:
//   g++ -std=c++17 -O2 -shared -fPIC -fvisibility=hidden -I. -I/usr/include/opencv4
//       examples/plugin-cpu/*.cc examples/plugin-opencv/*.cc -lopencv_core -o libopencv.so
//   tools/conform --plugin=./libopencv.so --claims=examples/plugin-opencv/opencv.claims
//
// Here operations become plans. Tensors become matrices in matrices.h: what computes does so on a
// dense copy.
#include <memory>
#include <opencv2/core.hpp>
#include <opencv2/core/version.hpp>
#include <utility>

#include "api/spi/plugin_abi.h"
#include "examples/plugin-cpu/operations.h"
#include "examples/plugin-cpu/plugin.h"
#include "examples/plugin-cpu/table.h"
#include "examples/plugin-cpu/tensors.h"
#include "examples/plugin-opencv/eltwise.h"
#include "examples/plugin-opencv/matrices.h"

namespace plugin {
namespace {

struct Reorder : dnnspec_plan, ReorderOperation {
  bool IsCopy() const { return !computes && src.type == dst.type; }

  void Execute(const dnnspec_argument* arguments) const override {
    if (IsEmpty(src)) return;
    if (IsCopy()) return Copy(src, arguments[0], dst, arguments[1]);
    cv::Mat values = Gather(src, arguments[0]);
    if (computes) {
      values = Convert(values, CV_32F);
      if (beta == 0) {
        values.convertTo(values, CV_32F, scale);
      } else {
        const cv::Mat old = Convert(Gather(dst, arguments[1]), CV_32F);
        cv::addWeighted(values, scale, old, beta, 0, values);
      }
    }
    Scatter(Convert(values, DepthOf(dst.type)), dst, arguments[1]);
  }
};

dnnspec_status PlanReorder(const dnnspec_operation& operation, std::unique_ptr<dnnspec_plan>* out) {
  auto plan = std::make_unique<Reorder>();
  const dnnspec_status status = ReadReorder(operation, plan.get());
  if (status != DNNSPEC_OK) return status;
  if (!HasMatrix(plan->src)) return Unimplemented("extents are int");
  if (!plan->IsCopy() && (plan->src.type == DNNSPEC_BF16 || plan->dst.type == DNNSPEC_BF16))
    return Unimplemented("bf16 is moved alone");
  *out = std::move(plan);
  return DNNSPEC_OK;
}

struct Shuffle : dnnspec_plan, CopyOperation {
  void Execute(const dnnspec_argument* arguments) const override {
    if (!IsEmpty(src)) Copy(src, arguments[0], dst, arguments[1]);
  }
};

dnnspec_status PlanShuffle(const dnnspec_operation& operation, const dnnspec_layout* chosen,
                           std::unique_ptr<dnnspec_plan>* out) {
  auto plan = std::make_unique<Shuffle>();
  const dnnspec_status status = ReadShuffle(operation, chosen, plan.get());
  if (status != DNNSPEC_OK) return status;
  if (!HasMatrix(plan->src)) return Unimplemented("extents are int");
  *out = std::move(plan);
  return DNNSPEC_OK;
}

// All axes but the first are one, of which source and weights have the same.
struct InnerProduct : dnnspec_plan, Product {
  static cv::Mat Matrix(const Tensor& tensor, const dnnspec_argument& argument) {
    return IsEmpty(tensor)
               ? cv::Mat()
               : Gather(tensor, argument).reshape(1, static_cast<int>(tensor.axes[0].extent));
  }

  // The product of two matrices, plus a third one unless that is empty.
  static void Store(const cv::Mat& a, const cv::Mat& b, int transposed, const cv::Mat& plus,
                    const Tensor& tensor, const dnnspec_argument& argument) {
    if (IsEmpty(tensor)) return;
    cv::Mat result = plus;
    if (!a.empty() && !b.empty()) {
      cv::gemm(a, b, 1, plus, 1, result, transposed);
    } else if (plus.empty()) {
      result = cv::Mat::zeros(1, static_cast<int>(Elements(tensor.axes)), CV_32F);
    }
    Scatter(result, tensor, argument);
  }

  void Execute(const dnnspec_argument* arguments) const override {
    const auto matrix = [&](const Tensor& tensor, int at) { return Matrix(tensor, arguments[at]); };
    if (ComputesSrc())
      return Store(matrix(dst, dst_at), matrix(weights, weights_at), 0, {}, src, arguments[src_at]);
    if (ComputesWeights()) {
      const cv::Mat gradient = matrix(dst, dst_at);
      Store(gradient, matrix(src, src_at), cv::GEMM_1_T, {}, weights, arguments[weights_at]);
      if (bias_at >= 0) StoreBias(gradient, arguments[bias_at]);
      return;
    }
    cv::Mat plus;
    if (bias_at >= 0 && !IsEmpty(dst))
      plus = cv::repeat(Gather(bias, arguments[bias_at]), static_cast<int>(dst.axes[0].extent), 1);
    Store(matrix(src, src_at), matrix(weights, weights_at), cv::GEMM_2_T, plus, dst,
          arguments[dst_at]);
  }

  void StoreBias(const cv::Mat& gradient, const dnnspec_argument& argument) const {
    cv::Mat sums = cv::Mat::zeros(1, static_cast<int>(Elements(bias.axes)), CV_32F);
    if (!gradient.empty()) cv::reduce(gradient, sums, 0, cv::REDUCE_SUM);
    if (!IsEmpty(bias)) Scatter(sums, bias, argument);
  }
};

dnnspec_status PlanInnerProduct(const dnnspec_operation& operation, dnnspec_layout* chosen,
                                std::unique_ptr<dnnspec_plan>* out) {
  auto plan = std::make_unique<InnerProduct>();
  const dnnspec_status status = ReadProduct(operation, chosen, plan.get());
  if (status != DNNSPEC_OK) return status;
  if (!HasMatrix(plan->src) || !HasMatrix(plan->weights) || !HasMatrix(plan->dst))
    return Unimplemented("extents are int");
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
    case DNNSPEC_ELTWISE:
      return PlanEltwise(operation, chosen, plan);
    default:
      return Unimplemented("another primitive");
  }
}

}  // namespace plugin

const dnnspec_plugin_table dnnspec_plugin = plugin::Table("opencv", CV_VERSION);
