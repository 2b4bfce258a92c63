#include "impl_vulkan/product/testing/trial.h"

namespace impl_vulkan {
namespace testing {
namespace {

using spi::DataType;

// Room behind each tensor, where nothing may be written.
constexpr size_t kGuardBytes = 16;

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

spi::Interpretation TrialOf(const spi::Operation& operation, uint32_t seed) {
  spi::Random random(seed + 77777);
  return {operation, spi::IntegersFor(random, operation, false, kGuardBytes)};
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

}  // namespace testing
}  // namespace impl_vulkan
