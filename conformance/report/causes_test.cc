#include "conformance/report/causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conformance {
namespace {

using testing::ElementsAre;

// Of a value.
std::string Of(const char* where, const char* expected, const char* got) {
  return CauseOf({"reorder", where, expected, got, ""});
}

TEST(CauseOf, IsWithoutIndicesShapesAndTypes) {
  EXPECT_EQ(Of("desc(dims {2,3} strides {1})", "refused", "accepted"),
            "desc(dims {#} strides {#}): expected refused, got accepted");
  EXPECT_EQ(Of("reorder f16 -> bf16", "accepted", "dnnl::error (status 3): no memory for 12 bytes"),
            "reorder T -> T: expected accepted, got dnnl::error (status 3): no memory for # bytes");
  EXPECT_EQ(Of("element 3 of f32:2x3x4:abc", "unchanged", "byte 4: 0x0d became 0x00"),
            "element # of T:#:abc: expected unchanged, got byte #: # became #");
  // Of descriptors nothing counts.
  EXPECT_EQ(Of("dst_desc()", "the descriptor given (f32 2x3, strides 3,1, offset 4)",
               "another (f32 2x3, strides 3,1, blocks 16b)"),
            "dst_desc(): expected the descriptor given, got another");
  // What is no number and no type stays.
  EXPECT_EQ(Of("conv2d(my_f32, f32x, v1.5)", "-", ""),
            "conv2d(my_f32, f32x, v1.5): expected -, got ");
}

TEST(CauseOf, NamesTheEndsOfAType) {
  EXPECT_EQ(Of("dst[1,2] of src 3.39e+38 (0x7f7f)", "127 (0x7f)", "-128 (0x80)"),
            "expected the largest, got the smallest");
  for (const char* expected : {"2147483647 (0x7fffffff)", "2147483520 (0x7fffff80)"})
    EXPECT_EQ(Of("element 0 of src inf (0x7f80)", expected, "-2147483648 (0x80000000)"),
              "expected the largest, got the smallest");
  EXPECT_EQ(Of("dst[5] of src 300 (0x43960000)", "255 (0xff)", "0 (0x00)"),
            "expected the largest, got the smallest");
  EXPECT_EQ(Of("dst[5] of src 300 (0x43960000)", "113 (0x71)", "0 (0x00)"),
            "expected a value, got zero");
  EXPECT_EQ(Of("dst[5]", "nan (0x7fc00000)", "-inf (0xff800000)"),
            "expected NaN, got negative infinity at dst[#]");
  // A float of that size is none.
  EXPECT_EQ(Of("dst[5]", "127 (0x42fe0000)", "5 (0x40a00000)"),
            "expected a value, got another value at dst[#]");
}

TEST(CauseOf, SaysHowAValueIsWrong) {
  EXPECT_EQ(Of("dst[0] of src -14 (0xc1600000), zero point of src 1", "-15 (0xf1)", "-14 (0xf2)"),
            "expected a value, got what was copied (zero point)");
  EXPECT_EQ(
      Of("dst[0] of src 7 (0x40e00000), alpha 2 (0x40000000)", "488 (0x43f4)", "490 (0x43f5)"),
      "expected a value, got the value beside it (alpha)");
  EXPECT_EQ(Of("dst[0]", "1164105974 (0x4562d8f6)", "1164105984 (0x4562d900)"),
            "expected a value, got the value beside it at dst[#]");
  EXPECT_EQ(Of("dst[0]", "3 (0x40400000) to 4 (0x40800000)", "4.00000048 (0x40800001)"),
            "expected a value, got the value beside it at dst[#]");
  EXPECT_EQ(Of("the result[0] of src -0 (0x80000000)", "-0 (0x80000000)", "0 (0x00000000)"),
            "expected zero, got the zero of the other sign");
  EXPECT_EQ(Of("dst[0] of src 1 (0x01)", "1 (0x01)", "9 (0x09)"),
            "expected a value, got another value");
}

TEST(CauseOf, TellsWhatElseAValueWasMadeWithOnce) {
  EXPECT_EQ(Of("dst[0] of src 1 (0x01), alpha 2 (0x40000000), zero point of src 4, zero point of "
               "dst 3, old dst 9 (0x09)",
               "60 (0x3c)", "-128 (0x80)"),
            "expected a value, got the smallest (alpha, old dst, zero point)");
  EXPECT_EQ(Of("element 0 of src 2 (0x40000000) under FE_UPWARD", "3 (0x03)", "9 (0x09)"),
            "expected a value, got another value (under FE_UPWARD)");
}

TEST(CauseOf, OfAProcessThatEndedHasTheChapter) {
  EXPECT_EQ(CauseOf({"shuffle", "process", "the process goes on", "the process was ended by SIGFPE",
                     "SIGFPE"}),
            "the process was ended by SIGFPE (shuffle)");
}

TEST(CauseOf, TakesAnyText) {
  for (const char* text : {"", " (0x", "(0x7f)", " (0x7f)", "- (0x)", "1 (0xzz)", "-", "e+", "1e+",
                           "status ", "9,", "9x", "1 (0x7f) of src ", "\xff\x01"})
    for (const char* other : {"", " (0x", "1 (0x01)", "nan (0x0)", "\xff"})
      EXPECT_NE(CauseOf({"reorder", text, other, other, ""}),
                CauseOf({"reorder", text, "held", text, "SIGSEGV"}));
}

RecordedFailure Failure(const char* property, const char* expected, const char* got) {
  RecordedFailure failure;
  failure.property = property;
  failure.where = "dst[0] of src 1 (0x01)";
  failure.expected = expected;
  failure.got = got;
  failure.count = 3;
  return failure;
}

RecordedRequirement Requirement(const char* id, std::vector<RecordedFailure> failures) {
  RecordedRequirement requirement;
  requirement.id = id;
  requirement.verdict = "fail";
  requirement.failures = std::move(failures);
  return requirement;
}

TEST(CausesOf, GroupsFailuresAcrossRequirements) {
  RecordedRun run;
  run.requirements = {
      Requirement("A-1", {Failure("A-1", "3 (0x03)", "9 (0x09)")}),
      Requirement("A-2", {Failure("A-2", "127 (0x7f)", "-128 (0x80)"),
                          Failure("A-2/more", "255 (0xff)", "0 (0x00)")}),
      Requirement("A-3", {Failure("A-3", "127 (0x7f)", "-128 (0x80)")}),
  };
  const std::vector<Cause> causes = CausesOf(run);
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0].text, "expected the largest, got the smallest");
  EXPECT_EQ(IdsOf(causes[0], 5), "A-2, A-3");
  EXPECT_EQ(IdsOf(causes[0], 1), "A-2 and 1 more");
  EXPECT_EQ(causes[0].failures.size(), 3u);
  EXPECT_EQ(causes[0].cases, 9);
  EXPECT_EQ(IdsOf(causes[1], 5), "A-1");
}

TEST(CausesOf, LeavesOutWhatIsNotRed) {
  RecordedRun run;
  run.requirements = {Requirement("A-1", {Failure("A-1", "3 (0x03)", "9 (0x09)"),
                                          Failure("A-1/known", "127 (0x7f)", "-128 (0x80)"),
                                          Failure("A-1/warned", "4 (0x04)", "0 (0x00)")}),
                      Requirement("A-2", {Failure("A-2", "1 (0x01)", "2 (0x02)")})};
  run.requirements[0].properties = {{"A-1", "fail", "", {}},
                                    {"A-1/known", "expected_failure", "", {}},
                                    {"A-1/warned", "fail", "", {}}};
  run.requirements[0].failures[2].warning = true;
  run.requirements[1].verdict = "weak";
  const std::vector<Cause> causes = CausesOf(run);
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_THAT(causes[0].failures, ElementsAre(&run.requirements[0].failures[0]));
}

TEST(CauseCount, SaysNothingWhereEachFailureHasItsOwn) {
  EXPECT_EQ(CauseCount(3, 17), "3 causes behind 17 failures");
  EXPECT_EQ(CauseCount(1, 2), "1 cause behind 2 failures");
  EXPECT_EQ(CauseCount(2, 2), "");
  EXPECT_EQ(CauseCount(0, 0), "");
}

}  // namespace
}  // namespace conformance
