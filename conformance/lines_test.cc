// A line is all there is to a case, so what a line says must be the case it was printed from: of
// every property that is linked.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "conformance/case/property.h"
#include "conformance/judge/replay.h"

namespace conformance {
namespace {

constexpr int64_t kCases = 150;

int64_t CasesOf(const Property& property) {
  return property.count() == 0 ? kCases : std::min(property.count(), kCases);
}

TEST(Lines, TellTheCaseThatTheyWerePrintedFrom) {
  int64_t lines = 0;
  for (const Property* property : Properties()) {
    for (int64_t i = 0; i < CasesOf(*property); ++i, ++lines) {
      const std::string line = property->Line(1, i);
      ASSERT_EQ(property->Reprinted(FieldsOf(line)), line);
    }
  }
  EXPECT_GT(lines, 10000);
}

TEST(Lines, OfSimplerCasesTellThemAndDiffer) {
  int64_t lines = 0;
  for (const Property* property : Properties()) {
    for (int64_t i = 0; i < std::min<int64_t>(CasesOf(*property), 20); ++i) {
      const std::string line = property->Line(1, i);
      for (const std::string& simpler : property->Simpler(FieldsOf(line))) {
        ++lines;
        ASSERT_NE(simpler, line);
        ASSERT_EQ(property->Reprinted(FieldsOf(simpler)), simpler) << "simpler than " << line;
      }
    }
  }
  EXPECT_GT(lines, 10000);
}

}  // namespace
}  // namespace conformance
