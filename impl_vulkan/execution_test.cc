// Whole operations on a device, element for element against the reference.
//
// DNNSPEC_VULKAN_FEATURES, _STAGING and _WINDOW choose other paths through the same tests.
#include <gtest/gtest.h>

#include <cstdlib>
#include <variant>

#include "impl_vulkan/testing/device.h"

namespace impl_vulkan {
namespace {

using testing::Bytes;
using testing::Difference;
using testing::RunOn;
using testing::Trial;

class Execution : public ::testing::Test {
 protected:
  void SetUp() override {
    static Implementation& implementation = testing::Keep(Preferences::FromEnvironment());
    SKIP_WITHOUT_DEVICE(implementation);
    auto engine = implementation.MakeEngine(0);
    ASSERT_TRUE(engine.ok()) << engine.status();
    engine_ = *engine;
  }

  void Check(const Trial& trial, uint32_t seed, int candidate = 0) {
    const Bytes got =
        RunOn(*engine_, trial.operation, trial.source, trial.before, trial.scales, candidate);
    const auto plan = engine_->MakePlan(trial.operation, candidate);
    ASSERT_EQ(Difference(got, trial.after), "") << "seed " << seed << ": " << (*plan)->Describe();
  }

  std::shared_ptr<spi::Engine> engine_;
};

TEST_F(Execution, KeepsToThePathItIsTold) {
  const Preferences preferences = Preferences::FromEnvironment();
  Context& context = *static_cast<Engine&>(*engine_).context();
  if (!preferences.optional_features) {
    EXPECT_EQ(context.FlavourFor(Work::kCompute), Flavour::kPlain);
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
    Check(testing::RandomReorder(seed, 6000), seed, seed % 5 == 0 ? 1 : 0);
  }
}

TEST_F(Execution, ShufflesAnythingExactly) {
  for (uint32_t seed = 0; seed < 80 && !HasFatalFailure(); ++seed) {
    Check(testing::RandomShuffle(seed, 6000), seed, seed % 5 == 0 ? 1 : 0);
  }
}

}  // namespace
}  // namespace impl_vulkan
