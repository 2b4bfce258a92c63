// What happens when Vulkan calls fail, when a device is lost, and when it offers only what every
// device must: through the fault layer.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/reorder/testing/reorder_operation.h"
#include "api/testing/interpreter.h"
#include "api/testing/plans.h"
#include "api/testing/random_operation.h"
#include "impl_vulkan/device/device.h"
#include "impl_vulkan/device/memory.h"
#include "impl_vulkan/device/timeline.h"
#include "impl_vulkan/planners.h"
#include "impl_vulkan/testing/device.h"
#include "impl_vulkan/testing/fault_layer/control.h"

namespace impl_vulkan {
namespace {

using testing::Bytes;

// As the test's own folder sees it.
constexpr char kLayerFolder[] = "impl_vulkan/testing/fault_layer";

// The layer, opened before the loader does, so that both are one.
const fault_layer::Control& Layer() {
  static const fault_layer::Control* const control = [] {
    testing::KeepCachesHere();
    setenv("VK_LAYER_PATH", kLayerFolder, 1);
    setenv("VK_INSTANCE_LAYERS", "VK_LAYER_DNNSPEC_fault", 1);
    // Mesa's own layer, which sorts devices, does not survive that there are none.
    setenv("NODEVICE_SELECT", "1", 1);
    void* const library =
        dlopen((std::string(kLayerFolder) + "/libfault_layer.so").c_str(), RTLD_NOW);
    const void* const symbol =
        library == nullptr ? nullptr : dlsym(library, fault_layer::kControlSymbol);
    return static_cast<const fault_layer::Control*>(symbol);
  }();
  if (control == nullptr) std::abort();
  return *control;
}

class Faults : public ::testing::Test {
 protected:
  void SetUp() override {
    Layer().disarm();
    Layer().pretend("");
    auto instance = Instance::Create(Preferences::FromEnvironment());
    if (!instance.ok()) GTEST_SKIP() << instance.status();
    static auto* const kept = new std::vector<std::shared_ptr<Instance>>;
    kept->push_back(*instance);  // with its driver, for good
    instance_ = *instance;
    physical_ = testing::BestDevice(*instance_, Preferences::FromEnvironment());
    if (physical_ == VK_NULL_HANDLE) GTEST_SKIP() << "no device";
    // Proof that the layer is there: it has seen the instance being made.
    ASSERT_GT(Layer().calls("vkCreateInstance"), 0);
  }

  void TearDown() override {
    Layer().disarm();
    Layer().pretend("");
  }

  // A device of its own every time, as what is pretended makes it look.
  absl::StatusOr<std::shared_ptr<Device>> OpenDevice(const Preferences& preferences = {}) {
    const DeviceSnapshot snapshot = TakeSnapshot(instance_->vk(), physical_);
    const auto plan = PlanDevice(snapshot, preferences);
    if (!plan.ok()) return plan.status();
    return Device::Open(instance_, physical_, snapshot, *plan);
  }

  absl::StatusOr<std::unique_ptr<Engine>> Open(const Preferences& preferences = {}) {
    auto device = OpenDevice(preferences);
    if (!device.ok()) return device.status();
    auto context = Context::Create(*std::move(device), preferences);
    if (!context.ok()) return context.status();
    return std::make_unique<Engine>(*std::move(context), AllPlanners());
  }

  std::shared_ptr<Instance> instance_;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
};

spi::ReorderOperation Transposition(spi::DataType to) {
  spi::ReorderOperation operation;
  operation.src = spi::Strided(spi::DataType::kF32, {20, 30});
  operation.dst = spi::Strided(to, {20, 30});
  operation.dst.strides = {1, 20};
  return operation;
}

// Runs `operation` by itself, with a status instead of an expectation at every step.
absl::Status Run(Engine& engine, const spi::ReorderOperation& operation, const Bytes& source,
                 const Bytes& expected) {
  const auto from = engine.Allocate(source.size());
  if (!from.ok()) return from.status();
  const auto to = engine.Allocate(expected.size());
  if (!to.ok()) return to.status();
  auto mapped = (*from)->Map();
  if (!mapped.ok()) return mapped.status();
  std::memcpy(*mapped, source.data(), source.size());
  absl::Status status = (*from)->Unmap(*mapped);
  if (!status.ok()) return status;
  const auto plan = spi::PlanOf(engine, operation, 0);
  if (!plan.ok()) return plan.status();
  const auto stream = engine.MakeStream(spi::kInOrder);
  if (!stream.ok()) return stream.status();
  spi::Buffer* const arguments[] = {from->get(), to->get()};
  status = (*plan)->Execute(**stream, arguments);
  if (!status.ok()) return status;
  status = (*stream)->Wait();
  if (!status.ok()) return status;
  mapped = (*to)->Map();
  if (!mapped.ok()) return mapped.status();
  const bool right = std::memcmp(*mapped, expected.data(), expected.size()) == 0;
  status = (*to)->Unmap(*mapped);
  return right ? status : absl::DataLossError("the result is wrong");
}

// Two operations: one that only moves, one that asks the device how it converts.
absl::Status Scenario(Engine& engine) {
  spi::Random random(1);
  for (const spi::DataType type : {spi::DataType::kF32, spi::DataType::kF16}) {
    const spi::ReorderOperation operation = Transposition(type);
    const spi::Interpretation right(operation, spi::BuffersFor(random, operation));
    const absl::Status status = Run(engine, operation, right.before()[0], right.after()[1]);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

std::vector<std::string> FailingFunctions() {
  std::vector<std::string> names;
  for (int i = 0; Layer().function(i) != nullptr; ++i) names.push_back(Layer().function(i));
  return names;
}

TEST_F(Faults, EachFailingCallIsAStatusAndNothingIsBrokenAfterwards) {
  int injected = 0, noticed = 0;
  for (const std::string& function : FailingFunctions()) {
    Layer().disarm();
    {
      auto engine = Open();
      ASSERT_TRUE(engine.ok()) << engine.status();
      ASSERT_TRUE(Scenario(**engine).ok());
    }
    const int calls = Layer().calls(function.c_str());
    for (int nth = 1; nth <= calls; ++nth) {
      SCOPED_TRACE(function + " number " + std::to_string(nth));
      Layer().arm(function.c_str(), nth, false, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      ++injected;
      auto engine = Open();
      if (!engine.ok()) {
        EXPECT_EQ(engine.status().code(), absl::StatusCode::kResourceExhausted);
        ++noticed;
        continue;
      }
      const absl::Status status = Scenario(**engine);
      noticed += !status.ok();
      if (!status.ok()) {
        EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
      }
      Layer().disarm();
      const absl::Status again = Scenario(**engine);
      EXPECT_TRUE(again.ok()) << again;
    }
  }
  // Most failures cannot be made up for.
  EXPECT_GT(injected, 30);
  EXPECT_GT(noticed, injected / 2);
}

TEST_F(Faults, ALostDeviceStaysLostAndTheNextOneWorks) {
  for (const char* function : {"vkQueueSubmit", "vkWaitSemaphores"}) {
    SCOPED_TRACE(function);
    auto engine = Open();
    ASSERT_TRUE(engine.ok()) << engine.status();
    ASSERT_TRUE(Scenario(**engine).ok());
    const auto buffer = (*engine)->Allocate(64);
    ASSERT_TRUE(buffer.ok());
    const auto stream = (*engine)->MakeStream(spi::kInOrder);
    ASSERT_TRUE(stream.ok());

    Layer().arm(function, 1, false, VK_ERROR_DEVICE_LOST);
    EXPECT_EQ(Scenario(**engine).code(), absl::StatusCode::kInternal);
    Layer().disarm();
    EXPECT_EQ(Scenario(**engine).code(), absl::StatusCode::kInternal);
    EXPECT_EQ((*engine)->Allocate(64).status().code(), absl::StatusCode::kInternal);
    EXPECT_EQ((*engine)->MakeStream(spi::kInOrder).status().code(), absl::StatusCode::kInternal);
    EXPECT_EQ((*stream)->Wait().code(), absl::StatusCode::kInternal);
    EXPECT_EQ((*buffer)->Map().status().code(), absl::StatusCode::kInternal);

    auto next = Open();
    ASSERT_TRUE(next.ok()) << next.status();
    EXPECT_TRUE(Scenario(**next).ok());
  }
}

TEST_F(Faults, AWaitThatDoesNotEndFindsALossByItself) {
  auto engine = Open();
  ASSERT_TRUE(engine.ok()) << engine.status();
  ASSERT_TRUE(Scenario(**engine).ok());
  Layer().pretend("stuck");
  Layer().arm("vkGetSemaphoreCounterValue", 1, true, VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(Scenario(**engine).code(), absl::StatusCode::kInternal);
  EXPECT_TRUE((*engine)->context()->device().lost());
}

TEST_F(Faults, AWaitThatIsCutShortGoesOnUntilTheWorkIsDone) {
  Layer().pretend("stuck");
  auto engine = Open();
  ASSERT_TRUE(engine.ok()) << engine.status();
  const absl::Status status = Scenario(**engine);
  EXPECT_TRUE(status.ok()) << status;
}

TEST_F(Faults, ALossIsRememberedByWhoeverAsksHowFarADeviceIs) {
  auto device = OpenDevice();
  ASSERT_TRUE(device.ok()) << device.status();
  auto timeline = Timeline::Create(*device, (*device)->queue());
  ASSERT_TRUE(timeline.ok()) << timeline.status();
  ASSERT_TRUE((*timeline)->Submit(VK_NULL_HANDLE, {}).ok());
  Layer().arm("vkGetSemaphoreCounterValue", 1, false, VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_FALSE((*timeline)->Done(1));
  EXPECT_FALSE((*device)->lost());
  Layer().arm("vkGetSemaphoreCounterValue", 1, false, VK_ERROR_DEVICE_LOST);
  EXPECT_FALSE((*timeline)->Done(1));
  EXPECT_TRUE((*device)->lost());
}

TEST_F(Faults, AnImplementationOpensALostDeviceAnew) {
  Implementation& implementation = testing::Keep(Preferences::FromEnvironment());
  auto engine = implementation.MakeEngine(0);
  ASSERT_TRUE(engine.ok()) << engine.status();
  Layer().arm("vkQueueSubmit", 1, false, VK_ERROR_DEVICE_LOST);
  EXPECT_FALSE(Scenario(static_cast<Engine&>(**engine)).ok());
  Layer().disarm();
  auto next = implementation.MakeEngine(0);
  ASSERT_TRUE(next.ok()) << next.status();
  EXPECT_NE(next->get(), engine->get());
  EXPECT_TRUE(Scenario(static_cast<Engine&>(**next)).ok());
}

TEST_F(Faults, WithoutADeviceThereIsNoEngine) {
  Layer().pretend("no_device");
  Implementation& none = testing::Keep(Preferences::FromEnvironment());
  EXPECT_EQ(none.EngineCount(), 0u);
  EXPECT_EQ(none.Reason().code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(none.MakeEngine(0).ok());

  Layer().pretend("timelineSemaphore=0");
  Implementation& useless = testing::Keep(Preferences::FromEnvironment());
  EXPECT_EQ(useless.EngineCount(), 0u);
  EXPECT_NE(useless.Reason().message().find("timeline"), std::string::npos);
}

TEST_F(Faults, WithoutADriverThereIsNoEngine) {
  Layer().arm("vkCreateInstance", 1, true, VK_ERROR_INCOMPATIBLE_DRIVER);
  Implementation& none = testing::Keep(Preferences::FromEnvironment());
  EXPECT_EQ(none.EngineCount(), 0u);
  EXPECT_EQ(none.EngineCount(), 0u);
  EXPECT_FALSE(none.MakeEngine(0).ok());
}

TEST_F(Faults, WithoutALoaderThereIsNoEngine) {
  Preferences preferences;
  preferences.library = "/nonexistent/libvulkan.so.1";
  Implementation none(preferences);
  EXPECT_EQ(none.EngineCount(), 0u);
  EXPECT_EQ(none.Reason().code(), absl::StatusCode::kNotFound);
}

TEST_F(Faults, ThousandsOfBuffersStayBelowTheAllocationLimit) {
  Layer().pretend("maxMemoryAllocationCount=8");
  auto engine = Open();
  ASSERT_TRUE(engine.ok()) << engine.status();
  std::vector<std::shared_ptr<spi::Buffer>> buffers;
  for (int i = 0; i < 4000; ++i) {
    auto buffer = (*engine)->Allocate(256);
    ASSERT_TRUE(buffer.ok()) << i << ": " << buffer.status();
    buffers.push_back(*buffer);
  }
  EXPECT_TRUE(Scenario(**engine).ok());
}

TEST_F(Faults, RunningOutOfMemoryLosesNothing) {
  Layer().pretend("largest_allocation=3000000");
  auto engine = Open();
  ASSERT_TRUE(engine.ok()) << engine.status();
  EXPECT_EQ((*engine)->Allocate(4000000).status().code(), absl::StatusCode::kResourceExhausted);
  auto buffer = (*engine)->Allocate(2900000);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  EXPECT_TRUE(Scenario(**engine).ok());
}

TEST_F(Faults, ATensorLargerThanItsHeapIsRefusedBeforeTheDriverIsAsked) {
  Layer().pretend("discrete,local_heap=16777216");
  auto device = OpenDevice();
  ASSERT_TRUE(device.ok()) << device.status();
  const auto pool = std::make_shared<MemoryPool>(*device);
  EXPECT_EQ(pool->Allocate(16777217, Purpose::kTensor).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(Layer().calls("vkAllocateMemory"), 0);
  EXPECT_TRUE(pool->Allocate(16777216, Purpose::kTensor).ok());
  EXPECT_TRUE(pool->Allocate(16777217, Purpose::kHost).ok());
}

TEST_F(Faults, WhatDoesNotFitIntoTheWindowLiesInOrdinaryMemory) {
  Layer().pretend("discrete,window_heap=67108864");
  auto device = OpenDevice();
  ASSERT_TRUE(device.ok()) << device.status();
  const auto pool = std::make_shared<MemoryPool>(*device);
  // The first fills most of the window, the second finds it full, the third is larger than it.
  std::vector<std::shared_ptr<const Region>> regions;
  for (const uint64_t bytes : {uint64_t{40} << 20, uint64_t{40} << 20, uint64_t{70} << 20}) {
    auto region = pool->Allocate(bytes, Purpose::kParameters);
    ASSERT_TRUE(region.ok()) << region.status();
    EXPECT_NE((*region)->host(), nullptr);
    regions.push_back(*region);
  }
  EXPECT_EQ(pool->usage().blocks, 3u);
  // One of each, and one that the window had no room for.
  EXPECT_EQ(Layer().calls("vkAllocateMemory"), 4);
}

TEST_F(Faults, ADeviceThatCannotBeAskedIsAskedAgain) {
  const auto tiers = [](Engine& engine) {
    Context& context = *engine.context();
    return std::make_pair(context.TierFor(Work::kConvert), context.TierFor(Work::kCompute));
  };
  auto usual = Open(), engine = Open();
  ASSERT_TRUE(usual.ok() && engine.ok());
  Layer().arm("vkCreateComputePipelines", 1, true, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(tiers(**engine), std::make_pair(Tier::kBaseline, Tier::kBaseline));
  Layer().disarm();
  EXPECT_EQ(tiers(**engine), tiers(**usual));
}

TEST_F(Faults, OnceWarmAnExecutionMakesNothing) {
  auto engine = Open();
  ASSERT_TRUE(engine.ok()) << engine.status();
  const auto from = (*engine)->Allocate(2400), to = (*engine)->Allocate(1200);
  const auto plan = spi::PlanOf(**engine, Transposition(spi::DataType::kF16), 0);
  const auto stream = (*engine)->MakeStream(spi::kInOrder);
  ASSERT_TRUE(from.ok() && to.ok() && plan.ok() && stream.ok());
  spi::Buffer* const arguments[] = {from->get(), to->get()};
  const auto execute = [&] {
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE((*plan)->Execute(**stream, arguments).ok());
      if (i % 4 == 3) {
        ASSERT_TRUE((*stream)->Wait().ok());
      }
    }
  };
  execute();
  Layer().disarm();  // counts anew
  execute();
  EXPECT_GE(Layer().calls("vkQueueSubmit"), 100);
  for (const std::string& function : FailingFunctions()) {
    const bool makes = function.rfind("vkCreate", 0) == 0 || function.rfind("vkAllocate", 0) == 0;
    if (makes) {
      EXPECT_EQ(Layer().calls(function.c_str()), 0) << function;
    }
  }
}

TEST_F(Faults, CompiledPipelinesAreKeptWhereTheUserSays) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "pipelines";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  Preferences preferences;
  preferences.cache_folder = folder;
  const auto run = [&] {
    auto engine = Open(preferences);
    ASSERT_TRUE(engine.ok()) << engine.status();
    EXPECT_TRUE(Scenario(**engine).ok());
  };
  run();
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_GT(std::filesystem::file_size(files[0]), 0u);
  run();
  // What is none of ours, or was cut short, is only a slower start.
  std::ofstream(files[0], std::ios::binary | std::ios::trunc) << "no cache";
  run();
  // Nor is a pipe waited for.
  std::filesystem::remove(files[0]);
  ASSERT_EQ(mkfifo(files[0].c_str(), 0600), 0);
  run();
  EXPECT_TRUE(std::filesystem::is_regular_file(files[0]));
  preferences.cache_folder = folder / "missing";
  run();
}

TEST_F(Faults, WhatAnotherIsWritingOfCompiledPipelinesIsLeftAlone) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "shared";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  Preferences preferences;
  preferences.cache_folder = folder;
  const auto files = [&] {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) found.push_back(entry);
    return found;
  };
  { ASSERT_TRUE(Open(preferences).ok()); }
  ASSERT_EQ(files().size(), 1u);
  const std::filesystem::path cache = files()[0], half = cache.string() + ".part";
  std::ofstream(half) << "half";
  std::filesystem::remove(cache);
  { ASSERT_TRUE(Open(preferences).ok()); }
  EXPECT_TRUE(std::filesystem::exists(cache));
  std::string left;
  std::ifstream(half) >> left;
  EXPECT_EQ(left, "half");
  EXPECT_EQ(files().size(), 2u);
}

// Random reorders and shuffles on a device that pretends to be another.
class Pretending : public Faults, public ::testing::WithParamInterface<const char*> {};

TEST_P(Pretending, IsExact) {
  Layer().pretend(GetParam());
  Preferences preferences;
  preferences.staging = true;
  auto engine = Open(preferences);
  ASSERT_TRUE(engine.ok()) << engine.status();
  for (uint32_t seed = 500; seed < 520; ++seed) {
    for (const spi::Interpretation& right :
         {testing::RandomReorder(seed, 3000), testing::RandomShuffle(seed, 3000)})
      ASSERT_EQ(testing::Run(**engine, right), "") << "seed " << seed;
  }
}

std::string NameOfPretence(const ::testing::TestParamInfo<const char*>& info) {
  constexpr const char* kNames[] = {"TheLeastThatVulkanAllows", "NarrowWindows", "MemoryOfItsOwn"};
  return kNames[info.index];
}

// The limits that Vulkan 1.2 guarantees, and no feature.
constexpr char kLeast[] =
    "maxComputeWorkGroupInvocations=128,maxComputeWorkGroupSize=128,"
    "maxComputeSharedMemorySize=16384,minStorageBufferOffsetAlignment=256,"
    "minUniformBufferOffsetAlignment=256,storageBuffer8BitAccess=0,shaderInt8=0";
// Far below what any device has.
constexpr char kNarrow[] = "maxStorageBufferRange=4096,maxComputeWorkGroupCount=3";
constexpr char kDiscrete[] = "discrete";

INSTANTIATE_TEST_SUITE_P(With, Pretending, ::testing::Values(kLeast, kNarrow, kDiscrete),
                         NameOfPretence);

}  // namespace
}  // namespace impl_vulkan
