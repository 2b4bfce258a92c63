// Runs conform as it is installed: in a folder with runners beside it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "spec/requirements.h"
#include "tools/testing/command.h"

namespace conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using tools::Outcome;

constexpr char kConform[] = "conformance/cli/conform";
constexpr char kToyRunner[] = "conformance/cli/testing/toy_runner";

int Lines(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

class Conform : public testing::Test {
 protected:
  Conform() { std::filesystem::copy_file(kConform, folder_ / "conform"); }

  // Puts the toy runner in the place of a bundled one.
  void Build(const std::string& runner) {
    std::filesystem::copy_file(kToyRunner, folder_ / runner);
  }

  Outcome Run(std::vector<std::string> arguments,
              std::map<std::string, std::string> environment = {}) {
    arguments.insert(arguments.begin(), folder_ / "conform");
    environment["TMPDIR"] = folder_.path();
    return tools::Run(arguments, environment);
  }

  json Read(const std::string& file) { return json::parse(folder_.Read(file)); }

  tools::Scratch folder_;
};

TEST_F(Conform, JudgesAllSubjectsThatCanRunHere) {
  Build("dnnspec_runner");
  Build("onednn_runner");
  const Outcome outcome = Run({"--topic=shuffle", "--out=" + folder_ / "out"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const json merged = Read("out/results.json");
  ASSERT_EQ(merged["subjects"].size(), 2u);
  EXPECT_EQ(merged["subjects"][0], Read("out/cpu/results.json"));
  EXPECT_EQ(merged["subjects"][1], Read("out/onednn/results.json"));
  EXPECT_EQ(merged["subjects"][0]["subject"], "cpu");
  EXPECT_EQ(merged["subjects"][0]["run"]["profile"], "project");
  EXPECT_EQ(merged["subjects"][1]["run"]["profile"], "portable");
  EXPECT_THAT(outcome.out, HasSubstr("vulkan: not run: no gpu engine on this machine\n"));
}

TEST_F(Conform, WritesOneFileForASubjectThatIsNamed) {
  Build("dnnspec_runner");
  const Outcome outcome = Run({"--subject=cpu", "--filter=SHU-001", "--out=" + folder_ / "out"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(Read("out/results.json")["subject"], "cpu");
  EXPECT_EQ(Read("out/results.json")["run"]["command"],
            "tools/conform --subject=cpu --filter=SHU-001");
}

TEST_F(Conform, ASubjectWithoutItsDeviceIsNotRunAndNotGreen) {
  Build("dnnspec_runner");
  const Outcome outcome = Run({"--subject=vulkan", "--out=" + folder_ / "out"});
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_EQ(Read("out/results.json")["summary"]["not_run"], spec::kRequirementCount);
  EXPECT_THAT(outcome.out, HasSubstr("NOT JUDGED  nothing was judged: no gpu engine\n"));
  EXPECT_THAT(outcome.out, HasSubstr("vulkan: not run: no gpu engine on this machine\n"));
}

TEST_F(Conform, GoesOnWithoutASubjectThatIsNotInstalled) {
  Build("dnnspec_runner");
  const Outcome outcome = Run({"--filter=SHU-001"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("onednn: not judged: there is no onednn_runner\n"));
}

TEST_F(Conform, SaysWhyASubjectWasNotBuilt) {
  Build("dnnspec_runner");
  folder_.Write("not_built.txt", "onednn: oneDNN 3.7 has another API (2.x is wanted)\n");
  const Outcome outcome = Run({"--filter=SHU-001"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("cpu 1.2.3: cpu engine"));
  EXPECT_THAT(outcome.out,
              HasSubstr("onednn: not judged: oneDNN 3.7 has another API (2.x is wanted)\n"));
  EXPECT_EQ(Run({"--subject=onednn"}).err,
            "conform: subject 'onednn': oneDNN 3.7 has another API (2.x is wanted)\n");
}

TEST_F(Conform, DoesNotTakeTheRunnerOfAnEarlierBuild) {
  Build("dnnspec_runner");
  Build("onednn_runner");
  const Outcome outcome =
      Run({"--filter=SHU-001"}, {{"DNNSPEC_NOT_BUILT", "onednn: it does not compile here"}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("onednn: not judged: it does not compile here\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("onednn 1.2.3")));
}

TEST_F(Conform, LeavesNothingBehind) {
  Build("dnnspec_runner");
  Run({"--subject=cpu", "--filter=SHU-001"});
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    names.push_back(entry.path().filename());
  EXPECT_THAT(names, testing::UnorderedElementsAre("conform", "dnnspec_runner"));
}

TEST_F(Conform, TheCommandsItPrintsSayWhatItWasTold) {
  Build("dnnspec_runner");
  const Outcome outcome = Run({"--subject=cpu", "--profile=portable", "--filter=SHU-002"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out,
              HasSubstr("tools/conform --subject=cpu --profile=portable --case='SHU-002/fails "));
}

TEST_F(Conform, ReplaysALineOnEverySubject) {
  Build("dnnspec_runner");
  Build("onednn_runner");
  const Outcome outcome = Run({"--case=SHU-002/fails value=950 weight=0"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("cpu 1.2.3: cpu engine, project profile"));
  EXPECT_THAT(outcome.out, HasSubstr("onednn 1.2.3: cpu engine, portable profile"));
}

TEST_F(Conform, ComparesSubjectsOnTheCasesThatFail) {
  Build("dnnspec_runner");
  Build("onednn_runner");
  const Outcome outcome = Run({"--differential", "--topic=shuffle", "--out=" + folder_ / "out"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  // The two are one library: what it does against the oracle, both do.
  EXPECT_THAT(outcome.out, HasSubstr("QUESTION TO THE SPECIFICATION  all agree against the oracle\n"
                                     "  case      SHU-002/fails value=900 weight=0\n"
                                     "  oracle    below 900\n"
                                     "  cpu 1.2.3     900 at value\n"
                                     "  onednn 1.2.3  900 at value\n"));
  EXPECT_THAT(outcome.out, HasSubstr("3 failing cases compared: 0 disagreements, 3 questions"));
  const json file = Read("out/differential.json");
  EXPECT_EQ(file["run"]["command"], "tools/conform --differential --topic=shuffle");
  EXPECT_EQ(file["comparisons"].size(), 3u);
  EXPECT_EQ(Read("out/cpu/results.json")["run"]["profile"], "portable");
}

TEST_F(Conform, OneSubjectCannotBeCompared) {
  Build("dnnspec_runner");
  const Outcome outcome = Run({"--differential"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--differential wants two subjects: "));
  EXPECT_EQ(Lines(outcome.err), 1);
}

TEST_F(Conform, ProgramsOfAllSubjectsLieInOneFolder) {
  Build("dnnspec_runner");
  Build("onednn_runner");
  const Outcome outcome = Run({"--filter=SHU-002", "--out=" + folder_ / "out"});
  EXPECT_EQ(outcome.status, 1);
  for (const std::string subject : {"cpu", "onednn"}) {
    const std::string program = "reproducers/" + subject + "/SHU-002-1.cc";
    EXPECT_NE(folder_.Read("out/" + program), "");
    EXPECT_EQ(
        Read("out/" + subject + "/results.json")["requirements"][0]["failures"][0]["reproducer"],
        program);
    EXPECT_THAT(outcome.out, HasSubstr("program   " + folder_ / ("out/" + program)));
  }
}

TEST_F(Conform, WithoutAFolderThereAreNoPrograms) {
  Build("dnnspec_runner");
  EXPECT_THAT(Run({"--subject=cpu", "--filter=SHU-002"}).out, Not(HasSubstr("program ")));
}

TEST_F(Conform, JudgesARunnerThatIsGivenByItsPath) {
  Build("vendor_runner");
  const Outcome outcome = Run({"--subject=" + folder_ / "vendor_runner", "--filter=SHU-001"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("vendor: 1 requirement: 1 passed"));
}

TEST_F(Conform, ASignalToItAloneEndsTheRunWithWhatThereIs) {
  Build("dnnspec_runner");
  for (const std::string signal : {"TERM", "INT", "HUP"}) {
    const std::string out = folder_ / ("out-" + signal);
    // The head of the table is there when the run begins. A shell starts what is in the background
    // deaf to interrupts, unless it controls jobs.
    const Outcome outcome = tools::Run(
        {"/bin/bash", "-c",
         "set -m; \"$0\" \"$@\" > $OUT & conform=$!; for i in {1..600}; do "
         "grep -q cases/s $OUT && break; sleep 0.1; done; sleep 1; kill -" +
             signal + " $conform; wait $conform",
         folder_ / "conform", "--subject=cpu", "--filter=SHU-001", "--budget=10m", "--out=" + out},
        {{"PATH", "/usr/bin:/bin"}, {"OUT", folder_ / ("said-" + signal)}});
    EXPECT_EQ(outcome.status, 3) << signal << ": " << outcome.err;
    EXPECT_EQ(Read("out-" + signal + "/results.json")["partial"], true) << signal;
  }
}

TEST_F(Conform, ASubjectsNameLeadsNowhereElse) {
  Build("plugin_runner");
  folder_.Write("out/mine.cc", "mine");
  std::filesystem::create_directory(folder_ / "out/reproducers");
  folder_.Write("lib...so", "");
  Build(".._runner");
  for (const std::string& flag :
       {"--plugin=" + folder_ / "lib...so", "--subject=" + folder_ / ".._runner"}) {
    const Outcome outcome = Run({flag, "--filter=SHU-001", "--out=" + folder_ / "out"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("'..' is no name of a subject: "));
    EXPECT_EQ(Lines(outcome.err), 1) << outcome.err;
  }
  EXPECT_EQ(Run({"--subject=..", "--out=" + folder_ / "out"}).status, 2);
  EXPECT_EQ(folder_.Read("out/mine.cc"), "mine");
}

TEST_F(Conform, OneRunAtATimeWritesToAFolder) {
  Build("dnnspec_runner");
  Build("onednn_runner");
  for (const std::string all : {"", "--subject=cpu"}) {
    const std::string out = folder_ / ("out" + all);
    // The first goes on until the second was refused.
    const Outcome outcome = tools::Run(
        {"/bin/bash", "-c",
         "set -m; : > $OUT/said; \"$0\" \"$@\" --budget=10m > $OUT/said & first=$!; for i in "
         "{1..600}; do "
         "grep -qs cases/s $OUT/said && break; sleep 0.1; done; "
         "\"$0\" \"$@\"; second=$?; kill -INT $first; wait $first; \"$0\" \"$@\" > /dev/null; "
         "echo $second $?",
         folder_ / "conform", "--filter=SHU-001", "--out=" + out, all.empty() ? "--seed=1" : all},
        {{"PATH", "/usr/bin:/bin"}, {"OUT", folder_.path()}});
    EXPECT_THAT(outcome.err, HasSubstr("conform: --out: another run writes to folder " + out +
                                       " at this moment\n"));
    EXPECT_EQ(outcome.err.find("conform: "), outcome.err.rfind("conform: "));
    EXPECT_EQ(outcome.out, "2 0\n");
  }
}

TEST_F(Conform, OnAFullDiskTellsWhatItJudgedAndTakesNothingForIt) {
  Build("dnnspec_runner");
  Build("onednn_runner");
  ASSERT_EQ(Run({"--filter=SHU-001", "--out=" + folder_ / "out"}).status, 0);
  const std::string before = folder_.Read("out/results.json");
  folder_.Script("small", "ulimit -f 1; exec " + folder_ / "conform" + " \"$@\"\n");
  const Outcome outcome = tools::Run(
      {folder_ / "small", "--filter=SHU-00[12]", "--seed=2", "--out=" + folder_ / "out"}, {});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(Lines(outcome.err), 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("File too large"));
  EXPECT_THAT(outcome.out, HasSubstr("cpu: 2 requirements: 1 passed, 1 failed"));
  EXPECT_EQ(folder_.Read("out/results.json"), before);
}

TEST_F(Conform, ListsWhatAnyRunnerThatIsThereKnows) {
  Build("plugin_runner");
  const Outcome outcome = Run({"--list", "--filter=^SHU-002"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\n  SHU-002/fails  drawn\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n1 requirement, 2 properties\n"));
  EXPECT_EQ(Run({"--list", "--filter=NOTHING"}).status, 2);
}

TEST_F(Conform, ADraftOfClaimsReplacesNoFile) {
  Build("dnnspec_runner");
  const std::string draft = folder_ / "my.claims";
  const std::vector<std::string> arguments = {"--subject=cpu", "--filter=SHU-001",
                                              "--write-claims=" + draft};
  EXPECT_EQ(Run(arguments).status, 0);
  folder_.Write("my.claims", "mine");
  const Outcome outcome = Run(arguments);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("is there already, and is not replaced"));
  EXPECT_EQ(folder_.Read("my.claims"), "mine");
  // A device is written to and stays one.
  EXPECT_EQ(Run({"--subject=cpu", "--filter=SHU-001", "--write-claims=/dev/null"}).status, 0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(Conform, SaysWhenNoExpectationIsForTheSubject) {
  Build("dnnspec_runner");
  folder_.Write("known.txt", "other 1 SHU-002 a never b\n");
  const Outcome outcome =
      Run({"--subject=cpu", "--filter=SHU-001", "--expect=" + folder_ / "known.txt"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("known.txt is for subject 'cpu'"));
  EXPECT_EQ(Lines(outcome.err), 1);
}

TEST_F(Conform, ResultsThatNobodyCanReadAreNoSuccess) {
  Build("dnnspec_runner");
  folder_.Script("full",
                 "exec " + folder_ / "conform" + " --subject=cpu --filter=SHU-001 > /dev/full\n");
  const Outcome outcome = tools::Run({folder_ / "full"}, {});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("cannot write to standard output"));
}

TEST_F(Conform, ABadRequestIsRefusedInOneLineAndLeavesNothing) {
  Build("dnnspec_runner");
  Build("plugin_runner");
  folder_.Script("silent_runner", "exit 0\n");
  folder_.Script("broken_runner", "echo 'error while loading shared libraries' >&2; exit 127\n");
  folder_.Script("dies_runner", "case \"$*\" in *--probe) echo 1;; *) kill -9 $$;; esac\n");
  folder_.Write("file", "");
  const std::string out = folder_ / "out";
  const std::vector<std::pair<std::vector<std::string>, std::string>> bad = {
      {{"--wat"}, "unknown flag '--wat'"},
      {{"--subjct=cpu"}, "did you mean --subject?"},
      {{"--plugin=./"}, "--plugin=./ is a folder, not a shared object"},
      {{"--plugin=/dev/null"}, "--plugin=/dev/null is no file, and so not a shared object"},
      {{"--subject=./"}, "--subject=./ is a folder, not a runner"},
      {{"--subject=cpu", "--claims=/dev/zero"}, "/dev/zero: it holds more than 16 MiB"},
      {{"--differential", "--subject=cpu"}, "--subject means nothing beside it"},
      {{"--differential=yes"}, "unknown flag '--differential'"},
      {{"--subject=gpu"},
       "--subject wants cpu, vulkan, onednn, or the path of a runner, not 'gpu'"},
      {{"--subject=cpu", "--engine=gpu"}, "--subject=cpu is an engine of kind cpu, not gpu"},
      {{"--subject=onednn"}, "subject 'onednn': there is no onednn_runner"},
      {{"--subject=/no/such/runner"}, "subject 'runner': there is no runner"},
      {{"--subject=" + folder_ / "file"}, "subject 'file' does not start"},
      {{"--subject=" + folder_ / "silent_runner"}, "subject 'silent' does not start"},
      {{"--subject=" + folder_ / "broken_runner"}, "error while loading shared libraries"},
      {{"--subject=cpu", "--out=" + folder_ / "file"}, "--out: cannot"},
      {{"--subject=cpu", "--write-claims=/no/such/folder/my.claims"},
       "--write-claims: cannot write to folder /no/such/folder: No such file or directory"},
      {{"--subject=cpu", "--write-claims=" + folder_.path()}, " is a folder"},
      {{"--subject=\x1b[2J"}, "not '\\x1b[2J'"},
      {{"--subject=cpu", "--filter=NOTHING"}, "finds no requirement"},
      {{"--subject=cpu", "--filter="}, "--filter wants a value, not ''"},
      {{"--subject=cpu", "--topic=pooling"}, "(topics are model, memory, reorder, "},
      {{"--filter=NOTHING"}, "finds no requirement"},
      {{"--subject=cpu", "--case=NIL value=1"}, "no property is named 'NIL'"},
      {{"--case=NIL value=1"}, "no property is named 'NIL'"},
      {{"--plugin=./vendor.so", "--engine=gpu"}, "no gpu engine on this machine (--engine="},
      {{"--subject=" + folder_ / "dies_runner", "--filter=SHU-001"}, "ended with status 137"},
  };
  for (const auto& [arguments, text] : bad) {
    const Outcome outcome = Run(arguments);
    EXPECT_EQ(outcome.status, 2) << text;
    EXPECT_THAT(outcome.err, HasSubstr(text));
    EXPECT_EQ(Lines(outcome.err), 1) << outcome.err;
    EXPECT_NE(access((out + "/results.json").c_str(), F_OK), 0);
  }
}

TEST_F(Conform, TellsHowItIsUsed) {
  const Outcome outcome = Run({"--help"});
  EXPECT_EQ(outcome.status, 0);
  for (const char* flag : {"--subject", "--profile", "--engine", "--filter", "--seed", "--budget",
                           "--case", "--out", "--expect", "--jobs"})
    EXPECT_THAT(outcome.out, HasSubstr(flag));
  // As in an archive, where there is nothing but shared objects to judge.
  EXPECT_THAT(outcome.out, HasSubstr("a shared object (--plugin)"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("bundled")));
}

TEST_F(Conform, TellsTheSameAsTheScriptThatBuildsIt) {
  Build("dnnspec_runner");
  for (const std::string flag : {"--help", "--version"})
    EXPECT_EQ(Run({flag}).out,
              tools::Run({"tools/conform", flag}, {{"PATH", "/usr/bin:/bin"}}).out);
  EXPECT_THAT(Run({"--version"}).out, testing::StartsWith("dnnspec "));
}

}  // namespace
}  // namespace conformance
