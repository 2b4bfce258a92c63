// Each fault of wrong.cc is found, by the requirement that it breaks; and what it does not break
// holds.
#include "conformance/testing/wrong.h"

#include <gtest/gtest.h>

#include <string>

#include "nlohmann/json.hpp"

namespace conformance {
namespace {

using nlohmann::json;

// In wrong.cc.
constexpr Wrong kWrong[] = {
    {"drops-bias", "IP-010"},
    {"adds-bias-twice", "IP-010"},
    {"pairs-inputs-by-memory", "IP-011"},
    {"adds-to-outputs", "IP-014"},
    {"forgets-the-last-row", "IP-016"},
    {"rounds-to-bf16", "IP-025"},
    {"keeps-the-first-weights", "IP-053"},
    {"forgets-diff-bias", "IP-013"},
    {"leaves-the-gradient-of-nothing", "IP-006/empty"},
    {"writes-behind-rows", "IP-052/forward"},
    {"drops-post-ops", "IP-040"},
    {"takes-other-shapes", "IP-004"},
    {"takes-other-biases", "IP-005"},
    {"takes-any-attribute", "IP-045"},
    {"changes-its-mind", "IP-033"},
    {"answers-any", "IP-035/forward"},
    {"loses-nan", "IP-050"},
    {"takes-every-kind", "IP-008/others"},
    {"needs-no-bias", "IP-056"},
};

// What no fault breaks.
constexpr char kBystander[] = "IP-057";

class WrongInnerProduct : public testing::TestWithParam<Wrong> {
 protected:
  // Of the two properties, with instructions with which stock oneDNN refuses what IP-045 says.
  json Run(const std::string& fault) {
    return RunWrong("conformance/inner_product/testing/wrong_runner", fault, GetParam().property,
                    kBystander, /*cases=*/400);
  }
};

TEST_P(WrongInnerProduct, IsFoundByWhatItBreaksAndNothingElse) {
  const json sound = Run("");
  EXPECT_EQ(VerdictOf(sound, GetParam().property), "pass");
  const json wrong = Run(GetParam().name);
  EXPECT_EQ(VerdictOf(wrong, GetParam().property), "fail");
  EXPECT_EQ(VerdictOf(wrong, kBystander),
            std::string(GetParam().name) == "answers-any" ? "fail" : "pass");
}

INSTANTIATE_TEST_SUITE_P(Each, WrongInnerProduct, testing::ValuesIn(kWrong), TestNameOf);

}  // namespace
}  // namespace conformance
