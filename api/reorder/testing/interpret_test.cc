// What the interpreter makes of reorders.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "api/reorder/testing/reorder_operation.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"
#include "api/testing/interpreter.h"
#include "api/testing/values.h"

namespace spi {
namespace {

constexpr DataType kF32 = DataType::kF32, kS32 = DataType::kS32, kS8 = DataType::kS8;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

ReorderOperation Reorder(const Layout& src, const Layout& dst) {
  ReorderOperation operation;
  operation.src = src;
  operation.dst = dst;
  return operation;
}

TEST(Interpreter, OfAReorderMovesEachElementAndClearsPadding) {
  const Block block = {0, 4};
  const Operation operation = Reorder(Strided(kS8, {3, 2}), Strided(kS8, {3, 2}, {&block, 1}));
  const Bytes to =
      ResultOf(operation, {BytesOf<int8_t>({1, 2, 3, 4, 5, 6}), Bytes(10, std::byte{9})});
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
  const std::vector<Bytes> before = {BytesOf<int32_t>({3, 4, -5, 0}),
                                     BytesOf<int8_t>({4, 0, 6, 0})};
  EXPECT_EQ(ValuesOf<int8_t>(ResultOf(operation, before)),
            std::vector<int8_t>({5, 127, -10, -128}));
}

TEST(Interpreter, OfAReorderReadsWhatComesAtExecution) {
  ReorderOperation operation = Reorder(Strided(kF32, {2}), Strided(kF32, {2}));
  operation.run_time_scales = true;
  operation.scale_mask = 1;
  operation.scale_count = 2;
  operation.src_zero_point.run_time = true;
  const Interpretation right(
      operation, {Floats({5, 7}), Floats({0, 0}), Floats({10, -1}), BytesOf<int32_t>({3})});
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

}  // namespace
}  // namespace spi
