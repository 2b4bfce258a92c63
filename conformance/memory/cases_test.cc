#include "conformance/memory/cases.h"

#include <algorithm>
#include <climits>
#include <set>
#include <string>

#include "conformance/case/fields.h"
#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/reshape_cases.h"
#include "conformance/memory/tensor_cases.h"
#include "gtest/gtest.h"
#include "spec/memory/oracle.h"

namespace conformance {
namespace {

template <class C>
std::string Line(const C& c) {
  Fields fields;
  c.Print(&fields);
  return fields.ToString();
}

// Draws cases, and looks whether their lines come back and each simpler one has another line.
template <class C>
void ExpectLinesSurvive(const Cases<C>& cases) {
  for (int64_t index = 0; index < 300; ++index) {
    Random random(Mix(static_cast<uint64_t>(index)));
    const C c = cases.at(index, random);
    const std::string line = Line(c);
    const Fields fields = Fields::Parse(line);
    const C parsed = C::Parse(fields);
    ASSERT_EQ(fields.error(), "") << line;
    ASSERT_EQ(Line(parsed), line);
    for (const C& simpler : c.Simpler()) {
      const Fields again = Fields::Parse(Line(simpler));
      C::Parse(again);
      ASSERT_EQ(again.error(), "") << Line(simpler);
      ASSERT_NE(Line(simpler), line);
    }
  }
}

DescriptorOptions Everything() {
  DescriptorOptions options;
  options.empty = options.broadcast = options.loose_ones = true;
  options.regions = 3;
  return options;
}

TEST(Lines, OfEveryKindOfCaseComeBack) {
  ExpectLinesSurvive(DescriptorCases(Everything()));
  ExpectLinesSurvive(AnyTag(/*empty=*/true));
  ExpectLinesSurvive(WordlessTag("any", 12));
  ExpectLinesSurvive(WordlessTag("any", 12, /*empty=*/true));
  ExpectLinesSurvive(LongTags());
  ExpectLinesSurvive(AnyReshape());
  ExpectLinesSurvive(OtherProduct());
  ExpectLinesSurvive(Chains());
  ExpectLinesSurvive(Tensors(Everything()));
  ExpectLinesSurvive(BroadTensors());
  ExpectLinesSurvive(FarRegions());
  ExpectLinesSurvive(FarTensors());
  ExpectLinesSurvive(Parts());
  ExpectLinesSurvive(ConvertedParts());
}

TEST(Lines, KeepEmptyAndExtremeVectors) {
  const DescriptorCase view{spec::Type::kS8, {2}, {}, {{{}, {INT64_MAX}}, {{INT64_MIN}, {}}}};
  EXPECT_EQ(Line(view),
            "type=s8 dims=2 strides=- regions=@9223372036854775807;"
            "-9223372036854775808@");
  const DescriptorCase parsed = DescriptorCase::Parse(Fields::Parse(Line(view)));
  EXPECT_EQ(Line(parsed), Line(view));
  const ReshapeCase reshape{{spec::Type::kF32, {1}, {1}, {}}, {{}, {1, 1}}};
  EXPECT_EQ(Line(ReshapeCase::Parse(Fields::Parse(Line(reshape)))), Line(reshape));
}

TEST(Lines, ThatMeanNothingAreRejected) {
  for (const char* text :
       {"type=f33 dims=1 strides=1 regions=-", "type=f32 dims=1 strides=1 regions=1",
        "type=f32 dims=1 strides=1 regions=1@x", "type=f32 dims=1 strides=1",
        "type=f32 dims=1 strides=1 regions=- more=1"}) {
    const Fields fields = Fields::Parse(text);
    DescriptorCase::Parse(fields);
    EXPECT_NE(fields.error(), "") << text;
  }
}

TEST(DescriptorCases, AreNeverOnesThatMustBeRefused) {
  for (int64_t index = 0; index < 2000; ++index) {
    Random random(Mix(static_cast<uint64_t>(index)));
    const DescriptorCase view = DrawDescriptor(index, random, Everything());
    ASSERT_TRUE(view.IsWellFormed()) << Line(view);
    ASSERT_NE(view.Verdict(Profile::kPortable), spec::Validity::kMustReject) << Line(view);
    ASSERT_NE(view.Verdict(Profile::kProject), spec::Validity::kMustReject) << Line(view);
  }
}

TEST(DescriptorCases, WithoutLibertiesAreOnesThatMustBeAccepted) {
  for (int64_t index = 0; index < 2000; ++index) {
    Random random(Mix(static_cast<uint64_t>(index)));
    const DescriptorCase view = DrawDescriptor(index, random, {});
    ASSERT_EQ(view.Verdict(Profile::kPortable), spec::Validity::kMustAccept) << Line(view);
  }
}

TEST(DescriptorCases, GoThroughAllClassesWithinTwoHundred) {
  std::set<std::string> seen;
  for (int64_t index = 0; index < 200; ++index) {
    Random random(Mix(static_cast<uint64_t>(index)));
    Trial trial(Profile::kPortable, EngineChoice::kCpu);
    SeeLayout(DrawDescriptor(index, random, Everything()), trial);
    seen.insert(trial.classes().begin(), trial.classes().end());
  }
  for (const char* name :
       {"rank 1",   "rank 2", "rank 3",    "rank 4",  "rank 5",  "rank 6",       "rank 7",
        "rank 8",   "rank 9", "rank 10",   "rank 11", "rank 12", "dense",        "gapped",
        "permuted", "ones",   "broadcast", "empty",   "region",  "nested region"}) {
    EXPECT_EQ(seen.count(name), 1u) << name;
  }
}

TEST(Regions, LieInTheirParent) {
  const spec::Dims parent{4, 1, 7};
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const bool empty = seed % 2 == 1;
    const Region region = DrawRegion(random, parent, empty);
    const DescriptorCase view{spec::Type::kF32, parent, RowMajorStrides(parent), {region}};
    ASSERT_TRUE(view.IsWellFormed()) << Line(view);
    ASSERT_EQ(spec::IsEmpty(region.dims), empty) << Line(view);
  }
}

TEST(NearestAcceptable, IsAcceptable) {
  for (int64_t index = 0; index < 2000; ++index) {
    Random random(Mix(static_cast<uint64_t>(index)));
    DescriptorCase view = DrawDescriptor(index, random, {});
    for (int64_t& stride : view.strides) stride = random.Between(-3, 40);
    view.strides.resize(view.strides.size() + random.Between(-1, 1), 5);
    view.strides = NearestAcceptable(view.dims, view.strides);
    ASSERT_EQ(view.Verdict(Profile::kPortable), spec::Validity::kMustAccept) << Line(view);
  }
}

TEST(NearestAcceptable, LeavesAcceptableStridesAlone) {
  EXPECT_EQ(NearestAcceptable({2, 3}, {4, 1}), spec::Dims({4, 1}));
  EXPECT_EQ(NearestAcceptable({2, 3}, {1, 2}), spec::Dims({1, 2}));
  EXPECT_EQ(NearestAcceptable({1, 3}, {1, 1}), spec::Dims({1, 1}));
}

TEST(NearestAcceptable, RaisesWhatIsTooSmall) {
  EXPECT_EQ(NearestAcceptable({2, 3}, {2, 1}), spec::Dims({3, 1}));
  EXPECT_EQ(NearestAcceptable({2, 2}, {2, 3}), spec::Dims({2, 4}));
}

TEST(Product, IsNoneBeyond63Bits) {
  EXPECT_EQ(ProductOrOverflow({}), 1);
  EXPECT_EQ(ProductOrOverflow({INT64_MAX, 0, INT64_MAX}), 0);
  EXPECT_EQ(ProductOrOverflow({INT64_MAX, 1}), INT64_MAX);
  EXPECT_EQ(ProductOrOverflow({int64_t{1} << 32, int64_t{1} << 31}), std::nullopt);
}

TEST(OnesAdded, ComparesPlaceByPlace) {
  EXPECT_TRUE(OnesAdded({2, 3}, {2, 1, 3}));
  EXPECT_TRUE(OnesAdded({2, 1, 3}, {1, 2, 1, 3, 1}));
  EXPECT_FALSE(OnesAdded({2, 3}, {2, 3}));
  EXPECT_FALSE(OnesAdded({2, 1, 3}, {1, 2, 3, 1}));
  EXPECT_FALSE(OnesAdded({2, 3}, {3, 1, 2}));
}

TEST(Refinement, IsSplittingInOrder) {
  EXPECT_TRUE(IsRefinement({4, 6}, {2, 2, 6}));
  EXPECT_TRUE(IsRefinement({4, 6}, {4, 6}));
  EXPECT_FALSE(IsRefinement({4, 6}, {8, 3}));
  EXPECT_FALSE(IsRefinement({4, 6}, {24}));
}

TEST(JoinedGroups, NameTheAxesThatMeet) {
  const auto groups = JoinedGroups({2, 3, 4}, {6, 4});
  ASSERT_TRUE(groups.has_value());
  ASSERT_EQ(groups->size(), 2u);
  EXPECT_EQ((*groups)[0].first, 0u);
  EXPECT_EQ((*groups)[0].end, 2u);
  EXPECT_EQ((*groups)[1].first, 2u);
  EXPECT_EQ((*groups)[1].end, 3u);
  EXPECT_FALSE(JoinedGroups({2, 3, 4}, {4, 6}).has_value());
  EXPECT_FALSE(JoinedGroups({6}, {2, 3}).has_value());
  EXPECT_TRUE(JoinedGroups({2, 3, 1}, {6}).has_value());
}

TEST(JoinsAcrossOnes, LooksOnlyBetweenDimsThatMeet) {
  EXPECT_TRUE(JoinsAcrossOnes({2, 1, 3}, {6}));
  EXPECT_TRUE(JoinsAcrossOnes({4, 1, 3}, {2, 6}));
  EXPECT_FALSE(JoinsAcrossOnes({2, 1, 3}, {2, 3}));
  EXPECT_FALSE(JoinsAcrossOnes({1, 2, 3, 1}, {6}));
}

}  // namespace
}  // namespace conformance
