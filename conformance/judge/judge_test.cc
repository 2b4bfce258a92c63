#include "conformance/judge/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>
#include <stdexcept>
#include <thread>

#include "conformance/case/refusal.h"
#include "conformance/case/testing/toys.h"
#include "conformance/verdict/verdict.h"

namespace conformance {
namespace {

using std::chrono::milliseconds;
using testing::AnyOf;

using testing::HasSubstr;

constexpr bool kSanitized =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#else
    false;
#endif

RunOptions Quick(Profile profile = Profile::kPortable) {
  RunOptions run_options;
  run_options.profile = profile;
  run_options.limits = DefaultLimits(1);
  run_options.limits.silence = milliseconds(kSanitized ? 5000 : 1000);
  run_options.limits.memory_bytes = int64_t{kSanitized ? 1024 : 64} << 20;
  return run_options;
}

SharedRunState* TheSheet() {
  static SharedRunState* const state = SharedRunState::Map();
  return state;
}

PropertyOutcome Judged(const Property& property, const RunOptions& run_options = Quick()) {
  return Decide(property, Judge(property, run_options, TheSheet()), run_options);
}

PropertyOutcome JudgedMust(void (*check)(const Number&, Trial&),
                           const RunOptions& run_options = Quick()) {
  return Judged(Toy(ToyMust(), AnyNumber(), check), run_options);
}

// The only failure of a property that fails in one way.
Failure Only(const PropertyOutcome& outcome) {
  EXPECT_EQ(outcome.verdict, Verdict::kFail) << outcome.reason;
  EXPECT_EQ(outcome.result.failures.size(), 1u);
  return outcome.result.failures.empty() ? Failure() : outcome.result.failures[0];
}

TEST(Judge, APropertyThatHoldsPassesOverAllItsCases) {
  const auto outcome = JudgedMust([](const Number&, Trial&) {});
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_EQ(outcome.result.cases, kDefaultCases);
  EXPECT_EQ(outcome.result.counted(), kDefaultCases);
}

TEST(Judge, CostlyCasesAreDrawnFewerTimesThanOthers) {
  const auto costly = Toy(ToyMust(), Costly(AnyNumber(), 4), [](const Number&, Trial&) {});
  const auto usual = Judged(costly);
  EXPECT_EQ(usual.verdict, Verdict::kPass);
  EXPECT_EQ(usual.result.cases, kDefaultCases / 4);
  RunOptions fewer = Quick();
  fewer.cases = 100;
  EXPECT_EQ(Judged(costly, fewer).result.cases, 25);
  fewer.cases = 7;
  EXPECT_EQ(Judged(costly, fewer).result.cases, 7);
}

TEST(Judge, WhatCostlyCasesNeverShowedInAWholeRunIsTheSuitesFault) {
  const auto never =
      Toy(ToyMust(), Costly(AnyNumber(), 4), [](const Number&, Trial&) {}, {"never"});
  EXPECT_EQ(Judged(never).verdict, Verdict::kSuiteError);
  RunOptions fewer = Quick();
  fewer.cases = 100;
  EXPECT_EQ(Judged(never, fewer).verdict, Verdict::kNotRun);
}

TEST(Judge, AListIsRunWhollyAndOnce) {
  const auto outcome = Judged(Toy(ToyMust(), FirstNumbers(37), [](const Number&, Trial&) {}));
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_EQ(outcome.result.cases, 37);
}

TEST(Judge, AFailureIsCountedAndShrunkToTheSmallestLine) {
  const auto outcome = JudgedMust([](const Number& number, Trial& trial) {
    trial.Expect(!IsTrigger(number), "value[" + std::to_string(number.value) + "]", "below 900",
                 std::to_string(number.value));
  });
  const Failure failure = Only(outcome);
  EXPECT_EQ(failure.minimal, "TOY-001 value=900 weight=0");
  EXPECT_EQ(failure.where, "value[900]");
  EXPECT_EQ(failure.expected, "below 900");
  EXPECT_EQ(failure.got, "900");
  EXPECT_EQ(failure.count, outcome.result.of(CaseResult::kFailed));
  EXPECT_GT(failure.count, 100);
  EXPECT_TRUE(failure.alone);
  EXPECT_EQ(failure.signal, "");
}

TEST(Judge, TheSameSeedGivesTheSameFailures) {
  const auto run = [] {
    return Judged(Toy(ToyMust(), AnyNumber(), [](const Number& number, Trial& trial) {
      trial.Expect(!IsTrigger(number), "value");
    }));
  };
  EXPECT_EQ(Only(run()).line, Only(run()).line);
}

TEST(Judge, FailuresAtDifferentPlacesAreToldApart) {
  const auto outcome = JudgedMust([](const Number& number, Trial& trial) {
    if (number.value % 3 == 0) trial.Fail("left", "1", "2");
    if (number.value % 3 == 1) trial.Fail("right", "1", "2");
  });
  ASSERT_EQ(outcome.result.failures.size(), 2u);
  EXPECT_EQ(outcome.result.failures[0].count + outcome.result.failures[1].count,
            outcome.result.of(CaseResult::kFailed));
}

// One case signals the process that started it, or that one's group; all others hold.
void ExpectBlamed(void (*check)(const Number&, Trial&), const std::string& signal,
                  const std::string& got) {
  const auto outcome = JudgedMust(check);
  const Failure failure = Only(outcome);
  EXPECT_EQ(failure.minimal, "TOY-001 value=500 weight=0");
  EXPECT_EQ(failure.signal, signal);
  EXPECT_EQ(failure.where, "process");
  EXPECT_EQ(failure.got, got);
  EXPECT_TRUE(failure.alone);
  EXPECT_EQ(outcome.result.cases, kDefaultCases);
  EXPECT_EQ(outcome.result.stopped, "");
}

TEST(Judge, AKilledParentCostsTheCaseThatKilledIt) {
  ExpectBlamed(
      [](const Number& number, Trial&) {
        if (number.value == 500) kill(getppid(), SIGKILL);
      },
      "parent SIGKILL", "its parent process was ended by SIGKILL");
}

TEST(Judge, AStoppedParentCostsTheCaseThatStoppedIt) {
  ExpectBlamed(
      [](const Number& number, Trial&) {
        if (number.value == 500) kill(getppid(), SIGSTOP);
      },
      "parent SIGSTOP", "its parent process was stopped by SIGSTOP");
}

TEST(Judge, ASignalToTheParentsGroupEndsThatParentAlone) {
  ExpectBlamed(
      [](const Number& number, Trial&) {
        if (number.value == 500) kill(-getpgid(getppid()), SIGTERM);
      },
      "parent SIGTERM", "its parent process was ended by SIGTERM");
}

TEST(Judge, ACrashCostsItsCaseAndTheRunGoesOn) {
  const auto outcome = JudgedMust([](const Number& number, Trial&) {
    if (number.value == 500) raise(SIGSEGV);
  });
  const Failure failure = Only(outcome);
  EXPECT_EQ(outcome.result.cases, kDefaultCases);
  EXPECT_EQ(failure.signal, kSanitized ? "exit 1" : "SIGSEGV");
  EXPECT_EQ(failure.minimal, "TOY-001 value=500 weight=0");
}

TEST(Judge, AnAbortTellsItsLastWords) {
  const auto outcome = JudgedMust([](const Number& number, Trial&) {
    if (number.value != 500) return;
    std::fputs("assertion \x1b[31mx > 0 failed\n\n", stderr);
    std::abort();
  });
  EXPECT_THAT(Only(outcome).got, HasSubstr("assertion \\x1b[31mx > 0 failed"));
}

TEST(Judge, APropertyThatKeepsCrashingIsGivenUp) {
  RunOptions run_options = Quick();
  run_options.deaths = 3;
  const auto outcome = JudgedMust([](const Number&, Trial&) { std::abort(); }, run_options);
  EXPECT_EQ(Only(outcome).count, 3);
  EXPECT_EQ(outcome.result.cases, 3);
  EXPECT_EQ(outcome.result.stopped, "given up after 3 dead processes");
}

TEST(Judge, AHangIsEndedAndShrunk) {
  RunOptions run_options = Quick();
  run_options.hangs = 1;
  const auto outcome = JudgedMust(
      [](const Number& number, Trial&) {
        while (IsTrigger(number)) pause();
      },
      run_options);
  const Failure failure = Only(outcome);
  EXPECT_EQ(failure.signal, "hang");
  EXPECT_THAT(failure.got, HasSubstr("no answer in"));
  EXPECT_THAT(failure.got, HasSubstr("asleep"));
  EXPECT_THAT(failure.minimal, HasSubstr(" weight=0"));
  EXPECT_THAT(outcome.result.stopped, HasSubstr("without an answer"));
}

// A machine with other work to do makes everything slow by the clock, not by processor time.
TEST(Judge, ACaseThatWaitsIsNoHang) {
  const RunOptions run_options = Quick();
  const auto outcome = JudgedMust(
      [](const Number& number, Trial&) {
        if (number.value == 500) std::this_thread::sleep_for(Quick().limits.silence * 3 / 2);
      },
      run_options);
  EXPECT_EQ(outcome.verdict, Verdict::kPass) << outcome.reason;
}

TEST(Judge, ACaseThatIsOnlySlowIsNoHang) {
  const RunOptions run_options = Quick();
  const auto outcome = JudgedMust(
      [](const Number& number, Trial&) {
        const std::clock_t begin = std::clock();
        while (number.value == 500 && (std::clock() - begin) * 2000 / CLOCKS_PER_SEC <
                                          3 * Quick().limits.silence.count()) {
        }
      },
      run_options);
  EXPECT_EQ(outcome.verdict, Verdict::kPass) << outcome.reason;
}

TEST(Judge, MemoryWithoutEndIsEnded) {
  RunOptions run_options = Quick();
  run_options.limits.silence = std::chrono::minutes(1);
  const auto outcome = JudgedMust(
      [](const Number& number, Trial&) {
        while (number.value == 500) {
          auto* const block = static_cast<volatile char*>(std::malloc(1 << 20));
          if (block == nullptr) continue;
          for (int i = 0; i < 1 << 20; i += 4096) block[i] = 1;
        }
      },
      run_options);
  EXPECT_EQ(Only(outcome).signal, "memory");
}

TEST(Judge, OutputWithoutEndIsEnded) {
  const auto outcome = JudgedMust([](const Number& number, Trial&) {
    const std::string line(4096, 'x');
    while (number.value == 500) std::fputs(line.c_str(), stdout);
  });
  EXPECT_EQ(Only(outcome).signal, "output");
}

TEST(Judge, ACorruptedHeapIsAFailure) {
  const auto outcome = JudgedMust([](const Number& number, Trial&) {
    auto* const first = new char[2000];
    auto* const second = new char[2000];
    // What lies before a block says how large it is.
    for (volatile int i = 2000; number.value == 500 && i < 2032; i = i + 1)
      const_cast<volatile char*>(first)[i] = 'x';
    delete[] second;
    delete[] first;
  });
  EXPECT_EQ(outcome.verdict, Verdict::kFail);
  ASSERT_FALSE(outcome.result.failures.empty());
  EXPECT_NE(outcome.result.failures[0].signal, "");
}

TEST(Judge, ExitByTheSubjectIsAFailure) {
  const auto outcome = JudgedMust([](const Number& number, Trial&) {
    if (number.value == 500) std::exit(0);
  });
  EXPECT_EQ(Only(outcome).signal, "exit 0");
  EXPECT_EQ(outcome.result.cases, kDefaultCases);
}

TEST(Judge, AFailureAtExitIsOneOfTheProperty) {
  const auto outcome = JudgedMust([](const Number& number, Trial&) {
    if (number.value == 500) std::atexit([] { _exit(9); });
  });
  const Failure failure = Only(outcome);
  EXPECT_EQ(failure.signal, "exit 9");
  EXPECT_THAT(failure.got, HasSubstr("at exit"));
}

TEST(Judge, ASanitizerThatCouldNotLookForLeaksSaysNothing) {
  const auto could_not = [](const Number& number, Trial&) {
    if (number.value != 500) return;
    std::atexit([] {
      std::fputs("==9==LeakSanitizer has encountered a fatal error.\n==9==HINT: and so on\n",
                 stderr);
      std::fflush(stderr);
      _exit(1);
    });
  };
  EXPECT_EQ(JudgedMust(could_not, Quick(Profile::kProject)).verdict, Verdict::kPass);
}

TEST(Judge, AnExceptionIsAFailureWithItsText) {
  const auto outcome = JudgedMust([](const Number& number, Trial&) {
    if (number.value == 500) throw std::runtime_error("so it goes");
    if (number.value == 501) throw 1;
  });
  ASSERT_EQ(outcome.result.failures.size(), 2u);
  std::vector<std::string> texts;
  for (const Failure& failure : outcome.result.failures) texts.push_back(failure.got);
  EXPECT_THAT(texts, testing::UnorderedElementsAre("so it goes", "not a std::exception"));
}

void Prints(const Number& number, Trial&) {
  if (number.value == 500) std::printf("hello from %d", 500);
}

TEST(Judge, OutputIsAFailureInTheProjectProfile) {
  const Failure failure = Only(JudgedMust(Prints, Quick(Profile::kProject)));
  EXPECT_EQ(failure.where, "stdout and stderr");
  EXPECT_EQ(failure.got, "hello from 500");
  EXPECT_EQ(failure.minimal, "TOY-001 value=500 weight=0");
}

TEST(Judge, OutputIsAWarningInThePortableProfile) {
  EXPECT_EQ(JudgedMust(Prints).verdict, Verdict::kWeak);
}

TEST(Judge, WhatASanitizerSaysOfAnAllocationThatItRefusesIsNotTheSubjects) {
  const auto refused = [](const Number&, Trial&) {
    std::fputs("==12==WARNING: AddressSanitizer failed to allocate 0x400000000000 bytes\n", stderr);
  };
  EXPECT_EQ(JudgedMust(refused, Quick(Profile::kProject)).verdict, Verdict::kPass);
  const auto and_more = [](const Number&, Trial&) {
    std::fputs("==12==WARNING: AddressSanitizer failed to allocate 0x400000000000 bytes\nand",
               stderr);
  };
  EXPECT_EQ(Only(JudgedMust(and_more, Quick(Profile::kProject))).got, "and");
}

TEST(Judge, WhatFailsOnlyAfterOtherCasesStillFailsAndSaysSo) {
  static int calls = 0;
  const auto outcome = JudgedMust(
      [](const Number&, Trial& trial) { trial.Expect(++calls < 100, "the hundredth call"); });
  const Failure failure = Only(outcome);
  EXPECT_FALSE(failure.alone);
  EXPECT_EQ(failure.minimal, failure.line);
}

TEST(Judge, WhatASubjectStartsEndsWithIt) {
  // A process that outlives its parent keeps the captured output open, and the machine busy.
  const auto begin = std::chrono::steady_clock::now();
  const auto outcome = JudgedMust([](const Number& number, Trial&) {
    if (number.value == 500 && fork() == 0) sleep(1000);
  });
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST(Judge, EachRunBeginsInAProcessThatKnowsNothing) {
  static int runs = 0;
  const auto check = [](const Number&, Trial& trial) { trial.Expect(++runs <= 10, "runs"); };
  EXPECT_EQ(Judged(Toy(ToyMust(), FirstNumbers(10), check)).verdict, Verdict::kPass);
  EXPECT_EQ(Judged(Toy(ToyMust(), FirstNumbers(10), check)).verdict, Verdict::kPass);
  EXPECT_EQ(runs, 0);
}

TEST(Judge, ThreadsOfTheSubjectMayOutliveTheCase) {
  const auto outcome = Judged(Toy(ToyMust(), FirstNumbers(3), [](const Number&, Trial&) {
    std::thread([] { std::this_thread::sleep_for(milliseconds(1)); }).detach();
  }));
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
}

TEST(Judge, ATimeBudgetEndsTheRunButNotBeforeAFewCases) {
  RunOptions run_options = Quick();
  run_options.budget = std::chrono::nanoseconds(1);
  const auto check = [](const Number&, Trial&) {};
  EXPECT_EQ(JudgedMust(check, run_options).result.cases, kFewestCases);
  run_options.budget = milliseconds(50);
  EXPECT_GT(JudgedMust(check, run_options).result.cases, kFewestCases);
  run_options.cases = 300;
  EXPECT_LE(JudgedMust(check, run_options).result.cases, 300);
}

TEST(Judge, ARefusalInsideAClaimIsAFailureWhateverItsWords) {
  const auto refuses = [](const Number&, Trial& trial) {
    trial.Refused({true, Refusal::kUnimplemented, "no"}, {"anything", "", {"f16"}, 2, {}});
  };
  const auto lacks = [](const Number&, Trial& trial) { trial.NotRun("refused: reorder f16"); };
  RunOptions claimed = Quick();
  claimed.claimed = true;
  EXPECT_EQ(Only(JudgedMust(refuses, claimed)).got,
            "refused: anything f16: dnnl::error (status 3): no");
  EXPECT_EQ(JudgedMust(lacks, claimed).verdict, Verdict::kNotRun);
  RunOptions of_others = claimed;
  of_others.refused_outside = [](const Asked& asked) {
    return asked.types[0] == "f16" ? std::string("not claimed: f16") : std::string();
  };
  EXPECT_EQ(JudgedMust(refuses, of_others).verdict, Verdict::kNotRun);
  const auto unclaimed = JudgedMust(refuses);
  EXPECT_EQ(unclaimed.verdict, Verdict::kNotRun);
  EXPECT_EQ(unclaimed.reason, "refused: anything f16: dnnl::error (status 3): no");
  ASSERT_EQ(unclaimed.result.refusals.size(), 1u);
  EXPECT_EQ(unclaimed.result.refusals.begin()->first.types, std::vector<std::string>{"f16"});
  EXPECT_EQ(unclaimed.result.refusals.begin()->second, unclaimed.result.cases);
}

TEST(Judge, WhatEverySubjectOffersIsNotRunWhereItIsNotClaimed) {
  const auto lacks = [](const Number&, Trial& trial) {
    trial.Denied("a hint", "accepted", {true, Refusal::kUnimplemented, "no"},
                 {"eltwise", "backward", {"f32"}, 2, {}});
  };
  EXPECT_EQ(Only(JudgedMust(lacks)).where, "a hint");
  RunOptions forward = Quick();
  forward.claimed = true;
  EXPECT_EQ(JudgedMust(lacks, forward).verdict, Verdict::kFail);
  forward.refused_outside = [](const Asked& asked) {
    return asked.prop == "backward" ? std::string("not claimed: backward") : std::string();
  };
  EXPECT_EQ(JudgedMust(lacks, forward).verdict, Verdict::kNotRun);
  EXPECT_EQ(JudgedMust(lacks, forward).reason, "refused: eltwise backward f32");
}

TEST(Judge, AGuestIsNotRunWhereNothingIsClaimedAndItsPrimitiveIsLacking) {
  const auto lacks = [](const Number&, Trial& trial) {
    trial.Fail("a forward", "accepted", {true, Refusal::kUnimplemented, "no"});
  };
  const auto invalid = [](const Number&, Trial& trial) {
    trial.Fail("a forward", "accepted", {true, Refusal::kInvalidArguments, "no"});
  };
  RunOptions guest = Quick();
  guest.guest = "eltwise";
  EXPECT_EQ(JudgedMust(lacks).verdict, Verdict::kFail);
  EXPECT_EQ(JudgedMust(lacks, guest).verdict, Verdict::kNotRun);
  EXPECT_EQ(JudgedMust(lacks, guest).reason, "refused: eltwise");
  EXPECT_EQ(JudgedMust(invalid, guest).verdict, Verdict::kFail);
  guest.claimed = true;
  EXPECT_EQ(JudgedMust(lacks, guest).verdict, Verdict::kFail);
}

TEST(Judge, AStatusThatIsNoRefusalFailsInItsOwnWords) {
  const auto fails = [](const Number& number, Trial& trial) {
    const int status = number.value % 2 == 0 ? 5 : Refusal::kUnimplemented;
    trial.Refused({true, status, "lost " + std::to_string(number.value)},
                  {"anything", "", {"f16"}, 2, {}});
  };
  const auto outcome = JudgedMust(fails);
  const Failure& failure = Only(outcome);
  EXPECT_EQ(failure.status, 5);
  EXPECT_EQ(failure.got.find("dnnl::error (status 5): lost "), 0u) << failure.got;
  // One reason however many numbers there are, with the words of the first.
  ASSERT_EQ(outcome.result.reasons.size(), 1u);
  const std::string& reason = outcome.result.reasons.begin()->first;
  EXPECT_EQ(reason.find("refused: anything f16: dnnl::error (status 3): lost "), 0u) << reason;
}

TEST(Judge, RefusalsOfTwoStatusesAreTwoFailures) {
  const auto outcome = JudgedMust([](const Number& number, Trial& trial) {
    trial.Fail("made", "created", Refusal{true, number.value % 2 == 0 ? 5 : 3, "no"});
  });
  ASSERT_EQ(outcome.result.failures.size(), 2u);
  EXPECT_EQ(outcome.result.failures[0].status + outcome.result.failures[1].status, 8);
}

TEST(Judge, AClassThatFindsNoRoomIsAFaultOfTheSuite) {
  const auto covers = [](int count) {
    static int classes;
    classes = count;
    return JudgedMust([](const Number& number, Trial& trial) {
      trial.Cover("class " + std::to_string(number.value % classes));
    });
  };
  EXPECT_EQ(covers(Tally::kRows).verdict, Verdict::kPass);
  const auto outcome = covers(Tally::kRows + 1);
  EXPECT_EQ(outcome.verdict, Verdict::kSuiteError);
  EXPECT_EQ(outcome.reason, "more than 160 classes of input");
}

TEST(Judge, ClassesReasonsAndRecordsAreCounted) {
  const auto outcome = JudgedMust([](const Number& number, Trial& trial) {
    trial.Cover(number.value % 2 == 0 ? "even" : "odd");
    trial.Record("takes odd numbers", number.value % 4 == 1 ? "yes" : "no");
    if (number.value % 2 == 1) trial.NotRun("odd numbers\nare refused");
  });
  const auto& classes = outcome.result.classes;
  EXPECT_EQ(classes.at("even").run, outcome.result.counted());
  EXPECT_EQ(classes.at("odd").not_run, outcome.result.of(CaseResult::kNotRun));
  EXPECT_EQ(outcome.result.reasons.at("odd numbers\\nare refused"), classes.at("odd").not_run);
  EXPECT_GT(outcome.result.records.at({"takes odd numbers", "yes"}), 100);
  EXPECT_EQ(outcome.verdict, Verdict::kPass);
}

}  // namespace
}  // namespace conformance
