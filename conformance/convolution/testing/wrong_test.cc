// Each fault of wrong.cc is found, by the requirement that it breaks; and what it does not break
// holds.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "tools/testing/command.h"

namespace conformance {
namespace {

using nlohmann::json;

struct Wrong {
  const char* name;      // in wrong.cc
  const char* property;  // that must find it
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

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
    {"keeps-the-first-weights", "CONV-171"},
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

std::string VerdictOf(const json& results, const std::string& property) {
  for (const json& requirement : results["requirements"])
    for (const json& one : requirement["properties"])
      if (one["name"] == property) return one.value("verdict", "not_run");
  return "not there";
}

class WrongConvolution : public testing::TestWithParam<Wrong> {
 protected:
  // The two properties, of the library with this fault; capped to instructions with which it
  // refuses what CONV-104 says.
  json Run(const std::string& fault) {
    const tools::Outcome outcome =
        tools::Run({"conformance/convolution/testing/wrong_runner", "--jobs=1", "--cases=400",
                    "--filter=^(" + std::string(GetParam().property) + "|" + kBystander + ")$",
                    "--out=" + scratch_ / "out", "--reproducers=-"},
                   {{"WRONG", fault}, {"ONEDNN_MAX_CPU_ISA", "AVX2"}, {"PATH", "/bin:/usr/bin"}});
    EXPECT_LE(outcome.status, 1) << outcome.err;
    return json::parse(scratch_.Read("out/results.json"));
  }

  tools::Scratch scratch_;
};

TEST_P(WrongConvolution, IsFoundByWhatItBreaksAndNothingElse) {
  const json sound = Run("");
  EXPECT_EQ(VerdictOf(sound, GetParam().property), "pass");
  const json wrong = Run(GetParam().name);
  EXPECT_EQ(VerdictOf(wrong, GetParam().property), "fail");
  EXPECT_EQ(VerdictOf(wrong, kBystander), "pass");
}

INSTANTIATE_TEST_SUITE_P(Each, WrongConvolution, testing::ValuesIn(kWrong),
                         [](const testing::TestParamInfo<Wrong>& wrong) {
                           std::string name = wrong.param.name;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

}  // namespace
}  // namespace conformance
