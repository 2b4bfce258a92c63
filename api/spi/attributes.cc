#include "api/spi/attributes.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace spi {
namespace {

bool SameBits(float a, float b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

bool operator==(const Scales& a, const Scales& b) {
  return a.argument == b.argument && a.mask == b.mask && a.run_time == b.run_time &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), SameBits);
}

bool operator==(const ZeroPoint& a, const ZeroPoint& b) {
  return a.argument == b.argument && a.value == b.value && a.run_time == b.run_time;
}

bool operator==(const SumOp& a, const SumOp& b) {
  return SameBits(a.scale, b.scale) && a.type == b.type;
}

bool operator==(const EltwiseOp& a, const EltwiseOp& b) {
  return a.algorithm == b.algorithm && SameBits(a.scale, b.scale) && SameBits(a.alpha, b.alpha) &&
         SameBits(a.beta, b.beta);
}

// std::variant's own finds no operator of this namespace.
bool SamePostOps(const PostOp& a, const PostOp& b) {
  if (a.index() != b.index()) return false;
  if (const auto* const sum = std::get_if<SumOp>(&a)) return *sum == std::get<SumOp>(b);
  return std::get<EltwiseOp>(a) == std::get<EltwiseOp>(b);
}

std::string ToString(const PostOp& op) {
  if (const auto* const sum = std::get_if<SumOp>(&op))
    return absl::StrCat(" sum ", sum->scale, " as ", NameOf(sum->type));
  const auto& eltwise = std::get<EltwiseOp>(op);
  return absl::StrCat(" ", NameOf(eltwise.algorithm), " scale ", eltwise.scale, " alpha ",
                      eltwise.alpha, " beta ", eltwise.beta);
}

struct Named {
  Algorithm algorithm;
  const char* name;
};
constexpr Named kEltwise[] = {
    {Algorithm::kEltwiseRelu, "eltwise_relu"},
    {Algorithm::kEltwiseTanh, "eltwise_tanh"},
    {Algorithm::kEltwiseElu, "eltwise_elu"},
    {Algorithm::kEltwiseSquare, "eltwise_square"},
    {Algorithm::kEltwiseAbs, "eltwise_abs"},
    {Algorithm::kEltwiseSqrt, "eltwise_sqrt"},
    {Algorithm::kEltwiseLinear, "eltwise_linear"},
    {Algorithm::kEltwiseBoundedRelu, "eltwise_bounded_relu"},
    {Algorithm::kEltwiseSoftRelu, "eltwise_soft_relu"},
    {Algorithm::kEltwiseLogistic, "eltwise_logistic"},
    {Algorithm::kEltwiseExp, "eltwise_exp"},
    {Algorithm::kEltwiseGeluTanh, "eltwise_gelu_tanh"},
    {Algorithm::kEltwiseSwish, "eltwise_swish"},
    {Algorithm::kEltwiseLog, "eltwise_log"},
    {Algorithm::kEltwiseClip, "eltwise_clip"},
    {Algorithm::kEltwiseClipV2, "eltwise_clip_v2"},
    {Algorithm::kEltwisePow, "eltwise_pow"},
    {Algorithm::kEltwiseGeluErf, "eltwise_gelu_erf"},
    {Algorithm::kEltwiseRound, "eltwise_round"},
    {Algorithm::kEltwiseLogsigmoid, "eltwise_logsigmoid"},
    {Algorithm::kEltwiseMish, "eltwise_mish"},
    {Algorithm::kEltwiseHardswish, "eltwise_hardswish"},
    {Algorithm::kEltwiseReluUseDstForBwd, "eltwise_relu_use_dst_for_bwd"},
    {Algorithm::kEltwiseTanhUseDstForBwd, "eltwise_tanh_use_dst_for_bwd"},
    {Algorithm::kEltwiseEluUseDstForBwd, "eltwise_elu_use_dst_for_bwd"},
    {Algorithm::kEltwiseSqrtUseDstForBwd, "eltwise_sqrt_use_dst_for_bwd"},
    {Algorithm::kEltwiseLogisticUseDstForBwd, "eltwise_logistic_use_dst_for_bwd"},
    {Algorithm::kEltwiseExpUseDstForBwd, "eltwise_exp_use_dst_for_bwd"},
    {Algorithm::kEltwiseClipV2UseDstForBwd, "eltwise_clip_v2_use_dst_for_bwd"},
};

// Null for what is none.
const char* NameOfEltwise(Algorithm algorithm) {
  for (const Named& one : kEltwise)
    if (one.algorithm == algorithm) return one.name;
  return nullptr;
}

template <class List>
bool SameLists(const List& a, const List& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x == y; });
}

}  // namespace

const char* NameOf(Algorithm algorithm) {
  const char* const name = NameOfEltwise(algorithm);
  return name == nullptr ? "undef" : name;
}

bool IsEltwise(Algorithm algorithm) { return NameOfEltwise(algorithm) != nullptr; }

bool operator==(const Attributes& a, const Attributes& b) {
  return SameLists(a.scales, b.scales) && SameLists(a.zero_points, b.zero_points) &&
         std::equal(a.post_ops.begin(), a.post_ops.end(), b.post_ops.begin(), b.post_ops.end(),
                    SamePostOps);
}

std::string ToString(const Attributes& attributes) {
  std::string text;
  for (const Scales& scales : attributes.scales)
    absl::StrAppend(&text, " scales@", scales.argument, " mask ", scales.mask,
                    scales.run_time ? " run-time" : absl::StrCat(" x", scales.values.size()));
  for (const ZeroPoint& zero : attributes.zero_points)
    absl::StrAppend(&text, " zero@", zero.argument, " ",
                    zero.run_time ? "run-time" : absl::StrCat(zero.value));
  for (const PostOp& op : attributes.post_ops) text += ToString(op);
  return text;
}

}  // namespace spi
