// What a case does to its process is told of that case, and of none behind it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <string>

#include "conformance/case/property.h"
#include "conformance/case/testing/toys.h"
#include "conformance/case/trial.h"
#include "conformance/judge/isolate.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/replay.h"
#include "conformance/judge/shared_state.h"
#include "conformance/verdict/verdict.h"

namespace conformance {
namespace {

using testing::HasSubstr;

PropertyOutcome Judged(void (*check)(const Number&, Trial&), Profile profile = Profile::kProject) {
  static SharedRunState* const state = SharedRunState::Map();
  RunOptions run_options;
  run_options.profile = profile;
  run_options.limits = DefaultLimits(1);
  const PropertyOver<Number> toy = Toy(ToyMust(), AnyNumber(), check);
  return Decide(toy, Judge(toy, run_options, state), run_options);
}

struct Change {
  const char* name;
  void (*make)();
  const char* where;
  const char* got;
};

void PrintTo(const Change& change, std::ostream* out) { *out << change.name; }

void BlockSignals() {
  sigset_t some;
  sigemptyset(&some);
  sigaddset(&some, SIGUSR1);
  sigprocmask(SIG_BLOCK, &some, nullptr);
}

const Change kChanges[] = {
    {"chdir", [] { (void)!chdir("/"); }, "process: working directory", "/"},
    {"umask", [] { umask(0123); }, "process: umask", "123"},
    {"setlocale", [] { std::setlocale(LC_ALL, "C.UTF-8"); }, "process: locale", "C.UTF-8"},
    {"setenv", [] { setenv("LEFT", "1", 1); }, "process: environment variables", "LEFT=1"},
    {"signal", [] { signal(SIGUSR1, SIG_IGN); }, "process: signal handlers", "SIGUSR1 ignored"},
    {"sigprocmask", BlockSignals, "process: blocked signals", "SIGUSR1"},
    {"fesetround", [] { std::fesetround(FE_UPWARD); }, "process: floating-point environment",
     "rounding upward"},
    {"close_stdout", [] { close(1); }, "process: descriptors", "1 closed"},
    {"dup2_stdout", [] { dup2(0, 1); }, "process: descriptors", "1 is /dev/null"},
};

const Change* g_change = nullptr;

class ProcessChanges : public testing::TestWithParam<Change> {
 protected:
  ProcessChanges() { g_change = &GetParam(); }
};

TEST_P(ProcessChanges, FailTheirOwnCasesInTheProjectProfile) {
  const auto outcome = Judged([](const Number& number, Trial&) {
    if (number.value == 500) g_change->make();
    if (number.value == 501) std::printf("stdout is there");
  });
  EXPECT_EQ(outcome.verdict, Verdict::kFail) << outcome.reason;
  ASSERT_EQ(outcome.result.failures.size(), 2u);
  for (const Failure& failure : outcome.result.failures) {
    const bool prints = failure.minimal == "TOY-001 value=501 weight=0";
    EXPECT_EQ(failure.where, prints ? "stdout and stderr" : g_change->where);
    EXPECT_EQ(failure.got, prints ? "stdout is there" : g_change->got);
    EXPECT_TRUE(prints || failure.minimal == "TOY-001 value=500 weight=0") << failure.minimal;
    EXPECT_TRUE(failure.alone);
    EXPECT_LT(failure.count, 20);
  }
  EXPECT_EQ(outcome.result.cases, kDefaultCases);
}

TEST_P(ProcessChanges, AreWarningsInThePortableProfile) {
  const auto outcome = Judged(
      [](const Number& number, Trial&) {
        if (number.value == 500) g_change->make();
      },
      Profile::kPortable);
  EXPECT_EQ(outcome.verdict, Verdict::kWeak) << outcome.reason;
  ASSERT_EQ(outcome.result.failures.size(), 1u);
  EXPECT_EQ(outcome.result.failures[0].where, g_change->where);
}

TEST_P(ProcessChanges, OfALibraryThatIsLoadedAreToldOfTheFirstCase) {
  static bool loaded;
  loaded = false;
  const auto outcome = Judged([](const Number&, Trial&) {
    if (!loaded) g_change->make();
    loaded = true;
  });
  ASSERT_EQ(outcome.result.failures.size(), 1u);
  EXPECT_EQ(outcome.result.failures[0].count, 1);
  EXPECT_EQ(outcome.result.failures[0].where, g_change->where);
  EXPECT_TRUE(outcome.result.failures[0].alone);
}

INSTANTIATE_TEST_SUITE_P(Each, ProcessChanges, testing::ValuesIn(kChanges),
                         [](const testing::TestParamInfo<Change>& change) {
                           return std::string(change.param.name);
                         });

TEST(ProcessChange, ThatGrowsWithEveryCaseIsToldOnceAndNotAlone) {
  const auto outcome = Judged([](const Number&, Trial&) { (void)!dup(0); });
  ASSERT_EQ(outcome.result.failures.size(), 1u);
  EXPECT_EQ(outcome.result.failures[0].count, 1);
  EXPECT_EQ(outcome.result.failures[0].where, "process: open descriptors");
  EXPECT_THAT(outcome.result.failures[0].got, HasSubstr(" more after "));
  EXPECT_FALSE(outcome.result.failures[0].alone);
  EXPECT_EQ(outcome.result.cases, kDefaultCases);
}

TEST(ProcessChange, BesideAWrongResultIsNotWhatIsTold) {
  const auto outcome = Judged([](const Number& number, Trial& trial) {
    if (number.value != 500) return;
    umask(0123);
    trial.Fail("value", "1", "2");
  });
  ASSERT_EQ(outcome.result.failures.size(), 1u);
  EXPECT_EQ(outcome.result.failures[0].where, "value");
}

// A case that is replayed alone says the same.
TEST(ProcessChange, IsToldByAReplay) {
  const PropertyOver<Number> toy =
      Toy(ToyMust(), AnyNumber(), [](const Number&, Trial&) { umask(0123); });
  RunOptions run_options;
  run_options.limits = DefaultLimits(1);
  const Answer answer = Replay(toy, "value=1 weight=0", run_options, SharedRunState::Map());
  EXPECT_EQ(answer.result, CaseResult::kDeviated);
  EXPECT_EQ(answer.where, "process: umask");
  EXPECT_EQ(answer.got, "123");
}

}  // namespace
}  // namespace conformance
