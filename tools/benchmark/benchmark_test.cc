// The table is whole and every case of it can be measured. Nothing here depends on how fast
// anything is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/instructions.h"
#include "tools/benchmark/measure.h"
#include "tools/benchmark/peers/process.h"
#include "tools/benchmark/results.h"

namespace bench {
namespace {

using testing::HasSubstr;
using testing::IsSupersetOf;

bool Permutes(const Case& c) { return c.kind == Kind::kReorder && c.src.strides != c.dst.strides; }

// Less of the same: the layouts keep their strides.
Case CutDown(Case c) {
  if (c.kind == Kind::kInnerProduct) {
    c.product.batch = std::min<int64_t>(c.product.batch, 8);
    c.product.outputs = std::min<int64_t>(c.product.outputs, 40);
    for (int64_t& extent : c.product.inputs) extent = std::min<int64_t>(extent, 50);
    return c;
  }
  if (c.kind == Kind::kConvolution) {
    Convolution& convolution = c.convolution;
    convolution.groups = std::min<int64_t>(convolution.groups, 6);
    convolution.ic = std::min<int64_t>(convolution.ic, 20);
    convolution.oc = std::min<int64_t>(convolution.oc, 20);
    for (int64_t& extent : convolution.inputs) extent = std::min<int64_t>(extent, 9);
    return c;
  }
  while (c.src.bytes() + c.dst.bytes() > (128 << 10) && c.src.dims[0] > 1)
    c.src.dims[0] = c.dst.dims[0] = (c.src.dims[0] + 1) / 2;
  if (c.kind == Kind::kShuffle && c.axis == 0) c.src.dims[0] = c.dst.dims[0] = c.group_size * 2;
  return c;
}

TEST(Table, NamesEveryCaseOnce) {
  std::set<std::string> names;
  for (const Case& c : AllCases())
    EXPECT_TRUE(names.insert(c.group + "/" + c.name).second) << c.name;
  EXPECT_GE(names.size(), 40u);
}

TEST(Table, HasEveryPairOfTypesWithAndWithoutPermutationAndScales) {
  std::set<std::string> seen;
  for (const Case& c : AllCases()) {
    if (c.kind != Kind::kReorder) continue;
    seen.insert(c.src.type + c.dst.type + (Permutes(c) ? "p" : "-") +
                (c.scale_mask >= 0 ? "s" : "-"));
  }
  for (const char* src : {"f32", "bf16", "f16", "s32", "s8", "u8"}) {
    for (const char* dst : {"f32", "bf16", "f16", "s32", "s8", "u8"}) {
      if (std::string(src) == dst) continue;
      for (const char* how : {"--", "p-", "-s", "ps"})
        EXPECT_EQ(seen.count(std::string(src) + dst + how), 1u) << src << "->" << dst << " " << how;
    }
  }
}

TEST(Table, ShufflesEveryTypeAxisAndGroupSizeBothWays) {
  std::set<std::string> types;
  std::set<int64_t> groups;
  std::set<int> axes;
  std::set<size_t> ranks;
  std::set<bool> directions, innermost;
  for (const Case& c : AllCases()) {
    if (c.kind != Kind::kShuffle) continue;
    types.insert(c.src.type);
    groups.insert(c.group_size);
    axes.insert(c.axis);
    ranks.insert(c.src.dims.size());
    directions.insert(c.forward);
    innermost.insert(c.src.strides[static_cast<size_t>(c.axis)] == 1);
  }
  EXPECT_THAT(types, IsSupersetOf({"f32", "bf16", "f16", "s32", "s8", "u8"}));
  EXPECT_THAT(groups, IsSupersetOf({2, 3, 4, 8}));
  EXPECT_THAT(axes, IsSupersetOf({0, 1, 2, 3}));
  EXPECT_THAT(ranks, IsSupersetOf({size_t{2}, size_t{4}, size_t{5}}));
  EXPECT_EQ(directions.size(), 2u);
  EXPECT_EQ(innermost.size(), 2u);
}

TEST(Table, HasSumsScalesTinyTensorsAndCreations) {
  int sums = 0, per_channel = 0, tiny = 0, created = 0, strided = 0, shifted = 0;
  for (const Case& c : AllCases()) {
    sums += c.sum;
    shifted += c.src_zero != 0 || c.dst_zero != 0;
    per_channel += c.scale_mask > 0;
    tiny += c.kind == Kind::kReorder && c.src.bytes() <= 512;
    created += c.kind == Kind::kCreateNew || c.kind == Kind::kCreateSeen;
    strided += c.src.span_bytes() > c.src.bytes();
  }
  EXPECT_GE(sums, 4);
  EXPECT_GE(per_channel, 4);
  EXPECT_GE(tiny, 3);
  EXPECT_GE(created, 2);
  EXPECT_GE(strided, 3);
  EXPECT_GE(shifted, 9);
}

TEST(Table, HasInnerProductsOfEveryDirectionAndTypeWithOneRowAndOneOutput) {
  std::set<Direction> directions;
  std::set<std::string> types;
  int one_row = 0, one_output = 0, tiny = 0;
  for (const Case& c : AllCases()) {
    if (c.kind != Kind::kInnerProduct) continue;
    directions.insert(c.product.direction);
    types.insert(c.product.src);
    one_row += c.product.batch == 1;
    one_output += c.product.outputs == 1;
    tiny += c.product.flops() <= 1024;
  }
  EXPECT_EQ(directions.size(), 3u);
  EXPECT_THAT(types, IsSupersetOf({"f32", "bf16", "u8"}));
  EXPECT_GE(one_row, 5);
  EXPECT_GE(one_output, 5);
  EXPECT_GE(tiny, 5);
}

TEST(Table, HasEltwisesBothWaysOfEveryType) {
  std::set<std::string> forward, backward;
  for (const Case& c : AllCases()) {
    if (c.kind != Kind::kEltwise) continue;
    (c.forward ? forward : backward).insert(c.src.type);
  }
  EXPECT_THAT(forward, IsSupersetOf({"f32", "bf16", "f16", "s32", "s8", "u8"}));
  EXPECT_THAT(backward, IsSupersetOf({"f32", "bf16"}));
}

TEST(Table, HasConvolutionsOfNetworksBothWaysOfEveryRankAndType) {
  std::set<std::string> groups, types;
  std::set<Direction> directions;
  std::set<size_t> ranks;
  int depthwise = 0, grouped = 0, strided = 0, pointwise = 0, tiny = 0, created = 0;
  for (const Case& c : AllCases()) {
    const Convolution& convolution = c.convolution;
    if (convolution.oc == 0) continue;
    created += c.kind != Kind::kConvolution;
    if (c.kind != Kind::kConvolution) continue;
    groups.insert(c.group);
    types.insert(convolution.src);
    directions.insert(convolution.direction);
    ranks.insert(convolution.inputs.size());
    const bool each = convolution.groups > 1 && convolution.ic == 1 && convolution.oc == 1;
    depthwise += each;
    grouped += convolution.groups > 1 && !each;
    strided += convolution.strides[0] > 1;
    pointwise += convolution.kernel == Dims{1, 1};
    tiny += convolution.flops() <= 20000;
    for (const int64_t extent : convolution.outputs()) EXPECT_GE(extent, 1) << c.name;
  }
  EXPECT_THAT(groups, IsSupersetOf({"convolution ResNet-50", "convolution MobileNet v1",
                                    "convolution MobileNet v2", "convolution ShuffleNet v1",
                                    "convolution ShuffleNet v2", "convolution ResNeXt-50"}));
  EXPECT_THAT(types, IsSupersetOf({"f32", "bf16", "u8"}));
  EXPECT_EQ(directions.size(), 3u);
  EXPECT_THAT(ranks, IsSupersetOf({size_t{1}, size_t{2}, size_t{3}}));
  EXPECT_GE(depthwise, 20);
  EXPECT_GE(grouped, 15);
  EXPECT_GE(strided, 20);
  EXPECT_GE(pointwise, 40);
  EXPECT_GE(tiny, 5);
  EXPECT_GE(created, 2);
}

TEST(Product, CountsMultiplicationsAndAdditions) {
  const InnerProduct product = {Direction::kForward, 2, 3, {4, 5}, "f32", "f32", "f32"};
  EXPECT_DOUBLE_EQ(product.flops(), 2.0 * 2 * 3 * 20);
}

TEST(Convolution, CountsProductsOfItsGroupsAndOfThePadding) {
  Convolution convolution;
  convolution.groups = 3;
  convolution.ic = 4;
  convolution.oc = 5;
  convolution.inputs = {7, 6};
  convolution.kernel = {3, 1};
  convolution.strides = {2, 2};
  convolution.padding = {1, 0};
  EXPECT_EQ(convolution.outputs(), (Dims{4, 3}));
  EXPECT_DOUBLE_EQ(convolution.flops(), 2.0 * 3 * 4 * 5 * (4 * 3) * 3);
}

// Inner products and convolutions of other types, and of the algorithm auto.
bool IsComparedInF32(const Case& c) {
  return (c.kind == Kind::kInnerProduct && c.product.src != "f32") ||
         (c.kind == Kind::kConvolution && (c.convolution.src != "f32" || c.convolution.chooses));
}

TEST(Measure, MeasuresEveryCase) {
  Effort effort;
  effort.rounds = 1;
  effort.seconds_per_sample = 1e-6;
  Rows rows;
  for (const Case& c : AllCases()) {
    const Result result = Measure(CutDown(c), effort);
    EXPECT_TRUE(result.ran) << c.group << "/" << c.name;
    EXPECT_GT(result.seconds, 0) << c.group << "/" << c.name;
    const bool moves =
        c.kind == Kind::kReorder || c.kind == Kind::kShuffle || c.kind == Kind::kEltwise;
    EXPECT_EQ(result.copy_share > 0, moves) << c.group << "/" << c.name;
    EXPECT_EQ(result.bytes > 0, moves) << c.group << "/" << c.name;
    EXPECT_EQ(result.flops > 0, c.kind == Kind::kInnerProduct || c.kind == Kind::kConvolution)
        << c.group << "/" << c.name;
    EXPECT_EQ(result.direct_ratio > 0, IsComparedInF32(c)) << c.group << "/" << c.name;
    rows.push_back({c.group, c.name, result});
  }
  const std::string svg = PlotSvg("title", rows);
  EXPECT_EQ(svg.compare(0, 5, "<svg "), 0);
  EXPECT_THAT(svg, HasSubstr("</svg>"));
  for (const Row& row : rows) {
    if (row.result.copy_share == 0) continue;
    EXPECT_THAT(svg, HasSubstr(">" + row.group + "</text>"));
  }
}

Row Made(const std::string& name, double share, double ratio) {
  Row row{"group", name, {}};
  row.result.ran = true;
  row.result.seconds = 1e-6;
  row.result.bytes = 1e3;
  row.result.copy_share = share;
  row.result.stock_ratio = ratio;
  return row;
}

TEST(Summary, IsOfWhatWasComparable) {
  const Summary summary =
      Summarize({Made("a", 0.9, 1), Made("b", 0.8, 4), Made("c", 0.7, 0), Made("d", 0, 0)});
  EXPECT_EQ(summary.cases, 3);
  EXPECT_DOUBLE_EQ(summary.median_share, 0.8);
  EXPECT_EQ(summary.least_share_case, "group/c");
  EXPECT_EQ(summary.compared, 2);
  EXPECT_DOUBLE_EQ(summary.geomean_ratio, 2);
  EXPECT_EQ(summary.least_ratio_case, "group/a");
  EXPECT_EQ(ToString(Summarize({})), "nothing was measured");
}

TEST(Aims, AreOfListsThatHaveCases) {
  Rows rows;
  for (const Case& c : AllCases()) {
    rows.push_back({c.group, c.name, {}});
    rows.back().result.seconds = rows.back().result.stock_ratio = 1;
    if (IsComparedInF32(c)) rows.back().result.direct_ratio = 1;
  }
  EXPECT_EQ(AgainstAims(rows).size(), Aims().size());
}

TEST(Aims, AreBesideTheMeanAndTheWorstOfAList) {
  const auto made = [](const char* group, const char* name, double seconds, double stock_ratio) {
    Row row{group, name, {}};
    row.result.seconds = seconds;
    row.result.stock_ratio = stock_ratio;
    return row;
  };
  const std::vector<Outcome> outcomes = AgainstAims(
      {made("convolution ResNet-50", "a", 1, 0.5), made("convolution ResNet-50", "b", 1, 8),
       made("convolution ResNet-50", "refused by stock", 1, 0),
       made("inner product f32", "c", 1, 0.1),
       made("convolution create", "shape not seen", 2e-6, 0),
       made("convolution create", "other, shape not seen", 8e-6, 0)});
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_EQ(outcomes[0].cases, 2);
  EXPECT_DOUBLE_EQ(outcomes[0].geomean, 2);
  EXPECT_DOUBLE_EQ(outcomes[0].worst, 0.5);
  EXPECT_EQ(outcomes[0].worst_case, "convolution ResNet-50/a");
  EXPECT_DOUBLE_EQ(outcomes[1].geomean, 4e-6);
  EXPECT_DOUBLE_EQ(outcomes[1].worst, 8e-6);
  EXPECT_THAT(ToString(outcomes), HasSubstr("5.00 us"));
  EXPECT_EQ(ToString(AgainstAims({})), "");
}

TEST(Peers, AreComparedClassByClassByTheBestOfEachCase) {
  const auto made = [](const char* group, double slow, double fast) {
    Row row = Made("a", 0.5, 0);
    row.group = group;
    row.result.peers = {{"slow", slow, ""}, {"other", 0, "element 0"}, {"fast", fast, ""}};
    return row;
  };
  const Rows rows = {made("tiny", 3, 2), made("tiny", 1, 0.5), made("transpose 2-D", 3, 0),
                     Made("without peers", 0.1, 0)};
  const std::vector<PeerOutcome> outcomes = AgainstPeers(rows);
  ASSERT_EQ(outcomes.size(), 3u);
  EXPECT_EQ(outcomes[0].name, "tiny calls");
  EXPECT_EQ(outcomes[0].compared, 2);
  EXPECT_EQ(outcomes[0].behind, 1);
  EXPECT_DOUBLE_EQ(outcomes[0].geomean, 1);
  EXPECT_DOUBLE_EQ(outcomes[0].least, 0.5);
  EXPECT_EQ(outcomes[0].least_peer, "fast");
  EXPECT_EQ(outcomes[1].least_peer, "slow");
  EXPECT_EQ(outcomes[2].compared, 3);
  EXPECT_THAT(ToString(outcomes), HasSubstr("tiny/a, fast"));
  EXPECT_THAT(NotCompared(rows), HasSubstr("not compared: other, tiny/a: element 0\n"));
  EXPECT_EQ(ToString(AgainstPeers({Made("b", 0.5, 0)})), "");
}

TEST(Peers, HaveAClassForEveryReorderAndShuffle) {
  for (const Case& c : AllCases()) {
    if (c.kind != Kind::kReorder && c.kind != Kind::kShuffle) continue;
    Row row = Made(c.name, 0.5, 0);
    row.group = c.group;
    row.result.peers = {{"peer", 1, ""}};
    EXPECT_EQ(AgainstPeers({row}).size(), 2u) << c.group << "/" << c.name;
  }
}

TEST(Instructions, AreKnownByTheNameOfACap) {
  for (const char* cap : {"SSE4", "AVX2", "AVX512"})
    EXPECT_EQ(VariablesOf(cap).count("DNNSPEC_MAX_ISA"), 1u) << cap;
  EXPECT_TRUE(VariablesOf("AVX9").empty());
  EXPECT_EQ(InstructionsInUse(Peers())[0].library, "ours");
  EXPECT_NE(InstructionsInUse(Peers())[0].instructions, "unknown");
}

TEST(Instructions, BeyondACapAreFound) {
  const std::vector<InUse> all = {{"a", "AVX2"}, {"b", "unknown"}, {"c", "AVX512"}};
  EXPECT_EQ(Beyond("AVX512", all), "");
  EXPECT_EQ(Beyond("AVX2", all), "c uses AVX512");
  EXPECT_EQ(Beyond("SSE4", all), "a uses AVX2");
  EXPECT_EQ(ToString(all), "a AVX2, b unknown, c AVX512");
}

TEST(Plot, EscapesNamesAndMarksWhatIsSlowerThanStock) {
  const std::string svg = PlotSvg("a < b", {Made("f32->s8", 0.5, 0.5), Made("same", 0.5, 2)});
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
  EXPECT_THAT(svg, HasSubstr("f32-&gt;s8"));
  size_t marks = 0;
  for (size_t at = svg.find("circle class=\"w\""); at != std::string::npos;
       at = svg.find("circle class=\"w\"", at + 1))
    ++marks;
  EXPECT_EQ(marks, 2u);  // one in the legend
}

}  // namespace
}  // namespace bench
