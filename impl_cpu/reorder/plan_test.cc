#include "impl_cpu/reorder/plan.h"

#include <gtest/gtest.h>

#include "api/reorder/testing/reorder_operation.h"
#include "api/spi/types.h"
#include "impl_cpu/plain/problem.h"

namespace impl_cpu {
namespace {

using Scale = Arithmetic::Scale;

// f32 {2, 3, 4} to s8 of the same order.
spi::ReorderOperation Operation() {
  spi::ReorderOperation operation;
  operation.src = spi::Strided(spi::DataType::kF32, {2, 3, 4});
  operation.dst = spi::Strided(spi::DataType::kS8, {2, 3, 4});
  return operation;
}

TEST(ReorderPlan, WithoutAttributesComputesNothing) {
  const Problem problem = ReorderProblem(Operation());
  EXPECT_FALSE(problem.arithmetic.computed);
  EXPECT_EQ(problem.arithmetic.scale, Scale::kNone);
  EXPECT_EQ(ToString(problem), "f32->s8 24 (1)->(1)");
}

TEST(ReorderPlan, TakesASingleScaleOfOneForNone) {
  spi::ReorderOperation operation = Operation();
  operation.scales = {1.0f};
  EXPECT_FALSE(ReorderProblem(operation).arithmetic.computed);
  operation.scales = {2.0f};
  EXPECT_TRUE(ReorderProblem(operation).arithmetic.computed);
  operation.scales = {1.0f, 1.0f};
  operation.scale_mask = 1;
  EXPECT_TRUE(ReorderProblem(operation).arithmetic.computed);
}

TEST(ReorderPlan, CountsScalesRowMajorOverTheMaskedAxes) {
  spi::ReorderOperation operation = Operation();
  operation.scale_mask = 0b101;
  operation.scales.assign(8, 0.5f);
  const Problem problem = ReorderProblem(operation);
  EXPECT_EQ(problem.arithmetic.scale, Scale::kMany);
  ASSERT_EQ(problem.nests[0].loops.size(), 3u);
  EXPECT_EQ(problem.nests[0].loops[0].scale_stride, 4);
  EXPECT_EQ(problem.nests[0].loops[1].scale_stride, 0);
  EXPECT_EQ(problem.nests[0].loops[2].scale_stride, 1);
}

TEST(ReorderPlan, WithRunTimeScalesKeepsNoValues) {
  spi::ReorderOperation operation = Operation();
  operation.run_time_scales = true;
  const Problem problem = ReorderProblem(operation);
  EXPECT_TRUE(problem.arithmetic.run_time_scales);
  EXPECT_EQ(problem.arithmetic.scale, Scale::kOne);
  EXPECT_TRUE(problem.arithmetic.scales.empty());
}

TEST(ReorderPlan, WithBetaZeroComputesButDoesNotReadTheDestination) {
  spi::ReorderOperation operation = Operation();
  operation.has_sum = true;
  EXPECT_FALSE(ReorderProblem(operation).arithmetic.sum);
  EXPECT_TRUE(ReorderProblem(operation).arithmetic.computed);
  operation.beta = -1;
  EXPECT_TRUE(ReorderProblem(operation).arithmetic.sum);
  EXPECT_EQ(ReorderProblem(operation).arithmetic.sum_type, spi::DataType::kS8);
}

TEST(ReorderPlan, OfAnEmptyTensorHasNoParts) {
  spi::ReorderOperation operation = Operation();
  operation.src.dims[1] = operation.dst.dims[1] = 0;
  EXPECT_TRUE(ReorderProblem(operation).nests.empty());
}

}  // namespace
}  // namespace impl_cpu
