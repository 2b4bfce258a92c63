// What `any` becomes is the same on every device.
#include "api/testing/chosen_layouts.h"

#include <gtest/gtest.h>

#include "impl_vulkan/testing/device.h"

namespace impl_vulkan {
namespace {

TEST(ChosenLayouts, AreThoseOfTheFile) {
  Implementation& implementation = testing::Keep(Preferences::FromEnvironment());
  SKIP_WITHOUT_DEVICE(implementation);
  const auto engine = implementation.MakeEngine(0);
  ASSERT_TRUE(engine.ok()) << engine.status();
  spi::ExpectChosenLayouts(**engine, "impl_vulkan/testing/chosen_layouts.golden");
}

}  // namespace
}  // namespace impl_vulkan
