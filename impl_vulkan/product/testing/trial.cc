#include "impl_vulkan/product/testing/trial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "impl_vulkan/testing/device.h"

namespace impl_vulkan {
namespace testing {
namespace {

using spi::DataType;

constexpr int64_t kGuardBytes = 16;

// A number through the formats' own conversions.
uint32_t Encode(DataType type, float value) {
  spi::ReorderOperation conversion;
  conversion.src.type = DataType::kF32;
  conversion.dst.type = type;
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return Expected(conversion, bits, 1, 0);
}

float Decode(DataType type, uint32_t bits) {
  spi::ReorderOperation conversion;
  conversion.src.type = type;
  conversion.dst.type = DataType::kF32;
  const uint32_t f32 = Expected(conversion, bits, 1, 0);
  float value = 0;
  std::memcpy(&value, &f32, sizeof value);
  return value;
}

float Round(double value) { return static_cast<float>(value); }

// One element of a tensor by its logical coordinates.
float At(const Bytes& bytes, const spi::Layout& layout, const spi::Dims& x) {
  return Decode(layout.type, Load(bytes, layout.type, spi::OffsetOf(layout, x)));
}

float Eltwise(const spi::EltwiseOp& op, float v) {
  using spi::Algorithm;
  switch (op.algorithm) {
    case Algorithm::kEltwiseRelu:
      // A zero keeps its sign.
      return v > 0 ? v : op.alpha == 0 ? std::max(v, 0.0f) : op.alpha * v;
    case Algorithm::kEltwiseLinear:
      return Round(Round(double{op.alpha} * v) + double{op.beta});
    case Algorithm::kEltwiseAbs:
      return std::fabs(v);
    case Algorithm::kEltwiseSquare:
      return Round(double{v} * v);
    case Algorithm::kEltwiseClip:
    case Algorithm::kEltwiseClipV2:
      return std::min(std::max(v, op.alpha), op.beta);
    case Algorithm::kEltwiseBoundedRelu:
      return std::min(std::max(v, 0.0f), op.alpha);
    case Algorithm::kEltwiseRound:
      return std::nearbyint(v);
    default:
      ADD_FAILURE() << "no function " << static_cast<int>(op.algorithm);
      return v;
  }
}

// Everything behind the sum of products; `old` is the destination's element, as bits.
float Finish(const spi::Operation& operation, const std::vector<Bytes>& tensors, double sum,
             int64_t channel, uint32_t old) {
  float v = Round(sum);
  const int bias = spi::Find(operation, spi::kArgBias);
  if (bias >= 0) {
    v = Round(double{v} + At(tensors[static_cast<size_t>(bias)],
                             spi::LayoutOf(operation, spi::kArgBias), {channel}));
  }
  if (operation.attributes == nullptr) return v;
  for (const spi::Scales& scales : operation.attributes->scales) {
    const auto index = static_cast<size_t>(scales.mask == 0 ? 0 : channel);
    const int table = spi::Find(operation, spi::kArgOutputScales);
    v *= scales.run_time ? At(tensors[static_cast<size_t>(table)],
                              spi::Strided(DataType::kF32, {1}), {static_cast<int64_t>(index)})
                         : scales.values[index];
  }
  for (const spi::PostOp& op : operation.attributes->post_ops) {
    if (const auto* const sum_op = std::get_if<spi::SumOp>(&op)) {
      const DataType destination = spi::LayoutOf(operation, spi::kArgDst).type;
      const DataType type = sum_op->type == DataType::kUndef ? destination : sum_op->type;
      if (sum_op->scale != 0) {
        v = Round(double{v} + Round(double{sum_op->scale} * Decode(type, old)));
      }
    } else {
      const auto& eltwise = std::get<spi::EltwiseOp>(op);
      v = Round(double{eltwise.scale} * Eltwise(eltwise, v));
    }
  }
  return v;
}

spi::PostOp RandomEltwise(Generator* generator) {
  using spi::Algorithm;
  constexpr Algorithm kAlgorithms[] = {
      Algorithm::kEltwiseRelu,   Algorithm::kEltwiseRelu,        Algorithm::kEltwiseLinear,
      Algorithm::kEltwiseAbs,    Algorithm::kEltwiseSquare,      Algorithm::kEltwiseClip,
      Algorithm::kEltwiseClipV2, Algorithm::kEltwiseBoundedRelu, Algorithm::kEltwiseRound};
  constexpr float kFactors[] = {1, 1, 0.5f, -1, 2};
  spi::EltwiseOp op;
  op.algorithm = generator->OneOf(kAlgorithms);
  op.scale = generator->OneOf(kFactors);
  op.alpha = op.algorithm == Algorithm::kEltwiseRelu && generator->OneIn(2)
                 ? 0
                 : generator->OneOf(kFactors);
  op.beta = static_cast<float>(generator->Below(9)) + op.alpha;
  return op;
}

}  // namespace

uint32_t Rounded(DataType type, double sum) { return Encode(type, Round(sum)); }

SumTrial Filled(const spi::Operation& operation, uint32_t seed) {
  Generator generator(seed + 77777);
  SumTrial trial;
  trial.operation = operation;
  for (const spi::TensorArg& tensor : operation.tensors) {
    const DataType type = tensor.layout.type;
    const int64_t bytes = ExtentOf(tensor.layout) * spi::SizeOf(type) + kGuardBytes;
    Bytes data = generator.Data(DataType::kU8, bytes);
    ForEach(tensor.layout, [&](const spi::Dims& x) {
      constexpr float kPowers[] = {0.5f, 1, 2, -1};
      const auto value = static_cast<float>(generator.Below(9)) -
                         static_cast<float>(type == DataType::kU8 ? 0 : 4);
      const bool scale = tensor.argument == spi::kArgOutputScales;
      Store(&data, type, spi::OffsetOf(tensor.layout, x),
            Encode(type, scale ? generator.OneOf(kPowers) : value));
    });
    trial.before.push_back(std::move(data));
  }
  trial.after = trial.before;
  return trial;
}

Types RandomTypes(Generator* generator, spi::PropKind prop) {
  constexpr DataType kFloats[] = {DataType::kF32, DataType::kF32, DataType::kBF16, DataType::kF16};
  constexpr DataType kBytes[] = {DataType::kU8, DataType::kS8};
  constexpr DataType kResults[] = {DataType::kS32, DataType::kF32, DataType::kBF16, DataType::kU8,
                                   DataType::kS8};
  if (spi::IsForward(prop) && generator->OneIn(3)) {
    return {generator->OneOf(kBytes), DataType::kS8, generator->OneOf(kResults),
            generator->OneOf(kResults)};
  }
  const DataType factor = generator->OneOf(kFloats);
  const auto result = [&] { return generator->OneIn(2) ? factor : DataType::kF32; };
  Types types{factor, factor, result(), factor};
  (spi::IsForward(prop)                   ? types.dst
   : prop == spi::PropKind::kBackwardData ? types.src
                                          : types.weights) = result();
  return types;
}

std::shared_ptr<const spi::Attributes> RandomAttributes(Generator* generator, DataType destination,
                                                        int64_t channels) {
  constexpr float kFactors[] = {1, 0.5f, -1, 2, 0};
  auto attributes = std::make_shared<spi::Attributes>();
  if (generator->OneIn(3)) {
    spi::Scales scales;
    scales.mask = generator->OneIn(2) ? 2 : 0;
    scales.run_time = generator->OneIn(3);
    const int64_t count = scales.mask == 0 ? 1 : channels;
    for (int64_t i = 0; i < count && !scales.run_time; ++i) {
      scales.values.push_back(generator->OneOf(kFactors));
    }
    attributes->scales.push_back(scales);
  }
  for (int i = 0; i < 3; ++i) {
    if (!generator->OneIn(3)) continue;
    if (generator->OneIn(2)) {
      const bool as_signed = destination == DataType::kU8 && attributes->post_ops.empty();
      attributes->post_ops.push_back(
          spi::SumOp{generator->OneOf(kFactors), as_signed ? DataType::kS8 : DataType::kUndef});
      break;
    }
    attributes->post_ops.push_back(RandomEltwise(generator));
  }
  return attributes;
}

float Answer::Read(int argument, const spi::Dims& x) const {
  return At(trial_.before[Position(argument)], spi::LayoutOf(trial_.operation, argument), x);
}

uint32_t Answer::Finished(double sum, int64_t channel, const spi::Dims& x) const {
  const spi::Layout& dst = spi::LayoutOf(trial_.operation, spi::kArgDst);
  const uint32_t old = Load(trial_.before[Position(spi::kArgDst)], dst.type, spi::OffsetOf(dst, x));
  return Encode(dst.type, Finish(trial_.operation, trial_.before, sum, channel, old));
}

void Answer::Write(int argument, const std::function<uint32_t(const spi::Dims& x)>& element) {
  const spi::Layout& layout = spi::LayoutOf(trial_.operation, argument);
  Bytes& after = trial_.after[Position(argument)];
  if (spi::IsEmpty(layout)) return;
  const spi::Layout whole = WithPadding(layout);
  ForEach(whole,
          [&](const spi::Dims& x) { Store(&after, layout.type, spi::OffsetOf(whole, x), 0); });
  ForEach(layout, [&](const spi::Dims& x) {
    Store(&after, layout.type, spi::OffsetOf(layout, x), element(x));
  });
}

std::string Run(spi::Engine& engine, const SumTrial& trial, int candidate) {
  const absl::StatusOr<spi::Planned> planned =
      engine.MakePlan({trial.operation, nullptr, candidate});
  if (!planned.ok()) return std::string(planned.status().message());
  std::vector<std::shared_ptr<spi::Buffer>> owned;
  for (const Bytes& bytes : trial.before) owned.push_back(Upload(engine, bytes));
  if (planned->scratchpad_bytes > 0) {
    owned.push_back(Upload(engine, Bytes(planned->scratchpad_bytes, 0xff)));  // of NaNs
  }
  std::vector<spi::Buffer*> buffers;
  for (const auto& buffer : owned) buffers.push_back(buffer.get());
  const auto stream = engine.MakeStream(spi::kInOrder);
  if (!stream.ok()) return std::string(stream.status().message());
  // Twice: the second time the commands are there already. Sums then find what came out.
  const bool sums = spi::LayoutOf(trial.operation, spi::kArgDst).kind != spi::LayoutKind::kNone &&
                    trial.operation.attributes != nullptr;
  for (int round = 0; round < (sums ? 1 : 2); ++round) {
    absl::Status status = planned->plan->Execute(**stream, buffers);
    if (status.ok()) status = (*stream)->Wait();
    if (!status.ok()) return std::string(status.message());
  }
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
