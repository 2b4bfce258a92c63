// Zero points that an execution brings.
#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "api/reorder/testing/reorder_operation.h"
#include "api/testing/plans.h"
#include "impl_vulkan/model/stream.h"
#include "impl_vulkan/testing/device.h"

namespace impl_vulkan {
namespace {

using testing::Bytes;
using testing::Download;
using testing::Integers;
using testing::Upload;

class ZeroPoints : public ::testing::Test {
 protected:
  void SetUp() override {
    static Implementation& implementation = testing::Keep(Preferences::FromEnvironment());
    SKIP_WITHOUT_DEVICE(implementation);
    auto engine = implementation.MakeEngine(0);
    ASSERT_TRUE(engine.ok()) << engine.status();
    engine_ = *engine;
  }

  std::shared_ptr<spi::Engine> engine_;
};

// destination = source - one run-time zero point + another.
spi::ReorderOperation BetweenZeroPoints(int64_t elements) {
  spi::ReorderOperation operation;
  operation.src = spi::Strided(spi::DataType::kF32, {elements});
  operation.dst = operation.src;
  operation.src_zero_point.run_time = operation.dst_zero_point.run_time = true;
  return operation;
}

TEST_F(ZeroPoints, LieInMemoryThatThreadsShare) {
  constexpr size_t kElements = 100, kThreads = 4;
  constexpr int kExecutions = 100;
  const auto plan = spi::PlanOf(*engine_, BetweenZeroPoints(kElements), 0);
  ASSERT_TRUE(plan.ok()) << plan.status();
  const auto less = Upload(*engine_, Integers(1, 3)), more = Upload(*engine_, Integers(1, 10));
  std::vector<absl::Status> statuses(kThreads);
  std::vector<std::shared_ptr<spi::Buffer>> sources, results;
  for (size_t i = 0; i < kThreads; ++i) {
    sources.push_back(
        Upload(*engine_, testing::BytesOf(std::vector<float>(kElements, static_cast<float>(i)))));
    results.push_back(Upload(*engine_, Bytes(4 * kElements)));
  }
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const auto stream = engine_->MakeStream(spi::kInOrder);
      statuses[i] = stream.status();
      spi::Buffer* const arguments[] = {sources[i].get(), results[i].get(), less.get(), more.get()};
      for (int k = 0; statuses[i].ok() && k < kExecutions; ++k) {
        statuses[i] = (*plan)->Execute(**stream, arguments);
      }
      if (statuses[i].ok()) statuses[i] = (*stream)->Wait();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < kThreads; ++i) {
    EXPECT_TRUE(statuses[i].ok()) << statuses[i];
    EXPECT_EQ(testing::FloatsOf(Download(*results[i], 4 * kElements)),
              std::vector<float>(kElements, static_cast<float>(i) + 7));
  }
}

// A timeline that the host raises, as an application may.
class HostTimeline {
 public:
  explicit HostTimeline(Device& device) : device_(device) {
    VkSemaphoreTypeCreateInfo type{};
    type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
    create.pNext = &type;
    EXPECT_EQ(device.vk().vkCreateSemaphore(device.handle(), &create, nullptr, &semaphore_),
              VK_SUCCESS);
  }
  ~HostTimeline() { device_.vk().vkDestroySemaphore(device_.handle(), semaphore_, nullptr); }

  HostTimeline(const HostTimeline&) = delete;
  HostTimeline& operator=(const HostTimeline&) = delete;

  VkSemaphore semaphore() const { return semaphore_; }

  void Raise(uint64_t value) {
    const auto raise = reinterpret_cast<PFN_vkSignalSemaphore>(
        device_.instance().vk().vkGetDeviceProcAddr(device_.handle(), "vkSignalSemaphore"));
    VkSemaphoreSignalInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
    info.semaphore = semaphore_;
    info.value = value;
    EXPECT_EQ(raise(device_.handle(), &info), VK_SUCCESS);
  }

 private:
  Device& device_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
};

TEST_F(ZeroPoints, AreNotWaitedFor) {
  const auto plan = spi::PlanOf(*engine_, BetweenZeroPoints(5), 0);
  const auto fill = spi::PlanOf(
      *engine_,
      [] {
        spi::ReorderOperation operation;
        operation.src = operation.dst = spi::Strided(spi::DataType::kS32, {1});
        return operation;
      }(),
      0);
  ASSERT_TRUE(plan.ok() && fill.ok()) << plan.status() << fill.status();
  const auto source = Upload(*engine_, Bytes(20)), result = Upload(*engine_, Bytes(20));
  const auto value = Upload(*engine_, Integers(1, 9));
  const auto less = Upload(*engine_, Integers(1, 0)), more = Upload(*engine_, Integers(1, 1));
  HostTimeline timeline(static_cast<Engine&>(*engine_).context()->device());
  auto stream = engine_->MakeStream(spi::kInOrder);
  ASSERT_TRUE(stream.ok()) << stream.status();
  const spi::vulkan::SyncPoint begins{timeline.semaphore(), 1};
  const absl::Status waits =
      static_cast<Stream&>(**stream).Synchronise(absl::MakeConstSpan(&begins, 1), {});
  ASSERT_TRUE(waits.ok()) << waits;
  // The zero point is written by work that has not begun.
  spi::Buffer* const filling[] = {value.get(), less.get()};
  ASSERT_TRUE((*fill)->Execute(**stream, filling).ok());
  spi::Buffer* const arguments[] = {source.get(), result.get(), less.get(), more.get()};
  const absl::Status executed = (*plan)->Execute(**stream, arguments);
  timeline.Raise(1);
  EXPECT_TRUE(executed.ok()) << executed;
  ASSERT_TRUE((*stream)->Wait().ok());
  EXPECT_EQ(testing::FloatsOf(Download(*result, 20)), std::vector<float>(5, -8));
}

}  // namespace
}  // namespace impl_vulkan
