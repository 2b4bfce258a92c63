#include "conformance/case/asked.h"

#include <gtest/gtest.h>

namespace conformance {
namespace {

TEST(Asked, IsASentenceForPeople) {
  EXPECT_EQ((Asked{"reorder", "", {"f16", "s8"}, 3, {"scale", "sum"}}).ToString(),
            "reorder f16 -> s8 with scale, sum");
  EXPECT_EQ((Asked{"shuffle", "forward", {"f16"}, 7, {}}).ToString(),
            "shuffle forward f16, rank 7 and more");
  EXPECT_EQ((Asked{"reorder", "", {}, 0, {"zero points"}}).Request(), "with zero points");
  EXPECT_EQ((Asked{"reorder", "", {}, 0, {}}).ToString(), "reorder");
}

TEST(Asked, SurvivesAsAKey) {
  for (const Asked& asked : {Asked{"reorder", "", {"f16", "s8"}, 9, {"scale", "sum"}},
                             Asked{"shuffle", "backward", {"u8"}, 2, {}}, Asked{}}) {
    const Asked again = Asked::Parse(asked.Key());
    EXPECT_EQ(again.ToString(), asked.ToString());
    EXPECT_EQ(again.Key(), asked.Key());
    EXPECT_EQ(again.types, asked.types);
    EXPECT_EQ(again.features, asked.features);
  }
}

TEST(Asked, DiffersInWhatIsPromisedOnly) {
  const Asked low{"reorder", "", {"f16", "s8"}, 2, {}};
  Asked other = low;
  other.rank = kPromisedRank;
  EXPECT_FALSE(low < other || other < low);
  other.rank = kPromisedRank + 1;
  EXPECT_TRUE(low < other || other < low);
}

TEST(Asked, OfStrayBytesIsHarmless) {
  for (const char* bytes : {"", "|", "a", "||||||", ";|;|;|;|;", "a|b|c;;d|high|"})
    EXPECT_EQ(Asked::Parse(Asked::Parse(bytes).Key()).Key(), Asked::Parse(bytes).Key()) << bytes;
}

}  // namespace
}  // namespace conformance
