// What is told to people and programs, for results made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "conformance/case/testing/toys.h"
#include "conformance/report/document.h"
#include "conformance/report/files.h"
#include "conformance/report/json.h"
#include "conformance/report/junit.h"
#include "conformance/report/numbers.h"
#include "conformance/report/results.h"
#include "conformance/report/summary.h"
#include "nlohmann/json.hpp"
#include "tools/testing/command.h"

namespace conformance {
namespace {

using nlohmann::json;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const Property& TheProperty() {
  static const auto* const property =
      new auto(Toy(ToyMust(), AnyNumber(), [](const Number&, Trial&) {}));
  return *property;
}

// One requirement that failed in a way that is hard to write down.
Results Failed() {
  Results results;
  results.subject = "toy";
  results.version = "1.0";
  results.request.command = "tools/conform --subject=toy";
  results.request.seed = 7;
  PropertyOutcome outcome{&TheProperty(), {}, Verdict::kFail, ""};
  outcome.result.cases = 1234;
  outcome.result.results[static_cast<int>(CaseResult::kFailed)] = 5;
  outcome.result.seconds = 0.25;
  Failure failure;
  failure.line = "TOY-001 value=950 weight=1";
  failure.minimal = "TOY-001 value=900 weight=0";
  failure.where = "dst[\"x\"]";
  failure.expected = "a < b & c";
  failure.got = "\xff";
  failure.count = 5;
  outcome.result.failures = {failure};
  results.requirements.push_back(Merge(ToyMust(), {outcome}));
  results.requirements.push_back(Merge(ToyShould(), {}));
  return results;
}

TEST(Json, IsReadableWhateverASubjectSays) {
  const json results = json::parse(ToJson(Failed()));
  EXPECT_EQ(results["requirements"][0]["id"], "TOY-001");
  EXPECT_EQ(results["requirements"][0]["failures"][0]["got"], "\xef\xbf\xbd");
  EXPECT_EQ(results["requirements"][0]["failures"][0]["replay"],
            "tools/conform --subject=toy --case='TOY-001 value=900 weight=0'");
  EXPECT_EQ(results["requirements"][1]["not_run"], "no property yet");
  EXPECT_EQ(results["run"]["command"], "tools/conform --subject=toy --seed=7");
}

TEST(Json, SubjectsAreMergedAsTheyAre) {
  const std::string one = ToJson(Failed());
  const json merged = json::parse(MergeJson({one, one}, "tools/conform"));
  ASSERT_EQ(merged["subjects"].size(), 2u);
  EXPECT_EQ(merged["subjects"][0], json::parse(one));
  EXPECT_EQ(merged["run"]["command"], "tools/conform");
}

TEST(Json, TotalsNameWhatThereIs) {
  EXPECT_EQ(SummaryOf(ToJson(Failed())), "toy: not run 1, fail 1, cases 1234\n");
}

std::string Junit(const Results& results) {
  return ToJunit(ParseDocument(ToJson(results), "results"));
}

TEST(Junit, EscapesWhatXmlCannotHold) {
  const std::string xml = Junit(Failed());
  EXPECT_THAT(xml, HasSubstr("a &lt; b &amp; c"));
  EXPECT_THAT(xml, HasSubstr("dst[&quot;x&quot;]"));
  EXPECT_THAT(xml, Not(HasSubstr("\xff")));
  EXPECT_THAT(xml, HasSubstr("tests=\"2\" failures=\"1\" skipped=\"1\""));
}

TEST(Junit, AProblemWithTheExpectationsIsAFailure) {
  Results results = Failed();
  results.problems = {"f:1: expired"};
  EXPECT_THAT(Junit(results), HasSubstr("tests=\"3\" failures=\"2\""));
}

TEST(Results, TheSuiteHasTheProjectsVersion) { EXPECT_STREQ(kSuiteVersion, DNNSPEC_VERSION); }

TEST(Results, AFailureThatNeedsEarlierCasesIsReplayedWithThem) {
  Results results = Failed();
  PropertyOutcome& property = results.requirements[0].properties[0];
  property.result.failures[0].alone = false;
  EXPECT_EQ(ReplayCommand(results, property, property.result.failures[0]),
            "tools/conform --subject=toy --filter='^TOY-001$' --seed=7");
}

TEST(Results, ADateIsOfOneTimeEverywhere) {
  EXPECT_EQ(DateText(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(DateText(1795419000), "2026-11-23T07:30:00Z");
  Results results = Failed();
  EXPECT_TRUE(json::parse(ToJson(results))["run"]["date"].is_null());
  results.date = DateText(0);
  EXPECT_EQ(ParseDocument(ToJson(results), "results").runs.at(0).date, "1970-01-01T00:00:00Z");
}

TEST(Results, FailuresOutweighSuiteErrors) {
  Results results = Failed();
  EXPECT_EQ(ExitStatus(results), 1);
  results.requirements[1].verdict = Verdict::kSuiteError;
  EXPECT_EQ(ExitStatus(results), 1);
  results.requirements[0].verdict = Verdict::kPass;
  EXPECT_EQ(ExitStatus(results), 2);
  results.requirements[1].verdict = Verdict::kWeak;
  EXPECT_EQ(ExitStatus(results), 0);
  results.problems = {"expired"};
  EXPECT_EQ(ExitStatus(results), 1);
}

TEST(Summary, NamesTheCaseAndWhatWasExpected) {
  const std::string text = Details(Failed(), Style{});
  EXPECT_THAT(text, StartsWith("FAIL  TOY-001  Numbers are small.\n"));
  EXPECT_THAT(text, HasSubstr("TOY-001: 5 of 1,234 cases\n"));
  EXPECT_THAT(text, HasSubstr("case      TOY-001 value=900 weight=0\n"));
  EXPECT_THAT(text, HasSubstr("expected  a < b & c\n"));
}

TEST(Summary, CountsTheCausesBehindFailures) {
  Results results = Failed();
  EXPECT_THAT(Details(results, Style{}), Not(HasSubstr("behind")));
  std::vector<Failure>& failures = results.requirements[0].properties[0].result.failures;
  failures.push_back(failures[0]);
  EXPECT_THAT(Details(results, Style{}), EndsWith("\n1 cause behind 2 failures\n"));
  // A warning is none of them.
  failures[1].deviation = true;
  EXPECT_THAT(Details(results, Style{}), Not(HasSubstr("behind")));
}

TEST(Summary, IsColouredOnATerminalOnly) {
  EXPECT_THAT(Details(Failed(), Style{true}), StartsWith("\033[31mFAIL\033[0m  TOY-001"));
  EXPECT_THAT(Totals(Failed(), Style{}), Not(HasSubstr("\033")));
}

TEST(Summary, NumbersAreGrouped) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1000), "1,000");
  EXPECT_EQ(Grouped(1234567), "1,234,567");
  EXPECT_EQ(Grouped(-123456), "-123,456");
}

TEST(Summary, ProgressFitsItsLine) {
  Progress progress{25, 100, 50000, &TheProperty()};
  const std::string line = ProgressLine("toy", progress, 10, 200);
  EXPECT_THAT(line, StartsWith("toy [======                  ]  25%  TOY  50,000 cases"));
  EXPECT_THAT(line, HasSubstr("5,000/s"));
  EXPECT_THAT(line, HasSubstr("0:30 left"));
  EXPECT_EQ(ProgressLine("toy", progress, 10, 20).size(), 20u);
  EXPECT_THAT(ProgressLine("toy", Progress(), 0, 200), HasSubstr("100%"));
}

TEST(Files, AreWholeOrNotThere) {
  tools::Scratch scratch;
  const std::string folder = scratch / "a/b";
  EXPECT_EQ(PrepareFolder(folder), "");
  EXPECT_EQ(PrepareFolder(folder), "");
  EXPECT_EQ(WriteFile(folder + "/results.json", "one"), "");
  EXPECT_EQ(WriteFile(folder + "/results.json", "two"), "");
  EXPECT_EQ(scratch.Read("a/b/results.json"), "two");
  std::string text;
  EXPECT_EQ(ReadResults(folder + "/results.json", &text), "");
  EXPECT_EQ(text, "two");
}

mode_t ModeOf(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777;
}

TEST(Files, ObeyTheUmask) {
  tools::Scratch scratch;
  const mode_t mine = umask(077);
  EXPECT_EQ(WriteFile(scratch / "private", "x"), "");
  umask(002);
  EXPECT_EQ(WriteFile(scratch / "shared", "x"), "");
  EXPECT_EQ(WriteFile(scratch / "private", "y"), "");
  umask(mine);
  EXPECT_EQ(ModeOf(scratch / "shared"), 0664u);
  EXPECT_EQ(ModeOf(scratch / "private"), 0664u);
  EXPECT_EQ(umask(077), mine) << "it is put back";
  EXPECT_EQ(WriteFile(scratch / "private", "z"), "");
  umask(mine);
  EXPECT_EQ(ModeOf(scratch / "private"), 0600u);
}

TEST(Files, OfLinesMayBeginWithAByteOrderMark) {
  tools::Scratch scratch;
  std::string text;
  EXPECT_EQ(ReadLines(scratch.Write("marked",
                                    "\xef\xbb\xbf"
                                    "a\xef\xbb\xbf"),
                      &text),
            "");
  EXPECT_EQ(text, "a\xef\xbb\xbf");
  EXPECT_EQ(ReadLines(scratch.Write("short", "\xef\xbb"), &text), "");
  EXPECT_EQ(text, "\xef\xbb");
}

TEST(Files, ThatNeverEndAreRefused) {
  std::string text;
  EXPECT_EQ(ReadLines("/dev/zero", &text), "cannot read /dev/zero: it holds more than 16 MiB");
  EXPECT_EQ(text, "");
  EXPECT_EQ(ReadResults("/dev/zero", &text), "cannot read /dev/zero: it holds more than 512 MiB");
}

TEST(Files, ThatAreTooLongForTheDiskAreNotThere) {
  tools::Scratch scratch;
  scratch.Write("results.json", "of an earlier run");
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {100, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string problem = WriteFile(scratch / "results.json", std::string(1000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(problem, "cannot write " + scratch / "results.json: File too large");
  EXPECT_EQ(scratch.Read("results.json"), "of an earlier run");
  const std::filesystem::directory_iterator files(scratch.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(Files, AFolderIsLockedForOneRunUntilItEnds) {
  tools::Scratch scratch;
  // Which leaves a process behind.
  const pid_t run = fork();
  if (run == 0) {
    const bool locked = LockFolder(scratch.path()).empty();
    if (locked && fork() == 0) {
      sleep(20);
      _exit(0);
    }
    if (locked) raise(SIGSTOP);
    _exit(locked ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(run, &status, WUNTRACED), run);
  ASSERT_TRUE(WIFSTOPPED(status));
  EXPECT_EQ(LockFolder(scratch.path()),
            "another run writes to folder " + scratch.path() + " at this moment");
  kill(run, SIGCONT);
  ASSERT_EQ(waitpid(run, &status, 0), run);
  EXPECT_EQ(status, 0);
  // The child that the run has left behind lets go as soon as it is scheduled.
  std::string problem = LockFolder(scratch.path());
  for (int tenths = 0; tenths < 100 && !problem.empty(); ++tenths) {
    usleep(100'000);
    problem = LockFolder(scratch.path());
  }
  EXPECT_EQ(problem, "");
  EXPECT_THAT(LockFolder(scratch / "none"), HasSubstr("cannot open folder"));
}

TEST(Files, SayWhichOneCannotBeHad) {
  std::string text;
  EXPECT_EQ(ReadResults("/no/such", &text), "cannot read /no/such: No such file or directory");
  EXPECT_EQ(ReadResults("/", &text), "cannot read /: Is a directory");
  EXPECT_THAT(WriteFile("/no/such", "x"), HasSubstr("cannot write /no/such"));
  EXPECT_THAT(PrepareFolder("/proc/nothing"), HasSubstr("/proc/nothing"));
}

}  // namespace
}  // namespace conformance
