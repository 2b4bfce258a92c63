// Whole inner products on a device, element for element against the interpreter.
//
// DNNSPEC_VULKAN_FEATURES, _STAGING, _WINDOW and _VALIDATE choose other paths through the same
// tests.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "api/inner_product/operation.h"
#include "impl_vulkan/inner_product/testing/trial.h"
#include "impl_vulkan/testing/device.h"

namespace impl_vulkan {
namespace {

using spi::DataType;
using spi::PropKind;
using spi::Strided;
using testing::Bytes;

class InnerProduct : public ::testing::Test {
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

spi::Operation Forward(DataType type, int64_t n, int64_t oc, int64_t ic) {
  return spi::MakeInnerProduct(PropKind::kForwardInference, Strided(type, {n, ic}),
                               Strided(type, {oc, ic}), nullptr, Strided(type, {n, oc}));
}

TEST_F(InnerProduct, IsRightInEverything) {
  // Blocks that a narrow window cannot hold are refused, and 145 cases are not.
  const bool narrow = std::getenv("DNNSPEC_VULKAN_WINDOW") != nullptr;
  int refused = 0;
  for (uint32_t seed = 0; seed < 160; ++seed) {
    const spi::Operation operation = testing::RandomProduct(seed, 4000);
    const bool second = seed % 4 == 3 && engine_->MakePlan({operation, nullptr, 1}).ok();
    const std::string fault =
        testing::Run(*engine_, testing::TrialOf(operation, seed), second ? 1 : 0);
    if (narrow && fault.rfind("vulkan: inner_product: no ", 0) == 0) {
      ++refused;
      continue;
    }
    ASSERT_EQ(fault, "") << "seed " << seed;
  }
  EXPECT_LE(refused, 15);
}

TEST_F(InnerProduct, IsRightInLongSums) {
  if (std::getenv("DNNSPEC_VULKAN_WINDOW") != nullptr) GTEST_SKIP() << "too many pieces";
  // Through several links on each side, and in several pieces.
  for (const int64_t ic : {33000, 70001}) {
    const spi::Operation operation = spi::MakeInnerProduct(
        PropKind::kForwardInference, Strided(DataType::kF32, {1, ic, 2}, {{1, 16}, {1, 4}}),
        Strided(DataType::kF32, {2, ic, 2}, {{2, 2}, {1, 8}}), nullptr,
        Strided(DataType::kF32, {1, 2}));
    const spi::Interpretation trial = testing::TrialOf(operation, 1);
    EXPECT_EQ(testing::Run(*engine_, trial, 0), "") << ic;
  }
  const spi::Interpretation tiled = testing::TrialOf(Forward(DataType::kBF16, 17, 16, 33000), 1);
  for (const int candidate : {0, 1}) {
    EXPECT_EQ(testing::Run(*engine_, tiled, candidate), "");
  }
}

TEST_F(InnerProduct, IsRightInSumsOfFewElements) {
  if (std::getenv("DNNSPEC_VULKAN_WINDOW") != nullptr) GTEST_SKIP() << "too many pieces";
  // In parts that run side by side, where a device wants that, and the gradient of the bias as
  // well.
  for (const DataType type : {DataType::kF32, DataType::kBF16}) {
    for (const auto& [oc, ic] : std::vector<std::array<int64_t, 2>>{{17, 33}, {3, 2}}) {
      const spi::Layout bias = Strided(type, {oc});
      const spi::Operation operation =
          spi::MakeInnerProduct(PropKind::kBackwardWeights, Strided(type, {2600, ic}),
                                Strided(type, {oc, ic}), &bias, Strided(type, {2600, oc}));
      const spi::Interpretation trial = testing::TrialOf(operation, 1);
      for (const int candidate : {0, 1}) EXPECT_EQ(testing::Run(*engine_, trial, candidate), "");
    }
  }
}

TEST_F(InnerProduct, IsRightWithFewRowsOrColumns) {
  for (const auto& [n, oc, ic] : std::vector<std::array<int64_t, 3>>{
           {1, 1, 300}, {1, 37, 65}, {3, 33, 64}, {9, 130, 130}, {200, 1, 63}, {70, 15, 129}}) {
    for (const DataType type : {DataType::kF32, DataType::kBF16}) {
      const spi::Interpretation trial = testing::TrialOf(Forward(type, n, oc, ic), 1);
      for (const int candidate : {0, 1}) {
        EXPECT_EQ(testing::Run(*engine_, trial, candidate), "") << n << " " << oc << " " << ic;
      }
    }
  }
  // What follows a sum is done once, with the old value and the bias.
  const spi::Layout bias = Strided(DataType::kF32, {7});
  spi::Operation finished = spi::MakeInnerProduct(
      PropKind::kForwardInference, Strided(DataType::kU8, {5, 150}),
      Strided(DataType::kS8, {7, 150}), &bias, Strided(DataType::kS8, {5, 7}));
  spi::Attributes attributes;
  attributes.scales = {{spi::kArgDst, 0, false, {0.125f}}};
  attributes.post_ops = {spi::SumOp{2, DataType::kUndef},
                         spi::EltwiseOp{spi::Algorithm::kEltwiseRelu, 1, 0.5f}};
  spi::SetAttributes(std::make_shared<spi::Attributes>(attributes), &finished);
  const spi::Interpretation trial = testing::TrialOf(finished, 1);
  for (const int candidate : {0, 1}) EXPECT_EQ(testing::Run(*engine_, trial, candidate), "");
}

TEST_F(InnerProduct, IsRightInTilesOfEverySize) {
  for (const auto& [n, oc, ic] : std::vector<std::array<int64_t, 3>>{
           {64, 64, 16}, {65, 63, 17}, {130, 70, 5}, {16, 200, 33}, {1030, 1000, 9}}) {
    if (std::getenv("DNNSPEC_VULKAN_WINDOW") != nullptr && n > 1000) continue;
    for (const DataType type : {DataType::kF32, DataType::kBF16}) {
      const spi::Interpretation trial = testing::TrialOf(Forward(type, n, oc, ic), 1);
      for (const int candidate : {0, 1}) {
        EXPECT_EQ(testing::Run(*engine_, trial, candidate), "") << n << " " << oc << " " << ic;
      }
    }
  }
}

TEST_F(InnerProduct, SumsByHand) {
  // src: rows 1 2 3, 4 5 6; weights: 1 0 -1, 2 1 0; bias 10 20.
  const spi::Layout src = Strided(DataType::kF32, {2, 3}),
                    weights = Strided(DataType::kF32, {2, 3}), bias = Strided(DataType::kF32, {2}),
                    dst = Strided(DataType::kF32, {2, 2});
  const std::vector<float> x = {1, 2, 3, 4, 5, 6}, w = {1, 0, -1, 2, 1, 0}, none(6, 99);
  EXPECT_EQ(
      testing::ExecuteFloats(
          *engine_, spi::MakeInnerProduct(PropKind::kForwardTraining, src, weights, &bias, dst),
          {x, w, {10, 20}, {9, 9, 9, 9}}, 0),
      (std::vector<float>{8, 24, 8, 33}));
  EXPECT_EQ(
      testing::ExecuteFloats(
          *engine_, spi::MakeInnerProduct(PropKind::kBackwardData, src, weights, nullptr, dst),
          {w, {1, 2, 3, 4}, none}, 0),
      (std::vector<float>{5, 2, -1, 11, 4, -3}));
  EXPECT_EQ(
      testing::ExecuteFloats(
          *engine_, spi::MakeInnerProduct(PropKind::kBackwardWeights, src, weights, nullptr, dst),
          {x, {1, 2, 3, 4}, none}, 0),
      (std::vector<float>{13, 17, 21, 18, 24, 30}));
}

TEST_F(InnerProduct, KeepsSpecialValuesInTheirRows) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const int64_t n = 19, oc = 17, ic = 21;
  std::vector<float> src(n * ic, 1), weights(oc * ic, 2);
  src[3 * ic + 20] = NAN;
  src[4 * ic + 1] = kInfinity;
  weights[5 * ic] = -kInfinity;
  for (const int candidate : {0, 1}) {
    const std::vector<float> dst =
        testing::ExecuteFloats(*engine_, Forward(DataType::kF32, n, oc, ic),
                               {src, weights, std::vector<float>(n * oc, NAN)}, candidate);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < oc; ++j) {
        const float got = dst[static_cast<size_t>(i * oc + j)];
        if (i == 3 || (i == 4 && j == 5)) {
          EXPECT_TRUE(std::isnan(got)) << i << " " << j;
        } else {
          EXPECT_EQ(got, i == 4 ? kInfinity : j == 5 ? -kInfinity : 42) << i << " " << j;
        }
      }
    }
  }
}

TEST_F(InnerProduct, WritesZerosForAnEmptyBatch) {
  const spi::Layout src = Strided(DataType::kF32, {0, 3}),
                    weights = Strided(DataType::kF32, {2, 3}), bias = Strided(DataType::kF32, {2}),
                    dst = Strided(DataType::kF32, {0, 2});
  const auto planned = engine_->MakePlan(
      {spi::MakeInnerProduct(PropKind::kBackwardWeights, src, weights, &bias, dst), nullptr, 0});
  ASSERT_TRUE(planned.ok()) << planned.status();
  const auto nothing = engine_->Wrap(nullptr, 0);
  ASSERT_TRUE(nothing.ok()) << nothing.status();
  const auto diff_weights = testing::Upload(*engine_, testing::BytesOf(std::vector<float>(6, NAN))),
             diff_bias = testing::Upload(*engine_, testing::BytesOf(std::vector<float>(2, NAN)));
  spi::Buffer* const buffers[] = {nothing->get(), nothing->get(), diff_weights.get(),
                                  diff_bias.get()};
  const auto stream = engine_->MakeStream(spi::kInOrder);
  ASSERT_TRUE(planned->plan->Execute(**stream, buffers).ok());
  ASSERT_TRUE((*stream)->Wait().ok());
  EXPECT_EQ(testing::FloatsOf(testing::Download(*diff_weights, 24)), std::vector<float>(6, 0));
  EXPECT_EQ(testing::FloatsOf(testing::Download(*diff_bias, 8)), std::vector<float>(2, 0));
}

TEST_F(InnerProduct, SumsBytesBeyondTwoToThe24) {
  // 1001 products of 255 and 127 are 32417385, which f32 does not hold.
  const int64_t ic = 1001;
  const spi::Operation operation = spi::MakeInnerProduct(
      PropKind::kForwardInference, Strided(DataType::kU8, {1, ic}), Strided(DataType::kS8, {1, ic}),
      nullptr, Strided(DataType::kS32, {1, 1}));
  const auto after = testing::Execute(
      *engine_, operation, {Bytes(1001, std::byte{255}), Bytes(1001, std::byte{127}), Bytes(4)});
  ASSERT_TRUE(after.ok()) << after.status();
  int32_t sum = 0;
  std::memcpy(&sum, after->back().data(), sizeof sum);
  EXPECT_EQ(sum, 32417385);
}

TEST_F(InnerProduct, ChoosesRowMajorForWhatIsOpen) {
  const spi::Operation operation = spi::MakeInnerProduct(
      PropKind::kForwardInference, spi::Any(DataType::kF32, {2, 3, 4, 4}),
      Strided(DataType::kF32, {5, 3, 4, 4}, {{1, 2}}), nullptr, spi::Any(DataType::kF32, {2, 5}));
  const auto planned = engine_->MakePlan({operation, nullptr, 0});
  ASSERT_TRUE(planned.ok()) << planned.status();
  EXPECT_EQ(planned->chosen, (std::vector<spi::Layout>{Strided(DataType::kF32, {2, 3, 4, 4}),
                                                       Strided(DataType::kF32, {2, 5})}));
}

TEST_F(InnerProduct, SaysWhatItDoes) {
  if (std::getenv("DNNSPEC_VULKAN_WINDOW") != nullptr) GTEST_SKIP() << "in pieces";
  const bool stages = static_cast<Engine&>(*engine_).context()->device().plan().stages;
  const spi::Operation large = Forward(DataType::kF32, 33, 40, 50);
  EXPECT_EQ(DescriptionOf(large, stages ? 0 : 1), "vulkan:tile f32 f32->f32 33x40x50");
  EXPECT_EQ(DescriptionOf(large, stages ? 1 : 0), "vulkan:direct f32 f32->f32 33x40x50");
  EXPECT_EQ(DescriptionOf(large, 2), "vulkan: no further implementation");
  EXPECT_EQ(DescriptionOf(Forward(DataType::kF32, 1, 40, 50)),
            "vulkan:direct f32 f32->f32 1x40x50");
  EXPECT_EQ(DescriptionOf(Forward(DataType::kF32, 0, 40, 50)), "vulkan:nothing");
  EXPECT_EQ(DescriptionOf(Forward(DataType::kS32, 1, 2, 3)),
            "vulkan: inner_product of src s32, weights s32, bias none, dst s32");
}

}  // namespace
}  // namespace impl_vulkan
