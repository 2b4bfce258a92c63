// PRIM-049: equal requests share what was made, and different ones do not.
#include "api/model/primitive_cache.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "api/fake/fake.h"
#include "api/model/primitive_state.h"
#include "oneapi/dnnl/model/primitive_desc.hpp"
#include "oneapi/dnnl/model/service.hpp"
#include "oneapi/dnnl/reorder/reorder.hpp"
#include "oneapi/dnnl/shuffle/shuffle.hpp"

namespace {

using dnnl::engine;
using dnnl::memory;
using dnnl::primitive;
using dnnl::primitive_attr;
using dnnl::reorder;
using dnnl::shuffle_backward;
using dnnl::shuffle_forward;
using fake::counts;
using dt = memory::data_type;
using tag = memory::format_tag;

class PrimitiveCache : public testing::Test {
 protected:
  PrimitiveCache() {
    dnnl::set_primitive_cache_capacity(0);
    dnnl::set_primitive_cache_capacity(256);
    fake::Reset();
    fake::controls().plans_may_be_kept = true;
  }
  ~PrimitiveCache() override {
    fake::Reset();
    dnnl::set_primitive_cache_capacity(0);  // what is kept keeps engines
    EXPECT_EQ(counts().live_plans, 0);
  }

  // From row-major f32.
  reorder::primitive_desc Reorder(tag to, const primitive_attr& attr = {}) {
    return {cpu, rows, cpu, memory::desc({4, 4}, dt::f32, to), attr};
  }
  static primitive_attr Attr(const std::function<void(primitive_attr&)>& set) {
    primitive_attr attr;
    set(attr);
    return attr;
  }
  static primitive_attr Chain(const std::function<void(dnnl::post_ops&)>& append) {
    dnnl::post_ops ops;
    append(ops);
    return Attr([&](primitive_attr& attr) { attr.set_post_ops(ops); });
  }

  const engine cpu{engine::kind::cpu, 0};
  const memory::desc rows{{4, 4}, dt::f32, tag::ab};
};

TEST_F(PrimitiveCache, GivesWhatWasMadeOfAnEqualRequest) {
  const reorder::primitive_desc first = Reorder(tag::ba), second = Reorder(tag::ba);
  EXPECT_EQ(counts().plans, 1);
  EXPECT_EQ(first.get()->computation, second.get()->computation);
  EXPECT_EQ(first.get_src_engine(), cpu);
}

// OBJ-015.
TEST_F(PrimitiveCache, GivesHandlesOfTheirOwn) {
  const reorder::primitive_desc first = Reorder(tag::ba), second = Reorder(tag::ba);
  EXPECT_NE(first, second);
  const primitive one(first), other(first);
  EXPECT_NE(one, other);
}

TEST_F(PrimitiveCache, KeepsWhatNobodyElseHas) {
  { const primitive gone(Reorder(tag::ba)); }
  EXPECT_EQ(counts().live_plans, 1);
  memory src(rows, cpu), dst(memory::desc({4, 4}, dt::f32, tag::ba), cpu);
  auto* const from = static_cast<float*>(src.get_data_handle());
  for (int i = 0; i < 16; ++i) from[i] = static_cast<float>(i);
  dnnl::stream queue(cpu);
  reorder(Reorder(tag::ba)).execute(queue, src, dst);
  EXPECT_EQ(counts().plans, 1);
  EXPECT_EQ(static_cast<const float*>(dst.get_data_handle())[1], 4.f);
}

TEST_F(PrimitiveCache, TellsApartWhatDiffersInOneThing) {
  using A = primitive_attr;
  using P = dnnl::post_ops;
  const auto user = dnnl::scratchpad_mode::user;
  std::vector<A> attributes = {
      A(),
      Attr([&](A& a) { a.set_scratchpad_mode(user); }),
      Attr([](A& a) { a.set_output_scales(0, {2.f}); }),
      Attr([](A& a) { a.set_output_scales(0, {3.f}); }),
      Attr([](A& a) {
        a.set_output_scales(1, {1.f, 1.f, 1.f, 1.f});
      }),
      Attr([](A& a) {
        a.set_output_scales(2, {1.f, 1.f, 1.f, 1.f});
      }),
      Attr([](A& a) {
        a.set_output_scales(2, {1.f, 1.f, 1.f, 2.f});
      }),
      Attr([](A& a) { a.set_zero_points(DNNL_ARG_SRC, 0, {1}); }),
      Attr([](A& a) { a.set_zero_points(DNNL_ARG_SRC, 0, {2}); }),
      Attr([](A& a) { a.set_zero_points(DNNL_ARG_DST, 0, {1}); }),
      Chain([](P& ops) { ops.append_sum(1.f); }),
      Chain([](P& ops) { ops.append_sum(2.f); }),
      Chain([](P& ops) { ops.append_sum(0.f); }),
      Chain([](P& ops) { ops.append_sum(-0.f); }),
      Chain([](P& ops) { ops.append_sum(1.f, dt::s32); }),
  };
  std::vector<reorder::primitive_desc> made, again;
  for (auto* const all : {&made, &again}) {
    for (const A& attr : attributes) all->push_back(Reorder(tag::ba, attr));
    all->push_back(Reorder(tag::ab));
    all->emplace_back(cpu, rows, cpu, memory::desc({4, 4}, dt::s32, tag::ba));
    all->emplace_back(cpu, rows, cpu, memory::desc({4, 4}, dt::f32, memory::dims{1, 5}));
    all->emplace_back(cpu, memory::desc({4, 4}, dt::f32, memory::dims{0, 1}), cpu, rows);
  }
  for (size_t i = 0; i < made.size(); ++i)
    for (size_t j = 0; j < made.size(); ++j)
      EXPECT_EQ(made[i].get()->computation == again[j].get()->computation, i == j) << i << " " << j;
  EXPECT_EQ(counts().plans, static_cast<int>(made.size()));
}

// What only a query tells is told all the same.
TEST_F(PrimitiveCache, GivesTheAttributesThatWereAskedFor) {
  const auto fpmath = [&](dnnl::fpmath_mode mode) {
    return Reorder(tag::ba, Attr([&](primitive_attr& attr) { attr.set_fpmath_mode(mode); }))
        .get_primitive_attr()
        .get_fpmath_mode();
  };
  EXPECT_EQ(fpmath(dnnl::fpmath_mode::bf16), dnnl::fpmath_mode::bf16);
  EXPECT_EQ(fpmath(dnnl::fpmath_mode::strict), dnnl::fpmath_mode::strict);
  EXPECT_EQ(fpmath(dnnl::fpmath_mode::any), dnnl::fpmath_mode::any);
}

TEST_F(PrimitiveCache, TellsDirectionsAndParametersApart) {
  const auto forward = [&](dnnl::prop_kind prop, int axis, int group) {
    return shuffle_forward::primitive_desc(shuffle_forward::desc(prop, rows, axis, group), cpu);
  };
  const auto training = dnnl::prop_kind::forward_training;
  const auto first = forward(training, 0, 2);
  forward(training, 1, 2);
  forward(training, 0, 4);
  forward(dnnl::prop_kind::forward_inference, 0, 2);
  EXPECT_EQ(counts().plans, 4);
  forward(training, 0, 2);
  EXPECT_EQ(counts().plans, 4);
  const shuffle_backward::primitive_desc back(shuffle_backward::desc(rows, 0, 2), cpu, first);
  EXPECT_EQ(counts().plans, 5);
}

// As where a program makes an engine for each operator. OBJ-015: each tells its own all the same.
TEST_F(PrimitiveCache, ServesEveryEngineOfADevice) {
  const memory::desc columns({4, 4}, dt::f32, tag::ba);
  reorder::primitive_desc(engine(engine::kind::cpu, 0), rows, engine(engine::kind::cpu, 0),
                          columns);
  const engine again(engine::kind::cpu, 0);
  const reorder::primitive_desc one(cpu, rows, cpu, columns), other(again, rows, again, columns),
      between(cpu, rows, again, columns), back(again, rows, cpu, columns);
  EXPECT_EQ(counts().plans, 1);
  EXPECT_EQ(one.get()->computation, between.get()->computation);
  const auto expect = [](const reorder::primitive_desc& pd, const engine& src, const engine& dst) {
    EXPECT_EQ(pd.get_engine(), src);
    EXPECT_EQ(pd.scratchpad_engine(), src);
    EXPECT_EQ(engine(pd), src);
    EXPECT_EQ(pd.get_src_engine(), src);
    EXPECT_EQ(pd.get_dst_engine(), dst);
  };
  expect(one, cpu, cpu);
  expect(other, again, again);
  expect(between, cpu, again);
  expect(back, again, cpu);
  EXPECT_NE(cpu, again);
}

TEST_F(PrimitiveCache, TellsDevicesApart) {
  fake::controls().gpu_plans_may_be_kept = true;
  fake::controls().gpu_transfers = true;
  const engine first(engine::kind::gpu, 0), second(engine::kind::gpu, 1);
  const memory::desc columns({4, 4}, dt::f32, tag::ba);
  const reorder::primitive_desc one(first, rows, first, columns),
      other(second, rows, second, columns), between(first, rows, second, columns),
      back(second, rows, first, columns);
  const std::set<const void*> made = {one.get()->computation.get(), other.get()->computation.get(),
                                      between.get()->computation.get(),
                                      back.get()->computation.get()};
  EXPECT_EQ(made.size(), 4u);
}

TEST_F(PrimitiveCache, ForgetsWhatWasUsedLongestAgo) {
  dnnl::set_primitive_cache_capacity(2);
  const auto make = [&](int64_t rows_apart) {
    const int before = counts().plans;
    const memory::desc apart({4, 4}, dt::f32, memory::dims{rows_apart, 1});
    const primitive made(reorder::primitive_desc(cpu, rows, cpu, apart));
    return counts().plans - before;
  };
  EXPECT_EQ(make(5), 1);
  EXPECT_EQ(make(6), 1);
  EXPECT_EQ(make(5), 0);
  EXPECT_EQ(make(7), 1);
  EXPECT_EQ(counts().live_plans, 2);
  EXPECT_EQ(make(5), 0);
  EXPECT_EQ(make(6), 1);
  dnnl::set_primitive_cache_capacity(1);
  EXPECT_EQ(counts().live_plans, 1);
  EXPECT_EQ(make(6), 0);
}

TEST_F(PrimitiveCache, OfNoCapacityKeepsNothing) {
  dnnl::set_primitive_cache_capacity(0);
  const reorder::primitive_desc first = Reorder(tag::ba), second = Reorder(tag::ba);
  EXPECT_EQ(counts().plans, 2);
  EXPECT_EQ(counts().live_plans, 2);
}

TEST_F(PrimitiveCache, LeavesAPrimitiveThatIsInUse) {
  const reorder::primitive_desc held = Reorder(tag::ba);
  dnnl::set_primitive_cache_capacity(0);
  EXPECT_EQ(counts().live_plans, 1);
  const primitive made(held);
  EXPECT_EQ(made.get_kind(), primitive::kind::reorder);
}

TEST_F(PrimitiveCache, KeepsNothingOfEnginesThatMustEnd) {
  fake::controls().plans_may_be_kept = false;
  Reorder(tag::ba);
  EXPECT_EQ(counts().live_plans, 0);
  fake::controls().plans_may_be_kept = true;
  fake::controls().gpu_transfers = true;
  const engine gpu(engine::kind::gpu, 0);
  { const reorder::primitive_desc across(cpu, rows, gpu, rows); }
  EXPECT_EQ(counts().live_plans, 0);
}

// Of which it would be many megabytes.
TEST_F(PrimitiveCache, KeepsNoLongScales) {
  const memory::desc line({5000}, dt::f32, tag::a);
  const auto attr =
      Attr([](primitive_attr& a) { a.set_output_scales(1, std::vector<float>(5000, 2.f)); });
  { const reorder::primitive_desc scaled(cpu, line, cpu, line, attr); }
  EXPECT_EQ(counts().live_plans, 0);
}

TEST_F(PrimitiveCache, ServesAChildOfAnyMoment) {
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) Reorder(tag::ba);
  });
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(30);
      Reorder(tag::ba);
      dnnl::set_primitive_cache_capacity(0);
      _exit(0);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << i;
  }
  stop = true;
  busy.join();
}

TEST_F(PrimitiveCache, KeepsNoFailure) {
  fake::controls().plan_status = absl::ResourceExhaustedError("no plan");
  EXPECT_THROW(Reorder(tag::ba), dnnl::error);
  fake::controls().plan_status = absl::OkStatus();
  EXPECT_TRUE(Reorder(tag::ba));
}

TEST_F(PrimitiveCache, ServesThreadsAtOnce) {
  dnnl::set_primitive_cache_capacity(3);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int64_t i = 0; i < 500; ++i) {
        const int64_t rows_apart = 4 + (i * (t + 1)) % 5;
        const memory::desc apart({4, 4}, dt::f32, memory::dims{rows_apart, 1});
        const reorder::primitive_desc pd(cpu, rows, cpu, apart);
        const primitive made(pd);
        ASSERT_EQ(pd.dst_desc(), apart);
        if (i % 100 == 0) dnnl::set_primitive_cache_capacity(static_cast<int>(i / 100));
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
