#include "conformance/report/conversions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace conformance {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

enum Place { kF32, kBf16, kF16, kS32, kS8, kU8 };

RecordedRequirement Requirement(const char* id, std::vector<RecordedProperty> properties,
                                std::vector<RecordedFailure> failures = {}) {
  RecordedRequirement requirement;
  requirement.id = id;
  requirement.verdict = "fail";
  requirement.properties = std::move(properties);
  requirement.failures = std::move(failures);
  return requirement;
}

RecordedFailure Failure(const char* property, const char* line) {
  RecordedFailure failure;
  failure.property = property;
  failure.minimal = line;
  return failure;
}

Conversions Of(std::vector<RecordedRequirement> requirements) {
  RecordedRun run;
  run.requirements = std::move(requirements);
  return ConversionsOf(run);
}

TEST(Conversions, AreNamedByProperties) {
  const Conversions conversions =
      Of({Requirement("A-1", {{"A-1/f32-s8", "pass", "", {}},
                              {"A-1/s8-f32", "fail", "", {}},
                              {"A-1/u8-u8", "expected_failure", "", {}},
                              {"A-1/f16-s8", "not_run", "refused: reorder f16 -> s8", {}},
                              {"A-1/f16-u8", "not_run", "not claimed: f16->u8", {}},
                              {"A-1/s32-s8", "not_run", "out of time", {}}})});
  EXPECT_FALSE(conversions.empty);
  EXPECT_EQ(conversions.of[kF32][kS8].verdict, "pass");
  EXPECT_THAT(conversions.of[kF32][kS8].ids, IsEmpty());
  EXPECT_EQ(conversions.of[kS8][kF32].verdict, "fail");
  EXPECT_THAT(conversions.of[kS8][kF32].ids, ElementsAre("A-1"));
  EXPECT_EQ(conversions.of[kU8][kU8].verdict, "expected_failure");
  EXPECT_EQ(conversions.of[kF16][kS8].verdict, "refused");
  EXPECT_EQ(conversions.of[kF16][kU8].verdict, "not_claimed");
  EXPECT_EQ(conversions.of[kS32][kS8].verdict, "not_run");
  EXPECT_EQ(conversions.of[kBf16][kBf16].verdict, "not_run");
}

TEST(Conversions, AreClassesOfInput) {
  const Conversions conversions = Of({Requirement("A-1", {{"A-1",
                                                           "fail",
                                                           "",
                                                           {{"f32 to s8", {9, 0, 0}},
                                                            {"f32 to u8", {9, 0, 2}},
                                                            {"f16 to u8", {0, 3, 0}},
                                                            {"to s32", {9, 0, 9}},
                                                            {"f32 to rank 3", {9, 0, 9}}}}})});
  EXPECT_EQ(conversions.of[kF32][kS8].verdict, "pass");
  EXPECT_EQ(conversions.of[kF32][kU8].verdict, "fail");
  EXPECT_EQ(conversions.of[kF16][kU8].verdict, "refused");
  EXPECT_EQ(conversions.of[kF32][kS32].verdict, "not_run");
}

TEST(Conversions, HaveTheWorstVerdictAndWhoHasIt) {
  const Conversions conversions =
      Of({Requirement("A-1", {{"A-1/f32-s8", "weak", "", {}}}),
          Requirement("A-2", {{"A-2/f32-s8", "fail", "", {{"f32 to s8", {9, 0, 2}}}}}),
          Requirement("A-3", {{"A-3", "fail", "", {{"f32 to s8", {9, 0, 2}}}}}),
          Requirement("A-4", {{"A-4/f32-s8", "not_run", "refused: reorder f32 -> s8", {}}})});
  EXPECT_EQ(conversions.of[kF32][kS8].verdict, "fail");
  EXPECT_THAT(conversions.of[kF32][kS8].ids, ElementsAre("A-2", "A-3"));
}

TEST(Conversions, AreReadInTheCasesOfFailures) {
  RecordedFailure warning = Failure("A-1", "A-1 src=f16:1:a dst=bf16:1:a seed=0");
  warning.warning = true;
  const Conversions conversions = Of({Requirement(
      "A-1", {{"A-1", "fail", "", {}}},
      {Failure("A-1", "A-1 src=f32:2x3:ab dst=s8:2x3:ba values=index seed=0"),
       Failure("A-1", "A-1 from=s32 to=u8 bits=0"), warning,
       Failure("A-1", "A-1 src=f32:1:a dst=u8:1:a zs=1 seed=0"),
       Failure("A-1", "A-1 dir=fwd mb=1 src=s8:ab wei=s8:ab dst=s8:ab"), Failure("A-1", "A-1")})});
  EXPECT_EQ(conversions.of[kF32][kS8].verdict, "fail");
  EXPECT_THAT(conversions.of[kF32][kS8].with_attributes, IsEmpty());
  EXPECT_EQ(conversions.of[kS32][kU8].verdict, "fail");
  EXPECT_EQ(conversions.of[kF16][kBf16].verdict, "not_run");
  EXPECT_EQ(conversions.of[kF32][kU8].verdict, "not_run");
  EXPECT_THAT(conversions.of[kF32][kU8].with_attributes, ElementsAre("A-1"));
  EXPECT_EQ(conversions.of[kS8][kS8].verdict, "not_run");
}

TEST(Conversions, AreNoneWhereNothingNamesAPair) {
  EXPECT_TRUE(Of({Requirement("A-1", {{"A-1/forward", "pass", "", {{"f32", {9, 0, 0}}}}},
                              {Failure("A-1", "A-1 value=1")})})
                  .empty);
}

}  // namespace
}  // namespace conformance
