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
    {"drops-bias", "CONV-080"},
    {"flips-weights", "CONV-086"},
    {"swaps-groups", "CONV-082"},
    {"swaps-paddings", "CONV-040"},
    {"turns-multipliers", "CONV-084"},
    {"adds-to-outputs", "CONV-113"},
    {"leaves-zeros-of-gradients", "CONV-102"},
    {"forgets-diff-bias", "CONV-111"},
    {"leaves-the-gradient-of-nothing", "CONV-117/batch"},
    {"rounds-to-bf16", "CONV-081"},
    {"keeps-the-first-weights", "CONV-171/uneven"},
    {"drops-post-ops", "CONV-130"},
    {"takes-any-attribute", "CONV-104"},
    {"takes-zero-strides", "CONV-027"},
    {"takes-other-batches", "CONV-022"},
    {"takes-every-kind", "CONV-044"},
    {"needs-no-bias", "CONV-014"},
    {"loses-nan", "CONV-123"},
    {"writes-behind-rows", "CONV-006"},
};

// What no fault breaks.
constexpr char kBystander[] = "CONV-165";

class WrongConvolution : public testing::TestWithParam<Wrong> {
 protected:
  // Of the two properties, with instructions with which stock oneDNN refuses what CONV-104 says.
  json Run(const std::string& fault) {
    return RunWrong("conformance/convolution/testing/wrong_runner", fault, GetParam().property,
                    kBystander, /*cases=*/400);
  }
};

TEST_P(WrongConvolution, IsFoundByWhatItBreaksAndNothingElse) {
  const json sound = Run("");
  EXPECT_EQ(VerdictOf(sound, GetParam().property), "pass");
  const json wrong = Run(GetParam().name);
  EXPECT_EQ(VerdictOf(wrong, GetParam().property), "fail");
  EXPECT_EQ(VerdictOf(wrong, kBystander), "pass");
}

INSTANTIATE_TEST_SUITE_P(Each, WrongConvolution, testing::ValuesIn(kWrong), TestNameOf);

}  // namespace
}  // namespace conformance
