// Memory ends while the devices are looked for, for C code and the runtime of C++ too: an exception
// comes out, and the next look finds what there is.
#include "tools/testing/scarce_malloc.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>

#include "absl/strings/match.h"
#include "impl_vulkan/device/device_plan.h"
#include "impl_vulkan/implementation.h"

namespace impl_vulkan {
namespace {

TEST(ScarceMalloc, LeavesTheLookForDevicesToTheNextCaller) {
  for (int64_t enough = 0;; ++enough) {
    ASSERT_LT(enough, 100);
    Preferences preferences;
    preferences.library = "/there/is/no/libvulkan.so";
    Implementation implementation(preferences);
    bool thrown = false;
    tools::ExhaustMemoryInNew(enough);
    try {
      EXPECT_EQ(implementation.EngineCount(), 0u);
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
    const bool done = tools::UnlimitMalloc() == 0;
    EXPECT_EQ(thrown, !done) << "allocation " << enough;
    const absl::Status reason = implementation.Reason();
    EXPECT_TRUE(absl::StrContains(reason.message(), "no loader")) << reason;
    if (done) break;
  }
}

}  // namespace
}  // namespace impl_vulkan
