#include "impl_vulkan/device/ranges.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace impl_vulkan {
namespace {

TEST(Ranges, GivesTheWholeBlockAndThenNothing) {
  Ranges ranges(100);
  EXPECT_EQ(ranges.Take(101), std::nullopt);
  EXPECT_EQ(ranges.Take(100), 0u);
  EXPECT_EQ(ranges.Take(1), std::nullopt);
}

TEST(Ranges, JoinsNeighboursWhicheverWayTheyComeBack) {
  Ranges ranges(30);
  for (uint64_t i = 0; i < 3; ++i) ASSERT_EQ(ranges.Take(10), 10 * i);
  ranges.Give(0);
  ranges.Give(20);
  EXPECT_EQ(ranges.Take(11), std::nullopt);
  ranges.Give(10);
  EXPECT_TRUE(ranges.untouched());
  EXPECT_EQ(ranges.Take(30), 0u);
}

RC_GTEST_PROP(Ranges, NeverOverlapsAndLosesNothing, ()) {
  const uint64_t size = *rc::gen::inRange<uint64_t>(1, 200);
  Ranges ranges(size);
  std::vector<bool> used(size);
  std::vector<std::pair<uint64_t, uint64_t>> taken;
  for (const unsigned step : *rc::gen::arbitrary<std::vector<unsigned>>()) {
    if (step % 3 != 0 || taken.empty()) {
      const uint64_t wanted = 1 + step / 3 % size;
      const std::optional<uint64_t> offset = ranges.Take(wanted);
      if (!offset) {
        uint64_t longest = 0, length = 0;
        for (const bool u : used) {
          length = u ? 0 : length + 1;
          longest = std::max(longest, length);
        }
        RC_ASSERT(longest < wanted);
        continue;
      }
      RC_ASSERT(*offset + wanted <= size);
      for (uint64_t i = *offset; i < *offset + wanted; ++i) {
        RC_ASSERT(!used[i]);
        used[i] = true;
      }
      taken.emplace_back(*offset, wanted);
    } else {
      const size_t index = step / 3 % taken.size();
      const auto [offset, length] = taken[index];
      taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(index));
      for (uint64_t i = offset; i < offset + length; ++i) used[i] = false;
      ranges.Give(offset);
    }
  }
  for (const auto& range : taken) ranges.Give(range.first);
  RC_ASSERT(ranges.untouched());
  RC_ASSERT(ranges.Take(size) == std::optional<uint64_t>(0));
}

}  // namespace
}  // namespace impl_vulkan
