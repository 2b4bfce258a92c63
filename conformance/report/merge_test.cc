// Parts of a run, put together. That shards of a real run add up to the run in one piece:
// cli/runner_test.
#include "conformance/report/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nlohmann/json.hpp"

namespace conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json Part(int index, int count, const std::vector<std::string>& ids,
          const std::string& topic = "") {
  json requirements = json::array();
  for (const std::string& id : ids)
    requirements.push_back({{"id", id}, {"verdict", "pass"}, {"cases", 10}});
  json run = {{"seed", 1},
              {"budget", nullptr},
              {"cases", 2000},
              {"command", "tools/conform" + (topic.empty() ? "" : " --topic=" + topic)},
              {"profile", "portable"},
              {"engine", "cpu"},
              {"filter", ""},
              {"topic", topic},
              {"jobs", 1},
              {"seconds", 1.5}};
  if (count > 1) run["shard"] = {{"index", index}, {"count", count}};
  return {{"suite", "dnnspec 0.1.0"},
          {"subject", "toy"},
          {"version", "1.0"},
          {"run", run},
          {"summary", {{"pass", ids.size()}, {"fail", 0}, {"cases", 10 * ids.size()}}},
          {"problems", json::array()},
          {"requirements", requirements}};
}

Merged Merge(const std::vector<json>& parts) {
  std::vector<std::string> documents;
  for (const json& part : parts) documents.push_back(part.dump());
  return MergeShards(documents);
}

TEST(MergeShards, GivesTheRequirementsInTheCataloguesOrderWhateverTheOrderOfParts) {
  const json one = Part(0, 2, {"REO-001", "SHU-001"}), two = Part(1, 2, {"ERR-001", "REO-002"});
  const Merged merged = Merge({one, two});
  ASSERT_EQ(merged.problem, "");
  const json whole = json::parse(merged.document);
  std::string ids;
  for (const json& requirement : whole["requirements"])
    ids += requirement["id"].get<std::string>() + " ";
  EXPECT_EQ(ids, "ERR-001 REO-001 REO-002 SHU-001 ");
  EXPECT_EQ(whole["summary"], json({{"pass", 4}, {"fail", 0}, {"cases", 40}}));
  EXPECT_EQ(whole["run"]["seconds"], 3.0);
  EXPECT_FALSE(whole["run"].contains("shard"));
  EXPECT_EQ(json::parse(Merge({two, one}).document), whole);
}

TEST(MergeShards, ChaptersMakeARunWithoutATopic) {
  const Merged merged =
      Merge({Part(0, 1, {"REO-001"}, "reorder"), Part(0, 1, {"SHU-001"}, "shuffle")});
  ASSERT_EQ(merged.problem, "");
  const json whole = json::parse(merged.document);
  EXPECT_EQ(whole["run"]["topic"], "");
  EXPECT_EQ(whole["run"]["command"], "tools/conform");
}

TEST(MergeShards, OneWholeRunIsItself) {
  const json one = Part(0, 1, {"REO-001"});
  EXPECT_EQ(json::parse(Merge({one}).document), one);
}

TEST(MergeShards, AShardWithoutRequirementsCounts) {
  EXPECT_EQ(Merge({Part(0, 2, {"REO-001"}), Part(1, 2, {})}).problem, "");
}

TEST(MergeShards, CountsThatNoIntegerHoldsTogetherAreTheMost) {
  json one = Part(0, 2, {"REO-001"}), two = Part(1, 2, {"REO-002"});
  one["requirements"][0]["cases"] = two["requirements"][0]["cases"] = INT64_MAX;
  EXPECT_THAT(Merge({one, two}).document, HasSubstr("\"cases\": 9223372036854775807,\n  \"fail\""));
}

TEST(MergeShards, ProblemsAreToldOnce) {
  json one = Part(0, 2, {"REO-001"}), two = Part(1, 2, {"REO-002"});
  one["problems"] = {"f:1: expired"};
  two["problems"] = {"f:1: expired", "f:2: stale"};
  EXPECT_EQ(json::parse(Merge({one, two}).document)["problems"],
            json({"f:1: expired", "f:2: stale"}));
}

TEST(MergeShards, ClaimsAreAddedUpAndTheWorstCounts) {
  const auto claims = [](std::vector<json> rows) {
    return json{{"file", "my.claims"}, {"verdicts", rows}};
  };
  const auto row = [](const json& part, const std::string& verdict, const char* key, int count) {
    return json{{"topic", "reorder"}, {"part", part}, {"verdict", verdict}, {key, count}};
  };
  json one = Part(0, 2, {"REO-001"}), two = Part(1, 2, {"REO-002"});
  one["partial"] = false;
  two["partial"] = true;
  one["claims"] =
      claims({row(nullptr, "conformant", "held", 3), row("rank 2", "conformant", "cases", 5)});
  two["claims"] =
      claims({row(nullptr, "not judged", "held", 0), row("s8", "conformant", "cases", 7),
              row("rank 2", "non-conformant", "cases", 2)});
  const json whole = json::parse(Merge({one, two}).document);
  EXPECT_EQ(whole["claims"],
            claims({row(nullptr, "conformant", "held", 3), row("s8", "conformant", "cases", 7),
                    row("rank 2", "non-conformant", "cases", 7)}));
  EXPECT_TRUE(whole["partial"]);
  two["claims"]["file"] = "other.claims";
  EXPECT_THAT(Merge({one, two}).problem, HasSubstr("has another claims than the first"));
}

TEST(MergeShards, WhatDoesNotFitIsRefused) {
  const json one = Part(0, 2, {"REO-001"});
  const auto with = [](const char* pointer, const json& value) {
    json part = Part(1, 2, {"REO-002"});
    part[json::json_pointer(pointer)] = value;
    return part;
  };
  EXPECT_EQ(Merge({}).problem, "nothing to merge");
  EXPECT_EQ(Merge({one}).problem, "shard 2 of 2 is missing");
  EXPECT_EQ(Merge({one, one}).problem, "document 2: this shard was given already");
  EXPECT_THAT(Merge({one, Part(1, 3, {})}).problem, HasSubstr("another number of shards"));
  EXPECT_THAT(Merge({one, Part(1, 2, {"REO-001"})}).problem,
              HasSubstr("document 2: has REO-001, and so has document 1"));
  EXPECT_THAT(Merge({one, with("/subject", "yot")}).problem,
              HasSubstr("has another subject than the first: \"yot\", not \"toy\""));
  EXPECT_THAT(Merge({one, with("/run/seed", 2)}).problem, HasSubstr("another seed"));
  EXPECT_THAT(Merge({one, with("/run/shard/index", 2)}).problem, HasSubstr("makes no sense"));
  EXPECT_THAT(Merge({one, with("/claims", {{"file", "f"}})}).problem,
              HasSubstr("has another claims"));
  EXPECT_EQ(Merge({one, with("/claims", nullptr)}).problem, "");
  EXPECT_EQ(MergeShards({"{"}).problem, "document 1: is no JSON");
  EXPECT_EQ(MergeShards({std::string(100000, '[')}).problem,
            "document 1: values are nested deeper than 64");
  EXPECT_EQ(MergeShards({"[]"}).problem, "document 1: is no results.json of one subject");
  EXPECT_THAT(MergeShards({"{\"subjects\": []}"}).problem, HasSubstr("several subjects"));
}

TEST(MergeShards, TheWholeBeganWithItsFirstPart) {
  json one = Part(0, 2, {"REO-001"}), two = Part(1, 2, {"REO-002"});
  one["run"]["date"] = "2026-11-23T07:30:00Z";
  two["run"]["date"] = "2026-11-23T07:29:00Z";
  const auto date = [](const json& a, const json& b) {
    return json::parse(MergeShards({a.dump(), b.dump()}).document)["run"]["date"];
  };
  EXPECT_EQ(date(one, two), "2026-11-23T07:29:00Z");
  EXPECT_EQ(date(two, one), "2026-11-23T07:29:00Z");
}

TEST(MergeShards, AFieldOfAnotherTypeIsRefused) {
  const json one = Part(0, 2, {"REO-001"});
  for (const char* pointer :
       {"/run/topic", "/run/shard", "/summary", "/requirements", "/problems", "/claims",
        "/requirements/0", "/requirements/0/id", "/run/seconds", "/run/command"}) {
    json two = Part(1, 2, {"REO-002"});
    two[json::json_pointer(pointer)] = json::array({3});
    const Merged merged = MergeShards({one.dump(), two.dump()}, {"a.json", "b.json"});
    // What is not looked at is no problem; nothing is thrown.
    EXPECT_NE(merged.problem.empty(), merged.document.empty()) << pointer;
    EXPECT_EQ(merged.problem.find("json.exception"), std::string::npos) << merged.problem;
  }
  json two = Part(1, 2, {"REO-002"});
  two["run"]["topic"] = 3;
  EXPECT_THAT(MergeShards({one.dump(), two.dump()}, {"a.json", "b.json"}).problem,
              HasSubstr("b.json: type must be string"));
}

TEST(MergeShards, TheOneThatDoesNotFitIsCalledByItsName) {
  const std::string one = Part(0, 2, {"REO-001"}).dump(), two = Part(1, 2, {"REO-001"}).dump();
  EXPECT_EQ(MergeShards({one, one}, {"a.json", "b.json"}).problem,
            "b.json: this shard was given already");
  EXPECT_EQ(MergeShards({one, two}, {"a.json", "b.json"}).problem,
            "b.json: has REO-001, and so has a.json");
}

}  // namespace
}  // namespace conformance
