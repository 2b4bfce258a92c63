// Whether those are found that call themselves allowed and are wrong: with a real library.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "conformance/case/property.h"
#include "conformance/judge/isolate.h"
#include "conformance/judge/judge.h"
#include "conformance/mutants/mutation_run.h"
#include "tools/mutate/active.h"

namespace conformance {
namespace {

TEST(Fairness, FindsWhatIsWrongAndCallsItselfAllowed) {
  RunOptions options;
  options.profile = Profile::kProject;
  options.limits = DefaultLimits(1);
  options.shrink = std::chrono::milliseconds(0);
  const auto properties = Properties();
  MutationRun run(properties, options, Question::kFair);
  int unfair = 0;
  for (int number = 1; number <= mutants::kCount; ++number) {
    const MutantResult result = run.Run(number, false);
    const std::string name = mutants::kEntries[number].name;
    if (name.rfind("unfair-", 0) == 0) {
      ++unfair;
      EXPECT_NE(result.unjust, "") << name;
    } else {
      EXPECT_EQ(result.unjust, "") << name;
      EXPECT_GT(result.judges, 0) << name;
      EXPECT_LT(result.judges, static_cast<int>(properties.size())) << name;
    }
  }
  EXPECT_EQ(unfair, 3);
}

}  // namespace
}  // namespace conformance
