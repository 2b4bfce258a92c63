// A run over each hostile subject ends by itself, says what the subject did, in which case, and
// leaves other verdicts alone.
#include <gtest/gtest.h>

#include <chrono>
#include <ostream>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "tools/testing/command.h"

namespace conformance {
namespace {

using nlohmann::json;

struct Hostile {
  const char* name;      // in hostile.mutants
  const char* property;  // that must find it
  int cases;             // of it; 0: as many as is usual
  const char* signal;    // how its process ended; "" if it did not
  const char* got;       // a part of what is told
};

void PrintTo(const Hostile& subject, std::ostream* out) { *out << subject.name; }

// A property that has nothing to do with any of them, and one case.
constexpr char kBystander[] = "MD-034/zero";

const Hostile kSubjects[] = {
    {"crashes", "MD-106", 30, "SIGSEGV", "ended by SIGSEGV"},
    {"exits", "MD-106", 30, "exit 0", "ended by exit(0)"},
    {"corrupts-the-heap", "MD-106", 4, "SIGABRT", "ended by SIGABRT"},
    {"kills-its-parent", "MD-106", 30, "parent SIGKILL", "its parent process was ended by SIGKILL"},
    {"hangs", "MD-106", 12, "hang", "no answer in "},
    {"stops-itself", "MD-106", 1, "hang", "no answer in "},
    {"allocates-without-end", "MD-106", 1, "memory", "memory without end"},
    {"prints-without-end", "MD-106", 1, "output", "output without end"},
    {"prints-to-stdout", "MD-106", 0, "", "permuting"},
    {"throws-anything", "MD-106", 0, "", ""},
    {"changes-directory", "MD-106", 20, "", "/"},
    {"changes-umask", "MD-106", 20, "", "123"},
    {"changes-locale", "MD-106", 20, "", "C.UTF-8"},
    {"changes-variables", "MD-106", 20, "", "LEFT_BY_HOSTILE=1"},
    {"ignores-signals", "MD-106", 20, "", "SIGUSR1 ignored"},
    {"blocks-signals", "MD-106", 20, "", "SIGUSR1"},
    {"changes-rounding", "MD-106", 20, "", "rounding upward"},
    {"closes-stdin", "MD-106", 20, "", "0 closed"},
    {"redirects-stdout", "MD-106", 20, "", "1 is /dev/null"},
    {"answers-from-a-cache", "PRIM-030", 0, "", ""},
    {"claims-a-gpu", "ENG-002", 0, "", ""},
    {"lies-about-its-size", "MD-030/strides", 0, "", ""},
    {"changes-its-input", "PRIM-038", 0, "", ""},
    {"is-right-the-first-time", "PRIM-030", 0, "", ""},
};

json Find(const json& list, const char* key, const std::string& value) {
  for (const json& item : list)
    if (item[key] == value) return item;
  ADD_FAILURE() << "no " << value << " in " << list;
  return {};
}

std::string RequirementOf(const std::string& property) {
  return property.substr(0, property.find('/'));
}

// The runner, which lets its children have 256 MiB and a case a second of a processor.
std::vector<std::string> Command(const std::vector<std::string>& flags) {
  std::vector<std::string> command = {"sh",
                                      "-c",
                                      "ulimit -m 262144; exec \"$0\" \"$@\"",
                                      "conformance/hostile/hostile_runner",
                                      "--profile=project",
                                      "--case-time=1s"};
  command.insert(command.end(), flags.begin(), flags.end());
  return command;
}

class HostileSubject : public testing::TestWithParam<Hostile> {
 protected:
  // A run of the two properties, which must end within a minute.
  json Run(const std::string& hostile, const std::string& property, int cases) {
    std::vector<std::string> arguments =
        Command({"--jobs=1", "--filter=^(" + property + "|" + kBystander + ")$",
                 "--out=" + scratch_ / "out"});
    if (cases > 0) arguments.push_back("--cases=" + std::to_string(cases));
    const auto begin = std::chrono::steady_clock::now();
    // No driver may complain, in the middle of a case, that it cannot write its cache there.
    outcome_ = tools::Run(
        arguments, {{"HOSTILE", hostile}, {"PATH", "/bin:/usr/bin"}, {"XDG_CACHE_HOME", "/proc"}});
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(1));
    return json::parse(scratch_.Read("out/results.json"));
  }

  tools::Scratch scratch_;
  tools::Outcome outcome_;
};

TEST_P(HostileSubject, IsFoundOutAndDoesNotStopTheRun) {
  const Hostile& subject = GetParam();
  const json results = Run(subject.name, subject.property, subject.cases);
  EXPECT_EQ(outcome_.status, 1) << outcome_.out << outcome_.err;
  EXPECT_EQ(results["summary"]["suite_error"], 0);

  const json requirement = Find(results["requirements"], "id", RequirementOf(subject.property));
  EXPECT_EQ(requirement["verdict"], "fail");
  ASSERT_FALSE(requirement["failures"].empty());
  const json& failure = requirement["failures"][0];
  EXPECT_EQ(failure["property"], subject.property);
  EXPECT_EQ(failure["case"].get<std::string>().rfind(std::string(subject.property) + " ", 0), 0u);
  EXPECT_EQ(failure["signal"], *subject.signal == 0 ? json() : json(subject.signal));
  EXPECT_NE(failure["got"].get<std::string>().find(subject.got), std::string::npos) << failure;

  EXPECT_EQ(Find(results["requirements"], "id", RequirementOf(kBystander))["verdict"], "pass");
}

TEST_P(HostileSubject, DoesTheSameWhenItsMinimalCaseIsReplayed) {
  const Hostile& subject = GetParam();
  const json results = Run(subject.name, subject.property, subject.cases);
  const json requirement = Find(results["requirements"], "id", RequirementOf(subject.property));
  ASSERT_FALSE(requirement["failures"].empty());
  const std::string line = requirement["failures"][0]["minimal"];
  const tools::Outcome replay = tools::Run(Command({"--case=" + line}),
                                           {{"HOSTILE", subject.name}, {"PATH", "/bin:/usr/bin"}});
  EXPECT_EQ(replay.status, 1) << line << replay.out << replay.err;
  EXPECT_NE(replay.out.find(subject.got), std::string::npos) << replay.out;
}

std::string NameOf(const testing::TestParamInfo<Hostile>& subject) {
  std::string name = subject.param.name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Each, HostileSubject, testing::ValuesIn(kSubjects), NameOf);

using Hostiles = HostileSubject;

TEST_F(Hostiles, DeathsCostTheirOwnCasesOnly) {
  for (const char* name : {"crashes", "exits"}) {
    const json results = Run(name, "MD-106", 30);
    const json requirement = Find(results["requirements"], "id", "MD-106");
    const json property = Find(requirement["properties"], "name", "MD-106");
    // Those with three axes, and all others were run.
    const int failed = property["failed"];
    EXPECT_EQ(property["cases"], 30) << name;
    EXPECT_GE(failed, 2) << name;
    EXPECT_LT(failed, 10) << name;
    EXPECT_EQ(property["held"].get<int>() + property["vacuous"].get<int>(), 30 - failed) << name;
    EXPECT_TRUE(property["classes"].contains("rank 2")) << property;
    EXPECT_FALSE(property["classes"].contains("rank 3")) << property;
    EXPECT_TRUE(property["classes"].contains("rank 4")) << property;
  }
}

TEST_F(Hostiles, WhatGrowsWithEveryCaseIsToldOnce) {
  for (const char* what : {"descriptors", "threads"}) {
    const json results = Run(std::string("leaks-") + what, "MD-106", 0);
    const json requirement = Find(results["requirements"], "id", "MD-106");
    EXPECT_EQ(requirement["verdict"], "fail") << what;
    ASSERT_EQ(requirement["failures"].size(), 1u) << requirement["failures"];
    const json& failure = requirement["failures"][0];
    EXPECT_NE(failure["where"].get<std::string>().find(what), std::string::npos) << failure;
    EXPECT_EQ(failure["count"], 1) << failure;
    EXPECT_EQ(failure["alone"], false) << failure;
  }
}

TEST_F(Hostiles, WithoutAFaultThereIsNothingToFind) {
  for (const char* property : {"MD-106", "PRIM-030", "MD-030/strides", "PRIM-038", "ENG-002"}) {
    const json results = Run("", property, 0);
    EXPECT_EQ(outcome_.status, 0) << property << outcome_.out;
  }
}

}  // namespace
}  // namespace conformance
