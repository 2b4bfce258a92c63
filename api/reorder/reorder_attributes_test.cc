// Attributes of reorders: scales, sums, zero points, an fpmath mode.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/fake/fake.h"
#include "api/fake/refusal.h"
#include "api/fake/reorder_fixture.h"
#include "oneapi/dnnl/reorder/reorder.hpp"

namespace api {
namespace {

using dnnl::engine;
using dnnl::memory;
using dnnl::post_ops;
using dnnl::primitive_attr;
using dnnl::reorder;
using dt = memory::data_type;
using tag = memory::format_tag;

constexpr int64_t kRunTime = DNNL_RUNTIME_DIM_VAL;

TEST_F(Reorder, ServesEveryMaskOfScales) {
  std::vector<float> in = {1, 2, 3, 4, 5, 6}, out(6);
  memory src(rows, cpu, in.data()), dst(columns, cpu, out.data());
  primitive_attr attr;
  attr.set_output_scales(1 << 1, {1.f, 10.f, 100.f});
  reorder(src, dst, attr).execute(queue, src, dst);
  EXPECT_EQ(out, (std::vector<float>{1, 4, 20, 50, 300, 600}));
  attr.set_output_scales(3, {1.f, 2.f, 3.f, 4.f, 5.f, 6.f});
  reorder(src, dst, attr).execute(queue, src, dst);
  EXPECT_EQ(out, (std::vector<float>{1, 16, 4, 25, 9, 36}));

  attr.set_output_scales(1 << 1, {1.f, 2.f});
  EXPECT_EQ(Refusal(rows, columns, attr),
            "invalid_arguments: reorder: output scales has 2 values for 3 of mask 2 (ATTR-024)");
  attr.set_output_scales(1 << 2, {1.f});
  EXPECT_EQ(Refusal(rows, columns, attr),
            "invalid_arguments: reorder: output scale mask = 4 has bits beyond dst.rank = 2 "
            "(ATTR-025)");
  attr.set_output_scales(1 << 0, {1.f, 2.f});
  EXPECT_EQ(Refusal(rows, columns, attr), "");
}

TEST_F(Reorder, AScaleOfOneIsNone) {
  primitive_attr attr;
  attr.set_output_scales(0, {1.f});
  const memory::desc s32({1}, dt::s32, tag::a);
  int32_t in = 16777217, out = 0;
  memory src(s32, cpu, &in), dst(s32, cpu, &out);
  reorder(src, dst, attr).execute(queue, src, dst);
  EXPECT_EQ(out, in);
}

TEST_F(Reorder, TakesScalesAtRunTime) {
  std::vector<float> in = {1, 2, 3, 4, 5, 6}, out(6), scales = {1, 10, 100};
  memory src(rows, cpu, in.data()), dst(rows, cpu, out.data());
  primitive_attr attr;
  attr.set_output_scales(1 << 1, {DNNL_RUNTIME_F32_VAL});
  const pd made(src, dst, attr);
  const memory::desc want({3}, dt::f32, tag::x);
  EXPECT_EQ(made.query_md(dnnl::query::exec_arg_md, DNNL_ARG_ATTR_OUTPUT_SCALES), want);
  const reorder scale(made);
  memory factors(want, cpu, scales.data());
  const std::unordered_map<int, memory> args = {
      {DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}, {DNNL_ARG_ATTR_OUTPUT_SCALES, factors}};
  scale.execute(queue, args);
  EXPECT_EQ(out, (std::vector<float>{1, 20, 300, 4, 50, 600}));
  scales[0] = -1;
  scale.execute(queue, args);
  EXPECT_EQ(out[0], -1);

  out.assign(6, 7.f);
  const char* const missing =
      "invalid_arguments: reorder::execute: DNNL_ARG_ATTR_OUTPUT_SCALES is missing; given: "
      "DNNL_ARG_SRC, DNNL_ARG_DST (PRIM-035)";
  EXPECT_EQ(fake::Refusal([&] { scale.execute(queue, src, dst); }), missing);
  EXPECT_EQ(fake::Refusal([&] {
              scale.execute(queue, {{DNNL_ARG_FROM, src},
                                    {DNNL_ARG_TO, dst},
                                    {DNNL_ARG_ATTR_OUTPUT_SCALES, memory()}});
            }),
            missing);
  memory too_few(memory::desc({1}, dt::f32, tag::x), cpu);
  EXPECT_EQ(fake::Refusal([&] {
              scale.execute(queue, {{DNNL_ARG_FROM, src},
                                    {DNNL_ARG_TO, dst},
                                    {DNNL_ARG_ATTR_OUTPUT_SCALES, too_few}});
            }),
            "invalid_arguments: reorder::execute: the memory of DNNL_ARG_ATTR_OUTPUT_SCALES, f32 1 "
            "s1, has 4 bytes, and f32 3 s1 needs 12 (PRIM-033)");
  EXPECT_EQ(out, std::vector<float>(6, 7.f));
}

TEST_F(Reorder, ServesOneSum) {
  std::vector<float> in = {1, 2, 3, 4, 5, 6}, out(6, 2.f);
  memory src(rows, cpu, in.data()), dst(rows, cpu, out.data());
  const auto with_sum = [](float beta, dt type) {
    post_ops ops;
    ops.append_sum(beta, type);
    primitive_attr attr;
    attr.set_post_ops(ops);
    return attr;
  };
  reorder(src, dst, with_sum(-0.5f, dt::undef)).execute(queue, src, dst);
  EXPECT_EQ(out, (std::vector<float>{0, 1, 2, 3, 4, 5}));

  EXPECT_EQ(Refusal(rows, rows, with_sum(1.f, dt::s32)), "");
  EXPECT_EQ(Refusal(rows, rows, with_sum(1.f, dt::s8)),
            "invalid_arguments: reorder: sum data type s8 has 1 bytes, not 4 of f32 (ATTR-050)");
  EXPECT_NE(Refusal(rows, rows, with_sum(std::numeric_limits<float>::infinity(), dt::undef)), "");
  EXPECT_EQ(Refusal(rows, rows, with_sum(3e38f, dt::undef)), "");
}

TEST_F(Reorder, RefusesEveryOtherAttribute) {
  const auto refusal_of = [&](auto&& set) {
    primitive_attr attr;
    set(attr);
    return Refusal(rows, columns, attr);
  };
  const auto with = [](const post_ops& ops) {
    return [ops](primitive_attr& attr) { attr.set_post_ops(ops); };
  };
  post_ops two_sums, relu, shifted;
  two_sums.append_sum(1.f);
  two_sums.append_sum(1.f);
  relu.append_eltwise(1.f, dnnl::algorithm::eltwise_relu, 0.f, 0.f);
  shifted.append_sum(1.f, 3);
  EXPECT_EQ(refusal_of(with(post_ops())), "");
  EXPECT_EQ(refusal_of(with(two_sums)),
            "unimplemented: reorder: 2 post-ops, more than 1 (REO-061)");
  EXPECT_EQ(refusal_of(with(relu)), "unimplemented: reorder: post-op 0 is not a sum (REO-061)");
  EXPECT_EQ(refusal_of(with(shifted)),
            "unimplemented: reorder: sum zero point = 3 is not 0 (REO-ZP-022)");
  EXPECT_EQ(refusal_of([](primitive_attr& a) { a.set_scales(DNNL_ARG_SRC, 0, {2.f}); }),
            "unimplemented: reorder: attribute scales is not served (REO-061)");
  EXPECT_EQ(refusal_of([](primitive_attr& a) { a.set_scales(DNNL_ARG_SRC, 0, {1.f}); }), "");
  EXPECT_NE(refusal_of([](primitive_attr& a) { a.set_rnn_data_qparams(2.f, 0.f); }), "");
  EXPECT_NE(refusal_of([](primitive_attr& a) { a.set_rnn_weights_qparams(0, {2.f}); }), "");
  EXPECT_EQ(
      refusal_of([](primitive_attr& a) { a.set_scratchpad_mode(dnnl::scratchpad_mode::user); }),
      "");
}

TEST_F(Reorder, ServesOneZeroPointOfEachSide) {
  std::vector<uint8_t> in = {0, 10, 255};
  std::vector<float> out(3);
  const memory::desc bytes({3}, dt::u8, tag::a), floats({3}, dt::f32, tag::a);
  memory src(bytes, cpu, in.data()), dst(floats, cpu, out.data());
  primitive_attr attr;
  attr.set_output_scales(0, {0.5f});
  attr.set_zero_points(DNNL_ARG_SRC, 0, {10});
  reorder(src, dst, attr).execute(queue, src, dst);
  EXPECT_EQ(out, (std::vector<float>{-5, 0, 122.5f}));

  primitive_attr back;
  back.set_output_scales(0, {2});
  back.set_zero_points(DNNL_ARG_DST, 0, {10});
  in = {7, 7, 7};
  reorder(dst, src, back).execute(queue, dst, src);
  EXPECT_EQ(in, (std::vector<uint8_t>{0, 10, 255}));

  int mask = 1;
  std::vector<int32_t> given;
  pd(dst, src, back).get_primitive_attr().get_zero_points(DNNL_ARG_DST, mask, given);
  EXPECT_EQ(mask, 0);
  EXPECT_EQ(given, std::vector<int32_t>{10});
}

TEST_F(Reorder, TakesZeroPointsAtExecution) {
  std::vector<float> in = {1, 2, 3, 4, 5, 6}, out(6);
  int32_t minus = 1, plus = 10;
  const memory::desc point({1}, dt::s32, tag::x);
  memory src(rows, cpu, in.data()), dst(rows, cpu, out.data());
  const memory of_src(point, cpu, &minus), of_dst(point, cpu, &plus);
  constexpr int kOfSrc = DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC;
  constexpr int kOfDst = DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST;
  primitive_attr attr;
  attr.set_zero_points(DNNL_ARG_SRC, 0, {DNNL_RUNTIME_S32_VAL});
  attr.set_zero_points(DNNL_ARG_DST, 0, {DNNL_RUNTIME_S32_VAL});
  const pd made(src, dst, attr);
  for (int arg : {kOfSrc, kOfDst})
    EXPECT_EQ(made.query_md(dnnl::query::exec_arg_md, arg), point) << arg;
  EXPECT_TRUE(pd(src, dst).query_md(dnnl::query::exec_arg_md, kOfSrc).is_zero());
  const reorder shift(made);
  const auto run = [&](const memory& first, const memory& second) {
    shift.execute(queue,
                  {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}, {kOfSrc, first}, {kOfDst, second}});
  };
  run(of_src, of_dst);
  EXPECT_EQ(out, (std::vector<float>{10, 11, 12, 13, 14, 15}));
  minus = -1, plus = 0;
  run(of_src, of_dst);
  EXPECT_EQ(out, (std::vector<float>{2, 3, 4, 5, 6, 7}));

  const memory floats(memory::desc({1}, dt::f32, tag::x), cpu);
  const memory none(memory::desc({0}, dt::s32, tag::x), cpu);
  const memory elsewhere(point, engine(engine::kind::gpu, 0));
  for (const memory& wrong : {memory(), floats, none, elsewhere}) {
    EXPECT_NE(fake::Refusal([&] { run(wrong, of_dst); }), "");
    EXPECT_NE(fake::Refusal([&] { run(of_src, wrong); }), "");
  }
  EXPECT_NE(fake::Refusal([&] {
              shift.execute(queue, src, dst);
            }).find("DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC is missing"),
            std::string::npos);
  EXPECT_NE(fake::Refusal([&] { run(floats, of_dst); }).find("f32 1 s1, not s32 1 s1 (PRIM-033)"),
            std::string::npos);
  EXPECT_NE(fake::Refusal([&] {
              run(none, of_dst);
            }).find("s32 0 s1, has 0 bytes, and s32 1 s1 needs 4 (PRIM-033)"),
            std::string::npos);
  EXPECT_NE(fake::Refusal([&] { run(of_src, elsewhere); }).find("another device"),
            std::string::npos);
  EXPECT_EQ(out, (std::vector<float>{2, 3, 4, 5, 6, 7}));
}

TEST_F(Reorder, TakesZeroPointsBesideRunTimeShapesAndScales) {
  const memory::desc some({kRunTime, 3}, dt::f32, tag::ab);
  primitive_attr attr;
  attr.set_output_scales(1 << 0, {DNNL_RUNTIME_F32_VAL});
  attr.set_zero_points(DNNL_ARG_SRC, 0, {1});
  attr.set_zero_points(DNNL_ARG_DST, 0, {DNNL_RUNTIME_S32_VAL});
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  std::vector<float> in = {1, 2, 3, 4, 5, 6}, out(6), scales = {10, 100};
  int32_t plus = 7;
  memory src(rows, cpu, in.data()), dst(rows, cpu, out.data());
  reorder(pd(cpu, some, cpu, some, attr))
      .execute(queue, {{DNNL_ARG_FROM, src},
                       {DNNL_ARG_TO, dst},
                       {DNNL_ARG_ATTR_OUTPUT_SCALES,
                        memory(memory::desc({2}, dt::f32, tag::x), cpu, scales.data())},
                       {DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST,
                        memory(memory::desc({1}, dt::s32, tag::x), cpu, &plus)}});
  EXPECT_EQ(out, (std::vector<float>{7, 17, 27, 307, 407, 507}));
}

TEST_F(Reorder, RefusesOtherZeroPoints) {
  const auto refusal_of = [&](int arg, int mask, const std::vector<int32_t>& values) {
    primitive_attr attr;
    attr.set_zero_points(arg, mask, values);
    return Refusal(rows, columns, attr);
  };
  EXPECT_EQ(refusal_of(DNNL_ARG_SRC, 0, {0}), "");
  EXPECT_EQ(refusal_of(DNNL_ARG_WEIGHTS, 0, {0}), "");
  EXPECT_EQ(refusal_of(DNNL_ARG_DST, 0, {INT32_MAX}), "");
  EXPECT_EQ(refusal_of(DNNL_ARG_WEIGHTS, 0, {3}),
            "unimplemented: reorder: zero points of argument 33, which is neither DNNL_ARG_SRC nor "
            "DNNL_ARG_DST (REO-ZP-015)");
  EXPECT_EQ(refusal_of(DNNL_ARG_SRC, 2, {DNNL_RUNTIME_S32_VAL}),
            "unimplemented: reorder: zero points of argument 1: mask = 2 is not 0 (REO-ZP-013)");
  EXPECT_EQ(refusal_of(DNNL_ARG_DST, 1, {DNNL_RUNTIME_S32_VAL}),
            "unimplemented: reorder: zero points of argument 17: mask = 1 is not 0 (REO-ZP-013)");
  // What more there is to refuse, the setter does (ATTR-060).
  EXPECT_THROW(refusal_of(DNNL_ARG_SRC, 2, {0, 0, 0}), dnnl::error);
  EXPECT_THROW(refusal_of(DNNL_ARG_DST, 0, {1, 2}), dnnl::error);
}

// It allows arithmetic in less than f32, and asks for none.
TEST_F(Reorder, NeedsNoneOfWhatAnFpmathModeAllows) {
  for (dnnl::fpmath_mode mode :
       {dnnl::fpmath_mode::strict, dnnl::fpmath_mode::bf16, dnnl::fpmath_mode::any}) {
    primitive_attr attr;
    attr.set_fpmath_mode(mode);
    attr.set_output_scales(0, {0.5f});
    std::vector<float> in = {1.00390625f, 2, 3, 4, 5, 6}, out(6);
    memory src(rows, cpu, in.data()), dst(rows, cpu, out.data());
    const pd made(src, dst, attr);
    EXPECT_EQ(made.get_primitive_attr().get_fpmath_mode(), mode);
    reorder(made).execute(queue, src, dst);
    EXPECT_EQ(out[0], 0.501953125f);
    EXPECT_EQ(pd(src, dst,
                 [mode] {
                   primitive_attr alone;
                   alone.set_fpmath_mode(mode);
                   return alone;
                 }())
                  .get_primitive_attr()
                  .get_fpmath_mode(),
              mode);
  }
}

}  // namespace
}  // namespace api
