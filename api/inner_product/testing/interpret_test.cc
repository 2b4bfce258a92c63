// What the interpreter makes of inner products.
#include <gtest/gtest.h>

#include <vector>

#include "api/inner_product/operation.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"
#include "api/testing/interpreter.h"
#include "api/testing/values.h"

namespace spi {
namespace {

constexpr DataType kF32 = DataType::kF32;

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

}  // namespace
}  // namespace spi
