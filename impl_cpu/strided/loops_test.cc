#include "impl_cpu/strided/loops.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace impl_cpu {
namespace {

ChunkedLoop Of(int64_t extent) { return Whole({extent, 4, 4, 0}); }

TEST(CutLong, LeavesNoShortChunk) {
  ChunkedLoop loop = Of(100);
  CutLong(loop, 100, 16);
  EXPECT_EQ(loop.chunks, 1);
  CutLong(loop, 40, 16);
  EXPECT_EQ(loop.chunk, 32);
  EXPECT_EQ(loop.chunks, 3);
  EXPECT_EQ(loop.size(0), 32);
  EXPECT_EQ(loop.size(2), 36);
}

TEST(CutEven, MakesChunksOfNearlyTheSameLength) {
  ChunkedLoop loop = Of(100);
  CutEven(loop, 64, 16);
  EXPECT_EQ(loop.chunk, 64);
  EXPECT_EQ(loop.chunks, 2);
  EXPECT_EQ(loop.size(1), 36);
  loop = Of(129);
  CutEven(loop, 64, 1);
  EXPECT_EQ(loop.chunk, 43);
  EXPECT_EQ(loop.chunks, 3);
}

TEST(Extend, JoinsTheLoopThatGoesOnInTheSource) {
  // The 9 taps of 64 input channels of oihw, which hwio has far apart.
  Loops loops = {{64, 36, 256, 0}, {5, 1 << 20, 4, 0}};
  ChunkedLoop taps = Whole({9, 4, 1 << 14, 0});
  Extend(taps, loops, true);
  EXPECT_EQ(taps.extent, 9 * 64);
  EXPECT_EQ(taps.inner, 9);
  EXPECT_EQ(taps.outer, 256);
  EXPECT_EQ(loops.size(), 1u);
  // Chunks end where the inner loop does, and step over whole ones.
  CutEven(taps, 64, 16);
  EXPECT_EQ(taps.chunk, 63);
  EXPECT_EQ(taps.src_step(), taps.chunk * 4);
  EXPECT_EQ(taps.dst_step(), taps.chunk / 9 * 256);
}

TEST(Extend, LeavesAloneWhatCoversALineOrHasGaps) {
  Loops loops = {{64, 64, 256, 0}, {64, 40, 256, 0}};
  ChunkedLoop line = Whole({16, 4, 1 << 14, 0}), gap = Whole({9, 4, 1 << 14, 0});
  Extend(line, loops, true);
  Extend(gap, loops, true);
  EXPECT_EQ(line.extent, 16);
  EXPECT_EQ(gap.extent, 9);
  EXPECT_EQ(loops.size(), 2u);
}

TEST(Take, GivesALoopOfOneStepWhereThereIsNone) {
  Loops loops;
  EXPECT_EQ(TakeLast(loops).extent, 1);
  EXPECT_EQ(TakeNearestInSource(loops).extent, 1);
  EXPECT_EQ(Take(loops, FindSourceUnit(loops, 4)).extent, 1);
}

}  // namespace
}  // namespace impl_cpu
