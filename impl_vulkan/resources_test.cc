// Engines, streams, buffers and their memory on a device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "api/reorder/testing/reorder_operation.h"
#include "api/shuffle/testing/shuffle_operation.h"
#include "api/testing/plans.h"
#include "api/testing/random_operation.h"
#include "impl_vulkan/device/memory.h"
#include "impl_vulkan/device/program.h"
#include "impl_vulkan/memory/buffer.h"
#include "impl_vulkan/strided/move.h"
#include "impl_vulkan/strided/program.h"
#include "impl_vulkan/testing/device.h"

namespace impl_vulkan {
namespace {

using testing::Bytes;
using testing::Difference;
using testing::Download;
using testing::Integers;
using testing::Upload;

class Resources : public ::testing::Test {
 protected:
  void SetUp() override {
    static Implementation& implementation = testing::Keep(Preferences::FromEnvironment());
    SKIP_WITHOUT_DEVICE(implementation);
    implementation_ = &implementation;
    auto engine = implementation.MakeEngine(0);
    ASSERT_TRUE(engine.ok()) << engine.status();
    engine_ = *engine;
  }

  const MemoryPool& memory() { return static_cast<Engine&>(*engine_).context()->memory(); }

  // destination = source + destination, in s32.
  std::shared_ptr<const spi::Plan> Accumulate(int64_t elements) {
    spi::ReorderOperation operation;
    operation.src = operation.dst = spi::Strided(spi::DataType::kS32, {elements});
    operation.has_sum = true;
    operation.beta = 1;
    auto plan = spi::PlanOf(*engine_, operation, 0);
    EXPECT_TRUE(plan.ok()) << plan.status();
    return *plan;
  }

  Implementation* implementation_ = nullptr;
  std::shared_ptr<spi::Engine> engine_;
};

TEST_F(Resources, OneIndexIsOneDevice) {
  auto again = implementation_->MakeEngine(0);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->get(), engine_.get());
  EXPECT_FALSE(implementation_->MakeEngine(implementation_->EngineCount()).ok());
}

// Entries of a folder of /proc.
std::ptrdiff_t CountOf(const char* folder) {
  return std::distance(std::filesystem::directory_iterator(folder),
                       std::filesystem::directory_iterator());
}

TEST_F(Resources, DevicesThatComeAndGoLeaveNothing) {
  spi::ReorderOperation operation;
  operation.src = operation.dst = spi::Strided(spi::DataType::kU8, {500});
  operation.dst.strides = {2};
  std::ptrdiff_t threads = 0, files = 0;
  for (int round = 0; round < 8; ++round) {
    {
      Implementation own(Preferences::FromEnvironment());
      auto engine = own.MakeEngine(0);
      ASSERT_TRUE(engine.ok()) << engine.status();
      ASSERT_TRUE(testing::Execute(**engine, operation, {Bytes(500), Bytes(999)}).ok());
    }
    if (round == 1) {
      threads = CountOf("/proc/self/task");
      files = CountOf("/proc/self/fd");
    }
  }
  EXPECT_LE(CountOf("/proc/self/task"), threads);
  EXPECT_LE(CountOf("/proc/self/fd"), files);
}

TEST_F(Resources, TensorsLieWhereTheDeviceWantsThem) {
  auto buffer = engine_->Allocate(64);
  ASSERT_TRUE(buffer.ok());
  const bool visible = static_cast<Buffer&>(**buffer).binding().region->host() != nullptr;
  const char* const pretends = std::getenv("FAULT_LAYER");
  if (pretends != nullptr && std::string(pretends) == "discrete") {
    EXPECT_FALSE(visible);
  } else if (static_cast<Engine&>(*engine_).context()->device().snapshot().properties.deviceType ==
             VK_PHYSICAL_DEVICE_TYPE_CPU) {
    EXPECT_TRUE(visible);
  }
}

TEST_F(Resources, ManySmallBuffersShareFewAllocations) {
  const MemoryPool::Usage before = memory().usage();
  std::vector<std::shared_ptr<spi::Buffer>> buffers;
  for (int i = 0; i < 5000; ++i) {
    auto buffer = engine_->Allocate(static_cast<size_t>(1 + i % 700));
    ASSERT_TRUE(buffer.ok()) << buffer.status();
    buffers.push_back(*buffer);
  }
  EXPECT_LE(memory().usage().blocks, before.blocks + 4);
  buffers.clear();
  EXPECT_EQ(memory().usage().used_bytes, before.used_bytes);
}

TEST_F(Resources, ATensorMadeAndDroppedInALoopReusesItsMemory) {
  ASSERT_TRUE(engine_->Allocate(100000).ok());
  const MemoryPool::Usage before = memory().usage();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(engine_->Allocate(100000).ok());
  EXPECT_EQ(memory().usage().reserved_bytes, before.reserved_bytes);
}

TEST_F(Resources, AnAbsurdSizeIsOutOfMemoryAndChangesNothing) {
  const MemoryPool::Usage before = memory().usage();
  for (const size_t bytes : {size_t{1} << 60, SIZE_MAX}) {
    EXPECT_EQ(engine_->Allocate(bytes).status().code(), absl::StatusCode::kResourceExhausted);
  }
  EXPECT_EQ(memory().usage().reserved_bytes, before.reserved_bytes);
  EXPECT_TRUE(engine_->Allocate(1).ok());
}

spi::Layout Line(spi::DataType type, uint64_t elements) {
  return spi::Strided(type, {static_cast<int64_t>(elements)});
}

TEST_F(Resources, APlanOfAnAbsurdSizeIsOutOfMemoryAsItsTensorsAre) {
  const uint64_t largest = static_cast<Engine&>(*engine_).context()->device().plan().largest_heap;
  const auto reorder = [&](uint64_t elements) {
    spi::ReorderOperation operation;
    operation.src = Line(spi::DataType::kU8, elements);
    operation.dst = Line(spi::DataType::kS8, elements);
    return spi::PlanOf(*engine_, operation, 0).status();
  };
  const auto shuffle = [&](uint64_t elements) {
    spi::ShuffleOperation operation;
    operation.from = operation.to = Line(spi::DataType::kU8, elements);
    operation.group_size = 2;
    return spi::PlanOf(*engine_, operation, 0).status();
  };
  const uint64_t even = largest / 2 * 2;
  EXPECT_TRUE(reorder(even).ok()) << reorder(even);
  EXPECT_TRUE(shuffle(even).ok()) << shuffle(even);
  for (const uint64_t elements : {largest + 1, uint64_t{1} << 60}) {
    EXPECT_EQ(reorder(elements).code(), absl::StatusCode::kResourceExhausted);
    EXPECT_EQ(shuffle(elements).code(), absl::StatusCode::kResourceExhausted);
  }
}

TEST_F(Resources, BuffersHaveHandlesOfTheirOwn) {
  auto a = engine_->Allocate(8), b = engine_->Allocate(8);
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_NE((*a)->handle(), nullptr);
  EXPECT_NE((*a)->handle(), (*b)->handle());
}

TEST_F(Resources, AHandleGivesTheSameMemoryAgain) {
  const Bytes first = Integers(1, 4), second = Integers(1, 8);
  auto owner = Upload(*engine_, first);
  auto view = engine_->Wrap(owner->handle(), 4);
  ASSERT_TRUE(view.ok()) << view.status();
  EXPECT_EQ((*view)->handle(), owner->handle());
  auto mapped = (*view)->Map();
  ASSERT_TRUE(mapped.ok());
  std::memcpy(*mapped, second.data(), 4);
  ASSERT_TRUE((*view)->Unmap(*mapped).ok());
  EXPECT_EQ(Download(*owner, 4), second);
  owner = nullptr;
  EXPECT_EQ(Download(**view, 4), second);
}

TEST_F(Resources, RefusesAHandleThatIsNotItsOwn) {
  int host = 0;
  EXPECT_EQ(engine_->Wrap(&host, 4).status().code(), absl::StatusCode::kInvalidArgument);
  auto buffer = engine_->Allocate(100);
  ASSERT_TRUE(buffer.ok());
  EXPECT_EQ(engine_->Wrap((*buffer)->handle(), 101).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(engine_->Wrap((*buffer)->handle(), 100).ok());
  void* const gone = (*buffer)->handle();
  buffer = absl::UnknownError("");
  EXPECT_EQ(engine_->Wrap(gone, 4).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(Resources, ABufferWithoutMemoryTakesAnyHandle) {
  auto none = engine_->Wrap(nullptr, 16);
  ASSERT_TRUE(none.ok());
  EXPECT_EQ((*none)->handle(), nullptr);
  int host = 0;
  EXPECT_TRUE(engine_->Wrap(&host, 0).ok());
}

TEST_F(Resources, MappingIsExclusiveAndUndoneByItsOwnPointer) {
  auto buffer = engine_->Allocate(64);
  ASSERT_TRUE(buffer.ok());
  auto mapped = (*buffer)->Map();
  ASSERT_TRUE(mapped.ok());
  EXPECT_EQ((*buffer)->Map().status().code(), absl::StatusCode::kInvalidArgument);
  int other = 0;
  EXPECT_EQ((*buffer)->Unmap(&other).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE((*buffer)->Unmap(*mapped).ok());
  EXPECT_EQ((*buffer)->Unmap(*mapped).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE((*buffer)->Map().ok());
}

TEST_F(Resources, MappingAgainTakesNoFurtherMemory) {
  auto buffer = engine_->Allocate(1 << 20);
  ASSERT_TRUE(buffer.ok());
  (void)Download(**buffer, 1);
  const MemoryPool::Usage before = memory().usage();
  for (int i = 0; i < 2; ++i) {
    auto mapped = (*buffer)->Map();
    ASSERT_TRUE(mapped.ok()) << mapped.status();
    EXPECT_EQ(memory().usage().used_bytes, before.used_bytes);
    ASSERT_TRUE((*buffer)->Unmap(*mapped).ok());
  }
}

TEST_F(Resources, AStreamKeepsTheOrderOfDependentWork) {
  constexpr int kSteps = 200;
  const auto plan = Accumulate(1000);
  const Bytes zeros(4000);
  auto one = Upload(*engine_, zeros), sum = Upload(*engine_, zeros);
  auto mapped = one->Map();
  for (int i = 0; i < 1000; ++i) static_cast<int32_t*>(*mapped)[i] = i % 7;
  ASSERT_TRUE(one->Unmap(*mapped).ok());
  auto stream = engine_->MakeStream(spi::kInOrder);
  ASSERT_TRUE(stream.ok());
  spi::Buffer* const arguments[] = {one.get(), sum.get()};
  for (int i = 0; i < kSteps; ++i) ASSERT_TRUE(plan->Execute(**stream, arguments).ok());
  ASSERT_TRUE((*stream)->Wait().ok());
  const Bytes got = Download(*sum, 4000);
  for (int i = 0; i < 1000; ++i) {
    int32_t value = 0;
    std::memcpy(&value, &got[sizeof value * static_cast<size_t>(i)], sizeof value);
    ASSERT_EQ(value, i % 7 * kSteps);
  }
}

TEST_F(Resources, WorkOutlivesEverythingButItsDestination) {
  const auto sum = Upload(*engine_, Integers(1000, 1));
  {
    auto stream = engine_->MakeStream(spi::kOutOfOrder);
    ASSERT_TRUE(stream.ok());
    const auto one = Upload(*engine_, Integers(1000, 2));
    const auto plan = Accumulate(1000);
    spi::Buffer* const arguments[] = {one.get(), sum.get()};
    ASSERT_TRUE(plan->Execute(**stream, arguments).ok());
  }
  EXPECT_EQ(Difference(Download(*sum, 4000), Integers(1000, 3)), "");
}

TEST_F(Resources, WaitingForAnIdleStreamReturns) {
  auto stream = engine_->MakeStream(spi::kInOrder);
  ASSERT_TRUE(stream.ok());
  EXPECT_TRUE((*stream)->Wait().ok());
  EXPECT_TRUE((*stream)->Wait().ok());
}

TEST_F(Resources, StreamsComeAndGo) {
  const auto plan = Accumulate(10);
  const auto one = Upload(*engine_, Integers(10, 1)), sum = Upload(*engine_, Bytes(40));
  const MemoryPool::Usage before = memory().usage();
  for (int i = 0; i < 100; ++i) {
    auto stream = engine_->MakeStream(spi::kInOrder);
    ASSERT_TRUE(stream.ok());
    spi::Buffer* const arguments[] = {one.get(), sum.get()};
    ASSERT_TRUE(plan->Execute(**stream, arguments).ok());
    if (i % 2 == 0) {
      ASSERT_TRUE((*stream)->Wait().ok());
    }
  }
  EXPECT_EQ(memory().usage().used_bytes, before.used_bytes);
  EXPECT_EQ(Difference(Download(*sum, 40), Integers(10, 100)), "");
}

TEST_F(Resources, RefusesTheStreamOfAnotherDevice) {
  static Implementation& other = testing::Keep(Preferences::FromEnvironment());
  auto another = other.MakeEngine(0);
  ASSERT_TRUE(another.ok());
  auto stream = (*another)->MakeStream(spi::kInOrder);
  ASSERT_TRUE(stream.ok());
  const auto plan = Accumulate(10);
  const auto one = Upload(*engine_, Integers(10, 1)), sum = Upload(*engine_, Bytes(40));
  spi::Buffer* const arguments[] = {one.get(), sum.get()};
  EXPECT_EQ(plan->Execute(**stream, arguments).code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(Resources, ATensorReorderedOntoItselfStaysAsItIs) {
  spi::ReorderOperation operation;
  operation.src = operation.dst = spi::Strided(spi::DataType::kU8, {37});
  auto plan = spi::PlanOf(*engine_, operation, 0);
  ASSERT_TRUE(plan.ok());
  spi::Random random(5);
  const Bytes bytes = spi::RandomBytes(random, 37);
  const auto buffer = Upload(*engine_, bytes);
  auto stream = engine_->MakeStream(spi::kInOrder);
  spi::Buffer* const arguments[] = {buffer.get(), buffer.get()};
  ASSERT_TRUE((*plan)->Execute(**stream, arguments).ok());
  ASSERT_TRUE((*stream)->Wait().ok());
  EXPECT_EQ(Download(*buffer, 37), bytes);
}

TEST_F(Resources, TwoRegionsThatAreOnePlaceAreNotCopiedOntoEachOther) {
  const std::shared_ptr<Context>& context = static_cast<Engine&>(*engine_).context();
  const auto owner = context->Allocate(128, Purpose::kTensor);
  ASSERT_TRUE(owner.ok()) << owner.status();
  const auto external = [&](uint64_t offset) {
    return std::make_shared<const ExternalRegion>((*owner)->buffer(), (*owner)->offset() + offset,
                                                  64, (*owner)->usage());
  };
  Move move;
  move.from = move.to = spi::DataType::kU8;
  move.nests = {{{{40, 1, 1, 0}}}};
  const auto programs = MovePrograms::Create(context, move, UsualOptions(context->device().plan()));
  ASSERT_TRUE(programs.ok()) << programs.status();
  const auto nothing = [&](const Binding& from, const Binding& to) {
    const auto program = (*programs)->For(from, to);
    EXPECT_TRUE(program.ok()) << program.status();
    return *program == nullptr;
  };
  EXPECT_TRUE(nothing({external(0), 0}, {external(0), 0}));
  EXPECT_TRUE(nothing({external(4), 4}, {external(0), 8}));
  EXPECT_FALSE(nothing({external(0), 0}, {external(64), 0}));
  EXPECT_FALSE(nothing({external(4), 0}, {external(0), 0}));
}

TEST_F(Resources, DenseCopiesAreCommandsWhereAllMemoryIsTheHostsAndToAndFromIt) {
  const std::shared_ptr<Context>& context = static_cast<Engine&>(*engine_).context();
  const DevicePlan& plan = context->device().plan();
  const char* const pretends = std::getenv("FAULT_LAYER");
  if (pretends != nullptr && std::string(pretends) == "discrete") {
    EXPECT_FALSE(plan.copy_commands);
  }
  const auto region = [&](Purpose purpose) {
    auto allocated = context->Allocate(64, purpose);
    EXPECT_TRUE(allocated.ok()) << allocated.status();
    return Binding{*std::move(allocated), 0};
  };
  const Binding tensor = region(Purpose::kTensor), other = region(Purpose::kTensor),
                host = region(Purpose::kHost);
  Move move;
  move.from = move.to = spi::DataType::kU8;
  move.nests = {{{{40, 1, 1, 0}}}};
  const auto programs = MovePrograms::Create(context, move, UsualOptions(plan));
  ASSERT_TRUE(programs.ok()) << programs.status();
  const auto is_command = [&](const Binding& from, const Binding& to) {
    const auto program = (*programs)->For(from, to);
    EXPECT_TRUE(program.ok()) << program.status();
    return (*program)->steps.front().pipeline == VK_NULL_HANDLE;
  };
  EXPECT_EQ(is_command(tensor, other), plan.copy_commands);
  EXPECT_TRUE(is_command(host, tensor));
  EXPECT_TRUE(is_command(tensor, host));
  // Of an application that did not ask for transfers.
  const auto shaders_only = [](const Binding& binding) {
    return Binding{std::make_shared<const ExternalRegion>(
                       binding.region->buffer(), binding.region->offset(), 64,
                       VkBufferUsageFlags{VK_BUFFER_USAGE_STORAGE_BUFFER_BIT}),
                   0};
  };
  EXPECT_FALSE(is_command(shaders_only(tensor), host));
  EXPECT_FALSE(is_command(host, shaders_only(tensor)));
}

TEST_F(Resources, DenseCopiesOfAnySizeAreRight) {
  spi::Random random(7);
  for (const int64_t elements : {1, 3, 4, 37, 1000, 100003}) {
    spi::ReorderOperation operation;
    operation.src = operation.dst = spi::Strided(spi::DataType::kU8, {elements});
    const auto size = static_cast<size_t>(elements);
    const Bytes from = spi::RandomBytes(random, size), to = spi::RandomBytes(random, size + 5);
    const auto after = testing::Execute(*engine_, operation, {from, to});
    ASSERT_TRUE(after.ok()) << after.status();
    Bytes right = to;
    std::copy(from.begin(), from.end(), right.begin());
    EXPECT_EQ(Difference((*after)[1], right), "") << elements << " bytes";
  }
}

TEST_F(Resources, PlansSayWhatTheyDo) {
  EXPECT_EQ(Accumulate(1000)->Describe(), "vulkan:row s32->s32 sum");
  spi::ReorderOperation operation;
  operation.src = operation.dst = Line(spi::DataType::kU8, 8);
  EXPECT_TRUE(spi::PlanOf(*engine_, operation, 0).ok());
  EXPECT_TRUE(spi::PlanOf(*engine_, operation, 1).ok());
  EXPECT_EQ(spi::PlanOf(*engine_, operation, 2).status().code(), absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace impl_vulkan
