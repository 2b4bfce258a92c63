#include "api/inner_product/operation.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "api/inner_product/testing/inner_product_operation.h"
#include "api/spi/signatures.h"

namespace spi {
namespace {

// src {2, 4, 3, 5}, weights {7, 4, 3, 5}, bias {7}, dst {2, 7}.
InnerProductOperation Legal(PropKind prop = PropKind::kForwardTraining) {
  InnerProductOperation operation;
  operation.prop = prop;
  operation.src = Strided(DataType::kF32, {2, 4, 3, 5});
  operation.weights = Strided(DataType::kF32, {7, 4, 3, 5});
  if (prop != PropKind::kBackwardData) operation.bias = Strided(DataType::kF32, {7});
  operation.dst = Strided(DataType::kF32, {2, 7});
  return operation;
}

constexpr PropKind kDirections[] = {PropKind::kForwardTraining, PropKind::kForwardInference,
                                    PropKind::kBackwardData, PropKind::kBackwardWeights};

std::string Refusal(const InnerProductOperation& operation) {
  const absl::Status status = CheckRequest(operation);
  if (!status.ok()) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  }
  return std::string(status.message());
}

std::vector<int> ArgumentsOf(const Operation& operation) {
  std::vector<int> arguments;
  for (const TensorArg& tensor : operation.tensors) arguments.push_back(tensor.argument);
  return arguments;
}

TEST(InnerProductOperation, AcceptsEveryDirectionWithBiasAndWithout) {
  for (const PropKind prop : kDirections) {
    InnerProductOperation operation = Legal(prop);
    EXPECT_EQ(Refusal(operation), "");
    operation.bias.reset();
    EXPECT_EQ(Refusal(operation), "");
  }
}

TEST(InnerProductOperation, AcceptsRanksFromTwoToFive) {
  for (const std::vector<int64_t>& inputs :
       {std::vector<int64_t>{4}, {4, 3}, {4, 3, 5}, {4, 3, 5, 2}}) {
    InnerProductOperation operation = Legal();
    std::vector<int64_t> src = {2}, weights = {7};
    src.insert(src.end(), inputs.begin(), inputs.end());
    weights.insert(weights.end(), inputs.begin(), inputs.end());
    operation.src = Strided(DataType::kF32, src);
    operation.weights = Strided(DataType::kF32, weights);
    EXPECT_EQ(Refusal(operation), "");
  }
}

TEST(InnerProductOperation, RefusesOtherRanks) {
  InnerProductOperation operation = Legal();
  operation.src = Strided(DataType::kF32, {2});
  EXPECT_EQ(Refusal(operation), "inner_product: src.rank = 1 is not in [2, 5] (IP-003)");
  operation.src = Strided(DataType::kF32, {2, 4, 3, 5, 1, 1});
  EXPECT_EQ(Refusal(operation), "inner_product: src.rank = 6 is not in [2, 5] (IP-003)");
  operation.src = Layout();
  EXPECT_EQ(Refusal(operation), "inner_product: src.rank = 0 is not in [1, 12] (IP-003)");
  operation = Legal(PropKind::kBackwardData);
  operation.weights = Strided(DataType::kF32, {7, 60});
  EXPECT_EQ(Refusal(operation),
            "inner_product: weights.rank = 2 is not diff_src.rank = 4 (IP-003)");
  operation = Legal(PropKind::kBackwardWeights);
  operation.dst = Strided(DataType::kF32, {2, 7, 1, 1});
  EXPECT_EQ(Refusal(operation), "inner_product: diff_dst.rank = 4 is not 2 (IP-003)");
  operation = Legal();
  operation.bias = Strided(DataType::kF32, {1, 7});
  EXPECT_EQ(Refusal(operation), "inner_product: bias.rank = 2 is not 1 (IP-005)");
}

TEST(InnerProductOperation, RefusesDimsThatDisagree) {
  InnerProductOperation operation = Legal();
  operation.dst = Strided(DataType::kF32, {3, 7});
  EXPECT_EQ(Refusal(operation), "inner_product: dst.dims[0] = 3 is not src.dims[0] = 2 (IP-004)");
  operation = Legal(PropKind::kBackwardData);
  operation.dst = Strided(DataType::kF32, {2, 6});
  EXPECT_EQ(Refusal(operation),
            "inner_product: diff_dst.dims[1] = 6 is not weights.dims[0] = 7 (IP-004)");
  operation = Legal(PropKind::kBackwardWeights);
  operation.weights = Strided(DataType::kF32, {7, 4, 5, 3});
  EXPECT_EQ(Refusal(operation),
            "inner_product: diff_weights.dims[2] = 5 is not src.dims[2] = 3 (IP-004)");
  operation = Legal(PropKind::kBackwardWeights);
  operation.bias = Strided(DataType::kF32, {8});
  EXPECT_EQ(Refusal(operation),
            "inner_product: diff_bias.dims[0] = 8 is not diff_weights.dims[0] = 7 (IP-005)");
  operation = Legal();
  operation.bias = Strided(DataType::kF32, {1});
  EXPECT_EQ(Refusal(operation),
            "inner_product: bias.dims[0] = 1 is not weights.dims[0] = 7 (IP-005)");
}

TEST(InnerProductOperation, NeedsWeightsButNoBatch) {
  for (const PropKind prop : kDirections) {
    InnerProductOperation operation = Legal(prop);
    operation.src.dims[0] = operation.dst.dims[0] = 0;
    EXPECT_EQ(Refusal(operation), "");
  }
  InnerProductOperation operation = Legal();
  operation.weights.dims[0] = operation.bias->dims[0] = operation.dst.dims[1] = 0;
  EXPECT_EQ(Refusal(operation), "inner_product: weights.dims[0] = 0 (IP-006)");
  operation = Legal(PropKind::kBackwardWeights);
  operation.weights.dims[3] = operation.src.dims[3] = 0;
  EXPECT_EQ(Refusal(operation), "inner_product: diff_weights.dims[3] = 0 (IP-006)");
}

TEST(InnerProductOperation, RepeatedElementsAreForWhatIsRead) {
  for (const PropKind prop : kDirections) {
    InnerProductOperation operation = Legal(prop);
    operation.src.strides[1] = 0;
    EXPECT_EQ(Refusal(operation).empty(), prop != PropKind::kBackwardData);
    operation = Legal(prop);
    operation.weights.strides[0] = 0;
    EXPECT_EQ(Refusal(operation).empty(), prop != PropKind::kBackwardWeights);
  }
  InnerProductOperation operation = Legal();
  operation.dst.strides[1] = 0;
  EXPECT_EQ(Refusal(operation),
            "inner_product: dst.strides[1] = 0 repeats one element dst.dims[1] = 7 times (MD-014)");
  operation = Legal(PropKind::kBackwardWeights);
  operation.bias->strides[0] = 0;
  EXPECT_EQ(Refusal(operation),
            "inner_product: diff_bias.strides[0] = 0 repeats one element diff_bias.dims[0] = 7 "
            "times (MD-014)");
}

TEST(InnerProductOperation, LeavesAnyLayoutOpen) {
  for (const PropKind prop : kDirections) {
    InnerProductOperation operation = Legal(prop);
    for (Layout* layout : {&operation.src, &operation.weights, &operation.dst})
      *layout = Any(layout->type, {layout->dims.data(), layout->rank});
    if (operation.bias) operation.bias = Any(DataType::kF32, {7});
    EXPECT_EQ(Refusal(operation), "");
  }
}

TEST(InnerProductOperation, HasAScaleForEachOutputChannelOrOne) {
  InnerProductOperation operation = Legal();
  Scales& scales = operation.attributes.scales.emplace_back();
  scales.values = {2.f};
  EXPECT_EQ(Refusal(operation), "");
  scales.values = {2.f, 3.f};
  EXPECT_EQ(Refusal(operation),
            "inner_product: output scales has 2 values for 1 of mask 0 (ATTR-024)");
  scales.mask = 2;
  scales.values.assign(7, 1.f);
  EXPECT_EQ(Refusal(operation), "");
  for (const size_t count : {size_t{6}, size_t{8}}) {
    scales.values.assign(count, 1.f);
    EXPECT_EQ(Refusal(operation), "inner_product: output scales has " + std::to_string(count) +
                                      " values for 7 of mask 2 (ATTR-024)");
  }
  scales.mask = 4;
  EXPECT_EQ(Refusal(operation),
            "inner_product: output scale mask = 4 has bits beyond dst.rank = 2 (ATTR-025)");
}

TEST(InnerProductOperation, TakesScalesAtExecutionAsItsLastTensor) {
  InnerProductOperation operation = Legal();
  Scales& scales = operation.attributes.scales.emplace_back();
  scales.mask = 2;
  scales.run_time = true;
  EXPECT_EQ(Refusal(operation), "");
  const Operation made = operation;
  EXPECT_EQ(ArgumentsOf(made),
            (std::vector<int>{kArgSrc, kArgWeights, kArgBias, kArgDst, kArgOutputScales}));
  EXPECT_EQ(LayoutOf(made, kArgOutputScales), Strided(DataType::kF32, {7}));
}

TEST(InnerProductOperation, SumsReadTheDestinationInATypeOfItsSize) {
  InnerProductOperation operation = Legal();
  operation.dst.type = DataType::kU8;
  operation.attributes.post_ops = {EltwiseOp{Algorithm::kEltwiseRelu, 1, 0, 0},
                                   SumOp{2, DataType::kS8}, SumOp{0, DataType::kU8}};
  EXPECT_EQ(Refusal(operation), "");
  EXPECT_EQ(Operation(operation).tensors[3].access, Access::kReadWrite);
  operation.attributes.post_ops[2] = SumOp{0, DataType::kS32};
  EXPECT_EQ(Refusal(operation),
            "inner_product: sum data type s32 has 4 bytes, not 1 of u8 (ATTR-050)");
  operation.attributes.post_ops = {SumOp{0, DataType::kU8}};
  EXPECT_EQ(Operation(operation).tensors[3].access, Access::kWrite);
}

TEST(InnerProductOperation, ListsWhatItReadsFirst) {
  EXPECT_EQ(ArgumentsOf(Legal()), (std::vector<int>{kArgSrc, kArgWeights, kArgBias, kArgDst}));
  EXPECT_EQ(ArgumentsOf(Legal(PropKind::kBackwardData)),
            (std::vector<int>{kArgWeights, kArgDiffDst, kArgDiffSrc}));
  EXPECT_EQ(ArgumentsOf(Legal(PropKind::kBackwardWeights)),
            (std::vector<int>{kArgSrc, kArgDiffDst, kArgDiffWeights, kArgDiffBias}));
  for (const PropKind prop : kDirections)
    EXPECT_FALSE(IsElementwise(Legal(prop))) << static_cast<int>(prop);
}

TEST(InnerProductOperation, IsViewedByNamesInEveryDirection) {
  for (const PropKind prop : kDirections) {
    const InnerProductOperation given = Legal(prop);
    const Operation operation = given;
    const InnerProductView view(operation);
    EXPECT_EQ(view.prop, prop);
    EXPECT_EQ(view.src, given.src);
    EXPECT_EQ(view.weights, given.weights);
    EXPECT_EQ(view.dst, given.dst);
    ASSERT_EQ(view.bias != nullptr, given.bias.has_value());
    if (given.bias) {
      EXPECT_EQ(*view.bias, *given.bias);
    }
  }
}

TEST(InnerProductOperation, PrintsOneLine) {
  InnerProductOperation operation = Legal(PropKind::kBackwardWeights);
  operation.src = Any(DataType::kF32, {2, 4, 3, 5});
  operation.bias.reset();
  EXPECT_EQ(ToString(operation),
            "inner_product backward_weights src:f32 2x4x3x5 any diff_dst:f32 2x7 s7,1 "
            "diff_weights:f32 7x4x3x5 s60,15,5,1");
  operation = Legal();
  operation.attributes.post_ops = {EltwiseOp{Algorithm::kEltwiseLinear, 1, 2, 3}};
  EXPECT_EQ(ToString(operation),
            "inner_product forward_training src:f32 2x4x3x5 s60,15,5,1 weights:f32 7x4x3x5 "
            "s60,15,5,1 bias:f32 7 s1 dst:f32 2x7 s7,1 eltwise_linear scale 1 alpha 2 beta 3");
}

}  // namespace
}  // namespace spi
