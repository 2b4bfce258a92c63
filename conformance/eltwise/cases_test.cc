#include "conformance/eltwise/cases.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "conformance/case/fields.h"
#include "conformance/case/random.h"

namespace conformance {
namespace {

using spec::EltwiseAlgorithm;
using spec::Type;

std::string Print(const EltwiseCase& c) {
  Fields fields;
  c.Print(&fields);
  return fields.ToString();
}

EltwiseCase Parse(const std::string& line) {
  const Fields fields = Fields::Parse(line);
  const EltwiseCase c = EltwiseCase::Parse(fields);
  EXPECT_EQ(fields.error(), "") << line;
  return c;
}

// Everything that a draw may give, in turn.
EltwiseDraws Everything(int i) {
  EltwiseDraws draws;
  draws.directions.assign(std::begin(kEltwiseDirections), std::end(kEltwiseDirections));
  draws.types.assign(std::begin(spec::kTypes), std::end(spec::kTypes));
  draws.values = {EltwiseValues::kSmall, EltwiseValues::kSeams, EltwiseValues::kSpecial,
                  EltwiseValues::kWide,  EltwiseValues::kEach,  EltwiseValues::kBinades};
  draws.all_layouts = draws.own_gradient = i % 2 == 0;
  draws.placements = i % 3 == 0;
  draws.wide_parameters = i % 2 == 1;
  draws.short_only = i % 5 == 0;
  draws.empty = i % 7 == 1;
  draws.max_rank = 12;
  return draws;
}

TEST(EltwiseCase, IsParsedAsItIsPrinted) {
  Random random(1);
  for (int i = 0; i < 3000; ++i) {
    const std::string line = Print(AnyEltwiseCase(random, Everything(i)));
    EXPECT_EQ(Print(Parse(line)), line);
  }
}

TEST(EltwiseCase, ReachesEveryClass) {
  Random random(1);
  std::map<std::string, int> seen;
  for (int i = 0; i < 6000; ++i)
    for (const std::string& name : ClassesOf(AnyEltwiseCase(random, Everything(i)))) ++seen[name];
  for (const char* name : {"forward",
                           "backward",
                           "backward by dst",
                           "small",
                           "seams",
                           "special",
                           "wide",
                           "each",
                           "alpha below 0",
                           "alpha 0",
                           "alpha above 1",
                           "alpha far from 1",
                           "beta far from 1",
                           "binades",
                           "layouts differ",
                           "long",
                           "f32",
                           "bf16",
                           "f16",
                           "s32",
                           "s8",
                           "u8",
                           "rank 1",
                           "rank 12",
                           "gapped",
                           "region",
                           "permuted",
                           "empty"})
    EXPECT_GT(seen[name], 10) << name;
  for (const EltwiseAlgorithm algorithm : spec::kEltwiseAlgorithms)
    EXPECT_GT(seen[spec::NameOf(algorithm)], 10) << spec::NameOf(algorithm);
}

TEST(EltwiseCase, SimplerOnesAreCasesThatEnd) {
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    EltwiseCase c = AnyEltwiseCase(random, Everything(i));
    for (int steps = 0;; ++steps) {
      ASSERT_LT(steps, 10000) << Print(c);
      const auto simpler = c.Simpler();
      for (const EltwiseCase& one : simpler) EXPECT_EQ(Print(Parse(Print(one))), Print(one));
      if (simpler.empty()) break;
      c = simpler[static_cast<size_t>(i) % simpler.size()];
    }
  }
}

TEST(EltwiseCase, RefusesWhatItCannotBe) {
  for (const char* line :
       {"dir=bwd alg=round alpha=0 beta=0 data=f32:2:a grad=a values=small seed=0",
        "dir=bwd_dst alg=log alpha=0 beta=0 data=f32:2:a grad=a values=small seed=0",
        "dir=fwd alg=clip alpha=1 beta=0 data=f32:2:a values=small seed=0",
        "dir=bwd alg=exp alpha=0 beta=0 data=f32:2:a grad=ab values=small seed=0",
        "dir=up alg=exp alpha=0 beta=0 data=f32:2:a values=small seed=0"}) {
    const Fields fields = Fields::Parse(line);
    EltwiseCase::Parse(fields);
    EXPECT_NE(fields.error(), "") << line;
  }
}

TEST(EltwiseCase, DataReachesWhatItsNameSays) {
  EltwiseCase c;
  c.function = {EltwiseAlgorithm::kClip, -1, 2};
  c.data = {Type::kF32, {4000}, Plainest({4000})};
  const auto words = [&](EltwiseValues values) {
    c.values = values;
    const auto source = c.Source();
    return std::set<spec::Bits>(source.begin(), source.end());
  };
  const std::set<spec::Bits> seams = words(EltwiseValues::kSeams),
                             special = words(EltwiseValues::kSpecial);
  for (const spec::Bits bits : {0xbf800000u, 0xbf7fffffu, 0xbf800001u, 0x40000000u, 0x40000001u})
    EXPECT_EQ(seams.count(bits), 1u) << bits;
  for (const spec::Bits bits : {0x7fc00000u, 0x7f800000u, 0xff800000u, 0x80000000u, 0x7f7fffffu})
    EXPECT_EQ(special.count(bits), 1u) << bits;
  EXPECT_GT(words(EltwiseValues::kWide).size(), 3900u);
}

TEST(EltwiseCase, BinadesAreAllExponentsWithBothSigns) {
  const Cases<EltwiseCase> cases =
      EveryBinade({EltwiseAlgorithm::kLog}, {EltwiseDirection::kForward});
  Random random(0);
  std::set<spec::Bits> exponents, subnormal;
  for (const spec::Bits bits : cases.at(0, random).Source()) {
    exponents.insert(bits >> 23);
    if ((bits >> 23 & 0xff) == 0) subnormal.insert(bits);
  }
  // 0 to 254 of each sign.
  EXPECT_EQ(exponents.size(), 510u);
  EXPECT_GE(subnormal.size(), 46u);
}

TEST(EltwiseCase, WideParametersAreLegal) {
  Random random(3);
  for (const EltwiseAlgorithm algorithm : spec::kEltwiseAlgorithms)
    for (const EltwiseDirection direction : kEltwiseDirections) {
      const bool by_result = direction == EltwiseDirection::kBackwardByResult;
      if (by_result && !spec::HasDerivativeByResult(algorithm)) continue;
      for (int i = 0; i < 200; ++i)
        EXPECT_TRUE(IsLegal(AnyWideFunction(random, algorithm, direction), by_result))
            << spec::NameOf(algorithm);
    }
}

TEST(EltwiseCase, IsAProgramWhereTheElementIsExact) {
  const EltwiseCase c = Parse(
      "dir=bwd alg=relu alpha=0.5 beta=0 data=f32:2:a grad=a values=small "
      "seed=1");
  const spec::EltwiseResult first = ExpectedElement(c, c.Source()[0], c.Gradient()[0], {});
  const std::string expected = spec::ToString(Type::kF32, first);
  EXPECT_NE(c.Statements(Profile::kPortable, "diff_src[0]", expected), "");
  EXPECT_EQ(c.Statements(Profile::kPortable, "diff_src[0]", "7"), "");
  EXPECT_EQ(c.Statements(Profile::kPortable, "dst[0]", expected), "");
}

}  // namespace
}  // namespace conformance
