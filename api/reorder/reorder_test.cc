#include "oneapi/dnnl/reorder/reorder.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "api/fake/fake.h"
#include "api/fake/refusal.h"
#include "api/fake/reorder_fixture.h"

namespace api {
namespace {

using dnnl::engine;
using dnnl::memory;
using dnnl::primitive_attr;
using dnnl::reorder;
using dnnl::stream;
using fake::counts;
using dt = memory::data_type;
using tag = memory::format_tag;

constexpr int64_t kRunTime = DNNL_RUNTIME_DIM_VAL;

TEST_F(Reorder, CopiesBetweenLayouts) {
  std::vector<float> in = {0, 1, 2, 3, 4, 5}, out(6);
  memory src(rows, cpu, in.data()), dst(columns, cpu, out.data());
  reorder(src, dst).execute(queue, src, dst);
  queue.wait();
  EXPECT_EQ(out, (std::vector<float>{0, 3, 1, 4, 2, 5}));
  reorder(pd(cpu, columns, cpu, rows))
      .execute(queue, {{DNNL_ARG_TO, src}, {DNNL_ARG_FROM, dst}, {DNNL_ARG_BIAS, dst}});
  EXPECT_EQ(in, (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

TEST_F(Reorder, AnswersQueries) {
  const pd made(cpu, rows, cpu, columns);
  EXPECT_EQ(made.get_kind(), dnnl::primitive::kind::reorder);
  EXPECT_EQ(made.src_desc(), rows);
  EXPECT_EQ(made.dst_desc(0), columns);
  EXPECT_EQ(made.src_desc(1), memory::desc());
  EXPECT_EQ(made.weights_desc(), memory::desc());
  EXPECT_EQ(made.query_md(dnnl::query::exec_arg_md, DNNL_ARG_FROM), rows);
  EXPECT_EQ(made.query_md(dnnl::query::exec_arg_md, DNNL_ARG_TO), columns);
  EXPECT_EQ(made.query_md(dnnl::query::exec_arg_md, DNNL_ARG_BIAS), memory::desc());
  EXPECT_EQ(made.query_md(dnnl::query::src_md, -1), memory::desc());
  EXPECT_EQ(made.get_engine(), cpu);
  EXPECT_EQ(made.get_src_engine(), cpu);
  EXPECT_EQ(made.get_dst_engine(), cpu);
  EXPECT_EQ(made.scratchpad_engine(), cpu);
  EXPECT_STREQ(made.impl_info_str(), "cpu:fake0");
  EXPECT_EQ(made.impl_info_str(), pd(made).impl_info_str());
  EXPECT_EQ(reorder(made).get_kind(), dnnl::primitive::kind::reorder);
}

TEST_F(Reorder, RefusesOtherShapes) {
  EXPECT_EQ(Refusal(rows, columns), "");
  EXPECT_EQ(Refusal(rows, memory::desc({3, 2}, dt::f32, tag::ab)),
            "invalid_arguments: reorder: src.dims[0] = 2 is not dst.dims[0] = 3 (REO-011)");
  EXPECT_EQ(Refusal(rows, memory::desc({6}, dt::f32, tag::a)),
            "invalid_arguments: reorder: src.rank = 2 is not dst.rank = 1 (REO-011)");
  EXPECT_EQ(Refusal(memory::desc({1, 3}, dt::f32, tag::ab), rows),
            "invalid_arguments: reorder: src.dims[0] = 1 is not dst.dims[0] = 2 (REO-012)");
  EXPECT_EQ(Refusal(memory::desc({2, 3}, dt::f32, memory::dims{0, 1}), rows), "");
  EXPECT_NE(Refusal(rows, memory::desc({2, 3}, dt::f32, memory::dims{0, 1})), "");
}

TEST_F(Reorder, WantsTwoLayouts) {
  const memory::desc any({2, 3}, dt::f32, tag::any);
  EXPECT_EQ(Refusal(any, rows),
            "invalid_arguments: reorder: src_md is `any` and has no layout (REO-022)");
  EXPECT_EQ(Refusal(rows, any),
            "invalid_arguments: reorder: dst_md is `any` and has no layout (REO-022)");
  EXPECT_EQ(Refusal(memory::desc(), rows), "invalid_arguments: reorder: src_md is zero (REO-023)");
  EXPECT_EQ(Refusal(rows, memory::desc()), "invalid_arguments: reorder: dst_md is zero (REO-023)");
  memory::desc broken = rows;
  broken.data.data_type = static_cast<dnnl_data_type_t>(12);
  EXPECT_EQ(Refusal(broken, rows),
            "invalid_arguments: reorder: src_md: data_type = 12 is not in [1, 6] (PRIM-018)");
}

TEST_F(Reorder, WantsLiveObjects) {
  const memory live(rows, cpu);
  EXPECT_EQ(fake::Refusal([&] { pd(engine(), rows, cpu, rows); }),
            "invalid_arguments: reorder: src_engine is empty (ERR-011)");
  EXPECT_EQ(fake::Refusal([&] { pd(cpu, rows, engine(), rows); }),
            "invalid_arguments: reorder: dst_engine is empty (ERR-011)");
  EXPECT_EQ(fake::Refusal([&] { pd(live, memory()); }),
            "invalid_arguments: reorder: dst is empty (ERR-011)");
  EXPECT_EQ(fake::Refusal([&] { reorder(memory(), live); }),
            "invalid_arguments: reorder: src is empty (ERR-011)");
  EXPECT_FALSE(pd(engine(), rows, cpu, rows, primitive_attr(), true));
  EXPECT_FALSE(pd(live, memory(), primitive_attr(), true));
}

TEST_F(Reorder, OfNoElementsTouchesNothing) {
  const memory::desc none({2, 0, 3}, dt::f32, tag::abc), other({2, 0, 3}, dt::s8, tag::cba);
  memory src(none, cpu, nullptr), dst(other, cpu, reinterpret_cast<void*>(1));
  primitive_attr attr;
  attr.set_output_scales(1 << 0, {1.f, 2.f});
  const pd made(src, dst, attr);
  EXPECT_STREQ(made.impl_info_str(), "cpu:no elements");
  reorder(made).execute(queue, src, dst);
  queue.wait();
  EXPECT_EQ(counts().plans + counts().executions, 0);
  attr.set_output_scales(1 << 0, {1.f});
  EXPECT_NE(Refusal(none, other, attr), "");
}

TEST_F(Reorder, FillsRunTimeShapesAtExecution) {
  const memory::desc any_rows({kRunTime, 3}, dt::f32, tag::ab);
  const memory::desc any_strides({kRunTime, 3}, dt::f32, memory::dims{kRunTime, kRunTime});
  const pd made(cpu, any_rows, cpu, any_strides);
  EXPECT_EQ(made.src_desc(), any_rows);
  EXPECT_STREQ(made.impl_info_str(), "cpu:run-time shapes");
  const reorder copy(made);
  for (int64_t n : {1, 2, 5}) {
    std::vector<float> in(static_cast<size_t>(3 * n)), out(in.size());
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    memory src(memory::desc({n, 3}, dt::f32, tag::ab), cpu, in.data());
    memory dst(memory::desc({n, 3}, dt::f32, tag::ba), cpu, out.data());
    copy.execute(queue, src, dst);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < 3; ++j) EXPECT_EQ(out[j * n + i], in[i * 3 + j]);
  }
  memory none(memory::desc({0, 3}, dt::f32, tag::ab), cpu, nullptr);
  EXPECT_NO_THROW(copy.execute(queue, none, none));
}

// Where nothing is known of the strides, nothing is known of the offset.
TEST_F(Reorder, ServesARegionWhereEveryStrideIsRunTime) {
  const memory::dims unknown = {kRunTime, kRunTime};
  const memory::desc anything(unknown, dt::f32, unknown), dense(unknown, dt::f32, tag::ab);
  const memory::desc region = memory::desc({4, 8}, dt::f32, tag::ab).submemory_desc({2, 3}, {1, 2});
  std::vector<float> in(32), out(6);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  memory src(region, cpu, in.data()), dst(rows, cpu, out.data());
  reorder(pd(cpu, anything, cpu, anything)).execute(queue, src, dst);
  EXPECT_EQ(out, (std::vector<float>{10, 11, 12, 18, 19, 20}));
  EXPECT_EQ(fake::Refusal([&] { reorder(pd(cpu, dense, cpu, anything)).execute(queue, src, dst); }),
            "invalid_arguments: reorder::execute: the memory of DNNL_ARG_SRC is f32 2x3 s8,1 o10, "
            "not f32 runtimexruntime sruntime,1 (PRIM-033)");
}

TEST_F(Reorder, ChecksRunTimeShapesAtExecution) {
  const memory::desc some({kRunTime, 3}, dt::f32, tag::ab);
  const reorder copy(pd(cpu, some, cpu, some));
  memory two(memory::desc({2, 3}, dt::f32, tag::ab), cpu),
      three(memory::desc({3, 3}, dt::f32, tag::ab), cpu),
      wide(memory::desc({2, 4}, dt::f32, tag::ab), cpu),
      strided(memory::desc({2, 3}, dt::f32, memory::dims{4, 1}), cpu);
  EXPECT_EQ(fake::Refusal([&] { copy.execute(queue, two, three); }),
            "invalid_arguments: reorder: src.dims[0] = 2 is not dst.dims[0] = 3 (REO-011)");
  EXPECT_NE(fake::Refusal([&] { copy.execute(queue, wide, wide); }), "");
  EXPECT_NE(fake::Refusal([&] { copy.execute(queue, two, strided); }), "");
  EXPECT_EQ(counts().executions, 0);
  EXPECT_EQ(fake::Refusal([&] { copy.execute(queue, two, two); }), "");
}

TEST_F(Reorder, RefusesARepeatedDestinationBesideRunTimeDims) {
  const memory::desc some({kRunTime, 3}, dt::f32, tag::ab);
  const auto repeats = [](int64_t n, int64_t outer, int64_t inner) {
    return memory::desc({n, 3}, dt::f32, memory::dims{outer, inner});
  };
  EXPECT_EQ(Refusal(some, repeats(kRunTime, 1, 0)),
            "invalid_arguments: reorder: dst.strides[1] = 0 repeats one element dst.dims[1] = 3 "
            "times (REO-015)");
  EXPECT_NE(Refusal(rows, repeats(kRunTime, 0, 1)), "");
  EXPECT_EQ(Refusal(some, repeats(kRunTime, 0, 1)), "");
  EXPECT_EQ(Refusal(repeats(kRunTime, 1, 0), some), "");
  EXPECT_EQ(Refusal(some, repeats(kRunTime, 3, 1)), "");
}

TEST_F(Reorder, RefusesRunTimeShapesThatNothingServes) {
  const memory::desc some({kRunTime, 3}, dt::f32, tag::ab);
  EXPECT_EQ(Refusal(some, rows), "");
  EXPECT_EQ(Refusal(some, memory::desc({2, 4}, dt::f32, tag::ab)),
            "invalid_arguments: reorder: src.dims[1] = 3 is not dst.dims[1] = 4 (REO-011)");
  EXPECT_NE(Refusal(some, memory::desc({2, 3, 1}, dt::f32, tag::abc)), "");
  primitive_attr attr;
  attr.set_output_scales(1 << 1, {1.f, 2.f});
  EXPECT_NE(Refusal(some, some, attr), "");
  attr.set_output_scales(1 << 1, {1.f, 2.f, 3.f});
  EXPECT_EQ(Refusal(some, some, attr), "");
  attr.set_output_scales(1 << 0, {1.f, 2.f});
  EXPECT_EQ(Refusal(some, some, attr), "");
  const reorder scale(pd(cpu, some, cpu, some, attr));
  memory two(rows, cpu), three(memory::desc({3, 3}, dt::f32, tag::ab), cpu);
  EXPECT_EQ(fake::Refusal([&] { scale.execute(queue, two, two); }), "");
  EXPECT_EQ(fake::Refusal([&] { scale.execute(queue, three, three); }),
            "invalid_arguments: reorder: output scales has 2 values for 3 of mask 1 (ATTR-024)");
  fake::controls().plan_status = absl::UnimplementedError("reorder: not here");
  EXPECT_EQ(Refusal(some, rows), "unimplemented: reorder: not here");
}

TEST_F(Reorder, RefusesDimsTooLongForAnyMemoryBesideRunTimeStrides) {
  const auto somewhere = [](const memory::dims& dims, dt type) {
    return memory::desc(dims, type, memory::dims(dims.size(), kRunTime));
  };
  constexpr int64_t kHalf = int64_t{1} << 31, kAll = int64_t{1} << 61;
  EXPECT_EQ(Refusal(somewhere({kAll}, dt::f32), somewhere({kAll}, dt::u8)),
            "invalid_arguments: reorder: src_md: the bytes of dims[0] to dims[0] do not fit 63 "
            "bits (MD-026)");
  EXPECT_EQ(Refusal(somewhere({kAll}, dt::u8), somewhere({kAll}, dt::f32)),
            "invalid_arguments: reorder: dst_md: the bytes of dims[0] to dims[0] do not fit 63 "
            "bits (MD-026)");
  EXPECT_NE(Refusal(somewhere({kHalf, kHalf}, dt::f32), somewhere({kHalf, kHalf}, dt::f32)), "");
  EXPECT_EQ(Refusal(somewhere({kHalf, kHalf}, dt::u8), somewhere({kHalf, kHalf}, dt::u8)), "");
  EXPECT_FALSE(
      pd(cpu, somewhere({kAll}, dt::f32), cpu, somewhere({kAll}, dt::f32), primitive_attr(), true));
  // A dim that is not known may turn out to be 0.
  const memory::desc either = somewhere({kAll, kRunTime}, dt::f32);
  const reorder nothing(pd(cpu, either, cpu, either));
  memory none(memory::desc({kAll, 0}, dt::f32, tag::ab), cpu);
  EXPECT_EQ(fake::Refusal([&] { nothing.execute(queue, none, none); }), "");
}

TEST_F(Reorder, TakesAsManyRunTimeScalesAsThereAreRows) {
  const memory::desc some({kRunTime, 3}, dt::f32, tag::ab);
  primitive_attr attr;
  attr.set_output_scales(1 << 0, {DNNL_RUNTIME_F32_VAL});
  const pd made(cpu, some, cpu, some, attr);
  EXPECT_EQ(made.query_md(dnnl::query::exec_arg_md, DNNL_ARG_ATTR_OUTPUT_SCALES).dims(),
            memory::dims{kRunTime});
  std::vector<float> in = {1, 2, 3, 4, 5, 6}, out(6), scales = {10, 100};
  memory src(rows, cpu, in.data()), dst(rows, cpu, out.data());
  memory factors(memory::desc({2}, dt::f32, tag::x), cpu, scales.data());
  memory too_many(memory::desc({3}, dt::f32, tag::x), cpu);
  const auto run = [&](const memory& with) {
    reorder(made).execute(
        queue, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}, {DNNL_ARG_ATTR_OUTPUT_SCALES, with}});
  };
  run(factors);
  EXPECT_EQ(out, (std::vector<float>{10, 20, 30, 400, 500, 600}));
  EXPECT_NE(fake::Refusal([&] { run(too_many); }), "");
}

TEST_F(Reorder, PassesOnWhatTheEngineAnswers) {
  fake::controls().plan_status = absl::UnimplementedError("reorder: f32 -> f32 is too much");
  EXPECT_EQ(Refusal(rows, columns), "unimplemented: reorder: f32 -> f32 is too much");
  fake::Reset();
  memory src(rows, cpu), dst(columns, cpu);
  const reorder copy(src, dst);
  fake::controls().execution_status = absl::InternalError("queue full");
  EXPECT_EQ(fake::Refusal([&] { copy.execute(queue, src, dst); }), "runtime_error: queue full");
  fake::Reset();
}

TEST_F(Reorder, EmptyIsGoodForNothing) {
  memory src(rows, cpu), dst(rows, cpu);
  const reorder none;
  EXPECT_FALSE(none);
  EXPECT_EQ(fake::Refusal([&] { none.execute(queue, src, dst); }),
            "invalid_arguments: reorder::execute: the primitive is empty (ERR-011)");
  EXPECT_EQ(fake::Refusal([&] { reorder(src, dst).execute(stream(), src, dst); }),
            "invalid_arguments: reorder::execute: the stream is empty (ERR-011)");
  EXPECT_EQ(fake::Refusal([&] { reorder{pd()}; }),
            "invalid_arguments: primitive: the primitive descriptor is empty (PRIM-045)");
  EXPECT_NE(fake::Refusal([&] { pd().get_src_engine(); }), "");
  EXPECT_NE(fake::Refusal([&] { pd().get_dst_engine(); }), "");
}

}  // namespace
}  // namespace api
