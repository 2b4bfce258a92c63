#include "oneapi/dnnl/convolution/convolution.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/fake/fake.h"
#include "api/fake/refusal.h"

namespace {

using dnnl::algorithm;
using dnnl::engine;
using dnnl::memory;
using dnnl::primitive_attr;
using dnnl::prop_kind;
using dnnl::stream;
using fake::counts;
using fake::Refusal;
using dt = memory::data_type;
using tag = memory::format_tag;
using Forward = dnnl::convolution_forward;
using BackwardData = dnnl::convolution_backward_data;
using BackwardWeights = dnnl::convolution_backward_weights;
using Values = std::vector<float>;
constexpr auto kDirect = algorithm::convolution_direct;

memory::desc Any(const memory::dims& dims, dt type = dt::f32) { return {dims, type, tag::any}; }

class Convolution : public testing::Test {
 protected:
  Convolution() { fake::Reset(); }
  ~Convolution() override { fake::Reset(); }

  Forward::desc Request() const {
    return {prop_kind::forward_inference, kDirect, src, weights, bias, dst, one, left, none};
  }
  BackwardData::desc DataRequest() const { return {kDirect, src, weights, dst, one, left, none}; }
  BackwardWeights::desc WeightsRequest() const {
    return {kDirect, src, weights, bias, dst, one, left, none};
  }
  Forward::primitive_desc Hint() const { return {Request(), cpu}; }
  memory Of(const memory::desc& md, Values& values) const { return memory(md, cpu, values.data()); }
  std::unordered_map<int, memory> ForwardArguments() {
    return {{DNNL_ARG_SRC, Of(src, x)},
            {DNNL_ARG_WEIGHTS, Of(weights, w)},
            {DNNL_ARG_BIAS, Of(bias, b)},
            {DNNL_ARG_DST, Of(dst, y)}};
  }
  void Run(const dnnl::primitive& primitive, const std::unordered_map<int, memory>& arguments) {
    primitive.execute(queue, arguments);
    queue.wait();
  }

  const engine cpu{engine::kind::cpu, 0};
  stream queue{cpu};
  // Two rows of three points, two output channels, a kernel of two and one point of padding before.
  const memory::desc src{{2, 1, 1, 3}, dt::f32, tag::nchw},
      weights{{2, 1, 1, 2}, dt::f32, tag::oihw}, bias{{2}, dt::f32, tag::a},
      dst{{2, 2, 1, 3}, dt::f32, tag::nchw};
  const memory::dims one = {1, 1}, left = {0, 1}, none = {0, 0};
  Values x = {1, 2, 3, 4, 5, 6}, w = {1, 10, 2, 20}, b = {100, 200}, y = Values(12);
  const Values result = {110, 121, 132, 220, 242, 264, 140, 154, 165, 280, 308, 330};
};

TEST_F(Convolution, ComputesWithBiasAndWithout) {
  Run(Forward(Hint()), ForwardArguments());
  EXPECT_EQ(y, result);
  const auto training = prop_kind::forward_training;
  const Forward::desc without(training, kDirect, src, weights, dst, one, left, none);
  const Forward::desc zero(training, kDirect, src, weights, memory::desc(), dst, one, left, none);
  for (const Forward::desc& d : {without, zero}) {
    const Forward::primitive_desc bare(d, cpu);
    EXPECT_EQ(bare.bias_desc(), memory::desc());
    EXPECT_EQ(bare.weights_desc(1), memory::desc());
    Run(Forward(bare), ForwardArguments());
    EXPECT_EQ(y, (Values{10, 21, 32, 20, 42, 64, 40, 54, 65, 80, 108, 130}));
  }
}

TEST_F(Convolution, BackwardComputesGradients) {
  Values gradient = {1, 0, 2, 0, 3, 0, 0, 0, 0, 1, 0, 0}, dx(6), dw(4), db(2);
  const BackwardData::primitive_desc data(DataRequest(), cpu, Hint());
  Run(BackwardData(data), {{DNNL_ARG_WEIGHTS, Of(weights, w)},
                           {DNNL_ARG_DIFF_DST, Of(dst, gradient)},
                           {DNNL_ARG_DIFF_SRC, Of(src, dx)}});
  EXPECT_EQ(dx, (Values{16, 62, 20, 20, 0, 0}));
  const BackwardWeights::primitive_desc pd(WeightsRequest(), cpu, Hint());
  Run(BackwardWeights(pd), {{DNNL_ARG_SRC, Of(src, x)},
                            {DNNL_ARG_DIFF_DST, Of(dst, gradient)},
                            {DNNL_ARG_DIFF_WEIGHTS, Of(weights, dw)},
                            {DNNL_ARG_DIFF_BIAS, Of(bias, db)}});
  EXPECT_EQ(dw, (Values{4, 7, 3, 10}));
  EXPECT_EQ(db, (Values{3, 4}));
}

// Two groups of one channel, every other point, taps three apart.
TEST_F(Convolution, ComputesGroupsStridesAndDilations) {
  const memory::desc line({1, 2, 6}, dt::f32, tag::ncw), taps({2, 1, 1, 2}, dt::f32, tag::goiw),
      to({1, 2, 2}, dt::f32, tag::ncw);
  Values from = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, got(4);
  const Forward::primitive_desc pd(
      {prop_kind::forward, kDirect, line, taps, to, {2}, {2}, {0}, {0}}, cpu);
  Run(Forward(pd), {{DNNL_ARG_SRC, Of(line, from)},
                    {DNNL_ARG_WEIGHTS, Of(taps, w)},
                    {DNNL_ARG_DST, Of(to, got)}});
  EXPECT_EQ(got, (Values{41, 63, 214, 258}));
}

// Braces and dims alike: what is dilated has one vector more.
TEST_F(Convolution, EachConstructorTakesItsVectors) {
  const auto expect = [](const dnnl_convolution_desc_t& data, bool dilated, int bias_rank) {
    for (int j = 0; j < DNNL_MAX_NDIMS; ++j) {
      EXPECT_EQ(data.strides[j], j == 0 ? 1 : 0) << j;
      EXPECT_EQ(data.dilates[j], dilated && j == 0 ? 2 : 0) << j;
      EXPECT_EQ(data.padding[0][j], j == 0 ? 3 : 0) << j;
      EXPECT_EQ(data.padding[1][j], j == 0 ? 4 : 0) << j;
    }
    EXPECT_EQ(data.bias_desc.ndims + data.diff_bias_desc.ndims, bias_rank);
    EXPECT_EQ(data.alg_kind, dnnl_convolution_auto);
  };
  const auto any = algorithm::convolution_auto;
  const auto training = prop_kind::forward_training;
  const memory::desc s = Any({1, 1, 5}), k = Any({1, 1, 3}), c = Any({1});
  const memory::desc d = Any({1, 1, 10}), sparse = Any({1, 1, 6});
  const memory::dims v1 = {1}, v2 = {2}, v3 = {3}, v4 = {4};
  expect(Forward::desc(training, any, s, k, c, d, {1}, {3}, {4}).data, false, 1);
  expect(Forward::desc(training, any, s, k, c, sparse, {1}, {2}, {3}, {4}).data, true, 1);
  expect(Forward::desc(training, any, s, k, d, {1}, {3}, {4}).data, false, 0);
  expect(Forward::desc(training, any, s, k, sparse, {1}, {2}, {3}, {4}).data, true, 0);
  expect(Forward::desc(training, any, s, k, c, d, v1, v3, v4).data, false, 1);
  expect(Forward::desc(training, any, s, k, sparse, v1, v2, v3, v4).data, true, 0);
  expect(BackwardData::desc(any, s, k, d, {1}, {3}, {4}).data, false, 0);
  expect(BackwardData::desc(any, s, k, sparse, {1}, {2}, {3}, {4}).data, true, 0);
  expect(BackwardData::desc(any, s, k, sparse, v1, v2, v3, v4).data, true, 0);
  expect(BackwardWeights::desc(any, s, k, c, d, {1}, {3}, {4}).data, false, 1);
  expect(BackwardWeights::desc(any, s, k, c, sparse, {1}, {2}, {3}, {4}).data, true, 1);
  expect(BackwardWeights::desc(any, s, k, d, {1}, {3}, {4}).data, false, 0);
  expect(BackwardWeights::desc(any, s, k, sparse, v1, v2, v3, v4).data, true, 0);
}

TEST_F(Convolution, WantsAValueForEachSpatialAxis) {
  const memory::dims two = {0, 0};
  for (const memory::dims& wrong : {memory::dims{}, {1}, {0, 1, 0}}) {
    const auto message = [&](const char* name) {
      return std::string("invalid_arguments: convolution: ") + name + " has " +
             std::to_string(wrong.size()) + " values for 2 spatial dims (CONV-041)";
    };
    const auto forward = prop_kind::forward;
    EXPECT_EQ(Refusal([&] { Forward::desc(forward, kDirect, src, weights, dst, wrong, two, two); }),
              message("strides"));
    EXPECT_EQ(
        Refusal([&] { Forward::desc(forward, kDirect, src, weights, dst, one, wrong, two, two); }),
        message("dilates"));
    EXPECT_EQ(Refusal([&] { BackwardData::desc(kDirect, src, weights, dst, one, wrong, two); }),
              message("padding_l"));
    EXPECT_EQ(Refusal([&] { BackwardWeights::desc(kDirect, src, weights, dst, one, two, wrong); }),
              message("padding_r"));
  }
  const memory::dims many(20, 1);
  EXPECT_EQ(Refusal([&] {
              Forward::desc(prop_kind::forward, kDirect, Any({1, 1}), Any({1, 1}), Any({1, 1}),
                            many, many, many);
            }),
            "invalid_arguments: convolution: src.rank = 2 is not in [3, 5] (CONV-020)");
}

TEST_F(Convolution, AppliesScalesThenPostOpsInTheirOrder) {
  primitive_attr attr;
  dnnl::post_ops ops;
  ops.append_sum(2.f);
  ops.append_eltwise(1.f, algorithm::eltwise_linear, -1.f, 500.f);
  ops.append_eltwise(1.f, algorithm::eltwise_relu, 0.f, 0.f);
  attr.set_post_ops(ops);
  attr.set_output_scales(1 << 1, {1.f, 3.f});
  const Forward::primitive_desc pd(Request(), attr, cpu);
  y = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  Run(Forward(pd), ForwardArguments());
  EXPECT_EQ(y, (Values{388, 375, 362, 0, 0, 0, 346, 330, 317, 0, 0, 0}));
  EXPECT_EQ(pd.get_primitive_attr().get_post_ops().len(), 3);
}

TEST_F(Convolution, TakesScalesAtExecution) {
  primitive_attr attr;
  attr.set_output_scales(1 << 1, {DNNL_RUNTIME_F32_VAL});
  const Forward::primitive_desc pd(Request(), attr, cpu);
  Values scales = {1, 2};
  std::unordered_map<int, memory> arguments = ForwardArguments();
  EXPECT_NE(Refusal([&] { Run(Forward(pd), arguments); }), "");
  arguments[DNNL_ARG_ATTR_OUTPUT_SCALES] = Of(bias, scales);
  Run(Forward(pd), arguments);
  EXPECT_EQ(y, (Values{110, 121, 132, 440, 484, 528, 140, 154, 165, 560, 616, 660}));
}

TEST_F(Convolution, QueriesTellItsTensors) {
  const auto pd = Hint();
  EXPECT_EQ(pd.get_kind(), dnnl::primitive::kind::convolution);
  EXPECT_EQ(pd.src_desc(), src);
  EXPECT_EQ(pd.weights_desc(), weights);
  EXPECT_EQ(pd.bias_desc(), bias);
  EXPECT_EQ(pd.dst_desc(), dst);
  EXPECT_EQ(pd.query_md(dnnl::query::weights_md, 0), weights);
  EXPECT_EQ(pd.query_md(dnnl::query::weights_md, 1), bias);
  EXPECT_EQ(pd.query_md(dnnl::query::weights_md, 2), memory::desc());
  EXPECT_EQ(pd.query_md(dnnl::query::exec_arg_md, DNNL_ARG_BIAS), bias);
  EXPECT_EQ(pd.diff_src_desc(), memory::desc());
  EXPECT_EQ(pd.diff_weights_desc(), memory::desc());
  EXPECT_EQ(pd.workspace_desc(), memory::desc());

  const BackwardData::primitive_desc data(DataRequest(), cpu, pd);
  EXPECT_EQ(data.get_kind(), dnnl::primitive::kind::convolution);
  EXPECT_EQ(data.diff_src_desc(), src);
  EXPECT_EQ(data.weights_desc(), weights);
  EXPECT_EQ(data.diff_dst_desc(), dst);
  EXPECT_EQ(data.src_desc(), memory::desc());
  EXPECT_EQ(data.weights_desc(1), memory::desc());

  const BackwardWeights::primitive_desc gradient(WeightsRequest(), cpu, pd);
  EXPECT_EQ(gradient.get_kind(), dnnl::primitive::kind::convolution);
  EXPECT_EQ(gradient.src_desc(), src);
  EXPECT_EQ(gradient.diff_weights_desc(), weights);
  EXPECT_EQ(gradient.diff_bias_desc(), bias);
  EXPECT_EQ(gradient.query_md(dnnl::query::diff_weights_md, 1), bias);
  EXPECT_EQ(gradient.weights_desc(), memory::desc());
}

TEST_F(Convolution, TheImplementationAnswersAny) {
  const Forward::desc open(prop_kind::forward_training, kDirect, Any({2, 1, 1, 3}),
                           Any({2, 1, 1, 2}), Any({2}), Any({2, 2, 1, 3}), one, left, none);
  const Forward::primitive_desc pd(open, cpu);
  EXPECT_EQ(pd.src_desc(), src);
  EXPECT_EQ(pd.weights_desc(), weights);
  EXPECT_EQ(pd.bias_desc(), bias);
  EXPECT_EQ(pd.dst_desc(), dst);

  // Weights alone, turned.
  fake::controls().chosen = {spi::Strided(spi::DataType::kF32, {2, 1, 1, 2})};
  fake::controls().chosen[0].strides = {1, 4, 4, 2};
  const memory::desc turned({2, 1, 1, 2}, dt::f32, memory::dims{1, 4, 4, 2});
  const Forward::primitive_desc packed(
      {prop_kind::forward_training, kDirect, src, Any({2, 1, 1, 2}), bias, dst, one, left, none},
      cpu);
  EXPECT_EQ(packed.weights_desc(), turned);
  Values values = {1, 2, 10, 20};
  auto arguments = ForwardArguments();
  arguments[DNNL_ARG_WEIGHTS] = Of(turned, values);
  Run(Forward(packed), arguments);
  EXPECT_EQ(y, result);
}

TEST_F(Convolution, WhatWritesNoElementNeedsNoImplementation) {
  const Forward::primitive_desc pd({prop_kind::forward, kDirect, Any({0, 1, 1, 3}),
                                    Any({2, 1, 1, 2}), Any({0, 2, 1, 3}), one, left, none},
                                   cpu);
  EXPECT_EQ(pd.src_desc(), memory::desc({0, 1, 1, 3}, dt::f32, tag::nchw));
  const Forward::primitive_desc no_output(
      {prop_kind::forward, kDirect, Any({2, 1, 2}), Any({1, 1, 3}), Any({2, 1, 0}), {1}, {0}, {0}},
      cpu);
  EXPECT_EQ(counts().plans, 0);

  // Gradients of it are zeros.
  const memory::desc short_line({1, 1, 2}, dt::f32, tag::ncw), taps({1, 1, 3}, dt::f32, tag::oiw),
      empty({1, 1, 0}, dt::f32, tag::ncw);
  const BackwardData::primitive_desc data({kDirect, short_line, taps, empty, {1}, {0}, {0}}, cpu,
                                          no_output);
  Run(BackwardData(data), {{DNNL_ARG_WEIGHTS, Of(taps, w)},
                           {DNNL_ARG_DIFF_DST, memory(empty, cpu, nullptr)},
                           {DNNL_ARG_DIFF_SRC, Of(short_line, x)}});
  EXPECT_EQ(x, (Values{0, 0, 3, 4, 5, 6}));
}

TEST_F(Convolution, NextImplKeepsWhatWasGivenAndTheHint) {
  fake::controls().candidates = 3;
  auto pd = BackwardData::primitive_desc({kDirect, src, Any({2, 1, 1, 2}), dst, one, left, none},
                                         cpu, Hint());
  EXPECT_EQ(counts().hints, 1);
  fake::controls().chosen = {spi::Strided(spi::DataType::kF32, {2, 1, 1, 2})};
  fake::controls().chosen[0].strides = {1, 4, 4, 2};
  EXPECT_EQ(pd.weights_desc(), weights);
  EXPECT_TRUE(pd.next_impl());
  EXPECT_EQ(counts().hints, 2);
  EXPECT_EQ(pd.weights_desc(), memory::desc({2, 1, 1, 2}, dt::f32, memory::dims{1, 4, 4, 2}));
  EXPECT_EQ(pd.diff_src_desc(), src);
  EXPECT_TRUE(pd.next_impl());
  EXPECT_FALSE(pd.next_impl());
}

TEST_F(Convolution, RefusesMissingArgumentsAndSharedBytes) {
  const Forward primitive(Hint());
  const auto all = ForwardArguments();
  for (const auto& [index, held] : all) {
    auto some = all;
    some.erase(index);
    EXPECT_NE(Refusal([&] { Run(primitive, some); }), "") << index;
  }
  auto shared = all;
  shared[DNNL_ARG_SRC] = Of(src, y);
  EXPECT_NE(Refusal([&] { Run(primitive, shared); }), "");
  EXPECT_EQ(y, Values(12));
}

TEST_F(Convolution, TakesHandlesOfItsDirectionOnly) {
  const auto forward = Hint();
  const BackwardData::primitive_desc data(DataRequest(), cpu, forward);
  EXPECT_EQ(Forward::primitive_desc(forward.get()).bias_desc(), bias);
  EXPECT_EQ(BackwardData::primitive_desc(data.get()).diff_src_desc(), src);
  EXPECT_NE(Refusal([&] { Forward::primitive_desc taken(data.get()); }), "");
  EXPECT_NE(Refusal([&] { BackwardWeights::primitive_desc taken(data.get()); }), "");
  EXPECT_FALSE(BackwardWeights::primitive_desc(static_cast<dnnl_primitive_desc_t>(nullptr)));
}

// Where no element is, dims have no product to fit anything (MD-017).
TEST_F(Convolution, GivesUsableDescriptorsOfNothing) {
  const memory::dims nothing = {0, 1, int64_t{1} << 32, int64_t{1} << 31}, zero = {0, 0};
  const memory::desc one_tap({1, 1, 1, 1}, dt::f32, tag::oihw);
  const Forward::primitive_desc pd(
      {prop_kind::forward_training, kDirect, Any(nothing), one_tap, Any(nothing), one, zero, zero},
      cpu);
  const BackwardWeights::primitive_desc weights_pd(
      {kDirect, Any(nothing), one_tap, Any(nothing), one, zero, zero}, cpu, pd);
  for (const memory::desc& md :
       {pd.src_desc(), pd.dst_desc(), weights_pd.src_desc(), weights_pd.diff_dst_desc()}) {
    EXPECT_EQ(md.dims(), nothing);
    EXPECT_EQ(md.get_size(), 0u);
    EXPECT_EQ(Refusal([&] { memory(md, cpu); }), "");
  }
}

TEST_F(Convolution, OperationDescriptorsAreValues) {
  memory::dims strides = one, padding = left;
  const Forward::desc d(prop_kind::forward, kDirect, src, weights, bias, dst, strides, padding,
                        none);
  strides = padding = {7, 7};
  EXPECT_EQ(d.data.primitive_kind, dnnl_convolution);
  EXPECT_EQ(d.data.accum_data_type, dnnl_f32);
  EXPECT_EQ(d.data.diff_src_desc.ndims, 0);
  EXPECT_EQ(Forward::desc(prop_kind::forward, kDirect, Any({2, 4, 1}, dt::u8),
                          Any({3, 4, 1}, dt::s8), Any({2, 3, 1}), {1}, {0}, {0})
                .data.accum_data_type,
            dnnl_s32);
  const engine gpu(engine::kind::gpu, 0);
  const Forward::desc copy = d;
  EXPECT_EQ(Forward::primitive_desc(copy, gpu).get_engine(), gpu);
  EXPECT_NE(Refusal([&] { Forward::primitive_desc(d, engine()); }), "");
  Run(Forward(Forward::primitive_desc(copy, cpu)), ForwardArguments());
  EXPECT_EQ(y, result);
}

}  // namespace
