#include "conformance/reorder/cases.h"

#include <map>

#include "gtest/gtest.h"

namespace conformance {
namespace {

using spec::Type;

template <class C>
std::string Print(const C& c) {
  Fields fields;
  c.Print(&fields);
  return fields.ToString();
}

ReorderLimits WithAttributes() {
  ReorderLimits limits;
  limits.attributes = true;
  limits.zero_strides = true;
  return limits;
}

TEST(ReorderCase, IsParsedAsItIsPrinted) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::string line = Print(AnyReorderCase(random, WithAttributes()));
    const Fields fields = Fields::Parse(line);
    EXPECT_EQ(Print(ReorderCase::Parse(fields)), line);
    EXPECT_EQ(fields.error(), "") << line;
  }
}

TEST(ReorderCase, ReachesEveryClass) {
  Random random(1);
  std::map<std::string, int> seen;
  for (int i = 0; i < 5000; ++i) {
    const ReorderCase c = AnyReorderCase(random, {});
    for (const std::string& name : ClassesOf(c.src)) ++seen[name];
    for (const std::string& name : ClassesOf(c.dst)) ++seen["to " + name];
    if (IsByteCopy(c)) ++seen["byte copy"];
  }
  for (const char* name : {"rank 1", "rank 12", "f16", "to u8", "gapped", "to gapped", "region",
                           "to region", "tag", "to tag", "permuted", "to permuted", "large", "tail",
                           "size-1 dim", "odd size-1 stride", "byte copy"})
    EXPECT_GT(seen[name], 50) << name;
  EXPECT_LT(seen["byte copy"], 500);
  EXPECT_EQ(seen["empty"], 0);
}

TEST(ReorderCase, FitsWhatItWasDrawnFrom) {
  ReorderLimits narrow;
  narrow.from = {Type::kBF16, Type::kU8};
  narrow.same_type = narrow.same_layout = true;
  narrow.shape.min_rank = 3;
  narrow.values = {ValueKind::kBits};
  Random random(1);
  for (const ReorderLimits& limits : {ReorderLimits(), WithAttributes(), narrow}) {
    const Cases<ReorderCase> cases = AnyReorder(limits);
    for (int i = 0; i < 1000; ++i) {
      const ReorderCase c = cases.at(i, random);
      EXPECT_TRUE(cases.contains(c)) << Print(c);
    }
  }
}

TEST(ReorderCase, DoesNotFitOtherTypesRanksOrAttributes) {
  ReorderLimits limits;
  limits.from = {Type::kBF16};
  limits.same_type = true;
  limits.shape.min_rank = 2;
  const auto fits = [&limits](const char* line) {
    return Fits(ReorderCase::Parse(Fields::Parse(line)), limits);
  };
  EXPECT_TRUE(fits("src=bf16:2x3:ab dst=bf16:2x3:ba values=mixed seed=0"));
  EXPECT_FALSE(fits("src=f32:2x3:ab dst=f32:2x3:ba values=mixed seed=0"));
  EXPECT_FALSE(fits("src=bf16:2x3:ab dst=f32:2x3:ba values=mixed seed=0"));
  EXPECT_FALSE(fits("src=bf16:6:a dst=bf16:6:a values=mixed seed=0"));
  EXPECT_FALSE(fits("src=bf16:2x0:ab dst=bf16:2x0:ba values=mixed seed=0"));
  EXPECT_FALSE(fits("src=bf16:2x3:ab dst=bf16:2x3:ba beta=1 values=mixed seed=0"));
}

TEST(ReorderCase, AnElementWithoutScalesNeedsNone) {
  const ReorderCase plain =
      ReorderCase::Parse(Fields::Parse("src=f32:2:a dst=f32:2:a values=index seed=0"));
  const spec::ReorderElement element = plain.Element(1, 7, 8, {});
  EXPECT_FALSE(element.scaled);
  EXPECT_EQ(element.source, 7u);
  const ReorderCase scaled = ReorderCase::Parse(
      Fields::Parse("src=f32:2x3:ab dst=f32:2x3:ab mask=2 scales=pow2 values=index seed=0"));
  EXPECT_EQ(scaled.Element(4, 7, 8, {2, 4, 8}).alpha, 4);
}

TEST(ReorderCase, NoScaleBelongsToAnAxisOfExtentZero) {
  const Fields fields =
      Fields::Parse("src=f32:2x0:ab dst=f32:2x0:ab mask=3 scales=pow2 values=index seed=0");
  EXPECT_EQ(ReorderCase::Parse(fields).attributes.mask, 0);
  EXPECT_NE(fields.error().find("extent 0"), std::string::npos) << fields.error();
  const Fields other =
      Fields::Parse("src=f32:2x0:ab dst=f32:2x0:ab mask=1 scales=pow2 values=index seed=0");
  EXPECT_EQ(ReorderCase::Parse(other).Scales().size(), 2u);
}

TEST(ReorderCase, IsWrittenAsCallsForItsOwnValuesOnly) {
  const ReorderCase c =
      ReorderCase::Parse(Fields::Parse("src=f32:2:a dst=s8:2:s3 mask=1 scales=pow2 beta=2 "
                                       "values=index seed=0"));
  const std::vector<spec::Bits> source = c.Source(), old = c.Old();
  const std::string expected =
      spec::ExpectedText(c.Element(1, source[1], old[1], c.Scales()), spec::Strictness::kProject);
  const auto statements = [&](const char* where, const std::string& wanted) {
    return c.Statements(Profile::kProject, where, wanted);
  };
  const std::string text = statements("dst[1] of src 3", expected);
  for (const char* part : {"attr.set_output_scales(1, {", "post_ops.append_sum(0x1p+1f)",
                           "reorder.execute(stream", "dst_at[] = {0, 3}", "return wrong > 0"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  EXPECT_EQ(statements("dst[2] of src 3", expected), "");
  EXPECT_EQ(statements("dst[1]", expected), "");
  EXPECT_EQ(statements("the result[1] of src 3", expected), "");
  EXPECT_EQ(statements("dst[1] of src 3", expected + "0"), "");
}

TEST(ReorderCase, WritesZeroPointsAsCalls) {
  const std::string line = "src=f32:2:a dst=f32:2:a zs=10 zdrt=-3 values=index seed=0";
  const ReorderCase c = ReorderCase::Parse(Fields::Parse(line));
  EXPECT_EQ(c.attributes.src_zero.effective(), 10);
  EXPECT_EQ(c.attributes.dst_zero.effective(), -3);
  EXPECT_FALSE(c.attributes.none());
  Fields printed;
  c.Print(&printed);
  EXPECT_EQ(printed.ToString(), line);
  const std::vector<spec::Bits> source = c.Source(), old = c.Old();
  const std::string expected =
      spec::ExpectedText(c.Element(1, source[1], old[1], c.Scales()), spec::Strictness::kProject);
  const std::string text = c.Statements(Profile::kProject, "dst[1] of src 3", expected);
  for (const char* part : {"attr.set_zero_points(DNNL_ARG_SRC, 0, {10})",
                           "attr.set_zero_points(DNNL_ARG_DST, 0, {DNNL_RUNTIME_S32_VAL})",
                           "static int32_t dst_zero_point = -3;",
                           "{DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST, dst_zero_point_memory}"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  // Set in advance, 0 is none, and the least value is the wildcard.
  const auto parse = [](const char* zero) {
    return Fields::Parse(std::string("src=f32:2:a dst=f32:2:a ") + zero + " values=index seed=0");
  };
  EXPECT_EQ(ReorderCase::Parse(parse("zs=0")).attributes.src_zero.effective(), std::nullopt);
  EXPECT_EQ(ReorderCase::Parse(parse("zsrt=0")).attributes.src_zero.effective(), 0);
  const Fields least = parse("zs=-2147483648");
  ReorderCase::Parse(least);
  EXPECT_NE(least.error(), "");
  const Fields at_execution = parse("zsrt=-2147483648");
  ReorderCase::Parse(at_execution);
  EXPECT_EQ(at_execution.error(), "");
}

TEST(ReorderCase, KeepsToItsLimits) {
  Random random(1);
  ReorderLimits limits;
  limits.from = {Type::kBF16};
  limits.to = {Type::kS8};
  limits.layouts = Layouts::kTags;
  for (int i = 0; i < 1000; ++i) {
    const ReorderCase c = AnyReorderCase(random, limits);
    EXPECT_EQ(c.src.type, Type::kBF16);
    EXPECT_EQ(c.dst.type, Type::kS8);
    EXPECT_NE(c.src.layout.tag, "");
    EXPECT_NE(c.dst.layout.tag, "");
    EXPECT_TRUE(c.attributes.none());
  }
}

TEST(ReorderCase, RefusesWhatMeansNothing) {
  const Fields accepted =
      Fields::Parse("src=f32:2x3:ab dst=s8:2x3:ba mask=2 scales=pow2 values=finite seed=7");
  ReorderCase::Parse(accepted);
  EXPECT_EQ(accepted.error(), "");
  for (const char* bad :
       {"src=f32:2x3:ab dst=s8:3x2:ba values=finite seed=7",
        "src=f32:2x3:ab dst=s8:2x3:ba mask=4 scales=pow2 values=finite seed=7",
        "src=f32:2x3:ab dst=s8:2x3:ba values=odd seed=7", "src=f32:2x3:ab values=finite seed=7",
        "src=f32:2x3:ab dst=s8:2x3:ba values=finite to=up seed=7"}) {
    const Fields fields = Fields::Parse(bad);
    ReorderCase::Parse(fields);
    EXPECT_NE(fields.error(), "") << bad;
  }
}

TEST(ReorderCase, ShrinksToLegalCasesAndEnds) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    ReorderCase c = AnyReorderCase(random, WithAttributes());
    int steps = 0;
    for (auto simpler = c.Simpler(); !simpler.empty(); simpler = c.Simpler()) {
      for (const ReorderCase& candidate : simpler) {
        const Fields fields = Fields::Parse(Print(candidate));
        ReorderCase::Parse(fields);
        ASSERT_EQ(fields.error(), "") << Print(candidate);
      }
      c = simpler[random.Between(0, static_cast<int64_t>(simpler.size()) - 1)];
      ASSERT_LT(++steps, 500) << Print(c);
    }
    EXPECT_EQ(Print(c), "src=f32:1:a dst=f32:1:a values=index seed=0");
  }
}

TEST(ReorderCase, TellsTheOracleWhichScaleAnElementHas) {
  ReorderCase c;
  c.src = *ParseTensor("f32:2x3:ab");
  c.dst = *ParseTensor("f32:2x3:ba");
  c.attributes.scales = ScaleKind::kPowersOfTwo;
  c.attributes.mask = 2;
  const std::vector<float> scales = c.Scales();
  ASSERT_EQ(scales.size(), 3u);
  EXPECT_EQ(c.Element(4, 0, 0, scales).alpha, scales[1]);  // element 1,1
  EXPECT_TRUE(c.Element(4, 0, 0, scales).scaled);
  c.attributes = {};
  EXPECT_FALSE(c.Element(4, 0, 0, {1}).scaled);
  c.attributes.scales = ScaleKind::kLiteral;  // a common scale of 1 is none (ATTR-035)
  EXPECT_FALSE(c.Element(4, 0, 0, {1}).scaled);
  EXPECT_TRUE(c.Element(4, 0, 0, {2}).scaled);
  c.attributes.run_time = true;
  EXPECT_TRUE(c.Element(4, 0, 0, {1}).scaled);
}

TEST(IsByteCopy, IsTrueOnlyWhereNothingMoves) {
  const auto is = [](const char* src, const char* dst) {
    ReorderCase c;
    c.src = *ParseTensor(src);
    c.dst = *ParseTensor(dst);
    return IsByteCopy(c);
  };
  EXPECT_TRUE(is("f32:2x3:ab", "f32:2x3:s3,1"));
  EXPECT_TRUE(is("f32:1x3:ab", "f32:1x3:s9,1"));
  EXPECT_FALSE(is("f32:2x3:ab", "f32:2x3:ba"));
  EXPECT_FALSE(is("f32:2x3:ab", "s32:2x3:ab"));
  EXPECT_FALSE(is("f32:2x3:ab", "f32:2x3:s4,1"));
}

TEST(TypePairs, AreAllThirtySix) { EXPECT_EQ(TypePairs().size(), 36u); }

TEST(OtherShapes, NeverFit) {
  Random random(1);
  const Cases<ShapePair> cases = OtherShapes();
  int ranks = 0;
  for (int i = 0; i < 2000; ++i) {
    const ShapePair pair = cases.at(i, random);
    EXPECT_NE(pair.src.dims, pair.dst.dims) << Print(pair);
    ranks += pair.src.rank() != pair.dst.rank();
    const Fields fields = Fields::Parse(Print(pair));
    EXPECT_EQ(Print(ShapePair::Parse(fields)), Print(pair));
    EXPECT_EQ(fields.error(), "");
  }
  EXPECT_GT(ranks, 500);
}

TEST(BroadcastShapes, DifferInOneAxisOfSizeOne) {
  Random random(1);
  const Cases<ShapePair> cases = BroadcastShapes();
  for (int i = 0; i < 2000; ++i) {
    const ShapePair pair = cases.at(i, random);
    ASSERT_EQ(pair.src.rank(), pair.dst.rank());
    int different = 0;
    for (int j = 0; j < pair.src.rank(); ++j) {
      if (pair.src.dims[j] == pair.dst.dims[j]) continue;
      ++different;
      EXPECT_TRUE(pair.src.dims[j] == 1 || pair.dst.dims[j] == 1);
    }
    EXPECT_EQ(different, 1) << Print(pair);
  }
}

ReorderCase Narrowing(Type from, Type to) {
  ReorderCase c;
  c.src = {from, {1}, Plainest({1})};
  c.dst = {to, {1}, Plainest({1})};
  return c;
}

TEST(IsFlushed, HoldsOfSubnormalsThatAreNarrowed) {
  const ReorderCase c = Narrowing(Type::kF32, Type::kBF16);
  const auto element = [&](float value) { return c.ElementWith(1, WordOf(value), 0); };
  EXPECT_TRUE(IsFlushed(c, element(1e-39f), 0));
  EXPECT_TRUE(IsFlushed(c, element(-1e-39f), 0x8000));
  EXPECT_FALSE(IsFlushed(c, element(-1e-39f), 0));  // the sign is kept
  EXPECT_FALSE(IsFlushed(c, element(1e-30f), 0));
  EXPECT_FALSE(IsFlushed(c, element(1e-39f), 1));
}

TEST(IsFlushed, HoldsOfNothingElse) {
  const ReorderCase to_half = Narrowing(Type::kF32, Type::kF16);
  // -0 to +0, and the largest number for what overflows.
  EXPECT_FALSE(IsFlushed(to_half, to_half.ElementWith(1, WordOf(-0.0f), 0), 0));
  EXPECT_FALSE(IsFlushed(to_half, to_half.ElementWith(1, WordOf(1e9f), 0), 0x7bff));
  // A copy moves bits.
  const ReorderCase copy = Narrowing(Type::kBF16, Type::kBF16);
  EXPECT_FALSE(IsFlushed(copy, copy.ElementWith(1, 1, 0), 0));
  // Widening is none: the f32 is no subnormal of it.
  const ReorderCase widens = Narrowing(Type::kF16, Type::kF32);
  EXPECT_FALSE(IsFlushed(widens, widens.ElementWith(1, 1, 0), 0));
}

}  // namespace
}  // namespace conformance
