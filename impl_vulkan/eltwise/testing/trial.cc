#include "impl_vulkan/eltwise/testing/trial.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "api/eltwise/operation.h"
#include "impl_vulkan/testing/device.h"
#include "impl_vulkan/testing/glsl.h"

namespace impl_vulkan {
namespace testing {
namespace glsl {

#include "impl_vulkan/glsl/number.glsl"
// After it, since they call its functions.
#include "impl_vulkan/glsl/curves.glsl"

}  // namespace glsl

namespace {

using spi::Algorithm;
using spi::DataType;

constexpr int64_t kGuardBytes = 16;

uint32_t Bits(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Bits of `from` as bits of `to`, by the formats' own conversions.
uint32_t Convert(DataType from, DataType to, uint32_t bits) {
  spi::ReorderOperation conversion;
  conversion.src.type = from;
  conversion.dst.type = to;
  return Expected(conversion, bits, 1, 0);
}

bool IsPiece(Algorithm algorithm) {
  return algorithm == Algorithm::kEltwiseRelu || algorithm == Algorithm::kEltwiseLinear ||
         algorithm == Algorithm::kEltwiseSquare || algorithm == Algorithm::kEltwiseAbs ||
         algorithm == Algorithm::kEltwiseBoundedRelu || algorithm == Algorithm::kEltwiseClip ||
         algorithm == Algorithm::kEltwiseClipV2 || algorithm == Algorithm::kEltwiseRound;
}

// What becomes of the f32 `v`; `gradient` is not asked for forward.
uint32_t ImageOf(const spi::EltwiseView& eltwise, uint32_t v, uint32_t gradient) {
  const Algorithm plain = spi::PlainOf(eltwise.algorithm);
  const auto algorithm = static_cast<uint32_t>(plain);
  const uint32_t alpha = Bits(eltwise.alpha), beta = Bits(eltwise.beta);
  if (eltwise.forward) {
    return IsPiece(plain) ? glsl::piece(algorithm, v, alpha, beta)
                          : glsl::curve(algorithm, v, alpha, beta);
  }
  if (IsPiece(plain)) return glsl::piece_backward(algorithm, v, gradient, alpha, beta);
  return spi::UsesDst(eltwise.algorithm)
             ? glsl::curve_backward_by_result(algorithm, v, gradient, alpha)
             : glsl::curve_backward(algorithm, v, gradient, alpha, beta);
}

Bytes Fill(Generator* generator, const spi::Layout& layout, bool moderate) {
  const DataType type = layout.type;
  Bytes bytes = generator->Data(DataType::kU8, ExtentOf(layout) * spi::SizeOf(type) + kGuardBytes);
  ForEach(layout, [&](const spi::Dims& x) {
    uint32_t bits = 0;
    if (moderate) {
      const auto eighths = static_cast<float>(generator->Below(161));
      bits = Convert(DataType::kF32, type, Bits(eighths / 8 - 10));
    } else {
      const Bytes any = generator->Data(type, 1);
      bits = Load(any, type, 0);
    }
    Store(&bytes, type, spi::OffsetOf(layout, x), bits);
  });
  return bytes;
}

// The tensors after the operation, given those before.
void Apply(EltwiseTrial* trial) {
  const spi::EltwiseView eltwise(trial->operation);
  trial->after = trial->before;
  Bytes& result = trial->after.back();
  if (!spi::IsEmpty(eltwise.to)) {
    const spi::Layout whole = WithPadding(eltwise.to);
    ForEach(whole,
            [&](const spi::Dims& x) { Store(&result, whole.type, spi::OffsetOf(whole, x), 0); });
  }
  ForEach(eltwise.to, [&](const spi::Dims& x) {
    const DataType type = eltwise.to.type;
    const uint32_t v = Load(trial->before[0], type, spi::OffsetOf(eltwise.data, x));
    uint32_t gradient = 0;
    if (!eltwise.forward) {
      gradient = Load(trial->before[1], type, spi::OffsetOf(eltwise.diff_dst, x));
      gradient = Convert(type, DataType::kF32, gradient);
    }
    const uint32_t image = ImageOf(eltwise, Convert(type, DataType::kF32, v), gradient);
    Store(&result, type, spi::OffsetOf(eltwise.to, x), Convert(DataType::kF32, type, image));
  });
  if (trial->in_place) trial->after[trial->after.size() - 2] = result;
}

constexpr Algorithm kAlgorithms[] = {Algorithm::kEltwiseRelu,
                                     Algorithm::kEltwiseTanh,
                                     Algorithm::kEltwiseElu,
                                     Algorithm::kEltwiseSquare,
                                     Algorithm::kEltwiseAbs,
                                     Algorithm::kEltwiseSqrt,
                                     Algorithm::kEltwiseLinear,
                                     Algorithm::kEltwiseBoundedRelu,
                                     Algorithm::kEltwiseSoftRelu,
                                     Algorithm::kEltwiseLogistic,
                                     Algorithm::kEltwiseExp,
                                     Algorithm::kEltwiseGeluTanh,
                                     Algorithm::kEltwiseSwish,
                                     Algorithm::kEltwiseLog,
                                     Algorithm::kEltwiseClip,
                                     Algorithm::kEltwiseClipV2,
                                     Algorithm::kEltwisePow,
                                     Algorithm::kEltwiseGeluErf,
                                     Algorithm::kEltwiseLogsigmoid,
                                     Algorithm::kEltwiseMish,
                                     Algorithm::kEltwiseHardswish,
                                     Algorithm::kEltwiseReluUseDstForBwd,
                                     Algorithm::kEltwiseTanhUseDstForBwd,
                                     Algorithm::kEltwiseEluUseDstForBwd,
                                     Algorithm::kEltwiseSqrtUseDstForBwd,
                                     Algorithm::kEltwiseLogisticUseDstForBwd,
                                     Algorithm::kEltwiseExpUseDstForBwd,
                                     Algorithm::kEltwiseClipV2UseDstForBwd};

}  // namespace

EltwiseTrial TrialOf(const spi::Operation& operation, bool in_place, uint32_t seed) {
  Generator generator(seed + 77777);
  EltwiseTrial trial;
  trial.operation = operation;
  trial.in_place = in_place;
  const bool moderate = generator.OneIn(2);
  for (const spi::TensorArg& tensor : operation.tensors) {
    trial.before.push_back(Fill(&generator, tensor.layout, moderate));
  }
  if (in_place) trial.before.back() = trial.before[trial.before.size() - 2];
  Apply(&trial);
  return trial;
}

EltwiseTrial RandomEltwise(uint32_t seed, int64_t most_elements) {
  constexpr float kAlphas[] = {0, 1, 0.5f, 2, 1.702f}, kBetas[] = {2, 3, 2.5f};
  Generator generator(seed);
  const bool forward = generator.OneIn(2);
  spi::EltwiseParams params;
  params.algorithm = generator.OneOf(kAlgorithms);
  params.alpha = generator.OneOf(kAlphas);
  params.beta = generator.OneOf(kBetas);
  const DataType type = forward              ? generator.OneOf(kTypes)
                        : generator.OneIn(2) ? DataType::kF32
                                             : DataType::kBF16;
  const std::vector<int64_t> dims = generator.Dims(most_elements);
  const auto layout = [&](bool written) {
    if (generator.OneIn(4)) return spi::Strided(type, dims);
    return generator.Layout(type, dims, generator.OneIn(2), !written && generator.OneIn(8));
  };
  const spi::Layout to = layout(true);
  const spi::Layout data = generator.OneIn(2) ? to : layout(false);
  const bool in_place = generator.OneIn(2) && (!forward || data == to);
  spi::Layout gradient = to;
  if (!in_place) gradient.offset = generator.Below(5);
  const spi::Operation operation =
      forward ? spi::MakeEltwiseForward(spi::PropKind::kForwardTraining, params, data, to)
              : spi::MakeEltwiseBackward(params, data, gradient, to);
  return TrialOf(operation, in_place, seed);
}

std::string Run(spi::Engine& engine, const EltwiseTrial& trial, int candidate) {
  const absl::StatusOr<spi::Planned> planned =
      engine.MakePlan({trial.operation, nullptr, candidate});
  if (!planned.ok()) return std::string(planned.status().message());
  std::vector<std::shared_ptr<spi::Buffer>> owned;
  for (const Bytes& bytes : trial.before) owned.push_back(Upload(engine, bytes));
  if (trial.in_place) owned.back() = owned[owned.size() - 2];
  std::vector<spi::Buffer*> buffers;
  for (const auto& buffer : owned) buffers.push_back(buffer.get());
  const auto stream = engine.MakeStream(spi::kInOrder);
  if (!stream.ok()) return std::string(stream.status().message());
  absl::Status status = planned->plan->Execute(**stream, buffers);
  if (status.ok()) status = (*stream)->Wait();
  if (!status.ok()) return std::string(status.message());
  for (size_t i = 0; i < trial.after.size(); ++i) {
    const std::string difference =
        Difference(Download(*owned[i], trial.after[i].size()), trial.after[i]);
    if (difference.empty()) continue;
    return absl::StrCat(difference, " of argument ", trial.operation.tensors[i].argument, " in ",
                        planned->plan->Describe(), ", ",
                        spi::ToString(trial.operation.tensors[i].layout));
  }
  return "";
}

}  // namespace testing
}  // namespace impl_vulkan
