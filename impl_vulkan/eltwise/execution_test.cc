// Whole eltwise operations on a device, bit for bit against the reference.
//
// DNNSPEC_VULKAN_FEATURES, _WINDOW and _VALIDATE choose other paths through the same tests.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/eltwise/operation.h"
#include "impl_vulkan/eltwise/testing/trial.h"
#include "impl_vulkan/testing/device.h"

namespace impl_vulkan {
namespace {

using spi::Algorithm;
using spi::DataType;
using spi::Strided;
using testing::EltwiseTrial;

class Eltwise : public ::testing::Test {
 protected:
  void SetUp() override {
    const Preferences preferences = Preferences::FromEnvironment();
    if (preferences.validate) {
      // Never destroyed: at exit the layer has taken down what it keeps for instances before.
      static const auto& instance = *new auto(Instance::Create(preferences));
      if (!instance.ok()) GTEST_SKIP() << instance.status();
      if (!(*instance)->Verdict().ok()) GTEST_SKIP() << (*instance)->Verdict();
    }
    static Implementation& implementation = testing::Keep(preferences);
    SKIP_WITHOUT_DEVICE(implementation);
    auto engine = implementation.MakeEngine(0);
    ASSERT_TRUE(engine.ok()) << engine.status();
    engine_ = *engine;
  }

  // The plan's words, or why there is none.
  std::string DescriptionOf(const spi::Operation& operation, int candidate = 0) {
    const auto planned = engine_->MakePlan({operation, nullptr, candidate});
    return planned.ok() ? planned->plan->Describe() : std::string(planned.status().message());
  }

  std::shared_ptr<spi::Engine> engine_;
};

spi::Operation Forward(Algorithm algorithm, const spi::Layout& data) {
  return spi::MakeEltwiseForward(spi::PropKind::kForwardInference, {algorithm, 0.5f, 2}, data,
                                 data);
}

TEST_F(Eltwise, IsRightInEverything) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    const EltwiseTrial trial = testing::RandomEltwise(seed, 2000);
    const bool second = seed % 4 == 3 && engine_->MakePlan({trial.operation, nullptr, 1}).ok();
    ASSERT_EQ(testing::Run(*engine_, trial, second ? 1 : 0), "") << "seed " << seed;
  }
}

// All 16 bits of two formats: whatever a driver makes of the shaders, it is what C++ makes of them.
TEST_F(Eltwise, HasTheSameFunctionsAsTheHost) {
  if (std::getenv("DNNSPEC_VULKAN_WINDOW") != nullptr) GTEST_SKIP() << "in pieces";
  for (const Algorithm algorithm :
       {Algorithm::kEltwiseRelu, Algorithm::kEltwiseTanh, Algorithm::kEltwiseElu,
        Algorithm::kEltwiseSqrt, Algorithm::kEltwiseSoftRelu, Algorithm::kEltwiseExp,
        Algorithm::kEltwiseGeluTanh, Algorithm::kEltwiseSwish, Algorithm::kEltwiseLog,
        Algorithm::kEltwisePow, Algorithm::kEltwiseGeluErf, Algorithm::kEltwiseRound}) {
    for (const DataType type : {DataType::kF32, DataType::kF16}) {
      EXPECT_EQ(testing::Run(*engine_,
                             testing::TrialOf(Forward(algorithm, Strided(type, {1 << 16})), false,
                                              static_cast<uint32_t>(type)),
                             0),
                "");
    }
  }
}

TEST_F(Eltwise, LeavesNothingButZerosInPadding) {
  const spi::Layout padded = Strided(DataType::kBF16, {2, 5, 3, 3}, {{1, 16}});
  for (const bool in_place : {false, true}) {
    for (const Algorithm algorithm : {Algorithm::kEltwiseExp, Algorithm::kEltwiseLinear}) {
      EXPECT_EQ(
          testing::Run(*engine_, testing::TrialOf(Forward(algorithm, padded), in_place, 7), 0), "");
    }
  }
  EXPECT_EQ(DescriptionOf(Forward(Algorithm::kEltwiseExp, padded)),
            "vulkan:row bf16->bf16 eltwise_exp padding");
}

TEST_F(Eltwise, DoesNothingToNothing) {
  const spi::Operation operation = Forward(Algorithm::kEltwiseExp, Strided(DataType::kF32, {3, 0}));
  const auto planned = engine_->MakePlan({operation, nullptr, 0});
  ASSERT_TRUE(planned.ok()) << planned.status();
  const auto nothing = engine_->Wrap(nullptr, 0);
  ASSERT_TRUE(nothing.ok()) << nothing.status();
  const auto stream = engine_->MakeStream(spi::kInOrder);
  EXPECT_TRUE(planned->plan->Execute(**stream, {nothing->get(), nothing->get()}).ok());
}

TEST_F(Eltwise, SaysWhatItDoes) {
  if (std::getenv("DNNSPEC_VULKAN_WINDOW") != nullptr) GTEST_SKIP() << "in pieces";
  const spi::Layout dense = Strided(DataType::kF32, {4, 8, 5, 5});
  EXPECT_EQ(DescriptionOf(Forward(Algorithm::kEltwiseRelu, dense)),
            "vulkan:row f32->f32 eltwise_relu");
  EXPECT_EQ(DescriptionOf(Forward(Algorithm::kEltwiseRelu, dense), 1),
            "vulkan:generic f32->f32 eltwise_relu");
  EXPECT_EQ(DescriptionOf(Forward(Algorithm::kEltwiseRelu, dense), 2),
            "vulkan: no further implementation");
  const auto backward = [&](Algorithm algorithm, const spi::Layout& data,
                            const spi::Layout& diff_dst, const spi::Layout& diff_src) {
    return DescriptionOf(spi::MakeEltwiseBackward({algorithm, 0, 0}, data, diff_dst, diff_src));
  };
  EXPECT_EQ(backward(Algorithm::kEltwiseTanhUseDstForBwd, dense, dense, dense),
            "vulkan:row f32->f32 eltwise_tanh backward");
  EXPECT_EQ(backward(Algorithm::kEltwiseRound, dense, dense, dense),
            "vulkan: eltwise: eltwise_round has no derivative (ELT-014)");
  const spi::Layout blocked = Strided(DataType::kF32, {4, 8, 5, 5}, {{1, 8}});
  EXPECT_EQ(backward(Algorithm::kEltwiseTanh, blocked, dense, dense),
            "vulkan:generic f32->f32 eltwise_tanh backward");
  EXPECT_EQ(backward(Algorithm::kEltwiseTanh, dense, blocked, dense),
            "vulkan: eltwise: diff_src and diff_dst of different layouts");
  const spi::Layout bytes = Strided(DataType::kS8, {4});
  EXPECT_EQ(backward(Algorithm::kEltwiseTanh, bytes, bytes, bytes),
            "vulkan: eltwise: gradients of type s8");
  EXPECT_EQ(DescriptionOf(Forward(Algorithm::kUndef, dense)), "vulkan: eltwise: algorithm 0");
}

}  // namespace
}  // namespace impl_vulkan
