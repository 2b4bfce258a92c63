// What the interpreter makes of shuffles.
#include <gtest/gtest.h>

#include <cstdint>

#include "api/shuffle/testing/shuffle_operation.h"
#include "api/spi/layout.h"
#include "api/testing/interpreter.h"
#include "api/testing/values.h"

namespace spi {
namespace {

constexpr DataType kS8 = DataType::kS8;

TEST(Interpreter, OfAShuffleTransposesTheAxisAndBackAgain) {
  ShuffleOperation operation;
  operation.from = operation.to = Strided(kS8, {6, 2});
  operation.axis = 0;
  operation.group_size = 3;
  // Rows 0 to 5 as a 2 x 3 matrix, transposed.
  const Bytes rows = BytesOf<int8_t>({0, 10, 1, 11, 2, 12, 3, 13, 4, 14, 5, 15});
  const Bytes shuffled = BytesOf<int8_t>({0, 10, 3, 13, 1, 11, 4, 14, 2, 12, 5, 15});
  EXPECT_EQ(ResultOf(operation, {rows, Bytes(12)}), shuffled);
  operation.forward = false;
  EXPECT_EQ(ResultOf(operation, {shuffled, Bytes(12)}), rows);
}

}  // namespace
}  // namespace spi
