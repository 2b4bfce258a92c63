#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "api/shuffle/testing/shuffle_operation.h"
#include "api/spi/signatures.h"

namespace spi {
namespace {

ShuffleOperation Legal() {
  ShuffleOperation operation;
  operation.from = operation.to = Strided(DataType::kF32, {2, 6, 4});
  operation.axis = 1;
  operation.group_size = 3;
  return operation;
}

std::string Refusal(const ShuffleOperation& operation) {
  const absl::Status status = CheckRequest(operation);
  if (!status.ok()) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  }
  return std::string(status.message());
}

TEST(ShuffleOperation, AcceptsEveryDivisor) {
  ShuffleOperation operation = Legal();
  for (int64_t group : {1, 2, 3, 6}) {
    operation.group_size = group;
    EXPECT_EQ(Refusal(operation), "");
  }
}

TEST(ShuffleOperation, RefusesAGroupThatDoesNotDivideTheAxis) {
  ShuffleOperation operation = Legal();
  operation.group_size = 4;
  EXPECT_EQ(Refusal(operation),
            "shuffle: group_size = 4 does not divide src.dims[1] = 6 (SHU-008)");
  operation.forward = false;
  EXPECT_EQ(Refusal(operation),
            "shuffle: group_size = 4 does not divide diff_dst.dims[1] = 6 (SHU-008)");
  operation.group_size = 12;
  EXPECT_NE(Refusal(operation), "");
  operation.group_size = 0;
  EXPECT_EQ(Refusal(operation), "shuffle: group_size = 0 is below 1 (SHU-008)");
  operation.group_size = -3;
  EXPECT_EQ(Refusal(operation), "shuffle: group_size = -3 is below 1 (SHU-008)");
}

TEST(ShuffleOperation, RefusesAnAxisThatIsNone) {
  ShuffleOperation operation = Legal();
  operation.axis = 2;
  operation.group_size = 4;
  EXPECT_EQ(Refusal(operation), "");
  for (int axis : {3, -1, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    operation.axis = axis;
    EXPECT_EQ(Refusal(operation),
              "shuffle: axis = " + std::to_string(axis) + " is not in [0, 3) (SHU-007)");
  }
}

TEST(ShuffleOperation, AcceptsAnAxisWithoutElements) {
  ShuffleOperation operation = Legal();
  operation.from.dims[1] = operation.to.dims[1] = 0;
  operation.group_size = 5;
  EXPECT_EQ(Refusal(operation), "");
  operation.group_size = 0;
  EXPECT_NE(Refusal(operation), "");
}

TEST(ShuffleOperation, HasOneShapeAndType) {
  ShuffleOperation operation = Legal();
  operation.to.dims[0] = 3;
  EXPECT_EQ(Refusal(operation), "shuffle: src.dims[0] = 2 is not dst.dims[0] = 3 (SHU-004)");
  operation = Legal();
  operation.to.type = DataType::kS32;
  EXPECT_EQ(Refusal(operation), "shuffle: src.type = f32 is not dst.type = s32 (SHU-054)");
  operation = Legal();
  operation.to.rank = 2;
  EXPECT_EQ(Refusal(operation), "shuffle: src.rank = 3 is not dst.rank = 2 (SHU-004)");
  operation.from.rank = 0;
  EXPECT_EQ(Refusal(operation), "shuffle: src.rank = 0 is not in [1, 12] (SHU-004)");
  operation = Legal();
  operation.to.strides = {1, 2, 12};
  EXPECT_EQ(Refusal(operation), "");
}

TEST(ShuffleOperation, RepeatedElementsAreForSourcesOnly) {
  ShuffleOperation operation = Legal();
  operation.from.strides[0] = 0;
  EXPECT_EQ(Refusal(operation), "");
  operation.to.strides[0] = 0;
  EXPECT_EQ(Refusal(operation),
            "shuffle: dst.strides[0] = 0 repeats one element dst.dims[0] = 2 times (MD-014)");
}

TEST(ShuffleOperation, PrintsOneLine) {
  ShuffleOperation operation = Legal();
  EXPECT_EQ(ToString(operation),
            "shuffle forward_training src:f32 2x6x4 s24,4,1 dst:f32 2x6x4 s24,4,1 axis 1 group 3");
  operation.forward = false;
  operation.to.strides = {1, 2, 12};
  EXPECT_EQ(ToString(operation),
            "shuffle backward_data diff_dst:f32 2x6x4 s24,4,1 diff_src:f32 2x6x4 s1,2,12 axis 1 "
            "group 3");
}

TEST(ShuffleOperation, ReadsTheGradientOfTheDestinationBackward) {
  ShuffleOperation shuffle = Legal();
  Operation operation = shuffle;
  EXPECT_EQ(operation.tensors[0].argument, kArgSrc);
  EXPECT_EQ(operation.tensors[1].argument, kArgDst);
  shuffle.forward = false;
  operation = shuffle;
  EXPECT_EQ(operation.tensors[0].argument, kArgDiffDst);
  EXPECT_EQ(operation.tensors[1].argument, kArgDiffSrc);
}

TEST(ShuffleOperation, IsElementwiseWhereNothingMoves) {
  ShuffleOperation operation = Legal();
  EXPECT_FALSE(IsElementwise(operation));
  operation.group_size = 1;
  EXPECT_TRUE(IsElementwise(operation));
  operation.forward = false;
  EXPECT_TRUE(IsElementwise(operation));
  operation.group_size = 6;
  EXPECT_TRUE(IsElementwise(operation));
}

}  // namespace
}  // namespace spi
