#include "impl_cpu/shuffle/plan.h"

#include <gtest/gtest.h>

#include "api/shuffle/testing/shuffle_operation.h"
#include "api/spi/types.h"
#include "impl_cpu/plain/problem.h"

namespace impl_cpu {
namespace {

// bf16 {2, 6, 5}, axis 1.
spi::ShuffleOperation Operation(bool forward, int64_t group_size) {
  spi::ShuffleOperation operation;
  operation.from = operation.to = spi::Strided(spi::DataType::kBF16, {2, 6, 5});
  operation.axis = 1;
  operation.forward = forward;
  operation.group_size = group_size;
  return operation;
}

TEST(ShufflePlan, SplitsAndSwapsTheAxis) {
  EXPECT_EQ(ToString(ShuffleProblem(Operation(true, 2))),
            "bf16->bf16 2x2x3x5 (30,5,10,1)->(30,15,5,1)");
}

TEST(ShufflePlan, BackwardIsForwardWithTheOtherFactor) {
  EXPECT_EQ(ToString(ShuffleProblem(Operation(false, 2))),
            ToString(ShuffleProblem(Operation(true, 3))));
  EXPECT_NE(ToString(ShuffleProblem(Operation(false, 2))),
            ToString(ShuffleProblem(Operation(true, 2))));
}

TEST(ShufflePlan, WithTrivialGroupsIsACopy) {
  for (int64_t group_size : {1, 6})
    EXPECT_EQ(ToString(ShuffleProblem(Operation(true, group_size))), "bf16->bf16 60 (1)->(1)");
}

TEST(ShufflePlan, OfAnEmptyAxisHasNoParts) {
  spi::ShuffleOperation operation = Operation(false, 2);
  operation.from.dims[1] = operation.to.dims[1] = 0;
  EXPECT_TRUE(ShuffleProblem(operation).nests.empty());
}

}  // namespace
}  // namespace impl_cpu
