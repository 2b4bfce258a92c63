// Whether those are found that call themselves allowed and are wrong: with a real library.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/judge/isolate.h"
#include "conformance/judge/judge.h"
#include "conformance/mutants/mutation_run.h"
#include "tools/mutate/active.h"

namespace conformance {
namespace {

// Those of requirements whose ids begin so.
std::vector<const Property*> PropertiesOf(const std::vector<std::string>& beginnings) {
  std::vector<const Property*> some;
  for (const Property* property : Properties())
    for (const std::string& beginning : beginnings)
      if (std::string(property->requirement().id).rfind(beginning, 0) == 0) {
        some.push_back(property);
        break;
      }
  return some;
}

// Judges the mutants whose names begin with one of `names` by `properties`; gives how many there
// are that must be found.
int Judge(const std::vector<const Property*>& properties, const std::vector<std::string>& names) {
  RunOptions options;
  options.profile = Profile::kProject;
  options.limits = DefaultLimits(1);
  options.shrink = std::chrono::milliseconds(0);
  MutationRun run(properties, options, Question::kFair);
  int unfair = 0;
  for (int number = 1; number <= mutants::kCount; ++number) {
    const std::string name = mutants::kEntries[number].name;
    const auto is_named = [&](const std::string& begin) { return name.rfind(begin, 0) == 0; };
    if (std::none_of(names.begin(), names.end(), is_named)) continue;
    const MutantResult result = run.Run(number, false);
    if (is_named("unfair-")) {
      ++unfair;
      EXPECT_NE(result.unjust, "") << name;
    } else {
      EXPECT_EQ(result.unjust, "") << name;
      EXPECT_GT(result.judges, 0) << name;
      EXPECT_LT(result.judges, static_cast<int>(properties.size())) << name;
    }
  }
  return unfair;
}

TEST(Fairness, FindsWhatIsWrongAndCallsItselfAllowed) {
  EXPECT_EQ(Judge(PropertiesOf({"SHU-"}), {"unfair-", "fair-f16"}), 3);
}

// By what gives hints to requests that are wrong, to their neighbours, and of other kinds.
TEST(Fairness, LetsHintsOfOtherTensorsBeRefused) {
  const auto properties = PropertiesOf({"CONV-02", "CONV-03", "CONV-04", "CONV-10", "CONV-11",
                                        "CONV-16", "IP-00", "IP-01", "IP-05"});
  EXPECT_EQ(Judge(properties, {"fair-convolution-hints", "fair-inner-product-hints"}), 0);
}

}  // namespace
}  // namespace conformance
