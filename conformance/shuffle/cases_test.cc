#include "conformance/shuffle/cases.h"

#include <map>
#include <set>

#include "gtest/gtest.h"

namespace conformance {
namespace {

template <class C>
std::string Print(const C& c) {
  Fields fields;
  c.Print(&fields);
  return fields.ToString();
}

TEST(ShuffleCase, IsParsedAsItIsPrinted) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    ShuffleLimits limits;
    limits.all_layouts = i % 2 == 0;
    const std::string line = Print(AnyShuffleCase(random, limits));
    const Fields fields = Fields::Parse(line);
    EXPECT_EQ(Print(ShuffleCase::Parse(fields)), line);
    EXPECT_EQ(fields.error(), "") << line;
  }
}

TEST(ShuffleCase, ReachesEveryClass) {
  Random random(1);
  std::map<std::string, int> seen;
  ShuffleLimits limits;
  limits.all_layouts = true;
  for (int i = 0; i < 5000; ++i) {
    const ShuffleCase c = AnyShuffleCase(random, limits);
    for (const std::string& name : ClassesOf(c.data)) ++seen[name];
    if (c.group == 1) ++seen["group 1"];
    if (c.group == c.size()) ++seen["group C"];
    if (c.group > 1 && c.group < c.size()) ++seen["moves"];
    if (c.axis == c.data.rank() - 1) ++seen["last axis"];
    EXPECT_EQ(c.size() % c.group, 0);
  }
  for (const char* name : {"rank 1", "rank 12", "f16", "u8", "gapped", "region", "tag", "group 1",
                           "group C", "last axis"})
    EXPECT_GT(seen[name], 50) << name;
  EXPECT_GT(seen["moves"], 2500);
}

TEST(ShuffleCase, FitsWhatItWasDrawnFromAndNoOtherTypeOrDirection) {
  Random random(1);
  ShuffleLimits limits;
  limits.min_rank = 2;
  limits.backward = limits.empty = true;
  limits.types = {spec::Type::kBF16};
  const Cases<ShuffleCase> cases = AnyShuffle(limits);
  for (int i = 0; i < 1000; ++i) {
    ShuffleCase c = cases.at(i, random);
    EXPECT_TRUE(cases.contains(c)) << Print(c);
    c.forward = true;
    EXPECT_FALSE(cases.contains(c));
    c.forward = false;
    c.data.type = spec::Type::kF32;
    EXPECT_FALSE(cases.contains(c));
  }
}

TEST(ShuffleCase, IsDenseUnlessAllLayoutsAreAskedFor) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const ShuffleCase c = AnyShuffleCase(random, {});
    EXPECT_EQ(spec::ExtentOf(PlainOf(c.data)), spec::ElementCount(c.data.dims)) << Print(c);
  }
}

TEST(ShuffleCase, IsEmptyBesideTheAxisWhenAsked) {
  Random random(1);
  ShuffleLimits limits;
  limits.min_rank = 2;
  limits.empty = true;
  for (int i = 0; i < 1000; ++i) {
    const ShuffleCase c = AnyShuffleCase(random, limits);
    EXPECT_TRUE(spec::IsEmpty(c.data.dims));
    EXPECT_GT(c.size(), 0);
  }
}

TEST(ShuffleCase, RefusesWhatMeansNothing) {
  const std::string good = "dir=fwd src=f32:2x6:ab axis=1 group=3 values=bits seed=7";
  const Fields accepted = Fields::Parse(good);
  ShuffleCase::Parse(accepted);
  EXPECT_EQ(accepted.error(), "");
  for (const char* bad : {"dir=up src=f32:2x6:ab axis=1 group=3 values=bits seed=7",
                          "dir=fwd src=f32:2x6:ab axis=2 group=3 values=bits seed=7",
                          "dir=fwd src=f32:2x6:ab axis=1 group=4 values=bits seed=7",
                          "dir=fwd src=f32:2x6:ab axis=1 group=0 values=bits seed=7",
                          "dir=fwd src=f32:2x6:ab axis=1 group=3 values=odd seed=7",
                          "dir=fwd src=f32:2x6:ab axis=1 group=3 values=bits from=up seed=7",
                          "dir=fwd axis=1 group=3 values=bits seed=7"}) {
    const Fields fields = Fields::Parse(bad);
    ShuffleCase::Parse(fields);
    EXPECT_NE(fields.error(), "") << bad;
  }
}

TEST(ShuffleCase, ShrinksToLegalCasesAndEnds) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    ShuffleLimits limits;
    limits.all_layouts = true;
    ShuffleCase c = AnyShuffleCase(random, limits);
    int steps = 0;
    for (auto simpler = c.Simpler(); !simpler.empty(); simpler = c.Simpler()) {
      for (const ShuffleCase& candidate : simpler) {
        const Fields fields = Fields::Parse(Print(candidate));
        ShuffleCase::Parse(fields);
        ASSERT_EQ(fields.error(), "") << Print(candidate);
      }
      c = simpler[random.Between(0, static_cast<int64_t>(simpler.size()) - 1)];
      ASSERT_LT(++steps, 500) << Print(c);
    }
    EXPECT_EQ(Print(c), c.forward ? "dir=fwd src=f32:1:a axis=0 group=1 values=index seed=0"
                                  : "dir=bwd src=f32:1:a axis=0 group=1 values=index seed=0");
  }
}

TEST(WrongAxis, IsNeverAnAxis) {
  Random random(1);
  const Cases<ShuffleParameters> cases = WrongAxis();
  std::set<bool> negative;
  for (int i = 0; i < 1000; ++i) {
    const ShuffleParameters c = cases.at(i, random);
    EXPECT_TRUE(c.axis < 0 || c.axis >= c.data.rank()) << Print(c);
    negative.insert(c.axis < 0);
  }
  EXPECT_EQ(negative.size(), 2u);
}

TEST(WrongGroup, NeverDividesTheAxis) {
  Random random(1);
  const Cases<ShuffleParameters> cases = WrongGroup();
  for (int i = 0; i < 2000; ++i) {
    const ShuffleParameters c = cases.at(i, random);
    EXPECT_TRUE(c.group < 1 || c.data.dims[c.axis] % c.group != 0) << Print(c);
    const Fields fields = Fields::Parse(Print(c));
    EXPECT_EQ(Print(ShuffleParameters::Parse(fields)), Print(c));
    EXPECT_EQ(fields.error(), "");
  }
}

}  // namespace
}  // namespace conformance
