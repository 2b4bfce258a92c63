// Where the host's memory runs out, nothing is lost and nothing hangs.
#include <gtest/gtest.h>
#include <vulkan/vulkan.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "impl_vulkan/device/command_buffer_cache.h"
#include "impl_vulkan/device/context.h"
#include "impl_vulkan/device/device.h"
#include "impl_vulkan/device/device_plan.h"
#include "impl_vulkan/device/instance.h"
#include "impl_vulkan/device/memory.h"
#include "impl_vulkan/device/pipelines.h"
#include "impl_vulkan/device/program.h"
#include "impl_vulkan/device/snapshot.h"
#include "impl_vulkan/device/timeline.h"
#include "impl_vulkan/model/engine.h"
#include "impl_vulkan/model/stream.h"
#include "impl_vulkan/planners.h"
#include "impl_vulkan/testing/device.h"
#include "impl_vulkan/testing/fake_driver.h"
#include "tools/testing/scarce_memory.h"

namespace impl_vulkan {
namespace {

// Whether `call` ends with memory for `enough` allocations.
template <class Call>
bool EndsWith(int64_t enough, const Call& call) {
  tools::LimitAllocations(enough);
  try {
    call();
  } catch (const std::bad_alloc&) {
    tools::UnlimitAllocations();
    return false;
  }
  tools::UnlimitAllocations();
  return true;
}

class OutOfMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::KeepCachesHere();
    const Preferences preferences = Preferences::FromEnvironment();
    auto instance = Instance::Create(preferences);
    if (!instance.ok()) GTEST_SKIP() << instance.status();
    static auto* const kept = new std::vector<std::shared_ptr<Instance>>;
    kept->push_back(*instance);  // with its driver, for good
    const VkPhysicalDevice physical = testing::BestDevice(**instance, preferences);
    if (physical == VK_NULL_HANDLE) GTEST_SKIP() << "no device";
    const DeviceSnapshot snapshot = TakeSnapshot((*instance)->vk(), physical);
    const auto plan = PlanDevice(snapshot, preferences);
    ASSERT_TRUE(plan.ok()) << plan.status();
    auto device = Device::Open(*instance, physical, snapshot, *plan);
    ASSERT_TRUE(device.ok()) << device.status();
    device_ = *device;
  }

  std::shared_ptr<Device> device_;
};

TEST_F(OutOfMemory, OfARegionGivesItsRangeBack) {
  // Beside another one and at the end of a block, in a block that there is and in a new one.
  const auto pool = std::make_shared<MemoryPool>(device_);
  const auto beside = pool->Allocate(64, Purpose::kTensor);
  ASSERT_TRUE(beside.ok()) << beside.status();
  for (const uint64_t bytes : {uint64_t{64}, uint64_t{1} << 20, uint64_t{1} << 24}) {
    const uint64_t used = pool->usage().used_bytes;
    int64_t enough = 0;
    while (!EndsWith(enough, [&] { EXPECT_TRUE(pool->Allocate(bytes, Purpose::kTensor).ok()); })) {
      EXPECT_EQ(pool->usage().used_bytes, used) << "allocation " << enough;
      ASSERT_LT(++enough, 100);
    }
    EXPECT_GE(enough, 1);
    EXPECT_EQ(pool->usage().used_bytes, used);
  }
}

TEST_F(OutOfMemory, DoesNotKeepARegionFromGoingBack) {
  const auto pool = std::make_shared<MemoryPool>(device_);
  std::vector<std::shared_ptr<const Region>> regions;
  for (int i = 0; i < 5; ++i) {
    const auto region = pool->Allocate(64, Purpose::kTensor);
    ASSERT_TRUE(region.ok()) << region.status();
    regions.push_back(*region);
  }
  // First those between others, then all that is left.
  for (const size_t i : {1u, 3u, 0u, 4u, 2u}) EXPECT_TRUE(EndsWith(0, [&] { regions[i].reset(); }));
  EXPECT_EQ(pool->usage().used_bytes, 0u);
}

TEST_F(OutOfMemory, OfASubmissionSubmitsNothing) {
  const auto signal = reinterpret_cast<PFN_vkSignalSemaphore>(
      device_->instance().vk().vkGetDeviceProcAddr(device_->handle(), "vkSignalSemaphore"));
  ASSERT_NE(signal, nullptr);
  auto gate = Timeline::Create(device_, device_->queue());
  auto timeline = Timeline::Create(device_, device_->queue());
  ASSERT_TRUE(gate.ok() && timeline.ok());

  // None of this ends before the gate opens, so that all of it is kept.
  const SyncPoint opened{(*gate)->semaphore(), 1};
  const auto used = std::make_shared<int>();
  int64_t failures = 0;
  for (uint64_t value = 1; value <= 200; ++value) {
    for (int64_t enough = 0;; ++enough) {
      ASSERT_LT(enough, 100);
      const long owners = used.use_count();
      const bool submitted = EndsWith(enough, [&] {
        const auto given = (*timeline)->Submit(VK_NULL_HANDLE, {used}, {&opened, 1});
        EXPECT_TRUE(given.ok()) << given.status();
      });
      EXPECT_EQ((*timeline)->last(), submitted ? value : value - 1);
      EXPECT_EQ(used.use_count(), submitted ? owners + 1 : owners);
      if (submitted) break;
      ++failures;
    }
  }
  EXPECT_GE(failures, 1);
  VkSemaphoreSignalInfo open{};
  open.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
  open.semaphore = (*gate)->semaphore();
  open.value = 1;
  ASSERT_EQ(signal(device_->handle(), &open), VK_SUCCESS);
  EXPECT_TRUE((*timeline)->WaitFor((*timeline)->last()).ok());
  EXPECT_EQ(used.use_count(), 1);
}

// On a driver that counts what it made.
namespace fake_driver = testing::fake_driver;

// `make` either makes `objects` or, as often as there is too little memory, none.
template <class Make>
void ExpectAllOrNothing(int64_t objects, const Make& make) {
  const int64_t before = fake_driver::Living();
  int64_t enough = 0;
  while (!EndsWith(enough, make)) {
    EXPECT_EQ(fake_driver::Living(), before) << "allocation " << enough;
    ASSERT_LT(++enough, 100);
  }
  EXPECT_GE(enough, 1);
  EXPECT_EQ(fake_driver::Living(), before + objects);
}

TEST(OutOfMemoryOfTheHost, LosesNoPipeline) {
  const int64_t before = fake_driver::Living();
  {
    const auto pipelines = Pipelines::Create(fake_driver::Open(), "");
    ASSERT_TRUE(pipelines.ok()) << pipelines.status();
    const ShaderCode code{"none", nullptr, 0, 1};
    for (uint32_t i = 0; i < 3; ++i) {
      const Constants constants = {i, 1, 2};
      ExpectAllOrNothing(1, [&] { EXPECT_TRUE((*pipelines)->Get(code, constants).ok()); });
    }
  }
  EXPECT_EQ(fake_driver::Living(), before);
}

TEST(OutOfMemoryOfTheHost, LosesNoCommandBuffer) {
  const int64_t before = fake_driver::Living();
  {
    const std::shared_ptr<Device> device = fake_driver::Open();
    const auto timeline = Timeline::Create(device, device->queue());
    ASSERT_TRUE(timeline.ok()) << timeline.status();
    CommandBufferCache cache(device, *timeline);
    ASSERT_TRUE(cache.Get(Program(), {}).ok());  // makes the pool
    for (int i = 0; i < 8; ++i) {
      const Program program;
      ExpectAllOrNothing(1, [&] { EXPECT_TRUE(cache.Get(program, {}).ok()); });
    }
  }
  EXPECT_EQ(fake_driver::Living(), before);
}

TEST(OutOfMemoryOfTheHost, LetsAStreamGoWhoseWorkFailed) {
  for (const VkResult result : {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST}) {
    const auto context = Context::Create(fake_driver::Open(), {});
    ASSERT_TRUE(context.ok()) << context.status();
    auto stream = Engine(*context, AllPlanners()).MakeStream(spi::kInOrder);
    ASSERT_TRUE(stream.ok()) << stream.status();
    ASSERT_TRUE(static_cast<Stream&>(**stream).Synchronise({}, {}).ok());
    const int64_t before = fake_driver::Living();
    fake_driver::SetWait(result);
    EXPECT_TRUE(EndsWith(0, [&] { stream->reset(); }));
    fake_driver::SetWait(VK_SUCCESS);
    EXPECT_EQ(fake_driver::Living(), before - 1);
  }
}

}  // namespace
}  // namespace impl_vulkan
