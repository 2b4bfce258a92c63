// Everything this implementation does, under the Khronos validation layer with synchronization
// validation, down to the destruction of the device: not one message (INTEROP-018).
//
// Skipped where the layer is not installed, unless REQUIRE_VALIDATION is set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "api/reorder/testing/random_reorder.h"
#include "api/reorder/testing/reorder_operation.h"
#include "api/testing/interpreter.h"
#include "api/testing/plans.h"
#include "api/testing/random_operation.h"
#include "impl_vulkan/device/memory.h"
#include "impl_vulkan/device/pipelines.h"
#include "impl_vulkan/device/program.h"
#include "impl_vulkan/device/steps.h"
#include "impl_vulkan/planners.h"
#include "impl_vulkan/testing/device.h"
#include "impl_vulkan/testing/host.h"
#include "impl_vulkan/testing/steps.h"

namespace impl_vulkan {
namespace {

using testing::Bytes;

class Validation : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::KeepCachesHere();
    Preferences preferences;
    preferences.validate = true;
    auto instance = Instance::Create(preferences);
    if (!instance.ok()) GTEST_SKIP() << instance.status();
    static auto* const kept = new std::vector<std::shared_ptr<Instance>>;
    kept->push_back(*instance);  // with its driver, for good
    instance_ = *instance;
    const absl::Status verdict = instance_->Verdict();
    if (!verdict.ok()) {
      ASSERT_EQ(std::getenv("REQUIRE_VALIDATION"), nullptr) << verdict;
      GTEST_SKIP() << verdict;
    }
    physical_ = testing::BestDevice(*instance_, preferences);
    if (physical_ == VK_NULL_HANDLE) GTEST_SKIP() << "no device";
  }

  std::shared_ptr<Engine> Open(const Preferences& preferences) {
    const DeviceSnapshot snapshot = TakeSnapshot(instance_->vk(), physical_);
    const auto plan = PlanDevice(snapshot, preferences);
    EXPECT_TRUE(plan.ok()) << plan.status();
    auto device = Device::Open(instance_, physical_, snapshot, *plan);
    EXPECT_TRUE(device.ok()) << device.status();
    auto context = Context::Create(*std::move(device), preferences);
    EXPECT_TRUE(context.ok()) << context.status();
    return std::make_shared<Engine>(*std::move(context), AllPlanners());
  }

  // Many operations on one stream without a wait between them, over shared memory: what a missing
  // barrier needs to show. Each buffer holds the largest of all tensors: out of a shorter one, a
  // tensor would reach into the next, and steps of one pass do not wait for each other.
  void RunTogether(spi::Engine& engine, uint32_t first_seed, uint32_t count) {
    std::vector<spi::Operation> operations;
    size_t bytes = 0;
    for (uint32_t seed = first_seed; seed < first_seed + count; ++seed) {
      operations.push_back(
          (seed % 2 == 0 ? testing::RandomReorder(seed, 2000) : testing::RandomShuffle(seed, 2000))
              .operation());
      for (const spi::TensorArg& tensor : operations.back().tensors)
        bytes = std::max(bytes, spi::BytesOf(tensor.layout));
    }
    auto stream = engine.MakeStream(spi::kInOrder);
    ASSERT_TRUE(stream.ok()) << stream.status();
    const auto a = engine.Allocate(bytes), b = engine.Allocate(bytes);
    const auto scales = engine.Allocate(bytes);
    ASSERT_TRUE(a.ok() && b.ok() && scales.ok());
    for (uint32_t i = 0; i < count; ++i) {
      const spi::Operation& operation = operations[i];
      // By the second implementation now and then, where there is one.
      const bool second = i % 7 == 0 && spi::PlanOf(engine, operation, 1).ok();
      const auto plan = spi::PlanOf(engine, operation, second ? 1 : 0);
      ASSERT_TRUE(plan.ok()) << plan.status();
      std::vector<spi::Buffer*> buffers(operation.tensors.size(), scales->get());
      buffers[0] = (i % 4 < 2 ? a : b)->get();
      buffers[1] = (i % 4 < 2 ? b : a)->get();
      const absl::Status executed = (*plan)->Execute(**stream, buffers);
      ASSERT_TRUE(executed.ok()) << executed << ": " << (*plan)->Describe();
    }
    const absl::Status waited = (*stream)->Wait();
    ASSERT_TRUE(waited.ok()) << waited;
  }

  void Transfer(spi::Engine& engine, uint32_t seed) {
    testing::HostEngine host;
    spi::Random random(seed);
    const spi::DataType type = spi::Pick(random, spi::kTypes),
                        other = spi::Pick(random, spi::kTypes);
    const spi::ReorderOperation operation = spi::RandomReorder(random, type, other, 2000);
    const spi::Operation resolved = operation;
    if (resolved.tensors.size() > 2) return;  // more comes at execution
    std::vector<Bytes> bytes = spi::BuffersFor(random, resolved);
    const auto from = std::make_shared<testing::HostBuffer>(&bytes[0]);
    const auto to = std::make_shared<testing::HostBuffer>(&bytes[1]);
    const auto device = engine.Allocate(bytes[1].size());
    auto stream = engine.MakeStream(spi::kInOrder);
    const auto up = spi::TransferPlanOf(engine, resolved, host, engine);
    spi::ReorderOperation back;
    back.src = back.dst = operation.dst;
    const auto down = spi::TransferPlanOf(engine, back, engine, host);
    ASSERT_TRUE(device.ok() && stream.ok() && up.ok() && down.ok());
    spi::Buffer* const there[] = {from.get(), device->get()};
    spi::Buffer* const here[] = {device->get(), to.get()};
    ASSERT_TRUE((*up)->Execute(**stream, there).ok());
    ASSERT_TRUE((*down)->Execute(**stream, here).ok());
    const absl::Status waited = (*stream)->Wait();
    ASSERT_TRUE(waited.ok()) << waited;
  }

  std::shared_ptr<Instance> instance_;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
};

TEST_F(Validation, HasNothingToSay) {
  Preferences rich, plain, narrow;
  plain.optional_features = false;
  narrow.window_bytes = 4096;
  for (const Preferences& preferences : {rich, plain, narrow}) {
    const auto engine = Open(preferences);
    RunTogether(*engine, 1000, 40);
    for (uint32_t seed = 2000; seed < 2008; ++seed) Transfer(*engine, seed);
    for (uint32_t seed = 3000; seed < 3010; ++seed) {
      EXPECT_EQ(testing::Run(*engine, testing::RandomReorder(seed, 1000)), "") << "seed " << seed;
    }
  }
  // Now the devices are gone, and what was left of them would have been named.
  const absl::Status verdict = instance_->Verdict();
  EXPECT_TRUE(verdict.ok()) << verdict;
}

// Elements of a range.
constexpr uint32_t kCount = 256;
constexpr uint64_t kRangeBytes = kCount * sizeof(uint32_t);

// u = 3 * source + 7, v = 3 * u + 7, destination = source + u + v and once more behind itself. Both
// ranges of the scratchpad, u and v, start in the middle of an aligned binding.
std::shared_ptr<Program> StepsThatReadEachOther(Context& context) {
  static const ShaderCode kTriple = {"triple", shaders::triple, sizeof shaders::triple, 2};
  static const ShaderCode kSum = {"sum", shaders::sum, sizeof shaders::sum, 4};
  constexpr uint32_t kInvocations = 64;
  const ByteRange whole = {0, kRangeBytes}, behind = {kRangeBytes, kRangeBytes};
  const ByteRange u = {12, kRangeBytes}, v = {8192 + 4, kRangeBytes};
  const std::vector<std::pair<const ShaderCode*, std::vector<BufferUse>>> wanted = {
      {&kTriple, {{0, Access::kRead, whole}, {2, Access::kWrite, u}}},
      {&kTriple, {{2, Access::kRead, u}, {2, Access::kWrite, v}}},
      {&kSum,
       {{0, Access::kRead, whole},
        {2, Access::kRead, u},
        {2, Access::kRead, v},
        {1, Access::kWrite, whole}}},
      {nullptr, {{1, Access::kRead, whole}, {1, Access::kWrite, behind}}},
  };
  std::vector<Step> steps;
  for (const auto& [code, uses] : wanted) {
    Step step;
    if (code != nullptr) {
      const auto pipeline = context.pipelines().Get(*code, {0, 0, 0, kInvocations});
      EXPECT_TRUE(pipeline.ok()) << pipeline.status();
      step.pipeline = *pipeline;
    }
    step.uses.assign(uses.begin(), uses.end());
    step.groups[2] = kCount / kInvocations;
    step.pass = static_cast<int>(steps.size());
    steps.push_back(step);
  }
  auto program = std::make_shared<Program>(std::move(steps), absl::Span<const InPlacePair>());
  program->pipelines = context.shared_pipelines();
  return program;
}

TEST_F(Validation, FindsBarriersBetweenStepsThatReadEachOther) {
  const auto engine = Open({});
  Context& context = *engine->context();
  const auto source = context.Allocate(kRangeBytes, Purpose::kHost);
  const auto destination = context.Allocate(2 * kRangeBytes, Purpose::kHost);
  const auto scratchpad = context.Allocate(16384, Purpose::kTensor);
  ASSERT_TRUE(source.ok() && destination.ok() && scratchpad.ok());
  std::vector<uint32_t> given(kCount), got(2 * kCount), expected;
  for (uint32_t i = 0; i < kCount; ++i) given[i] = i * i;
  for (uint32_t i = 0; i < 2 * kCount; ++i) {
    const uint32_t a = given[i % kCount], u = 3 * a + 7, v = 3 * u + 7;
    expected.push_back(a + u + v);
  }
  std::memcpy((*source)->host(), given.data(), kRangeBytes);
  std::memset((*destination)->host(), 0, 2 * kRangeBytes);
  const Bindings bindings{{{*source, 0}, {*destination, 0}, {*scratchpad, 0}}};

  const std::shared_ptr<Program> program = StepsThatReadEachOther(context);
  EXPECT_EQ(program->barriers, std::vector<bool>({false, true, true, true}));
  for (int round = 0; round < 2; ++round) {
    const absl::Status done = context.Serve(program, bindings);
    ASSERT_TRUE(done.ok()) << done;
  }
  std::memcpy(got.data(), (*destination)->host(), 2 * kRangeBytes);
  EXPECT_EQ(got, expected);
  const absl::Status verdict = instance_->Verdict();
  EXPECT_TRUE(verdict.ok()) << verdict;

  const std::shared_ptr<Program> unordered = StepsThatReadEachOther(context);
  unordered->barriers.assign(4, false);
  EXPECT_FALSE(context.Serve(unordered, bindings).ok());
  EXPECT_FALSE(instance_->Verdict().ok()) << "and the layer notices where they are missing";
}

TEST_F(Validation, WouldHaveSpoken) {
  const auto engine = Open({});
  Device& device = engine->context()->device();
  ASSERT_TRUE(instance_->Verdict().ok());
  VkCommandPoolCreateInfo wrong{};
  wrong.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  wrong.flags = VK_COMMAND_POOL_CREATE_PROTECTED_BIT;  // a feature that was not enabled
  wrong.queueFamilyIndex = device.plan().queue_family;
  VkCommandPool pool = VK_NULL_HANDLE;
  if (device.vk().vkCreateCommandPool(device.handle(), &wrong, nullptr, &pool) == VK_SUCCESS) {
    device.vk().vkDestroyCommandPool(device.handle(), pool, nullptr);
  }
  EXPECT_FALSE(instance_->Verdict().ok());
  EXPECT_EQ(engine->Allocate(16).status().code(), absl::StatusCode::kInternal);
}

// Command buffers of copies within a region, without a barrier.
class Copies {
 public:
  Copies(Device& device, const Region& region) : device_(device), region_(region) {
    VkCommandPoolCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    create.queueFamilyIndex = device.plan().queue_family;
    EXPECT_EQ(device.vk().vkCreateCommandPool(device.handle(), &create, nullptr, &pool_),
              VK_SUCCESS);
  }
  ~Copies() {
    device_.queue()->Settle(device_);
    device_.vk().vkDestroyCommandPool(device_.handle(), pool_, nullptr);
  }

  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

  VkCommandBuffer Begin() {
    VkCommandBufferAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocate.commandPool = pool_;
    allocate.commandBufferCount = 1;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    EXPECT_EQ(device_.vk().vkAllocateCommandBuffers(device_.handle(), &allocate, &commands),
              VK_SUCCESS);
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    EXPECT_EQ(device_.vk().vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
    return commands;
  }

  // 1024 bytes.
  void Copy(VkCommandBuffer commands, VkDeviceSize from, VkDeviceSize to) {
    const VkBufferCopy copy{region_.offset() + from, region_.offset() + to, 1024};
    device_.vk().vkCmdCopyBuffer(commands, region_.buffer(), region_.buffer(), 1, &copy);
  }

  void End(VkCommandBuffer commands) {
    EXPECT_EQ(device_.vk().vkEndCommandBuffer(commands), VK_SUCCESS);
  }

 private:
  Device& device_;
  const Region& region_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
};

TEST_F(Validation, WatchesSynchronisation) {
  const auto engine = Open({});
  const auto region = engine->context()->Allocate(4096, Purpose::kTensor);
  ASSERT_TRUE(region.ok());
  Copies copies(engine->context()->device(), **region);
  const VkCommandBuffer commands = copies.Begin();
  copies.Copy(commands, 0, 1024);
  EXPECT_TRUE(instance_->Verdict().ok());
  copies.Copy(commands, 1024, 2048);
  EXPECT_FALSE(instance_->Verdict().ok());
  copies.End(commands);
}

TEST_F(Validation, WatchesSynchronisationOfSubmissions) {
  const auto engine = Open({});
  Device& device = engine->context()->device();
  const auto region = engine->context()->Allocate(4096, Purpose::kTensor);
  ASSERT_TRUE(region.ok());
  Copies copies(device, **region);
  VkCommandBuffer commands[] = {copies.Begin(), copies.Begin()};
  copies.Copy(commands[0], 0, 1024);
  copies.Copy(commands[1], 1024, 2048);
  for (VkCommandBuffer each : commands) copies.End(each);
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands[0];
  const absl::Status written = device.queue()->Submit(device, submit);
  EXPECT_TRUE(written.ok()) << written;
  submit.pCommandBuffers = &commands[1];
  device.queue()->Submit(device, submit).IgnoreError();
  EXPECT_FALSE(instance_->Verdict().ok()) << "and nothing stands between the two";
}

}  // namespace
}  // namespace impl_vulkan
