#include "impl_cpu/threads/processors.h"

#include <gtest/gtest.h>

#include <climits>

namespace impl_cpu {
namespace {

TEST(ThreadLimit, IsAPositiveInteger) {
  EXPECT_EQ(ParseThreadLimit("1"), 1);
  EXPECT_EQ(ParseThreadLimit("16"), 16);
}

TEST(ThreadLimit, OfAnythingElseIsNone) {
  for (const char* text : {static_cast<const char*>(nullptr), "", "0", "-2", "two", "3x", "1.5"})
    EXPECT_EQ(ParseThreadLimit(text), INT_MAX);
}

}  // namespace
}  // namespace impl_cpu
