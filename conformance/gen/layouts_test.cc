#include "conformance/gen/layouts.h"

#include <algorithm>
#include <map>

#include "gtest/gtest.h"

namespace conformance {
namespace {

constexpr int kDraws = 20000;

struct Drawn {
  spec::Dims dims;
  LayoutSpec layout;
  spec::Plain plain;
};

std::vector<Drawn> Layouts(const LayoutLimits& limits = {}) {
  Random random(1);
  std::vector<Drawn> drawn;
  for (int i = 0; i < kDraws; ++i) {
    Drawn d;
    d.dims = AnyShape(random);
    d.layout = AnyLayout(random, d.dims, limits);
    const auto plain = Resolve(d.layout, d.dims);
    EXPECT_TRUE(plain) << ToString(d.layout);
    if (plain) d.plain = *plain;
    drawn.push_back(std::move(d));
  }
  return drawn;
}

spec::Validity Judge(const Drawn& d) {
  const spec::Dims& base = d.layout.is_region() ? d.layout.parents.back().dims : d.dims;
  if (!d.layout.tag.empty()) return spec::Validity::kMustAccept;
  return spec::JudgeStrides(base, d.layout.strides).portable;
}

TEST(AnyLayout, SatisfiesTheInequality) {
  LayoutLimits limits;
  limits.odd_unit_strides = false;
  for (const Drawn& d : Layouts(limits)) {
    if (spec::IsEmpty(d.dims)) continue;
    EXPECT_EQ(Judge(d), spec::Validity::kMustAccept)
        << Join(d.dims, 'x') << " " << ToString(d.layout);
  }
}

TEST(AnyLayout, IsNeverOneThatMustBeRejected) {
  LayoutLimits limits;
  limits.zero_strides = true;
  for (const Drawn& d : Layouts(limits))
    EXPECT_NE(Judge(d), spec::Validity::kMustReject)
        << Join(d.dims, 'x') << " " << ToString(d.layout);
}

TEST(AnyLayout, IsBounded) {
  for (const Drawn& d : Layouts()) {
    int64_t count = 1;
    for (int64_t extent : d.dims) count *= std::max<int64_t>(1, extent);
    EXPECT_LE(spec::ExtentOf(d.plain), 8 * std::max<int64_t>(77 * 12, 16 * count) + 77 * 12)
        << Join(d.dims, 'x') << " " << ToString(d.layout);
  }
}

TEST(AnyLayout, ReachesEveryKind) {
  std::map<std::string, int> seen;
  for (const Drawn& d : Layouts()) {
    ++seen[d.layout.tag.empty() ? "strides" : "tag"];
    if (d.layout.is_region()) ++seen["region"];
    if (d.layout.parents.size() == 3) ++seen["region of a region of a region"];
    if (d.plain.offset > 0) ++seen["start"];
    if (spec::ExtentOf(d.plain) - d.plain.offset > spec::ElementCount(d.dims)) ++seen["gaps"];
    if (Judge(d) == spec::Validity::kEither && !spec::IsEmpty(d.dims)) ++seen["odd"];
    if (!d.plain.strides.empty() && d.plain.strides.back() > 1) ++seen["last axis not innermost"];
  }
  for (const char* kind : {"strides", "tag", "region", "region of a region of a region", "start",
                           "gaps", "odd", "last axis not innermost"})
    EXPECT_GT(seen[kind], kDraws / 200) << kind;
}

TEST(AnyLayout, ReachesEveryTagOfTheSeedPage) {
  std::map<std::string, int> seen;
  for (const Drawn& d : Layouts()) ++seen[d.layout.tag];
  for (const spec::Tag& tag : spec::SeedTags()) EXPECT_GT(seen[tag.name], 0) << tag.name;
}

TEST(AnyLayout, HasZeroStridesOnlyWhenAsked) {
  const auto zero = [](const Drawn& d) {
    return std::count(d.plain.strides.begin(), d.plain.strides.end(), 0) > 0;
  };
  const std::vector<Drawn> without = Layouts();
  EXPECT_EQ(std::count_if(without.begin(), without.end(), zero), 0);
  LayoutLimits limits;
  limits.zero_strides = true;
  const std::vector<Drawn> with = Layouts(limits);
  EXPECT_GT(std::count_if(with.begin(), with.end(), zero), kDraws / 10);
}

TEST(AnyTransposition, OrdersTheInnermostAxesDifferently) {
  Random random(1);
  int different = 0, gapped = 0;
  for (int i = 0; i < 5000; ++i) {
    spec::Dims dims = AnyShape(random, {2, 12, 512, /*may_be_empty=*/false});
    const bool blocks = i % 2 == 0;
    const auto [first, second] = AnyTransposition(random, &dims, true, blocks);
    if (blocks) {
      EXPECT_GE(spec::ElementCount(dims), 64);
      EXPECT_LE(spec::ElementCount(dims), 16 * 32 * 32);
    }
    for (const LayoutSpec& layout : {first, second})
      EXPECT_EQ(spec::JudgeStrides(dims, layout.strides).portable, spec::Validity::kMustAccept)
          << Join(dims, 'x') << " " << ToString(layout);
    const spec::Plain a = *Resolve(first, dims), b = *Resolve(second, dims);
    EXPECT_EQ(spec::ExtentOf(a), spec::ExtentOf(b));
    EXPECT_LE(spec::ExtentOf(a), 64 * spec::ElementCount(dims));
    different += !spec::SameLayout(a, b);
    gapped += spec::ExtentOf(a) > spec::ElementCount(dims);
  }
  EXPECT_GT(different, 1500);
  EXPECT_GT(gapped, 1000);
}

TEST(Layout, IsParsedAsItIsPrinted) {
  for (const Drawn& d : Layouts()) {
    const std::string text = ToString(d.layout);
    const auto parsed = ParseLayout(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(ToString(*parsed), text);
    const auto plain = Resolve(*parsed, d.dims);
    ASSERT_TRUE(plain) << text;
    EXPECT_EQ(plain->strides, d.plain.strides) << text;
    EXPECT_EQ(plain->offset, d.plain.offset) << text;
  }
}

TEST(Layout, MeansWhatItsTextSays) {
  const auto plain = Resolve(*ParseLayout("sub(4x5x6:s30,6,1@1,0,2)"), {2, 3, 4});
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->strides, (spec::Dims{30, 6, 1}));
  EXPECT_EQ(plain->offset, 32);
  const auto nested = Resolve(*ParseLayout("sub(4x5x6:sub(8x5x6:abc@2,0,0)@1,0,2)"), {2, 3, 4});
  ASSERT_TRUE(nested);
  EXPECT_EQ(nested->offset, 3 * 30 + 2);
  const auto nhwc = Resolve(*ParseLayout("nhwc"), {2, 3, 4, 5});
  ASSERT_TRUE(nhwc);
  EXPECT_EQ(nhwc->strides, (spec::Dims{60, 1, 15, 3}));
}

TEST(Layout, IsRefusedWhenItDoesNotFitTheDims) {
  EXPECT_TRUE(Resolve(*ParseLayout("nchw"), {2, 3, 4, 5}));
  EXPECT_FALSE(Resolve(*ParseLayout("nchw"), {2, 3, 4}));
  EXPECT_TRUE(Resolve(*ParseLayout("s3,1"), {2, 3}));
  EXPECT_FALSE(Resolve(*ParseLayout("s3,1"), {2, 3, 4}));
  EXPECT_TRUE(Resolve(*ParseLayout("sub(4:a@1)"), {3}));
  EXPECT_FALSE(Resolve(*ParseLayout("sub(4:a@2)"), {3}));
  EXPECT_FALSE(Resolve(*ParseLayout("sub(4:a@-1)"), {3}));
  EXPECT_FALSE(Resolve(*ParseLayout("sub(4x4:ab@1,0)"), {3}));
}

TEST(ParseLayout, RefusesOtherText) {
  for (const char* text : {"", "s", "nchwx", "any", "sub(", "sub()", "sub(4:a)", "sub(4:a@)",
                           "sub(:a@1)", "sub(4:@1)", "s1,", "sub(4:a@1", "sub(4:a@1))"})
    EXPECT_FALSE(ParseLayout(text)) << text;
}

TEST(CutLayout, FitsTheSmallerDims) {
  for (const Drawn& d : Layouts()) {
    for (const Cut& cut : Cuts(d.dims)) {
      const LayoutSpec layout = CutLayout(d.layout, d.dims, cut);
      EXPECT_TRUE(Resolve(layout, CutDims(d.dims, cut))) << ToString(layout);
    }
  }
}

TEST(PlainerLayouts, FitTheDimsAndEnd) {
  for (const Drawn& d : Layouts()) {
    LayoutSpec layout = d.layout;
    int steps = 0;
    for (auto plainer = PlainerLayouts(layout, d.dims); !plainer.empty();
         plainer = PlainerLayouts(layout, d.dims)) {
      for (const LayoutSpec& candidate : plainer) EXPECT_TRUE(Resolve(candidate, d.dims));
      layout = plainer.back();  // the smallest step
      ASSERT_LT(++steps, 60) << ToString(d.layout);
    }
    EXPECT_EQ(ToString(layout), ToString(Plainest(d.dims)));
  }
}

}  // namespace
}  // namespace conformance
