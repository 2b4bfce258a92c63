// Runs a whole runner, with toy properties, as Bazel would: with shards, a filter and a file of
// XML.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "conformance/report/merge.h"
#include "nlohmann/json.hpp"
#include "tools/testing/command.h"

namespace conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using tools::Outcome;

Outcome RunToy(std::vector<std::string> arguments,
               const std::map<std::string, std::string>& environment = {}) {
  arguments.insert(arguments.begin(), "conformance/cli/testing/toy_runner");
  return tools::Run(arguments, environment);
}

class RunnerInBazel : public testing::Test {
 protected:
  tools::Scratch scratch_;
};

TEST_F(RunnerInBazel, BazelGetsOneTestCaseForEachRequirement) {
  const std::string path = scratch_ / "test.xml";
  RunToy({"--topic=shuffle"}, {{"XML_OUTPUT_FILE", path}});
  const std::string xml = scratch_.Read("test.xml");
  EXPECT_THAT(xml, HasSubstr("<testsuites tests=\"43\" failures=\"2\" skipped=\"39\">"));
  EXPECT_THAT(xml, HasSubstr("<testcase name=\"SHU-001\" classname=\"toy.SHU\" status=\"run\""));
  EXPECT_THAT(xml, HasSubstr("<failure type=\"fail\" message=\"value: expected below 900, got"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"no property yet\"/>"));
}

TEST_F(RunnerInBazel, ShardsShareTheRequirements) {
  int total = 0;
  for (const char* index : {"0", "1", "2"}) {
    const std::string out = scratch_ / index;
    RunToy({"--topic=shuffle", "--out=" + out}, {{"TEST_TOTAL_SHARDS", "3"},
                                                 {"TEST_SHARD_INDEX", index},
                                                 {"TEST_SHARD_STATUS_FILE", out + ".status"}});
    const json results = json::parse(scratch_.Read(std::string(index) + "/results.json"));
    EXPECT_GE(results["requirements"].size(), 14u);
    total += static_cast<int>(results["requirements"].size());
    EXPECT_EQ(access((out + ".status").c_str(), F_OK), 0);
  }
  EXPECT_EQ(total, 43);
}

// Results without what two runs never have in common.
json Timeless(json results) {
  results["run"].erase("date");
  results["run"].erase("seconds");
  results["run"].erase("jobs");
  for (json& requirement : results["requirements"]) {
    requirement.erase("seconds");
    for (json& property : requirement["properties"]) property.erase("seconds");
  }
  return results;
}

TEST_F(RunnerInBazel, MergedShardsAreTheRunInOnePiece) {
  RunToy({"--topic=shuffle", "--out=" + scratch_ / "out"});
  const json whole = json::parse(scratch_.Read("out/results.json"));
  std::vector<std::string> parts;
  for (const char* index : {"2", "0", "1"}) {
    RunToy({"--topic=shuffle"},
           {{"TEST_TOTAL_SHARDS", "3"},
            {"TEST_SHARD_INDEX", index},
            {"TEST_UNDECLARED_OUTPUTS_DIR", scratch_ / (std::string("part") + index)}});
    parts.push_back(scratch_.Read(std::string("part") + index + "/results.json"));
  }
  const Merged merged = MergeShards(parts);
  ASSERT_EQ(merged.problem, "");
  EXPECT_EQ(Timeless(json::parse(merged.document)), Timeless(whole));
}

TEST_F(RunnerInBazel, AShardWithNothingToDoPasses) {
  const Outcome outcome =
      RunToy({"--filter=SHU-001"}, {{"TEST_TOTAL_SHARDS", "2"},
                                    {"TEST_SHARD_INDEX", "1"},
                                    {"TEST_SHARD_STATUS_FILE", scratch_ / "s"}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("0 requirements"));
}

TEST_F(RunnerInBazel, BazelsTestFilterIsAFilter) {
  const Outcome outcome = RunToy({"--topic=shuffle"}, {{"TESTBRIDGE_TEST_ONLY", "SHU-001"}});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("1 requirement: 1 passed"));
}

}  // namespace
}  // namespace conformance
