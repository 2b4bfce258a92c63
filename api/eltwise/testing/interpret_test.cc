// What the interpreter makes of eltwise.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "api/eltwise/operation.h"
#include "api/spi/attributes.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"
#include "api/testing/interpreter.h"
#include "api/testing/values.h"

namespace spi {
namespace {

constexpr DataType kF32 = DataType::kF32;

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

}  // namespace
}  // namespace spi
