#include "conformance/inner_product/cases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "conformance/case/property.h"
#include "conformance/gen/computation_blocks.h"
#include "conformance/inner_product/data.h"

namespace conformance {
namespace {

using spec::Type;

// Products say how long a case may take.
static_assert(HasProducts<InnerProductCase>::value);

std::string Print(const InnerProductCase& c) {
  Fields fields;
  c.Print(&fields);
  return fields.ToString();
}

InnerProductCase Parse(const std::string& line) {
  const Fields fields = Fields::Parse(line);
  const InnerProductCase c = InnerProductCase::Parse(fields);
  EXPECT_EQ(fields.error(), "") << line;
  return c;
}

// Everything that a draw may give, in turn.
InnerProductLimits Everything(int i) {
  InnerProductLimits limits;
  limits.all_layouts = limits.broadcasts = i % 2 == 0;
  limits.scales = limits.post_ops = i % 3 == 0;
  limits.run_time_scales = i % 6 == 0;
  limits.fractions = i % 5 == 0;
  for (const Direction direction : InnerProductLimits().directions)
    for (const Types& types : FloatTypes(direction)) limits.types.push_back(types);
  for (const Types& types : IntegerTriples()) limits.types.push_back(types);
  limits.numbers = {Numbers::kIntegers, Numbers::kFloats, Numbers::kExtremes, Numbers::kSpecial,
                    Numbers::kZeros};
  if (i % 7 == 0) limits.batches = {0};
  return limits;
}

TEST(InnerProductCase, IsParsedAsItIsPrinted) {
  Random random(1);
  for (int i = 0; i < 3000; ++i) {
    const std::string line = Print(AnyInnerProductCase(random, Everything(i)));
    EXPECT_EQ(Print(Parse(line)), line);
  }
}

TEST(InnerProductCase, ReachesEveryClass) {
  Random random(1);
  std::map<std::string, int> seen;
  for (int i = 0; i < 6000; ++i)
    for (const std::string& name : ClassesOf(AnyInnerProductCase(random, Everything(i))))
      ++seen[name];
  for (const char* name : {"forward",
                           "backward data",
                           "backward weights",
                           "rank 2",
                           "rank 3",
                           "rank 4",
                           "rank 5",
                           "bias",
                           "no bias",
                           "no rows",
                           "one row",
                           "one output",
                           "one channel",
                           "tail of inputs",
                           "tail of outputs",
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
                           "zero stride dst",
                           "edge of a page",
                           "misaligned"})
    EXPECT_GT(seen[name], 30) << name;
}

TEST(InnerProductCase, WritesNoTensorWhoseElementsShareAPlace) {
  Random random(1);
  for (int i = 0; i < 3000; ++i) {
    const InnerProductCase c = AnyInnerProductCase(random, Everything(2 * i));
    for (const Role role : kRoles) {
      if (!c.Has(role) || !c.Writes(role) || c.uses[role].any) continue;
      for (const std::string& name : ClassesOf(c.TensorOf(role)))
        EXPECT_NE(name, "zero stride") << Print(c);
    }
  }
}

TEST(InnerProductCase, FitsWhatItWasDrawnFrom) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const InnerProductLimits limits = Everything(i);
    const InnerProductCase c = AnyInnerProductCase(random, limits);
    EXPECT_TRUE(Fits(c, limits)) << Print(c);
    InnerProductLimits other = limits;
    other.directions = {c.forward() ? Direction::kBackwardData : Direction::kForward};
    EXPECT_FALSE(Fits(c, other));
    other = limits;
    other.types = {{Type::kS32, Type::kS32, Type::kS32, Type::kS32}};
    EXPECT_FALSE(Fits(c, other));
  }
}

TEST(InnerProductCase, ShrinksToLegalCasesAndEnds) {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    InnerProductCase c = AnyInnerProductCase(random, Everything(6 * i + i % 3));
    const std::string direction = NameOf(c.direction);
    if (c.mb == 0) continue;
    int steps = 0;
    for (auto simpler = c.Simpler(); !simpler.empty(); simpler = c.Simpler()) {
      for (const InnerProductCase& candidate : simpler) {
        const std::string line = Print(candidate);
        ASSERT_NE(line, Print(c));
        ASSERT_EQ(Print(Parse(line)), line);
      }
      c = simpler[static_cast<size_t>(random.Between(0, static_cast<int64_t>(simpler.size()) - 1))];
      ASSERT_LT(++steps, 500) << Print(c);
    }
    EXPECT_EQ(Print(c), "dir=" + direction +
                            " mb=1 ic=1 sp=- oc=1 src=f32:ab wei=f32:ab dst=f32:ab "
                            "values=integers seed=0");
  }
}

TEST(InnerProductCase, RefusesWhatMeansNothing) {
  const std::string good =
      "dir=fwd mb=2 ic=3 sp=4x5 oc=6 src=f32:acdb wei=f32:any bias=f32:a dst=f32:s8,1 "
      "post=sum:0.5,relu:1:0.25:0 values=integers seed=7";
  EXPECT_EQ(Print(Parse(good)), good);
  for (const char* bad : {
           "dir=up mb=2 ic=3 sp=- oc=6 src=f32:ab wei=f32:ab dst=f32:ab values=integers seed=7",
           "dir=fwd mb=2 ic=0 sp=- oc=6 src=f32:ab wei=f32:ab dst=f32:ab values=integers seed=7",
           "dir=fwd mb=2 ic=3 sp=1x1x1x1 oc=6 src=f32:any wei=f32:any dst=f32:ab values=integers "
           "seed=7",
           "dir=fwd mb=2 ic=3 sp=4 oc=6 src=f32:ab wei=f32:abc dst=f32:ab values=integers seed=7",
           "dir=fwd mb=2 ic=3 sp=- oc=6 src=f33:ab wei=f32:ab dst=f32:ab values=integers seed=7",
           "dir=fwd mb=2 ic=3 sp=- oc=6 src=f32:ab wei=f32:ab dst=f32:ab values=many seed=7",
           "dir=fwd mb=2 ic=3 sp=- oc=6 wei=f32:ab dst=f32:ab values=integers seed=7",
           "dir=bwd_data mb=2 ic=3 sp=- oc=6 src=f32:ab wei=f32:ab bias=f32:a dst=f32:ab "
           "values=integers seed=7",
           "dir=bwd_data mb=2 ic=3 sp=- oc=6 src=f32:ab wei=f32:ab dst=f32:ab post=sum:1 "
           "values=integers seed=7",
           "dir=fwd mb=2 ic=3 sp=- oc=6 src=f32:ab wei=f32:ab dst=f32:ab post=sum "
           "values=integers seed=7",
           "dir=fwd mb=2 ic=3 sp=- oc=6 src=f32:ab wei=f32:ab dst=f32:ab post=clip:1:2:1 "
           "values=integers seed=7",
           "dir=fwd mb=2 ic=3 sp=- oc=6 src=f32:any src_at=end wei=f32:ab dst=f32:ab "
           "values=integers seed=7",
           "dir=fwd mb=65536 ic=65536 sp=65536 oc=6 src=f32:any wei=f32:any dst=f32:any "
           "values=integers seed=7",
       }) {
    const Fields fields = Fields::Parse(bad);
    InnerProductCase::Parse(fields);
    EXPECT_NE(fields.error(), "") << bad;
  }
}

TEST(ComputedData, OfIntegersIsExactInEveryOrder) {
  Random random(2);
  InnerProductLimits limits;
  for (int i = 0; i < 500; ++i) {
    const InnerProductCase c = AnyInnerProductCase(random, limits);
    const ComputedData data = DataOf(c);
    for (const Role role : kRoles) {
      if (!c.Has(role) || !c.Writes(role)) continue;
      for (const ExpectedElement& element : ExpectedOf(c, role, data))
        ASSERT_EQ(element.approx.error, 0) << Print(c);
    }
  }
  Random long_random(3);
  const Cases<InnerProductCase> cases = LongInnerProducts();
  for (int64_t i = 0; i < cases.count; i += 2) {
    const InnerProductCase c = cases.at(i, long_random);
    EXPECT_GE(c.inputs(), 1000);
    for (const ExpectedElement& element : ExpectedOf(c, kDst, DataOf(c)))
      ASSERT_EQ(element.approx.error, 0) << Print(c);
  }
}

TEST(ComputedData, OfExtremesLeavesSixteenBitsAndNotThirtyTwo) {
  Random random(4);
  InnerProductLimits limits;
  limits.directions = {Direction::kForward};
  limits.types = IntegerTriples();
  limits.numbers = {Numbers::kExtremes};
  int beyond = 0;
  for (int i = 0; i < 300; ++i) {
    const InnerProductCase c = AnyInnerProductCase(random, limits);
    const ComputedData data = DataOf(c);
    const auto at = [&](Role role, size_t k) { return NumberOf(c.uses[role].type, data[role][k]); };
    double magnitude = 0;
    for (size_t k = 0; k < static_cast<size_t>(c.inputs()); ++k)
      magnitude += std::abs(at(kSrc, k) * at(kWeights, k));
    EXPECT_LT(magnitude, 0x1p31);
    if (c.inputs() > 1 &&
        std::abs(at(kSrc, 0) * at(kWeights, 0) + at(kSrc, 1) * at(kWeights, 1)) > 32767)
      ++beyond;
  }
  EXPECT_GT(beyond, 50);
}

TEST(ComputedData, OfSpecialValuesHasSome) {
  Random random(5);
  InnerProductLimits limits;
  limits.numbers = {Numbers::kSpecial};
  for (int i = 0; i < 200; ++i) {
    const InnerProductCase c = AnyInnerProductCase(random, limits);
    const ComputedData data = DataOf(c);
    int special = 0;
    for (const Role role : kRoles)
      if (c.Has(role) && !c.Writes(role))
        for (const spec::Bits bits : data[role])
          if (!std::isfinite(NumberOf(Type::kF32, bits))) ++special;
    EXPECT_GE(special, 1) << Print(c);
    EXPECT_LE(special, 2) << Print(c);
  }
}

// By hand: 2 x 3 inputs, bias, a scale for each channel, sum and relu.
TEST(ExpectedInnerProduct, AppliesWhatIsFusedInOrder) {
  InnerProductCase c = Parse(
      "dir=fwd mb=1 ic=2 sp=- oc=2 src=u8:ab wei=s8:ab bias=f32:a dst=f32:ab scale=common "
      "post=sum:0.5,relu:2:0.25:0 values=integers seed=0");
  while (ScaleValues(c.attributes, 2, c.seed)[0] != 2) ++c.seed;
  ComputedData data;
  data[kSrc] = {3, 4};
  data[kWeights] = {1, 2, 0xff, 0xfe};  // 11 and -11
  data[kBias] = {BitsOfInteger(Type::kF32, 1), BitsOfInteger(Type::kF32, -1)};
  data[kDst] = {BitsOfInteger(Type::kF32, 8), BitsOfInteger(Type::kF32, 16)};
  const std::vector<ExpectedElement> got = ExpectedOf(c, kDst, data);
  ASSERT_EQ(got.size(), 2u);
  EXPECT_EQ(got[0].approx.value, 2 * (2 * (11 + 1) + 4));
  EXPECT_EQ(got[1].approx.value, 2 * 0.25 * (2 * (-11 - 1) + 8));
  EXPECT_EQ(got[0].approx.error, 0);
}

TEST(ExpectedInnerProduct, OfIntegersToS32IsExactAndPortableAlsoThroughF32) {
  const InnerProductCase c =
      Parse("dir=fwd mb=1 ic=1 sp=- oc=1 src=u8:ab wei=s8:ab dst=s32:ab values=integers seed=0");
  ExpectedElement element;
  element.exact_integer = true;
  element.approx.value = 32417385;
  const auto accepts = [&](int32_t got, spec::Strictness strictness) {
    return AcceptsElement(element, Type::kS32, static_cast<spec::Bits>(got), strictness);
  };
  EXPECT_TRUE(accepts(32417385, spec::Strictness::kProject));
  EXPECT_FALSE(accepts(32417384, spec::Strictness::kProject));
  EXPECT_TRUE(accepts(32417384, spec::Strictness::kPortable));
  EXPECT_FALSE(accepts(32417386, spec::Strictness::kPortable));
  EXPECT_TRUE(ExpectedOf(c, kDst, DataOf(c))[0].exact_integer);
}

// The calls with literal data; their result is compiled and run by
// //conformance/inner_product:onednn_reproducers_test.
TEST(InnerProductStatements, AreOfWrongElementsOfTheCasesOwnDataAlone) {
  const InnerProductCase c = Parse(
      "dir=bwd_weights mb=1 ic=1 sp=- oc=2 src=f32:ab wei=f32:any bias=f32:s4 dst=f32:ab "
      "values=integers seed=0");
  const ExpectedElement second = ExpectedOf(c, kBias, DataOf(c))[1];
  const std::string expected = ToString(second, Type::kF32, spec::Strictness::kPortable);
  const std::string text = c.Statements(Profile::kPortable, "diff_bias[1]", expected);
  EXPECT_NE(text.find("dnnl::inner_product_backward_weights::primitive_desc pd("),
            std::string::npos);
  EXPECT_NE(text.find("{DNNL_ARG_DIFF_BIAS, diff_bias_memory}"), std::string::npos);
  EXPECT_EQ(c.Statements(Profile::kPortable, "diff_bias[1]", "8 (0x41000000)"), "");
  EXPECT_EQ(c.Statements(Profile::kPortable, "diff_bias[2]", expected), "");
  EXPECT_EQ(c.Statements(Profile::kPortable, "diff_bias[1] of row 0 alone", expected), "");
  EXPECT_EQ(c.Statements(Profile::kPortable, "process", expected), "");
}

using Blocked = BlockedCase<InnerProductCase>;

std::string ErrorOf(const std::string& line) {
  const Fields fields = Fields::Parse(line);
  Blocked::Parse(fields);
  return fields.error();
}

TEST(BlockedInnerProducts, AreOfTheirTensors) {
  const std::string any =
      "dir=fwd mb=2 ic=5 sp=- oc=3 src=f32:any wei=f32:any dst=f32:any values=integers seed=1";
  const std::string plain =
      "dir=fwd mb=2 ic=5 sp=- oc=3 src=f32:ab wei=f32:any dst=f32:any values=integers seed=1";
  const std::string blocks = " src_blocks=f32:2x5:s8,4:b4@1";
  EXPECT_EQ(ErrorOf(any), "");
  EXPECT_EQ(ErrorOf(any + blocks), "");
  EXPECT_EQ(ErrorOf(plain + blocks), "field 'src_blocks' wants src to be any: 'f32:2x5:s8,4:b4@1'");
  EXPECT_EQ(ErrorOf(any + " bias_blocks=f32:3:s4:b4@0"),
            "field 'bias_blocks' wants bias to be any: 'f32:3:s4:b4@0'");
  const std::string other = "field 'src_blocks' has another type or other dims than src, f32:2x5: ";
  EXPECT_EQ(ErrorOf(any + " src_blocks=u8:2x5:s8,4:b4@1"), other + "'u8:2x5:s8,4:b4@1'");
  EXPECT_EQ(ErrorOf(any + " src_blocks=f32:5x2:s8,4:b4@1"), other + "'f32:5x2:s8,4:b4@1'");
  EXPECT_NE(ErrorOf(any + " src_blocks=f32:2x5"), "");
}

// Whatever is drawn: of each case in six another size is the commonest.
TEST(BlockedInnerProducts, HaveBlocksOfEachSizeInTurns) {
  InnerProductLimits limits;
  limits.any_percent = 100;
  const Cases<Blocked> cases = WithBlocks(AnyInnerProduct(limits));
  constexpr int64_t kSizes[] = {4, 3, 2, 16, 5, 8};
  for (int64_t i = 0; i < 12; ++i) {
    std::map<int64_t, int> seen;
    for (uint64_t seed = 0; seed < 100; ++seed) {
      Random random(seed);
      for (const auto& tensor : cases.at(i, random).blocks)
        if (tensor)
          for (const spec::Block& block : tensor->layout.blocks) ++seen[block.size];
    }
    for (const int64_t size : kSizes) {
      if (size == kSizes[i % 6]) continue;
      EXPECT_GT(seen[kSizes[i % 6]], 2 * seen[size]) << i << ", " << size;
    }
  }
}

TEST(BlockedInnerProducts, GetSimplerWithTheirBlocks) {
  const Blocked c = [] {
    Fields fields = Fields::Parse(
        "dir=fwd mb=2 ic=5 sp=- oc=3 src=bf16:any wei=bf16:any dst=f32:any values=integers seed=0 "
        "src_blocks=bf16:2x5:s8,4:b4@1");
    return Blocked::Parse(fields);
  }();
  int blocked = 0, plain = 0;
  for (const Blocked& simpler : c.Simpler()) {
    Fields fields;
    simpler.Print(&fields);
    EXPECT_EQ(ErrorOf(fields.ToString()), "") << fields.ToString();
    ++(simpler.blocks[kSrc] ? blocked : plain);
  }
  EXPECT_GT(blocked, 5);
  EXPECT_GT(plain, 1);
}

}  // namespace
}  // namespace conformance
