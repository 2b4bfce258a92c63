// Whole convolutions on a device, element for element against the interpreter.
//
// DNNSPEC_VULKAN_FEATURES, _STAGING, _WINDOW and _VALIDATE choose other paths through the same
// tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "api/convolution/operation.h"
#include "impl_vulkan/convolution/testing/trial.h"
#include "impl_vulkan/testing/device.h"

namespace impl_vulkan {
namespace {

using spi::DataType;
using spi::PropKind;
using spi::Strided;
using testing::Bytes;
using testing::Plain;
using testing::Shape;

class Convolution : public ::testing::Test {
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

  static bool narrow() { return std::getenv("DNNSPEC_VULKAN_WINDOW") != nullptr; }

  // The plan's words, or why there is none.
  std::string DescriptionOf(const spi::Operation& operation, int candidate = 0) {
    const auto planned = engine_->MakePlan({operation, nullptr, candidate});
    return planned.ok() ? planned->plan->Describe() : std::string(planned.status().message());
  }

  // Runs all candidates of a dense convolution of f32 in three directions.
  void ExpectRight(const Shape& shape) {
    for (const PropKind prop :
         {PropKind::kForwardTraining, PropKind::kBackwardData, PropKind::kBackwardWeights}) {
      const spi::Operation operation =
          testing::ConvolutionOfShape(prop, DataType::kF32, shape, prop != PropKind::kBackwardData);
      const spi::Interpretation trial = testing::TrialOf(operation, 1);
      const int candidates = engine_->MakePlan({operation, nullptr, 1}).ok() ? 2 : 1;
      for (int candidate = 0; candidate < candidates; ++candidate) {
        EXPECT_EQ(testing::Run(*engine_, trial, candidate), "") << DescriptionOf(operation);
      }
    }
  }

  std::shared_ptr<spi::Engine> engine_;
};

TEST_F(Convolution, IsRightInEverything) {
  // Blocks that a narrow window cannot hold are refused, and 225 cases are not.
  int refused = 0;
  for (uint32_t seed = 0; seed < 260; ++seed) {
    const spi::Operation operation = testing::RandomConvolution(seed, 20000);
    const bool second = seed % 4 == 3 && engine_->MakePlan({operation, nullptr, 1}).ok();
    const std::string fault =
        testing::Run(*engine_, testing::TrialOf(operation, seed), second ? 1 : 0);
    if (narrow() && fault.rfind("vulkan: convolution: no ", 0) == 0) {
      ++refused;
      continue;
    }
    ASSERT_EQ(fault, "") << "seed " << seed;
  }
  EXPECT_LE(refused, 35);
}

TEST_F(Convolution, IsRightInShapesOfNetworks) {
  Shape first = Plain(1, 1, 3, 16, {28, 28}, {7, 7});
  first.params.strides = {2, 2};
  first.params.padding_l = first.params.padding_r = {3, 3};
  ExpectRight(first);
  Shape gray = Plain(2, 1, 1, 33, {17, 19}, {5, 5});
  gray.params.padding_l = gray.params.padding_r = {2, 1};
  ExpectRight(gray);
  ExpectRight(Plain(1, 5, 4, 18, {11, 9}, {3, 3}));
  ExpectRight(Plain(1, 1, 2, 20, {5, 7, 6}, {2, 3, 2}));
  Shape block = Plain(2, 1, 8, 8, {14, 14}, {3, 3});
  block.params.padding_l = block.params.padding_r = {1, 1};
  ExpectRight(block);
  Shape depthwise = Plain(1, 19, 1, 1, {15, 15}, {5, 5});
  depthwise.params.strides = {2, 2};
  depthwise.params.padding_l = {1, 2};
  depthwise.params.padding_r = {2, 2};
  ExpectRight(depthwise);
}

TEST_F(Convolution, IsRightInWindows) {
  if (narrow()) GTEST_SKIP() << "too many pieces";
  Shape shape = Plain(2, 5, 1, 1, {11, 9}, {3, 3});
  shape.params.padding_l = shape.params.padding_r = {1, 1};
  ExpectRight(shape);
  shape.params.strides = {2, 2};
  ExpectRight(shape);
  shape.params.strides = {3, 1};
  shape.params.dilates = {1, 2};
  ExpectRight(shape);
  Shape line = Plain(2, 7, 1, 2, {23}, {5});
  line.params.strides = {2};
  line.params.padding_l = {3};
  ExpectRight(line);
  Shape volume = Plain(1, 3, 1, 1, {4, 6, 5}, {2, 3, 2});
  volume.params.padding_l = {1, 0, 1};
  ExpectRight(volume);
}

TEST_F(Convolution, LeavesOutOfWindowsWhatLiesOutside) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  // The first row and column of taps are infinite; they meet padding at the first row and column.
  Shape shape = Plain(1, 2, 1, 1, {6, 6}, {3, 3});
  shape.params.padding_l = shape.params.padding_r = {1, 1};
  const spi::Operation operation =
      testing::ConvolutionOfShape(PropKind::kForwardTraining, DataType::kF32, shape, false);
  std::vector<float> weights(18, 1);
  for (size_t t = 0; t < 3; ++t) weights[t] = weights[3 * t] = kInfinity;
  const std::vector<float> dst = testing::ExecuteFloats(
      *engine_, operation, {std::vector<float>(72, 1), weights, std::vector<float>(72, 9)});
  ASSERT_EQ(dst.size(), 72u);
  for (size_t y = 0; y < 6; ++y) {
    for (size_t x = 0; x < 6; ++x) {
      EXPECT_EQ(dst[y * 6 + x], x + y == 0 ? 4 : kInfinity) << y << " " << x;
      const size_t rows = y == 0 || y == 5 ? 2 : 3, columns = x == 0 || x == 5 ? 2 : 3;
      EXPECT_EQ(dst[36 + y * 6 + x], static_cast<float>(rows * columns)) << y << " " << x;
    }
  }
}

TEST_F(Convolution, IsRightInTilesOfEverySize) {
  if (narrow()) GTEST_SKIP() << "too many pieces";
  Shape groups = Plain(2, 2, 20, 33, {9, 7}, {3, 3});
  groups.params.padding_l = groups.params.padding_r = {1, 1};
  ExpectRight(groups);
  Shape many = Plain(1, 1, 40, 130, {12, 13}, {3, 2});
  many.params.strides = {2, 1};
  many.params.padding_l = {1, 0};
  ExpectRight(many);
  // Long sums of few elements: in parts that run side by side, where a device wants that.
  Shape sums = Plain(3, 1, 16, 17, {28, 30}, {3, 3});
  sums.params.padding_l = sums.params.padding_r = {1, 1};
  ExpectRight(sums);
  ExpectRight(Plain(3, 1, 17, 16, {28, 30}, {1, 1}));
}

// Sums of `ic` channels whose padding meets an infinite weight.
void ExpectNoPaddingByInfinity(spi::Engine& engine, int64_t ic) {
  SCOPED_TRACE(ic);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Shape shape = Plain(1, 1, ic, 16, {8, 8}, {3, 3});
  shape.params.padding_l = shape.params.padding_r = {1, 1};
  const spi::Operation operation =
      testing::ConvolutionOfShape(PropKind::kForwardTraining, DataType::kF32, shape, false);
  // The first output channel has an infinite weight for what lies above and to the left; for the
  // last output that is zero.
  const auto channels = static_cast<size_t>(ic);
  std::vector<float> src(channels * 64, 1), weights(16 * channels * 9, 1), dst(16 * 64);
  weights[0] = kInfinity;
  src[6 * 8 + 6] = 0;
  for (int candidate = 0; candidate < 2; ++candidate) {
    dst = testing::ExecuteFloats(engine, operation, {src, weights, dst}, candidate);
    ASSERT_EQ(dst.size(), 16u * 64);
    EXPECT_TRUE(std::isnan(dst[7 * 8 + 7])) << "zero is multiplied";
    for (size_t y = 0; y < 8; ++y) {
      for (size_t x = 0; x < 8; ++x) {
        const size_t rows = y == 0 || y == 7 ? 2 : 3, columns = x == 0 || x == 7 ? 2 : 3;
        const float terms =
            static_cast<float>(channels * rows * columns) - (std::min(x, y) >= 5 ? 1.0f : 0.0f);
        EXPECT_EQ(dst[64 + y * 8 + x], terms) << y << " " << x;
        if (x + y == 14) continue;
        EXPECT_EQ(dst[y * 8 + x], y == 0 || x == 0 ? terms : kInfinity) << y << " " << x;
      }
    }
  }
}

TEST_F(Convolution, MultipliesNoPaddingByInfinity) {
  if (narrow()) GTEST_SKIP() << "too many pieces";
  ExpectNoPaddingByInfinity(*engine_, 16);
  // By tiles whose steps go across taps.
  ExpectNoPaddingByInfinity(*engine_, 3);
}

TEST_F(Convolution, IsRightWhereItIsAProduct) {
  ExpectRight(Plain(2, 1, 17, 19, {5, 7}, {1, 1}));
  Shape stride = Plain(2, 1, 5, 18, {9, 9}, {1, 1});
  stride.params.strides = {2, 3};
  ExpectRight(stride);
  ExpectRight(Plain(3, 1, 4, 17, {3, 5}, {3, 5}));
  ExpectRight(Plain(3, 1, 4, 17, {4, 5}, {1, 5}));
}

TEST_F(Convolution, IsRightInLongSums) {
  if (narrow()) GTEST_SKIP() << "too many pieces";
  // In several pieces: of taps, of channels, of outputs.
  const spi::Interpretation taps =
      testing::TrialOf(testing::ConvolutionOfShape(PropKind::kForwardTraining, DataType::kF32,
                                                   Plain(1, 1, 1, 1, {50000}, {49999}), true),
                       1);
  EXPECT_EQ(testing::Run(*engine_, taps, 0), "");
  ExpectRight(Plain(1, 1, 9000, 1, {2, 3}, {2, 2}));
  ExpectRight(Plain(2, 1, 1, 1, {15000}, {2}));
}

TEST_F(Convolution, SumsByHand) {
  // Taps at i - 1, i and i + 1 of 1 2 3 4, weights 1 10 100; stride 2: outputs at 0 and 2.
  Shape shape = Plain(1, 1, 1, 1, {4}, {3});
  shape.params.strides[0] = 2;
  shape.params.padding_l[0] = 1;
  const auto operation = [&](PropKind prop) {
    return testing::ConvolutionOfShape(prop, DataType::kF32, shape, false);
  };
  const std::vector<float> src = {1, 2, 3, 4}, weights = {1, 10, 100}, diff = {5, 7};
  EXPECT_EQ(testing::ExecuteFloats(*engine_, operation(PropKind::kForwardTraining),
                                   {src, weights, {9, 9}}),
            (std::vector<float>{210, 432}));
  EXPECT_EQ(testing::ExecuteFloats(*engine_, operation(PropKind::kBackwardData),
                                   {weights, diff, {9, 9, 9, 9}}),
            (std::vector<float>{50, 507, 70, 700}));
  EXPECT_EQ(testing::ExecuteFloats(*engine_, operation(PropKind::kBackwardWeights),
                                   {src, diff, {9, 9, 9}}),
            (std::vector<float>{14, 26, 38}));
}

TEST_F(Convolution, LeavesOutWhatLiesOutside) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  // A weight that meets padding alone, at the first output, and an element that is in no window.
  Shape shape = Plain(1, 1, 1, 1, {4}, {2});
  shape.params.padding_l[0] = 1;
  shape.params.strides[0] = 4;
  const spi::Operation forward =
      testing::ConvolutionOfShape(PropKind::kForwardTraining, DataType::kF32, shape, false);
  ASSERT_EQ(spi::LayoutOf(forward, spi::kArgDst).dims[2], 1);
  EXPECT_EQ(
      testing::ExecuteFloats(*engine_, forward, {{3, NAN, kInfinity, 1}, {kInfinity, 2}, {9}}),
      (std::vector<float>{6}));
  const spi::Operation data =
      testing::ConvolutionOfShape(PropKind::kBackwardData, DataType::kF32, shape, false);
  EXPECT_EQ(testing::ExecuteFloats(*engine_, data, {{kInfinity, 2}, {3}, {9, 9, 9, 9}}),
            (std::vector<float>{6, 0, 0, 0}));
  const spi::Operation weights =
      testing::ConvolutionOfShape(PropKind::kBackwardWeights, DataType::kF32, shape, false);
  EXPECT_EQ(testing::ExecuteFloats(*engine_, weights, {{3, NAN, kInfinity, 1}, {2}, {9, 9}}),
            (std::vector<float>{0, 6}));
}

TEST_F(Convolution, WritesWhatFollowsFromNothing) {
  // No batch, no source, no output.
  Shape batch = Plain(0, 1, 2, 3, {4}, {3});
  Shape source = Plain(2, 1, 2, 3, {0, 3}, {1, 2});
  source.params.padding_l[0] = 2;
  Shape output = Plain(2, 2, 2, 3, {2}, {3});
  for (const Shape& shape : {batch, source, output}) ExpectRight(shape);
}

TEST_F(Convolution, SumsBytesBeyondTwoToThe24) {
  // 1001 products of 255 and 127 are 32417385, which f32 does not hold.
  const int64_t ic = 143;
  const Shape shape = Plain(1, 1, ic, 1, {8}, {7});
  const spi::Operation operation = spi::MakeConvolution(
      PropKind::kForwardInference, shape.params, Strided(DataType::kU8, shape.src()),
      Strided(DataType::kS8, shape.weights()), nullptr, Strided(DataType::kS32, shape.dst()));
  const auto after = testing::Execute(
      *engine_, operation, {Bytes(8 * 143, std::byte{255}), Bytes(1001, std::byte{127}), Bytes(8)});
  ASSERT_TRUE(after.ok()) << after.status();
  int32_t sums[2] = {};
  std::memcpy(sums, after->back().data(), sizeof sums);
  EXPECT_EQ(sums[0], 32417385);
  EXPECT_EQ(sums[1], 32417385);
}

TEST_F(Convolution, ChoosesRowMajorForWhatIsOpen) {
  const Shape shape = Plain(2, 1, 3, 5, {4, 4}, {3, 3});
  const spi::Operation operation = spi::MakeConvolution(
      PropKind::kForwardInference, shape.params, spi::Any(DataType::kF32, shape.src()),
      Strided(DataType::kF32, shape.weights(), {{1, 2}}), nullptr,
      spi::Any(DataType::kF32, shape.dst()));
  const auto planned = engine_->MakePlan({operation, nullptr, 0});
  ASSERT_TRUE(planned.ok()) << planned.status();
  EXPECT_EQ(planned->chosen, (std::vector<spi::Layout>{Strided(DataType::kF32, {2, 3, 4, 4}),
                                                       Strided(DataType::kF32, {2, 5, 2, 2})}));
}

TEST_F(Convolution, SaysWhatItDoes) {
  if (narrow()) GTEST_SKIP() << "in pieces";
  const auto of = [](PropKind prop, DataType type, const Shape& shape, bool bias) {
    return testing::ConvolutionOfShape(prop, type, shape, bias);
  };
  const Shape shape = Plain(2, 3, 4, 5, {6, 6}, {3, 3});
  EXPECT_EQ(DescriptionOf(of(PropKind::kForwardTraining, DataType::kF32, shape, true)),
            "vulkan:direct convolution f32 f32->f32 3x32x5x36 bias f32 1 steps");
  EXPECT_EQ(DescriptionOf(of(PropKind::kBackwardWeights, DataType::kF32, shape, true)),
            "vulkan:direct convolution f32 f32->f32 3x36x5x32 and direct f32 ones->f32 15x1x32");
  EXPECT_EQ(DescriptionOf(of(PropKind::kForwardTraining, DataType::kF32, shape, false), 1),
            "vulkan:tile convolution f32 f32->f32 3x32x5x36");
  const Shape depthwise = Plain(2, 12, 1, 1, {6, 6}, {3, 3});
  EXPECT_EQ(DescriptionOf(of(PropKind::kForwardTraining, DataType::kF32, depthwise, false)),
            "vulkan:window convolution f32 f32->f32 12x32x1x9");
  EXPECT_EQ(DescriptionOf(of(PropKind::kForwardTraining, DataType::kF32, depthwise, false), 1),
            "vulkan:direct convolution f32 f32->f32 12x32x1x9");
  EXPECT_EQ(DescriptionOf(of(PropKind::kForwardTraining, DataType::kF32, shape, false), 2),
            "vulkan: no further implementation");
  EXPECT_EQ(DescriptionOf(of(PropKind::kForwardTraining, DataType::kS32, shape, false)),
            "vulkan: convolution of src s32, weights s32, bias none, dst s32");
  EXPECT_EQ(DescriptionOf(of(PropKind::kForwardTraining, DataType::kF32,
                             Plain(1, 1, 8, 4, {5, 5}, {1, 1}), false)),
            "vulkan:direct f32 f32->f32 25x4x8");
  EXPECT_EQ(DescriptionOf(of(PropKind::kForwardTraining, DataType::kF32,
                             Plain(0, 1, 8, 4, {5, 5}, {3, 3}), false)),
            "vulkan:nothing");
}

}  // namespace
}  // namespace impl_vulkan
