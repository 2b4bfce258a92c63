// Which memories serve as arguments: those that hold all that the primitive addresses (PRIM-033),
// and of two in one buffer, those that do not disturb each other (PRIM-050).
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/fake/fake.h"
#include "api/fake/refusal.h"
#include "oneapi/dnnl/reorder/reorder.hpp"
#include "oneapi/dnnl/shuffle/shuffle.hpp"

namespace {

using dnnl::engine;
using dnnl::memory;
using dnnl::post_ops;
using dnnl::primitive_attr;
using dnnl::reorder;
using dnnl::shuffle_forward;
using dnnl::stream;
using fake::counts;
using fake::Refusal;
using dt = memory::data_type;
using tag = memory::format_tag;
using pd = reorder::primitive_desc;
using Args = std::unordered_map<int, memory>;
using Floats = std::vector<float>;

constexpr int64_t kRunTime = DNNL_RUNTIME_DIM_VAL;

memory::desc F32(const memory::dims& dims, const memory::dims& strides = {}) {
  return memory::desc(dims, dt::f32, strides);
}

class Buffers : public testing::Test {
 protected:
  Buffers() { fake::Reset(); }
  ~Buffers() override { fake::Reset(); }

  memory On(const memory::desc& desc, Floats* buffer) { return {desc, cpu, buffer->data()}; }
  std::string Run(const pd& made, const memory& src, const memory& dst) {
    return Refusal([&] {
      reorder(made).dnnl::primitive::execute(queue, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}});
    });
  }
  // With one memory on both sides.
  std::string InPlace(const memory::desc& from, const memory::desc& to, const memory& both,
                      const primitive_attr& attr = primitive_attr()) {
    return Run(pd(cpu, from, cpu, to, attr), both, both);
  }

  const engine cpu{engine::kind::cpu, 0}, gpu{engine::kind::gpu, 0};
  stream queue{cpu};
};

TEST_F(Buffers, ARegionIsWrittenInItsParent) {
  Floats whole = {9, 9, 9, 9, 9, 9}, part = {0, 1};
  const memory parent = On(F32({2, 3}), &whole), own = On(F32({2, 1}), &part);
  const memory::desc column = parent.get_desc().submemory_desc({2, 1}, {0, 2});
  EXPECT_EQ(Run(pd(cpu, own.get_desc(), cpu, column), own, parent), "");
  EXPECT_EQ(whole, (Floats{9, 9, 0, 9, 9, 1}));
  EXPECT_EQ(Run(pd(cpu, column, cpu, own.get_desc()), parent, own), "");
  // The same memory under other dims.
  Floats flat = {0, 1, 2, 3, 4, 5}, columns(6);
  EXPECT_EQ(Run(pd(cpu, F32({2, 3}), cpu, F32({2, 3}, {1, 2})), On(F32({6}), &flat),
                On(F32({3, 2}), &columns)),
            "");
  EXPECT_EQ(columns, (Floats{0, 3, 1, 4, 2, 5}));
}

TEST_F(Buffers, TheLastByteDecides) {
  Floats source(2), target(7);
  const memory src = On(F32({2, 1}), &source);
  const memory::desc region = F32({2, 3}).submemory_desc({2, 1}, {0, 2});
  EXPECT_EQ(Run(pd(cpu, src.get_desc(), cpu, region), src, On(F32({6}), &target)), "");
  EXPECT_EQ(Run(pd(cpu, src.get_desc(), cpu, region), src, On(F32({5}), &target)),
            "invalid_arguments: reorder::execute: the memory of DNNL_ARG_DST, f32 5 s1, has 20 "
            "bytes, and f32 2x1 s3,1 o2 needs 24 (PRIM-033)");
  // By one byte.
  const memory::desc six({6}, dt::u8, tag::a), seven({7}, dt::u8, tag::a);
  const memory small(six, cpu), large(seven, cpu);
  EXPECT_NE(Run(pd(cpu, seven, cpu, seven), large, small), "");
  EXPECT_EQ(Run(pd(cpu, six, cpu, six), large, small), "");
  // Of rows with gaps the gap behind the last one is not addressed.
  Floats nine(9), eleven(11);
  const pd spread(cpu, F32({3, 3}), cpu, F32({3, 3}, {4, 1}));
  EXPECT_EQ(Run(spread, On(F32({9}), &nine), On(F32({11}), &eleven)), "");
  EXPECT_NE(Run(spread, On(F32({9}), &nine), On(F32({10}), &eleven)), "");
  // An equal number of bytes of another type.
  EXPECT_EQ(Run(pd(cpu, six, cpu, six), small, memory({{6}, dt::s8, tag::a}, cpu)),
            "invalid_arguments: reorder::execute: the memory of DNNL_ARG_DST is s8 6 s1, not u8 6 "
            "s1 (PRIM-033)");
  // Nothing is addressed where nothing is.
  const memory::desc none({0, 3}, dt::u8, tag::ab);
  EXPECT_EQ(Run(pd(cpu, none, cpu, none), memory(six, cpu, nullptr), memory(none, cpu, nullptr)),
            "");
}

TEST_F(Buffers, WhatHasRunTimeValuesIsTheMemorys) {
  Floats in = {0, 1, 2, 3, 4, 5, 6, 7}, out(16);
  const memory src = On(F32({2, 3}), &in), parent = On(F32({4, 4}), &out);
  const memory::desc open = F32({kRunTime, 3}, {3, 1});
  const memory::desc region = parent.get_desc().submemory_desc({2, 3}, {1, 1});
  EXPECT_EQ(Run(pd(cpu, open, cpu, region), src, parent), "");
  EXPECT_EQ(out, (Floats{0, 0, 0, 0, 0, 0, 1, 2, 0, 3, 4, 5, 0, 0, 0, 0}));
  // The open side does not look into a parent: its dims are the memory's.
  EXPECT_NE(Run(pd(cpu, open, cpu, region), parent, parent).find("PRIM-033"), std::string::npos);
}

TEST_F(Buffers, ScalesAndScratchpadsMayBeLonger) {
  Floats in = {1, 2, 3}, out(3), factors = {1, 10, 100, 1000};
  primitive_attr attr;
  attr.set_output_scales(1, {DNNL_RUNTIME_F32_VAL});
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  fake::controls().scratchpad_bytes = 16;
  const memory src = On(F32({3}), &in), dst = On(F32({3}), &out);
  Args args = {{DNNL_ARG_FROM, src},
               {DNNL_ARG_TO, dst},
               {DNNL_ARG_ATTR_OUTPUT_SCALES, On(F32({4}), &factors)},
               {DNNL_ARG_SCRATCHPAD, memory({{17}, dt::u8, tag::a}, cpu)}};
  const dnnl::primitive scale = reorder(pd(cpu, F32({3}), cpu, F32({3}), attr));
  EXPECT_EQ(Refusal([&] { scale.execute(queue, args); }), "");
  EXPECT_EQ(out, (Floats{1, 20, 300}));
  args[DNNL_ARG_SCRATCHPAD] = memory({{15}, dt::u8, tag::a}, cpu);
  EXPECT_NE(Refusal([&] { scale.execute(queue, args); }).find("DNNL_ARG_SCRATCHPAD"),
            std::string::npos);
  // What is overwritten must be nobody else's.
  args[DNNL_ARG_SCRATCHPAD] = memory({{16}, dt::u8, tag::a}, cpu, factors.data());
  EXPECT_NE(Refusal([&] { scale.execute(queue, args); }).find("PRIM-050"), std::string::npos);
  args[DNNL_ARG_SCRATCHPAD] = memory({{16}, dt::u8, tag::a}, cpu);
  args[DNNL_ARG_ATTR_OUTPUT_SCALES] = dst;
  EXPECT_EQ(Refusal([&] { scale.execute(queue, args); }),
            "invalid_arguments: reorder::execute: DNNL_ARG_DST, f32 3 s1, and "
            "DNNL_ARG_ATTR_OUTPUT_SCALES, f32 3 s1, share bytes of one buffer (PRIM-050)");
  // Two that are only read may.
  args[DNNL_ARG_ATTR_OUTPUT_SCALES] = src;
  EXPECT_EQ(Refusal([&] { scale.execute(queue, args); }), "");
}

TEST_F(Buffers, ElementsAreReplacedInPlace) {
  Floats data = {1, 2, 3, 4, 5, 6};
  const memory both = On(F32({2, 3}), &data);
  primitive_attr doubled;
  doubled.set_output_scales(0, {2.f});
  EXPECT_EQ(InPlace(F32({2, 3}), F32({2, 3}), both, doubled), "");
  EXPECT_EQ(data, (Floats{2, 4, 6, 8, 10, 12}));
  // Two memories on one pointer, another type of the same size, a part, run-time dims.
  const memory again(memory::desc({2, 3}, dt::s32, tag::ab), cpu, data.data());
  EXPECT_EQ(Run(pd(both, again), both, again), "");
  EXPECT_EQ(Run(pd(again, both), again, both), "");
  EXPECT_EQ(data, (Floats{2, 4, 6, 8, 10, 12}));
  const memory::desc part = F32({2, 3}).submemory_desc({2, 1}, {0, 1});
  EXPECT_EQ(InPlace(part, part, both, doubled), "");
  EXPECT_EQ(data, (Floats{2, 8, 6, 8, 20, 12}));
  const memory::desc open = F32({kRunTime, 3}, {3, 1});
  EXPECT_EQ(InPlace(open, open, both, doubled), "");
  EXPECT_EQ(data[5], 24);
}

TEST_F(Buffers, WhatWouldBeOverwrittenTooEarlyIsRefused) {
  Floats data = {1, 2, 3, 4, 5, 6, 7};
  const Floats before = data;
  const memory both = On(F32({2, 3}), &data);
  EXPECT_EQ(InPlace(F32({2, 3}), F32({2, 3}, {1, 2}), both),
            "invalid_arguments: reorder::execute: DNNL_ARG_SRC, f32 2x3 s3,1, and DNNL_ARG_DST, "
            "f32 2x3 s1,2, share bytes of one buffer (PRIM-050)");
  // One element further, by the layout and by the pointer.
  const memory all = On(F32({7}), &data);
  const memory::desc late = F32({7}).submemory_desc({6}, {1});
  EXPECT_NE(InPlace(F32({6}), late, all), "");
  const memory shifted(F32({6}), cpu, data.data() + 1);
  EXPECT_NE(Run(pd(cpu, F32({6}), cpu, F32({6})), all, shifted), "");
  EXPECT_EQ(Run(pd(cpu, late, cpu, F32({6})), all, shifted), "");  // the same place
  // Elements of another size, and a sum, which wants both tensors.
  const memory bytes(memory::desc({24}, dt::u8, tag::a), cpu, data.data());
  EXPECT_NE(Run(pd(cpu, F32({6}), cpu, {{6}, dt::u8, tag::a}), both, bytes), "");
  post_ops ops;
  primitive_attr summed;
  ops.append_sum(0.5f);
  summed.set_post_ops(ops);
  EXPECT_NE(InPlace(F32({6}), F32({6}), both, summed), "");
  // Run-time shapes.
  const memory::desc open = F32({kRunTime, 3}, {kRunTime, kRunTime});
  const memory across(F32({2, 3}, {1, 2}), cpu, data.data());
  EXPECT_NE(Run(pd(cpu, open, cpu, open), both, across), "");
  EXPECT_EQ(data, before);
  EXPECT_EQ(counts().executions, 1);
}

TEST_F(Buffers, RegionsThatInterleaveAreTwo) {
  Floats data(12);
  std::iota(data.begin(), data.end(), 0.f);
  const memory whole = On(F32({3, 4}), &data);
  const memory::desc left = whole.get_desc().submemory_desc({3, 2}, {0, 0}),
                     right = whole.get_desc().submemory_desc({3, 2}, {0, 2}),
                     middle = whole.get_desc().submemory_desc({3, 2}, {0, 1});
  EXPECT_EQ(InPlace(left, right, whole), "");
  EXPECT_EQ(data, (Floats{0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9}));
  EXPECT_EQ(Run(pd(cpu, right, cpu, left), On(right, &data), On(left, &data)), "");
  EXPECT_NE(InPlace(left, middle, whole), "");
}

TEST_F(Buffers, ShufflesThatMoveWantTwoBuffers) {
  const memory::desc six({6}, dt::u8, tag::a);
  const memory data(six, cpu);
  const auto run = [&](int group) {
    const shuffle_forward shuffle(shuffle_forward::primitive_desc(
        shuffle_forward::desc(dnnl::prop_kind::forward_training, six, 0, group), cpu));
    return Refusal([&] { shuffle.execute(queue, {{DNNL_ARG_SRC, data}, {DNNL_ARG_DST, data}}); });
  };
  EXPECT_NE(run(2), "");
  EXPECT_NE(run(3), "");
  EXPECT_EQ(run(1), "");
  EXPECT_EQ(run(6), "");
}

// Where a handle is no address it still tells one storage from another.
TEST_F(Buffers, OfADeviceAreToldApartByTheirHandles) {
  const memory::desc rows = F32({2, 3}), columns = F32({2, 3}, {1, 2});
  const memory data(rows, gpu), other(rows, gpu), again(columns, gpu, data.get_data_handle());
  stream on_gpu(gpu);
  const auto run = [&](const memory::desc& to, const memory& dst) {
    return Refusal([&] {
      reorder(pd(gpu, rows, gpu, to))
          .dnnl::primitive::execute(on_gpu, {{DNNL_ARG_FROM, data}, {DNNL_ARG_TO, dst}});
      on_gpu.wait();
    });
  };
  EXPECT_NE(run(columns, data), "");
  EXPECT_NE(run(columns, again), "");
  EXPECT_EQ(run(columns, other), "");
  EXPECT_EQ(run(rows, data), "");
}

// A device maps a copy, which goes back when it is unmapped; on the host mapping is nothing.
TEST_F(Buffers, WhatIsMappedFromADeviceIsNotExecutedOn) {
  const memory::desc rows = F32({2, 3});
  const memory from(rows, gpu), to(rows, gpu), here(rows, cpu), there(rows, cpu);
  stream on_gpu(gpu);
  const reorder copy(pd(gpu, rows, gpu, rows));
  const auto run = [&] {
    return Refusal([&] {
      copy.dnnl::primitive::execute(on_gpu, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
      on_gpu.wait();
    });
  };
  void* const mapped = to.map_data();
  EXPECT_EQ(to.map_data(), mapped);
  EXPECT_EQ(run(),
            "invalid_arguments: reorder::execute: the memory of DNNL_ARG_DST is mapped (MEM-022)");
  to.unmap_data(mapped);
  EXPECT_NE(run(), "");
  to.unmap_data(mapped);
  EXPECT_EQ(run(), "");
  void* const source = from.map_data();
  EXPECT_NE(run(), "");
  from.unmap_data(source);
  void* const host = there.map_data();
  EXPECT_EQ(Run(pd(cpu, rows, cpu, rows), here, there), "");
  there.unmap_data(host);
}

TEST_F(Buffers, ARegionGoesToAnotherDevice) {
  Floats host(6);
  std::iota(host.begin(), host.end(), 0.f);
  const memory from = On(F32({2, 3}), &host), to(F32({5}), gpu);
  const memory::desc column = F32({2, 3}).submemory_desc({2, 1}, {0, 1});
  const memory::desc spread = F32({2, 1}, {4, 1});  // all 5 elements, and no more
  stream on_gpu(gpu);
  for (const bool direct : {false, true}) {
    fake::controls().gpu_transfers = direct;
    reorder(pd(cpu, column, gpu, spread))
        .dnnl::primitive::execute(on_gpu, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
    on_gpu.wait();
    float* const mapped = to.map_data<float>();
    EXPECT_EQ(mapped[0], 1);
    EXPECT_EQ(mapped[4], 4);
    to.unmap_data(mapped);
  }
}

}  // namespace
