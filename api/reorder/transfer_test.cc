// Reorders between engines: directly where an implementation offers it, else through the host.
#include <gtest/gtest.h>

#include <cstring>
#include <unordered_map>
#include <vector>

#include "api/fake/fake.h"
#include "api/fake/refusal.h"
#include "oneapi/dnnl/reorder/reorder.hpp"

namespace {

using dnnl::engine;
using dnnl::memory;
using dnnl::primitive_attr;
using dnnl::reorder;
using dnnl::stream;
using fake::counts;
using fake::Refusal;
using dt = memory::data_type;
using tag = memory::format_tag;

class Transfer : public testing::TestWithParam<bool> {
 protected:
  Transfer() {
    fake::Reset();
    fake::controls().gpu_transfers = GetParam();
  }
  ~Transfer() override { fake::Reset(); }

  static void Fill(const memory& mem, const std::vector<float>& values) {
    void* const mapped = mem.map_data();
    std::memcpy(mapped, values.data(), values.size() * sizeof(float));
    mem.unmap_data(mapped);
  }
  static std::vector<float> Contents(const memory& mem) {
    std::vector<float> values(mem.get_desc().get_size() / sizeof(float));
    void* const mapped = mem.map_data();
    std::memcpy(values.data(), mapped, values.size() * sizeof(float));
    mem.unmap_data(mapped);
    return values;
  }

  const engine cpu{engine::kind::cpu, 0}, gpu{engine::kind::gpu, 0}, gpu1{engine::kind::gpu, 1};
  const memory::desc rows{{2, 3}, dt::f32, tag::ab}, columns{{2, 3}, dt::f32, tag::ba};
};

INSTANTIATE_TEST_SUITE_P(, Transfer, testing::Bool(),
                         [](const auto& test) { return test.param ? "Direct" : "ThroughTheHost"; });

TEST(TransferWithoutAHost, IsEmptyWhereThatIsAllowed) {
  fake::Reset();
  const engine gpu(engine::kind::gpu, 0), gpu1(engine::kind::gpu, 1);
  const memory::desc three({3}, dt::f32, tag::a);
  fake::controls().engine_status = absl::InternalError("no cores");
  EXPECT_EQ(Refusal([&] { reorder::primitive_desc(gpu, three, gpu1, three); }),
            "runtime_error: no cores");
  EXPECT_FALSE(reorder::primitive_desc(gpu, three, gpu1, three, primitive_attr(), true));
  fake::Reset();
  EXPECT_TRUE(reorder::primitive_desc(gpu, three, gpu1, three, primitive_attr(), true));
}

TEST_P(Transfer, GoesThereAndBack) {
  memory host(rows, cpu), device(columns, gpu), back(rows, cpu);
  Fill(host, {0, 1, 2, 3, 4, 5});
  const reorder::primitive_desc up(host, device), down(device, back);
  EXPECT_EQ(up.get_engine(), gpu);
  EXPECT_EQ(down.get_engine(), gpu);
  EXPECT_EQ(up.get_src_engine(), cpu);
  EXPECT_EQ(up.get_dst_engine(), gpu);
  EXPECT_EQ(counts().transfers, GetParam() ? 2 : 0);
  stream queue(up.get_engine());
  reorder(up).execute(queue, host, device);
  reorder(down).execute(queue, device, back);
  queue.wait();
  EXPECT_EQ(Contents(device), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(Contents(back), (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

TEST_P(Transfer, TakesAStreamOfEitherSide) {
  memory host(rows, cpu), device(rows, gpu);
  Fill(host, {0, 1, 2, 3, 4, 5});
  stream host_queue(cpu), other(gpu1);
  const reorder up(host, device);
  up.execute(host_queue, host, device);
  host_queue.wait();
  EXPECT_EQ(Contents(device), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(Refusal([&] { up.execute(other, host, device); }),
            "invalid_arguments: reorder::execute: the stream is of another engine (STR-009)");
}

TEST_P(Transfer, WantsEachMemoryOnItsSide) {
  memory host(rows, cpu), device(rows, gpu), elsewhere(rows, gpu1);
  stream queue(gpu);
  const reorder up(host, device);
  EXPECT_EQ(Refusal([&] { up.execute(queue, device, host); }),
            "invalid_arguments: reorder::execute: the memory of DNNL_ARG_SRC is on another device "
            "than its side of the primitive (XENG-008)");
  EXPECT_NE(Refusal([&] { up.execute(queue, host, elsewhere); }), "");
  EXPECT_EQ(counts().executions, 0);
  EXPECT_EQ(Refusal([&] { up.execute(queue, host, device); }), "");
}

TEST_P(Transfer, LeavesGapsAlone) {
  const memory::desc padded({2, 3}, dt::f32, memory::dims{4, 1});
  memory host(rows, cpu), device(padded, gpu);
  Fill(host, {0, 1, 2, 3, 4, 5});
  Fill(device, {9, 9, 9, 9, 9, 9, 9, 9});
  stream queue(gpu);
  reorder(host, device).execute(queue, host, device);
  queue.wait();
  EXPECT_EQ(Contents(device), (std::vector<float>{0, 1, 2, 9, 3, 4, 5, 9}));
}

TEST_P(Transfer, TakesRunTimeScalesFromItsEngine) {
  memory host(rows, cpu), device(rows, gpu);
  Fill(host, {0, 1, 2, 3, 4, 5});
  primitive_attr attr;
  attr.set_output_scales(1, {DNNL_RUNTIME_F32_VAL});
  const reorder up(host, device, attr);
  const memory::desc two({2}, dt::f32, tag::x);
  memory scales(two, gpu), wrong(two, cpu);
  Fill(scales, {10, 100});
  stream queue(gpu);
  const auto run = [&](const memory& with) {
    up.execute(queue,
               {{DNNL_ARG_FROM, host}, {DNNL_ARG_TO, device}, {DNNL_ARG_ATTR_OUTPUT_SCALES, with}});
  };
  EXPECT_NE(Refusal([&] { run(wrong); }), "");
  run(scales);
  queue.wait();
  EXPECT_EQ(Contents(device), (std::vector<float>{0, 10, 20, 300, 400, 500}));
}

TEST_P(Transfer, ServesOneBufferForTwoArguments) {
  const memory::desc two({2}, dt::f32, tag::x);
  memory device(two, gpu), host(two, cpu);
  Fill(device, {3, 5});
  primitive_attr attr;
  attr.set_output_scales(1, {DNNL_RUNTIME_F32_VAL});
  stream queue(gpu);
  reorder(device, host, attr)
      .execute(
          queue,
          {{DNNL_ARG_FROM, device}, {DNNL_ARG_TO, host}, {DNNL_ARG_ATTR_OUTPUT_SCALES, device}});
  queue.wait();
  EXPECT_EQ(Contents(host), (std::vector<float>{9, 25}));
}

TEST_P(Transfer, FillsRunTimeShapes) {
  const memory::desc some({DNNL_RUNTIME_DIM_VAL, 3}, dt::f32, tag::ab);
  memory host(rows, cpu), device(rows, gpu);
  Fill(host, {0, 1, 2, 3, 4, 5});
  const reorder up(reorder::primitive_desc(cpu, some, gpu, some));
  for (const engine& on : {cpu, gpu}) {
    Fill(device, std::vector<float>(6));
    stream queue(on);
    up.execute(queue, host, device);
    queue.wait();
    EXPECT_EQ(Contents(device), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  }
}

TEST_P(Transfer, OfNoElementsTouchesNothing) {
  const memory::desc none({0, 3}, dt::f32, tag::ab);
  memory host(none, cpu), device(none, gpu);
  stream queue(gpu);
  reorder(host, device).execute(queue, host, device);
  queue.wait();
  EXPECT_EQ(counts().plans + counts().executions, 0);
}

TEST_P(Transfer, BetweenTwoDevicesGoesFromTheSource) {
  memory from(rows, gpu), to(columns, gpu1);
  Fill(from, {0, 1, 2, 3, 4, 5});
  const reorder::primitive_desc pd(from, to);
  EXPECT_EQ(pd.get_engine(), gpu);
  stream queue(gpu);
  reorder(pd).execute(queue, from, to);
  queue.wait();
  EXPECT_EQ(Contents(to), (std::vector<float>{0, 3, 1, 4, 2, 5}));
}

TEST_P(Transfer, TwoEnginesOfOneDeviceAreOne) {
  const engine again(engine::kind::gpu, 0);
  memory from(rows, gpu), to(columns, again);
  EXPECT_EQ(reorder::primitive_desc(from, to).get_engine(), gpu);
  Fill(from, {0, 1, 2, 3, 4, 5});
  stream queue(again);
  reorder(from, to).execute(queue, from, to);
  queue.wait();
  EXPECT_EQ(counts().transfers, 0);
  EXPECT_EQ(Contents(to), (std::vector<float>{0, 3, 1, 4, 2, 5}));
}

TEST(HostTransfer, WantsWhatTheHostPlanWants) {
  fake::Reset();
  fake::controls().scratchpad_bytes = 64;
  const engine cpu(engine::kind::cpu, 0), gpu(engine::kind::gpu, 0);
  const memory::desc md({4}, dt::f32, tag::a);
  memory host(md, cpu), device(md, gpu);
  const reorder::primitive_desc pd(host, device);
  EXPECT_STREQ(pd.impl_info_str(), "host:cpu:fake0");
  stream queue(gpu);
  EXPECT_EQ(Refusal([&] { reorder(pd).execute(queue, host, device); }), "");
  EXPECT_EQ(counts().executions, 1);

  fake::controls().execution_status = absl::InternalError("kernel failed");
  EXPECT_EQ(Refusal([&] { reorder(pd).execute(queue, host, device); }),
            "runtime_error: kernel failed");
  fake::Reset();
  EXPECT_EQ(Refusal([&] { device.unmap_data(device.map_data()); }), "");
}

}  // namespace
