#include "api/spi/layout.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace spi {
namespace {

TEST(Layout, PrintsWhatItSays) {
  Layout layout = Strided(DataType::kBF16, {3, 5});
  EXPECT_EQ(ToString(layout), "bf16 3x5 s5,1");
  layout.offset = 7;
  layout.block_count = 1;
  layout.blocks[0] = {1, 4};
  EXPECT_EQ(ToString(layout), "bf16 3x5 s5,1 o7 b4@1");
  EXPECT_EQ(ToString(Layout()), "undef");
  layout = Strided(DataType::kBF16, {3, 5});
  layout.dims[0] = layout.strides[1] = kRunTimeValue;
  EXPECT_EQ(ToString(layout), "bf16 runtimex5 s5,runtime");
  EXPECT_EQ(ToString(Any(DataType::kF32, {2, 3})), "f32 2x3 any");
  EXPECT_EQ(ToString(Opaque(DataType::kS8, {32, 16}, 3, 4736)), "s8 32x16 opaque 3 (4736 bytes)");
}

TEST(Layout, IsEmptyWhenSomeDimIsZero) {
  Layout layout = Strided(DataType::kBF16, {3, 5});
  EXPECT_FALSE(IsEmpty(layout));
  layout.dims[1] = 0;
  EXPECT_TRUE(IsEmpty(layout));
  EXPECT_FALSE(IsEmpty(Layout()));
}

TEST(Layout, PlacesElementsAsTheBlockedFormatsDo) {
  // nChw16c of 20 channels: 12 of padding.
  const Layout channels = Strided(DataType::kF32, {2, 20, 8, 8}, {{1, 16}});
  EXPECT_EQ(ToString(channels), "f32 2x20x8x8 s2048,1024,128,16 b16@1");
  EXPECT_EQ(OffsetOf(channels, {1, 19, 7, 6}), 2048 + 1024 + 7 * 128 + 6 * 16 + 3);
  EXPECT_EQ(StepsAlong(channels, 1), 2);
  EXPECT_EQ(PaddedDim(channels, 1), 32);
  EXPECT_TRUE(HasPadding(channels));
  EXPECT_FALSE(HasPadding(Strided(DataType::kF32, {2, 32, 8, 8}, {{1, 16}})));
  // OIhw4i16o4i.
  const Layout weights = Strided(DataType::kS8, {32, 32, 3, 3}, {{1, 4}, {0, 16}, {1, 4}});
  EXPECT_EQ(BlockAlong(weights, 1), 16);
  EXPECT_EQ(OffsetOf(weights, {17, 21, 1, 2}),
            9 * 512 + 9 * 256 + 3 * 256 + 2 * 256 + 1 * 64 + 1 * 4 + 1);
}

TEST(Layout, OfTooLongAnAxisIsPaddedToTheLargestNumber) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const auto padded = [](int64_t dim) {
    return PaddedDim(Strided(DataType::kS8, {dim, 0}, {{0, 4}, {0, 4}}), 0);
  };
  EXPECT_EQ(padded(kMost - 15), kMost - 15);  // 2^63 - 16
  EXPECT_EQ(padded(kMost - 16), kMost - 15);
  EXPECT_EQ(padded(kMost - 14), kMost);
  EXPECT_EQ(padded(kMost), kMost);
  EXPECT_EQ(padded(kRunTimeValue), kRunTimeValue);
}

// Row-major blocks without gaps: each element and each padding has a place of its own, and the
// places are all there are.
TEST(Layout, OfWholeBlocksHasNoGaps) {
  for (const std::vector<Block>& blocks :
       {std::vector<Block>{}, {{1, 4}}, {{0, 2}, {1, 3}}, {{1, 2}, {0, 3}, {1, 2}}}) {
    const Layout layout = Strided(DataType::kS32, {3, 5, 2}, blocks);
    std::set<int64_t> places;
    int64_t count = 0;
    for (int64_t i = 0; i < PaddedDim(layout, 0); ++i)
      for (int64_t j = 0; j < PaddedDim(layout, 1); ++j)
        for (int64_t k = 0; k < PaddedDim(layout, 2); ++k, ++count)
          places.insert(OffsetOf(layout, {i, j, k}));
    EXPECT_EQ(static_cast<int64_t>(places.size()), count);
    EXPECT_EQ(*places.rbegin(), count - 1);
    int64_t bytes = 0;
    EXPECT_TRUE(SizeInBytes(layout, &bytes));
    EXPECT_EQ(bytes, 4 * count);
  }
}

TEST(Layout, TellsTheEndOfItsBytes) {
  const auto bytes = [](const Layout& layout) {
    int64_t end = -1;
    return SizeInBytes(layout, &end) ? end : -1;
  };
  Layout layout = Strided(DataType::kF32, {2, 3});
  layout.offset = 5;
  layout.strides[0] = 100;
  EXPECT_EQ(bytes(layout), 4 * (5 + 100 + 2 + 1));
  EXPECT_EQ(bytes(Strided(DataType::kF32, {2, 0})), 0);
  EXPECT_EQ(bytes(Layout()), 0);
  EXPECT_EQ(bytes(Opaque(DataType::kF32, {2, 3}, 1, 77)), 77);
  layout.strides[0] = (int64_t{1} << 61) - 9;
  EXPECT_EQ(bytes(layout), std::numeric_limits<int64_t>::max() - 3);
  ++layout.strides[0];
  EXPECT_EQ(bytes(layout), -1);
  // The largest dim of an empty tensor in blocks rounds up to nothing that is computed.
  EXPECT_EQ(bytes(Strided(DataType::kF32, {0, std::numeric_limits<int64_t>::max()}, {{1, 16}})), 0);
}

TEST(Layout, OfNoElementsHasTheLargestStrideWhereNoneFits) {
  const int64_t big = int64_t{1} << 32, most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(Strided(DataType::kF32, {0, 1, big, big / 2}).strides, (Dims{most, most, big / 2, 1}));
  EXPECT_EQ(Strided(DataType::kF32, {0, 3, big, big / 4}).strides,
            (Dims{most, big * (big / 4), big / 4, 1}));
  EXPECT_EQ(Strided(DataType::kF32, {3, 0, most, 2}).strides, (Dims{0, most, 2, 1}));
  EXPECT_EQ(Strided(DataType::kF32, {0, big, big}, {{1, 16}}).strides, (Dims{most, 16 * big, 16}));
}

// What a layout says, as text that names every entry in use.
std::string Fields(const Layout& layout) {
  std::string text = std::to_string(static_cast<int>(layout.kind)) + ToString(layout) + " of " +
                     std::to_string(layout.owner);
  return text;
}

// A small one of any kind, of few values, so that two are often equal.
Layout Random(std::mt19937& random) {
  const auto below = [&](unsigned most) { return static_cast<int32_t>(random() % most); };
  std::vector<int64_t> dims(1 + random() % 2);
  for (int64_t& dim : dims) dim = 2 + below(2);
  const DataType type = below(2) == 0 ? DataType::kF32 : DataType::kS32;
  if (below(4) == 0) return Any(type, dims);
  if (below(4) == 0) {
    Layout layout = Opaque(type, dims, static_cast<uint16_t>(1 + below(2)), 8 + below(2));
    layout.owner = static_cast<uint16_t>(below(2));
    return layout;
  }
  std::vector<Block> blocks(random() % 3);
  for (Block& block : blocks) block = {below(static_cast<unsigned>(dims.size())), 2 + below(2)};
  Layout layout = Strided(type, dims, blocks);
  layout.offset = below(2);
  layout.strides[0] += below(2);
  return layout;
}

TEST(Layout, EqualsAnotherExactlyIfItSaysTheSame) {
  std::mt19937 random(7);
  int equal = 0, different = 0;
  for (int i = 0; i < 200000; ++i) {
    // Whatever lies where they are made.
    const Layout a = Random(random), b = Random(random);
    ASSERT_EQ(a == b, Fields(a) == Fields(b)) << Fields(a) << " and " << Fields(b);
    ASSERT_EQ(a != b, !(a == b));
    ++(a == b ? equal : different);
  }
  EXPECT_GT(equal, 1000);
  EXPECT_GT(different, 100000);
}

TEST(DataType, HasTheSizesOfTheCatalogue) {
  EXPECT_EQ(SizeOf(DataType::kUndef), 0);
  for (DataType type : {DataType::kS8, DataType::kU8}) EXPECT_EQ(SizeOf(type), 1);
  for (DataType type : {DataType::kF16, DataType::kBF16}) EXPECT_EQ(SizeOf(type), 2);
  for (DataType type : {DataType::kF32, DataType::kS32}) EXPECT_EQ(SizeOf(type), 4);
}

}  // namespace
}  // namespace spi
