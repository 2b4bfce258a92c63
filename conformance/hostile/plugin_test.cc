// A run with the claims of a plug-in, as its maker starts it, tells each of the plug-in's faults of
// a requirement that it breaks, and nothing of a plug-in without one.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>
#include <string>

#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "nlohmann/json.hpp"
#include "tools/mutate/active.h"
#include "tools/testing/command.h"

namespace conformance {
namespace {

using nlohmann::json;

// What a run said: the verdict of each requirement that it judged.
struct Judgement {
  int status = 0;
  std::string output;
  std::map<std::string, std::string> verdicts;
};

// Judges the plug-in with `fault` active by the properties of `names`; no fault: "".
Judgement Judge(const std::string& fault, const std::set<std::string>& names) {
  std::string filter;
  for (const std::string& name : names) filter += (filter.empty() ? "^(" : "|") + name;
  const tools::Scratch scratch;
  const tools::Outcome outcome = tools::Run(
      {"conformance/plugin_runner", "--claims=examples/plugin-eigen/eigen.claims", "--jobs=1",
       "--case-time=2s", "--filter=" + filter + ")(/|$)", "--out=" + scratch / "out"},
      {{"HOSTILE", fault},
       {"DNNSPEC_PLUGIN", "./conformance/hostile/libwrong_eigen.so"},
       {"PATH", "/bin:/usr/bin"}});
  Judgement run{outcome.status, outcome.out + outcome.err, {}};
  const json results = json::parse(scratch.Read("out/results.json"));
  for (const json& requirement : results["requirements"])
    if (requirement.contains("verdict")) run.verdicts[requirement["id"]] = requirement["verdict"];
  return run;
}

class PluginFault : public testing::TestWithParam<int> {};

TEST_P(PluginFault, IsToldOfARequirementThatItBreaks) {
  const mutants::Entry& fault = mutants::kEntries[GetParam()];
  const std::set<std::string> names = absl::StrSplit(fault.kills, ' ');
  const Judgement run = Judge(fault.name, names);
  // What is done to the process is no requirement's business: the portable profile warns.
  const bool warns = std::strcmp(fault.area, "what it does to its process") == 0;
  EXPECT_EQ(run.status, warns ? 0 : 1) << fault.name << ": " << fault.why << "\n" << run.output;
  for (const std::string& name : names)
    EXPECT_EQ(run.verdicts.at(name.substr(0, name.find('/'))), warns ? "weak" : "fail")
        << fault.name << "\n"
        << run.output;
}

std::string NameOf(const testing::TestParamInfo<int>& fault) {
  return absl::StrReplaceAll(mutants::kEntries[fault.param].name, {{"-", "_"}});
}

INSTANTIATE_TEST_SUITE_P(Each, PluginFault, testing::Range(1, mutants::kCount + 1), NameOf);

TEST(PluginWithoutAFault, PassesWhatTellsOfFaults) {
  std::set<std::string> names;
  for (int number = 1; number <= mutants::kCount; ++number)
    for (const auto name : absl::StrSplit(mutants::kEntries[number].kills, ' '))
      names.emplace(name);
  const Judgement run = Judge("", names);
  EXPECT_EQ(run.status, 0) << run.output;
  for (const auto& [id, verdict] : run.verdicts) EXPECT_EQ(verdict, "pass") << id;
}

}  // namespace
}  // namespace conformance
