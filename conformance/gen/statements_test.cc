#include "conformance/gen/statements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "conformance/gen/placement.h"
#include "conformance/gen/tensors.h"
#include "spec/memory/oracle.h"

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::Not;

ExecutionText Copy(const std::string& tensor) {
  ExecutionText execution;
  execution.src = execution.dst = *ParseTensor(tensor);
  const auto count = static_cast<size_t>(spec::ElementCount(execution.src.dims));
  execution.source.assign(count, 7);
  execution.before.assign(count, 8);
  execution.after.assign(count, 9);
  execution.exact.assign(count, true);
  execution.calls = "  CALLS\n";
  return execution;
}

TEST(DescExpression, IsWhatAPersonWouldWrite) {
  EXPECT_EQ(DescExpression(*ParseTensor("f32:2x3:ba")),
            "memory::desc(memory::dims{2, 3}, memory::data_type::f32, memory::format_tag::ba)");
  EXPECT_EQ(DescExpression(*ParseTensor("u8:2x3:s8,2")),
            "memory::desc(memory::dims{2, 3}, memory::data_type::u8, memory::dims{8, 2})");
  EXPECT_EQ(DescExpression(*ParseTensor("s8:2x3:sub(4x5:ab@1,2)")),
            "memory::desc(memory::dims{4, 5}, memory::data_type::s8, memory::format_tag::ab)"
            ".submemory_desc({2, 3}, {1, 2})");
}

TEST(NumberOfElement, ReadsTheCoordinates) {
  EXPECT_EQ(NumberOfElement("dst[1,0,2] of src 3", {2, 3, 4}), 14);
  EXPECT_EQ(NumberOfElement("dst[0]", {1}), 0);
  for (const char* where : {"dst", "dst[]", "dst[1]", "dst[0,0,4]", "dst[0,-1,0]", "dst[a,0,0]"})
    EXPECT_EQ(NumberOfElement(where, {2, 3, 4}), std::nullopt) << where;
}

TEST(FloatLiteral, KeepsEveryBit) {
  EXPECT_EQ(FloatLiteral(0.1f), "0x1.99999ap-4f");
  EXPECT_EQ(FloatLiteral(-0.0f), "-0x0p+0f");
  EXPECT_EQ(FloatLiteral(-INFINITY), "-HUGE_VALF");
}

TEST(Statements, HoldDataCallsAndComparison) {
  const std::string text = StatementsOf(Copy("f32:2:s3"));
  EXPECT_THAT(text, HasSubstr("source[] = {0x7, 0x7}"));
  EXPECT_THAT(text, HasSubstr("after[] = {0x9, 0x9}"));
  EXPECT_THAT(text, HasSubstr("dst_at[] = {0, 3}"));
  EXPECT_THAT(text, HasSubstr("  CALLS\n"));
  EXPECT_THAT(text, Not(HasSubstr("compared")));
}

TEST(Statements, CompareOnlyWhatIsExact) {
  ExecutionText execution = Copy("f32:2:a");
  execution.exact[1] = false;
  EXPECT_THAT(StatementsOf(execution), HasSubstr("compared[] = {1, 0}"));
}

TEST(Statements, AreNotWrittenForWhatTheyCannotShow) {
  EXPECT_NE(StatementsOf(Copy("f32:512:a")), "");
  EXPECT_EQ(StatementsOf(Copy("f32:513:a")), "");
  EXPECT_EQ(StatementsOf(Copy("f32:0:a")), "");
  EXPECT_EQ(StatementsOf(Copy("f32:2:s4000000")), "");
  EXPECT_EQ(StatementsOf(Copy("f32:2:s0")), "");
  ExecutionText execution = Copy("f32:2:a");
  execution.to.edge = Placement::Edge::kEnd;
  EXPECT_EQ(StatementsOf(execution), "");
}

}  // namespace
}  // namespace conformance
