// What the interpreter makes of convolutions.
#include <gtest/gtest.h>

#include <vector>

#include "api/convolution/operation.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"
#include "api/testing/interpreter.h"
#include "api/testing/values.h"

namespace spi {
namespace {

constexpr DataType kF32 = DataType::kF32;

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

}  // namespace
}  // namespace spi
