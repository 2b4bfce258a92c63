#include "conformance/case/trial.h"

#include <string>
#include <utility>
#include <vector>

#include "conformance/case/refusal.h"
#include "gtest/gtest.h"

namespace conformance {
namespace {

Trial Portable() { return Trial(Profile::kPortable, EngineChoice::kCpu); }
Trial Project() { return Trial(Profile::kProject, EngineChoice::kCpu); }

TEST(Trial, HoldsUnlessSomethingIsReported) { EXPECT_EQ(Portable().result(), CaseResult::kHeld); }

TEST(Trial, KeepsTheFirstFailure) {
  Trial trial = Portable();
  trial.Fail("dst[0]", "1", "2");
  trial.Fail("dst[1]", "3", "4");
  EXPECT_TRUE(trial.failed());
  EXPECT_EQ(trial.where(), "dst[0]");
  EXPECT_EQ(trial.expected(), "1");
  EXPECT_EQ(trial.got(), "2");
}

TEST(Trial, AFailureOutweighsARefusalBeforeOrAfterIt) {
  Trial before = Portable();
  before.NotRun("no bf16");
  before.Fail("call", "a", "b");
  EXPECT_TRUE(before.failed());

  Trial after = Portable();
  after.Fail("call", "a", "b");
  after.NotRun("no bf16");
  EXPECT_TRUE(after.failed());
}

TEST(Trial, ADeviationIsAWarningInPortableAndAFailureInProject) {
  Trial portable = Portable();
  portable.Deviate("call", "a", "b");
  EXPECT_EQ(portable.result(), CaseResult::kDeviated);
  EXPECT_EQ(portable.expected(), "a");

  Trial project = Project();
  project.Deviate("call", "a", "b");
  EXPECT_TRUE(project.failed());
}

TEST(Trial, AFailureAfterADeviationIsTheOneThatIsTold) {
  Trial trial = Portable();
  trial.Deviate("first", "a", "b");
  trial.Fail("second", "c", "d");
  EXPECT_TRUE(trial.failed());
  EXPECT_EQ(trial.where(), "second");
}

TEST(Trial, ExpectTellsWhetherItHeld) {
  Trial trial = Portable();
  EXPECT_TRUE(trial.Expect(true, "call"));
  EXPECT_FALSE(trial.failed());
  EXPECT_FALSE(trial.Expect(false, "call", "no error", "an error"));
  EXPECT_TRUE(trial.failed());
  EXPECT_EQ(trial.got(), "an error");
}

TEST(Trial, ARefusalOutweighsAVacuousCase) {
  Trial trial = Portable();
  trial.NotRun("no gpu");
  trial.Vacuous();
  EXPECT_EQ(trial.result(), CaseResult::kNotRun);
  EXPECT_EQ(trial.reason(), "no gpu");
}

TEST(Trial, UnimplementedIsTheOneStatusThatRefuses) {
  const auto refused = [](int status) {
    Trial trial = Portable();
    trial.Refused({true, status, "not f16"}, {"reorder", "", {"f16", "s8"}, 2, {}});
    return trial;
  };
  for (const int status : {Refusal::kUnimplemented, Refusal::kNone}) {
    const Trial trial = refused(status);
    EXPECT_EQ(trial.result(), CaseResult::kNotRun);
    ASSERT_TRUE(trial.refused());
    EXPECT_EQ(trial.refused()->types[0], "f16");
  }
  EXPECT_EQ(refused(3).reason(), "refused: reorder f16 -> s8: dnnl::error (status 3): not f16");
  EXPECT_EQ(refused(3).bare_reason(), "refused: reorder f16 -> s8");
  for (const int status : {1, 2, 4, 5, 42}) {
    const Trial trial = refused(status);
    EXPECT_TRUE(trial.failed());
    EXPECT_FALSE(trial.refused());
    EXPECT_EQ(trial.where(), "reorder f16 -> s8");
    EXPECT_EQ(trial.expected(), "created, or refused as unimplemented (status 3)");
    EXPECT_EQ(trial.got(), "dnnl::error (status " + std::to_string(status) + "): not f16");
    EXPECT_EQ(trial.status(), status);
  }
}

TEST(Trial, WhatEverySubjectOffersIsAFailureThatTellsWhatWasAsked) {
  const auto denied = [](int status) {
    Trial trial = Portable();
    trial.Denied("the hint", "accepted", {true, status, "no"},
                 {"eltwise", "backward", {"f32"}, 3, {}});
    return trial;
  };
  EXPECT_TRUE(denied(Refusal::kUnimplemented).failed());
  EXPECT_EQ(denied(Refusal::kUnimplemented).where(), "the hint");
  ASSERT_TRUE(denied(Refusal::kUnimplemented).denied());
  EXPECT_EQ(denied(Refusal::kUnimplemented).denied()->prop, "backward");
  // Anything else is no matter of claims.
  EXPECT_TRUE(denied(Refusal::kInvalidArguments).failed());
  EXPECT_FALSE(denied(Refusal::kInvalidArguments).denied());
  // A failure before it is the one that is told.
  Trial before = Portable();
  before.Fail("element 0", "1", "2");
  before.Denied("the hint", "accepted", {true, Refusal::kUnimplemented, "no"},
                {"eltwise", "", {}, 2, {}});
  EXPECT_FALSE(before.denied());
}

TEST(Trial, WhatIsNoErrorRefusesNothing) {
  Trial trial = Portable();
  trial.Refused({false, Refusal::kNone, "std::runtime_error: no"}, {"shuffle", "", {}, 2, {}});
  EXPECT_TRUE(trial.failed());
  EXPECT_EQ(trial.got(), "threw std::runtime_error: no");
  Trial open = Portable();
  open.LeftOpen({false, Refusal::kNone, "std::runtime_error: no"}, "a hint of another type");
  EXPECT_TRUE(open.failed());
  EXPECT_EQ(open.expected(), "created, or refused by a dnnl::error");
}

TEST(Trial, WhatIsLeftOpenIsRefusedAsUnimplementedOrAsInvalid) {
  for (const auto& [status, result] : {std::pair(3, CaseResult::kNotRun),
                                       {2, CaseResult::kNotRun},
                                       {int{Refusal::kNone}, CaseResult::kNotRun},
                                       {5, CaseResult::kFailed},
                                       {42, CaseResult::kFailed}}) {
    Trial trial = Project();
    trial.LeftOpen({true, status, "no"}, "a hint of another type");
    EXPECT_EQ(trial.result(), result) << status;
    EXPECT_FALSE(trial.refused());
    Trial asked = Project();
    asked.Refused({true, status, "no"}, {"eltwise", "forward", {"s8"}, 2, {}}, Legality::kOpen);
    EXPECT_EQ(asked.result(), result) << status;
  }
}

// which status an error has that calls a request invalid, only the project's reading says.
TEST(Trial, ThePortableProfileTakesAnyStatusForInvalid) {
  for (const int status : {1, 2, 3, 5, 42}) {
    Trial left = Portable(), asked = Portable();
    left.LeftOpen({true, status, "no"}, "a hint of another type");
    EXPECT_EQ(left.result(), CaseResult::kNotRun) << status;
    asked.Refused({true, status, "no"}, {"eltwise", "forward", {"s8"}, 2, {}}, Legality::kOpen);
    EXPECT_EQ(asked.result(), CaseResult::kNotRun) << status;
  }
}

TEST(Trial, AFailureKeepsTheStatusOfTheRefusalThatItTells) {
  Trial trial = Portable();
  trial.Fail("reorder", "created", Refusal{true, 3, "no"});
  trial.Fail("shuffle", "created", Refusal{true, 5, "no"});
  EXPECT_EQ(trial.status(), 3);
  EXPECT_EQ(trial.got(), "dnnl::error (status 3): no");
  Trial other = Portable();
  other.Fail("dst[0]", "1", "dnnl::error (status 3): a text");
  EXPECT_EQ(other.status(), Refusal::kNone);
}

TEST(Trial, AClassIsSeenOnceHoweverOftenItIsNamed) {
  Trial trial = Portable();
  trial.Cover("rank 7");
  trial.Cover("empty");
  trial.Cover("rank 7");
  EXPECT_EQ(trial.classes(), (std::vector<std::string>{"rank 7", "empty"}));
}

}  // namespace
}  // namespace conformance
