// What the interpreter makes of sums of products, by inner products.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "api/inner_product/operation.h"
#include "api/spi/attributes.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"
#include "api/testing/interpreter.h"
#include "api/testing/values.h"

namespace spi {
namespace {

constexpr DataType kF32 = DataType::kF32, kS32 = DataType::kS32, kS8 = DataType::kS8;

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

}  // namespace
}  // namespace spi
