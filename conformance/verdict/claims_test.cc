#include "conformance/verdict/claims.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/asked.h"
#include "conformance/case/property.h"
#include "conformance/case/testing/toys.h"
#include "conformance/case/trial.h"
#include "conformance/judge/judge.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

const NamesByTopic& Names() {
  static const auto* const names =
      new NamesByTopic{{"REO-010", "reorder"}, {"REO-010/far", "reorder"}, {"REO-056", "reorder"},
                       {"REO-057", "reorder"}, {"SHU-020", "shuffle"},     {"MD-026", "memory"}};
  return *names;
}

Claims Parse(const std::string& text) { return ParseClaims(text, "my.claims", Names()); }

const std::string kHead = "dnnspec-claims 1\nengines cpu\n";

// What is wrong with a third line.
std::string Problem(const std::string& line) { return Parse(kHead + line + "\n").error; }
// With one inside a topic.
std::string TopicProblem(const std::string& line) {
  return Parse(kHead + "topic reorder\n" + line + "\n").error;
}

const spec::Requirement& Requirement(const char* id) { return *spec::FindRequirement(id); }

TEST(Claims, AreReadLineByLine) {
  const Claims claims = Parse(
      "# ours\n"
      "dnnspec-claims 1\n"
      "engines cpu gpu  # both\n"
      "profile project\n"
      "\n"
      "topic reorder\n"
      "  types f32 s8\n"
      "  ranks 1-3 5\n"
      "  except f32->s8\n"
      "  without REO-056 no scales along axes\n"
      "topic shuffle\n"
      "  only SHU-*\n");
  ASSERT_EQ(claims.error, "");
  EXPECT_EQ(claims.engines.size(), 2u);
  EXPECT_EQ(claims.profile, Profile::kProject);
  ASSERT_EQ(claims.topics.size(), 2u);
  const TopicClaim& reorder = claims.topics[0];
  EXPECT_EQ(reorder.types, (std::set<std::string>{"f32", "s8"}));
  EXPECT_EQ(reorder.ranks.to_ulong(), 0b101110u);
  EXPECT_EQ(reorder.except.size(), 1u);
  EXPECT_EQ(reorder.without.at(0).reason, "no scales along axes");
  EXPECT_EQ(reorder.without.at(0).place, "my.claims:10");
  EXPECT_TRUE(reorder.by_case());
  EXPECT_FALSE(claims.topics[1].by_case());
  EXPECT_FALSE(claims.topics[1].complete());
}

TEST(Claims, OfATopicAloneAreTheWholeTopic) {
  const Claims claims = Parse(kHead + "topic shuffle\n");
  EXPECT_TRUE(claims.Find("shuffle")->complete());
  EXPECT_EQ(claims.Find("reorder"), nullptr);
}

TEST(Claims, OfNothingAreClaimsToo) { EXPECT_EQ(Parse(kHead).error, ""); }

TEST(Claims, BeginWithTheVersionOfTheFormat) {
  EXPECT_EQ(Parse("topic reorder\n").error,
            "my.claims:1: the first line is 'dnnspec-claims 1', not 'topic'");
  EXPECT_EQ(Parse("dnnspec-claims 2\n").error,
            "my.claims:1: version '2' of the format is unknown; allowed: 1");
  EXPECT_EQ(Parse("").error, "my.claims:1: the file ends before 'dnnspec-claims 1'");
}

TEST(Claims, NameTheEngines) {
  EXPECT_EQ(Parse("dnnspec-claims 1\n").error,
            "my.claims:2: the file ends without 'engines'; allowed: cpu, gpu");
  EXPECT_EQ(Parse("dnnspec-claims 1\nengines tpu\n").error,
            "my.claims:2: 'tpu' is no engine; allowed: cpu, gpu");
  EXPECT_EQ(Problem("engines gpu"), "my.claims:3: 'engines' is given twice");
}

TEST(Claims, SayWhatWasAllowedInThePlaceOfWhatIsWrong) {
  EXPECT_EQ(Problem("tpoic reorder"),
            "my.claims:3: unknown directive 'tpoic'; allowed: engines, profile, topic, types, "
            "ranks, layouts, directions, attributes, except, only, without");
  EXPECT_EQ(Problem("profile strict"),
            "my.claims:3: 'strict' is no profile; allowed: portable, project");
  EXPECT_EQ(Problem("topic nonsense")
                .rfind("my.claims:3: 'nonsense' is no topic; allowed: model, memory, ", 0),
            0u);
  EXPECT_EQ(Problem("types f32"), "my.claims:3: 'types' stands before the first 'topic'");
  EXPECT_EQ(TopicProblem("types f32 f64"),
            "my.claims:4: 'f64' is no data type; allowed: f32, bf16, f16, s32, s8, u8, all");
  EXPECT_EQ(TopicProblem("types"),
            "my.claims:4: 'types' names no data type; allowed: f32, bf16, f16, s32, s8, u8");
  for (const char* rank : {"13", "4-2", "two", "1-", "-1", "1-99999999999999999999"})
    EXPECT_EQ(TopicProblem(std::string("ranks ") + rank),
              "my.claims:4: '" + std::string(rank) +
                  "' is no rank; allowed: numbers and ranges from 0 to 12, all");
  EXPECT_EQ(TopicProblem("layouts nchw"),
            "my.claims:4: 'nchw' is no layout; allowed: dense, strided, regions, blocked, any");
  EXPECT_EQ(TopicProblem("directions"),
            "my.claims:4: 'directions' names nothing; allowed: forward, backward_data, "
            "backward_weights");
  EXPECT_EQ(TopicProblem("attributes none sum"),
            "my.claims:4: 'none' is no attribute; allowed: scales, masks, run_time, zero_points, "
            "sum, eltwise");
  EXPECT_EQ(TopicProblem("except f32"), "my.claims:4: 'f32' is no pair; allowed: TYPE->TYPE");
  EXPECT_EQ(TopicProblem("without REO-999 because"),
            "my.claims:4: 'REO-999' is no requirement and no property of topic reorder");
  EXPECT_EQ(TopicProblem("without SHU-* because"),
            "my.claims:4: 'SHU-*' is no requirement and no property of topic reorder");
  EXPECT_EQ(TopicProblem("without REO-056"), "my.claims:4: 'without REO-056' gives no reason");
  EXPECT_EQ(TopicProblem("only"),
            "my.claims:4: 'only' names nothing; allowed: a requirement, a property, PREFIX*");
  EXPECT_EQ(TopicProblem("only REO-010 REO-011"),
            "my.claims:4: 'only REO-010' is followed by 'REO-011'; allowed: one name on a line");
}

TEST(Claims, RefuseWhatStandsThereAlready) {
  EXPECT_EQ(TopicProblem("topic reorder"),
            "my.claims:4: topic 'reorder' stands at my.claims:3 already");
  EXPECT_EQ(TopicProblem("types f32 s8 f32"), "my.claims:4: 'f32' is named twice");
  EXPECT_EQ(TopicProblem("except f32->s8 f32->s8"), "my.claims:4: 'f32->s8' is named twice");
  EXPECT_EQ(TopicProblem("except f32->s8 s8->f32"), "");
  EXPECT_EQ(TopicProblem("layouts any dense any"), "my.claims:4: 'any' is named twice");
  EXPECT_EQ(TopicProblem("layouts any\nlayouts dense"), "my.claims:5: 'layouts' is given twice");
  EXPECT_EQ(TopicProblem("attributes none\nattributes sum"),
            "my.claims:5: 'attributes' is given twice");
  EXPECT_EQ(ParseClaims("dnnspec-claims 1\nengines cpu cpu\n", "my.claims", {}).error,
            "my.claims:2: 'cpu' is named twice");
  EXPECT_EQ(TopicProblem("types f32\ntypes s8"),
            "my.claims:5: 'types' is given twice for topic reorder");
  EXPECT_EQ(TopicProblem("types f32\ntopic shuffle\ntypes s8"), "");
}

TEST(Outside, IsWhatNoLineClaims) {
  const Claims claims = Parse(kHead +
                              "topic reorder\n"
                              "without REO-05* no scales\n"
                              "without REO-010/far too far\n");
  const auto outside = [&](const char* id, const char* property,
                           EngineChoice engine = EngineChoice::kCpu) {
    return claims.Outside(engine, Requirement(id), property, "");
  };
  EXPECT_EQ(outside("REO-010", "REO-010"), "");
  EXPECT_EQ(outside("REO-010", "REO-010/far"), "not claimed: too far");
  EXPECT_EQ(outside("REO-056", "REO-056"), "not claimed: no scales");
  EXPECT_EQ(outside("SHU-020", "SHU-020"), "not claimed: topic shuffle");
  EXPECT_EQ(outside("REO-010", "REO-010", EngineChoice::kGpu), "not claimed: engine gpu");
}

TEST(Outside, IsAllButWhatIsClaimedAlone) {
  const Claims claims = Parse(kHead + "topic reorder\nonly REO-010\n");
  EXPECT_EQ(claims.Outside(EngineChoice::kCpu, Requirement("REO-010"), "REO-010/far", ""), "");
  EXPECT_EQ(claims.Outside(EngineChoice::kCpu, Requirement("REO-056"), "REO-056", ""),
            "not claimed: REO-056");
}

// A property of `id` that is defined in `file`.
PropertyOver<Number> DefinedIn(const char* id, const char* file) {
  return PropertyOver<Number>(
      Requirement(id), "", AnyNumber(), [](const Number&, Trial&) {}, {}, file);
}

TEST(GuestTopicOf, IsThePrimitiveThatJudgesAnotherChapter) {
  EXPECT_EQ(GuestTopicOf(DefinedIn("MEM-001", "conformance/shuffle/layouts.cc")), "shuffle");
  EXPECT_EQ(GuestTopicOf(DefinedIn("MEM-001", "external/dnnspec/conformance/shuffle/a.cc")),
            "shuffle");
  EXPECT_EQ(GuestTopicOf(DefinedIn("SHU-020", "conformance/shuffle/formula.cc")), "");
  EXPECT_EQ(GuestTopicOf(DefinedIn("MEM-001", "conformance/model/objects.cc")), "");
  EXPECT_EQ(GuestTopicOf(DefinedIn("MEM-001", "conformance/hostile/toy.cc")), "");
}

TEST(Outside, IsAGuestWhosePrimitiveIsNotClaimed) {
  const Claims claims = Parse(kHead + "topic memory\ntopic reorder\n");
  const auto outside = [&](const char* guest) {
    return claims.Outside(EngineChoice::kCpu, Requirement("MEM-001"), "MEM-001/a", guest);
  };
  EXPECT_EQ(outside(""), "");
  EXPECT_EQ(outside("reorder"), "");
  EXPECT_EQ(outside("shuffle"), "not claimed: topic shuffle");
}

TEST(ApplyClaims, AsksBothChaptersOfAGuest) {
  const Claims claims = Parse(kHead + "topic memory\ntypes f32 s8\ntopic reorder\ntypes f32\n");
  const auto outside = [&](const char* file) {
    RunOptions run_options;
    ApplyClaims(&claims, DefinedIn("MEM-001", file), &run_options);
    EXPECT_TRUE(run_options.claimed);
    return run_options.outside("MEM-001 src=s8:2:a");
  };
  EXPECT_EQ(outside("conformance/memory/a.cc"), "");
  EXPECT_EQ(outside("conformance/reorder/a.cc"), "not claimed: s8");
  RunOptions run_options;
  ApplyClaims(&claims, DefinedIn("MEM-001", "conformance/shuffle/a.cc"), &run_options);
  EXPECT_FALSE(run_options.claimed);
  ApplyClaims(nullptr, DefinedIn("MEM-001", "conformance/shuffle/a.cc"), &run_options);
  EXPECT_FALSE(run_options.claimed);
  EXPECT_EQ(run_options.guest, "shuffle");
}

TEST(ApplyClaims, AsksTheChapterOfThePrimitiveThatRefused) {
  const Claims claims = Parse(kHead + "topic memory\ntopic reorder\ntypes f32\n");
  RunOptions run_options;
  ApplyClaims(&claims, DefinedIn("MEM-001", "conformance/memory/a.cc"), &run_options);
  EXPECT_EQ(run_options.outside, nullptr);
  const auto refused = [&](const char* primitive, const char* type) {
    return run_options.refused_outside({primitive, "", {type}, 2, {}});
  };
  EXPECT_EQ(refused("reorder", "f32"), "");
  EXPECT_EQ(refused("reorder", "s8"), "not claimed: s8");
  EXPECT_EQ(refused("shuffle", "f32"), "not claimed: topic shuffle");
}

TEST(OutsideOf, LooksAtTheTensorsOfALine) {
  TopicClaim claim;
  claim.types = {"f32", "s8"};
  claim.ranks.reset(5);
  claim.except.emplace("s8", "f32");
  const auto outside = [&](const std::string& line) { return OutsideOf(claim, line); };
  EXPECT_EQ(outside("REO-010 src=f32:2x3x4:s12,4,1 dst=s8:2x3x4:abc seed=7"), "");
  EXPECT_EQ(outside("REO-010 src=f32:2x3:ab dst=u8:2x3:ab"), "not claimed: u8");
  EXPECT_EQ(outside("SHU-020 dir=fwd src=f32:1x2x3x4x5:abcde axis=1"), "not claimed: rank 5");
  EXPECT_EQ(outside("DT-009 from=s8 to=f32 all=0+256"), "not claimed: s8->f32");
  EXPECT_EQ(outside("DT-009 from=f32 to=s8 all=0+256"), "");
  EXPECT_EQ(outside("MD-026 dims=1,2,3,4,5"), "not claimed: rank 5");
  EXPECT_EQ(outside("MD-026 dims=1,2,3,4 type=f16"), "not claimed: f16");
  EXPECT_EQ(outside("STR-004 seed=3"), "");
}

TEST(OutsideOf, LooksAtLayouts) {
  TopicClaim claim;
  claim.layouts = {"dense"};
  const auto outside = [&](const std::string& line) { return OutsideOf(claim, line); };
  EXPECT_EQ(outside("REO-010 src=f32:2x3x4:s12,1,3 dst=s8:2x3x4:acb"), "");
  EXPECT_EQ(outside("REO-010 src=f32:2x1x4:s4,77,1 dst=s8:0x4:s9,9"), "");
  EXPECT_EQ(outside("REO-010 src=f32:2x3:s4,1"), "not claimed: layout strided");
  EXPECT_EQ(outside("REO-010 src=f32:2x3:s0,1"), "not claimed: layout strided");
  EXPECT_EQ(outside("REO-010 src=f32:2:sub(9:s3@2)"), "not claimed: layout regions");
  EXPECT_EQ(outside("OPT-045 src=s8:2x19:s32,16:b16@1"), "not claimed: layout blocked");
  EXPECT_EQ(outside("OPT-045 src=u8:3x4:s4,1:b-"), "");
  EXPECT_EQ(outside("OPT-045 src=f32:3x4:s4,1:b-:o4"), "not claimed: layout strided");
  EXPECT_EQ(outside("IP-020 dir=fwd src=f32:abcd wei=f32:any"), "not claimed: layout any");
  claim.layouts = {"any", "strided"};
  EXPECT_EQ(outside("IP-020 src=f32:s9,1 wei=f32:any"), "");
  EXPECT_EQ(outside("IP-020 src=f32:ab wei=f32:any"), "not claimed: layout dense");
}

TEST(OutsideOf, LooksAtDirectionsAndAttributes) {
  TopicClaim claim;
  claim.directions = {"forward", "backward_weights"};
  claim.attributes.emplace();
  const auto outside = [&](const std::string& line) { return OutsideOf(claim, line); };
  EXPECT_EQ(outside("IP-020 dir=fwd mb=2 src=f32:ab"), "");
  EXPECT_EQ(outside("IP-040 dir=bwd_weights"), "");
  EXPECT_EQ(outside("IP-030 dir=bwd_data"), "not claimed: backward_data");
  EXPECT_EQ(outside("SHU-020 dir=bwd"), "not claimed: backward_data");
  EXPECT_EQ(outside("CONV-021 what=bwd_data:one-less"), "not claimed: backward_data");
  EXPECT_EQ(outside("CONV-021 what=bwd_weights:one-less"), "");
  EXPECT_EQ(outside("CONV-160 what=backward-data"), "not claimed: backward_data");
  EXPECT_EQ(outside("CONV-160 what=backward-weights"), "");
  EXPECT_EQ(outside("SHU-006 what=backward_data"), "");
  EXPECT_EQ(outside("REO-050 src=f32:2:a mask=0 alpha=0.5"), "not claimed: scales");
  EXPECT_EQ(outside("REO-060 src=f32:2:a beta=0.5"), "not claimed: sum");
  EXPECT_EQ(outside("REO-ZP-001 zs=3"), "not claimed: zero_points");
  EXPECT_EQ(outside("IP-050 dir=fwd post=relu:1:0:0"), "not claimed: eltwise");
  EXPECT_EQ(outside("ELT-036 dir=fwd alg=linear alpha=2 beta=3 data=f32:2:a"), "");
  claim.attributes = {"scales", "sum"};
  EXPECT_EQ(outside("REO-050 mask=0 alpha=0.5 beta=2"), "");
  EXPECT_EQ(outside("REO-050 mask=0 alpha=0.5 rt=1"), "not claimed: run_time");
  EXPECT_EQ(outside("REO-056 mask=2 scales=pow2"), "not claimed: masks");
  EXPECT_EQ(outside("IP-050 scale=common post=sum:0.5"), "");
  EXPECT_EQ(outside("IP-050 scale=channel"), "not claimed: masks");
  EXPECT_EQ(outside("IP-050 scale=common post=sum:0.5,relu:1:0.25:0"), "not claimed: eltwise");
  EXPECT_EQ(outside("REO-ZP-002 zdrt=3"), "not claimed: run_time");
}

// Of cases written by hand, whose lines have a name alone.
TEST(OutsideOf, LooksAtWhatWasRefused) {
  TopicClaim claim;
  claim.types = {"f32", "s8"};
  claim.attributes = {"sum"};
  const auto outside = [&](std::vector<std::string> types, std::vector<std::string> features) {
    return OutsideOf(claim, Asked{"convolution", "forward", std::move(types), 4, features});
  };
  EXPECT_EQ(outside({"f32", "f32", "f32"}, {"bias f32", "sum", "winograd"}), "");
  EXPECT_EQ(outside({"u8", "s8", "f32"}, {}), "not claimed: u8");
  EXPECT_EQ(outside({"s8", "s8", "s8"}, {"bias s32"}), "not claimed: s32");
  EXPECT_EQ(outside({"f32"}, {"sum", "eltwise relu"}), "not claimed: eltwise");
  EXPECT_EQ(outside({"f32"}, {"eltwise"}), "not claimed: eltwise");
  EXPECT_EQ(outside({"f32"}, {"scale"}), "not claimed: scales");
  EXPECT_EQ(outside({"f32"}, {"mask"}), "not claimed: masks");
  EXPECT_EQ(outside({"f32"}, {"run-time scales"}), "not claimed: run_time");
  EXPECT_EQ(outside({"f32"}, {"zero points"}), "not claimed: zero_points");
  claim.attributes.reset();
  EXPECT_EQ(outside({"f32"}, {"zero points", "eltwise tanh"}), "");
  const auto outside_of = [&](std::string direction) {
    return OutsideOf(claim, Asked{"convolution", std::move(direction), {"f32"}, 4, {}});
  };
  EXPECT_EQ(outside_of("backward data"), "");
  claim.directions = {"forward"};
  EXPECT_EQ(outside_of("forward"), "");
  EXPECT_EQ(outside_of(""), "");
  EXPECT_EQ(outside_of("backward"), "not claimed: backward_data");
  EXPECT_EQ(outside_of("backward data"), "not claimed: backward_data");
  EXPECT_EQ(outside_of("backward weights"), "not claimed: backward_weights");
}

}  // namespace
}  // namespace conformance
