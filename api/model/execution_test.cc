// An execution that nothing speaks against is let pass with fewer looks than one that has to be
// refused. Whatever changes between two executions, both ways say the same: a plan that wants a
// scratchpad takes the long one.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "api/fake/fake.h"
#include "api/fake/refusal.h"
#include "oneapi/dnnl/reorder/reorder.hpp"

namespace {

using dnnl::engine;
using dnnl::memory;
using dnnl::primitive;
using dnnl::reorder;
using dnnl::stream;
using fake::Refusal;
using dt = memory::data_type;
using tag = memory::format_tag;
using pd = reorder::primitive_desc;
using Args = std::unordered_map<int, memory>;
using Floats = std::vector<float>;

class Execution : public testing::TestWithParam<std::size_t> {
 protected:
  Execution() {
    fake::Reset();
    fake::controls().scratchpad_bytes = GetParam();
  }
  ~Execution() override { fake::Reset(); }

  memory On(Floats* buffer) { return {four, cpu, buffer->data()}; }
  std::string Run(const memory& src, const memory& dst) { return Run(copy, queue, src, dst); }
  static std::string Run(const primitive& made, const stream& on, const memory& src,
                         const memory& dst) {
    return Refusal([&] { made.execute(on, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}}); });
  }

  const engine cpu{engine::kind::cpu, 0}, gpu{engine::kind::gpu, 0},
      other_gpu{engine::kind::gpu, 1};
  const stream queue{cpu};
  const memory::desc four{{4}, dt::f32, tag::a};
  // Made when the parameter is set.
  const primitive copy = [this] {
    fake::controls().scratchpad_bytes = GetParam();
    return reorder(pd(cpu, four, cpu, four));
  }();
};

constexpr char kNoBuffer[] =
    "invalid_arguments: reorder::execute: the memory of DNNL_ARG_DST has no buffer (MEM-030)";

TEST_P(Execution, SeesTheHandleThatAMemoryHasNow) {
  Floats in = {1, 2, 3, 4}, first(4), second(4);
  const memory src = On(&in), dst = On(&first);
  ASSERT_EQ(Run(src, dst), "");
  dst.set_data_handle(second.data());
  in[0] = 5;
  EXPECT_EQ(Run(src, dst), "");
  EXPECT_EQ(first, (Floats{1, 2, 3, 4}));
  EXPECT_EQ(second, (Floats{5, 2, 3, 4}));
  dst.set_data_handle(DNNL_MEMORY_NONE);
  EXPECT_EQ(Run(src, dst), kNoBuffer);
  dst.set_data_handle(in.data() + 1);
  EXPECT_NE(Run(src, dst).find("PRIM-050"), std::string::npos);
  dst.set_data_handle(in.data());
  EXPECT_EQ(Run(src, dst), "");
  dst.set_data_handle(DNNL_MEMORY_ALLOCATE);
  EXPECT_EQ(Run(src, dst), "");
  EXPECT_EQ(*static_cast<float*>(dst.get_data_handle()), 5);
}

// The next memory mostly is where the one before was.
TEST_P(Execution, SeesWhichMemoryItIsGiven) {
  Floats in = {1, 2, 3, 4};
  alignas(64) std::array<float, 4> out;
  const memory src = On(&in);
  const auto run = [&](const memory::desc& desc, const engine& on, void* handle) {
    return Run(src, memory(desc, on, handle));
  };
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run(four, cpu, out.data()), "");
    EXPECT_EQ(run({{4}, dt::s32, tag::a}, cpu, out.data()),
              "invalid_arguments: reorder::execute: the memory of DNNL_ARG_DST is s32 4 s1, not "
              "f32 4 s1 (PRIM-033)");
    EXPECT_EQ(run({{3}, dt::f32, tag::a}, cpu, out.data()),
              "invalid_arguments: reorder::execute: the memory of DNNL_ARG_DST, f32 3 s1, has 12 "
              "bytes, and f32 4 s1 needs 16 (PRIM-033)");
    EXPECT_EQ(run(four, cpu, DNNL_MEMORY_NONE), kNoBuffer);
    EXPECT_EQ(run(four, gpu, DNNL_MEMORY_ALLOCATE),
              "invalid_arguments: reorder::execute: the memory of DNNL_ARG_DST is on another "
              "device than its side of the primitive (XENG-008)");
    EXPECT_EQ(run({{2, 2}, dt::f32, tag::ba}, cpu, out.data()), "");  // bytes are enough
    EXPECT_EQ(run({{0}, dt::f32, tag::a}, cpu, nullptr),
              "invalid_arguments: reorder::execute: the memory of DNNL_ARG_DST, f32 0 s1, has 0 "
              "bytes, and f32 4 s1 needs 16 (PRIM-033)");
  }
}

TEST_P(Execution, SeesWhichArgumentsThereAre) {
  Floats in = {1, 2, 3, 4}, out(4);
  const memory src = On(&in), dst = On(&out);
  Args args = {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}};
  const auto run = [&](const stream& on) { return Refusal([&] { copy.execute(on, args); }); };
  EXPECT_EQ(run(queue), "");
  for (int i = 0; i < 12; ++i) args[1000 + i] = i % 2 == 0 ? src : memory();
  EXPECT_EQ(run(queue), "");
  args[DNNL_ARG_TO] = memory();
  EXPECT_NE(run(queue).find("DNNL_ARG_DST is missing; given: DNNL_ARG_SRC, "), std::string::npos);
  args = {{DNNL_ARG_TO, dst}};
  EXPECT_EQ(run(queue),
            "invalid_arguments: reorder::execute: DNNL_ARG_SRC is missing; given: DNNL_ARG_DST "
            "(PRIM-035)");
  args[DNNL_ARG_FROM] = src;
  EXPECT_EQ(run(queue), "");
  EXPECT_EQ(run(stream(engine(engine::kind::cpu, 0))), "");
  EXPECT_EQ(run(stream(gpu)),
            "invalid_arguments: reorder::execute: the stream is of another engine (STR-009)");
}

TEST_P(Execution, SeesWhatIsMappedFromADevice) {
  const primitive on_device = reorder(pd(gpu, four, gpu, four));
  const memory src(four, gpu), dst(four, gpu), elsewhere(four, other_gpu);
  stream device(gpu);
  const auto run = [&](const memory& to) {
    const std::string refusal = Run(on_device, device, src, to);
    device.wait();
    return refusal;
  };
  const char* const mapped_twice =
      "invalid_arguments: reorder::execute: the memory of DNNL_ARG_DST is mapped (MEM-022)";
  EXPECT_EQ(run(dst), "");
  void* const mapped = dst.map_data();
  EXPECT_EQ(run(dst), mapped_twice);
  EXPECT_EQ(dst.map_data(), mapped);
  dst.unmap_data(mapped);
  EXPECT_EQ(run(dst), mapped_twice);
  dst.unmap_data(mapped);
  EXPECT_EQ(run(dst), "");
  EXPECT_NE(run(elsewhere).find("XENG-008"), std::string::npos);
  EXPECT_NE(Run(on_device, stream(other_gpu), src, dst).find("STR-009"), std::string::npos);
}

// At every distance of two buffers, and for tensors that do not begin where these do: two share
// bytes or not, and the first and the last byte decide.
TEST_P(Execution, RefusesWhatSharesAByteAtAnyDistance) {
  constexpr int64_t kMost = 16;
  std::vector<uint8_t> bytes(3 * kMost);
  const memory::desc whole({kMost}, dt::u8, tag::a);
  for (const int64_t src_begin : {0, 3})
    for (const int64_t dst_begin : {0, 5})
      for (const int64_t length : {1, 4}) {
        const primitive move = reorder(pd(cpu, whole.submemory_desc({length}, {src_begin}), cpu,
                                          whole.submemory_desc({length}, {dst_begin})));
        for (int64_t at = 0; at <= 2 * kMost; ++at) {
          const memory src(whole, cpu, bytes.data() + kMost), dst(whole, cpu, bytes.data() + at);
          const int64_t distance = at + dst_begin - (kMost + src_begin);
          const bool apart = distance >= length || distance <= -length;
          EXPECT_EQ(Run(move, queue, src, dst) == "", apart || distance == 0)
              << src_begin << " " << dst_begin << " " << length << " " << at;
        }
      }
}

TEST_P(Execution, SeesTwoMemoriesInOneBuffer) {
  Floats data(8);
  const memory low(four, cpu, data.data()), high(four, cpu, data.data() + 4),
      between(four, cpu, data.data() + 3), again(four, cpu, data.data());
  EXPECT_EQ(Run(low, high), "");
  EXPECT_NE(Run(low, between).find("PRIM-050"), std::string::npos);
  EXPECT_NE(Run(between, high).find("PRIM-050"), std::string::npos);
  EXPECT_EQ(Run(low, low), "");
  EXPECT_EQ(Run(low, again), "");
  EXPECT_EQ(Run(high, low), "");
}

TEST_P(Execution, OfTensorsWithoutElementsTouchesNothing) {
  const memory::desc none({0, 3}, dt::f32, tag::ab);
  const primitive empty = reorder(pd(cpu, none, cpu, none));
  Floats data(3);
  EXPECT_EQ(Run(empty, queue, memory(none, cpu), memory(none, cpu, data.data())), "");
  EXPECT_EQ(Run(empty, queue, On(&data), memory(none, cpu)), "");
  EXPECT_NE(Run(empty, queue, memory(none, cpu), memory({{0}, dt::u8, tag::a}, cpu)), "");
}

// Each thread has its own stream and memories, and every third execution of it is refused.
TEST_P(Execution, OfOnePrimitiveBySeveralThreadsIsEachItsOwn) {
  fake::controls().overwrite_scratchpad = false;
  std::vector<std::thread> threads;
  std::array<int, 4> wrong{};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const stream own(cpu);
      for (int i = 0; i < 300; ++i) {
        Floats in(4, static_cast<float>(100 * t + i)), out(4, -1);
        const memory src = On(&in), dst = On(&out), short_one({{3}, dt::f32, tag::a}, cpu);
        const bool refused = Run(copy, own, src, i % 3 == 0 ? short_one : dst) != "";
        if (refused != (i % 3 == 0) || out != (refused ? Floats(4, -1) : in)) ++wrong[t];
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::array<int, 4>{}));
}

INSTANTIATE_TEST_SUITE_P(Ways, Execution, testing::Values(0, 24),
                         [](const testing::TestParamInfo<std::size_t>& scratchpad) {
                           return scratchpad.param == 0 ? "AtOnce" : "ByTheLongWay";
                         });

}  // namespace
