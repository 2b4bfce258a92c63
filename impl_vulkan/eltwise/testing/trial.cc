#include "impl_vulkan/eltwise/testing/trial.h"

#include <cstring>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "api/eltwise/operation.h"
#include "api/testing/interpreter.h"
#include "api/testing/random_operation.h"
#include "impl_vulkan/testing/device.h"
#include "impl_vulkan/testing/generator.h"
#include "impl_vulkan/testing/glsl.h"
#include "impl_vulkan/testing/places.h"

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

constexpr size_t kGuardBytes = 16;

size_t ByteOf(const spi::Layout& layout, const spi::Dims& x) {
  return static_cast<size_t>(spi::OffsetOf(layout, x) * spi::SizeOf(layout.type));
}

uint32_t Load(const Bytes& bytes, const spi::Layout& layout, const spi::Dims& x) {
  uint32_t bits = 0;
  std::memcpy(&bits, &bytes[ByteOf(layout, x)], static_cast<size_t>(spi::SizeOf(layout.type)));
  return bits;
}

void Store(const spi::Layout& layout, const spi::Dims& x, uint32_t bits, Bytes* bytes) {
  std::memcpy(&(*bytes)[ByteOf(layout, x)], &bits, static_cast<size_t>(spi::SizeOf(layout.type)));
}

uint32_t Bits(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
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
  Bytes bytes = spi::RandomData(generator->random(), type, spi::BytesOf(layout));
  ForEach(layout, [&](const spi::Dims& x) {
    if (!moderate) return;
    const auto eighths = static_cast<float>(generator->Below(161));
    Store(layout, x, spi::Convert(DataType::kF32, type, Bits(eighths / 8 - 10)), &bytes);
  });
  const Bytes guard = spi::RandomBytes(generator->random(), kGuardBytes);
  bytes.insert(bytes.end(), guard.begin(), guard.end());
  return bytes;
}

// The tensors after the operation, given those before.
void Apply(EltwiseTrial* trial) {
  const spi::EltwiseView eltwise(trial->operation);
  const DataType type = eltwise.to.type;
  trial->after = trial->before;
  Bytes& result = trial->after.back();
  const spi::Layout whole = WithPadding(eltwise.to);
  if (!spi::IsEmpty(eltwise.to))
    ForEach(whole, [&](const spi::Dims& x) { Store(whole, x, 0, &result); });
  ForEach(eltwise.to, [&](const spi::Dims& x) {
    const auto widened = [&](const Bytes& bytes, const spi::Layout& layout) {
      return spi::Convert(type, DataType::kF32, Load(bytes, layout, x));
    };
    const uint32_t v = widened(trial->before[0], eltwise.data);
    const uint32_t gradient = eltwise.forward ? 0 : widened(trial->before[1], eltwise.diff_dst);
    Store(eltwise.to, x, spi::Convert(DataType::kF32, type, ImageOf(eltwise, v, gradient)),
          &result);
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
  const DataType type = forward              ? generator.OneOf(spi::kTypes)
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
