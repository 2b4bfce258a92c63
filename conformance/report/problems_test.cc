#include "conformance/report/problems.h"

#include <gtest/gtest.h>

#include <string>

#include "nlohmann/json.hpp"

namespace conformance {
namespace {

using nlohmann::json;

std::string Problem(const std::string& text) {
  try {
    json::parse(text).at("a").get<std::string>();
  } catch (const json::exception& error) {
    return ProblemOf(error, text);
  }
  return "";
}

TEST(Problem, NamesThePlaceWhereATextStopsBeingJson) {
  EXPECT_EQ(Problem(""), "it is no JSON: line 1, column 1");
  EXPECT_EQ(Problem("{\"a\": }"), "it is no JSON: line 1, column 7");
  EXPECT_EQ(Problem("{\n \"a\":\n  x}"), "it is no JSON: line 3, column 3");
  EXPECT_EQ(Problem("\x7f\x45\x4c\x46"), "it is no JSON: line 1, column 1");
}

TEST(Problem, NamesNoLibrary) {
  EXPECT_EQ(Problem("{\"a\": \"b\"}"), "");
  for (const char* text : {"{}", "[]", "{\"a\": 3}", "{\"a\": 1e999}"}) {
    EXPECT_NE(Problem(text), "") << text;
    EXPECT_EQ(Problem(text).find("json.exception"), std::string::npos) << Problem(text);
  }
}

}  // namespace
}  // namespace conformance
