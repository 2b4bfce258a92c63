// Runs programs that the suite wrote, and expects of each the exit status that its argument names:
// PROGRAM=STATUS.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/testing/command.h"

namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<std::string> programs;

TEST(Programs, AreThere) { EXPECT_FALSE(programs.empty()); }

TEST(Programs, ReturnOneWhereTheFaultShowsAndNoughtWhereItDoesNot) {
  for (const std::string& argument : programs) {
    const size_t equals = argument.find('=');
    ASSERT_NE(equals, std::string::npos) << argument;
    const std::string program = argument.substr(0, equals);
    const tools::Outcome outcome = tools::Run({"./" + program}, {});
    EXPECT_EQ(std::to_string(outcome.status), argument.substr(equals + 1))
        << program << "\n"
        << outcome.out << outcome.err;
    if (outcome.status != 1) continue;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("expected "), HasSubstr("got "))) << program;
  }
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  programs.assign(argv + 1, argv + argc);
  return RUN_ALL_TESTS();
}
