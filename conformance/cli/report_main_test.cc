#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tools/testing/command.h"

namespace {

using testing::HasSubstr;
using testing::StartsWith;
using tools::Outcome;

constexpr char kResults[] =
    "{\"format\": 1, \"suite\": \"dnnspec 0.1.0\", \"subject\": \"vendor\", \"version\": "
    "\"2.6.3\", "
    "\"run\": {\"seed\": 1, \"engine\": \"cpu\", \"profile\": \"portable\", \"command\": "
    "\"tools/conform\", \"seconds\": 2.5}, \"requirements\": [{\"id\": \"SHU-001\", \"level\": "
    "\"MUST\", \"topic\": \"shuffle\", \"text\": \"Text.\", \"verdict\": \"pass\", \"cases\": 5, "
    "\"seconds\": 0.5}]}";

class Report : public testing::Test {
 protected:
  Report() { folder_.Write("results.json", kResults); }

  Outcome Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), std::filesystem::absolute("conformance/cli/report"));
    return tools::Run(arguments, {}, folder_.path());
  }

  tools::Scratch folder_;
};

TEST_F(Report, WritesToStandardOutputOrAFile) {
  const Outcome shown = Run({"text", "results.json"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, StartsWith("vendor 2.6.3 (cpu)"));
  const Outcome written = Run({"text", "results.json", "--out=report.txt"});
  EXPECT_EQ(written.out, "");
  EXPECT_EQ(folder_.Read("report.txt"), shown.out);
}

TEST_F(Report, NamesWhatWasJudgedWhereTheFileDoes) {
  std::string told = kResults;
  told.replace(told.find("\"profile\""), 0, "\"device\": \"avx512_core\", ");
  folder_.Write("told.json", told);
  EXPECT_THAT(Run({"text", "told.json"}).out, StartsWith("vendor 2.6.3 (cpu) on avx512_core, "));
  EXPECT_THAT(Run({"html", "told.json"}).out, HasSubstr("on avx512_core, "));
  EXPECT_THAT(Run({"text", "results.json"}).out, StartsWith("vendor 2.6.3 (cpu), "));
}

TEST_F(Report, HasAFormForEveryCommand) {
  EXPECT_THAT(Run({"html", "results.json"}).out, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(Run({"junit", "results.json"}).out, StartsWith("<?xml"));
  EXPECT_THAT(Run({"badge", "results.json"}).out, StartsWith("<svg"));
  EXPECT_THAT(Run({"--help"}).out, StartsWith("usage: "));
  EXPECT_THAT(Run({"--version"}).out, StartsWith("dnnspec "));
}

TEST_F(Report, OfADifferenceFailsWhenSomethingGotWorse) {
  EXPECT_EQ(Run({"diff", "results.json", "results.json"}).status, 0);
  std::string worse = kResults;
  worse.replace(worse.find("\"pass\""), 6, "\"fail\"");
  folder_.Write("worse.json", worse);
  EXPECT_EQ(Run({"diff", "results.json", "worse.json"}).status, 1);
  EXPECT_EQ(Run({"diff", "worse.json", "results.json"}).status, 0);
}

TEST_F(Report, TellsAHistory) {
  std::string later = kResults;
  later.replace(later.find("\"pass\""), 6, "\"fail\"");
  later.replace(later.find("\"profile\""), 0, "\"date\": \"2026-11-23T07:30:00Z\", ");
  folder_.Write("later.json", later);
  EXPECT_EQ(Run({"history", "results.json", "later.json"}).out,
            "#1  no date  vendor 2.6.3 (cpu), portable, 1 pass\n"
            "#2  2026-11-23T07:30:00Z  vendor 2.6.3 (cpu), portable, 1 fail\n\n"
            "vendor (cpu): 1 changed, 0 the same\n"
            "  SHU-001  #1 pass, #2 fail\n");
  EXPECT_EQ(Run({"history", "later.json"}).status, 0);
}

TEST_F(Report, RefusesInOneLine) {
  const auto refusal = [this](std::vector<std::string> arguments) {
    const Outcome outcome = Run(std::move(arguments));
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_EQ(refusal({}),
            "report: no command; there are text, html, junit, badge, merge, diff and history\n");
  EXPECT_EQ(refusal({"pdf"}),
            "report: unknown command 'pdf'; there are text, html, junit, badge, merge, diff and "
            "history\n");
  EXPECT_EQ(refusal({"text"}), "report: text wants a results file\n");
  EXPECT_EQ(refusal({"diff", "results.json"}), "report: diff wants two results files\n");
  EXPECT_EQ(refusal({"text", "none.json"}),
            "report: cannot read none.json: No such file or directory\n");
  EXPECT_EQ(refusal({"text", "--color"}),
            "report: unknown flag '--color' (--help lists the flags)\n");
  EXPECT_THAT(refusal({"merge", "results.json"}), StartsWith("report: merge: results.json: "));
  EXPECT_EQ(refusal({"text", "results.json", "--out", "report.txt"}),
            "report: --out wants =FILE in the same word\n");
  EXPECT_EQ(refusal({"html", "results.json", "--repository"}),
            "report: --repository wants =URL in the same word\n");
  EXPECT_THAT(refusal({"text", "results.json", "--out=/no/such/file"}),
              StartsWith("report: --out: cannot write /no/such/file"));
}

TEST_F(Report, LinksToWhatABrowserFetchesOnly) {
  for (const char* address : {"", "javascript:alert(1)", "file:///etc", "example.com", "https://"})
    EXPECT_EQ(Run({"html", "results.json", std::string("--repository=") + address}).err,
              "report: --repository wants the address of a folder, http://... or https://...\n");
  for (const char* address : {"http://example.com/a", "https://example.com/a/"})
    EXPECT_EQ(Run({"html", "results.json", std::string("--repository=") + address}).status, 0);
}

TEST_F(Report, ShowsNoByteOfAFileThatIsNone) {
  folder_.Write("none", "\x1b[31m\xff");
  EXPECT_EQ(Run({"text", "none"}).err,
            "report: none: no results of this suite: it is no JSON: line 1, column 1\n");
}

TEST_F(Report, TakesMutantsForThePageAlone) {
  folder_.Write("mutants.json", "{\"mutants\": []}");
  EXPECT_THAT(Run({"html", "results.json", "--mutants=mutants.json"}).out,
              HasSubstr("mutants killed"));
  EXPECT_EQ(Run({"text", "results.json", "--mutants=mutants.json"}).err,
            "report: --mutants and --repository are of html alone\n");
  EXPECT_EQ(Run({"html", "results.json", "--mutants=none.json"}).err,
            "report: cannot read none.json: No such file or directory\n");
  EXPECT_THAT(Run({"html", "results.json", "--mutants=results.json"}).err,
              StartsWith("report: results.json: no mutants.json of this suite: "));
}

}  // namespace
