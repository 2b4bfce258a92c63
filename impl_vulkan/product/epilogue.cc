#include "impl_vulkan/product/epilogue.h"

#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace impl_vulkan {
namespace {

uint32_t Bits(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

bool IsOne(float value) { return Bits(value) == 0x3f800000u; }

// The channel is axis 1 of the destination.
constexpr int kChannelMask = 1 << 1;

class Writer {
 public:
  explicit Writer(Epilogue* epilogue) : steps_(epilogue->steps) {}

  void Add(StepCode code, StepOperand operand) { steps_.push_back({code, operand, 0, 0}); }
  void Add(StepCode code, float constant) {
    steps_.push_back({code, StepOperand::kConstant, Bits(constant), 0});
  }
  void Scale(float scale) {
    if (!IsOne(scale)) Add(StepCode::kMultiply, scale);
  }
  void Clip(float low, float high) {
    Add(StepCode::kMax, low);
    Add(StepCode::kMin, high);
  }

 private:
  std::vector<EpilogueStep>& steps_;
};

absl::Status AddScales(const char* primitive, const spi::Scales& scales, Epilogue* epilogue) {
  if (scales.mask != 0 && scales.mask != kChannelMask) {
    return absl::UnimplementedError(
        absl::StrCat("vulkan: ", primitive, ": output scales with mask ", scales.mask));
  }
  if (!scales.run_time && scales.values.size() == 1 && scales.mask == 0) {
    // One scale of 1 is the default attribute, and the default computes nothing.
    Writer(epilogue).Scale(scales.values[0]);
    return absl::OkStatus();
  }
  epilogue->scales = true;
  epilogue->run_time_scales = scales.run_time;
  epilogue->scale_of_channel = scales.mask != 0;
  epilogue->table.assign(scales.values.begin(), scales.values.end());
  if (scales.run_time) epilogue->table.clear();
  Writer(epilogue).Add(StepCode::kMultiply, StepOperand::kScale);
  return absl::OkStatus();
}

absl::Status AddSum(const char* primitive, const spi::SumOp& sum, spi::DataType destination,
                    Epilogue* epilogue) {
  if (sum.scale == 0) return absl::OkStatus();
  const spi::DataType type = sum.type == spi::DataType::kUndef ? destination : sum.type;
  if (epilogue->old_type != spi::DataType::kUndef && epilogue->old_type != type) {
    return absl::UnimplementedError(
        absl::StrCat("vulkan: ", primitive, ": two sums read the destination as different types"));
  }
  epilogue->old_type = type;
  Writer steps(epilogue);
  if (IsOne(sum.scale)) {
    steps.Add(StepCode::kAdd, StepOperand::kOld);
    return absl::OkStatus();
  }
  steps.Add(StepCode::kSave, StepOperand::kSelf);
  steps.Add(StepCode::kLoad, StepOperand::kOld);
  steps.Add(StepCode::kMultiply, sum.scale);
  steps.Add(StepCode::kAdd, StepOperand::kSaved);
  return absl::OkStatus();
}

absl::Status AddEltwise(const char* primitive, const spi::EltwiseOp& op, Epilogue* epilogue) {
  using spi::Algorithm;
  Writer steps(epilogue);
  switch (op.algorithm) {
    case Algorithm::kEltwiseRelu:
      // A slope of 0 is 0 for an infinity too.
      steps.Add(op.alpha == 0 ? StepCode::kMax : StepCode::kSlope, op.alpha);
      break;
    case Algorithm::kEltwiseLinear:
      steps.Scale(op.alpha);
      steps.Add(StepCode::kAdd, op.beta);
      break;
    case Algorithm::kEltwiseAbs:
      steps.Add(StepCode::kAbs, 0.0f);
      break;
    case Algorithm::kEltwiseSquare:
      steps.Add(StepCode::kMultiply, StepOperand::kSelf);
      break;
    case Algorithm::kEltwiseClip:
    case Algorithm::kEltwiseClipV2:
      steps.Clip(op.alpha, op.beta);
      break;
    case Algorithm::kEltwiseBoundedRelu:
      steps.Clip(0, op.alpha);
      break;
    case Algorithm::kEltwiseRound:
      steps.Add(StepCode::kRound, 0.0f);
      break;
    case Algorithm::kEltwiseHardswish:
      // v * min(max(v + 3, 0), 6) / 6
      steps.Add(StepCode::kSave, StepOperand::kSelf);
      steps.Add(StepCode::kAdd, 3.0f);
      steps.Clip(0, 6);
      steps.Add(StepCode::kMultiply, StepOperand::kSaved);
      steps.Add(StepCode::kMultiply, 1.0f / 6);
      break;
    default:
      return absl::UnimplementedError(absl::StrCat("vulkan: ", primitive, ": post-op of algorithm ",
                                                   static_cast<int>(op.algorithm)));
  }
  steps.Scale(op.scale);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Epilogue> EpilogueOf(const char* primitive, const spi::Attributes* attributes,
                                    bool bias, spi::DataType destination) {
  Epilogue epilogue;
  if (bias) Writer(&epilogue).Add(StepCode::kAdd, StepOperand::kBias);
  if (attributes == nullptr) return epilogue;
  absl::Status status;
  for (const spi::Scales& scales : attributes->scales) {
    if (status.ok()) status = AddScales(primitive, scales, &epilogue);
  }
  for (const spi::PostOp& op : attributes->post_ops) {
    if (!status.ok()) break;
    const auto* const sum = std::get_if<spi::SumOp>(&op);
    status = sum != nullptr ? AddSum(primitive, *sum, destination, &epilogue)
                            : AddEltwise(primitive, std::get<spi::EltwiseOp>(op), &epilogue);
  }
  if (!status.ok()) return status;
  if (epilogue.steps.size() > kMaxSteps) {
    return absl::UnimplementedError(
        absl::StrCat("vulkan: ", primitive, ": post-ops of more than ", kMaxSteps, " steps"));
  }
  return epilogue;
}

}  // namespace impl_vulkan
