// Hostile text in everything that a subject, a vendor's file or a results file can hold, through
// every path that prints: nothing of it may command a terminal, or be taken for a line of ours.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/printable.h"
#include "conformance/case/testing/toys.h"
#include "conformance/report/badge.h"
#include "conformance/report/diff.h"
#include "conformance/report/differential.h"
#include "conformance/report/document.h"
#include "conformance/report/history.h"
#include "conformance/report/html.h"
#include "conformance/report/json.h"
#include "conformance/report/junit.h"
#include "conformance/report/results.h"
#include "conformance/report/summary.h"
#include "conformance/report/text.h"
#include "conformance/reproduce/program.h"
#include "conformance/verdict/claims.h"
#include "conformance/verdict/draft.h"
#include "conformance/verdict/judgement.h"
#include "tools/testing/command.h"

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::Not;
using tools::Outcome;

// A colour, a title, C1 in UTF-8 and raw, an override of direction and an isolate, ends of lines of
// all kinds, what is no UTF-8, DEL, BEL.
const std::string kHostile =
    "\x1b[31mred\x1b]0;title\x07\xc2\x9b"
    "31m\x9b"
    "2J\xe2\x80\xae\xe2\x81\xa6\nFAKE\r\xe2\x80\xa8\xff\xfe\x7f\x08";

// That text has come here at all, and harmless.
void ExpectHarmless(const std::string& printed) {
  for (std::string_view rest = printed; !rest.empty();) {
    const size_t bytes = rest[0] == '\n' ? 1 : HarmlessBytes(rest);
    ASSERT_GT(bytes, 0u) << "at byte " << printed.size() - rest.size() << " of:\n"
                         << Printable(printed);
    rest.remove_prefix(bytes);
  }
  EXPECT_EQ(("\n" + printed).find("\nFAKE"), std::string::npos) << printed;
}

void ExpectTold(const std::string& printed) {
  ExpectHarmless(printed);
  EXPECT_THAT(printed, HasSubstr("FAKE"));
}

const Property& TheProperty() {
  static const auto* const property =
      new auto(Toy(ToyMust(), AnyNumber(), [](const Number&, Trial&) {}));
  return *property;
}

Failure HostileFailure() {
  Failure failure;
  failure.line = failure.minimal = failure.where = failure.expected = failure.got = kHostile;
  failure.signal = failure.reproducer = kHostile;
  failure.count = 1;
  return failure;
}

Results HostileResults() {
  Results results;
  results.subject = results.version = results.claims = kHostile;
  results.request.command = results.request.out = kHostile;
  results.problems = {kHostile};
  PropertyOutcome outcome{&TheProperty(), {}, Verdict::kFail, kHostile};
  outcome.result.cases = 1;
  outcome.result.stopped = kHostile;
  outcome.result.results[static_cast<int>(CaseResult::kFailed)] = 1;
  outcome.result.reasons["refused: reorder " + kHostile] = 1;
  outcome.result.refusals[{kHostile, kHostile, {kHostile}, 9, {kHostile}}] = 1;
  outcome.result.failures = {HostileFailure()};
  results.requirements.push_back(Merge(ToyMust(), {outcome}));
  return results;
}

RecordedRun HostileRun(const std::string& verdict) {
  RecordedRun run;
  run.suite = run.subject = run.version = run.engine = run.profile = run.command = kHostile;
  run.date = kHostile;
  run.claims_file = kHostile;
  run.claims = {{kHostile, "", verdict + kHostile}, {kHostile, kHostile, verdict + kHostile}};
  run.problems = {kHostile};
  RecordedRequirement requirement;
  requirement.id = requirement.level = requirement.topic = requirement.text = kHostile;
  requirement.verdict = verdict;
  requirement.reason = kHostile;
  RecordedFailure failure;
  failure.property = failure.minimal = failure.where = failure.expected = kHostile;
  failure.got = failure.signal = failure.replay = failure.reproducer = kHostile;
  // Two of one cause, and one that is told by its values.
  requirement.failures = {failure, failure, failure};
  requirement.failures[2].signal.clear();
  run.requirements = {requirement};
  RecordedRequirement other = requirement;
  other.id = verdict + kHostile;
  run.requirements.push_back(other);
  return run;
}

TEST(Printing, OfResultsIsHarmless) {
  const Results results = HostileResults();
  Progress progress;
  progress.total = 1;
  ExpectTold(Headline(results));
  ExpectTold(Details(results, Style{}));
  ExpectTold(Totals(results, Style{}));
  ExpectTold(ProgressLine(kHostile, progress, 1, 200));
  ExpectTold(SummaryOf(ToJson(results)));
}

TEST(Printing, OfRecordedResultsIsHarmless) {
  const RecordedRun before = HostileRun("pass"), after = HostileRun("fail");
  ExpectTold(ToText({{after}, ""}));
  ExpectTold(Compare({{before}, ""}, {{after}, ""}).text);
  ExpectTold(HistoryText({{before, after}, ""}));
  // Counterparts that are none, and verdicts that were lost.
  RecordedRun other = HostileRun("not_run");
  other.engine += "x";
  ExpectTold(Compare({{before, after}, ""}, {{other, other}, ""}).text);
  other.engine = before.engine;
  ExpectTold(Compare({{before}, ""}, {{other}, ""}).text);
}

TEST(Printing, OfComparisonsIsHarmless) {
  const Reply failed = {kHostile, Reply::kFailed, kHostile, kHostile, kHostile};
  const Reply refused = {kHostile, Reply::kNotRun, "", "", kHostile};
  const Reply held = {kHostile, Reply::kHeld, "", "", ""};
  ExpectTold(DifferentialText({{kHostile, {failed, failed}}, {kHostile, {failed, held, refused}}}));
  ExpectTold(ReplyLine(failed));
}

TEST(Printing, OfClaimsAndDraftsIsHarmless) {
  const Results results = HostileResults();
  Claims claims;
  claims.file = kHostile;
  claims.engines = {EngineChoice::kCpu};
  ExpectTold(ClaimsText(claims, EngineChoice::kCpu,
                        JudgeClaims(claims, EngineChoice::kCpu, results.requirements, false)));
  ExpectTold(DraftClaims(kHostile, EngineChoice::kCpu, Profile::kPortable, results.requirements));
}

TEST(Printing, OfProgramsAndPagesIsHarmless) {
  Origin origin;
  origin.suite = origin.subject = origin.version = origin.replay = kHostile;
  ExpectTold(CallsProgram(TheProperty(), HostileFailure(), origin));
  const Document document = {{HostileRun("fail")}, ""};
  ExpectTold(ToHtml(document));
  ExpectTold(ToJunit(document));
  ExpectHarmless(ToBadge(document));
}

// The same of whole programs: what they are called, given and told to read.
class PrintingOf : public testing::Test {
 protected:
  void ExpectRefused(std::vector<std::string> command) {
    const Outcome outcome = tools::Run(command, {{"TMPDIR", folder_.path()}});
    EXPECT_EQ(outcome.status, 2) << Printable(command.back());
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
    ExpectTold(outcome.err);
    ExpectHarmless(outcome.out);
  }

  // A name that a file can have.
  static std::string Name() {
    std::string name = kHostile;
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
  }

  tools::Scratch folder_;
};

constexpr char kRunner[] = "conformance/cli/testing/toy_runner";
constexpr char kConform[] = "conformance/cli/conform";
constexpr char kReport[] = "conformance/cli/report";

TEST_F(PrintingOf, ARunnerIsHarmless) {
  for (const char* flag : {"--filter=(", "--case=", "--claims=/", "--expect=/", "--topic=", "--",
                           "--seed=", "--subject=", "--out=/dev/null/"})
    ExpectRefused({kRunner, flag + kHostile});
  const std::string file = folder_.Write(Name(), kHostile);
  ExpectRefused({kRunner, "--claims=" + file});
  ExpectRefused({kRunner, "--expect=" + file});
  const Outcome batch = tools::Run(
      {kRunner, "--batch=" + folder_.Write("batch", "tensor a" + kHostile + " dims=2x2\n")}, {});
  EXPECT_EQ(batch.status, 2);
  ExpectTold(batch.err);
  ExpectHarmless(batch.out);
  const Outcome hostile =
      tools::Run({kRunner, "--filter=SHU-001"}, {{"TOY_HOSTILE_TEXT", kHostile}});
  EXPECT_EQ(hostile.status, 1) << hostile.err;
  ExpectTold(hostile.out);
  ExpectHarmless(hostile.err);
  const Outcome one =
      tools::Run({kRunner, "--case=SHU-001 value=1 weight=0", "--out=" + file + "2"},
                 {{"TOY_HOSTILE_TEXT", kHostile}});
  EXPECT_EQ(one.status, 1) << one.err;
  ExpectTold(one.out);
}

TEST_F(PrintingOf, ConformIsHarmless) {
  const std::string conform = folder_ / "conform";
  std::filesystem::copy_file(kConform, conform);
  const std::string plugin = folder_.Write("lib" + Name() + ".so", "");
  ExpectRefused({conform, "--plugin=" + plugin});
  ExpectRefused({conform, "--subject=" + folder_.Write(Name() + "_runner", "")});
  ExpectRefused({conform, "--subject=" + kHostile});
  const std::string inside = folder_.Script(Name() + "/vendor_runner", "exit 1\n");
  ExpectRefused({conform, "--subject=" + inside});
  folder_.Script("vendor_runner", "printf '%s' \"$TEXT\" >&2\nexit 1\n");
  const Outcome told =
      tools::Run({conform, "--subject=" + folder_ / "vendor_runner"}, {{"TEXT", kHostile}});
  EXPECT_EQ(told.status, 2);
  ExpectHarmless(told.err);
}

TEST_F(PrintingOf, ReportIsHarmless) {
  ExpectRefused({kReport, kHostile});
  ExpectRefused({kReport, "--" + kHostile});
  ExpectRefused({kReport, "text", kHostile});
  ExpectRefused({kReport, "text", folder_.Write(Name(), "{\"format\": 1}")});
  ExpectRefused({kReport, "merge", folder_ / Name()});
}

}  // namespace
}  // namespace conformance
