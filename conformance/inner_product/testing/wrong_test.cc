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

std::string VerdictOf(const json& results, const std::string& property) {
  for (const json& requirement : results["requirements"])
    for (const json& one : requirement["properties"])
      if (one["name"] == property) return one.value("verdict", "not_run");
  return "not there";
}

class WrongInnerProduct : public testing::TestWithParam<Wrong> {
 protected:
  // The two properties, of the library with this fault; capped to instructions with which it
  // refuses what IP-045 says.
  json Run(const std::string& fault) {
    const tools::Outcome outcome =
        tools::Run({"conformance/inner_product/testing/wrong_runner", "--jobs=1", "--cases=200",
                    "--filter=^(" + std::string(GetParam().property) + "|" + kBystander + ")$",
                    "--out=" + scratch_ / "out", "--reproducers=-"},
                   {{"WRONG", fault}, {"ONEDNN_MAX_CPU_ISA", "AVX2"}, {"PATH", "/bin:/usr/bin"}});
    EXPECT_LE(outcome.status, 1) << outcome.err;
    return json::parse(scratch_.Read("out/results.json"));
  }

  tools::Scratch scratch_;
};

TEST_P(WrongInnerProduct, IsFoundByWhatItBreaksAndNothingElse) {
  const json sound = Run("");
  EXPECT_EQ(VerdictOf(sound, GetParam().property), "pass");
  const json wrong = Run(GetParam().name);
  EXPECT_EQ(VerdictOf(wrong, GetParam().property), "fail");
  EXPECT_EQ(VerdictOf(wrong, kBystander),
            std::string(GetParam().name) == "answers-any" ? "fail" : "pass");
}

INSTANTIATE_TEST_SUITE_P(Each, WrongInnerProduct, testing::ValuesIn(kWrong),
                         [](const testing::TestParamInfo<Wrong>& wrong) {
                           std::string name = wrong.param.name;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

}  // namespace
}  // namespace conformance
