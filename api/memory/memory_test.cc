#include "oneapi/dnnl/memory/memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/fake/fake.h"
#include "api/fake/refusal.h"
#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/engine/stream.hpp"

namespace {

using dnnl::engine;
using dnnl::memory;
using dnnl::stream;
using fake::counts;
using fake::Refusal;
using dt = memory::data_type;
using tag = memory::format_tag;

engine Cpu() { return engine(engine::kind::cpu, 0); }
engine Gpu(size_t index = 0) { return engine(engine::kind::gpu, index); }
memory::desc Matrix() { return memory::desc({2, 3}, dt::f32, memory::dims{5, 1}); }

TEST(Memory, KeepsWhatItWasMadeFrom) {
  const engine cpu = Cpu();
  float buffer[10];
  const memory mem(Matrix(), cpu, buffer);
  EXPECT_EQ(mem.get_desc(), Matrix());
  EXPECT_EQ(mem.get_engine(), cpu);
  EXPECT_EQ(mem.get_data_handle(), buffer);
  const memory::desc region = Matrix().submemory_desc({1, 2}, {1, 1});
  EXPECT_EQ(memory(region, cpu, buffer).get_desc(), region);
}

TEST(Memory, OwnsWhatItAllocates) {
  fake::Reset();
  {
    const memory a(Matrix(), Cpu()), b(Matrix(), Cpu(), DNNL_MEMORY_ALLOCATE);
    EXPECT_NE(a.get_data_handle(), nullptr);
    EXPECT_NE(a.get_data_handle(), b.get_data_handle());
    std::memset(a.get_data_handle(), 1, Matrix().get_size());
    EXPECT_EQ(counts().live_buffers, 2);
    EXPECT_EQ(counts().live_engines, 1);
  }
  EXPECT_EQ(counts().live_buffers, 0);
  EXPECT_EQ(counts().live_engines, 0);
}

TEST(Memory, MayHaveNoBuffer) {
  const memory mem(Matrix(), Cpu(), DNNL_MEMORY_NONE);
  EXPECT_EQ(mem.get_data_handle(), nullptr);
  EXPECT_EQ(mem.map_data(), nullptr);
  EXPECT_NO_THROW(mem.unmap_data(nullptr));
}

TEST(Memory, CopiesShareTheHandle) {
  float first[10], second[10];
  const memory a(Matrix(), Cpu(), first);
  const memory b = a;
  EXPECT_EQ(a, b);
  b.set_data_handle(second);
  EXPECT_EQ(a.get_data_handle(), second);
  EXPECT_NE(a, memory(Matrix(), Cpu(), second));
}

TEST(Memory, SwapsBuffersWithAnyHint) {
  fake::Reset();
  const engine cpu = Cpu();
  float buffer[10];
  const memory mem(Matrix(), cpu);
  mem.set_data_handle(buffer, stream(cpu));
  EXPECT_EQ(mem.get_data_handle(), buffer);
  EXPECT_EQ(counts().live_buffers, 1);
  mem.set_data_handle(nullptr, stream());
  EXPECT_EQ(mem.get_data_handle(), nullptr);
  EXPECT_EQ(counts().live_buffers, 0);
  mem.set_data_handle(DNNL_MEMORY_ALLOCATE);
  EXPECT_NE(mem.get_data_handle(), nullptr);
  EXPECT_EQ(
      Refusal([&] { mem.set_data_handle(buffer, stream(Gpu())); }),
      "invalid_arguments: memory::set_data_handle: the stream is of another engine (MEM-010)");
  EXPECT_NE(mem.get_data_handle(), buffer);
}

TEST(Memory, OfNoElementsTakesAnyHandle) {
  fake::Reset();
  const memory::desc none({2, 0}, dt::f32, tag::ab);
  void* const nowhere = reinterpret_cast<void*>(1);
  const memory mem(none, Cpu(), nowhere);
  EXPECT_EQ(mem.get_data_handle(), nowhere);
  EXPECT_EQ(mem.map_data(), nullptr);
  EXPECT_NO_THROW(mem.unmap_data(nullptr));
  EXPECT_EQ(memory(none, Cpu()).get_data_handle(), nullptr);
  EXPECT_EQ(counts().allocations + counts().wraps, 0);

  const memory zero(memory::desc(), Cpu());
  EXPECT_TRUE(zero);
  EXPECT_TRUE(zero.get_desc().is_zero());
  EXPECT_EQ(zero.get_data_handle(), nullptr);
}

TEST(Memory, WantsALayout) {
  for (void* handle : {DNNL_MEMORY_ALLOCATE, static_cast<void*>(nullptr)}) {
    EXPECT_EQ(Refusal([&] { memory(memory::desc({2}, dt::f32, tag::any), Cpu(), handle); }),
              "invalid_arguments: memory: md is `any` and has no layout (MEM-015)");
    EXPECT_EQ(Refusal([&] {
                memory(memory::desc({DNNL_RUNTIME_DIM_VAL}, dt::f32, tag::a), Cpu(), handle);
              }),
              "invalid_arguments: memory: md has run-time values (MEM-015)");
  }
  memory::desc broken = Matrix();
  broken.data.format_desc.blocking.strides[0] = 2;
  EXPECT_EQ(Refusal([&] { memory(broken, Cpu()); }),
            "invalid_arguments: memory: md: strides[0] = 2 is below strides[1] * dims[1] = 3 "
            "(MD-006)");
}

TEST(Memory, SaysWhenThereIsNoneLeft) {
  const int64_t huge = int64_t{1} << 60;
  EXPECT_EQ(
      Refusal([&] { memory(memory::desc({huge}, dt::u8, tag::a), Cpu()); }),
      "out_of_memory: memory: allocating 1152921504606846976 bytes: no host memory (MEM-031)");
}

TEST(Memory, AFailedSwapChangesNothing) {
  fake::Reset();
  float buffer[10];
  const memory mem(Matrix(), Cpu(), buffer);
  fake::controls().allocation_status = absl::ResourceExhaustedError("full");
  EXPECT_NE(Refusal([&] { mem.set_data_handle(DNNL_MEMORY_ALLOCATE); }), "");
  EXPECT_EQ(mem.get_data_handle(), buffer);
  fake::Reset();
}

TEST(Memory, MapsItsContents) {
  for (const engine& on : {Cpu(), Gpu()}) {
    const memory mem(Matrix(), on);
    float* const written = mem.map_data<float>();
    static_assert(std::is_same<decltype(mem.map_data()), void*>::value, "MEM-021");
    for (int i = 0; i < 10; ++i) written[i] = static_cast<float>(i);
    mem.unmap_data(written);
    const float* const read = mem.map_data<float>();
    for (int i = 0; i < 10; ++i) EXPECT_EQ(read[i], static_cast<float>(i));
    mem.unmap_data(const_cast<float*>(read));
  }
}

TEST(Memory, MapsTwiceToOneAddress) {
  const memory mem(Matrix(), Gpu());
  void* const first = mem.map_data();
  EXPECT_EQ(mem.map_data(), first);
  EXPECT_EQ(Refusal([&] { mem.set_data_handle(nullptr); }),
            "invalid_arguments: memory::set_data_handle: the memory is mapped 2 times (MEM-022)");
  mem.unmap_data(first);
  mem.unmap_data(first);
  EXPECT_EQ(Refusal([&] { mem.unmap_data(first); }),
            "invalid_arguments: memory::unmap_data: the pointer is not from map_data (MEM-025)");
  EXPECT_NO_THROW(mem.set_data_handle(nullptr));
}

TEST(Memory, UnmapsOnlyWhatWasMapped) {
  const memory mem(Matrix(), Cpu());
  float other;
  EXPECT_NE(Refusal([&] { mem.unmap_data(&other); }), "");
  void* const mapped = mem.map_data();
  EXPECT_NE(Refusal([&] { mem.unmap_data(&other); }), "");
  EXPECT_EQ(Refusal([&] { mem.unmap_data(mapped); }), "");
}

TEST(Memory, EmptyIsGoodForNothing) {
  const memory empty;
  EXPECT_FALSE(empty);
  const auto refused = [](const char* member) {
    return std::string("invalid_arguments: memory::") + member + ": the memory is empty (ERR-011)";
  };
  EXPECT_EQ(Refusal([&] { empty.get_desc(); }), refused("get_desc"));
  EXPECT_EQ(Refusal([&] { empty.get_engine(); }), refused("get_engine"));
  EXPECT_EQ(Refusal([&] { empty.get_data_handle(); }), refused("get_data_handle"));
  EXPECT_EQ(Refusal([&] { empty.set_data_handle(nullptr); }), refused("set_data_handle"));
  EXPECT_EQ(Refusal([&] { empty.map_data(); }), refused("map_data"));
  EXPECT_EQ(Refusal([&] { empty.unmap_data(nullptr); }), refused("unmap_data"));
  EXPECT_EQ(Refusal([&] { memory(Matrix(), engine()); }),
            "invalid_arguments: memory: the engine is empty (ERR-011)");
  memory moved(Matrix(), Cpu());
  const memory to = std::move(moved);
  EXPECT_TRUE(to);
  moved = to;
  EXPECT_EQ(moved.get_desc(), Matrix());
}

TEST(Memory, SizesOfTypesAreBytes) {
  EXPECT_EQ(memory::data_type_size(dt::f32), 4u);
  EXPECT_EQ(memory::data_type_size(dt::bf16), 2u);
  EXPECT_EQ(memory::data_type_size(dt::u8), 1u);
  EXPECT_EQ(memory::data_type_size(dt::undef), 0u);
  EXPECT_EQ(memory::data_type_size(static_cast<dt>(256 + static_cast<int>(dt::f32))), 0u);
  const void* const none = DNNL_MEMORY_NONE;
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(reinterpret_cast<size_t>(DNNL_MEMORY_ALLOCATE), SIZE_MAX);
}

}  // namespace
