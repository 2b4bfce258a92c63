#include "impl_cpu/strided/walk.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "api/reorder/operation.h"
#include "api/shuffle/operation.h"
#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "impl_cpu/strided/problem.h"
#include "impl_cpu/testing/random_operation.h"

namespace impl_cpu {
namespace {

// Of each element in the destination: where it is in the source, and which scale is its own.
using Places = std::map<int64_t, std::pair<int64_t, int64_t>>;

// Coordinate by coordinate, block by block.
Places ByDefinition(const Mapping& mapping) {
  Places places;
  spi::Dims at{};
  for (;;) {
    spi::Dims from = at;
    int64_t scale = 0;
    for (int j = 0; j < mapping.dst.rank; ++j) {
      const auto axis = static_cast<size_t>(j);
      scale += at[axis] * mapping.scale[axis];
      if (j != mapping.transposed) continue;
      const int64_t rows = mapping.dst.dims[j] / mapping.cols;
      from[axis] = at[axis] % rows * mapping.cols + at[axis] / rows;
    }
    places[OffsetOf(mapping.dst, at)] = {OffsetOf(mapping.src, from), scale};
    int j = mapping.dst.rank - 1;
    for (; j >= 0; --j) {
      if (++at[static_cast<size_t>(j)] < mapping.dst.dims[j]) break;
      at[static_cast<size_t>(j)] = 0;
    }
    if (j < 0) return places;
  }
}

Places ByWalk(const Mapping& mapping) {
  Places places;
  Walk(mapping).ForEachLoop([&](const Node& loop, int64_t src, int64_t dst, int64_t scale) {
    EXPECT_GE(loop.extent, 1);
    for (int64_t i = 0; i < loop.extent; ++i) {
      const auto place = std::make_pair(src + i * loop.src, scale + i * loop.scale);
      EXPECT_TRUE(places.emplace(dst + i * loop.dst, place).second);
    }
  });
  return places;
}

spi::Layout Line(int64_t extent, std::initializer_list<int32_t> blocks) {
  std::vector<spi::Block> all;
  for (int32_t size : blocks) all.push_back({0, size});
  spi::Layout layout = spi::Strided(spi::DataType::kS8, {extent}, all);
  ++layout.strides[0];
  return layout;
}

TEST(Walk, ComesToEachElementOfALineOnce) {
  for (int64_t extent : {1, 7, 24, 60, 210}) {
    for (int64_t cols : {1, 2, 3, 6, 10, 30, 60}) {
      if (extent % cols != 0) continue;
      for (const auto& from : {Line(extent, {}), Line(extent, {4}), Line(extent, {3, 2}),
                               Line(extent, {1, 1}), Line(extent, {100})}) {
        for (const auto& to : {Line(extent, {}), Line(extent, {6}), Line(extent, {2, 5})}) {
          const Mapping mapping = {from, to, {3}, 0, cols};
          ASSERT_EQ(ByWalk(mapping), ByDefinition(mapping)) << extent << " by " << cols;
        }
      }
    }
  }
}

TEST(Walk, ComesToEachElementOfAnyTensorOnce) {
  Random random(51);
  for (int i = 0; i < 600; ++i) {
    Mapping mapping;
    const spi::Operation operation =
        i % 2 == 0 ? RandomShuffle(random, 500)
                   : RandomReorder(random, spi::DataType::kF32, spi::DataType::kS8, 500);
    if (const auto* shuffle = std::get_if<spi::ShuffleOperation>(&operation)) {
      if (spi::IsEmpty(shuffle->to)) continue;
      const int64_t cols = shuffle->group_size;
      mapping = {shuffle->from, shuffle->to, {}, shuffle->axis, cols};
    } else {
      const auto& reorder = std::get<spi::ReorderOperation>(operation);
      if (spi::IsEmpty(reorder.dst)) continue;
      mapping = {reorder.src, reorder.dst};
      for (int64_t& step : mapping.scale) step = Uniform(random, 0, 50);
    }
    ASSERT_EQ(ByWalk(mapping), ByDefinition(mapping)) << i;
    // And so do the parts, where there are few enough.
    Problem problem;
    PlanMapping(mapping, &problem);
    EXPECT_NE(problem.walk == nullptr, problem.parts.empty()) << i;
  }
}

TEST(Walk, PrintsItsDims) {
  const Mapping mapping = {Line(7, {2}), Line(7, {3})};
  EXPECT_EQ(Walk(mapping).ToString(), "walk of 7");
}

// s8 {C, 2}, blocked along both: what a descriptor written by hand can ask for without any memory
// behind it.
Mapping Shuffled(int64_t extent, int64_t cols) {
  const spi::Layout layout = spi::Strided(spi::DataType::kS8, {extent, 2}, {{1, 2}, {0, 7}});
  return {layout, layout, {}, 0, cols};
}

TEST(PlanMapping, DoesNotListThePartsOfALongAxis) {
  // Without end, if it did.
  for (int64_t extent : {int64_t{1000000}, int64_t{1} << 33, int64_t{1} << 40}) {
    for (const Mapping& mapping :
         {Shuffled(extent, 1000), Mapping{Line(extent, {4099}), Line(extent, {4111})},
          Mapping{Line(extent, {99991}), Line(extent, {99989})}}) {
      if (extent % mapping.cols != 0) continue;
      Problem problem;
      PlanMapping(mapping, &problem);
      EXPECT_TRUE(problem.parts.empty());
      ASSERT_NE(problem.walk, nullptr);
    }
  }
}

// Blocks that do not nest in half of the axes: several pieces of each.
TEST(PlanMapping, DoesNotListEveryCombinationOfManyAxes) {
  const std::vector<int64_t> dims(spi::kMaxBlocks, 11);
  const auto in_blocks_of = [&](int32_t size) {
    std::vector<spi::Block> blocks;
    for (int j = 0; j < spi::kMaxBlocks; ++j) blocks.push_back({j, size});
    return spi::Strided(spi::DataType::kS8, dims, blocks);
  };
  const Mapping mapping = {in_blocks_of(2), in_blocks_of(3)};
  Problem problem;
  PlanMapping(mapping, &problem);
  EXPECT_TRUE(problem.parts.empty());
  EXPECT_NE(problem.walk, nullptr);
}

}  // namespace
}  // namespace impl_cpu
