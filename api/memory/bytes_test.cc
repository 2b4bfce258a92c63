// Against byte sets that are written out.
#include "api/memory/bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <vector>

namespace api {
namespace {

spi::Layout Placed(spi::DataType type, const std::vector<int64_t>& dims,
                   const std::vector<int64_t>& strides, int64_t offset = 0) {
  spi::Layout layout = spi::Strided(type, dims);
  std::copy(strides.begin(), strides.end(), layout.strides.begin());
  layout.offset = offset;
  return layout;
}

// 5 x 3 in blocks of 4 along axis 0.
spi::Layout Blocked(int64_t offset = 0) {
  spi::Layout layout = spi::Strided(spi::DataType::kS8, {5, 3}, {{0, 4}});
  layout.offset = offset;
  return layout;
}

std::set<int64_t> Bytes(const spi::Layout& layout, int64_t distance) {
  std::set<int64_t> starts = {layout.offset};
  for (int j = 0; j < layout.rank; ++j) {
    std::set<int64_t> next;
    for (int64_t i = 0; i < spi::StepsAlong(layout, j); ++i)
      for (const int64_t start : starts) next.insert(start + i * layout.strides[j]);
    starts = next;
  }
  int64_t block = 1;
  for (int k = 0; k < layout.block_count; ++k) block *= layout.blocks[k].size;
  std::set<int64_t> bytes;
  const int64_t size = spi::SizeOf(layout.type);
  for (const int64_t start : starts)
    for (int64_t i = 0; i < block * size; ++i) bytes.insert(start * size + i + distance);
  return bytes;
}

bool Meet(const spi::Layout& a, const spi::Layout& b, int64_t distance) {
  const std::set<int64_t> first = Bytes(a, 0);
  for (const int64_t byte : Bytes(b, distance))
    if (first.count(byte) > 0) return true;
  return false;
}

TEST(AddressedBytes, AreFromTheFirstElementToTheLast) {
  const auto range = [](const spi::Layout& layout) {
    const ByteRange bytes = AddressedBytes(layout);
    return std::vector<int64_t>{bytes.begin, bytes.end};
  };
  using Range = std::vector<int64_t>;
  EXPECT_EQ(range(Placed(spi::DataType::kF32, {2, 3}, {3, 1})), (Range{0, 24}));
  EXPECT_EQ(range(Placed(spi::DataType::kF32, {2, 1}, {3, 1}, 2)), (Range{8, 24}));
  EXPECT_EQ(range(Placed(spi::DataType::kF16, {2, 3}, {8, 1})), (Range{0, 22}));
  EXPECT_EQ(range(Placed(spi::DataType::kU8, {1, 3}, {99, 2}, 5)), (Range{5, 10}));
  EXPECT_EQ(range(Placed(spi::DataType::kF32, {4, 3}, {0, 1})), (Range{0, 12}));
  EXPECT_EQ(range(Placed(spi::DataType::kF32, {4, 0}, {7, 1}, 9)), (Range{0, 0}));
  EXPECT_EQ(range(spi::Layout()), (Range{0, 0}));
  // The padding of a block is written.
  EXPECT_EQ(range(Blocked()), (Range{0, 24}));
  EXPECT_EQ(range(Blocked(7)), (Range{7, 31}));
  // As many scales as a tensor of bytes has elements.
  EXPECT_EQ(range(Placed(spi::DataType::kF32, {int64_t{1} << 62}, {1}))[1],
            std::numeric_limits<int64_t>::max());
}

TEST(Coincide, WantsEachElementOnTheSameBytes) {
  const auto rows = Placed(spi::DataType::kF32, {2, 3}, {3, 1});
  EXPECT_TRUE(Coincide(rows, rows, 0));
  EXPECT_FALSE(Coincide(rows, rows, 4));
  EXPECT_TRUE(Coincide(rows, Placed(spi::DataType::kS32, {2, 3}, {3, 1}), 0));
  EXPECT_FALSE(Coincide(rows, Placed(spi::DataType::kF16, {2, 3}, {3, 1}), 0));
  EXPECT_FALSE(Coincide(rows, Placed(spi::DataType::kF32, {2, 3}, {1, 2}), 0));
  EXPECT_FALSE(Coincide(rows, Placed(spi::DataType::kF32, {2, 3}, {4, 1}), 0));
  // A start in the layout or in the buffer.
  const auto later = Placed(spi::DataType::kF32, {2, 3}, {3, 1}, 2);
  EXPECT_FALSE(Coincide(rows, later, 0));
  EXPECT_TRUE(Coincide(rows, later, -8));
  EXPECT_TRUE(Coincide(later, rows, 8));
  // Strides of one step are nothing.
  EXPECT_TRUE(Coincide(Placed(spi::DataType::kF32, {1, 3}, {3, 1}),
                       Placed(spi::DataType::kF32, {1, 3}, {99, 1}), 0));
  EXPECT_TRUE(Coincide(Blocked(), Blocked(), 0));
  EXPECT_FALSE(Coincide(Blocked(), Placed(spi::DataType::kS8, {5, 3}, {12, 4}), 0));
}

TEST(ShareBytes, TellsInterleavedRegionsApart) {
  const auto left = Placed(spi::DataType::kF32, {4, 2}, {5, 1});
  EXPECT_FALSE(ShareBytes(left, Placed(spi::DataType::kF32, {4, 3}, {5, 1}, 2), 0));
  EXPECT_TRUE(ShareBytes(left, Placed(spi::DataType::kF32, {4, 3}, {5, 1}, 1), 0));
  EXPECT_FALSE(ShareBytes(left, left, 8));
  EXPECT_FALSE(ShareBytes(left, left, 12));
  EXPECT_TRUE(ShareBytes(left, left, 13));
  EXPECT_TRUE(ShareBytes(left, left, 20));
  EXPECT_FALSE(ShareBytes(left, left, 1000));
  EXPECT_FALSE(ShareBytes(left, Placed(spi::DataType::kF32, {4, 0}, {5, 1}), 0));
  // Many and regular, whichever strides: told in a few steps.
  const int64_t many = int64_t{1} << 40;
  EXPECT_FALSE(ShareBytes(Placed(spi::DataType::kU8, {many}, {2}),
                          Placed(spi::DataType::kU8, {many / 2}, {4}, 1), 0));
  EXPECT_TRUE(ShareBytes(Placed(spi::DataType::kU8, {many}, {2}),
                         Placed(spi::DataType::kU8, {many / 2}, {4}, 2), 0));
}

TEST(ShareBytes, GivesUpAsShared) {
  // The first common byte, 350001 * 999983 = 349994 * 1000003 + 1, lies behind both; but each step
  // would have to be tried.
  EXPECT_TRUE(ShareBytes(Placed(spi::DataType::kU8, {100000}, {999983}),
                         Placed(spi::DataType::kU8, {100000}, {1000003}, 1), 0));
}

TEST(ShareBytes, IsWhatTheSetsSay) {
  std::mt19937 random(1);
  const auto below = [&](int n) { return static_cast<int64_t>(random() % n); };
  const spi::DataType types[] = {spi::DataType::kU8, spi::DataType::kF16, spi::DataType::kF32};
  const auto any = [&] {
    std::vector<int64_t> dims, strides;
    int64_t stride = 1 + below(3);
    for (int64_t rank = 1 + below(4); rank > 0; --rank) {
      dims.push_back(1 + below(4));
      strides.push_back(below(12) == 0 ? 0 : stride);
      stride = stride * dims.back() + below(3) * below(6);
    }
    return below(9) == 0 ? Blocked(below(40)) : Placed(types[below(3)], dims, strides, below(40));
  };
  int shared = 0;
  for (int round = 0; round < 20000; ++round) {
    const spi::Layout a = any(), b = any();
    const int64_t distance = below(3) == 0 ? below(80) - 40 : 0;
    const bool expected = Meet(a, b, distance);
    ASSERT_EQ(ShareBytes(a, b, distance), expected)
        << ToString(a) << " and " << ToString(b) << " at " << distance;
    ASSERT_EQ(ShareBytes(b, a, -distance), expected);
    shared += expected;
  }
  EXPECT_GT(shared, 5000);
  EXPECT_LT(shared, 18000);
}

// Where its elements are is not known: all of its bytes are its own.
TEST(Bytes, OfAnOpaqueLayoutAreAllThatItHas) {
  const spi::Layout opaque = spi::Opaque(spi::DataType::kF32, {2, 3}, 1, 100);
  EXPECT_EQ(AddressedBytes(opaque).begin, 0);
  EXPECT_EQ(AddressedBytes(opaque).end, 100);
  const spi::Layout plain = spi::Strided(spi::DataType::kF32, {2, 3});
  EXPECT_TRUE(ShareBytes(opaque, plain, 99));
  EXPECT_FALSE(ShareBytes(opaque, plain, 100));
  EXPECT_TRUE(ShareBytes(plain, opaque, 20));
  EXPECT_FALSE(ShareBytes(plain, opaque, 24));
  EXPECT_TRUE(Coincide(opaque, opaque, 0));
  EXPECT_FALSE(Coincide(opaque, opaque, 4));
  EXPECT_FALSE(Coincide(opaque, plain, 0));
}

}  // namespace
}  // namespace api
