// ATTR-006 gives the execution of a library that takes an attribute what the attribute leaves to
// it: else the library could only refuse to execute. The bundled engines, and stock oneDNN, refuse
// such attributes, so that their runs say nothing about that.
#include <gtest/gtest.h>

#include <string>

#include "conformance/testing/wrong.h"
#include "nlohmann/json.hpp"

namespace conformance {
namespace {

using nlohmann::json;

constexpr char kProperty[] = "ATTR-006/arguments";
// Of which taking.cc knows nothing.
constexpr char kBystander[] = "ATTR-062";
constexpr const char* kTaken[] = {"scales of the source at execution",
                                  "zero point of the source at execution",
                                  "zero point of the weights at execution"};

json RunTaking(const std::string& how) {
  return RunWrong("conformance/model/testing/taking_runner", how, kProperty, kBystander,
                  /*cases=*/200);
}

// How often an inner product was offered with an attribute.
int Offered(const json& results, const std::string& attribute) {
  int offered = 0;
  for (const json& requirement : results["requirements"])
    if (requirement["id"] == "ATTR-006")
      for (const auto& [question, answers] : requirement["records"].items())
        if (question == "product with " + attribute) offered += answers.value("offered", 0);
  return offered;
}

TEST(ArgumentsOfExecutions, AreNotGivenWhereTheAttributeIsRefused) {
  const json results = RunTaking("");
  EXPECT_EQ(VerdictOf(results, kProperty), "pass");
  for (const char* attribute : kTaken) EXPECT_EQ(Offered(results, attribute), 0) << attribute;
}

TEST(ArgumentsOfExecutions, AreGivenWithTheirValuesWhereItIsTaken) {
  const json results = RunTaking("takes");
  EXPECT_EQ(VerdictOf(results, kProperty), "pass") << results["requirements"].dump(1);
  EXPECT_EQ(VerdictOf(results, kBystander), "pass");
  for (const char* attribute : kTaken) EXPECT_GT(Offered(results, attribute), 0) << attribute;
}

TEST(ArgumentsOfExecutions, AreMissedWhereTheyAreIgnored) {
  const json results = RunTaking("ignores");
  EXPECT_EQ(VerdictOf(results, kProperty), "fail");
  EXPECT_EQ(VerdictOf(results, kBystander), "pass");
}

}  // namespace
}  // namespace conformance
