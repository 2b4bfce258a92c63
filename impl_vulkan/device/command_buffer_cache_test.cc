#include "impl_vulkan/device/command_buffer_cache.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "impl_vulkan/device/device.h"
#include "impl_vulkan/device/program.h"
#include "impl_vulkan/device/timeline.h"
#include "impl_vulkan/testing/fake_driver.h"

namespace impl_vulkan {
namespace {

namespace fake_driver = testing::fake_driver;

class CommandBuffers : public ::testing::Test {
 protected:
  void SetUp() override {
    device_ = fake_driver::Open();
    auto timeline = Timeline::Create(device_, device_->queue());
    ASSERT_TRUE(timeline.ok()) << timeline.status();
    timeline_ = *timeline;
    cache_ = std::make_unique<CommandBufferCache>(device_, timeline_);
  }

  // How many of them were recorded, each submitted and waited for.
  int64_t Run(const std::vector<Program>& programs) {
    const int64_t before = fake_driver::Recorded();
    for (const Program& program : programs) {
      const auto recording = cache_->Get(program, {});
      EXPECT_TRUE(recording.ok()) << recording.status();
      const auto submitted = timeline_->Submit((*recording)->commands, {});
      EXPECT_TRUE(submitted.ok()) << submitted.status();
      (*recording)->submitted = *submitted;
      EXPECT_TRUE(timeline_->WaitFor(*submitted).ok());
    }
    return fake_driver::Recorded() - before;
  }

  std::shared_ptr<Device> device_;
  std::shared_ptr<Timeline> timeline_;
  std::unique_ptr<CommandBufferCache> cache_;
};

TEST_F(CommandBuffers, OfAHundredProgramsInTurnAreRecordedOnce) {
  const std::vector<Program> programs(100);
  EXPECT_EQ(Run(programs), 100);
  EXPECT_EQ(Run(programs), 0);
  EXPECT_EQ(Run(programs), 0);
}

TEST_F(CommandBuffers, OfProgramsWithoutNumberReplaceTheOldest) {
  const std::vector<Program> once(2000);
  const std::vector<Program> often(once.begin(), once.begin() + 10);
  const int64_t before = fake_driver::Living();
  EXPECT_EQ(Run(once), 2000);
  const int64_t living = fake_driver::Living() - before;
  EXPECT_LT(living, 1000);
  EXPECT_EQ(Run(often), 10) << "the first are forgotten";
  EXPECT_EQ(Run(often), 0);
  EXPECT_EQ(Run({once.end() - 100, once.end()}), 0) << "the last are not";
  EXPECT_EQ(fake_driver::Living() - before, living);
}

// A guard that notes how often it was entered and what happened meanwhile.
struct Guarded {
  int64_t entered = 0, idle_waits = 0, before = 0;

  static void Lock(void* self) {
    auto& guarded = *static_cast<Guarded*>(self);
    ++guarded.entered;
    guarded.before = fake_driver::IdleWaits();
  }
  static void Unlock(void* self) {
    auto& guarded = *static_cast<Guarded*>(self);
    guarded.idle_waits += fake_driver::IdleWaits() - guarded.before;
  }
};

TEST_F(CommandBuffers, WhoseEndIsUnknownAreWaitedForInsideTheGuardOfTheQueue) {
  Guarded guarded;
  ASSERT_TRUE(device_->queue()->Adopt({Guarded::Lock, Guarded::Unlock, &guarded}).ok());
  ASSERT_TRUE(timeline_->Submit(VK_NULL_HANDLE, {}).ok());
  EXPECT_EQ(guarded.entered, 1);
  const int64_t before = fake_driver::IdleWaits();
  fake_driver::SetWait(VK_ERROR_OUT_OF_HOST_MEMORY);
  timeline_->Settle();
  fake_driver::SetWait(VK_SUCCESS);
  EXPECT_EQ(fake_driver::IdleWaits() - before, 1) << "on an external device too";
  EXPECT_EQ(guarded.idle_waits, 1);
}

}  // namespace
}  // namespace impl_vulkan
