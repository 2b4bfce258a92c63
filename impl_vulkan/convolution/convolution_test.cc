#include "impl_vulkan/convolution/convolution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "api/convolution/operation.h"
#include "impl_vulkan/convolution/products.h"
#include "impl_vulkan/convolution/testing/terms.h"
#include "impl_vulkan/convolution/testing/trial.h"

namespace impl_vulkan {
namespace {

using spi::DataType;
using spi::PropKind;
using spi::Strided;
using testing::Check;
using testing::Plain;
using testing::Shape;

Limits Usual() { return {uint64_t{1} << 27, 256, 256, 32768, 65535}; }

TEST(Convolution, SumsEachTermOnce) {
  Limits narrow = Usual();
  narrow.window_bytes = 1024;
  int refused = 0, cut = 0;
  for (uint32_t seed = 0; seed < 300 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const spi::Operation operation = testing::RandomConvolution(seed, 4000);
    if (spi::WritesNothing(operation)) continue;
    EXPECT_EQ(Check(operation, Usual()), 1u);
    const size_t dispatches = Check(operation, narrow);
    if (dispatches == 0) ++refused;
    if (dispatches > 1) ++cut;
  }
  EXPECT_LT(refused, 60);
  EXPECT_GT(cut, 40);
}

TEST(Convolution, SumsEachTermOnceInTiles) {
  Limits narrow = Usual();
  narrow.window_bytes = 1024;
  int counted[3] = {};
  for (uint32_t seed = 0; seed < 300 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const spi::Operation operation = testing::RandomConvolution(seed, 4000);
    if (spi::WritesNothing(operation)) continue;
    EXPECT_EQ(Check(operation, Usual(), ConvolutionKernel::kTile), 1u);
    Check(operation, narrow, ConvolutionKernel::kTile);
    const ConvolutionDispatch dispatch =
        DispatchesOf(*ConvolutionOf(operation), Usual(), ConvolutionKernel::kTile)->front();
    if (dispatch.kernel == ConvolutionKernel::kTile) ++counted[dispatch.constants[17]];
  }
  for (const int each : counted) EXPECT_GT(each, 10);
}

// By tiles: 0 tap by tap, 1 all terms with channels side by side, 2 with taps side by side.
uint32_t CountOf(PropKind prop, const Shape& shape, bool channels_last = false) {
  const auto layout = [&](const std::vector<int64_t>& dims) {
    spi::Layout dense = Strided(DataType::kF32, dims);
    int64_t stride = 1;
    for (const size_t axis : {1, 3, 2, 0}) {
      if (channels_last) dense.strides[axis] = stride;
      stride *= dims[axis];
    }
    return dense;
  };
  const spi::Operation operation =
      spi::MakeConvolution(prop, shape.params, layout(shape.src()), layout(shape.weights()),
                           nullptr, layout(shape.dst()));
  return DispatchesOf(*ConvolutionOf(operation), Usual(), ConvolutionKernel::kTile)
      ->front()
      .constants[17];
}

TEST(Convolution, CountsAllTermsWhereChannelsAreFew) {
  constexpr PropKind kForward = PropKind::kForwardInference;
  Shape first = Plain(1, 1, 3, 64, {64, 64}, {7, 7});
  first.params.strides = {2, 2};
  EXPECT_EQ(CountOf(kForward, first), 2u);
  EXPECT_EQ(CountOf(kForward, first, true), 1u);
  EXPECT_EQ(CountOf(PropKind::kBackwardWeights, first), 2u) << "of one image";
  EXPECT_EQ(CountOf(PropKind::kBackwardData, first), 0u) << "most places are between elements";
  const Shape images = Plain(8, 1, 16, 32, {12, 12}, {3, 3});
  EXPECT_EQ(CountOf(PropKind::kBackwardWeights, images), 2u) << "outputs lie side by side";
  EXPECT_EQ(CountOf(PropKind::kBackwardWeights, images, true), 0u) << "channels do";
  for (const auto& [channels, counted] : std::map<int64_t, uint32_t>{
           {1, 2}, {4, 2}, {6, 2}, {7, 0}, {8, 0}, {9, 2}, {12, 2}, {13, 0}, {16, 0}, {17, 2}}) {
    EXPECT_EQ(CountOf(kForward, Plain(1, 1, channels, 32, {12, 12}, {3, 3})), counted) << channels;
  }
}

bool HasWindow(const spi::Operation& operation) {
  return KernelsOf(*ConvolutionOf(operation), Usual()).front() == ConvolutionKernel::kWindow;
}

TEST(Convolution, SumsEachTermOnceInWindows) {
  Limits narrow = Usual();
  narrow.window_bytes = 1024;
  int windows = 0;
  for (uint32_t seed = 0; seed < 1500 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const spi::Operation operation = testing::RandomConvolution(seed, 4000);
    if (spi::WritesNothing(operation) || !HasWindow(operation)) continue;
    ++windows;
    EXPECT_EQ(Check(operation, Usual(), ConvolutionKernel::kWindow), 1u);
    Check(operation, narrow, ConvolutionKernel::kWindow);
  }
  EXPECT_GT(windows, 60);
}

// A depthwise layer of two axes that are alike, in both directions that windows have.
void CheckWindows(int64_t kernel, int64_t stride, int64_t dilation, int64_t padding) {
  SCOPED_TRACE(::testing::Message()
               << kernel << " by " << stride << " d" << dilation << " p" << padding);
  Shape shape = Plain(2, 3, 1, 1, {17, 14}, {kernel, kernel});
  shape.params.strides = {stride, stride};
  shape.params.dilates = {dilation, dilation};
  shape.params.padding_l = shape.params.padding_r = {padding, padding};
  for (const PropKind prop : {PropKind::kForwardInference, PropKind::kBackwardData}) {
    const spi::Operation operation =
        testing::ConvolutionOfShape(prop, DataType::kF32, shape, false);
    EXPECT_TRUE(HasWindow(operation));
    EXPECT_EQ(Check(operation, Usual(), ConvolutionKernel::kWindow), 1u);
  }
}

TEST(Convolution, HasWindowsOfEveryStep) {
  for (const int64_t kernel : {1, 2, 3, 5}) {
    for (const int64_t stride : {1, 2, 3, 5}) {
      for (const int64_t dilation : {0, 1, 2}) {
        for (const int64_t padding : {0, 1, 2}) CheckWindows(kernel, stride, dilation, padding);
      }
    }
  }
}

TEST(Convolution, HasWindowsWhereAChannelIsMadeOfOne) {
  const auto has = [](PropKind prop, const Shape& shape) {
    return HasWindow(testing::ConvolutionOfShape(prop, DataType::kF32, shape, false));
  };
  constexpr PropKind kForward = PropKind::kForwardInference, kData = PropKind::kBackwardData;
  EXPECT_TRUE(has(kForward, Plain(1, 4, 1, 3, {9, 9}, {3, 3})));
  EXPECT_FALSE(has(kForward, Plain(1, 4, 1, 4, {9, 9}, {3, 3}))) << "tiles read less";
  EXPECT_FALSE(has(kForward, Plain(1, 4, 2, 1, {9, 9}, {3, 3})));
  EXPECT_FALSE(has(kData, Plain(1, 4, 1, 2, {9, 9}, {3, 3})));
  EXPECT_TRUE(has(kForward, Plain(1, 4, 1, 1, {99}, {21})));
  EXPECT_FALSE(has(kForward, Plain(1, 4, 1, 1, {99}, {31}))) << "more places than registers";
}

TEST(Convolution, IsCutWhereverItCan) {
  Limits narrow = Usual();
  narrow.window_bytes = 1024;
  Shape shape = Plain(3, 2, 9, 6, {9, 10}, {3, 4});
  shape.params.strides = {2, 1};
  shape.params.dilates = {0, 1};
  shape.params.padding_l = {1, 3};
  shape.params.padding_r = {2, 1};
  for (const PropKind prop :
       {PropKind::kForwardTraining, PropKind::kBackwardData, PropKind::kBackwardWeights}) {
    EXPECT_GT(Check(testing::ConvolutionOfShape(prop, DataType::kF32, shape, false), narrow), 10u);
  }
}

TEST(Convolution, IsGivenToADeviceInPiecesThatTakeALimitedTime) {
  const Convolution convolution = *ConvolutionOf(
      testing::ConvolutionOfShape(PropKind::kForwardInference, DataType::kF32,
                                  Plain(16, 1, 512, 512, {128, 128}, {3, 3}), false));
  Limits limits = Usual();
  limits.window_bytes = uint64_t{1} << 31;
  limits.rounds = int64_t{1} << 30;
  const auto terms_of = [&] {
    const auto dispatches = DispatchesOf(convolution, limits, ConvolutionKernel::kTile);
    EXPECT_TRUE(dispatches.ok()) << dispatches.status();
    std::vector<int64_t> terms;
    for (const ConvolutionDispatch& dispatch : *dispatches) {
      const ConvolutionParameters& p = dispatch.parameters;
      EXPECT_FALSE(dispatch.partial);
      EXPECT_EQ(int64_t{p.k} * p.taps, 512 * 9) << "no sum is cut";
      terms.push_back(int64_t{p.m} * p.n * p.k * p.taps);
    }
    return terms;
  };
  const std::vector<int64_t> whole = terms_of();
  ASSERT_EQ(whole.size(), 1u) << "nobody watches";
  limits.terms = int64_t{1} << 38;
  const std::vector<int64_t> pieces = terms_of();
  EXPECT_EQ(std::accumulate(pieces.begin(), pieces.end(), int64_t{0}), whole.front());
  EXPECT_LE(*std::max_element(pieces.begin(), pieces.end()), limits.terms);
  EXPECT_LE(pieces.size(), 4u);
}

TEST(Convolution, GoesFarBeyondTheSource) {
  // What taps and paddings add up to is beyond 32 bits, and the one place that is read is not.
  Shape shape = Plain(1, 1, 2, 2, {3}, {3});
  constexpr int64_t kFar = (int64_t{1} << 40) + 1;
  shape.params.dilates[0] = kFar - 1;
  shape.params.padding_l[0] = kFar - 1;
  shape.params.padding_r[0] = kFar - 1;
  for (const PropKind prop :
       {PropKind::kForwardTraining, PropKind::kBackwardData, PropKind::kBackwardWeights}) {
    EXPECT_GE(Check(testing::ConvolutionOfShape(prop, DataType::kF32, shape, false), Usual()), 1u);
  }
}

TEST(Convolution, RefusesBlocksThatNoWindowHolds) {
  Limits narrow = Usual();
  narrow.window_bytes = 1024;
  const auto plan = [&](int32_t block) {
    const Shape shape = Plain(1, 1, 300, 1, {4}, {1});
    const spi::Operation operation = spi::MakeConvolution(
        PropKind::kForwardTraining, shape.params,
        Strided(DataType::kF32, shape.src(), {{1, block}}),
        Strided(DataType::kF32, shape.weights()), nullptr, Strided(DataType::kF32, shape.dst()));
    return DispatchesOf(*ConvolutionOf(operation), narrow, ConvolutionKernel::kDirect).status();
  };
  EXPECT_TRUE(plan(128).ok()) << plan(128);
  EXPECT_EQ(plan(256).code(), absl::StatusCode::kUnimplemented);
}

TEST(Convolution, IsAProductWhereItCan) {
  const auto is_product = [](PropKind prop, const Shape& shape) {
    const spi::Operation operation =
        testing::ConvolutionOfShape(prop, DataType::kF32, shape, false);
    return IsProduct(spi::ConvolutionView(operation));
  };
  constexpr PropKind kForward = PropKind::kForwardInference, kData = PropKind::kBackwardData;
  Shape stride = Plain(2, 1, 3, 4, {5, 5}, {1, 1}), padded = stride, cropped = stride;
  EXPECT_TRUE(is_product(kData, stride));
  stride.params.strides = {2, 2};
  EXPECT_TRUE(is_product(kForward, stride));
  EXPECT_FALSE(is_product(kData, stride)) << "not all is written";
  padded.params.padding_l = {1, 0};
  EXPECT_FALSE(is_product(kForward, padded));
  padded.params.padding_l = {0, 0};
  padded.params.padding_r = {1, 0};
  EXPECT_FALSE(is_product(kForward, padded));
  EXPECT_TRUE(is_product(kData, Plain(2, 1, 3, 4, {5, 3}, {5, 1})));
  EXPECT_FALSE(is_product(kForward, Plain(2, 1, 3, 4, {5, 4}, {5, 3})));
  EXPECT_FALSE(is_product(kForward, Plain(2, 3, 3, 4, {5, 5}, {1, 1})));
  EXPECT_FALSE(is_product(kForward, Plain(0, 1, 3, 4, {5, 5}, {1, 1})));
}

}  // namespace
}  // namespace impl_vulkan
