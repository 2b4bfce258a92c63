// What the classes refuse.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "api/fake/fake.h"
#include "api/fake/refusal.h"
#include "oneapi/dnnl/convolution/convolution.hpp"
#include "oneapi/dnnl/shuffle/shuffle.hpp"

namespace {

using dnnl::algorithm;
using dnnl::engine;
using dnnl::memory;
using dnnl::primitive_attr;
using dnnl::prop_kind;
using fake::counts;
using fake::Refusal;
using dt = memory::data_type;
using tag = memory::format_tag;
using Forward = dnnl::convolution_forward;
using BackwardData = dnnl::convolution_backward_data;
using BackwardWeights = dnnl::convolution_backward_weights;
constexpr auto kDirect = algorithm::convolution_direct;

memory::desc Any(const memory::dims& dims, dt type = dt::f32) { return {dims, type, tag::any}; }

class ConvolutionRefusals : public testing::Test {
 protected:
  ConvolutionRefusals() { fake::Reset(); }
  ~ConvolutionRefusals() override { fake::Reset(); }

  Forward::desc Request() const {
    return {prop_kind::forward_inference, kDirect, src, weights, bias, dst, one, left, none};
  }
  BackwardData::desc DataRequest() const { return {kDirect, src, weights, dst, one, left, none}; }
  BackwardWeights::desc WeightsRequest() const {
    return {kDirect, src, weights, bias, dst, one, left, none};
  }
  Forward::primitive_desc Hint() const { return {Request(), cpu}; }

  const engine cpu{engine::kind::cpu, 0};
  const memory::desc src{{2, 1, 1, 3}, dt::f32, tag::nchw},
      weights{{2, 1, 1, 2}, dt::f32, tag::oihw}, bias{{2}, dt::f32, tag::a},
      dst{{2, 2, 1, 3}, dt::f32, tag::nchw};
  const memory::dims one = {1, 1}, left = {0, 1}, none = {0, 0};
};

TEST_F(ConvolutionRefusals, AreToldAtTheOperationDescriptor) {
  const memory::desc other({2, 2, 1, 4}, dt::f32, tag::nchw);
  const std::string prefix = "invalid_arguments: convolution: ";
  const auto forward = prop_kind::forward;
  EXPECT_EQ(Refusal([&] { Request(); }), "");
  EXPECT_EQ(
      Refusal([&] { Forward::desc(forward, kDirect, src, weights, bias, other, one, left, none); }),
      prefix + "dst.dims[3] = 4 is not floor((3 - 2 + 1 + 0) / 1) + 1 = 3 (CONV-025)");
  EXPECT_EQ(
      Refusal([&] { Forward::desc(forward, kDirect, src, weights, dst, dst, one, left, none); }),
      prefix + "bias.rank = 4 is not 1 (CONV-024)");
  EXPECT_EQ(Refusal([&] { BackwardData::desc(kDirect, src, bias, dst, one, left, none); }),
            prefix + "weights.rank = 1 is neither diff_src.rank = 4 nor one more (CONV-021)");
  EXPECT_EQ(
      Refusal([&] { BackwardWeights::desc(kDirect, src, weights, src, dst, one, left, none); }),
      prefix + "diff_bias.rank = 4 is not 1 (CONV-024)");
  EXPECT_EQ(Refusal([&] {
              Forward::desc(forward, kDirect, src, weights, dst, {0, 1}, left, none);
            }),
            prefix + "strides[0] = 0 is below 1 (CONV-027)");
  const memory::desc zero;
  EXPECT_EQ(Refusal([&] { Forward::desc(forward, kDirect, zero, weights, dst, one, left, none); }),
            prefix + "src.rank = 0 is not in [1, 12] (CONV-045)");
  EXPECT_EQ(Refusal([&] { BackwardData::desc(kDirect, src, zero, dst, one, left, none); }),
            prefix + "weights.rank = 0 is not in [1, 12] (CONV-045)");
  EXPECT_EQ(
      Refusal([&] { BackwardWeights::desc(kDirect, src, weights, zero, zero, one, left, none); }),
      prefix + "diff_dst.rank = 0 is not in [1, 12] (CONV-045)");
}

TEST_F(ConvolutionRefusals, ForwardIsOfTwoKinds) {
  for (int kind = -1; kind < 256; ++kind) {
    const bool forward = kind == dnnl_forward_training || kind == dnnl_forward_inference;
    const std::string refusal = Refusal([&] {
      Forward::desc(static_cast<prop_kind>(kind), kDirect, src, weights, dst, one, left, none);
    });
    EXPECT_EQ(refusal.empty(), forward) << kind;
  }
  EXPECT_EQ(Refusal([&] {
              Forward::desc(prop_kind::backward_data, kDirect, src, weights, dst, one, left, none);
            }),
            "invalid_arguments: convolution: prop_kind = backward_data is neither "
            "forward_training nor forward_inference (CONV-044)");
}

TEST_F(ConvolutionRefusals, AlgorithmsAreThreeInEveryDirection) {
  for (int number = -1; number < 0x300; ++number) {
    const auto given = static_cast<algorithm>(number);
    const std::string message =
        number == dnnl_convolution_direct || number == dnnl_convolution_winograd ||
                number == dnnl_convolution_auto
            ? ""
            : "invalid_arguments: convolution: algorithm = " + std::to_string(number) +
                  " is no convolution algorithm (CONV-043)";
    EXPECT_EQ(Refusal([&] {
                Forward::desc(prop_kind::forward, given, src, weights, dst, one, left, none);
              }),
              message);
    EXPECT_EQ(Refusal([&] { BackwardData::desc(given, src, weights, dst, one, left, none); }),
              message);
    EXPECT_EQ(Refusal([&] { BackwardWeights::desc(given, src, weights, dst, one, left, none); }),
              message);
  }
}

TEST_F(ConvolutionRefusals, WrittenByHandIsCheckedAgain) {
  const auto refusal = [&](const Forward::desc& d) {
    EXPECT_FALSE(Forward::primitive_desc(d, cpu, true));
    return Refusal([&] { Forward::primitive_desc(d, cpu); });
  };
  Forward::desc forward = Request();
  forward.data.prop_kind = dnnl_backward_data;
  EXPECT_EQ(refusal(forward),
            "invalid_arguments: convolution: prop_kind = backward_data is neither "
            "forward_training nor forward_inference (CONV-044)");
  BackwardData::desc data = DataRequest();
  data.data.prop_kind = dnnl_backward_weights;
  EXPECT_EQ(Refusal([&] { BackwardData::primitive_desc(data, cpu, Hint()); }),
            "invalid_arguments: convolution: prop_kind = backward_weights is not backward_data "
            "(CONV-044)");
  forward = Request();
  forward.data.strides[1] = -1;
  EXPECT_EQ(refusal(forward),
            "invalid_arguments: convolution: strides[1] = -1 is below 1 (CONV-027)");
  forward = Request();
  forward.data.padding[1][1] = 1;
  EXPECT_EQ(refusal(forward),
            "invalid_arguments: convolution: dst.dims[3] = 3 is not floor((3 - 2 + 1 + 1) / 1) + 1 "
            "= 4 (CONV-025)");
  forward = Request();
  forward.data.alg_kind = dnnl_eltwise_relu;
  EXPECT_NE(refusal(forward), "");
  forward = Request();
  forward.data.bias_desc.data_type = dnnl_data_type_undef;
  EXPECT_NE(refusal(forward), "");
  for (const int rank : {99, -3, INT32_MIN, INT32_MAX}) {
    forward = Request();
    forward.data.src_desc.ndims = rank;
    EXPECT_NE(refusal(forward), "") << rank;
  }
}

TEST_F(ConvolutionRefusals, RunTimeShapesAreNotServed) {
  const auto open = DNNL_RUNTIME_DIM_VAL;
  const char* const not_served =
      "unimplemented: convolution: run-time dims and strides are not served (CONV-042)";
  const auto refusals = [&](const memory::desc& s, const memory::desc& k, const memory::desc& c,
                            const memory::desc& d) {
    EXPECT_EQ(
        Refusal([&] { Forward::desc(prop_kind::forward, kDirect, s, k, c, d, one, left, none); }),
        not_served);
    EXPECT_EQ(Refusal([&] { BackwardWeights::desc(kDirect, s, k, c, d, one, left, none); }),
              not_served);
    EXPECT_EQ(Refusal([&] { BackwardData::desc(kDirect, s, k, d, one, left, none); }),
              c == bias ? not_served : "");
  };
  for (int axis = 0; axis < 4; ++axis) {
    const auto opened = [&](memory::dims dims) {
      dims[static_cast<size_t>(axis)] = open;
      return memory::desc(dims, dt::f32, tag::abcd);
    };
    refusals(opened({2, 1, 1, 3}), weights, bias, dst);
    refusals(src, opened({2, 1, 1, 2}), bias, dst);
    refusals(src, weights, bias, opened({2, 2, 1, 3}));
  }
  refusals(src, weights, memory::desc({2}, dt::f32, memory::dims{open}), dst);
}

TEST_F(ConvolutionRefusals, BackwardWantsAForwardConvolution) {
  const auto refusal = [&](const Forward::primitive_desc& hint) {
    const std::string message =
        Refusal([&] { BackwardData::primitive_desc(DataRequest(), cpu, hint); });
    EXPECT_EQ(static_cast<bool>(BackwardData::primitive_desc(DataRequest(), cpu, hint, true)),
              message.empty());
    EXPECT_EQ(static_cast<bool>(BackwardWeights::primitive_desc(WeightsRequest(), cpu, hint, true)),
              message.empty());
    return message;
  };
  EXPECT_EQ(refusal(Hint()), "");
  EXPECT_EQ(refusal(Forward::primitive_desc()),
            "invalid_arguments: convolution: the forward primitive descriptor is empty (PRIM-016)");
  // What reset() takes is not looked at before.
  const dnnl::shuffle_forward::primitive_desc shuffle({prop_kind::forward, src, 3, 3}, cpu);
  Forward::primitive_desc wrong;
  wrong.reset(shuffle.get(), true);
  EXPECT_EQ(refusal(wrong),
            "invalid_arguments: convolution: the hint is no forward convolution (PRIM-016)");
}

TEST_F(ConvolutionRefusals, OnlyAHintThatItBelongsToReachesAnImplementation) {
  const auto hints = [&](const Forward::desc& forward, const engine& on) {
    const Forward::primitive_desc hint(forward, on);
    const int before = counts().hints;
    EXPECT_TRUE(BackwardData::primitive_desc(DataRequest(), cpu, hint));
    EXPECT_TRUE(BackwardWeights::primitive_desc(WeightsRequest(), cpu, hint));
    return counts().hints - before;
  };
  const auto training = prop_kind::forward_training;
  EXPECT_EQ(hints(Request(), cpu), 2);
  // Another algorithm, other layouts and types, without bias.
  EXPECT_EQ(hints({training, algorithm::convolution_auto, Any({2, 1, 1, 3}, dt::u8),
                   Any({2, 1, 1, 2}, dt::s8), Any({2, 2, 1, 3}, dt::s32), one, left, none},
                  cpu),
            2);
  EXPECT_EQ(hints(Request(), engine(engine::kind::gpu, 0)), 0);
  EXPECT_EQ(
      hints({training, kDirect, Any({3, 1, 1, 3}), weights, Any({3, 2, 1, 3}), one, left, none},
            cpu),
      0);
  EXPECT_EQ(hints({training, kDirect, src, Any({1, 2, 1, 1, 2}), dst, one, left, none}, cpu), 0);
  // The same dims by other numbers: what was padded before is padded behind.
  EXPECT_EQ(hints({training, kDirect, src, weights, dst, one, none, left}, cpu), 0);
  EXPECT_EQ(hints({training, kDirect, src, weights, dst, one, {5, 0}, left, none}, cpu), 0);
}

TEST_F(ConvolutionRefusals, ForwardRefusesAttributesThatItCannotHave) {
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
  EXPECT_EQ(refusal_of(scales(0, 2)),
            "invalid_arguments: convolution: output scales has 2 values for 1 of mask 0 "
            "(ATTR-024)");
  EXPECT_EQ(refusal_of(scales(2, 2)), "");
  EXPECT_EQ(refusal_of(scales(2, 3)),
            "invalid_arguments: convolution: output scales has 3 values for 2 of mask 2 "
            "(ATTR-024)");
  for (int mask = 1; mask < 16; ++mask)
    EXPECT_EQ(refusal_of(scales(mask, 2)),
              mask == 2 ? ""
                        : "unimplemented: convolution: output scale mask = " +
                              std::to_string(mask) + " is neither 0 nor 2 (CONV-141)");
  EXPECT_EQ(refusal_of(scales(16, 1)),
            "invalid_arguments: convolution: output scale mask = 16 has bits beyond dst.rank = 4 "
            "(ATTR-025)");
  EXPECT_EQ(refusal_of(ops([](dnnl::post_ops& list) { list.append_sum(2.f, dt::s32); })), "");
  EXPECT_EQ(refusal_of(ops([](dnnl::post_ops& list) { list.append_sum(2.f, dt::bf16); })),
            "invalid_arguments: convolution: sum data type bf16 has 2 bytes, not 4 of f32 "
            "(ATTR-050)");
  EXPECT_EQ(refusal_of(ops([](dnnl::post_ops& list) { list.append_sum(2.f, 7); })),
            "unimplemented: convolution: post-op 1: sum zero point = 7 is not 0 (ATTR-006)");
  EXPECT_EQ(refusal_of(ops([](dnnl::post_ops& list) { list.append_prelu(0); })),
            "unimplemented: convolution: post-op 1 is neither a sum nor an eltwise (ATTR-006)");
  EXPECT_EQ(refusal_of([](primitive_attr& a) { a.set_fpmath_mode(dnnl::fpmath_mode::any); }), "");
  EXPECT_EQ(refusal_of([](primitive_attr& a) { a.set_zero_points(DNNL_ARG_SRC, 0, {3}); }),
            "unimplemented: convolution: attribute zero_points is not served (ATTR-006)");
}

TEST_F(ConvolutionRefusals, BackwardRefusesEveryAttributeButTheScratchpadMode) {
  const auto hint = Hint();
  const auto expect = [&](const std::string& attribute, auto&& set) {
    primitive_attr attr;
    set(attr);
    const auto message = [&](const char* requirement) {
      return attribute.empty() ? ""
                               : "unimplemented: convolution: attribute " + attribute +
                                     " is not served (" + requirement + ")";
    };
    EXPECT_EQ(Refusal([&] { BackwardData::primitive_desc(DataRequest(), attr, cpu, hint); }),
              message("CONV-104"));
    EXPECT_EQ(Refusal([&] { BackwardWeights::primitive_desc(WeightsRequest(), attr, cpu, hint); }),
              message("CONV-116"));
  };
  dnnl::post_ops sum, relu;
  sum.append_sum();
  relu.append_eltwise(1.f, algorithm::eltwise_relu, 0.f, 0.f);
  expect("", [](primitive_attr& a) { a.set_scratchpad_mode(dnnl::scratchpad_mode::user); });
  expect("output_scales", [](primitive_attr& a) { a.set_output_scales(0, {2.f}); });
  expect("post_ops", [&](primitive_attr& a) { a.set_post_ops(sum); });
  expect("post_ops", [&](primitive_attr& a) { a.set_post_ops(relu); });
  expect("zero_points", [](primitive_attr& a) { a.set_zero_points(DNNL_ARG_SRC, 0, {3}); });
  expect("fpmath_mode", [](primitive_attr& a) { a.set_fpmath_mode(dnnl::fpmath_mode::any); });
}

}  // namespace
