#include "conformance/cli/nearest.h"

#include <gtest/gtest.h>

namespace conformance {
namespace {

const std::vector<std::string> kFlags = {"--case", "--cases", "--claims", "--engine", "--profile"};

TEST(Nearest, IsWhatDiffersInTwoLettersAtMost) {
  EXPECT_EQ(Nearest("--case-s", kFlags), "--cases");
  EXPECT_EQ(Nearest("--casse", kFlags), "--case");
  EXPECT_EQ(Nearest("--egnine", kFlags), "--engine");
  EXPECT_EQ(Nearest("--Profile", kFlags), "--profile");
}

TEST(Nearest, IsWhatBeginsWithIt) {
  EXPECT_EQ(Nearest("--prof", kFlags), "--profile");
  EXPECT_EQ(Nearest("--cas", kFlags), "--case");
}

TEST(Nearest, IsNothingWhereNothingIsNear) {
  EXPECT_EQ(Nearest("--color", kFlags), "");
  EXPECT_EQ(Nearest("--p", kFlags), "");
  EXPECT_EQ(Nearest("", kFlags), "");
  EXPECT_EQ(Nearest("--cases", {}), "");
}

TEST(UnknownFlag, NamesTheNearestWhereThereIsOne) {
  EXPECT_EQ(UnknownFlag("--clams", kFlags),
            "unknown flag '--clams' (did you mean --claims? --help lists the flags)");
  EXPECT_EQ(UnknownFlag("--color", kFlags), "unknown flag '--color' (--help lists the flags)");
}

}  // namespace
}  // namespace conformance
