// Axes of blocks that do not nest, and of more elements than anything may be done for one by one.
#include "impl_vulkan/strided/move.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "api/reorder/testing/reorder_operation.h"
#include "api/shuffle/testing/shuffle_operation.h"
#include "impl_vulkan/reorder/plan.h"
#include "impl_vulkan/shuffle/plan.h"

namespace impl_vulkan {
namespace {

// One axis in blocks of `size`, each `step` elements after the one before, with 0 for no blocks.
// A size beyond 31 bits is a block of blocks.
spi::Layout InBlocks(int64_t extent, int64_t size, int64_t step) {
  spi::Layout layout = spi::Strided(spi::DataType::kS8, {extent});
  layout.strides[0] = step;
  if (size == 0) return layout;
  int64_t outer = 1;
  while (size / outer > std::numeric_limits<int32_t>::max() || size % outer != 0) ++outer;
  if (outer > 1) layout.blocks[layout.block_count++] = {0, static_cast<int32_t>(outer)};
  layout.blocks[layout.block_count++] = {0, static_cast<int32_t>(size / outer)};
  return layout;
}

spi::ReorderOperation Between(const spi::Layout& source, const spi::Layout& destination) {
  spi::ReorderOperation operation;
  operation.src = source;
  operation.dst = destination;
  return operation;
}

// The element of the destination at `offset`, of a layout that InBlocks made.
int64_t ElementAt(const spi::Layout& layout, int64_t offset) {
  if (layout.block_count == 0) return offset / layout.strides[0];
  return offset / layout.strides[0] * spi::BlockAlong(layout, 0) + offset % layout.strides[0];
}

// That the nests move each element once: as many as there are, none beyond, and the corners of each
// loop from and to one and the same element.
void ExpectWalks(const spi::ReorderOperation& operation, const Move& move) {
  int64_t count = 0;
  for (const spi::LoopNest& nest : move.nests) {
    int64_t elements = 1;
    for (const spi::LoopDim& dim : nest.loops) elements *= dim.extent;
    count += elements;
    for (uint32_t corner = 0; corner < 1u << nest.loops.size(); ++corner) {
      int64_t from = nest.src_offset, to = nest.dst_offset;
      for (size_t n = 0; n < nest.loops.size(); ++n) {
        const int64_t steps = corner >> n & 1 ? nest.loops[n].extent - 1 : 0;
        from += steps * nest.loops[n].src_stride;
        to += steps * nest.loops[n].dst_stride;
      }
      ASSERT_EQ(ElementAt(operation.src, from), ElementAt(operation.dst, to));
    }
  }
  EXPECT_EQ(count, operation.dst.dims[0]);
}

// Adds the number of each element that `nest` moves, which is to be one number on both sides.
void List(const spi::ReorderOperation& operation, const spi::LoopNest& nest,
          std::vector<int64_t>* moved, size_t depth = 0, int64_t from = 0, int64_t to = 0) {
  if (depth < nest.loops.size()) {
    const spi::LoopDim& dim = nest.loops[depth];
    for (int64_t i = 0; i < dim.extent; ++i) {
      List(operation, nest, moved, depth + 1, from + i * dim.src_stride, to + i * dim.dst_stride);
    }
    return;
  }
  moved->push_back(ElementAt(operation.dst, nest.dst_offset + to));
  ASSERT_EQ(ElementAt(operation.src, nest.src_offset + from), moved->back());
}

TEST(Move, WalksBlocksWhoseCommonMultipleExceeds64Bits) {
  // Its low 64 bits are 26: a pattern of 26 would read index 27 from a wrong place.
  const int64_t first = 4281516813, second = 4308460034;
  for (const int64_t extent : {int64_t{60}, 3 * first, 5 * second + 17}) {
    const spi::ReorderOperation operation =
        Between(InBlocks(extent, first, 2 * first), InBlocks(extent, second, 2 * second));
    const auto move = MoveOfReorder(operation);
    ASSERT_TRUE(move.ok()) << move.status();
    EXPECT_LE(move->nests.size(), 20u);
    ExpectWalks(operation, *move);
  }
}

TEST(Move, WalksLongAxesInFewNests) {
  const int64_t extent = int64_t{1} << 33;
  struct Case {
    int64_t from, to;
    size_t most;
  };
  for (const auto& [from, to, most] :
       {Case{0, 8, 1}, Case{8, 12, 8}, Case{1000, 999, 3100}, Case{2, 2147483647, 30},
        Case{2147483647, 2, 30}, Case{2147483647, 2147483629, 30}}) {
    const spi::ReorderOperation operation =
        Between(InBlocks(extent, from, from == 0 ? 1 : 2 * from), InBlocks(extent, to, 3 * to));
    const auto move = MoveOfReorder(operation);
    ASSERT_TRUE(move.ok()) << move.status();
    EXPECT_LE(move->nests.size(), most) << from << " to " << to;
    ExpectWalks(operation, *move);
  }
}

TEST(Move, WalksEveryPairOfBlocks) {
  for (int64_t from = 1; from < 14; ++from) {
    for (int64_t to = 1; to < 14; ++to) {
      for (const int64_t extent : {1, 7, 40, 169, 400}) {
        const spi::ReorderOperation operation =
            Between(InBlocks(extent, from, 2 * from), InBlocks(extent, to, to + 1));
        const auto move = MoveOfReorder(operation);
        ASSERT_TRUE(move.ok()) << move.status();
        std::vector<int64_t> moved;
        for (const spi::LoopNest& nest : move->nests) List(operation, nest, &moved);
        ASSERT_EQ(moved.size(), static_cast<size_t>(extent)) << from << " to " << to;
        std::sort(moved.begin(), moved.end());
        for (int64_t i = 0; i < extent; ++i) ASSERT_EQ(moved[static_cast<size_t>(i)], i);
      }
    }
  }
}

TEST(Move, RefusesMorePiecesThanItCouldDispatch) {
  const int64_t extent = int64_t{1} << 33;
  const spi::ReorderOperation operation =
      Between(InBlocks(extent, 92681, 92682), InBlocks(extent, 92682, 92683));
  const absl::Status status = MoveOfReorder(operation).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_NE(status.message().find("s8 8589934592 s92682 b92681@0"), std::string::npos) << status;
}

TEST(Move, ShufflesLongBlockedAxesInFewNests) {
  spi::ShuffleOperation shuffle;
  shuffle.axis = 0;
  struct Case {
    int64_t extent, block, group;
    size_t most;
  };
  for (const auto& [extent, block, group, most] :
       {Case{int64_t{1} << 33, 8, 32768, 64}, Case{1000000, 7, 1000, 170},
        Case{1000000, 16, 8, 256}}) {
    shuffle.from = shuffle.to = InBlocks(extent, block, 2 * block);
    shuffle.group_size = group;
    const auto move = MoveOfShuffle(shuffle);
    ASSERT_TRUE(move.ok()) << move.status();
    EXPECT_LE(move->nests.size(), most) << extent;
    int64_t count = 0;
    for (const spi::LoopNest& nest : move->nests) {
      int64_t elements = 1;
      for (const spi::LoopDim& dim : nest.loops) elements *= dim.extent;
      count += elements;
      const int64_t rows = extent / group;
      const int64_t u = ElementAt(shuffle.to, nest.dst_offset);
      ASSERT_EQ(ElementAt(shuffle.from, nest.src_offset), u % rows * group + u / rows);
    }
    EXPECT_EQ(count, extent);
  }
}

}  // namespace
}  // namespace impl_vulkan
