// Runs a whole runner, with toy properties, as a person would.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "conformance/cli/testing/toy_run.h"
#include "nlohmann/json.hpp"
#include "spec/requirements.h"
#include "tools/testing/command.h"

namespace conformance {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using tools::Outcome;

TEST_F(Runner, GivesEachRequirementItsVerdict) {
  const json results = Results({"--topic=shuffle"});
  EXPECT_EQ(outcome_.status, 1) << outcome_.err;
  EXPECT_EQ(results["suite"].get<std::string>().rfind("dnnspec ", 0), 0u);
  EXPECT_EQ(results["subject"], "toy");
  EXPECT_EQ(results["version"], "1.2.3");
  EXPECT_EQ(results["run"]["seed"], 1);
  EXPECT_EQ(results["run"]["profile"], "portable");
  EXPECT_EQ(results["run"]["engine"], "cpu");
  EXPECT_EQ(Requirement(results, "SHU-001")["verdict"], "pass");
  EXPECT_EQ(Requirement(results, "SHU-002")["verdict"], "fail");
  EXPECT_EQ(Requirement(results, "SHU-003")["verdict"], "fail");
  EXPECT_EQ(Requirement(results, "SHU-004")["verdict"], "weak");
  EXPECT_EQ(results["summary"]["fail"], 2);
}

TEST_F(Runner, AFailureCarriesWhatShowsIt) {
  const json results = Results({"--filter=SHU-00[23]"});
  const json failure = Requirement(results, "SHU-002")["failures"].at(0);
  EXPECT_EQ(failure["property"], "SHU-002/fails");
  EXPECT_EQ(failure["minimal"], "SHU-002/fails value=900 weight=0");
  EXPECT_THAT(failure["case"].get<std::string>(), StartsWith("SHU-002/fails value=9"));
  EXPECT_EQ(failure["expected"], "below 900");
  EXPECT_EQ(failure["got"], "900");
  EXPECT_TRUE(failure["signal"].is_null());
  EXPECT_TRUE(failure["alone"]);
  EXPECT_EQ(Requirement(results, "SHU-003")["failures"].at(0)["signal"], "SIGABRT");
}

TEST_F(Runner, WhatWasNotRunHasAReasonAndNoVerdict) {
  const json results = Results({"--topic=reorder"});
  const json refused = Requirement(results, "REO-001");
  EXPECT_FALSE(refused.contains("verdict"));
  EXPECT_EQ(refused["not_run"], "no numbers here");
  const json missing = Requirement(results, "REO-010");
  EXPECT_FALSE(missing.contains("verdict"));
  EXPECT_EQ(missing["not_run"], "no property yet");
}

TEST_F(Runner, APrimitiveThatTheSubjectLacksIsOneLineAndNoVerdict) {
  const std::string out = scratch_ / "lacks";
  const Outcome outcome =
      RunToy({"--topic=inner_product", "--out=" + out}, {{"TOY_SUBJECT_LACKS", "inner_product"}});
  EXPECT_EQ(outcome.status, 2) << outcome.err;  // nothing was judged
  EXPECT_THAT(outcome.out, HasSubstr("\n  inner product           not in this subject\n"));
  EXPECT_THAT(outcome.out, HasSubstr(" requirements: 0 passed, "));
  EXPECT_THAT(outcome.out, HasSubstr(" not in this subject; 0 cases"));
  const json results = json::parse(scratch_.Read("lacks/results.json"));
  EXPECT_EQ(Requirement(results, "IP-010")["not_run"], "not in this subject");
  EXPECT_FALSE(Requirement(results, "IP-010").contains("verdict"));
  // Where the subject has it, properties are missing.
  EXPECT_THAT(RunToy({"--topic=inner_product"}).out, Not(HasSubstr("not in this subject")));
}

TEST_F(Runner, ASuiteErrorAloneEndsWithTwo) {
  const json results = Results({"--topic=reorder"});
  EXPECT_EQ(Requirement(results, "REO-002")["verdict"], "suite_error");
  EXPECT_EQ(outcome_.status, 2);
}

TEST_F(Runner, APassEndsWithZero) {
  Results({"--filter=SHU-001"});
  EXPECT_EQ(outcome_.status, 0);
  EXPECT_EQ(outcome_.err, "");
}

TEST_F(Runner, ClassesAndRecordsAreInTheResults) {
  const json requirement = Requirement(Results({"--filter=SHU-001"}), "SHU-001");
  EXPECT_EQ(requirement["records"]["is even"]["yes"].get<int>() +
                requirement["records"]["is even"]["no"].get<int>(),
            2000);
  EXPECT_GT(requirement["properties"][0]["classes"]["odd"]["run"], 500);
}

TEST_F(Runner, AnInterruptedRunKeepsWhatThereIsAndSaysSo) {
  const Outcome outcome =
      tools::Run({"timeout", "--preserve-status", "-s", "INT", "2", kRunner, "--filter=SHU-00[12]",
                  "--budget=1h", "--jobs=1", "--out=" + scratch_ / "out"},
                 {{"PATH", "/usr/bin:/bin"}});
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  const json results = json::parse(scratch_.Read("out/results.json"));
  EXPECT_TRUE(results["partial"]);
  EXPECT_EQ(Requirement(results, "SHU-002")["not_run"], "interrupted");
}

TEST_F(Runner, ListsWhatItWouldJudge) {
  const Outcome outcome = RunToy({"--list", "--topic=shuffle", "--filter=SHU-00[24]"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("SHU-002  MUST  "));
  EXPECT_THAT(outcome.out, HasSubstr("\n  SHU-002/fails  drawn\n  SHU-002/holds  drawn\nSHU-004"));
  EXPECT_THAT(outcome.out, testing::EndsWith("\n2 requirements, 3 properties\n"));
  EXPECT_EQ(Lines(outcome.out), 6);
  EXPECT_EQ(Lines(RunToy({"--list", "--topic=shuffle"}).out), 43 + 5 + 1);
  EXPECT_EQ(RunToy({"--list", "--filter=NOTHING"}).status, 2);
  // Of other chapters, what it has properties of.
  const std::string all = RunToy({"--list", "--topic=shuffle", "--linked"}).out;
  EXPECT_THAT(all, StartsWith("REO-001  MUST  "));
  EXPECT_THAT(all, Not(HasSubstr("\nREO-010  ")));
  // Nothing of the subject is called.
  EXPECT_EQ(RunToy({"--list", "--filter=SHU-001"}, {{"TOY_SUBJECT_DIES", "1"}}).status, 0);
}

TEST_F(Runner, SaysItsVersion) {
  const Outcome outcome = RunToy({"--version"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("dnnspec "));
  EXPECT_EQ(Lines(outcome.out), 1);
}

TEST_F(Runner, ANameThatLeadsElsewhereIsRefused) {
  scratch_.Write("out/mine.cc", "mine");
  scratch_.Write("out/reproducers/toy/SHU-002-1.cc", "of an earlier run");
  for (const std::string name : {"..", ".", "../x", "a/b", "a\nb", "\x1b[31m", "caf\xc3\xa9"}) {
    const Outcome outcome =
        RunToy({"--subject=" + name, "--filter=SHU-001", "--out=" + scratch_ / "out"});
    EXPECT_EQ(outcome.status, 2) << name;
    EXPECT_THAT(outcome.err, HasSubstr(" is no name of a subject: "));
    EXPECT_EQ(Lines(outcome.err), 1) << outcome.err;
  }
  EXPECT_EQ(scratch_.Read("out/mine.cc"), "mine");
  EXPECT_EQ(scratch_.Read("out/reproducers/toy/SHU-002-1.cc"), "of an earlier run");
}

TEST_F(Runner, RemovesProgramsThatItWroteAndNothingElse) {
  const std::string place = "out/reproducers/toy/";
  const std::vector<std::string> ours = {"SHU-009-1.cc", "SHU-009-12-check.cc", "MD-T-any-1.cc"};
  const std::vector<std::string> others = {"mine.cc",          "SHU-009.cc",   "SHU-009-x.cc",
                                           "SHU-009-1.cpp",    "NIL-001-1.cc", "SHU-009-1-old.cc",
                                           "SHU-009--check.cc"};
  for (const auto* names : {&ours, &others})
    for (const std::string& name : *names) scratch_.Write(place + name, "before");
  Results({"--filter=SHU-001"});
  for (const std::string& name : ours) EXPECT_EQ(scratch_.Read(place + name), "") << name;
  for (const std::string& name : others) EXPECT_EQ(scratch_.Read(place + name), "before") << name;
}

TEST_F(Runner, OnAFullDiskTellsWhatItJudged) {
  scratch_.Write("out/results.json", "of an earlier run");
  scratch_.Write("out/reproducers/toy/SHU-009-1.cc", "of an earlier run");
  // In blocks of 512 bytes: the first is too little for a program, the second for results too.
  const std::vector<std::pair<std::string, bool>> limits = {{"20", true}, {"1", false}};
  for (const auto& [blocks, has_results] : limits) {
    const Outcome outcome =
        tools::Run({"/bin/sh", "-c", "ulimit -f " + blocks + "; exec \"$0\" \"$@\"", kRunner,
                    "--filter=SHU-00[12]", "--out=" + scratch_ / "out"},
                   {});
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(Lines(outcome.err), 1) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("reproducers/toy/SHU-002-1.cc: File too large"));
    EXPECT_THAT(outcome.out, HasSubstr("FAIL  SHU-002"));
    EXPECT_THAT(outcome.out, HasSubstr("toy: 2 requirements: 1 passed, 1 failed"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("program ")));
    const std::string results = scratch_.Read("out/results.json");
    if (has_results) {
      EXPECT_TRUE(json::parse(results)["requirements"][1]["failures"][0]["reproducer"].is_null());
      scratch_.Write("out/results.json", "of an earlier run");
    } else {
      EXPECT_EQ(results, "of an earlier run");
    }
    EXPECT_TRUE(std::filesystem::is_empty(scratch_ / "out/reproducers/toy"));
  }
}

TEST_F(Runner, TwoRunsFindTheSame) {
  const auto essence = [this](const char* jobs) {
    json results = Results({"--topic=shuffle", jobs});
    results.erase("run");
    for (json& requirement : results["requirements"]) {
      requirement.erase("seconds");
      for (json& property : requirement["properties"]) property.erase("seconds");
    }
    return results.dump(1);
  };
  EXPECT_EQ(essence("--jobs=1"), essence("--jobs=4"));
}

TEST_F(Runner, AProfileTurnsADeviationIntoAFailure) {
  EXPECT_EQ(Requirement(Results({"--filter=SHU-004", "--profile=project"}), "SHU-004")["verdict"],
            "fail");
}

TEST_F(Runner, NamesTheInstructionSetThatWasJudged) {
  EXPECT_EQ(Results({"--filter=SHU-002"})["run"]["device"], "avx2");
  EXPECT_EQ(Results({"--filter=SHU-002", "--engine=gpu"})["run"]["device"], nullptr);
}

TEST_F(Runner, WithoutTheEngineNothingFailsAndNothingIsGreen) {
  const json results = Results({"--engine=gpu"});
  EXPECT_EQ(outcome_.status, 2);
  EXPECT_EQ(Requirement(results, "SHU-002")["not_run"], "no gpu engine");
  EXPECT_THAT(outcome_.out, HasSubstr("NOT JUDGED  nothing was judged: no gpu engine\n"));
  EXPECT_THAT(results["problems"], Contains("not judged: nothing was judged: no gpu engine"));
}

TEST_F(Runner, WhatIsRequiredHasToBeJudged) {
  EXPECT_EQ(RunToy({"--filter=SHU-001", "--require=SHU-001"}).status, 0);
  const Outcome refused = RunToy({"--filter=SHU-001|REO-001", "--require=REO"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.out, HasSubstr("NOT JUDGED  REO-001 was not judged: no numbers here\n"));
  // A failure outweighs it.
  EXPECT_EQ(RunToy({"--filter=SHU-002|REO-001", "--require=REO"}).status, 1);
  const Outcome many = RunToy({"--topic=reorder", "--require=REO-0"});
  EXPECT_THAT(many.out, HasSubstr("NOT JUDGED  REO-010 was not judged: no property yet\n"));
  EXPECT_THAT(many.out, HasSubstr(" more that --require names\n"));
  const Outcome none = RunToy({"--filter=SHU-001", "--require=SHU-002/holds"});
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(none.err,
            "conform: --require: nothing that this run judges has 'SHU-002/holds' in its "
            "name\n");
}

TEST_F(Runner, TakesTheVersionThatItIsTold) {
  EXPECT_EQ(Results({"--filter=SHU-001", "--subject-version=2.0-rc1"})["version"], "2.0-rc1");
}

TEST_F(Runner, ABatchIsJudgedLineByLine) {
  const std::string batch = scratch_.Write("batch",
                                           "# two of the same\n\n"
                                           "SHU-002/fails value=950 weight=3  # too large\n"
                                           "  SHU-002/fails value=50 weight=3\r\n"
                                           "SHU-003 value=500 weight=0\n"
                                           "REO-001 value=500 weight=0");
  const Outcome outcome = RunToy({"--batch=" + batch});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("\nfailed    SHU-002/fails value=950 weight=3\n  at "));
  EXPECT_THAT(outcome.out, HasSubstr("\n  expected  below 900\n  got       950\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nheld      SHU-002/fails value=50 weight=3\n"));
  EXPECT_THAT(outcome.out, HasSubstr("SIGABRT"));
  EXPECT_THAT(outcome.out, HasSubstr("\nnot run   REO-001 value=500 weight=0 (no numbers here)\n"));
  EXPECT_THAT(outcome.out, testing::EndsWith("toy: 4 cases: 1 held, 2 failed, 1 not run\n"));

  scratch_.Write("batch", "SHU-002/fails value=50 weight=3\nNIL-001 value=1\nSHU-001 value=1\n");
  const Outcome wrong = RunToy({"--batch=" + batch});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.err, "conform: --batch: " + batch + ":2: no property is named 'NIL-001'\n" +
                           "conform: --batch: " + batch + ":3: field 'weight' is missing\n");
  EXPECT_THAT(wrong.out, testing::EndsWith("toy: 1 case: 1 held, 0 failed, 0 not run\n"));

  // A shape is as many cases, and what is wrong with one is told at its line.
  scratch_.Write("batch", "tensor a dims=2x3\n\ntensor b dims=2x3 group=2\n");
  const Outcome shapes = RunToy({"--batch=" + batch});
  EXPECT_EQ(shapes.status, 2);
  EXPECT_THAT(shapes.err, HasSubstr("conform: --batch: " + batch +
                                    ":1: no property is named 'REO-040/u8-f32'\n"));
  EXPECT_THAT(shapes.err, HasSubstr(batch + ":3: group=2 does not divide dims[1] = 3\n"));
  // Of its six cases the two f32 ones want one property, which is told once.
  EXPECT_EQ(std::count(shapes.err.begin(), shapes.err.end(), '\n'), 6);

  // Once, and what follows is judged.
  scratch_.Write("batch",
                 "convolution ic3ih8oc4kh3xh1n\"a\"\nconvolution g2ic3ih8oc4kh3\n"
                 "eltwise a dims=2x3 alg=relu\nSHU-002/fails value=50 weight=3\n");
  const Outcome problems = RunToy({"--batch=" + batch});
  EXPECT_EQ(problems.status, 2);
  EXPECT_THAT(problems.err,
              StartsWith("conform: --batch: " + batch + ":1: 'xh1n\"a\"' begins with none of g, "));
  EXPECT_THAT(problems.err, HasSubstr(batch + ":2: g2 does not divide ic3\n"));
  EXPECT_THAT(problems.err, HasSubstr(batch + ":3: no property is named 'ELT-060/everywhere'\n"));
  EXPECT_EQ(std::count(problems.err.begin(), problems.err.end(), '\n'), 3);
  EXPECT_THAT(problems.out, testing::EndsWith("toy: 1 case: 1 held, 0 failed, 0 not run\n"));

  scratch_.Write("batch", "# nothing\n");
  EXPECT_EQ(RunToy({"--batch=" + batch}).err, "conform: --batch: nothing was judged\n");
  EXPECT_EQ(RunToy({"--batch=/none"}).err,
            "conform: --batch: cannot read /none: No such file or directory\n");
}

TEST_F(Runner, ThePersonSeesAreasFailuresAndTheCommandThatShowsThem) {
  const Outcome outcome = RunToy({"--command=tools/conform --subject=toy"});
  EXPECT_THAT(outcome.out, StartsWith("toy 1.2.3: cpu engine on avx2, portable profile, seed 1\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n  shuffle  "));
  EXPECT_THAT(outcome.out, HasSubstr("FAIL  SHU-002  "));
  EXPECT_THAT(outcome.out,
              HasSubstr("tools/conform --subject=toy --case='SHU-002/fails value=900 weight=0'"));
  EXPECT_THAT(outcome.out, HasSubstr("SUITE ERROR  REO-002"));
  EXPECT_THAT(outcome.out, HasSubstr(std::to_string(spec::kRequirementCount) +
                                     " requirements: 1 passed, 2 failed, 1 weak, 1 suite error"));
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, Not(HasSubstr("\x1b")));
}

TEST_F(Runner, ALineIsReplayed) {
  const Outcome failed = RunToy({"--case=SHU-002/fails value=950 weight=3"});
  EXPECT_EQ(failed.status, 1);
  EXPECT_THAT(failed.out, HasSubstr("\nexpected  below 900\ngot       950\n"));
  const Outcome held = RunToy({"--case", "SHU-002/fails value=50 weight=3"});
  EXPECT_EQ(held.status, 0);
  EXPECT_THAT(held.out, HasSubstr("\nheld\n"));
  const Outcome died = RunToy({"--case", "SHU-003 value=500 weight=0"});
  EXPECT_EQ(died.status, 1);
  EXPECT_THAT(died.out, HasSubstr("SIGABRT"));
  const Outcome refused = RunToy({"--case", "REO-001 value=500 weight=0"});
  EXPECT_EQ(refused.status, 0);
  EXPECT_THAT(refused.out, HasSubstr("not run: no numbers here"));
}

TEST_F(Runner, ABadRequestIsRefusedInOneLineAndLeavesNothing) {
  const std::string out = scratch_ / "out";
  scratch_.Write("known", "toy 1.2.3 SHU-999 link never reason\n");
  scratch_.Write("file", "");
  const std::vector<std::pair<std::vector<std::string>, std::string>> bad = {
      {{"--sead=1"}, "unknown flag '--sead'"},
      {{"--filter=["}, "--filter wants a regular expression"},
      {{"--filter=NOTHING"}, "--filter=NOTHING finds no requirement"},
      {{"--topic=softmax"}, "--topic=softmax finds no requirement"},
      {{"--case=NIL-001 value=1"}, "no property is named 'NIL-001'"},
      {{"--case=SHU-001 value=1"}, "field 'weight' is missing"},
      {{"--case=SHU-001 value=-1 weight=1"}, "field 'value' is negative"},
      {{"--case=SHU-001 value=1 weight=1 more=1"}, "field 'more' means nothing here"},
      {{"--out=" + out, "--expect=" + scratch_ / "missing"}, "cannot read"},
      {{"--out=" + out, "--expect=" + scratch_ / "known"}, "known:1: 'SHU-999' is no property"},
      {{"--out=" + scratch_ / "file"}, "--out: cannot"},
      {{"--out=/proc/nothing"}, "--out: cannot make folder /proc/nothing"},
  };
  for (const auto& [arguments, text] : bad) {
    const Outcome outcome = RunToy(arguments);
    EXPECT_EQ(outcome.status, 2) << text;
    EXPECT_THAT(outcome.err, HasSubstr(text));
    EXPECT_EQ(Lines(outcome.err), 1) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(access(out.c_str(), F_OK), 0);
  }
}

TEST_F(Runner, ASubjectThatDiesWhenAskedIsRefused) {
  const Outcome outcome = RunToy({}, {{"TOY_SUBJECT_DIES", "1"}});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("SIGABRT"));
  EXPECT_EQ(Lines(outcome.err), 1);
}

TEST_F(Runner, ACaseBudgetThatIsTooSmallIsNoPass) {
  const json results = Results({"--filter=SHU-001", "--cases=1"});
  EXPECT_EQ(Requirement(results, "SHU-001")["cases"], 1);
  EXPECT_THAT(Requirement(results, "SHU-001")["not_run"].get<std::string>(),
              HasSubstr("out of budget"));
}

TEST_F(Runner, FailuresAreWrittenAsPrograms) {
  scratch_.Write("out/reproducers/toy/SHU-009-1.cc", "of an earlier run");
  const json results = Results({"--topic=shuffle"});
  const json failure = Requirement(results, "SHU-002")["failures"].at(0);
  EXPECT_EQ(failure["reproducer"], "reproducers/toy/SHU-002-1.cc");
  const std::string program = scratch_.Read("out/reproducers/toy/SHU-002-1.cc");
  EXPECT_THAT(program, HasSubstr("SHU-002/fails fails on toy 1.2.3, cpu engine, portable profile"));
  EXPECT_THAT(program, HasSubstr("const char kLine[] = \"SHU-002/fails value=900 weight=0\";"));
  EXPECT_THAT(program, HasSubstr("int main() {"));
  EXPECT_THAT(program, Not(HasSubstr("#include \"conformance")));
  EXPECT_THAT(outcome_.out,
              HasSubstr("program   " + scratch_ / "out/reproducers/toy/SHU-002-1.cc"));
  EXPECT_NE(scratch_.Read("out/reproducers/toy/SHU-003-1.cc"), "");
  EXPECT_NE(scratch_.Read("out/reproducers/toy/SHU-004-1.cc"), "");
  EXPECT_EQ(scratch_.Read("out/reproducers/toy/SHU-001-1.cc"), "");
  EXPECT_EQ(scratch_.Read("out/reproducers/toy/SHU-009-1.cc"), "");
}

TEST_F(Runner, OneCaseIsWrittenAsAProgramWhateverComesOfIt) {
  const Outcome outcome =
      RunToy({"--case=SHU-002/fails value=1 weight=0", "--out=" + scratch_ / "one"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("program   " + scratch_ / "one/reproducers/toy/SHU-002-1.cc"));
  EXPECT_THAT(scratch_.Read("one/reproducers/toy/SHU-002-1.cc"),
              HasSubstr("const char kLine[] = \"SHU-002/fails value=1 weight=0\";"));
}

}  // namespace
}  // namespace conformance
