#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "api/vulkan_interop/testing/native_device.h"
#include "oneapi/dnnl/dnnl_vulkan.hpp"

// INTEROP-003: the name is free, so looking it up from inside dnnl finds this one.
namespace sycl_interop {
constexpr bool kIsOurs = true;
}
namespace dnnl {
static_assert(sycl_interop::kIsOurs, "dnnl::sycl_interop is not declared");
}

namespace {

namespace vk = dnnl::vulkan_interop;
using dnnl::memory;

constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
constexpr VkBufferUsageFlags kAll =
    kStorage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

static_assert(std::is_same<vk::memory_kind, oneapi::dnnl::vulkan_interop::memory_kind>::value,
              "reachable under both names");

class VulkanInterop : public ::testing::Test {
 protected:
  void SetUp() override {
    if (dnnl::engine::get_count(dnnl::engine::kind::gpu) == 0) {
      GTEST_SKIP() << "no GPU engine: no Vulkan, or an implementation without it";
    }
    std::string why;
    device_ = native::Device::Open(&why);
    if (device_ == nullptr) GTEST_SKIP() << why;
    engine_ = vk::make_engine(device_->Info());
  }

  void TearDown() override {
    engine_ = dnnl::engine();
    device_ = nullptr;
  }

  // dst = transposed src, as 12 x 10 floats.
  static memory::desc Rows() { return {{12, 10}, memory::data_type::f32, memory::format_tag::ab}; }
  static memory::desc Columns() {
    return {{12, 10}, memory::data_type::f32, memory::format_tag::ba};
  }

  static void FillWithCounts(void* to) {
    std::vector<float> counts(120);
    std::iota(counts.begin(), counts.end(), 1.0f);
    std::memcpy(to, counts.data(), 480);
  }

  static void ExpectTransposed(const void* from) {
    std::vector<float> got(120);
    std::memcpy(got.data(), from, 480);
    for (int i = 0; i < 12; ++i) {
      for (int j = 0; j < 10; ++j) {
        ASSERT_EQ(got[static_cast<size_t>(j * 12 + i)], static_cast<float>(i * 10 + j + 1));
      }
    }
  }

  template <typename Call>
  static void ExpectInvalid(Call call) {
    try {
      call();
      FAIL() << "accepted";
    } catch (const dnnl::error& e) {
      EXPECT_EQ(e.status, dnnl_invalid_arguments) << e.what();
    }
  }

  std::unique_ptr<native::Device> device_;
  dnnl::engine engine_;
};

// INTEROP-001, INTEROP-004.
TEST_F(VulkanInterop, AnEngineMadeOfNativeObjectsIsAGpuEngine) {
  EXPECT_EQ(engine_.get_kind(), dnnl::engine::kind::gpu);
  dnnl::stream stream(engine_);
  memory src(Rows(), engine_), dst(Columns(), engine_);
  void* mapped = src.map_data();
  FillWithCounts(mapped);
  src.unmap_data(mapped);
  dnnl::reorder(src, dst).execute(stream, src, dst);
  stream.wait();
  mapped = dst.map_data();
  ExpectTransposed(mapped);
  dst.unmap_data(mapped);
}

TEST_F(VulkanInterop, AsksAnExternalLoaderForNothingThatNeedsNoInstance) {
  static PFN_vkGetInstanceProcAddr below = nullptr;
  below = device_->get;
  vk::device_info info = device_->Info();
  info.get_instance_proc_addr = [](VkInstance instance, const char* name) {
    return instance == VK_NULL_HANDLE ? nullptr : below(instance, name);
  };
  EXPECT_TRUE(static_cast<bool>(vk::make_engine(info)));
}

// INTEROP-005.
TEST_F(VulkanInterop, GettersReturnTheVeryObjects) {
  EXPECT_EQ(vk::get_instance(engine_), device_->instance);
  EXPECT_EQ(vk::get_physical_device(engine_), device_->physical);
  EXPECT_EQ(vk::get_device(engine_), device_->device);
  EXPECT_EQ(vk::get_queue_family(engine_), device_->family);
  EXPECT_EQ(vk::get_queue(vk::make_stream(engine_, device_->queue)), device_->queue);
}

TEST_F(VulkanInterop, GettersRefuseAnEngineThatIsNotOnVulkan) {
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  ExpectInvalid([&] { vk::get_device(cpu); });
  ExpectInvalid([&] { vk::get_queue(dnnl::stream(cpu)); });
  ExpectInvalid([&] { vk::get_memory_kind(memory(Rows(), cpu)); });
  ExpectInvalid([&] { vk::get_device(dnnl::engine()); });
  EXPECT_NE(vk::get_device(dnnl::engine(dnnl::engine::kind::gpu, 0)), nullptr);
}

TEST_F(VulkanInterop, RefusesADeviceOfWhichSomethingIsMissing) {
  const vk::device_info good = device_->Info();
  EXPECT_TRUE(static_cast<bool>(vk::make_engine(good)));
  for (int missing = 0; missing < 6; ++missing) {
    vk::device_info info = good;
    if (missing == 0) info.instance = VK_NULL_HANDLE;
    if (missing == 1) info.physical_device = VK_NULL_HANDLE;
    if (missing == 2) info.device = VK_NULL_HANDLE;
    if (missing == 3) info.queue = VK_NULL_HANDLE;
    if (missing == 4) info.enabled_features = nullptr;
    if (missing == 5) info.queue_family = 1000;
    ExpectInvalid([&] { vk::make_engine(info); });
  }
}

// INTEROP-006, INTEROP-010.
TEST_F(VulkanInterop, UsesABufferOfTheApplicationWithoutCopyOrOwnership) {
  const native::Buffer from = device_->MakeBuffer(480, kAll), to = device_->MakeBuffer(480, kAll);
  FillWithCounts(from.host);
  {
    dnnl::stream stream = vk::make_stream(engine_, device_->queue);
    memory src = vk::make_memory(Rows(), engine_, from.From(0));
    memory dst = vk::make_memory(Columns(), stream, to.From(0));
    EXPECT_EQ(vk::get_memory_kind(src), vk::memory_kind::buffer);
    EXPECT_EQ(vk::get_buffer(src).buffer, from.buffer);
    EXPECT_EQ(vk::get_buffer(src).offset, 0u);
    dnnl::reorder(src, dst).execute(stream, src, dst);
    stream.wait();
  }
  engine_ = dnnl::engine();
  ExpectTransposed(to.host);
  device_->Free(from);
  device_->Free(to);
}

TEST_F(VulkanInterop, StartsAtAnyElementOfABufferThatShadersAloneMayUse) {
  const native::Buffer from = device_->MakeBuffer(64, kStorage);
  const native::Buffer to = device_->MakeBuffer(64, kStorage);
  std::memset(to.host, 0xee, 64);
  for (int i = 0; i < 64; ++i) from.host[i] = static_cast<unsigned char>(i);
  const memory::desc bytes({17}, memory::data_type::u8, memory::format_tag::a);
  dnnl::stream stream(engine_);
  memory src = vk::make_memory(bytes, engine_, from.From(5));
  memory dst = vk::make_memory(bytes, engine_, to.From(3));
  dnnl::reorder(src, dst).execute(stream, src, dst);
  stream.wait();
  for (int i = 0; i < 64; ++i) {
    ASSERT_EQ(to.host[i], i >= 3 && i < 20 ? i + 2 : 0xee) << i;
  }
  void* const mapped = dst.map_data();
  EXPECT_EQ(std::memcmp(mapped, from.host + 5, 17), 0);
  dst.unmap_data(mapped);
  device_->Free(from);
  device_->Free(to);
}

// INTEROP-014.
TEST_F(VulkanInterop, RefusesABufferThatCannotHoldTheMemory) {
  const native::Buffer buffer = device_->MakeBuffer(512, kAll);
  EXPECT_TRUE(static_cast<bool>(vk::make_memory(Rows(), engine_, {buffer.buffer, 0, 480, kAll})));
  ExpectInvalid([&] { vk::make_memory(Rows(), engine_, {buffer.buffer, 0, 479, kAll}); });
  EXPECT_TRUE(static_cast<bool>(vk::make_memory(Rows(), engine_, {buffer.buffer, 4, 480, kAll})));
  ExpectInvalid([&] { vk::make_memory(Rows(), engine_, {buffer.buffer, 2, 480, kAll}); });
  ExpectInvalid([&] {
    vk::make_memory(Rows(), engine_, {buffer.buffer, 0, 480, VK_BUFFER_USAGE_TRANSFER_SRC_BIT});
  });
  ExpectInvalid([&] { vk::make_memory(Rows(), engine_, {VK_NULL_HANDLE, 0, 480, kAll}); });
  device_->Free(buffer);
}

// INTEROP-009.
TEST_F(VulkanInterop, MemoryOfKindPointerIsReadAndWrittenByItsHandle) {
  memory src = vk::make_memory(Rows(), engine_, vk::memory_kind::pointer);
  memory dst = vk::make_memory(Columns(), engine_, vk::memory_kind::pointer);
  EXPECT_EQ(vk::get_memory_kind(src), vk::memory_kind::pointer);
  FillWithCounts(src.get_data_handle());
  dnnl::stream stream(engine_);
  dnnl::reorder(src, dst).execute(stream, src, dst);
  stream.wait();
  ExpectTransposed(dst.get_data_handle());
  EXPECT_EQ(dst.map_data(), dst.get_data_handle());
  dst.unmap_data(dst.get_data_handle());
  ExpectInvalid([&] { vk::get_buffer(src); });
}

TEST_F(VulkanInterop, AnAddressInsideMemoryOfKindPointerIsAHandle) {
  const memory::desc all({10}, memory::data_type::u8, memory::format_tag::a);
  const memory::desc part({4}, memory::data_type::u8, memory::format_tag::a);
  memory owner = vk::make_memory(all, engine_, vk::memory_kind::pointer);
  auto* const first = static_cast<unsigned char*>(owner.get_data_handle());
  memory inside = vk::make_memory(part, engine_, vk::memory_kind::pointer, first + 1);
  EXPECT_EQ(inside.get_data_handle(), first + 1);
  EXPECT_EQ(vk::get_memory_kind(inside), vk::memory_kind::pointer);
  memory plain(part, engine_, first + 6);
  for (int i = 0; i < 10; ++i) first[i] = static_cast<unsigned char>(i);
  dnnl::stream stream(engine_);
  dnnl::reorder(plain, inside).execute(stream, plain, inside);
  stream.wait();
  const unsigned char expected[] = {0, 6, 7, 8, 9, 5, 6, 7, 8, 9};
  EXPECT_EQ(std::memcmp(first, expected, 10), 0);
  ExpectInvalid(
      [&] { vk::make_memory(part, engine_, vk::memory_kind::pointer, first + 10000000); });
}

// INTEROP-011, INTEROP-012, INTEROP-013.
TEST_F(VulkanInterop, KindsFollowTheStorage) {
  const native::Buffer buffer = device_->MakeBuffer(480, kAll);
  ExpectInvalid([&] { vk::make_memory(Rows(), engine_, static_cast<vk::memory_kind>(7)); });
  memory m = vk::make_memory(Rows(), engine_, vk::memory_kind::pointer, DNNL_MEMORY_NONE);
  const memory copy = m;
  EXPECT_EQ(m.get_data_handle(), nullptr);
  EXPECT_EQ(vk::get_memory_kind(m), vk::memory_kind::pointer);
  vk::set_buffer(m, buffer.From(0));
  EXPECT_EQ(vk::get_memory_kind(copy), vk::memory_kind::buffer);
  EXPECT_EQ(vk::get_buffer(copy).buffer, buffer.buffer);
  memory pointer = vk::make_memory(Rows(), engine_, vk::memory_kind::pointer);
  m.set_data_handle(pointer.get_data_handle());
  EXPECT_EQ(vk::get_memory_kind(copy), vk::memory_kind::pointer);
  vk::set_buffer(m, buffer.From(0), dnnl::stream(engine_));
  EXPECT_EQ(vk::get_memory_kind(m), vk::memory_kind::buffer);
  m.set_data_handle(DNNL_MEMORY_NONE);
  ExpectInvalid([&] { vk::get_buffer(m); });
  device_->Free(buffer);
}

// INTEROP-009.
TEST_F(VulkanInterop, MemoryOfKindBufferTakesNoPointer) {
  float host[120];
  EXPECT_NE(vk::make_memory(Rows(), engine_, vk::memory_kind::buffer).get_data_handle(), nullptr);
  EXPECT_EQ(
      vk::make_memory(Rows(), engine_, vk::memory_kind::buffer, DNNL_MEMORY_NONE).get_data_handle(),
      nullptr);
  ExpectInvalid([&] { vk::make_memory(Rows(), engine_, vk::memory_kind::buffer, host); });
  ExpectInvalid([&] { vk::make_memory(Rows(), engine_, vk::memory_kind::pointer, host); });
}

// INTEROP-017.
TEST_F(VulkanInterop, ShowsWhereThePlainApiPutAMemory) {
  memory m(Rows(), engine_);
  EXPECT_EQ(vk::get_memory_kind(m), vk::memory_kind::buffer);
  const vk::buffer_range range = vk::get_buffer(m);
  EXPECT_NE(range.buffer, static_cast<VkBuffer>(VK_NULL_HANDLE));
  EXPECT_GE(range.size, 480u);
  EXPECT_TRUE(range.usage & kStorage);
  // The same place again, as an external buffer.
  memory view = vk::make_memory(Rows(), engine_, range);
  void* mapped = m.map_data();
  FillWithCounts(mapped);
  m.unmap_data(mapped);
  memory dst = vk::make_memory(Columns(), engine_, vk::memory_kind::pointer);
  dnnl::stream stream(engine_);
  dnnl::reorder(view, dst).execute(stream, view, dst);
  stream.wait();
  ExpectTransposed(dst.get_data_handle());
}

// INTEROP-017.
TEST_F(VulkanInterop, ShowsMemoryThatEndsInsideAWordWithTheWholeWord) {
  const memory::desc bytes({3}, memory::data_type::u8, memory::format_tag::a);
  memory m(bytes, engine_);
  EXPECT_EQ(vk::get_buffer(m).size, 4u);
  memory view = vk::make_memory(bytes, engine_, vk::get_buffer(m));
  EXPECT_EQ(vk::get_buffer(view).size, 4u);
  EXPECT_TRUE(static_cast<bool>(vk::make_memory(bytes, engine_, vk::get_buffer(view))));
}

// INTEROP-008.
TEST_F(VulkanInterop, RefusesTheQueueOfAnotherDevice) {
  const dnnl::engine own(dnnl::engine::kind::gpu, 0);
  const VkQueue other = vk::get_queue(dnnl::stream(own));
  ExpectInvalid([&] { vk::make_stream(engine_, other); });
  ExpectInvalid([&] { vk::make_stream(own, device_->queue); });
  ExpectInvalid([&] { vk::make_stream(engine_, VK_NULL_HANDLE); });
  EXPECT_TRUE(static_cast<bool>(vk::make_stream(own, other)));
}

TEST_F(VulkanInterop, LocksAnExternalQueueAroundEachUse) {
  struct Counts {
    int locked = 0, unlocked = 0;
  } counts;
  vk::queue_guard guard;
  guard.user = &counts;
  guard.lock = [](void* user) { ++static_cast<Counts*>(user)->locked; };
  guard.unlock = [](void* user) { ++static_cast<Counts*>(user)->unlocked; };
  vk::device_info info = device_->Info();
  info.guard = guard;
  const dnnl::engine engine = vk::make_engine(info);
  dnnl::stream stream = vk::make_stream(engine, device_->queue);
  memory src(Rows(), engine), dst(Columns(), engine);
  const int before = counts.locked;
  dnnl::reorder(src, dst).execute(stream, src, dst);
  stream.wait();
  EXPECT_EQ(counts.locked, before + 1);
  EXPECT_EQ(counts.unlocked, counts.locked);
}

TEST_F(VulkanInterop, AGuardThatComesWithAStreamIsForAllUsesOfTheQueue) {
  int locked = 0, other = 0;
  vk::queue_guard guard;
  guard.user = &locked;
  guard.lock = guard.unlock = [](void* user) { ++*static_cast<int*>(user); };
  vk::queue_guard another = guard;
  another.user = &other;

  // The engine's own queue, which had no guard, and one that only streams use.
  alignas(16) static char unused[64] = {};
  for (const VkQueue queue : {device_->queue, reinterpret_cast<VkQueue>(unused)}) {
    const dnnl::stream guarded = vk::make_stream(engine_, queue, guard);
    EXPECT_TRUE(static_cast<bool>(vk::make_stream(engine_, queue, guard)));
    EXPECT_TRUE(static_cast<bool>(vk::make_stream(engine_, queue)));
    ExpectInvalid([&] { vk::make_stream(engine_, queue, another); });
  }
  dnnl::stream plain(engine_);
  memory src(Rows(), engine_), dst(Columns(), engine_);
  dnnl::reorder(src, dst).execute(plain, src, dst);
  plain.wait();
  EXPECT_EQ(locked, 2);
  EXPECT_EQ(other, 0);
  engine_ = dnnl::engine();
}

// INTEROP-015.
TEST_F(VulkanInterop, ExecuteWaitsAndSignals) {
  const native::Buffer from = device_->MakeBuffer(480, kAll);
  const VkSemaphore go = device_->MakeTimeline(), done = device_->MakeTimeline();
  {
    dnnl::stream stream = vk::make_stream(engine_, device_->queue);
    memory src = vk::make_memory(Rows(), engine_, from.From(0));
    memory dst = vk::make_memory(Columns(), engine_, vk::memory_kind::pointer);
    const dnnl::reorder reorder(src, dst);
    const vk::sync_point point = vk::execute(
        reorder, stream, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}}, {{go, 7}}, {{done, 3}});
    EXPECT_LT(device_->ValueOf(point.semaphore), point.value);
    EXPECT_EQ(device_->ValueOf(done), 0u);
    FillWithCounts(from.host);
    device_->Signal(go, 7);
    device_->Wait(point.semaphore, point.value);
    EXPECT_EQ(device_->ValueOf(done), 3u);
    stream.wait();
    ExpectTransposed(dst.get_data_handle());

    const vk::sync_point next =
        vk::execute(reorder, stream, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}});
    EXPECT_EQ(next.semaphore, point.semaphore);
    EXPECT_GT(next.value, point.value);
    device_->Wait(next.semaphore, next.value);
  }
  device_->WaitIdle();
  device_->Free(go);
  device_->Free(done);
  device_->Free(from);
}

// INTEROP-015, for memory of the host, which is read while the call lasts.
TEST_F(VulkanInterop, ExecuteWaitsBeforeItReadsTheHost) {
  const VkSemaphore go = device_->MakeTimeline();
  {
    dnnl::stream stream = vk::make_stream(engine_, device_->queue);
    memory src(Rows(), dnnl::engine(dnnl::engine::kind::cpu, 0));
    memory dst = vk::make_memory(Columns(), engine_, vk::memory_kind::pointer);
    std::memset(src.get_data_handle(), 0, Rows().get_size());
    const dnnl::reorder reorder(src, dst);
    std::thread producer([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      FillWithCounts(src.get_data_handle());
      device_->Signal(go, 7);
    });
    vk::execute(reorder, stream, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}}, {{go, 7}});
    producer.join();
    stream.wait();
    ExpectTransposed(dst.get_data_handle());
  }
  device_->WaitIdle();
  device_->Free(go);
}

// ERR-014: a call that throws leaves nothing behind in the stream.
TEST_F(VulkanInterop, ExecuteThatIsRefusedDoesNotWait) {
  const VkSemaphore never = device_->MakeTimeline(), done = device_->MakeTimeline();
  {
    dnnl::stream stream = vk::make_stream(engine_, device_->queue);
    memory src(Rows(), engine_), dst(Columns(), engine_);
    const dnnl::reorder reorder(src, dst);
    const std::vector<vk::sync_point> waits = {{never, 7}}, signals = {{done, 3}};
    ExpectInvalid([&] { vk::execute(dnnl::primitive(), stream, {}, waits, signals); });
    ExpectInvalid([&] { vk::execute(reorder, stream, {{DNNL_ARG_FROM, src}}, waits, signals); });
    memory other({{3, 39}, memory::data_type::f32, memory::format_tag::ab}, engine_);  // too small
    ExpectInvalid([&] {
      vk::execute(reorder, stream, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, other}}, waits, signals);
    });
    ExpectInvalid([&] {
      vk::execute(reorder, stream, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}}, waits, {{}});
    });
    const int64_t unknown = DNNL_RUNTIME_DIM_VAL;
    const memory::desc any({unknown, unknown}, memory::data_type::f32,
                           memory::dims{unknown, unknown});
    const dnnl::reorder resolved(dnnl::reorder::primitive_desc(engine_, any, engine_, any));
    ExpectInvalid([&] {
      vk::execute(resolved, stream, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, other}}, waits, signals);
    });
    const vk::sync_point point =
        vk::execute(reorder, stream, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}});
    device_->Wait(point.semaphore, point.value);
    EXPECT_EQ(device_->ValueOf(done), 0u);
    stream.wait();
  }
  device_->WaitIdle();
  device_->Free(never);
  device_->Free(done);
}

// ERR-014.
TEST_F(VulkanInterop, SetBufferThatIsRefusedChangesNothing) {
  memory none = vk::make_memory(Rows(), engine_, vk::memory_kind::pointer, DNNL_MEMORY_NONE);
  ExpectInvalid([&] { vk::set_buffer(none, {}); });
  EXPECT_EQ(vk::get_memory_kind(none), vk::memory_kind::pointer);
  memory some = vk::make_memory(Rows(), engine_, vk::memory_kind::pointer);
  void* const handle = some.get_data_handle();
  ExpectInvalid([&] { vk::set_buffer(some, {}); });
  EXPECT_EQ(some.get_data_handle(), handle);
  memory external(Rows(), engine_);
  vk::set_buffer(none, vk::get_buffer(external));
  EXPECT_EQ(vk::get_memory_kind(none), vk::memory_kind::buffer);
}

// INTEROP-007, INTEROP-016: no wait list.
TEST_F(VulkanInterop, FollowsWorkOfTheApplicationOnTheSameQueue) {
  const native::Buffer from = device_->MakeBuffer(4096, kAll);
  const VkSemaphore filled = device_->MakeTimeline();
  {
    const memory::desc words({1024}, memory::data_type::s32, memory::format_tag::a);
    dnnl::stream stream = vk::make_stream(engine_, device_->queue);
    memory src = vk::make_memory(words, engine_, from.From(0));
    memory dst = vk::make_memory(words, engine_, vk::memory_kind::pointer);
    const dnnl::reorder reorder(src, dst);
    device_->Fill(from, 42, filled);
    vk::execute(reorder, stream, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}}, {{filled, 1}});
    stream.wait();
    for (int i = 0; i < 1024; ++i) {
      ASSERT_EQ(static_cast<int32_t*>(dst.get_data_handle())[i], 42);
    }
  }
  device_->WaitIdle();
  device_->Free(filled);
  device_->Free(from);
}

// INTEROP-006.
TEST_F(VulkanInterop, LeavesTheDeviceInOrderWhenTheEngineIsGone) {
  engine_ = dnnl::engine();
  const native::Buffer buffer = device_->MakeBuffer(64, kAll);
  const VkSemaphore filled = device_->MakeTimeline();
  device_->Fill(buffer, 5, filled);
  device_->Wait(filled, 1);
  EXPECT_EQ(buffer.host[0], 5);
  device_->Free(filled);
  device_->Free(buffer);
}

TEST_F(VulkanInterop, TakesAMemoryWithoutElements) {
  const memory::desc empty({0, 4}, memory::data_type::f32, memory::format_tag::ab);
  EXPECT_TRUE(static_cast<bool>(vk::make_memory(empty, engine_, vk::buffer_range())));
  memory src = vk::make_memory(empty, engine_, vk::memory_kind::pointer);
  memory dst = vk::make_memory(empty, engine_, vk::memory_kind::buffer);
  dnnl::stream stream(engine_);
  dnnl::reorder(src, dst).execute(stream, src, dst);
  stream.wait();
}

}  // namespace
