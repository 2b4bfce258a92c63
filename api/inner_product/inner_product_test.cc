#include "oneapi/dnnl/inner_product/inner_product.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/fake/fake.h"
#include "api/fake/refusal.h"
#include "oneapi/dnnl/shuffle/shuffle.hpp"

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
using Forward = dnnl::inner_product_forward;
using BackwardData = dnnl::inner_product_backward_data;
using BackwardWeights = dnnl::inner_product_backward_weights;

memory::desc Any(const memory::dims& dims, dt type = dt::f32) { return {dims, type, tag::any}; }

class InnerProduct : public testing::Test {
 protected:
  InnerProduct() { fake::Reset(); }
  ~InnerProduct() override { fake::Reset(); }

  Forward::desc Request() { return {prop_kind::forward_inference, src, weights, bias, dst}; }
  Forward::primitive_desc Hint() { return {Request(), cpu}; }
  memory Of(const memory::desc& md, std::vector<float>& values) {
    return memory(md, cpu, values.data());
  }
  void Run(const dnnl::primitive& primitive, const std::unordered_map<int, memory>& arguments) {
    primitive.execute(queue, arguments);
    queue.wait();
  }

  const engine cpu{engine::kind::cpu, 0};
  stream queue{cpu};
  // Two rows of a 1x2 picture with one channel, three output channels.
  const memory::desc src{{2, 1, 1, 2}, dt::f32, tag::nchw},
      weights{{3, 1, 1, 2}, dt::f32, tag::oihw}, bias{{3}, dt::f32, tag::a},
      dst{{2, 3}, dt::f32, tag::nc};
  std::vector<float> x = {1, 2, 3, 4}, w = {1, 10, 2, 20, 3, 30}, b = {100, 200, 300};
  std::vector<float> y = std::vector<float>(6);
  const std::vector<float> product = {121, 242, 363, 143, 286, 429};
};

TEST_F(InnerProduct, ComputesWithBiasAndWithout) {
  const Forward::primitive_desc pd(Request(), cpu);
  std::unordered_map<int, memory> arguments = {{DNNL_ARG_SRC, Of(src, x)},
                                               {DNNL_ARG_WEIGHTS, Of(weights, w)},
                                               {DNNL_ARG_BIAS, Of(bias, b)},
                                               {DNNL_ARG_DST, Of(dst, y)}};
  Run(Forward(pd), arguments);
  EXPECT_EQ(y, product);
  const Forward::desc without(prop_kind::forward_training, src, weights, dst);
  const Forward::desc zero(prop_kind::forward_training, src, weights, memory::desc(), dst);
  for (const Forward::desc& d : {without, zero}) {
    const Forward::primitive_desc bare(d, cpu);
    EXPECT_EQ(bare.bias_desc(), memory::desc());
    EXPECT_EQ(bare.weights_desc(1), memory::desc());
    Run(Forward(bare), arguments);
    EXPECT_EQ(y, (std::vector<float>{21, 42, 63, 43, 86, 129}));
  }
}

TEST_F(InnerProduct, BackwardComputesGradients) {
  std::vector<float> gradient = {1, 0, 2, 0, 3, 0}, dx(4), dw(6), db(3);
  const BackwardData::primitive_desc data(BackwardData::desc(src, weights, dst), cpu, Hint());
  Run(BackwardData(data), {{DNNL_ARG_WEIGHTS, Of(weights, w)},
                           {DNNL_ARG_DIFF_DST, Of(dst, gradient)},
                           {DNNL_ARG_DIFF_SRC, Of(src, dx)}});
  EXPECT_EQ(dx, (std::vector<float>{7, 70, 6, 60}));
  const BackwardWeights::primitive_desc pd(BackwardWeights::desc(src, weights, bias, dst), cpu,
                                           Hint());
  Run(BackwardWeights(pd), {{DNNL_ARG_SRC, Of(src, x)},
                            {DNNL_ARG_DIFF_DST, Of(dst, gradient)},
                            {DNNL_ARG_DIFF_WEIGHTS, Of(weights, dw)},
                            {DNNL_ARG_DIFF_BIAS, Of(bias, db)}});
  EXPECT_EQ(dw, (std::vector<float>{1, 2, 9, 12, 2, 4}));
  EXPECT_EQ(db, (std::vector<float>{1, 3, 2}));
}

TEST_F(InnerProduct, AppliesScalesThenPostOpsInTheirOrder) {
  primitive_attr attr;
  dnnl::post_ops ops;
  ops.append_sum(2.f);
  ops.append_eltwise(1.f, algorithm::eltwise_linear, -1.f, 500.f);
  ops.append_eltwise(1.f, algorithm::eltwise_relu_use_dst_for_bwd, 0.f, 0.f);
  attr.set_post_ops(ops);
  attr.set_output_scales(1 << 1, {1.f, 2.f, 3.f});
  const Forward::primitive_desc pd(Request(), attr, cpu);
  y = {1, 2, 3, 4, 5, 6};
  Run(Forward(pd), {{DNNL_ARG_SRC, Of(src, x)},
                    {DNNL_ARG_WEIGHTS, Of(weights, w)},
                    {DNNL_ARG_BIAS, Of(bias, b)},
                    {DNNL_ARG_DST, Of(dst, y)}});
  EXPECT_EQ(y, (std::vector<float>{500 - 123, 500 - 488, 0, 500 - 151, 0, 0}));
  EXPECT_EQ(pd.get_primitive_attr().get_post_ops().len(), 3);
}

TEST_F(InnerProduct, TakesScalesAtExecution) {
  primitive_attr attr;
  attr.set_output_scales(1 << 1, {DNNL_RUNTIME_F32_VAL});
  const Forward::primitive_desc pd(Request(), attr, cpu);
  const memory::desc three({3}, dt::f32, tag::a);
  EXPECT_EQ(pd.query_md(dnnl::query::exec_arg_md, DNNL_ARG_ATTR_OUTPUT_SCALES), three);
  std::vector<float> scales = {1, 2, 4};
  std::unordered_map<int, memory> arguments = {{DNNL_ARG_SRC, Of(src, x)},
                                               {DNNL_ARG_WEIGHTS, Of(weights, w)},
                                               {DNNL_ARG_BIAS, Of(bias, b)},
                                               {DNNL_ARG_DST, Of(dst, y)}};
  EXPECT_NE(Refusal([&] { Run(Forward(pd), arguments); }), "");
  arguments[DNNL_ARG_ATTR_OUTPUT_SCALES] = Of(three, scales);
  Run(Forward(pd), arguments);
  EXPECT_EQ(y, (std::vector<float>{121, 484, 1452, 143, 572, 1716}));
}

TEST_F(InnerProduct, QueriesTellItsTensors) {
  const auto pd = Hint();
  EXPECT_EQ(pd.get_kind(), dnnl::primitive::kind::inner_product);
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

  const BackwardData::primitive_desc data(BackwardData::desc(src, weights, dst), cpu, pd);
  EXPECT_EQ(data.diff_src_desc(), src);
  EXPECT_EQ(data.weights_desc(), weights);
  EXPECT_EQ(data.diff_dst_desc(), dst);
  EXPECT_EQ(data.src_desc(), memory::desc());
  EXPECT_EQ(data.weights_desc(1), memory::desc());

  const BackwardWeights::primitive_desc gradient(BackwardWeights::desc(src, weights, bias, dst),
                                                 cpu, pd);
  EXPECT_EQ(gradient.src_desc(), src);
  EXPECT_EQ(gradient.diff_weights_desc(), weights);
  EXPECT_EQ(gradient.diff_bias_desc(), bias);
  EXPECT_EQ(gradient.query_md(dnnl::query::exec_arg_md, DNNL_ARG_DIFF_BIAS), bias);
  EXPECT_EQ(gradient.weights_desc(), memory::desc());
}

TEST_F(InnerProduct, TheImplementationAnswersAny) {
  const Forward::desc open(prop_kind::forward_training, Any({2, 1, 1, 2}), Any({3, 1, 1, 2}),
                           Any({3}), Any({2, 3}));
  const Forward::primitive_desc pd(open, cpu);
  EXPECT_EQ(pd.src_desc(), src);
  EXPECT_EQ(pd.weights_desc(), weights);
  EXPECT_EQ(pd.bias_desc(), bias);
  EXPECT_EQ(pd.dst_desc(), dst);

  // Weights alone, turned.
  fake::controls().chosen = {spi::Strided(spi::DataType::kF32, {3, 1, 1, 2})};
  fake::controls().chosen[0].strides = {1, 6, 6, 3};
  const memory::desc turned({3, 1, 1, 2}, dt::f32, memory::dims{1, 6, 6, 3});
  const Forward::primitive_desc one(
      {prop_kind::forward_training, src, Any({3, 1, 1, 2}), bias, dst}, cpu);
  EXPECT_EQ(one.weights_desc(), turned);
  std::vector<float> packed = {1, 2, 3, 10, 20, 30};
  Run(Forward(one), {{DNNL_ARG_SRC, Of(src, x)},
                     {DNNL_ARG_WEIGHTS, Of(turned, packed)},
                     {DNNL_ARG_BIAS, Of(bias, b)},
                     {DNNL_ARG_DST, Of(dst, y)}});
  EXPECT_EQ(y, product);
}

TEST_F(InnerProduct, OfAnEmptyBatchNeedsNoImplementation) {
  const Forward::primitive_desc pd({prop_kind::forward, Any({0, 4}), Any({3, 4}), Any({0, 3})},
                                   cpu);
  EXPECT_EQ(pd.src_desc(), memory::desc({0, 4}, dt::f32, tag::ab));
  EXPECT_EQ(pd.weights_desc(), memory::desc({3, 4}, dt::f32, tag::ab));
  EXPECT_EQ(pd.dst_desc(), memory::desc({0, 3}, dt::f32, tag::ab));
  EXPECT_EQ(counts().plans, 0);

  // Gradients of weights are zeros.
  const memory::desc none({0, 2}, dt::f32, tag::ab), no_dst({0, 3}, dt::f32, tag::ab),
      flat({3, 2}, dt::f32, tag::ab);
  const Forward::primitive_desc hint({prop_kind::forward, none, flat, no_dst}, cpu);
  const BackwardWeights::primitive_desc gradient({none, flat, bias, no_dst}, cpu, hint);
  Run(BackwardWeights(gradient), {{DNNL_ARG_SRC, memory(none, cpu, nullptr)},
                                  {DNNL_ARG_DIFF_DST, memory(no_dst, cpu, nullptr)},
                                  {DNNL_ARG_DIFF_WEIGHTS, Of(flat, w)},
                                  {DNNL_ARG_DIFF_BIAS, Of(bias, b)}});
  EXPECT_EQ(w, std::vector<float>(6));
  EXPECT_EQ(b, std::vector<float>(3));
}

TEST_F(InnerProduct, NextImplKeepsWhatWasGivenAndTheHint) {
  fake::controls().candidates = 3;
  auto pd =
      BackwardData::primitive_desc(BackwardData::desc(src, Any({3, 1, 1, 2}), dst), cpu, Hint());
  EXPECT_EQ(counts().hints, 1);
  fake::controls().chosen = {spi::Strided(spi::DataType::kF32, {3, 1, 1, 2})};
  fake::controls().chosen[0].strides = {1, 6, 6, 3};
  EXPECT_EQ(pd.weights_desc(), weights);
  EXPECT_TRUE(pd.next_impl());
  EXPECT_EQ(counts().hints, 2);
  EXPECT_EQ(pd.weights_desc(), memory::desc({3, 1, 1, 2}, dt::f32, memory::dims{1, 6, 6, 3}));
  EXPECT_EQ(pd.diff_src_desc(), src);
  EXPECT_EQ(pd.diff_dst_desc(), dst);
  EXPECT_TRUE(pd.next_impl());
  EXPECT_FALSE(pd.next_impl());
}

TEST_F(InnerProduct, RefusesShapesAtTheOperationDescriptor) {
  const memory::desc long_dst({2, 4}, dt::f32, tag::ab), flat({3, 2}, dt::f32, tag::ab);
  const char* const prefix = "invalid_arguments: inner_product: ";
  EXPECT_EQ(Refusal([&] { Request(); }), "");
  EXPECT_EQ(Refusal([&] { Forward::desc(prop_kind::forward, src, weights, bias, long_dst); }),
            std::string(prefix) + "dst.dims[1] = 4 is not weights.dims[0] = 3 (IP-004)");
  EXPECT_EQ(Refusal([&] { Forward::desc(prop_kind::forward, src, weights, dst, dst); }),
            std::string(prefix) + "bias.rank = 2 is not 1 (IP-005)");
  EXPECT_EQ(Refusal([&] { BackwardData::desc(src, flat, dst); }),
            std::string(prefix) + "weights.rank = 2 is not diff_src.rank = 4 (IP-003)");
  EXPECT_EQ(Refusal([&] { BackwardWeights::desc(src, weights, bias, long_dst); }),
            std::string(prefix) + "diff_dst.dims[1] = 4 is not diff_weights.dims[0] = 3 (IP-004)");
  EXPECT_EQ(Refusal([&] { Forward::desc(prop_kind::forward, src, memory::desc(), dst); }),
            std::string(prefix) + "weights.rank = 0 is not in [1, 12] (IP-003)");
  EXPECT_EQ(Refusal([&] {
              Forward::desc(prop_kind::forward, Any({2, 0}), Any({3, 0}), Any({2, 3}));
            }),
            std::string(prefix) + "weights.dims[1] = 0 (IP-006)");
}

TEST_F(InnerProduct, IsForwardInTwoWays) {
  for (int kind = -1; kind < 256; ++kind) {
    const bool forward = kind == dnnl_forward_training || kind == dnnl_forward_inference;
    const std::string refusal =
        Refusal([&] { Forward::desc(static_cast<prop_kind>(kind), src, weights, bias, dst); });
    EXPECT_EQ(refusal.empty(), forward) << kind;
  }
  EXPECT_EQ(Refusal([&] { Forward::desc(prop_kind::backward_data, src, weights, dst); }),
            "invalid_arguments: inner_product: prop_kind = backward_data is neither "
            "forward_training nor forward_inference (IP-008)");
}

TEST_F(InnerProduct, RefusesWhatWasWrittenByHand) {
  Forward::desc forward = Request();
  forward.data.prop_kind = dnnl_backward_data;
  EXPECT_EQ(Refusal([&] { Forward::primitive_desc(forward, cpu); }),
            "invalid_arguments: inner_product: prop_kind = backward_data is neither "
            "forward_training nor forward_inference (IP-008)");
  BackwardData::desc data(src, weights, dst);
  data.data.prop_kind = dnnl_backward_weights;
  EXPECT_EQ(Refusal([&] { BackwardData::primitive_desc(data, cpu, Hint()); }),
            "invalid_arguments: inner_product: prop_kind = backward_weights is not backward_data "
            "(IP-008)");
  forward = Request();
  forward.data.dst_desc = src.data;
  EXPECT_EQ(Refusal([&] { Forward::primitive_desc(forward, cpu); }),
            "invalid_arguments: inner_product: dst.rank = 4 is not 2 (IP-003)");
  EXPECT_FALSE(Forward::primitive_desc(forward, cpu, true));
  forward = Request();
  forward.data.weights_desc.ndims = 99;
  EXPECT_NE(Refusal([&] { Forward::primitive_desc(forward, cpu); }), "");
  forward = Request();
  forward.data.bias_desc.data_type = dnnl_data_type_undef;
  EXPECT_NE(Refusal([&] { Forward::primitive_desc(forward, cpu); }), "");
}

TEST_F(InnerProduct, RefusesRunTimeShapes) {
  const auto open = DNNL_RUNTIME_DIM_VAL;
  const char* const not_served =
      "unimplemented: inner_product: run-time dims and strides are not served (IP-007)";
  const memory::desc rows({open, 2}, dt::f32, tag::ab), flat({3, 2}, dt::f32, tag::ab);
  EXPECT_EQ(Refusal([&] { Forward::desc(prop_kind::forward, rows, flat, dst); }), not_served);
  const memory::desc some_bias({3}, dt::f32, memory::dims{open});
  EXPECT_EQ(Refusal([&] { Forward::desc(prop_kind::forward, src, weights, some_bias, dst); }),
            not_served);
  EXPECT_EQ(Refusal([&] { BackwardWeights::desc(src, weights, some_bias, dst); }), not_served);
  EXPECT_EQ(Refusal([&] { BackwardData::desc(rows, flat, dst); }), not_served);
}

TEST_F(InnerProduct, BackwardWantsAForwardInnerProduct) {
  const BackwardData::desc data(src, weights, dst);
  const BackwardWeights::desc gradient(src, weights, dst);
  const auto refusal = [&](const Forward::primitive_desc& hint) {
    const std::string message = Refusal([&] { BackwardData::primitive_desc(data, cpu, hint); });
    EXPECT_EQ(static_cast<bool>(BackwardData::primitive_desc(data, cpu, hint, true)),
              message.empty());
    EXPECT_EQ(static_cast<bool>(BackwardWeights::primitive_desc(gradient, cpu, hint, true)),
              message.empty());
    return message;
  };
  EXPECT_EQ(refusal(Hint()), "");
  EXPECT_EQ(refusal(Forward::primitive_desc()),
            "invalid_arguments: inner_product: the forward primitive descriptor is empty "
            "(PRIM-016)");
  // What reset() takes is not looked at before.
  const dnnl::shuffle_forward::primitive_desc shuffle({prop_kind::forward, src, 3, 2}, cpu);
  Forward::primitive_desc wrong;
  wrong.reset(shuffle.get(), true);
  EXPECT_EQ(refusal(wrong),
            "invalid_arguments: inner_product: the hint is no forward inner product (PRIM-016)");
}

TEST_F(InnerProduct, OnlyAHintThatItBelongsToReachesAnImplementation) {
  const auto hints = [&](const Forward::desc& forward, const engine& on) {
    const Forward::primitive_desc hint(forward, on);
    const int before = counts().hints;
    EXPECT_TRUE(BackwardData::primitive_desc(BackwardData::desc(src, weights, dst), cpu, hint));
    EXPECT_TRUE(
        BackwardWeights::primitive_desc(BackwardWeights::desc(src, weights, dst), cpu, hint));
    return counts().hints - before;
  };
  EXPECT_EQ(hints(Request(), cpu), 2);
  // Other layouts and types, without bias.
  EXPECT_EQ(hints({prop_kind::forward_training, Any({2, 1, 1, 2}, dt::u8),
                   Any({3, 1, 1, 2}, dt::s8), Any({2, 3}, dt::s32)},
                  cpu),
            2);
  EXPECT_EQ(hints(Request(), engine(engine::kind::gpu, 0)), 0);
  EXPECT_EQ(hints({prop_kind::forward, Any({3, 1, 1, 2}), Any({3, 1, 1, 2}), Any({3, 3})}, cpu), 0);
  EXPECT_EQ(hints({prop_kind::forward, Any({2, 1, 1, 2}), Any({4, 1, 1, 2}), Any({2, 4})}, cpu), 0);
  EXPECT_EQ(hints({prop_kind::forward, Any({2, 2}), Any({3, 2}), Any({2, 3})}, cpu), 0);
}

TEST_F(InnerProduct, ForwardRefusesAttributesThatItCannotHave) {
  const auto refusal_of = [&](auto&& set) {
    primitive_attr attr;
    set(attr);
    const std::string message = Refusal([&] { Forward::primitive_desc(Request(), attr, cpu); });
    EXPECT_EQ(static_cast<bool>(Forward::primitive_desc(Request(), attr, cpu, true)),
              message.empty());
    return message;
  };
  const auto scales = [](int mask, size_t count) {
    return [=](primitive_attr& a) { a.set_output_scales(mask, std::vector<float>(count, 2.f)); };
  };
  const auto ops = [](auto&& append) {
    return [append](primitive_attr& a) {
      dnnl::post_ops list;
      list.append_eltwise(1.f, algorithm::eltwise_tanh, 0.f, 0.f);
      append(list);
      a.set_post_ops(list);
    };
  };
  EXPECT_EQ(refusal_of(scales(0, 1)), "");
  EXPECT_EQ(refusal_of(scales(0, 3)),
            "invalid_arguments: inner_product: output scales has 3 values for 1 of mask 0 "
            "(ATTR-024)");
  EXPECT_EQ(refusal_of(scales(2, 3)), "");
  EXPECT_EQ(refusal_of(scales(2, 2)),
            "invalid_arguments: inner_product: output scales has 2 values for 3 of mask 2 "
            "(ATTR-024)");
  EXPECT_EQ(refusal_of(scales(1, 2)),
            "unimplemented: inner_product: output scale mask = 1 is neither 0 nor 2 (IP-042)");
  EXPECT_EQ(refusal_of(scales(3, 6)),
            "unimplemented: inner_product: output scale mask = 3 is neither 0 nor 2 (IP-042)");
  EXPECT_EQ(refusal_of(scales(4, 1)),
            "invalid_arguments: inner_product: output scale mask = 4 has bits beyond dst.rank = 2 "
            "(ATTR-025)");
  EXPECT_EQ(refusal_of(ops([](dnnl::post_ops& list) { list.append_sum(2.f, dt::s32); })), "");
  EXPECT_EQ(refusal_of(ops([](dnnl::post_ops& list) { list.append_sum(2.f, dt::bf16); })),
            "invalid_arguments: inner_product: sum data type bf16 has 2 bytes, not 4 of f32 "
            "(ATTR-050)");
  EXPECT_EQ(refusal_of(ops([](dnnl::post_ops& list) { list.append_sum(2.f, 7); })),
            "unimplemented: inner_product: post-op 1: sum zero point = 7 is not 0 (ATTR-006)");
  EXPECT_EQ(refusal_of(ops([](dnnl::post_ops& list) { list.append_prelu(0); })),
            "unimplemented: inner_product: post-op 1 is neither a sum nor an eltwise (ATTR-006)");
  EXPECT_EQ(refusal_of([](primitive_attr& a) { a.set_fpmath_mode(dnnl::fpmath_mode::any); }), "");
  EXPECT_EQ(refusal_of([](primitive_attr& a) { a.set_zero_points(DNNL_ARG_SRC, 0, {3}); }),
            "unimplemented: inner_product: attribute zero_points is not served (ATTR-006)");
}

TEST_F(InnerProduct, BackwardRefusesEveryAttributeButTheScratchpadMode) {
  const auto hint = Hint();
  const auto refusal_of = [&](auto&& set) {
    primitive_attr attr;
    set(attr);
    const std::string message = Refusal([&] {
      BackwardData::primitive_desc(BackwardData::desc(src, weights, dst), attr, cpu, hint);
    });
    EXPECT_EQ(message, Refusal([&] {
                BackwardWeights::primitive_desc(BackwardWeights::desc(src, weights, dst), attr, cpu,
                                                hint);
              }));
    return message;
  };
  dnnl::post_ops ops;
  ops.append_sum();
  EXPECT_EQ(
      refusal_of([](primitive_attr& a) { a.set_scratchpad_mode(dnnl::scratchpad_mode::user); }),
      "");
  EXPECT_EQ(refusal_of([](primitive_attr& a) { a.set_output_scales(0, {2.f}); }),
            "unimplemented: inner_product: attribute output_scales is not served (IP-045)");
  EXPECT_EQ(refusal_of([&](primitive_attr& a) { a.set_post_ops(ops); }),
            "unimplemented: inner_product: attribute post_ops is not served (IP-045)");
  EXPECT_EQ(refusal_of([](primitive_attr& a) { a.set_zero_points(DNNL_ARG_SRC, 0, {3}); }),
            "unimplemented: inner_product: attribute zero_points is not served (IP-045)");
  EXPECT_EQ(refusal_of([](primitive_attr& a) { a.set_fpmath_mode(dnnl::fpmath_mode::any); }),
            "unimplemented: inner_product: attribute fpmath_mode is not served (IP-045)");
}

TEST_F(InnerProduct, RefusesMissingArgumentsAndSharedBytes) {
  const Forward primitive(Hint());
  const std::unordered_map<int, memory> all = {{DNNL_ARG_SRC, Of(src, x)},
                                               {DNNL_ARG_WEIGHTS, Of(weights, w)},
                                               {DNNL_ARG_BIAS, Of(bias, b)},
                                               {DNNL_ARG_DST, Of(dst, y)}};
  for (const auto& [index, held] : all) {
    auto some = all;
    some.erase(index);
    EXPECT_NE(Refusal([&] { Run(primitive, some); }), "") << index;
  }
  auto shared = all;
  shared[DNNL_ARG_DST] = Of(dst, w);
  EXPECT_NE(Refusal([&] { Run(primitive, shared); }), "");
  // Two that are read may be one.
  const memory::desc square({2, 2}, dt::f32, tag::ab);
  std::vector<float> result(4);
  const Forward::primitive_desc pd({prop_kind::forward, square, square, square}, cpu);
  Run(Forward(pd), {{DNNL_ARG_SRC, Of(square, x)},
                    {DNNL_ARG_WEIGHTS, Of(square, x)},
                    {DNNL_ARG_DST, Of(square, result)}});
  EXPECT_EQ(result, (std::vector<float>{5, 11, 11, 25}));
}

TEST_F(InnerProduct, TakesHandlesOfItsDirectionOnly) {
  const auto forward = Hint();
  const BackwardData::primitive_desc data(BackwardData::desc(src, weights, dst), cpu, forward);
  EXPECT_EQ(Forward::primitive_desc(forward.get()).bias_desc(), bias);
  EXPECT_EQ(BackwardData::primitive_desc(data.get()).diff_src_desc(), src);
  EXPECT_NE(Refusal([&] { Forward::primitive_desc taken(data.get()); }), "");
  EXPECT_NE(Refusal([&] { BackwardWeights::primitive_desc taken(data.get()); }), "");
  EXPECT_FALSE(BackwardWeights::primitive_desc(static_cast<dnnl_primitive_desc_t>(nullptr)));
}

TEST_F(InnerProduct, OperationDescriptorsAreValues) {
  const Forward::desc d = Request();
  EXPECT_EQ(d.data.primitive_kind, dnnl_inner_product);
  EXPECT_EQ(d.data.accum_data_type, dnnl_f32);
  EXPECT_EQ(d.data.diff_src_desc.ndims, 0);
  EXPECT_EQ(Forward::desc(prop_kind::forward, Any({2, 4}, dt::u8), Any({3, 4}, dt::s8),
                          Any({2, 3}, dt::f32))
                .data.accum_data_type,
            dnnl_s32);
  const engine gpu(engine::kind::gpu, 0);
  const Forward::desc copy = d;
  EXPECT_EQ(Forward::primitive_desc(copy, gpu).get_engine(), gpu);
  EXPECT_NE(Refusal([&] { Forward::primitive_desc(d, engine()); }), "");
}

}  // namespace
