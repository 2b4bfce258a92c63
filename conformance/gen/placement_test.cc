#include "conformance/gen/placement.h"

#include <map>

#include "gtest/gtest.h"

namespace conformance {
namespace {

TEST(Placement, IsParsedAsItIsPrinted) {
  for (const char* text : {"mid", "mid+1", "mid+63", "start", "end", "tight"}) {
    const auto placement = ParsePlacement(text);
    ASSERT_TRUE(placement) << text;
    EXPECT_EQ(ToString(*placement), text);
  }
}

TEST(ParsePlacement, RefusesOtherText) {
  for (const char* text : {"", "middle", "mid+", "mid+0", "mid+64", "mid-1", "mid+1,2", "end+1"})
    EXPECT_FALSE(ParsePlacement(text)) << text;
}

TEST(AnyPlacement, ReachesEveryKind) {
  Random random(1);
  std::map<std::string, int> seen;
  for (int i = 0; i < 10000; ++i) ++seen[ToString(AnyPlacement(random))];
  for (const char* text : {"mid", "mid+1", "mid+7", "mid+15", "start", "end"})
    EXPECT_GT(seen[text], 50) << text;
}

}  // namespace
}  // namespace conformance
