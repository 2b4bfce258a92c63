#include "conformance/case/trial.h"

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

TEST(Trial, AClassIsSeenOnceHoweverOftenItIsNamed) {
  Trial trial = Portable();
  trial.Cover("rank 7");
  trial.Cover("empty");
  trial.Cover("rank 7");
  EXPECT_EQ(trial.classes(), (std::vector<std::string>{"rank 7", "empty"}));
}

}  // namespace
}  // namespace conformance
