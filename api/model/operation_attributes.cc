#include "api/model/operation_attributes.h"

#include <cstddef>
#include <variant>

#include "absl/strings/str_cat.h"
#include "api/memory/layout.h"

namespace api {
namespace {

namespace state = dnnl::state;
using dnnl::algorithm;

// The two headers name the same numbers.
constexpr bool Same(spi::Algorithm ours, algorithm theirs) {
  return static_cast<int>(ours) == static_cast<int>(theirs);
}
static_assert(Same(spi::Algorithm::kEltwiseRelu, algorithm::eltwise_relu));
static_assert(Same(spi::Algorithm::kEltwiseTanh, algorithm::eltwise_tanh));
static_assert(Same(spi::Algorithm::kEltwiseElu, algorithm::eltwise_elu));
static_assert(Same(spi::Algorithm::kEltwiseSquare, algorithm::eltwise_square));
static_assert(Same(spi::Algorithm::kEltwiseAbs, algorithm::eltwise_abs));
static_assert(Same(spi::Algorithm::kEltwiseSqrt, algorithm::eltwise_sqrt));
static_assert(Same(spi::Algorithm::kEltwiseLinear, algorithm::eltwise_linear));
static_assert(Same(spi::Algorithm::kEltwiseBoundedRelu, algorithm::eltwise_bounded_relu));
static_assert(Same(spi::Algorithm::kEltwiseSoftRelu, algorithm::eltwise_soft_relu));
static_assert(Same(spi::Algorithm::kEltwiseLogistic, algorithm::eltwise_logistic));
static_assert(Same(spi::Algorithm::kEltwiseExp, algorithm::eltwise_exp));
static_assert(Same(spi::Algorithm::kEltwiseGeluTanh, algorithm::eltwise_gelu_tanh));
static_assert(Same(spi::Algorithm::kEltwiseSwish, algorithm::eltwise_swish));
static_assert(Same(spi::Algorithm::kEltwiseLog, algorithm::eltwise_log));
static_assert(Same(spi::Algorithm::kEltwiseClip, algorithm::eltwise_clip));
static_assert(Same(spi::Algorithm::kEltwiseClipV2, algorithm::eltwise_clip_v2));
static_assert(Same(spi::Algorithm::kEltwisePow, algorithm::eltwise_pow));
static_assert(Same(spi::Algorithm::kEltwiseGeluErf, algorithm::eltwise_gelu_erf));
static_assert(Same(spi::Algorithm::kEltwiseRound, algorithm::eltwise_round));
static_assert(Same(spi::Algorithm::kEltwiseLogsigmoid, algorithm::eltwise_logsigmoid));
static_assert(Same(spi::Algorithm::kEltwiseMish, algorithm::eltwise_mish));
static_assert(Same(spi::Algorithm::kEltwiseHardswish, algorithm::eltwise_hardswish));
static_assert(Same(spi::Algorithm::kEltwiseReluUseDstForBwd,
                   algorithm::eltwise_relu_use_dst_for_bwd));
static_assert(Same(spi::Algorithm::kEltwiseTanhUseDstForBwd,
                   algorithm::eltwise_tanh_use_dst_for_bwd));
static_assert(Same(spi::Algorithm::kEltwiseEluUseDstForBwd,
                   algorithm::eltwise_elu_use_dst_for_bwd));
static_assert(Same(spi::Algorithm::kEltwiseSqrtUseDstForBwd,
                   algorithm::eltwise_sqrt_use_dst_for_bwd));
static_assert(Same(spi::Algorithm::kEltwiseLogisticUseDstForBwd,
                   algorithm::eltwise_logistic_use_dst_for_bwd));
static_assert(Same(spi::Algorithm::kEltwiseExpUseDstForBwd,
                   algorithm::eltwise_exp_use_dst_for_bwd));
static_assert(Same(spi::Algorithm::kEltwiseClipV2UseDstForBwd,
                   algorithm::eltwise_clip_v2_use_dst_for_bwd));

}  // namespace

void TakeScales(const state::primitive_attr& attr, spi::Attributes* attributes) {
  if (attr.output.neutral()) return;
  spi::Scales& scales = attributes->scales.emplace_back();
  scales.mask = attr.output.mask;
  scales.run_time = IsRunTime(attr.output);
  if (!scales.run_time) scales.values.assign(attr.output.values.begin(), attr.output.values.end());
}

absl::Status TakePostOps(const char* primitive, const state::primitive_attr& attr,
                         spi::DataType dst, spi::Attributes* attributes) {
  for (std::size_t i = 0; i < attr.post_ops.size(); ++i) {
    const auto unserved = [&](const auto&... what) {
      return absl::UnimplementedError(absl::StrCat(primitive, ": post-op ", i, what...));
    };
    if (const auto* sum = std::get_if<state::sum_op>(&attr.post_ops[i])) {
      if (sum->zero_point != 0)
        return unserved(": sum zero point = ", sum->zero_point, " is not 0 (ATTR-006)");
      spi::SumOp added;
      added.scale = sum->scale;
      added.type = sum->type == dnnl_data_type_undef ? dst : DataTypeOf(sum->type);
      attributes->post_ops.push_back(added);
    } else if (const auto* eltwise = std::get_if<state::eltwise_op>(&attr.post_ops[i])) {
      const auto algorithm = spi::PlainOf(static_cast<spi::Algorithm>(eltwise->kind));
      attributes->post_ops.push_back(
          spi::EltwiseOp{algorithm, eltwise->scale, eltwise->alpha, eltwise->beta});
    } else {
      return unserved(" is neither a sum nor an eltwise (ATTR-006)");
    }
  }
  return absl::OkStatus();
}

}  // namespace api
