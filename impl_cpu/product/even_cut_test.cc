#include "impl_cpu/product/even_cut.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace impl_cpu {
namespace {

void ExpectCut(const Cut& cut, int64_t pieces, int64_t ranges) {
  EXPECT_EQ(cut.pieces, pieces);
  EXPECT_EQ(cut.ranges, ranges);
}

TEST(EvenCut, OfOneThreadIsTheLeast) { ExpectCut(EvenCut(100, 3, 1, 8, 1, 1), 3, 1); }

TEST(EvenCut, GivesEachThreadAsMany) {
  // 11 would be 6 and 5.
  ExpectCut(EvenCut(3136, 11, 1, 8, 8, 2), 12, 1);
  // 4 pieces of 7 rows would be one row more for half of the threads.
  ExpectCut(EvenCut(7, 1, 1, 16, 8, 2), 1, 8);
  // 3 pieces by 3 ranges would be 5 and 4, and one range longer than others.
  ExpectCut(EvenCut(196, 3, 1, 8, 8, 2), 4, 2);
}

TEST(EvenCut, LeavesManyTasksAndWhatCannotBeCut) {
  ExpectCut(EvenCut(3136, 33, 1, 1, 8, 2), 33, 1);
  ExpectCut(EvenCut(1, 1, 1, 1, 8, 2), 1, 1);
  ExpectCut(EvenCut(1, 1, 3, 1, 8, 2), 1, 1);
}

}  // namespace
}  // namespace impl_cpu
