// What every primitive has in common: queries, arguments, scratchpads, lifetimes.
#include "oneapi/dnnl/model/primitive.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/fake/fake.h"
#include "api/fake/refusal.h"
#include "oneapi/dnnl/model/primitive_desc.hpp"
#include "oneapi/dnnl/reorder/reorder.hpp"
#include "oneapi/dnnl/shuffle/shuffle.hpp"

namespace {

using dnnl::engine;
using dnnl::memory;
using dnnl::primitive;
using dnnl::primitive_attr;
using dnnl::query;
using dnnl::reorder;
using dnnl::scratchpad_mode;
using dnnl::shuffle_forward;
using dnnl::stream;
using fake::counts;
using fake::Refusal;
using dt = memory::data_type;
using tag = memory::format_tag;
using Args = std::unordered_map<int, memory>;

class Primitive : public testing::Test {
 protected:
  Primitive() { fake::Reset(); }
  ~Primitive() override { fake::Reset(); }

  shuffle_forward::primitive_desc Shuffle(const engine& on, scratchpad_mode mode) {
    primitive_attr attr;
    attr.set_scratchpad_mode(mode);
    return {shuffle_forward::desc(dnnl::prop_kind::forward, six, 0, 2), on, attr};
  }

  const engine cpu{engine::kind::cpu, 0};
  stream queue{cpu};
  const memory::desc six{{6}, dt::u8, tag::a};
  memory src{six, cpu}, dst{six, cpu};
};

TEST_F(Primitive, RefusesWrongArgumentsBeforeAnythingRuns) {
  const primitive shuffle(Shuffle(cpu, scratchpad_mode::library));
  const memory six_f32(memory::desc({6}, dt::f32, tag::a), cpu), none(six, cpu, nullptr),
      five(memory::desc({5}, dt::u8, tag::a), cpu), elsewhere(six, engine(engine::kind::gpu, 0));
  const auto refusal = [&](const Args& args) {
    return Refusal([&] { shuffle.execute(queue, args); });
  };
  EXPECT_EQ(refusal({{DNNL_ARG_SRC, src}}),
            "invalid_arguments: shuffle::execute: DNNL_ARG_DST is missing; given: "
            "DNNL_ARG_SRC (PRIM-035)");
  EXPECT_EQ(refusal({{DNNL_ARG_DST, dst}, {DNNL_ARG_SRC, memory()}}),
            "invalid_arguments: shuffle::execute: DNNL_ARG_SRC is missing; given: "
            "DNNL_ARG_DST (PRIM-035)");
  EXPECT_EQ(refusal({{DNNL_ARG_FROM, src}, {DNNL_ARG_DST_1, dst}, {DNNL_ARG_BIAS, memory()}}),
            "invalid_arguments: shuffle::execute: DNNL_ARG_DST is missing; given: DNNL_ARG_SRC, "
            "DNNL_ARG_DST_1 (PRIM-035)");
  EXPECT_EQ(refusal({}),
            "invalid_arguments: shuffle::execute: DNNL_ARG_SRC is missing; none was "
            "given (PRIM-035)");
  EXPECT_EQ(
      refusal({{DNNL_ARG_SRC, six_f32}, {DNNL_ARG_DST, dst}}),
      "invalid_arguments: shuffle::execute: the memory of DNNL_ARG_SRC is f32 6 s1, not u8 6 s1 "
      "(PRIM-033)");
  EXPECT_EQ(
      refusal({{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, five}}),
      "invalid_arguments: shuffle::execute: the memory of DNNL_ARG_DST, u8 5 s1, has 5 bytes, and "
      "u8 6 s1 needs 6 (PRIM-033)");
  EXPECT_EQ(
      refusal({{DNNL_ARG_SRC, none}, {DNNL_ARG_DST, dst}}),
      "invalid_arguments: shuffle::execute: the memory of DNNL_ARG_SRC has no buffer (MEM-030)");
  EXPECT_EQ(refusal({{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, elsewhere}}),
            "invalid_arguments: shuffle::execute: the memory of DNNL_ARG_DST is on another device "
            "than its side of the primitive (ENG-010)");
  EXPECT_EQ(counts().executions, 0);
  EXPECT_EQ(refusal({{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}, {DNNL_ARG_BIAS, none}}), "");
  EXPECT_EQ(refusal({{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}, {DNNL_ARG_BIAS, memory()}}), "");
  EXPECT_EQ(counts().executions, 2);
}

TEST_F(Primitive, FindsItsArgumentsAmongFewAndAmongMany) {
  const primitive shuffle(Shuffle(cpu, scratchpad_mode::library));
  for (const int others : {0, 6, 7, 40}) {
    Args args;
    for (int i = 0; i < others; ++i) args.emplace(1000 + i, memory());
    args.emplace(DNNL_ARG_DST, dst);
    EXPECT_EQ(Refusal([&] { shuffle.execute(queue, args); }),
              "invalid_arguments: shuffle::execute: DNNL_ARG_SRC is missing; given: DNNL_ARG_DST "
              "(PRIM-035)")
        << others;
    args.emplace(DNNL_ARG_SRC, src);
    EXPECT_EQ(Refusal([&] { shuffle.execute(queue, args); }), "") << others;
  }
}

TEST_F(Primitive, WantsAStreamOfItsEngine) {
  const primitive shuffle(Shuffle(cpu, scratchpad_mode::library));
  const Args args = {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}};
  EXPECT_EQ(Refusal([&] { shuffle.execute(stream(engine(engine::kind::gpu, 0)), args); }),
            "invalid_arguments: shuffle::execute: the stream is of another engine (STR-009)");
  EXPECT_EQ(Refusal([&] { shuffle.execute(stream(engine(engine::kind::cpu, 0)), args); }), "");
  EXPECT_EQ(Refusal([&] { shuffle.execute(stream(), args); }),
            "invalid_arguments: primitive::execute: the stream is empty (ERR-011)");
}

TEST_F(Primitive, EmptyIsGoodForNothing) {
  const primitive empty;
  EXPECT_FALSE(empty);
  EXPECT_EQ(Refusal([&] { empty.get_kind(); }),
            "invalid_arguments: primitive::get_kind: the primitive is empty (ERR-011)");
  EXPECT_EQ(Refusal([&] { empty.execute(queue, {}); }),
            "invalid_arguments: primitive::execute: the primitive is empty (ERR-011)");
  EXPECT_NE(Refusal([&] { primitive{dnnl::primitive_desc_base()}; }), "");

  dnnl::primitive_desc none;
  EXPECT_FALSE(none);
  EXPECT_EQ(Refusal([&] { none.next_impl(); }),
            "invalid_arguments: primitive_desc_base::next_impl: the primitive descriptor is empty "
            "(ERR-011)");
  EXPECT_NE(Refusal([&] { none.get_engine(); }), "");
  EXPECT_NE(Refusal([&] { none.impl_info_str(); }), "");
  EXPECT_NE(Refusal([&] { none.query_s64(query::memory_consumption_s64); }), "");
  EXPECT_NE(Refusal([&] { none.query_md(query::src_md); }), "");
  EXPECT_NE(Refusal([&] { none.scratchpad_engine(); }), "");
  EXPECT_NE(Refusal([&] { none.get_primitive_attr(); }), "");
  EXPECT_NE(Refusal([&] { none.get_kind(); }), "");
}

TEST_F(Primitive, RefusesQueriesOfTheWrongType) {
  const auto pd = Shuffle(cpu, scratchpad_mode::library);
  for (int number = -1; number < 300; ++number) {
    const query what = static_cast<query>(number);
    const bool of_md = (number >= 129 && number <= 136) || number == 255;
    EXPECT_EQ(Refusal([&] { pd.query_md(what, 0); }).empty(), of_md) << number;
    EXPECT_EQ(Refusal([&] { pd.query_s64(what); }).empty(), number == 6) << number;
  }
}

TEST_F(Primitive, TakesItsScratchpadFromTheStreamOrTheCaller) {
  fake::controls().scratchpad_bytes = 100;
  const auto own = Shuffle(cpu, scratchpad_mode::library);
  EXPECT_TRUE(own.scratchpad_desc().is_zero());
  EXPECT_EQ(own.query_s64(query::memory_consumption_s64), 100);
  const auto users = Shuffle(cpu, scratchpad_mode::user);
  EXPECT_EQ(users.scratchpad_desc().get_size(), 100u);
  EXPECT_EQ(users.query_md(query::exec_arg_md, DNNL_ARG_SCRATCHPAD), users.scratchpad_desc());
  EXPECT_EQ(users.query_s64(query::memory_consumption_s64), 0);
  EXPECT_EQ(users.scratchpad_engine(), cpu);
  EXPECT_EQ(users.get_primitive_attr().get_scratchpad_mode(), scratchpad_mode::user);

  const primitive a(own), b(own), c(users);
  const Args two = {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}};
  Args three = two;
  three[DNNL_ARG_SCRATCHPAD] = memory(users.scratchpad_desc(), cpu);
  const int before = counts().live_buffers;
  for (const primitive& each : {a, b, a}) EXPECT_EQ(Refusal([&] { each.execute(queue, two); }), "");
  EXPECT_EQ(counts().live_buffers, before + 1);
  EXPECT_EQ(Refusal([&] { c.execute(queue, two); }),
            "invalid_arguments: shuffle::execute: DNNL_ARG_SCRATCHPAD is missing; given: "
            "DNNL_ARG_SRC, DNNL_ARG_DST (PRIM-035)");
  EXPECT_EQ(Refusal([&] { c.execute(queue, three); }), "");

  fake::controls().allocation_status = absl::ResourceExhaustedError("full");
  EXPECT_EQ(Refusal([&] { a.execute(queue, two); }), "");
  stream another(cpu);
  EXPECT_EQ(Refusal([&] { a.execute(another, two); }),
            "out_of_memory: shuffle::execute: allocating 100 bytes of scratchpad: full");
  EXPECT_EQ(Refusal([&] { c.execute(another, three); }), "");
}

TEST_F(Primitive, HasAsMuchScratchpadAsTheLargestOnItsStream) {
  const Args args = {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}};
  std::vector<primitive> sizes;
  for (const size_t bytes : {10, 1000, 100}) {
    fake::controls().scratchpad_bytes = bytes;  // the plan fills it, up to its end
    sizes.emplace_back(Shuffle(cpu, scratchpad_mode::library));
  }
  const int before = counts().live_buffers, allocations = counts().allocations;
  {
    stream one(cpu), two(cpu);
    for (const primitive& each : sizes) each.execute(one, args);
    EXPECT_EQ(counts().allocations, allocations + 2);
    EXPECT_EQ(counts().live_buffers, before + 1);
    sizes[2].execute(two, args);
    EXPECT_EQ(counts().allocations, allocations + 3);
    EXPECT_EQ(counts().live_buffers, before + 2);
  }
  EXPECT_EQ(counts().live_buffers, before);
}

// What is submitted and not done keeps the scratchpad that it was given.
TEST_F(Primitive, LeavesWorkInFlightItsScratchpad) {
  const engine gpu(engine::kind::gpu, 0);
  const memory from(six, gpu), to(six, gpu);
  const Args args = {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}};
  stream queue_of_gpu(gpu);
  const int before = counts().live_buffers;
  for (const size_t bytes : {10, 1000}) {
    fake::controls().scratchpad_bytes = bytes;
    primitive(Shuffle(gpu, scratchpad_mode::library)).execute(queue_of_gpu, args);
  }
  EXPECT_EQ(counts().live_buffers, before + 2);
  queue_of_gpu.wait();
  EXPECT_EQ(counts().live_buffers, before + 1);
}

TEST_F(Primitive, NeedsNoScratchpadWhereNoneIsWanted) {
  fake::controls().scratchpad_bytes = 0;
  const auto pd = Shuffle(cpu, scratchpad_mode::user);
  EXPECT_TRUE(pd.scratchpad_desc().is_zero());
  EXPECT_EQ(Refusal([&] {
              primitive(pd).execute(queue, {{DNNL_ARG_SRC, src},
                                            {DNNL_ARG_DST, dst},
                                            {DNNL_ARG_SCRATCHPAD, memory(memory::desc(), cpu)}});
            }),
            "");
}

TEST_F(Primitive, GoesThroughTheImplementations) {
  fake::controls().candidates = 3;
  auto pd = Shuffle(cpu, scratchpad_mode::library);
  const auto first = pd;
  EXPECT_STREQ(pd.impl_info_str(), "cpu:fake0");
  EXPECT_TRUE(pd.next_impl());
  EXPECT_TRUE(pd.next_impl());
  EXPECT_STREQ(pd.impl_info_str(), "cpu:fake2");
  EXPECT_FALSE(pd.next_impl());
  EXPECT_FALSE(pd.next_impl());
  EXPECT_STREQ(pd.impl_info_str(), "cpu:fake2");
  EXPECT_EQ(pd.src_desc(), six);
  EXPECT_STREQ(first.impl_info_str(), "cpu:fake0");
  EXPECT_NE(pd, first);
  EXPECT_EQ(Refusal([&] {
              primitive(pd).execute(queue, {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}});
            }),
            "");
  fake::controls().plan_status = absl::InternalError("device lost");
  auto failing = first;
  EXPECT_EQ(Refusal([&] { failing.next_impl(); }), "runtime_error: device lost");
  EXPECT_EQ(failing, first);
}

TEST_F(Primitive, KeepsASnapshotOfItsAttributes) {
  primitive_attr attr;
  attr.set_output_scales(0, {2.f});
  reorder::primitive_desc pd(cpu, six, cpu, six, attr);
  attr.set_output_scales(0, {3.f});
  primitive_attr got = pd.get_primitive_attr();
  int mask;
  std::vector<float> scales;
  got.get_output_scales(mask, scales);
  EXPECT_EQ(scales, std::vector<float>{2.f});
  got.set_output_scales(0, {4.f});
  pd.get_primitive_attr().get_output_scales(mask, scales);
  EXPECT_EQ(scales, std::vector<float>{2.f});
}

TEST_F(Primitive, SlicedKeepsWorking) {
  const reorder copy(src, dst);
  const primitive sliced = copy;
  EXPECT_EQ(sliced.get_kind(), primitive::kind::reorder);
  EXPECT_EQ(sliced, copy);
  EXPECT_NE(sliced, primitive(reorder::primitive_desc(src, dst)));
  std::memset(src.get_data_handle(), 7, 6);
  sliced.execute(queue, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}});
  EXPECT_EQ(std::memcmp(src.get_data_handle(), dst.get_data_handle(), 6), 0);
  const dnnl::primitive_desc_base base = reorder::primitive_desc(src, dst);
  EXPECT_EQ(base.src_desc(), six);
  for (int index : {1, -1, std::numeric_limits<int>::min()})
    EXPECT_EQ(base.src_desc(index), memory::desc()) << index;
  EXPECT_TRUE(primitive(base));
}

TEST(Lifetime, NothingIsLostWhenHandlesGoBeforeTheWait) {
  fake::Reset();
  const memory::desc six({6}, dt::u8, tag::a);
  {
    memory dst(six, engine(engine::kind::gpu, 0));
    {
      const engine gpu(engine::kind::gpu, 0);
      memory src(six, gpu), middle(six, gpu);
      auto* const bytes = src.map_data<unsigned char>();
      for (unsigned char i = 0; i < 6; ++i) bytes[i] = i;
      src.unmap_data(bytes);
      stream queue(gpu);
      const shuffle_forward::desc d(dnnl::prop_kind::forward, six, 0, 2);
      reorder(src, middle).execute(queue, src, middle);
      shuffle_forward(shuffle_forward::primitive_desc(d, gpu))
          .execute(queue, {{DNNL_ARG_SRC, middle}, {DNNL_ARG_DST, dst}});
    }
    const auto* const bytes = dst.map_data<unsigned char>();
    const std::vector<int> got(bytes, bytes + 6);
    dst.unmap_data(const_cast<unsigned char*>(bytes));
    EXPECT_EQ(got, (std::vector<int>{0, 2, 4, 1, 3, 5}));
    EXPECT_EQ(counts().live_plans, 0);
    EXPECT_EQ(counts().live_buffers, 1);
  }
  EXPECT_EQ(counts().live_buffers, 0);
  EXPECT_EQ(counts().live_engines, 0);
}

TEST(Lifetime, EachObjectKeepsWhatItNeeds) {
  fake::Reset();
  const memory::desc six({6}, dt::u8, tag::a);
  std::unique_ptr<primitive> copy;
  {
    const engine cpu(engine::kind::cpu, 0);
    const reorder::primitive_desc pd(cpu, six, cpu, six, primitive_attr());
    copy = std::make_unique<primitive>(pd);
  }
  EXPECT_EQ(counts().live_engines, 1);
  {
    const engine cpu(engine::kind::cpu, 0);
    const memory src(six, cpu), dst(six, cpu);
    stream queue(cpu);
    copy->execute(queue, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}});
  }
  EXPECT_EQ(counts().executions, 1);
  copy.reset();
  EXPECT_EQ(counts().live_engines + counts().live_plans, 0);
}

TEST(Threads, DifferentObjectsAreIndependent) {
  fake::Reset();
  const auto work = [](unsigned char seed) {
    const memory::desc md({3, 4}, dt::u8, tag::ab), turned({3, 4}, dt::u8, tag::ba);
    for (int i = 0; i < 50; ++i) {
      EXPECT_THROW(memory::desc({3}, dt::u8, tag::ab), dnnl::error);
      const engine cpu(engine::kind::cpu, 0);
      stream queue(cpu);
      memory src(md, cpu), middle(turned, cpu), dst(turned, cpu);
      auto* const in = static_cast<unsigned char*>(src.get_data_handle());
      for (unsigned char k = 0; k < 12; ++k) in[k] = static_cast<unsigned char>(seed + k);
      reorder(src, middle).execute(queue, src, middle);
      const shuffle_forward::primitive_desc pd(
          shuffle_forward::desc(dnnl::prop_kind::forward, turned, 1, 2), cpu);
      EXPECT_STREQ(pd.impl_info_str(), "cpu:fake0");
      shuffle_forward(pd).execute(queue, {{DNNL_ARG_SRC, middle}, {DNNL_ARG_DST, dst}});
      queue.wait();
      const auto* const out = static_cast<unsigned char*>(dst.get_data_handle());
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column)
          EXPECT_EQ(out[column * 3 + row], in[row * 4 + column % 2 * 2 + column / 2]);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned char t = 0; t < 4; ++t) threads.emplace_back(work, t);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counts().executions, 4 * 50 * 2);
}

}  // namespace
