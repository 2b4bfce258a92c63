#include "api/testing/interpreter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/convolution/operation.h"
#include "api/eltwise/operation.h"
#include "api/inner_product/operation.h"
#include "api/reorder/testing/reorder_operation.h"
#include "api/shuffle/testing/shuffle_operation.h"
#include "api/spi/attributes.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"
#include "api/spi/types.h"

namespace spi {
namespace {

constexpr DataType kF32 = DataType::kF32, kS32 = DataType::kS32, kS8 = DataType::kS8;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <typename T>
Bytes Of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
Bytes Floats(const std::vector<float>& values) { return Of(values); }

template <typename T>
std::vector<T> ValuesOf(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}
std::vector<float> FloatsOf(const Bytes& bytes) { return ValuesOf<float>(bytes); }

// What the last buffer holds after `operation`.
Bytes ResultOf(const Operation& operation, const std::vector<Bytes>& before) {
  return Interpretation(operation, before).after().back();
}

ReorderOperation Reorder(const Layout& src, const Layout& dst) {
  ReorderOperation operation;
  operation.src = src;
  operation.dst = dst;
  return operation;
}

TEST(Interpreter, OfAReorderMovesEachElementAndClearsPadding) {
  const Block block = {0, 4};
  const Operation operation = Reorder(Strided(kS8, {3, 2}), Strided(kS8, {3, 2}, {&block, 1}));
  const Bytes to = ResultOf(operation, {Of<int8_t>({1, 2, 3, 4, 5, 6}), Bytes(10, std::byte{9})});
  EXPECT_EQ(ValuesOf<int8_t>(to), std::vector<int8_t>({1, 3, 5, 0, 2, 4, 6, 0, 9, 9}));
}

TEST(Interpreter, OfAReorderKnowsScalesZeroPointsAndSums) {
  // scale * (src - 2) + 0.5 * old + 1, saturated; the second scale is of the second column.
  ReorderOperation operation = Reorder(Strided(kS32, {2, 2}), Strided(kS8, {2, 2}));
  operation.scale_mask = 2;
  operation.scale_count = 2;
  operation.scales = {2, 100};
  operation.src_zero_point.value = 2;
  operation.dst_zero_point.value = 1;
  operation.has_sum = true;
  operation.beta = 0.5f;
  const std::vector<Bytes> before = {Of<int32_t>({3, 4, -5, 0}), Of<int8_t>({4, 0, 6, 0})};
  EXPECT_EQ(ValuesOf<int8_t>(ResultOf(operation, before)),
            std::vector<int8_t>({5, 127, -10, -128}));
}

TEST(Interpreter, OfAReorderReadsWhatComesAtExecution) {
  ReorderOperation operation = Reorder(Strided(kF32, {2}), Strided(kF32, {2}));
  operation.run_time_scales = true;
  operation.scale_mask = 1;
  operation.scale_count = 2;
  operation.src_zero_point.run_time = true;
  const Interpretation right(operation,
                             {Floats({5, 7}), Floats({0, 0}), Floats({10, -1}), Of<int32_t>({3})});
  EXPECT_EQ(FloatsOf(right.after()[1]), std::vector<float>({20, -4}));
}

TEST(Interpreter, OfAReorderTakesAnyNanForAComputedOne) {
  ReorderOperation operation = Reorder(Strided(kF32, {2}), Strided(kF32, {2}));
  const std::vector<Bytes> before = {Floats({kNan, 1}), Floats({0, 0})};
  const auto got = [&](float nan) { return std::vector<Bytes>{before[0], Floats({nan, 2})}; };
  operation.scales = {2};
  const Interpretation computed(operation, before);
  EXPECT_EQ(computed.Mismatch(got(kNan)), "");
  EXPECT_EQ(computed.Mismatch(got(-kNan)), "");
  EXPECT_NE(computed.Mismatch(got(1)), "");
  operation.scales = {};
  const Interpretation copied(operation, before);
  EXPECT_NE(copied.Mismatch({before[0], Floats({-kNan, 1})}), "");
  EXPECT_EQ(copied.Mismatch({before[0], Floats({kNan, 1})}), "");
}

TEST(Interpreter, OfAShuffleTransposesTheAxisAndBackAgain) {
  ShuffleOperation operation;
  operation.from = operation.to = Strided(kS8, {6, 2});
  operation.axis = 0;
  operation.group_size = 3;
  // Rows 0 to 5 as a 2 x 3 matrix, transposed.
  const Bytes rows = Of<int8_t>({0, 10, 1, 11, 2, 12, 3, 13, 4, 14, 5, 15});
  const Bytes shuffled = Of<int8_t>({0, 10, 3, 13, 1, 11, 4, 14, 2, 12, 5, 15});
  EXPECT_EQ(ResultOf(operation, {rows, Bytes(12)}), shuffled);
  operation.forward = false;
  EXPECT_EQ(ResultOf(operation, {shuffled, Bytes(12)}), rows);
}

TEST(Interpreter, OfEltwiseIsTheFunctionOrItsDerivative) {
  const Layout row = Strided(kF32, {3});
  const Operation forward =
      MakeEltwiseForward(PropKind::kForwardTraining, {Algorithm::kEltwiseRelu, 0.5f, 0}, row, row);
  EXPECT_EQ(FloatsOf(ResultOf(forward, {Floats({-2, 0, 3}), Bytes(12)})),
            std::vector<float>({-1, 0, 3}));
  const Operation backward = MakeEltwiseBackward({Algorithm::kEltwiseSquare, 0, 0}, row, row, row);
  EXPECT_EQ(FloatsOf(ResultOf(backward, {Floats({-2, 0, 3}), Floats({5, 6, 7}), Bytes(12)})),
            std::vector<float>({-20, 0, 42}));
  const Operation by_result =
      MakeEltwiseBackward({Algorithm::kEltwiseExpUseDstForBwd, 0, 0}, row, row, row);
  EXPECT_EQ(FloatsOf(ResultOf(by_result, {Floats({2, 0, 3}), Floats({5, 6, 7}), Bytes(12)})),
            std::vector<float>({10, 0, 21}));
  const Operation beyond = MakeEltwiseForward(PropKind::kForwardTraining,
                                              {Algorithm::kEltwiseHardswish, 0, 0}, row, row);
  EXPECT_EQ(FloatsOf(ResultOf(beyond, {Floats({-4, 1.5f, 4}), Bytes(12)})),
            std::vector<float>({0, 1.125f, 4}));
}

TEST(Interpreter, OfEltwiseAllowsTheBudgetOfTheFunction) {
  const Layout row = Strided(kF32, {2});
  const Operation operation =
      MakeEltwiseForward(PropKind::kForwardTraining, {Algorithm::kEltwiseTanh, 0, 0}, row, row);
  const std::vector<Bytes> before = {Floats({0.5f, -2}), Bytes(8)};
  const Interpretation right(operation, before);
  const auto mismatch = [&](float tanh) {
    return right.Mismatch({before[0], Floats({tanh, std::tanh(-2.0f)})});
  };
  const float exact = 0.46211715726f;
  EXPECT_EQ(mismatch(exact), "");
  EXPECT_EQ(mismatch(std::nextafter(exact, 1.0f)), "");
  EXPECT_NE(mismatch(exact + 1e-6f).find("argument 17: element 0 of f32 2 s1 is 0.462118"),
            std::string::npos)
      << mismatch(exact + 1e-6f);
}

TEST(Interpreter, OfAnInnerProductIsItsSumInEachDirection) {
  const Layout x = Strided(kF32, {2, 2}), w = Strided(kF32, {3, 2}), b = Strided(kF32, {3}),
               y = Strided(kF32, {2, 3});
  const Bytes src = Floats({1, 2, 3, 4}), weights = Floats({5, 8, 6, 9, 7, 10});
  EXPECT_EQ(FloatsOf(ResultOf(MakeInnerProduct(PropKind::kForwardTraining, x, w, &b, y),
                              {src, weights, Floats({1, 2, 3}), Bytes(24)})),
            std::vector<float>({22, 26, 30, 48, 56, 64}));
  const Bytes diff_dst = Floats({1, 0, 2, 0, 1, -1});
  // Of tensors in their order: what is read, then what is written.
  EXPECT_EQ(FloatsOf(ResultOf(MakeInnerProduct(PropKind::kBackwardData, x, w, nullptr, y),
                              {weights, diff_dst, Bytes(16)})),
            std::vector<float>({19, 28, -1, -1}));
  const Interpretation of_weights(MakeInnerProduct(PropKind::kBackwardWeights, x, w, &b, y),
                                  {src, diff_dst, Bytes(24), Bytes(12)});
  EXPECT_EQ(FloatsOf(of_weights.after()[2]), std::vector<float>({1, 2, 3, 4, -1, 0}));
  EXPECT_EQ(FloatsOf(of_weights.after()[3]), std::vector<float>({1, 1, 1}));
}

TEST(Interpreter, OfSumsOfIntegersKeepsAllBitsOfAnS32) {
  const Layout row = Strided(kS8, {1, 1100}), dst = Strided(kS32, {1, 1});
  Bytes src(1100, std::byte{127}), weights = src;
  weights[0] = std::byte{126};
  const Operation operation = MakeInnerProduct(PropKind::kForwardInference, row, row, nullptr, dst);
  EXPECT_EQ(ValuesOf<int32_t>(ResultOf(operation, {src, weights, Bytes(4)})),
            std::vector<int32_t>({1099 * 127 * 127 + 126 * 127}));
}

Operation WithChain(Operation operation, const Scales& scales, const PostOp& first,
                    const PostOp& second) {
  auto attributes = std::make_shared<Attributes>();
  attributes->scales.push_back(scales);
  attributes->post_ops = {first, second};
  SetAttributes(std::move(attributes), &operation);
  return operation;
}

TEST(Interpreter, OfAttributesGoesFromLeftToRight) {
  const Layout x = Strided(kF32, {1, 1}), w = Strided(kF32, {2, 1}), y = Strided(kF32, {1, 2});
  Scales scales;
  scales.mask = 2;
  scales.values = {2, 3};
  const EltwiseOp relu = {Algorithm::kEltwiseRelu, 10, 0.5f, 0};
  const Operation plain = MakeInnerProduct(PropKind::kForwardTraining, x, w, nullptr, y);
  const std::vector<Bytes> before = {Floats({5}), Floats({1, -1}), Floats({4, 8})};
  // 10 * relu(2 * 5 - 4), 10 * relu(3 * -5 - 8).
  EXPECT_EQ(FloatsOf(ResultOf(WithChain(plain, scales, SumOp{-1, kF32}, relu), before)),
            std::vector<float>({60, -115}));
  EXPECT_EQ(FloatsOf(ResultOf(WithChain(plain, scales, relu, SumOp{-1, kF32}), before)),
            std::vector<float>({96, -83}));
}

TEST(Interpreter, OfSumsAllowsTheirBoundAndNothingWhereTheyAreExact) {
  const Layout row = Strided(kF32, {1, 3}), dst = Strided(kF32, {1, 1});
  const Operation operation = MakeInnerProduct(PropKind::kForwardTraining, row, row, nullptr, dst);
  const auto mismatch = [&](const std::vector<float>& src, float got) {
    const std::vector<Bytes> before = {Floats(src), Floats({1, 1, 1}), Bytes(4)};
    return Interpretation(operation, before).Mismatch({before[0], before[1], Floats({got})});
  };
  const float once = std::nextafter(0.6f, 1.0f);
  EXPECT_EQ(mismatch({0.1f, 0.2f, 0.3f}, 0.6f), "");
  EXPECT_EQ(mismatch({0.1f, 0.2f, 0.3f}, once), "");
  EXPECT_NE(mismatch({0.1f, 0.2f, 0.3f}, 0.601f), "");
  EXPECT_EQ(mismatch({1, 2, 3}, 6), "");
  EXPECT_NE(mismatch({1, 2, 3}, std::nextafter(6.0f, 7.0f)), "");
  EXPECT_NE(mismatch({1, 2, -3}, -0.0f), "");
}

// Two groups of one channel; a kernel of 2 with a dilation of 1, a stride of 2, padding of 1.
Operation Convolution(PropKind prop, const Layout* bias) {
  ConvolutionParams params;
  params.strides = {2};
  params.dilates = {1};
  params.padding_l = {1};
  params.padding_r = {1};
  return MakeConvolution(prop, params, Strided(kF32, {1, 2, 4}), Strided(kF32, {2, 1, 1, 2}), bias,
                         Strided(kF32, {1, 2, 2}));
}

TEST(Interpreter, OfAConvolutionIsItsSumInEachDirection) {
  const Layout bias = Strided(kF32, {2});
  const Bytes src = Floats({1, 2, 3, 4, 5, 6, 7, 8}), weights = Floats({10, 1, 20, 2});
  // Output o reads the inputs 2o - 1 and 2o + 1.
  EXPECT_EQ(FloatsOf(ResultOf(Convolution(PropKind::kForwardTraining, &bias),
                              {src, weights, Floats({100, 200}), Bytes(16)})),
            std::vector<float>({102, 124, 212, 336}));
  const Bytes diff_dst = Floats({1, 2, 3, 4});
  EXPECT_EQ(FloatsOf(ResultOf(Convolution(PropKind::kBackwardData, nullptr),
                              {weights, diff_dst, Bytes(32)})),
            std::vector<float>({0, 21, 0, 2, 0, 86, 0, 8}));
  const Interpretation of_weights(Convolution(PropKind::kBackwardWeights, &bias),
                                  {src, diff_dst, Bytes(16), Bytes(8)});
  EXPECT_EQ(FloatsOf(of_weights.after()[2]), std::vector<float>({4, 10, 24, 50}));
  EXPECT_EQ(FloatsOf(of_weights.after()[3]), std::vector<float>({3, 7}));
}

TEST(Interpreter, MayReplaceEachElementInPlace) {
  ReorderOperation operation = Reorder(Strided(kF32, {3}), Strided(kS32, {3}));
  operation.scales = {2};
  Bytes both = Floats({1.5f, -2, 4});
  Interpret(operation, {both.data(), both.data()});
  EXPECT_EQ(ValuesOf<int32_t>(both), std::vector<int32_t>({3, -4, 8}));
}

TEST(Interpreter, RefusesWhatIsWrittenBesideTheElements) {
  const Block block = {0, 4};
  Layout gapped = Strided(kS8, {2});
  gapped.strides[0] = 2;
  for (const auto& [layout, place] :
       {std::pair(Strided(kS8, {3}, {&block, 1}), 3), std::pair(gapped, 1)}) {
    const Operation operation = Reorder(Strided(kS8, {layout.dims[0]}), layout);
    const Interpretation right(operation, {Bytes(3, std::byte{1}), Bytes(6, std::byte{7})});
    EXPECT_EQ(right.Mismatch(right.after()), "");
    for (const int wrong : {place, 5}) {
      std::vector<Bytes> got = right.after();
      got[1][static_cast<size_t>(wrong)] = std::byte{2};
      EXPECT_EQ(right.Mismatch(got).substr(0, 20),
                "argument 17: byte " + std::to_string(wrong) + " ");
    }
    std::vector<Bytes> got = right.after();
    got[0][0] = std::byte{2};
    EXPECT_EQ(right.Mismatch(got).substr(0, 19), "argument 1: byte 0 ");
  }
}

TEST(Interpreter, OfNothingWritesNothing) {
  const Layout empty = Strided(kF32, {2, 0});
  const Interpretation right(Reorder(empty, empty), {{}, {}});
  EXPECT_EQ(right.Mismatch({{}, {}}), "");
}

}  // namespace
}  // namespace spi
