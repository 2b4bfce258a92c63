#include "conformance/convolution/cases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/data.h"
#include "conformance/gen/computed_data.h"

namespace conformance {
namespace {

using spec::Type;

// Products say how long a case may take.
static_assert(HasProducts<ConvolutionCase>::value);

std::string Print(const ConvolutionCase& c) {
  Fields fields;
  c.Print(&fields);
  return fields.ToString();
}

ConvolutionCase Parse(const std::string& line) {
  const Fields fields = Fields::Parse(line);
  const ConvolutionCase c = ConvolutionCase::Parse(fields);
  EXPECT_EQ(fields.error(), "") << line;
  return c;
}

// Everything that a draw may give, in turn.
ConvolutionLimits Everything(int i) {
  ConvolutionLimits limits;
  limits.all_layouts = limits.broadcasts = i % 2 == 0;
  limits.scales = limits.post_ops = i % 3 == 0;
  limits.chains = i % 3 == 1;
  limits.run_time_scales = i % 6 == 0;
  limits.fractions = i % 5 == 0;
  limits.algorithms = {ConvolutionAlgorithm::kDirect, ConvolutionAlgorithm::kAuto,
                       ConvolutionAlgorithm::kWinograd};
  for (const Direction direction : kDirections)
    for (const Types& types : FloatTypes(direction)) limits.types.push_back(types);
  for (const Types& types : IntegerTriples()) limits.types.push_back(types);
  limits.numbers = {Numbers::kIntegers, Numbers::kFloats, Numbers::kExtremes, Numbers::kSpecial,
                    Numbers::kZeros};
  if (i % 7 == 0) limits.batches = {0};
  return limits;
}

TEST(ConvolutionCase, IsParsedAsItIsPrinted) {
  Random random(1);
  for (int i = 0; i < 3000; ++i) {
    const std::string line = Print(AnyConvolutionCase(random, Everything(i)));
    EXPECT_EQ(Print(Parse(line)), line);
  }
}

TEST(ConvolutionCase, IsDrawnSmallLegalAndWithOutputs) {
  Random random(1);
  for (int i = 0; i < 3000; ++i) {
    const ConvolutionCase c = AnyConvolutionCase(random);
    ASSERT_TRUE(IsLegal(c)) << Print(c);
    for (const Role role : {kSrc, kWeights, kDst}) EXPECT_FALSE(spec::IsEmpty(c.DimsOf(role)));
    EXPECT_LE(c.products(), 1 << 15) << Print(c);
    EXPECT_TRUE(c.groups == 1 || c.grouped) << Print(c);
  }
}

TEST(ConvolutionCase, ReachesEveryClass) {
  Random random(1);
  std::map<std::string, int> seen;
  for (int i = 0; i < 6000; ++i)
    for (const std::string& name : ClassesOf(AnyConvolutionCase(random, Everything(i))))
      ++seen[name];
  for (const char* name : {"forward",
                           "backward data",
                           "backward weights",
                           "rank 3",
                           "rank 4",
                           "rank 5",
                           "bias",
                           "no bias",
                           "empty batch",
                           "groups",
                           "one group",
                           "depthwise",
                           "multiplier",
                           "strided",
                           "dilated",
                           "padded",
                           "asymmetric",
                           "kernel beyond input",
                           "stride beyond kernel",
                           "one by one",
                           "tail of inputs",
                           "tail of outputs",
                           "algorithm auto",
                           "algorithm winograd",
                           "common scale",
                           "scale of each channel",
                           "sum",
                           "eltwise",
                           "special",
                           "extremes",
                           "bf16 src",
                           "u8 src",
                           "s32 dst",
                           "any src",
                           "any wei",
                           "any bias",
                           "any dst",
                           "gapped src",
                           "region wei",
                           "permuted dst",
                           "zero stride src",
                           "edge of a page",
                           "misaligned"})
    EXPECT_GT(seen[name], 30) << name;
}

TEST(ConvolutionCase, FitsWhatItWasDrawnFrom) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const ConvolutionLimits limits = Everything(i);
    const ConvolutionCase c = AnyConvolutionCase(random, limits);
    EXPECT_TRUE(Fits(c, limits)) << Print(c);
    ConvolutionLimits other = limits;
    other.directions = {c.forward() ? Direction::kBackwardData : Direction::kForward};
    EXPECT_FALSE(Fits(c, other));
    other = limits;
    other.types = {{Type::kS32, Type::kS32, Type::kS32, Type::kS32}};
    EXPECT_FALSE(Fits(c, other));
  }
}

TEST(ConvolutionCase, ShrinksToLegalCasesAndEnds) {
  Random random(3);
  for (int i = 0; i < 40; ++i) {
    ConvolutionCase c = AnyConvolutionCase(random, Everything(6 * i + i % 3));
    const std::string direction = NameOf(c.direction);
    if (c.mb == 0) continue;
    int steps = 0;
    for (auto simpler = c.Simpler(); !simpler.empty(); simpler = c.Simpler()) {
      for (const ConvolutionCase& candidate : simpler) {
        const std::string line = Print(candidate);
        ASSERT_NE(line, Print(c));
        ASSERT_EQ(Print(Parse(line)), line);
      }
      c = simpler[static_cast<size_t>(random.Between(0, static_cast<int64_t>(simpler.size()) - 1))];
      ASSERT_LT(++steps, 500) << Print(c);
    }
    EXPECT_EQ(Print(c), "dir=" + direction +
                            " mb=1 ic=1 oc=1 in=1 k=1 src=f32:abc wei=f32:abc dst=f32:abc "
                            "values=integers seed=0");
  }
}

TEST(ConvolutionCase, RefusesWhatMeansNothing) {
  const std::string tensors = " src=f32:any wei=f32:any dst=f32:any values=integers seed=7";
  const std::string good =
      "dir=fwd alg=auto mb=2 g=2 ic=3 oc=6 in=4x5 k=3x2 s=1x2 d=0x1 pl=1x0 pr=1x-1 src=f32:acdb "
      "wei=f32:any bias=f32:a dst=f32:abcd post=sum:0.5 values=integers seed=7";
  EXPECT_EQ(Print(Parse(good)), good);
  for (const char* bad : {
           "dir=up mb=2 ic=3 oc=6 in=4 k=3",
           "dir=fwd alg=fast mb=2 ic=3 oc=6 in=4 k=3",
           "dir=fwd mb=2 ic=0 oc=6 in=4 k=3",
           "dir=fwd mb=2 g=0 ic=3 oc=6 in=4 k=3",
           "dir=fwd mb=-1 ic=3 oc=6 in=4 k=3",
           "dir=fwd mb=2 ic=3 oc=6 in=4 k=0",
           "dir=fwd mb=2 ic=3 oc=6 in=4x4 k=3",
           "dir=fwd mb=2 ic=3 oc=6 in=4x4x4x4 k=3x3x3x3",
           "dir=fwd mb=2 ic=3 oc=6 in=4 k=3 s=0",
           "dir=fwd mb=2 ic=3 oc=6 in=4 k=3 d=-1",
           "dir=fwd mb=2 ic=3 oc=6 in=4 k=3 pl=-1",
           "dir=fwd mb=2 ic=3 oc=6 in=4 k=3 pr=-1",
           "dir=fwd mb=2 ic=3 oc=6 in=4 k=6",
           "dir=fwd mb=2 ic=3 oc=6 in=4 k=3 s=1x1",
           "dir=fwd mb=1048576 ic=1048576 oc=6 in=4 k=3",
       }) {
    const Fields fields = Fields::Parse(bad + tensors);
    ConvolutionCase::Parse(fields);
    EXPECT_NE(fields.error(), "") << bad;
  }
}

TEST(ConvolutionCase, HasTheDimsThatTheFormulaGives) {
  const ConvolutionCase c = Parse(
      "dir=fwd mb=2 g=2 ic=3 oc=5 in=7x9 k=3x2 s=2x1 d=1x0 pl=1x0 pr=0x1 src=f32:any "
      "wei=f32:any bias=f32:any dst=f32:any values=integers seed=0");
  EXPECT_EQ(c.DimsOf(kSrc), (spec::Dims{2, 6, 7, 9}));
  EXPECT_EQ(c.DimsOf(kWeights), (spec::Dims{2, 5, 3, 3, 2}));
  EXPECT_EQ(c.DimsOf(kBias), (spec::Dims{10}));
  EXPECT_EQ(c.DimsOf(kDst), (spec::Dims{2, 10, 2, 9}));
  EXPECT_EQ(c.terms(), 18);
  EXPECT_EQ(c.products(), 2 * 10 * 3 * 6 * 18);
  const ConvolutionCase ungrouped = Parse(
      "dir=fwd mb=1 ic=3 oc=5 in=3 k=3 src=f32:any wei=f32:any dst=f32:any values=integers seed=0");
  EXPECT_EQ(ungrouped.DimsOf(kWeights), (spec::Dims{5, 3, 3}));
}

TEST(ConvolutionData, OfIntegersIsExactInEveryOrder) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const ConvolutionCase c = AnyConvolutionCase(random);
    const ComputedData data = DataOf(c);
    for (const Role role : kRoles) {
      if (!c.Has(role) || !c.Writes(role)) continue;
      const auto expected = ExpectedOf(c, role, data, Profile::kProject);
      EXPECT_EQ(static_cast<int64_t>(expected.size()), spec::ElementCount(c.DimsOf(role)));
      for (const ExpectedElement& element : expected)
        ASSERT_EQ(element.approx.error, 0) << Print(c);
    }
  }
}

// CONV-169: bits of floats are no one's duty. What is asked of them is a bound.
TEST(ConvolutionData, OfFloatsHasABound) {
  Random random(6);
  ConvolutionLimits limits;
  limits.numbers = {Numbers::kFloats};
  int bounded = 0, all = 0;
  for (int i = 0; i < 50; ++i) {
    const ConvolutionCase c = AnyConvolutionCase(random, limits);
    const ComputedData data = DataOf(c);
    for (const Role role : kRoles) {
      if (!c.Has(role) || !c.Writes(role) || role == kBias) continue;
      for (const ExpectedElement& element : ExpectedOf(c, role, data, Profile::kPortable)) {
        ++all;
        if (element.approx.error > 0) ++bounded;
      }
    }
  }
  EXPECT_GT(bounded, all / 2);
}

// Where Winograd's algorithm may have been, results need not be exact: the project profile asks for
// more than the portable one.
TEST(ConvolutionData, HasAWiderBoundWhereWinogradMayBe) {
  ConvolutionCase c = Parse(
      "dir=fwd mb=1 ic=2 oc=2 in=5x5 k=3x3 src=f32:any wei=f32:any dst=f32:any values=integers "
      "seed=3");
  for (const Direction direction : kDirections) {
    c.direction = direction;
    const Role role = c.forward() ? kDst : direction == Direction::kBackwardData ? kSrc : kWeights;
    const ComputedData data = DataOf(c);
    c.algorithm = ConvolutionAlgorithm::kDirect;
    EXPECT_EQ(ExpectedOf(c, role, data, Profile::kPortable)[0].approx.error, 0);
    c.algorithm = ConvolutionAlgorithm::kAuto;
    const double portable = ExpectedOf(c, role, data, Profile::kPortable)[0].approx.error;
    const double project = ExpectedOf(c, role, data, Profile::kProject)[0].approx.error;
    EXPECT_GT(project, 0);
    EXPECT_GT(portable, 100 * project);
    EXPECT_LT(project, 1);
  }
  c.algorithm = ConvolutionAlgorithm::kAuto;
  c.axes[0].stride = 2;
  c.direction = Direction::kForward;
  EXPECT_EQ(ExpectedOf(c, kDst, DataOf(c), Profile::kPortable)[0].approx.error, 0);
}

// By hand: a line of 3 with a kernel of 2 and one place of padding in front.
TEST(ConvolutionData, KnowsWhichElementsMeetSpecialValuesInThePadding) {
  const ConvolutionCase c = Parse(
      "dir=fwd mb=1 ic=1 oc=2 in=3 k=2 pl=1 src=f32:abc wei=f32:abc dst=f32:abc values=integers "
      "seed=0");
  ComputedData data = DataOf(c);
  const std::vector<bool> none = MeetsPadding(c, kDst, data);
  EXPECT_EQ(none, std::vector<bool>(6, false));
  data[kWeights][2] = 0x7f800000;  // of the second channel
  const std::vector<bool> second{false, false, false, true, true, true};
  EXPECT_EQ(MeetsPadding(c, kDst, data), second);
  EXPECT_TRUE(std::isnan(0 * NumberOf(Type::kF32, data[kWeights][2])));
}

TEST(NetworkConvolutions, AreLegalAndKeepTheirChannels) {
  const Cases<ConvolutionCase> cases = NetworkConvolutions(0, 1);
  Random random(1);
  ASSERT_GT(cases.count, 60);
  for (int64_t i = 0; i < cases.count; ++i) {
    const ConvolutionCase c = cases.at(i, random);
    EXPECT_TRUE(IsLegal(c)) << Print(c);
    EXPECT_FALSE(spec::IsEmpty(c.DimsOf(kDst))) << Print(c);
    EXPECT_LE(c.products(), int64_t{1} << 26) << Print(c);
    EXPECT_EQ(Print(Parse(Print(c))), Print(c));
  }
}

// The calls with literal data; their result is compiled and run by
// //conformance/convolution:onednn_reproducers_test.
TEST(ConvolutionStatements, AreOfWrongElementsOfTheCasesOwnDataAlone) {
  const ConvolutionCase c = Parse(
      "dir=bwd_weights mb=1 g=2 ic=1 oc=1 in=3x3 k=2x2 s=2x1 d=0x1 src=f32:abcd wei=f32:any "
      "bias=f32:s4 dst=f32:abcd values=integers seed=0");
  const ExpectedElement second = ExpectedOf(c, kBias, DataOf(c), Profile::kPortable)[1];
  const std::string expected = ToString(second, Type::kF32, spec::Strictness::kPortable);
  const std::string text = c.Statements(Profile::kPortable, "diff_bias[1]", expected);
  EXPECT_NE(text.find("dnnl::convolution_backward_weights::primitive_desc pd("), std::string::npos);
  EXPECT_NE(text.find("memory::dims{2, 1}, memory::dims{0, 1}, memory::dims{0, 0}"),
            std::string::npos)
      << text;
  EXPECT_EQ(c.Statements(Profile::kPortable, "diff_bias[1]", "8 (0x41000000)"), "");
  EXPECT_EQ(c.Statements(Profile::kPortable, "diff_bias[2]", expected), "");
  EXPECT_EQ(c.Statements(Profile::kPortable, "process", expected), "");
}

}  // namespace
}  // namespace conformance
