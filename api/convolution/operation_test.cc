#include "api/convolution/operation.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "api/convolution/testing/convolution_operation.h"
#include "api/spi/signatures.h"

namespace spi {
namespace {

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

// src {2, 6, 5, 7}, weights {3, 4, 2, 3, 2}: three groups of two channels, bias {12},
// dst {2, 12, 3, 6}.
ConvolutionOperation Legal(PropKind prop = PropKind::kForwardTraining) {
  ConvolutionOperation operation;
  operation.prop = prop;
  operation.params.strides = {2, 1};
  operation.params.dilates = {0, 1};
  operation.params.padding_l = {1, 0};
  operation.params.padding_r = {1, 1};
  operation.src = Strided(DataType::kF32, {2, 6, 5, 7});
  operation.weights = Strided(DataType::kF32, {3, 4, 2, 3, 2});
  if (prop != PropKind::kBackwardData) operation.bias = Strided(DataType::kF32, {12});
  operation.dst = Strided(DataType::kF32, {2, 12, 3, 6});
  return operation;
}

// One spatial axis, one channel.
struct Line {
  int64_t input, kernel, output, stride = 1, dilate = 0, padding_l = 0, padding_r = 0;

  ConvolutionOperation Operation(int64_t batch = 1) const {
    ConvolutionOperation operation;
    operation.params.strides = {stride};
    operation.params.dilates = {dilate};
    operation.params.padding_l = {padding_l};
    operation.params.padding_r = {padding_r};
    // With extents that no buffer has.
    operation.src = Any(DataType::kF32, {batch, 1, input});
    operation.weights = Any(DataType::kF32, {1, 1, kernel});
    operation.dst = Any(DataType::kF32, {batch, 1, output});
    return operation;
  }
};

constexpr PropKind kDirections[] = {PropKind::kForwardTraining, PropKind::kForwardInference,
                                    PropKind::kBackwardData, PropKind::kBackwardWeights};

std::string Refusal(const ConvolutionOperation& operation) {
  const absl::Status status = CheckRequest(operation);
  if (!status.ok()) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  }
  return std::string(status.message());
}

std::string Refusal(const Line& line) { return Refusal(line.Operation()); }

std::vector<int> ArgumentsOf(const Operation& operation) {
  std::vector<int> arguments;
  for (const TensorArg& tensor : operation.tensors) arguments.push_back(tensor.argument);
  return arguments;
}

TEST(ConvolutionOperation, AcceptsEveryDirectionWithBiasAndWithout) {
  for (const PropKind prop : kDirections) {
    ConvolutionOperation operation = Legal(prop);
    EXPECT_EQ(Refusal(operation), "");
    operation.bias.reset();
    EXPECT_EQ(Refusal(operation), "");
  }
}

TEST(ConvolutionOperation, AcceptsRanksFromThreeToFiveWithGroupsAndWithout) {
  for (const std::vector<int64_t>& spatial : {std::vector<int64_t>{4}, {4, 3}, {4, 3, 5}})
    for (const bool grouped : {false, true}) {
      const auto tensor = [&](std::vector<int64_t> dims) {
        dims.insert(dims.end(), spatial.begin(), spatial.end());
        return Strided(DataType::kF32, dims);
      };
      ConvolutionOperation operation;
      operation.params.strides = {1, 1, 1};
      operation.src = tensor({2, 6});
      operation.weights = grouped ? tensor({2, 5, 3}) : tensor({10, 6});
      std::vector<int64_t> dst(2 + spatial.size(), 1);
      dst[0] = 2;
      dst[1] = 10;
      operation.dst = Strided(DataType::kF32, dst);
      EXPECT_EQ(Refusal(operation), "");
    }
}

TEST(ConvolutionOperation, RefusesOtherRanks) {
  ConvolutionOperation operation = Legal();
  operation.src = Strided(DataType::kF32, {2, 6});
  EXPECT_EQ(Refusal(operation), "convolution: src.rank = 2 is not in [3, 5] (CONV-020)");
  operation.src = Strided(DataType::kF32, {2, 6, 1, 1, 1, 1});
  EXPECT_EQ(Refusal(operation), "convolution: src.rank = 6 is not in [3, 5] (CONV-020)");
  operation.src = Layout();
  EXPECT_EQ(Refusal(operation), "convolution: src.rank = 0 is not in [1, 12] (CONV-045)");
  operation = Legal(PropKind::kBackwardWeights);
  operation.dst = Strided(DataType::kF32, {2, 12, 18});
  EXPECT_EQ(Refusal(operation), "convolution: diff_dst.rank = 3 is not src.rank = 4 (CONV-020)");
  operation = Legal(PropKind::kBackwardData);
  operation.weights = Strided(DataType::kF32, {12, 2, 6});
  EXPECT_EQ(Refusal(operation),
            "convolution: weights.rank = 3 is neither diff_src.rank = 4 nor one more (CONV-021)");
  operation.weights = Strided(DataType::kF32, {3, 4, 2, 3, 2, 1});
  EXPECT_EQ(Refusal(operation),
            "convolution: weights.rank = 6 is neither diff_src.rank = 4 nor one more (CONV-021)");
  operation = Legal();
  operation.bias = Strided(DataType::kF32, {1, 12});
  EXPECT_EQ(Refusal(operation), "convolution: bias.rank = 2 is not 1 (CONV-024)");
}

TEST(ConvolutionOperation, RefusesDimsThatDisagree) {
  ConvolutionOperation operation = Legal(PropKind::kBackwardData);
  operation.dst.dims[0] = 3;
  EXPECT_EQ(Refusal(operation),
            "convolution: diff_dst.dims[0] = 3 is not diff_src.dims[0] = 2 (CONV-022)");
  operation = Legal();
  operation.src.dims[1] = 7;
  EXPECT_EQ(Refusal(operation),
            "convolution: src.dims[1] = 7 is not weights.dims[0] * weights.dims[2] = 3 * 2 "
            "(CONV-023)");
  operation = Legal(PropKind::kBackwardWeights);
  operation.dst.dims[1] = 4;
  EXPECT_EQ(Refusal(operation),
            "convolution: diff_dst.dims[1] = 4 is not diff_weights.dims[0] * diff_weights.dims[1] "
            "= 3 * 4 (CONV-023)");
  operation = Legal();
  operation.bias->dims[0] = 4;
  EXPECT_EQ(Refusal(operation),
            "convolution: bias.dims[0] = 4 is not weights.dims[0] * weights.dims[1] = 3 * 4 "
            "(CONV-024)");
  operation = Legal();
  operation.weights = Strided(DataType::kF32, {12, 6, 3, 2});
  EXPECT_EQ(Refusal(operation), "");
  operation.weights = Strided(DataType::kF32, {6, 12, 3, 2});
  EXPECT_EQ(Refusal(operation),
            "convolution: src.dims[1] = 6 is not weights.dims[1] = 12 (CONV-023)");
  operation.src.dims[1] = 12;
  EXPECT_EQ(Refusal(operation),
            "convolution: dst.dims[1] = 12 is not weights.dims[0] = 6 (CONV-023)");
}

TEST(ConvolutionOperation, CountsChannelsBeyond64Bits) {
  ConvolutionOperation operation = Line{1, 1, 1}.Operation();
  operation.weights = Any(DataType::kF32, {int64_t{1} << 32, 1, int64_t{1} << 32, 1});
  operation.src.dims[1] = 0;
  EXPECT_EQ(Refusal(operation),
            "convolution: src.dims[1] = 0 is not weights.dims[0] * weights.dims[2] = 4294967296 * "
            "4294967296 (CONV-023)");
}

TEST(ConvolutionOperation, DestinationsAreAsLongAsTheFormulaSays) {
  EXPECT_EQ(Refusal(Line{2, 5, 2, 1, 0, 2, 2}), "");   // a kernel beyond the input
  EXPECT_EQ(Refusal(Line{2, 2, 9, 1, 0, 4, 4}), "");   // padding beyond the kernel
  EXPECT_EQ(Refusal(Line{5, 3, 1, 1000}), "");         // a stride beyond both
  EXPECT_EQ(Refusal(Line{5, 1, 5, 1, 100}), "");       // one tap is not dilated
  EXPECT_EQ(Refusal(Line{9, 3, 3, 2, 1}), "");         // KD = 5
  EXPECT_EQ(Refusal(Line{0, 3, 2, 1, 0, 2, 2}), "");   // padding alone
  EXPECT_EQ(Refusal(Line{6, 2, 2, 2, 0, 0, -1}), "");  // cropped
  for (const int64_t output : {2, 4})
    EXPECT_EQ(Refusal(Line{9, 3, output, 2, 1, 1, 0}),
              "convolution: dst.dims[2] = " + std::to_string(output) +
                  " is not floor((9 - 5 + 1 + 0) / 2) + 1 = 3 (CONV-025)");
  ConvolutionOperation operation = Legal(PropKind::kBackwardData);
  operation.dst.dims[3] = 5;
  EXPECT_EQ(Refusal(operation),
            "convolution: diff_dst.dims[3] = 5 is not floor((7 - 3 + 0 + 1) / 1) + 1 = 6 "
            "(CONV-025)");
}

TEST(ConvolutionOperation, RoundsDownBelowZeroToo) {
  for (const int64_t stride : {1, 2, 3}) {
    EXPECT_EQ(Refusal(Line{2, 3, 0, stride}), "");
    EXPECT_EQ(Refusal(Line{2, 3, 1, stride}),
              "convolution: dst.dims[2] = 1 is not floor((2 - 3 + 0 + 0) / " +
                  std::to_string(stride) + ") + 1 = 0 (CONV-025)");
  }
  EXPECT_EQ(Refusal(Line{1, 4, 0, 3}), "");
  EXPECT_EQ(Refusal(Line{1, 5, 0, 3}),
            "convolution: dst.dims[2] = 0 is not floor((1 - 5 + 0 + 0) / 3) + 1 = -1 (CONV-025)");
}

TEST(ConvolutionOperation, CountsInMoreThan64Bits) {
  EXPECT_EQ(Refusal(Line{(int64_t{1} << 32) + 3, 3, 1}),
            "convolution: dst.dims[2] = 1 is not floor((4294967299 - 3 + 0 + 0) / 1) + 1 = "
            "4294967297 (CONV-025)");
  EXPECT_EQ(Refusal(Line{1, 3, 0, 1, kLargest, 0, 0}),
            "convolution: dst.dims[2] = 0 is not floor((1 - a number beyond 64 bits + 0 + 0) / 1) "
            "+ 1 = a number beyond 64 bits (CONV-025)");
  EXPECT_EQ(Refusal(Line{int64_t{1} << 61, int64_t{1} << 61, 1, kLargest, kLargest, kLargest}),
            "convolution: dst.dims[2] = 1 is not floor((2305843009213693952 - a number beyond 64 "
            "bits + 9223372036854775807 + 0) / 9223372036854775807) + 1 = -2305843009213693949 "
            "(CONV-025)");
  EXPECT_EQ(Refusal(Line{1, 1, int64_t{1} << 62, 1, 0, (int64_t{1} << 62) - 1}), "");
  EXPECT_EQ(Refusal(Line{1, 1, 1, kLargest, kLargest, kLargest - 1}), "");
}

TEST(ConvolutionOperation, ServesNoPaddedSourceBeyond63Bits) {
  const Line padded = {1, 1, 2, kLargest, 0, kLargest, 0};
  EXPECT_EQ(CheckRequest(padded.Operation()),
            absl::UnimplementedError("convolution: src.dims[2] = 1 with padding_l[0] = "
                                     "9223372036854775807 and padding_r[0] = 0 is above "
                                     "9223372036854775807 (CONV-026)"));
}

TEST(ConvolutionOperation, RefusesWindowsThatDoNotMove) {
  for (int j = 0; j < 2; ++j) {
    const std::string at = "[" + std::to_string(j) + "]";
    for (const int64_t stride : {int64_t{0}, int64_t{-1}, std::numeric_limits<int64_t>::min()}) {
      ConvolutionOperation operation = Legal();
      operation.params.strides[j] = stride;
      EXPECT_EQ(Refusal(operation), "convolution: strides" + at + " = " + std::to_string(stride) +
                                        " is below 1 (CONV-027)");
    }
    ConvolutionOperation operation = Legal();
    operation.params.dilates[j] = -1;
    EXPECT_EQ(Refusal(operation), "convolution: dilates" + at + " = -1 is below 0 (CONV-028)");
  }
  EXPECT_EQ(Refusal(Line{3, 1, 3, 1, -1}), "convolution: dilates[0] = -1 is below 0 (CONV-028)");
}

TEST(ConvolutionOperation, CropsTheEndByLessThanAStride) {
  EXPECT_EQ(Refusal(Line{3, 1, 2, 1, 0, -1, 0}),
            "convolution: padding_l[0] = -1 is below 0 (CONV-029)");
  EXPECT_EQ(Refusal(Line{7, 1, 2, 3, 0, 0, -2}), "");
  EXPECT_EQ(Refusal(Line{7, 1, 2, 3, 0, 0, -3}),
            "convolution: padding_r[0] = -3 is not above -strides[0] = -3 (CONV-030)");
  EXPECT_EQ(Refusal(Line{7, 1, 2, 3, 0, 0, std::numeric_limits<int64_t>::min()}),
            "convolution: padding_r[0] = -9223372036854775808 is not above -strides[0] = -3 "
            "(CONV-030)");
}

TEST(ConvolutionOperation, NeedsWeightsButNeitherBatchNorExtent) {
  for (const PropKind prop : kDirections) {
    ConvolutionOperation operation = Legal(prop);
    operation.src.dims[0] = operation.dst.dims[0] = 0;
    EXPECT_EQ(Refusal(operation), "");
    operation = Line{2, 3, 0}.Operation();
    operation.prop = prop;
    EXPECT_EQ(Refusal(operation), "");
  }
  ConvolutionOperation operation = Legal();
  operation.weights.dims[0] = operation.src.dims[1] = operation.dst.dims[1] =
      operation.bias->dims[0] = 0;
  EXPECT_EQ(Refusal(operation), "convolution: weights.dims[0] = 0 (CONV-032)");
  operation = Legal();
  operation.weights.dims[1] = operation.dst.dims[1] = operation.bias->dims[0] = 0;
  EXPECT_EQ(Refusal(operation), "convolution: weights.dims[1] = 0 (CONV-032)");
  operation = Legal(PropKind::kBackwardWeights);
  operation.weights.dims[2] = operation.src.dims[1] = 0;
  EXPECT_EQ(Refusal(operation), "convolution: diff_weights.dims[2] = 0 (CONV-032)");
  EXPECT_EQ(Refusal(Line{2, 0, 3}), "convolution: weights.dims[2] = 0 (CONV-032)");
}

TEST(ConvolutionOperation, HasThreeAlgorithms) {
  for (int32_t number = -1; number < 256; ++number) {
    ConvolutionOperation operation = Legal();
    operation.params.algorithm = static_cast<ConvolutionAlgorithm>(number);
    EXPECT_EQ(Refusal(operation), number >= 1 && number <= 3
                                      ? ""
                                      : "convolution: algorithm = " + std::to_string(number) +
                                            " is no convolution algorithm (CONV-043)");
  }
}

TEST(ConvolutionOperation, RepeatedElementsAreForWhatIsRead) {
  for (const PropKind prop : kDirections) {
    ConvolutionOperation operation = Legal(prop);
    operation.src.strides[1] = 0;
    EXPECT_EQ(Refusal(operation).empty(), prop != PropKind::kBackwardData);
    operation = Legal(prop);
    operation.weights.strides[0] = 0;
    EXPECT_EQ(Refusal(operation).empty(), prop != PropKind::kBackwardWeights);
  }
  ConvolutionOperation operation = Legal();
  operation.dst.strides[3] = 0;
  EXPECT_EQ(Refusal(operation),
            "convolution: dst.strides[3] = 0 repeats one element dst.dims[3] = 6 times (CONV-046)");
  operation = Legal(PropKind::kBackwardWeights);
  operation.bias->strides[0] = 0;
  EXPECT_EQ(Refusal(operation),
            "convolution: diff_bias.strides[0] = 0 repeats one element diff_bias.dims[0] = 12 "
            "times (CONV-046)");
}

TEST(ConvolutionOperation, LeavesAnyLayoutOpen) {
  for (const PropKind prop : kDirections) {
    ConvolutionOperation operation = Legal(prop);
    for (Layout* layout : {&operation.src, &operation.weights, &operation.dst})
      *layout = Any(layout->type, {layout->dims.data(), layout->rank});
    if (operation.bias) operation.bias = Any(DataType::kF32, {12});
    EXPECT_EQ(Refusal(operation), "");
  }
}

TEST(ConvolutionOperation, LeavesTypesToImplementations) {
  ConvolutionOperation operation = Legal();
  operation.src.type = DataType::kU8;
  operation.weights.type = DataType::kBF16;
  operation.bias->type = DataType::kS32;
  operation.dst.type = DataType::kF16;
  EXPECT_EQ(Refusal(operation), "");
  operation.dst.type = DataType::kUndef;
  EXPECT_EQ(Refusal(operation), "convolution: dst.type = 0 is no data type (MD-020)");
}

TEST(ConvolutionOperation, HasAScaleForEachOutputChannelOfAllGroupsOrOne) {
  ConvolutionOperation operation = Legal();
  Scales& scales = operation.attributes.scales.emplace_back();
  scales.values = {2.f};
  EXPECT_EQ(Refusal(operation), "");
  scales.values = {2.f, 3.f};
  EXPECT_EQ(Refusal(operation),
            "convolution: output scales has 2 values for 1 of mask 0 (ATTR-024)");
  scales.mask = 2;
  scales.values.assign(12, 1.f);
  EXPECT_EQ(Refusal(operation), "");
  for (const size_t count : {size_t{4}, size_t{11}, size_t{13}}) {
    scales.values.assign(count, 1.f);
    EXPECT_EQ(Refusal(operation), "convolution: output scales has " + std::to_string(count) +
                                      " values for 12 of mask 2 (ATTR-024)");
  }
  scales.values.clear();
  scales.run_time = true;
  EXPECT_EQ(Refusal(operation), "");
  const Operation made = operation;
  EXPECT_EQ(ArgumentsOf(made),
            (std::vector<int>{kArgSrc, kArgWeights, kArgBias, kArgDst, kArgOutputScales}));
  EXPECT_EQ(LayoutOf(made, kArgOutputScales), Strided(DataType::kF32, {12}));
}

TEST(ConvolutionOperation, SumsReadTheDestinationInATypeOfItsSize) {
  ConvolutionOperation operation = Legal();
  operation.dst.type = DataType::kU8;
  operation.attributes.post_ops = {SumOp{2, DataType::kS8}};
  EXPECT_EQ(Refusal(operation), "");
  EXPECT_EQ(Operation(operation).tensors[3].access, Access::kReadWrite);
  operation.attributes.post_ops = {SumOp{0, DataType::kS32}};
  EXPECT_EQ(Refusal(operation),
            "convolution: sum data type s32 has 4 bytes, not 1 of u8 (ATTR-050)");
}

TEST(ConvolutionOperation, ListsWhatItReadsFirst) {
  EXPECT_EQ(ArgumentsOf(Legal()), (std::vector<int>{kArgSrc, kArgWeights, kArgBias, kArgDst}));
  EXPECT_EQ(ArgumentsOf(Legal(PropKind::kBackwardData)),
            (std::vector<int>{kArgWeights, kArgDiffDst, kArgDiffSrc}));
  EXPECT_EQ(ArgumentsOf(Legal(PropKind::kBackwardWeights)),
            (std::vector<int>{kArgSrc, kArgDiffDst, kArgDiffWeights, kArgDiffBias}));
  for (const PropKind prop : kDirections)
    EXPECT_FALSE(IsElementwise(Legal(prop))) << static_cast<int>(prop);
}

std::vector<int64_t> NumbersOf(const ConvolutionAxis& axis) {
  return {axis.input, axis.output, axis.kernel, axis.stride, axis.step, axis.padding};
}

TEST(ConvolutionOperation, IsViewedByNamesInEveryDirection) {
  for (const PropKind prop : kDirections) {
    const ConvolutionOperation given = Legal(prop);
    const Operation operation = given;
    const ConvolutionView view(operation);
    EXPECT_EQ(view.prop, prop);
    EXPECT_EQ(view.params, given.params);
    EXPECT_EQ(view.src, given.src);
    EXPECT_EQ(view.weights, given.weights);
    EXPECT_EQ(view.dst, given.dst);
    ASSERT_EQ(view.bias != nullptr, given.bias.has_value());
    if (given.bias) {
      EXPECT_EQ(*view.bias, *given.bias);
    }
    EXPECT_TRUE(view.grouped);
    EXPECT_EQ((std::vector<int64_t>{view.batch, view.groups, view.ic, view.oc}),
              (std::vector<int64_t>{2, 3, 2, 4}));
    EXPECT_EQ(view.spatial, 2);
    EXPECT_EQ(NumbersOf(view.axes[0]), (std::vector<int64_t>{1, 1, 1, 1, 1, 0}));
    EXPECT_EQ(NumbersOf(view.axes[1]), (std::vector<int64_t>{5, 3, 3, 2, 1, 1}));
    EXPECT_EQ(NumbersOf(view.axes[2]), (std::vector<int64_t>{7, 6, 2, 1, 2, 0}));
  }
}

TEST(ConvolutionOperation, IsViewedWithoutGroupsAsOne) {
  const Operation operation = Line{1, 1, 1, 1, kLargest}.Operation();
  const ConvolutionView view(operation);
  EXPECT_FALSE(view.grouped);
  EXPECT_EQ((std::vector<int64_t>{view.batch, view.groups, view.ic, view.oc}),
            (std::vector<int64_t>{1, 1, 1, 1}));
  EXPECT_EQ(view.spatial, 1);
  EXPECT_EQ(NumbersOf(view.axes[2]), (std::vector<int64_t>{1, 1, 1, 1, kLargest, 0}));
}

TEST(ConvolutionOperation, DiffersWithEachParameter) {
  const Operation same = Legal();
  EXPECT_EQ(same, Operation(Legal()));
  ConvolutionOperation other = Legal();
  other.params.algorithm = ConvolutionAlgorithm::kAuto;
  EXPECT_NE(same, Operation(other));
  for (std::array<int64_t, 3> ConvolutionParams::*const vector :
       {&ConvolutionParams::strides, &ConvolutionParams::dilates, &ConvolutionParams::padding_l,
        &ConvolutionParams::padding_r}) {
    other = Legal();
    ++(other.params.*vector)[1];
    EXPECT_NE(same, Operation(other));
  }
}

TEST(ConvolutionOperation, PrintsOneLine) {
  ConvolutionOperation operation = Legal(PropKind::kBackwardWeights);
  operation.src = Any(DataType::kF32, {2, 6, 5, 7});
  operation.bias.reset();
  EXPECT_EQ(ToString(operation),
            "convolution backward_weights src:f32 2x6x5x7 any diff_dst:f32 2x12x3x6 s216,18,6,1 "
            "diff_weights:f32 3x4x2x3x2 s48,12,6,2,1 convolution_direct strides 2x1 dilates 0x1 "
            "padding_l 1x0 padding_r 1x1");
  operation = Line{3, 1, 3}.Operation();
  operation.params.algorithm = ConvolutionAlgorithm::kWinograd;
  operation.attributes.post_ops = {EltwiseOp{Algorithm::kEltwiseLinear, 1, 2, 3}};
  EXPECT_EQ(ToString(operation),
            "convolution forward_training src:f32 1x1x3 any weights:f32 1x1x1 any dst:f32 1x1x3 "
            "any convolution_winograd strides 1 dilates 0 padding_l 0 padding_r 0 eltwise_linear "
            "scale 1 alpha 2 beta 3");
}

}  // namespace
}  // namespace spi
