#include "conformance/blocking/layouts.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/convolution/testing/convolution_operation.h"
#include "api/eltwise/operation.h"
#include "api/inner_product/testing/inner_product_operation.h"

namespace blocking {
namespace {

using spi::DataType;
using spi::Layout;
using spi::PropKind;

constexpr DataType kF32 = DataType::kF32;
constexpr PropKind kDirections[] = {PropKind::kForwardTraining, PropKind::kBackwardData,
                                    PropKind::kBackwardWeights};

// 3 by 3, without padding; all is open, the bias too.
spi::ConvolutionOperation Open(PropKind prop, int64_t inputs, int64_t outputs) {
  spi::ConvolutionOperation operation;
  operation.prop = prop;
  operation.params.strides = {1, 1};
  operation.src = spi::Any(kF32, {2, inputs, 6, 5});
  operation.weights = spi::Any(kF32, {outputs, inputs, 3, 3});
  operation.dst = spi::Any(kF32, {2, outputs, 4, 3});
  if (prop != PropKind::kBackwardData) operation.bias = spi::Any(kF32, {outputs});
  return operation;
}

// What `argument` of `operation`, of which all is open, is answered with.
Layout Of(const spi::Operation& operation, int argument) {
  const std::vector<Layout> chosen = ChooseLayouts(operation);
  EXPECT_EQ(chosen.size(), operation.tensors.size());
  return chosen.at(static_cast<size_t>(spi::Find(operation, argument)));
}

TEST(ChooseLayouts, BlocksDataInFourWaysByItsDims) {
  std::set<std::vector<std::pair<int, int>>> kinds;
  for (int64_t channels = 33; channels < 37; ++channels) {
    const Layout src = Of(Open(PropKind::kForwardTraining, channels, 8), spi::kArgSrc);
    std::vector<std::pair<int, int>> blocks;
    for (int k = 0; k < src.block_count; ++k)
      blocks.emplace_back(src.blocks[k].axis, src.blocks[k].size);
    EXPECT_FALSE(blocks.empty()) << ToString(src);
    EXPECT_TRUE(spi::HasPadding(src)) << ToString(src);
    kinds.insert(blocks);
  }
  EXPECT_EQ(kinds.size(), 4u);
}

TEST(ChooseLayouts, StoresWhatOneGivesAsTheNextOneTakesIt) {
  for (int64_t channels = 30; channels < 34; ++channels) {
    const Layout given = Of(Open(PropKind::kForwardTraining, 3, channels), spi::kArgDst);
    spi::ConvolutionOperation next = Open(PropKind::kForwardInference, channels, 3);
    next.src = spi::Any(kF32, {2, channels, 4, 3});
    EXPECT_EQ(Of(next, spi::kArgSrc), given);
    spi::InnerProductOperation last;
    last.src = next.src;
    last.weights = spi::Any(kF32, {5, channels, 4, 3});
    last.dst = spi::Any(kF32, {2, 5});
    EXPECT_EQ(Of(last, spi::kArgSrc), given);
  }
}

TEST(ChooseLayouts, StoresWeightsDifferentlyForEachDirection) {
  for (const int64_t groups : {0, 3}) {
    std::set<std::string> weights;
    for (const PropKind prop : kDirections) {
      spi::ConvolutionOperation operation = Open(prop, 30, 33);
      if (groups != 0) operation.weights = spi::Any(kF32, {groups, 11, 10, 3, 3});
      const bool gradient = prop == PropKind::kBackwardWeights;
      const Layout layout = Of(operation, gradient ? spi::kArgDiffWeights : spi::kArgWeights);
      EXPECT_TRUE(spi::HasPadding(layout)) << ToString(layout);
      weights.insert(ToString(layout));
    }
    EXPECT_EQ(weights.size(), 3u);
  }
}

TEST(ChooseLayouts, BlocksGroupsOfOneChannelByTheirNumber) {
  spi::ConvolutionOperation operation = Open(PropKind::kForwardTraining, 12, 12);
  operation.weights = spi::Any(kF32, {12, 1, 1, 3, 3});
  EXPECT_EQ(Of(operation, spi::kArgWeights), spi::Strided(kF32, {12, 1, 1, 3, 3}, {{0, 8}}));
}

// CONV-061, IP-035.
TEST(ChooseLayouts, MakesABiasDense) {
  for (const PropKind prop : {PropKind::kForwardTraining, PropKind::kBackwardWeights}) {
    const int argument = spi::IsForward(prop) ? spi::kArgBias : spi::kArgDiffBias;
    EXPECT_EQ(Of(Open(prop, 8, 30), argument), spi::Strided(kF32, {30}));
  }
}

TEST(ChooseLayouts, AnswersWhatIsOpenAlone) {
  spi::ConvolutionOperation operation = Open(PropKind::kForwardTraining, 8, 30);
  const Layout dst = Of(operation, spi::kArgDst);
  operation.src = spi::Strided(kF32, {2, 8, 6, 5});
  operation.bias.reset();
  operation.weights = spi::Strided(kF32, {30, 8, 3, 3});
  EXPECT_EQ(ChooseLayouts(operation), std::vector<Layout>{dst});
}

TEST(ChooseLayouts, KeepsRowMajorWhatBlocksWouldMakeTooLarge) {
  spi::InnerProductOperation operation;
  operation.weights = spi::Any(kF32, {1, 1});
  operation.dst = spi::Any(kF32, {1, 1});
  // Channels in blocks of 16.
  const int64_t batch = (int64_t{1} << 56) - 1;
  operation.src = spi::Any(kF32, {batch, 1});
  EXPECT_EQ(Of(operation, spi::kArgSrc).block_count, 1);
  operation.src = spi::Any(kF32, {batch + 4, 1});
  EXPECT_EQ(Of(operation, spi::kArgSrc), spi::Strided(kF32, {batch + 4, 1}));
}

// ELT-009.
TEST(ChooseLayouts, LeavesGradientsOfEltwiseToTheEngine) {
  const Layout data = spi::Strided(kF32, {2, 8, 3}), any = spi::Any(kF32, {2, 8, 3});
  const spi::EltwiseParams relu = {spi::Algorithm::kEltwiseRelu, 0, 0};
  EXPECT_TRUE(ChooseLayouts(spi::MakeEltwiseBackward(relu, data, any, any)).empty());
}

}  // namespace
}  // namespace blocking
