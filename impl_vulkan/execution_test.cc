// Whole operations on a device, element for element against the reference.
//
// DNNSPEC_VULKAN_FEATURES, _STAGING and _WINDOW choose other paths through the same tests.
#include <gtest/gtest.h>

#include <cstdlib>
#include <variant>

#include "api/testing/interpreter.h"
#include "api/testing/plans.h"
#include "impl_vulkan/testing/device.h"

namespace impl_vulkan {
namespace {

class Execution : public ::testing::Test {
 protected:
  void SetUp() override {
    static Implementation& implementation = testing::Keep(Preferences::FromEnvironment());
    SKIP_WITHOUT_DEVICE(implementation);
    auto engine = implementation.MakeEngine(0);
    ASSERT_TRUE(engine.ok()) << engine.status();
    engine_ = *engine;
  }

  // By the second implementation if that is wanted and there is one.
  void Check(const spi::Interpretation& right, uint32_t seed, bool second) {
    const int candidate = second && spi::PlanOf(*engine_, right.operation(), 1).ok() ? 1 : 0;
    ASSERT_EQ(testing::Run(*engine_, right, candidate), "") << "seed " << seed;
  }

  std::shared_ptr<spi::Engine> engine_;
};

TEST_F(Execution, KeepsToThePathItIsTold) {
  const Preferences preferences = Preferences::FromEnvironment();
  Context& context = *static_cast<Engine&>(*engine_).context();
  if (!preferences.optional_features) {
    EXPECT_EQ(context.TierFor(Work::kCompute), Tier::kBaseline);
  }
  if (preferences.staging) {
    EXPECT_TRUE(context.device().plan().stages);
  }
  if (preferences.window_bytes != 0) {
    EXPECT_EQ(context.device().plan().window_bytes, preferences.window_bytes);
  }
}

TEST_F(Execution, ReordersAnythingExactly) {
  for (uint32_t seed = 0; seed < 90 && !HasFatalFailure(); ++seed) {
    Check(testing::RandomReorder(seed, 6000), seed, seed % 5 == 0);
  }
}

TEST_F(Execution, ShufflesAnythingExactly) {
  for (uint32_t seed = 0; seed < 80 && !HasFatalFailure(); ++seed) {
    Check(testing::RandomShuffle(seed, 6000), seed, seed % 5 == 0);
  }
}

TEST_F(Execution, TheSecondImplementationIsAnother) {
  int seconds = 0, alone = 0;
  for (uint32_t seed = 0; seed < 80; ++seed) {
    const spi::Operation operation = testing::RandomShuffle(seed, 6000).operation();
    const auto first = spi::PlanOf(*engine_, operation, 0);
    const auto second = spi::PlanOf(*engine_, operation, 1);
    ASSERT_TRUE(first.ok()) << first.status();
    ++(second.ok() ? seconds : alone);
    if (second.ok()) {
      EXPECT_NE((*first)->Describe(), (*second)->Describe()) << "seed " << seed;
    }
  }
  EXPECT_GT(seconds, 0);
  EXPECT_GT(alone, 0);
}

}  // namespace
}  // namespace impl_vulkan
