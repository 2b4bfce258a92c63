#include "api/spi/strided/walk.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "api/spi/layout.h"
#include "api/spi/strided/nest.h"

namespace spi {
namespace {

struct Mapping {
  Layout src, dst;
  AxisMap map;
};

// Of each element in the destination: where it is in the source, and which scale is its own.
using Places = std::map<int64_t, std::pair<int64_t, int64_t>>;

// Coordinate by coordinate, block by block.
Places ByDefinition(const Mapping& m) {
  Places places;
  Dims at{};
  for (;;) {
    Dims from = at;
    int64_t scale = 0;
    for (size_t j = 0; j < m.dst.rank; ++j) {
      scale += at[j] * m.map.scale_strides[j];
      if (static_cast<int>(j) != m.map.transposed) continue;
      const int64_t rows = m.dst.dims[j] / m.map.columns;
      from[j] = at[j] % rows * m.map.columns + at[j] / rows;
    }
    places[OffsetOf(m.dst, at)] = {OffsetOf(m.src, from), scale};
    int j = m.dst.rank - 1;
    for (; j >= 0; --j) {
      const auto axis = static_cast<size_t>(j);
      if (++at[axis] < m.dst.dims[axis]) break;
      at[axis] = 0;
    }
    if (j < 0) return places;
  }
}

void Add(const LoopDim& loop, int64_t src, int64_t dst, int64_t scale, Places* places) {
  EXPECT_GE(loop.extent, 1);
  for (int64_t i = 0; i < loop.extent; ++i) {
    const auto place = std::make_pair(src + i * loop.src_stride, scale + i * loop.scale_stride);
    EXPECT_TRUE(places->emplace(dst + i * loop.dst_stride, place).second);
  }
}

Places ByWalk(const Mapping& m) {
  Places places;
  Walk(m.src, m.dst, m.map)
      .ForEachLoop([&](const LoopDim& loop, int64_t src, int64_t dst, int64_t scale) {
        Add(loop, src, dst, scale, &places);
      });
  return places;
}

void AddLoops(absl::Span<const LoopDim> loops, int64_t src, int64_t dst, int64_t scale,
              Places* places) {
  if (loops.empty()) return Add(LoopDim(), src, dst, scale, places);
  if (loops.size() == 1) return Add(loops[0], src, dst, scale, places);
  for (int64_t i = 0; i < loops[0].extent; ++i)
    AddLoops(loops.subspan(1), src + i * loops[0].src_stride, dst + i * loops[0].dst_stride,
             scale + i * loops[0].scale_stride, places);
}

Places ByNests(const Mapping& m) {
  Places places;
  const LoopNests nests = NestsOf(m.src, m.dst, m.map, Limits()).value();
  for (const LoopNest& nest : nests)
    AddLoops(nest.loops, nest.src_offset, nest.dst_offset, nest.scale_offset, &places);
  return places;
}

Layout Line(int64_t extent, std::initializer_list<int32_t> blocks) {
  std::vector<Block> all;
  for (int32_t size : blocks) all.push_back({0, size});
  Layout layout = Strided(DataType::kS8, {extent}, all);
  ++layout.strides[0];
  return layout;
}

AxisMap Transposed(int axis, int64_t columns, int64_t scale_stride = 0) {
  AxisMap map;
  map.scale_strides[0] = scale_stride;
  map.transposed = axis;
  map.columns = columns;
  return map;
}

TEST(Walk, ComesToEachElementOfALineOnceAsTheNestsDo) {
  for (int64_t extent : {1, 7, 24, 60, 210}) {
    for (int64_t cols : {1, 2, 3, 6, 10, 30, 60}) {
      if (extent % cols != 0) continue;
      for (const auto& from :
           {Line(extent, {}), Line(extent, {4}), Line(extent, {3, 2}), Line(extent, {100})}) {
        for (const auto& to : {Line(extent, {}), Line(extent, {6}), Line(extent, {2, 5})}) {
          const Mapping mapping = {from, to, Transposed(0, cols, 3)};
          const Places places = ByDefinition(mapping);
          ASSERT_EQ(ByWalk(mapping), places) << extent << " by " << cols;
          ASSERT_EQ(ByNests(mapping), places) << extent << " by " << cols;
        }
      }
    }
  }
}

// {dims}, up to three blocks anywhere, its outer axes in any order.
Layout RandomLayout(std::mt19937_64& random, const std::vector<int64_t>& dims) {
  std::vector<Block> blocks;
  for (uint64_t count = random() % 4; count > 0; --count)
    blocks.push_back(
        {static_cast<int32_t>(random() % dims.size()), static_cast<int32_t>(2 + random() % 5)});
  Layout layout = Strided(DataType::kF32, dims, blocks);
  int64_t stride = 1;
  for (const Block& block : blocks) stride *= block.size;
  const auto first = static_cast<size_t>(random() % dims.size());
  for (size_t k = 0; k < dims.size(); ++k) {
    const size_t axis = (first + k) % dims.size();
    layout.strides[axis] = stride;
    stride *= StepsAlong(layout, static_cast<int>(axis));
  }
  layout.offset = static_cast<int64_t>(random() % 9);
  return layout;
}

TEST(Walk, ComesToEachElementOfAnyTensorOnceAsTheNestsDo) {
  std::mt19937_64 random(51);
  for (int i = 0; i < 600; ++i) {
    std::vector<int64_t> dims(1 + random() % 4);
    for (int64_t& dim : dims) dim = 1 + static_cast<int64_t>(random() % 8);
    Mapping mapping = {RandomLayout(random, dims), RandomLayout(random, dims), {}};
    for (size_t j = 0; j < dims.size(); ++j)
      mapping.map.scale_strides[j] = static_cast<int64_t>(random() % 50);
    if (i % 2 == 0) {
      const size_t axis = random() % dims.size();
      mapping.map.transposed = static_cast<int>(axis);
      do mapping.map.columns = 1 + static_cast<int64_t>(random() % 8);
      while (dims[axis] % mapping.map.columns != 0);
    }
    const Places places = ByDefinition(mapping);
    ASSERT_EQ(ByWalk(mapping), places) << i;
    ASSERT_EQ(ByNests(mapping), places) << i;
  }
}

TEST(Walk, PrintsItsDims) {
  EXPECT_EQ(Walk(Line(7, {2}), Line(7, {3}), {}).ToString(), "walk of 7");
}

// Without end, if it listed them.
TEST(NestsOf, DoesNotListThePartsOfALongAxis) {
  for (int64_t extent : {int64_t{1} << 33, int64_t{1} << 40}) {
    EXPECT_FALSE(NestsOf(Line(extent, {4099}), Line(extent, {4111}), {}, Limits()).has_value());
    EXPECT_FALSE(NestsOf(Line(extent, {99991}), Line(extent, {99989}), {}, Limits()).has_value());
    EXPECT_FALSE(NestsOf(Line(extent, {4099}), Line(extent, {4111}), Transposed(0, 2), Limits())
                     .has_value());
  }
}

// Blocks that do not nest in any axis: several nests of each.
TEST(NestsOf, DoesNotListEveryCombinationOfManyAxes) {
  const std::vector<int64_t> dims(kMaxBlocks, 11);
  const auto in_blocks_of = [&](int32_t size) {
    std::vector<Block> blocks;
    for (int j = 0; j < kMaxBlocks; ++j) blocks.push_back({j, size});
    return Strided(DataType::kS8, dims, blocks);
  };
  EXPECT_FALSE(NestsOf(in_blocks_of(3), in_blocks_of(4), {}, Limits()).has_value());
}

}  // namespace
}  // namespace spi
