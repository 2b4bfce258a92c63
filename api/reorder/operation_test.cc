#include "api/shuffle/operation.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "api/reorder/testing/reorder_operation.h"
#include "api/spi/signatures.h"

namespace spi {
namespace {

ReorderOperation Legal() {
  ReorderOperation operation;
  operation.src = Strided(DataType::kF32, {2, 3, 4});
  operation.dst = Strided(DataType::kU8, {2, 3, 4});
  operation.dst.strides = {12, 1, 3};
  return operation;
}

std::string Refusal(const ReorderOperation& operation) {
  const absl::Status status = CheckRequest(operation);
  if (!status.ok()) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  }
  return std::string(status.message());
}

TEST(ReorderOperation, AcceptsEqualShapes) { EXPECT_EQ(Refusal(Legal()), ""); }

TEST(ReorderOperation, RefusesAMissingTensor) {
  ReorderOperation operation = Legal();
  operation.src.rank = 0;
  EXPECT_EQ(Refusal(operation), "reorder: src.rank = 0 is not in [1, 12] (REO-023)");
  operation = Legal();
  operation.dst.rank = 13;
  EXPECT_EQ(Refusal(operation), "reorder: dst.rank = 13 is not in [1, 12] (REO-023)");
}

TEST(ReorderOperation, RefusesAMissingType) {
  ReorderOperation operation = Legal();
  operation.dst.type = DataType::kUndef;
  EXPECT_EQ(Refusal(operation), "reorder: dst.type = 0 is no data type (MD-020)");
}

TEST(ReorderOperation, RefusesUnequalShapes) {
  ReorderOperation operation = Legal();
  operation.dst = Strided(DataType::kU8, {2, 3});
  EXPECT_EQ(Refusal(operation), "reorder: src.rank = 3 is not dst.rank = 2 (REO-011)");
  operation.dst = Strided(DataType::kU8, {2, 4, 3});
  EXPECT_EQ(Refusal(operation), "reorder: src.dims[1] = 3 is not dst.dims[1] = 4 (REO-011)");
  operation.src = Strided(DataType::kF32, {1, 4, 3});
  EXPECT_EQ(Refusal(operation), "reorder: src.dims[0] = 1 is not dst.dims[0] = 2 (REO-012)");
  operation.src = Strided(DataType::kF32, {2, 4, 3});
  EXPECT_EQ(Refusal(operation), "");
}

TEST(ReorderOperation, RepeatedElementsAreForSourcesOnly) {
  ReorderOperation operation = Legal();
  operation.src.strides[1] = 0;
  EXPECT_EQ(Refusal(operation), "");
  operation.dst.strides[1] = 0;
  EXPECT_EQ(Refusal(operation),
            "reorder: dst.strides[1] = 0 repeats one element dst.dims[1] = 3 times (REO-015)");
  operation.src.dims[1] = operation.dst.dims[1] = 1;
  EXPECT_EQ(Refusal(operation), "");
  operation = Legal();
  operation.dst.strides[1] = 0;
  operation.src.dims[0] = operation.dst.dims[0] = 0;
  EXPECT_EQ(Refusal(operation), "");
  // One step along the axis repeats nothing, though it is a whole block.
  operation = Legal();
  operation.dst = Strided(DataType::kU8, {2, 3, 4}, {{1, 4}});
  operation.dst.strides = {16, 0, 4};
  EXPECT_EQ(Refusal(operation), "");
  operation.dst.blocks[0].size = 2;
  EXPECT_NE(Refusal(operation), "");
}

TEST(ReorderOperation, WantsAsManyScalesAsTheMaskSays) {
  ReorderOperation operation = Legal();
  operation.scales.assign(1, 2.f);
  EXPECT_EQ(Refusal(operation), "");
  operation.scale_mask = 1 << 1;
  EXPECT_EQ(Refusal(operation), "reorder: output scales has 1 values for 3 of mask 2 (ATTR-024)");
  operation.scales.assign(3, 2.f);
  EXPECT_EQ(Refusal(operation), "");
  operation.scale_mask = 1 << 0 | 1 << 2;
  EXPECT_EQ(Refusal(operation), "reorder: output scales has 3 values for 8 of mask 5 (ATTR-024)");
  operation.scales.assign(8, 2.f);
  EXPECT_EQ(Refusal(operation), "");
  operation.scales.clear();
  EXPECT_EQ(Refusal(operation), "reorder: output scales has 0 values for 8 of mask 5 (ATTR-024)");
}

TEST(ReorderOperation, WantsAsManyRunTimeScalesAsTheMaskSays) {
  ReorderOperation operation = Legal();
  operation.run_time_scales = true;
  EXPECT_EQ(Refusal(operation), "");
  operation.scale_mask = 1 << 2;
  EXPECT_EQ(Refusal(operation), "reorder: output scales has 1 values for 4 of mask 4 (ATTR-024)");
  operation.scale_count = 4;
  EXPECT_EQ(Refusal(operation), "");
}

TEST(ReorderOperation, MasksNameAxesOfTheDestination) {
  ReorderOperation operation = Legal();
  operation.scales.assign(24, 1.f);
  operation.scale_mask = 7;
  EXPECT_EQ(Refusal(operation), "");
  operation.scale_mask = 8;
  EXPECT_EQ(Refusal(operation),
            "reorder: output scale mask = 8 has bits beyond dst.rank = 3 (ATTR-025)");
  operation.scale_mask = -1;
  EXPECT_EQ(Refusal(operation), "reorder: output scale mask = -1 is negative (ATTR-026)");
}

TEST(ReorderOperation, SumReadsTheDestinationInATypeOfItsSize) {
  ReorderOperation operation = Legal();
  operation.has_sum = true;
  operation.beta = -0.5f;
  operation.sum_type = DataType::kS8;
  EXPECT_EQ(Refusal(operation), "");
  operation.sum_type = DataType::kF16;
  EXPECT_EQ(Refusal(operation), "reorder: sum data type f16 has 2 bytes, not 1 of u8 (ATTR-050)");
  operation.sum_type = DataType::kUndef;
  EXPECT_NE(Refusal(operation), "");
}

TEST(ReorderOperation, SumScaleIsFinite) {
  ReorderOperation operation = Legal();
  operation.has_sum = true;
  operation.sum_type = DataType::kU8;
  operation.beta = std::numeric_limits<float>::max();
  EXPECT_EQ(Refusal(operation), "");
  operation.beta = std::numeric_limits<float>::infinity();
  EXPECT_EQ(Refusal(operation), "reorder: sum scale = inf is not finite (REO-052)");
}

TEST(ReorderOperation, PrintsOneLine) {
  ReorderOperation operation = Legal();
  EXPECT_EQ(ToString(operation), "reorder src:f32 2x3x4 s12,4,1 dst:u8 2x3x4 s12,1,3");
  operation.scale_mask = 2;
  operation.scales.assign(3, 2.f);
  operation.has_sum = true;
  operation.beta = 0.5f;
  operation.sum_type = DataType::kS8;
  EXPECT_EQ(ToString(operation),
            "reorder src:f32 2x3x4 s12,4,1 dst:u8 2x3x4 s12,1,3 scales@17 mask 2 x3 sum 0.5 as s8");
  operation.scales.clear();
  operation.run_time_scales = true;
  operation.sum_type = DataType::kU8;
  EXPECT_EQ(ToString(operation),
            "reorder src:f32 2x3x4 s12,4,1 dst:u8 2x3x4 s12,1,3 513:f32 1 s1 scales@17 mask 2 "
            "run-time sum 0.5 as u8");
  operation = Legal();
  operation.src_zero_point.value = -10;
  operation.dst_zero_point.run_time = true;
  EXPECT_EQ(ToString(operation),
            "reorder src:f32 2x3x4 s12,4,1 dst:u8 2x3x4 s12,1,3 4113:s32 1 s1 zero@1 -10 zero@17 "
            "run-time");
}

TEST(ReorderOperation, HasALayoutOnBothSides) {
  ReorderOperation operation = Legal();
  operation.dst = Any(DataType::kU8, {2, 3, 4});
  EXPECT_EQ(Refusal(operation), "reorder: dst is `any` and has no layout (REO-022)");
}

TEST(ReorderOperation, ASumReadsTheDestination) {
  ReorderOperation operation = Legal();
  operation.has_sum = true;
  operation.sum_type = DataType::kU8;
  operation.beta = 0.5f;
  EXPECT_EQ(Operation(operation).tensors[1].access, Access::kReadWrite);
  EXPECT_FALSE(IsElementwise(operation));
  operation.beta = 0;
  EXPECT_EQ(Operation(operation).tensors[1].access, Access::kWrite);
  EXPECT_TRUE(IsElementwise(operation));
}

TEST(ReorderOperation, IsWhatItsViewSays) {
  ReorderOperation operation = Legal();
  operation.scale_mask = 2;
  operation.scales = {1, 2, 3};
  operation.has_sum = true;
  operation.beta = 0.5f;
  operation.sum_type = DataType::kS8;
  operation.src_zero_point.value = -10;
  operation.dst_zero_point.run_time = true;
  const Operation made = operation;
  const auto view = AsReorder(made);
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(&view->src, &made.tensors[0].layout);
  EXPECT_EQ(&view->dst, &made.tensors[1].layout);
  EXPECT_EQ(view->scale_mask, 2);
  EXPECT_EQ(std::vector<float>(view->scales.begin(), view->scales.end()), operation.scales);
  EXPECT_FALSE(view->run_time_scales);
  EXPECT_TRUE(view->has_sum);
  EXPECT_EQ(view->beta, 0.5f);
  EXPECT_EQ(view->sum_type, DataType::kS8);
  EXPECT_EQ(view->src_zero_point.value, -10);
  EXPECT_TRUE(view->dst_zero_point.run_time);
  EXPECT_EQ(Find(made, kArgDstZeroPoint), 2);
  EXPECT_EQ(Find(made, kArgSrcZeroPoint), -1);
  operation.run_time_scales = true;
  operation.scale_count = 3;
  const Operation later = operation;
  EXPECT_TRUE(AsReorder(later)->run_time_scales);
  EXPECT_EQ(AsReorder(later)->scale_count, 3);
  EXPECT_FALSE(
      AsReorder(MakeShuffle(PropKind::kForwardTraining, operation.src, operation.src, {})));
}

}  // namespace
}  // namespace spi
