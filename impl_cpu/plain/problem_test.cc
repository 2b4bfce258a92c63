#include "impl_cpu/plain/problem.h"

#include <gtest/gtest.h>

#include "api/spi/layout.h"
#include "api/spi/types.h"

namespace impl_cpu {
namespace {

using spi::DataType;
using spi::Layout;

TEST(Problem, PrintsInOneLine) {
  Problem problem;
  problem.arithmetic.src = DataType::kF32;
  problem.arithmetic.dst = DataType::kU8;
  EXPECT_EQ(ToString(problem), "f32->u8 empty");
  Layout dst = spi::Strided(DataType::kU8, {2, 3});
  dst.strides = {1, 2};
  PlanNests(spi::Strided(DataType::kF32, {2, 3}), dst, {}, &problem);
  problem.arithmetic.scale = Arithmetic::Scale::kOne;
  problem.arithmetic.sum = true;
  problem.arithmetic.beta = 0.5f;
  problem.arithmetic.sum_type = DataType::kS8;
  EXPECT_EQ(ToString(problem), "f32->u8 3x2 (1,3)->(2,1) scale:one sum:0.5(s8)");
}

TEST(Problem, IsAListOfNestsOrAWalk) {
  // Blocks of 77 and 221, each of two with the other axis between: some thousand nests in every
  // 17017 indices.
  for (const int64_t extent : {100, 32768}) {
    Problem problem;
    PlanNests(spi::Strided(DataType::kF32, {extent, 3}, {{0, 7}, {1, 2}, {0, 11}}),
              spi::Strided(DataType::kF32, {extent, 3}, {{0, 13}, {1, 2}, {0, 17}}), {}, &problem);
    EXPECT_EQ(problem.nests.empty(), extent == 32768);
    EXPECT_EQ(problem.walk != nullptr, extent == 32768);
    EXPECT_FALSE(problem.padding.empty());
  }
}

}  // namespace
}  // namespace impl_cpu
