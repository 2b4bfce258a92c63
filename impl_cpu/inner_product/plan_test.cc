#include "impl_cpu/inner_product/plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "api/inner_product/operation.h"
#include "api/testing/interpreter.h"
#include "api/testing/random_operation.h"
#include "impl_cpu/inner_product/testing/random_product.h"
#include "impl_cpu/testing/buffers.h"
#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

using spi::Bytes;
using spi::DataType;
using spi::PropKind;
using spi::Random;
using spi::Uniform;

constexpr DataType kF32 = DataType::kF32, kBF16 = DataType::kBF16, kF16 = DataType::kF16,
                   kS32 = DataType::kS32, kS8 = DataType::kS8, kU8 = DataType::kU8;
constexpr PropKind kProps[] = {PropKind::kForwardTraining, PropKind::kBackwardData,
                               PropKind::kBackwardWeights};
constexpr ProductTypes kFloatTypes[] = {
    kAllF32,
    {kBF16, kBF16, kF32, kF32},
    {kBF16, kBF16, kBF16, kBF16},
    {kF16, kF16, kF16, kF16},
    {kF32, kBF16, kF32, kBF16},
};

spi::Planned PlanOf(const spi::Operation& operation, int candidate) {
  auto planned = PlanInnerProduct({operation, nullptr, candidate});
  EXPECT_TRUE(planned.ok()) << planned.status();
  return planned.ok() ? *std::move(planned) : spi::Planned();
}

void ExpectRight(const spi::Operation& operation, const std::vector<Bytes>& data) {
  const spi::Interpretation right(operation, data);
  for (int candidate = 0; candidate < 2; ++candidate) {
    if (!PlanInnerProduct({operation, nullptr, candidate}).ok()) break;
    const spi::Planned planned = PlanOf(operation, candidate);
    ASSERT_NE(planned.plan, nullptr);
    ASSERT_EQ(right.Mismatch(Executed(planned, data)), "") << planned.plan->Describe();
  }
}

TEST(InnerProductPlan, IsTheFormulaInEveryLayoutOfFloats) {
  ForEachTarget([] {
    Random random(7);
    for (const PropKind prop : kProps)
      for (const ProductTypes& types : kFloatTypes)
        for (int i = 0; i < 60; ++i) {
          const spi::Operation operation =
              RandomProduct(random, prop, types, RandomProductShape(random));
          ASSERT_NO_FATAL_FAILURE(
              ExpectRight(operation, spi::IntegersFor(random, operation, true)));
        }
  });
}

TEST(InnerProductPlan, IsTheFormulaInEveryLayoutOfIntegers) {
  ForEachTarget([] {
    Random random(8);
    for (const DataType src : {kU8, kS8})
      for (const DataType dst : {kS32, kF32, kBF16, kU8, kS8})
        for (const DataType bias : {kS32, kF32, kU8, kS8})
          for (int i = 0; i < 20; ++i) {
            const spi::Operation operation =
                RandomProduct(random, PropKind::kForwardInference, {src, kS8, bias, dst},
                              RandomProductShape(random));
            ASSERT_NO_FATAL_FAILURE(
                ExpectRight(operation, spi::IntegersFor(random, operation, true)));
          }
  });
}

// dst = {1 2; 3 4} x {5 6 7; 8 9 10}^T of weights {5 8; 6 9; 7 10}, and the bias {1, 2, 3}.
TEST(InnerProductPlan, OfTwoByTwoIsWhatIsReckonedByHand) {
  ForEachTarget([] {
    const spi::Operation operation =
        PlainProduct(PropKind::kForwardInference, kAllF32, {2, 3, {2}}, true);
    const auto bytes = [](std::vector<float> values) {
      Bytes to(4 * values.size());
      std::memcpy(to.data(), values.data(), to.size());
      return to;
    };
    const std::vector<Bytes> data = {bytes({1, 2, 3, 4}), bytes({5, 8, 6, 9, 7, 10}),
                                     bytes({1, 2, 3}), bytes({0, 0, 0, 0, 0, 0})};
    for (const int candidate : {0, 1}) {
      if (!PlanInnerProduct({operation, nullptr, candidate}).ok()) break;
      EXPECT_EQ(Executed(PlanOf(operation, candidate), data)[3], bytes({22, 26, 30, 48, 56, 64}));
    }
  });
}

TEST(InnerProductPlan, IsTheFormulaInTheLayoutsThatAnyBecomes) {
  ForEachTarget([] {
    Random random(9);
    for (const PropKind prop : kProps)
      for (const ProductTypes& types : kFloatTypes)
        for (int i = 0; i < 12; ++i) {
          const spi::Operation open =
              OpenProduct(prop, types, RandomProductShape(random), i % 2 == 0);
          const spi::Operation operation = WithChosen(open, PlanOf(open, 0).chosen);
          ASSERT_NO_FATAL_FAILURE(
              ExpectRight(operation, spi::IntegersFor(random, operation, true)));
        }
  });
}

TEST(InnerProductPlan, IsTheFormulaInTheLayoutsThatAnyBecomesForIntegers) {
  ForEachTarget([] {
    Random random(14);
    for (const DataType src : {kU8, kS8})
      for (int i = 0; i < 60; ++i) {
        ProductShape shape = RandomProductShape(random);
        if (i % 2 == 0) shape.inputs.back() = (shape.inputs.back() + 3) / 4 * 4;
        const spi::Operation open =
            OpenProduct(PropKind::kForwardTraining, {src, kS8, kF32, kS32}, shape, i % 3 == 0);
        const spi::Operation operation = WithChosen(open, PlanOf(open, 0).chosen);
        ASSERT_NO_FATAL_FAILURE(ExpectRight(operation, spi::IntegersFor(random, operation, true)));
      }
  });
}

// A source of another order than the weights, with gaps between its rows, for panels of each depth.
TEST(InnerProductPlan, IsTheFormulaForSourcesInAnotherOrderThanChosenWeights) {
  ForEachTarget([] {
    Random random(15);
    for (const ProductTypes& types :
         {kAllF32, ProductTypes{kBF16, kBF16, kF32, kF32}, ProductTypes{kU8, kS8, kF32, kF32},
          ProductTypes{kS8, kS8, kF32, kS32}})
      for (const int64_t gap : {0, 2, 4})
        for (const int64_t batch : {1, 13, 30}) {
          const std::vector<int64_t> x = {batch, 8, 3, 5}, w = {33, 8, 3, 5}, y = {batch, 33};
          spi::Operation operation = spi::MakeInnerProduct(
              PropKind::kForwardInference, spi::Strided(types.src, x), spi::Any(types.weights, w),
              nullptr, spi::Strided(types.dst, y));
          operation = WithChosen(operation, PlanOf(operation, 0).chosen);
          operation.tensors[0].layout.strides = {120 + gap, 15, 5, 1};
          ASSERT_NO_FATAL_FAILURE(
              ExpectRight(operation, spi::IntegersFor(random, operation, true)));
          operation.tensors[0].layout.strides = {120 + gap, 1, 40, 8};
          ASSERT_NO_FATAL_FAILURE(
              ExpectRight(operation, spi::IntegersFor(random, operation, true)));
        }
  });
}

// Every height and width of the tiles that few rows or columns take, beside k of every rest.
TEST(InnerProductPlan, IsTheFormulaForFewRowsAndColumnsThatLieAlongTheInputs) {
  ForEachTarget([] {
    Random random(16);
    for (const ProductTypes& types :
         {kAllF32, ProductTypes{kBF16, kBF16, kF32, kBF16}, ProductTypes{kU8, kS8, kF32, kS8},
          ProductTypes{kS8, kS8, kS32, kS32}})
      for (int64_t rows = 1; rows <= 9; ++rows)
        for (int64_t cols = 1; cols <= 9; ++cols) {
          const int64_t inputs = Uniform(random, 2, 150);
          const spi::Operation operation =
              PlainProduct(PropKind::kForwardInference, types, {rows, cols, {inputs}}, true);
          EXPECT_NE(PlanOf(operation, 0).plan->Describe().find("plain-product"), 0u);
          ASSERT_NO_FATAL_FAILURE(
              ExpectRight(operation, spi::IntegersFor(random, operation, true)));
        }
  });
}

// Rows, columns and depths around the sizes of blocks, and enough of them for threads.
TEST(InnerProductPlan, IsTheFormulaForLargeProblems) {
  ForEachTarget([] {
    Random random(10);
    for (const PropKind prop : kProps)
      for (const ProductShape& shape :
           {ProductShape{197, 130, {300}}, ProductShape{1, 700, {1030}},
            ProductShape{40, 257, {17, 3, 11}}, ProductShape{530, 33, {48}}}) {
        const spi::Operation open = OpenProduct(prop, kAllF32, shape, true);
        const spi::Operation operation = WithChosen(open, PlanOf(open, 0).chosen);
        ASSERT_NO_FATAL_FAILURE(ExpectRight(operation, spi::IntegersFor(random, operation, true)));
      }
  });
}

// 255 or -128 by 127 or -128, in the weights of two outputs as they are and of 17 in panels.
TEST(InnerProductPlan, SumsBytesExactlyInPanels) {
  ForEachTarget([] {
    for (const DataType src : {kU8, kS8})
      for (const int64_t inputs : {1, 4, 1000, 1001, 40000}) {
        const spi::Operation open = OpenProduct(PropKind::kForwardInference, {src, kS8, kS32, kS32},
                                                {2, 17, {inputs}}, false);
        const spi::Operation operation = WithChosen(open, PlanOf(open, 0).chosen);
        Random random(17);
        std::vector<Bytes> data = spi::IntegersFor(random, operation, true);
        for (std::byte& byte : data[0]) byte = src == kU8 ? std::byte{255} : std::byte{0x80};
        const spi::Layout& weights = operation.tensors[1].layout;
        for (int64_t o = 0; o < 17; ++o)
          for (int64_t i = 0; i < inputs; ++i)
            data[1][static_cast<size_t>(spi::OffsetOf(weights, {o, i}))] =
                o % 2 == 0 ? std::byte{0x7f} : std::byte{0x80};
        const std::vector<Bytes> got = Executed(PlanOf(operation, 0), data);
        const int32_t x = src == kU8 ? 255 : -128, n = static_cast<int32_t>(inputs);
        for (size_t o = 0; o < 2 * 17; ++o) {
          int32_t value;
          std::memcpy(&value, &got[2][4 * o], 4);
          EXPECT_EQ(value, n * x * (o % 17 % 2 == 0 ? 127 : -128)) << inputs << " " << o;
        }
      }
  });
}

TEST(InnerProductPlan, SumsBytesExactlyBeyond16And24Bits) {
  ForEachTarget([] {
    for (const DataType src : {kU8, kS8})
      for (const int64_t inputs : {1, 2, 3, 1001, 40000}) {
        spi::Operation operation = PlainProduct(PropKind::kForwardInference, {src, kS8, kS32, kS32},
                                                {1, 2, {inputs}}, true);
        const auto count = static_cast<size_t>(inputs);
        std::vector<Bytes> data = {Bytes(count, src == kU8 ? std::byte{255} : std::byte{0x80}),
                                   Bytes(2 * count, std::byte{0x7f}), Bytes(8), Bytes(8)};
        for (size_t i = count; i < 2 * count; ++i) data[1][i] = std::byte{0x80};  // -128
        const int32_t bias[] = {1, -1};
        std::memcpy(data[2].data(), bias, sizeof(bias));
        const int32_t x = src == kU8 ? 255 : -128, n = static_cast<int32_t>(inputs);
        const int32_t expected[] = {n * x * 127 + 1, n * x * -128 - 1};
        for (const int candidate : {0, 1}) {
          if (!PlanInnerProduct({operation, nullptr, candidate}).ok()) break;
          const std::vector<Bytes> got = Executed(PlanOf(operation, candidate), data);
          EXPECT_EQ(std::memcmp(got[3].data(), expected, sizeof(expected)), 0) << inputs;
        }
      }
  });
}

// NaN in the padding of every input, infinities in one row: the others are as they were.
TEST(InnerProductPlan, KeepsSpecialValuesToTheirRowsAndColumns) {
  ForEachTarget([] {
    Random random(11);
    const spi::Operation open =
        OpenProduct(PropKind::kForwardInference, kAllF32, {13, 19, {21}}, false);
    const spi::Operation operation = WithChosen(open, PlanOf(open, 0).chosen);
    std::vector<Bytes> data = spi::IntegersFor(random, operation, true);
    const std::vector<Bytes> finite = spi::Interpretation(operation, data).after();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(&data[0][4 * (5 * 21 + 20)], &nan, 4);  // src(5, 20)
    const auto at = static_cast<size_t>(spi::OffsetOf(operation.tensors[1].layout, {18, 3}));
    std::memcpy(&data[1][4 * at], &nan, 4);  // weights(18, 3)
    for (const int candidate : {0, 1}) {
      if (!PlanInnerProduct({operation, nullptr, candidate}).ok()) break;
      const std::vector<Bytes> got = Executed(PlanOf(operation, candidate), data);
      for (size_t n = 0; n < 13; ++n)
        for (size_t o = 0; o < 19; ++o) {
          float value, wanted;
          std::memcpy(&value, &got[2][4 * (n * 19 + o)], 4);
          std::memcpy(&wanted, &finite[2][4 * (n * 19 + o)], 4);
          if (n == 5 || o == 18) {
            EXPECT_TRUE(std::isnan(value)) << n << " " << o;
          } else {
            EXPECT_EQ(value, wanted) << n << " " << o;
          }
        }
    }
  });
}

// Of a panel of 16 the first, second and last element lie as if all lay side by side.
TEST(InnerProductPlan, IsTheFormulaForGradientsInSmallBlocks) {
  struct Gradient {
    int64_t channels, width;
    int32_t block;
  };
  ForEachTarget([] {
    Random random(17);
    for (const auto& [channels, width, size] :
         {Gradient{8, 2, 4}, Gradient{4, 4, 2}, Gradient{4, 2, 2}, Gradient{8, 2, 2}})
      for (const ProductTypes& types : {kAllF32, ProductTypes{kBF16, kBF16, kF32, kBF16}})
        for (const PropKind prop : {PropKind::kBackwardData, PropKind::kBackwardWeights}) {
          spi::Operation operation = PlainProduct(prop, types, {20, 24, {channels, width}}, false);
          const spi::Block block = {1, size};
          for (spi::TensorArg& tensor : operation.tensors) {
            spi::Layout& layout = tensor.layout;
            if (layout.rank == 3)
              layout = spi::Strided(layout.type, {layout.dims.data(), 3}, {&block, 1});
          }
          ASSERT_NO_FATAL_FAILURE(
              ExpectRight(operation, spi::IntegersFor(random, operation, true)));
        }
  });
}

TEST(InnerProductPlan, WritesZerosForGradientsOfAnEmptyBatch) {
  ForEachTarget([] {
    Random random(12);
    const spi::Operation open =
        OpenProduct(PropKind::kBackwardWeights, kAllF32, {0, 17, {5}}, true);
    const spi::Operation operation = WithChosen(open, PlanOf(open, 0).chosen);
    ASSERT_NO_FATAL_FAILURE(ExpectRight(operation, spi::IntegersFor(random, operation, true)));
  });
}

TEST(InnerProductPlan, DoesNotReadWhatASumOfScaleZeroWouldAdd) {
  ForEachTarget([] {
    Random random(13);
    spi::Operation operation =
        PlainProduct(PropKind::kForwardInference, kAllF32, {3, 18, {4}}, false);
    auto attributes = std::make_shared<spi::Attributes>();
    attributes->post_ops.push_back(spi::SumOp{0, DataType::kUndef});
    spi::SetAttributes(attributes, &operation);
    std::vector<Bytes> data = spi::IntegersFor(random, operation, true);
    for (std::byte& byte : data[2]) byte = std::byte{0xff};  // NaN
    ExpectRight(operation, data);
  });
}

TEST(InnerProductPlan, ChoosesPanelsOfSixteenOutputsInTheOrderOfTheSource) {
  const std::vector<int64_t> x = {2, 3, 4, 5}, w = {17, 3, 4, 5};
  spi::Layout src = spi::Strided(kF32, x);
  const auto weights_for = [&](const spi::Layout& from) {
    const spi::Operation operation = spi::MakeInnerProduct(
        PropKind::kForwardInference, from, spi::Any(kF32, w), nullptr, spi::Strided(kF32, {2, 17}));
    return ToString(PlanOf(operation, 0).chosen.back());
  };
  EXPECT_EQ(weights_for(src), "f32 17x3x4x5 s960,320,80,16 b16@0");
  EXPECT_EQ(weights_for(spi::Any(kF32, x)), "f32 17x3x4x5 s960,16,240,48 b16@0");
  src.strides = {60, 1, 15, 3};  // channels last
  EXPECT_EQ(weights_for(src), "f32 17x3x4x5 s960,16,240,48 b16@0");
}

std::string ChosenWeights(PropKind prop, const ProductTypes& types, const ProductShape& shape) {
  const spi::Operation open = OpenProduct(prop, types, shape, true);
  const spi::Operation operation = WithChosen(open, PlanOf(open, 0).chosen);
  return ToString(spi::InnerProductView(operation).weights);
}

TEST(InnerProductPlan, ChoosesChannelsLastUnlessTheWeightsSayOtherwise) {
  const auto src_for = [](const spi::Layout& weights) {
    const spi::Operation operation =
        spi::MakeInnerProduct(PropKind::kForwardInference, spi::Any(kF32, {2, 3, 4, 5}), weights,
                              nullptr, spi::Strided(kF32, {2, 17}));
    return ToString(PlanOf(operation, 0).chosen.front());
  };
  EXPECT_EQ(src_for(spi::Any(kF32, {17, 3, 4, 5})), "f32 2x3x4x5 s60,1,15,3");
  EXPECT_EQ(src_for(spi::Strided(kF32, {17, 3, 4, 5})), "f32 2x3x4x5 s60,20,5,1");
}

TEST(InnerProductPlan, ChoosesTheSameWeightsForEveryBatchAndTheirGradient) {
  const std::string weights = ChosenWeights(PropKind::kForwardTraining, kAllF32, {1, 33, {7, 2}});
  for (const PropKind prop :
       {PropKind::kForwardTraining, PropKind::kForwardInference, PropKind::kBackwardWeights})
    for (const int64_t batch : {1, 64})
      EXPECT_EQ(ChosenWeights(prop, kAllF32, {batch, 33, {7, 2}}), weights);
}

TEST(InnerProductPlan, ChoosesPanelsOfInputsForBackwardData) {
  const auto weights = [](const ProductTypes& types, int64_t outputs, std::vector<int64_t> inputs) {
    return ChosenWeights(PropKind::kBackwardData, types, {3, outputs, inputs});
  };
  const ProductTypes bf16 = {kBF16, kBF16, kBF16, kBF16};
  EXPECT_EQ(weights(kAllF32, 10, {33}), "f32 10x33 s16,160 b16@1");
  EXPECT_EQ(weights(kAllF32, 10, {2, 32}), "f32 10x2x32 s64,1,2");
  EXPECT_EQ(weights(kAllF32, 10, {32, 2}), "f32 10x32x2 s16,160,320 b16@1");
  EXPECT_EQ(weights(kAllF32, 10, {8}), "f32 10x8 s1,10");
  EXPECT_EQ(weights(bf16, 10, {33}), "bf16 10x33 s32,160 b16@1 b2@0");
  EXPECT_EQ(weights(bf16, 9, {33}), "bf16 9x33 s32,160 b16@1 b2@0");
  EXPECT_EQ(weights(bf16, 8, {33}), "bf16 8x33 s16,128 b16@1");
  EXPECT_EQ(weights(bf16, 3, {32, 2}), "bf16 3x32x2 s32,64,128 b16@1 b2@0");
}

TEST(InnerProductPlan, ChoosesFourBytesOfInputsSideBySide) {
  const auto weights = [](const ProductTypes& types, std::vector<int64_t> inputs) {
    return ChosenWeights(PropKind::kForwardInference, types, {3, 17, inputs});
  };
  const ProductTypes s8 = {kU8, kS8, kF32, kF32}, bf16 = {kBF16, kBF16, kF32, kF32};
  EXPECT_EQ(weights(s8, {12}), "s8 17x12 s192,64 b16@0 b4@1");
  EXPECT_EQ(weights(s8, {8, 3, 4}), "s8 17x8x3x4 s1536,64,512,128 b16@0 b4@1");
  EXPECT_EQ(weights(s8, {8, 3, 5}), "s8 17x8x3x5 s1920,64,640,128 b16@0 b4@1");
  EXPECT_EQ(weights(s8, {6}), "s8 17x6 s128,64 b16@0 b4@1");
  EXPECT_EQ(weights(bf16, {6}), "bf16 17x6 s96,32 b16@0 b2@1");
  EXPECT_EQ(weights(bf16, {7}), "bf16 17x7 s128,32 b16@0 b2@1");
}

TEST(InnerProductPlan, ChoosesNoPanelsForFewOutputs) {
  const auto weights = [](int64_t outputs) {
    return ChosenWeights(PropKind::kForwardInference, kAllF32, {3, outputs, {5}});
  };
  EXPECT_EQ(weights(8), "f32 8x5 s5,1");
  EXPECT_EQ(weights(9), "f32 9x5 s80,16 b16@0");
}

TEST(InnerProductPlan, ChoosesNoPanelsThatDoNotFit63Bits) {
  const auto weights = [](int64_t outputs) {
    return ToString(
        PlanOf(spi::MakeInnerProduct(PropKind::kForwardInference, spi::Strided(kU8, {1, 0}),
                                     spi::Any(kS8, {outputs, 0}), nullptr,
                                     spi::Strided(kU8, {1, outputs})),
               0)
            .chosen.back());
  };
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(weights(kMost - 15), "s8 9223372036854775792x0 s0,64 b16@0 b4@1");
  EXPECT_EQ(weights(kMost - 14), "s8 9223372036854775793x0 s0,1");
}

// Whole lines of vectors, single vectors and what fills none; with threads and without.
TEST(InnerProductPlan, GradientsOfFewOutputsAndRowsAreTheFormula) {
  ForEachTarget([] {
    Random random(17);
    for (const int64_t inputs : {1, 15, 16, 67, 200, 70003})
      for (const int64_t rows : {1, 3, 8})
        for (const int64_t outputs : {1, 2, 8}) {
          const spi::Operation operation =
              PlainProduct(PropKind::kBackwardWeights, kAllF32, {rows, outputs, {inputs}}, true);
          ASSERT_NO_FATAL_FAILURE(
              ExpectRight(operation, spi::IntegersFor(random, operation, true)));
        }
    // One output by more rows than are added up at once.
    for (const int64_t rows : {9, 16, 101}) {
      const spi::Operation operation =
          PlainProduct(PropKind::kBackwardWeights, kAllF32, {rows, 1, {67}}, true);
      ASSERT_NO_FATAL_FAILURE(ExpectRight(operation, spi::IntegersFor(random, operation, true)));
    }
  });
}

TEST(InnerProductPlan, RefusesTypesThatNoTableHasBesideThoseThatItServes) {
  const auto code = [](PropKind prop, const ProductTypes& types) {
    return PlanInnerProduct({PlainProduct(prop, types, {2, 3, {4}}, true), nullptr, 0})
        .status()
        .code();
  };
  EXPECT_EQ(code(PropKind::kForwardTraining, {kU8, kS8, kF32, kS32}), absl::StatusCode::kOk);
  for (const ProductTypes& types :
       {ProductTypes{kU8, kU8, kF32, kS32}, ProductTypes{kS32, kS8, kF32, kS32},
        ProductTypes{kF32, kS8, kF32, kF32}, ProductTypes{kF32, kF32, kF32, kS8},
        ProductTypes{kF32, kF32, kS32, kF32}})
    EXPECT_EQ(code(PropKind::kForwardTraining, types), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(code(PropKind::kBackwardData, {kU8, kS8, kF32, kS32}),
            absl::StatusCode::kUnimplemented);
  EXPECT_EQ(code(PropKind::kBackwardWeights, {kBF16, kBF16, kF32, kBF16}), absl::StatusCode::kOk);
}

TEST(InnerProductPlan, HasTwoCandidatesAndTellsThem) {
  const spi::Operation operation =
      OpenProduct(PropKind::kForwardTraining, kAllF32, {2, 3, {4}}, true);
  EXPECT_EQ(PlanOf(operation, 0).plan->Describe().rfind("cpu:product:", 0), 0u);
  EXPECT_EQ(PlanOf(operation, 1).plan->Describe(), "cpu:plain-product f32xf32->f32 2x3 of 4 bias");
  EXPECT_EQ(PlanOf(operation, 1).chosen, PlanOf(operation, 0).chosen);
  EXPECT_EQ(PlanInnerProduct({operation, nullptr, 2}).status().code(),
            absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace impl_cpu
