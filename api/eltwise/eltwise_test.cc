#include "oneapi/dnnl/eltwise/eltwise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>
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
using Forward = dnnl::eltwise_forward;
using Backward = dnnl::eltwise_backward;

class Eltwise : public testing::Test {
 protected:
  Eltwise() { fake::Reset(); }
  ~Eltwise() override { fake::Reset(); }

  Forward::primitive_desc Hint(algorithm kind = algorithm::eltwise_relu) {
    return {Forward::desc(prop_kind::forward_training, kind, matrix), cpu};
  }
  Backward::primitive_desc BackwardOf(algorithm kind, const memory::desc& diff,
                                      const memory::desc& data, float alpha = 0) {
    return {Backward::desc(kind, diff, data, alpha), cpu, Hint()};
  }
  static std::string ForwardRefusal(algorithm kind, const memory::desc& md, float alpha = 0,
                                    float beta = 0) {
    return Refusal([&] { Forward::desc(prop_kind::forward_inference, kind, md, alpha, beta); });
  }
  static std::string BackwardRefusal(const memory::desc& diff, const memory::desc& data,
                                     algorithm kind = algorithm::eltwise_relu, float alpha = 0,
                                     float beta = 0) {
    return Refusal([&] { Backward::desc(kind, diff, data, alpha, beta); });
  }
  memory Of(const memory::desc& md, std::vector<float>& values) {
    return memory(md, cpu, values.data());
  }
  void Run(const dnnl::primitive& primitive, const std::unordered_map<int, memory>& arguments) {
    primitive.execute(queue, arguments);
    queue.wait();
  }

  const engine cpu{engine::kind::cpu, 0};
  stream queue{cpu};
  const memory::desc matrix{{2, 3}, dt::f32, tag::ab}, transposed{{2, 3}, dt::f32, tag::ba},
      any{{2, 3}, dt::f32, tag::any};
  std::vector<float> x = {-2, -1, 0, 1, 2, 3}, y = std::vector<float>(6);
};

// ELT-001.
TEST_F(Eltwise, ParametersAreZeroByDefault) {
  const prop_kind training = prop_kind::forward_training;
  const Forward::desc three(training, algorithm::eltwise_linear, matrix),
      four(training, algorithm::eltwise_linear, matrix, 2.f),
      five(training, algorithm::eltwise_linear, matrix, 2.f, 3.f);
  EXPECT_EQ(three.data.alpha, 0);
  EXPECT_EQ(four.data.alpha, 2);
  EXPECT_EQ(four.data.beta, 0);
  EXPECT_EQ(five.data.beta, 3);
  EXPECT_EQ(five.data.primitive_kind, dnnl_eltwise);
  EXPECT_EQ(five.data.prop_kind, dnnl_forward_training);
  EXPECT_EQ(five.data.alg_kind, dnnl_eltwise_linear);
  EXPECT_EQ(five.data.diff_data_desc.ndims, 0);
  const Backward::desc three_back(algorithm::eltwise_elu, any, matrix),
      four_back(algorithm::eltwise_elu, any, matrix, 2.f),
      five_back(algorithm::eltwise_elu, any, matrix, 2.f, 3.f);
  EXPECT_EQ(three_back.data.alpha, 0);
  EXPECT_EQ(four_back.data.alpha, 2);
  EXPECT_EQ(four_back.data.beta, 0);
  EXPECT_EQ(five_back.data.beta, 3);
  EXPECT_EQ(five_back.data.prop_kind, dnnl_backward_data);
  EXPECT_EQ(five_back.data.diff_data_desc.format_kind, dnnl_format_kind_any);
}

TEST_F(Eltwise, ComputesEveryElementByItself) {
  const Forward::primitive_desc pd(
      Forward::desc(prop_kind::forward_inference, algorithm::eltwise_linear, matrix, 10, 1), cpu);
  Run(Forward(pd), {{DNNL_ARG_SRC, Of(matrix, x)}, {DNNL_ARG_DST, Of(matrix, y)}});
  EXPECT_EQ(y, (std::vector<float>{-19, -9, 1, 11, 21, 31}));
}

TEST_F(Eltwise, BackwardIsTheGradientTimesTheDerivative) {
  std::vector<float> dy = {1, 2, 3, 4, 5, 6}, dx(6);
  Run(Backward(BackwardOf(algorithm::eltwise_relu, matrix, matrix, 0.5f)),
      {{DNNL_ARG_SRC, Of(matrix, x)},
       {DNNL_ARG_DIFF_DST, Of(matrix, dy)},
       {DNNL_ARG_DIFF_SRC, Of(matrix, dx)}});
  EXPECT_EQ(dx, (std::vector<float>{0.5f, 1, 1.5f, 4, 5, 6}));
}

// ELT-005, ELT-048.
TEST_F(Eltwise, BackwardReadsTheDestinationWhereTheAlgorithmSaysSo) {
  std::vector<float> d = {7, 1, 2, 3, 4, 5}, dy = {1, 2, 3, 4, 5, 6}, dx(6);
  const Backward of_dst(BackwardOf(algorithm::eltwise_exp_use_dst_for_bwd, matrix, matrix));
  Run(of_dst, {{DNNL_ARG_DST, Of(matrix, d)},
               {DNNL_ARG_DIFF_DST, Of(matrix, dy)},
               {DNNL_ARG_DIFF_SRC, Of(matrix, dx)}});
  EXPECT_EQ(dx, (std::vector<float>{7, 2, 6, 12, 20, 30}));
  EXPECT_NE(Refusal([&] {
              Run(of_dst, {{DNNL_ARG_SRC, Of(matrix, d)},
                           {DNNL_ARG_DIFF_DST, Of(matrix, dy)},
                           {DNNL_ARG_DIFF_SRC, Of(matrix, dx)}});
            }).find("DNNL_ARG_DST"),
            std::string::npos);
  const Backward of_src(BackwardOf(algorithm::eltwise_exp, matrix, matrix));
  EXPECT_NE(Refusal([&] {
              Run(of_src, {{DNNL_ARG_DST, Of(matrix, d)},
                           {DNNL_ARG_DIFF_DST, Of(matrix, dy)},
                           {DNNL_ARG_DIFF_SRC, Of(matrix, dx)}});
            }).find("DNNL_ARG_SRC"),
            std::string::npos);
}

// ELT-024.
TEST_F(Eltwise, AnAlgorithmOnTheDestinationIsThePlainOneForward) {
  std::vector<float> plain(6);
  for (const auto& [kind, to] : {std::pair(algorithm::eltwise_exp, &plain),
                                 std::pair(algorithm::eltwise_exp_use_dst_for_bwd, &y)})
    Run(Forward(Hint(kind)), {{DNNL_ARG_SRC, Of(matrix, x)}, {DNNL_ARG_DST, Of(matrix, *to)}});
  EXPECT_EQ(y, plain);
  EXPECT_EQ(y[3], std::exp(1.f));
}

// ELT-002 to ELT-004.
TEST_F(Eltwise, QueriesTellItsTensors) {
  const memory::desc none;
  const auto pd = Hint();
  EXPECT_EQ(pd.get_kind(), dnnl::primitive::kind::eltwise);
  EXPECT_EQ(pd.src_desc(), matrix);
  EXPECT_EQ(pd.dst_desc(), matrix);
  EXPECT_EQ(pd.diff_src_desc(), none);
  const auto back = BackwardOf(algorithm::eltwise_tanh, transposed, matrix);
  EXPECT_EQ(back.src_desc(), matrix);
  EXPECT_EQ(back.dst_desc(), none);
  EXPECT_EQ(back.diff_src_desc(), transposed);
  EXPECT_EQ(back.diff_dst_desc(), transposed);
  EXPECT_EQ(back.query_md(dnnl::query::exec_arg_md, DNNL_ARG_SRC), matrix);
  EXPECT_EQ(back.query_md(dnnl::query::exec_arg_md, DNNL_ARG_DST), none);
  const auto of_dst = BackwardOf(algorithm::eltwise_tanh_use_dst_for_bwd, transposed, matrix);
  EXPECT_EQ(of_dst.src_desc(), none);
  EXPECT_EQ(of_dst.query_md(dnnl::query::dst_md), matrix);
  EXPECT_EQ(of_dst.query_md(dnnl::query::exec_arg_md, DNNL_ARG_SRC), none);
  EXPECT_EQ(of_dst.query_md(dnnl::query::exec_arg_md, DNNL_ARG_DST), matrix);
  EXPECT_EQ(of_dst.diff_src_desc(), transposed);
}

// ELT-073.
TEST_F(Eltwise, GradientsMayLieOtherwiseThanData) {
  std::vector<float> dy = {1, 4, 2, 5, 3, 6}, dx(6);
  Run(Backward(BackwardOf(algorithm::eltwise_relu, transposed, matrix)),
      {{DNNL_ARG_SRC, Of(matrix, x)},
       {DNNL_ARG_DIFF_DST, Of(transposed, dy)},
       {DNNL_ARG_DIFF_SRC, Of(transposed, dx)}});
  EXPECT_EQ(dx, (std::vector<float>{0, 4, 0, 5, 0, 6}));
}

// ELT-009: not the hint's, which is row-major, nor the implementation's choice.
TEST_F(Eltwise, AGradientWithoutALayoutGetsThatOfTheData) {
  const auto back = BackwardOf(algorithm::eltwise_relu, any, transposed);
  EXPECT_EQ(back.src_desc(), transposed);
  EXPECT_EQ(back.diff_src_desc(), transposed);
  EXPECT_EQ(back.diff_dst_desc(), transposed);
  const memory::desc region = memory::desc({4, 5}, dt::f32, tag::ab).submemory_desc({2, 3}, {1, 1});
  EXPECT_EQ(BackwardOf(algorithm::eltwise_relu, any, region).diff_src_desc(), region);
  const memory::desc repeated({2, 3}, dt::f32, memory::dims{0, 1});
  EXPECT_NE(Refusal([&] { BackwardOf(algorithm::eltwise_relu, any, repeated); }), "");
}

TEST_F(Eltwise, DataHasALayout) {
  EXPECT_EQ(ForwardRefusal(algorithm::eltwise_relu, any),
            "invalid_arguments: eltwise: src is `any` and has no layout (ELT-008)");
  EXPECT_EQ(BackwardRefusal(matrix, any),
            "invalid_arguments: eltwise: data_desc is `any` and has no layout (ELT-010)");
  EXPECT_EQ(BackwardRefusal(any, any),
            "invalid_arguments: eltwise: data_desc is `any` and has no layout (ELT-010)");
  EXPECT_EQ(BackwardRefusal(any, matrix), "");
}

TEST_F(Eltwise, RefusesDimsAndTypesThatDisagree) {
  EXPECT_EQ(BackwardRefusal(memory::desc({2, 4}, dt::f32, tag::ab), matrix),
            "invalid_arguments: eltwise: diff_dst.dims[1] = 4 is not src.dims[1] = 3 (ELT-011)");
  EXPECT_EQ(BackwardRefusal(memory::desc({2, 4}, dt::f32, tag::any), matrix),
            "invalid_arguments: eltwise: diff_dst.dims[1] = 4 is not src.dims[1] = 3 (ELT-011)");
  EXPECT_EQ(BackwardRefusal(memory::desc({2}, dt::f32, tag::a), matrix),
            "invalid_arguments: eltwise: diff_dst.rank = 1 is not src.rank = 2 (ELT-011)");
  EXPECT_EQ(BackwardRefusal(memory::desc({2, 3, 1}, dt::f32, tag::abc), matrix,
                            algorithm::eltwise_exp_use_dst_for_bwd),
            "invalid_arguments: eltwise: diff_dst.rank = 3 is not dst.rank = 2 (ELT-011)");
  EXPECT_EQ(BackwardRefusal(memory::desc({2, 3}, dt::bf16, tag::ab), matrix),
            "invalid_arguments: eltwise: diff_dst.type = bf16 is not src.type = f32 (ELT-012)");
}

// ELT-006, ELT-007, ELT-014, ELT-021.
TEST_F(Eltwise, RefusesKindsAndParametersAtTheOperationDescriptor) {
  const auto of_kind = [&](prop_kind kind) {
    return Refusal([&] { Forward::desc(kind, algorithm::eltwise_relu, matrix); });
  };
  EXPECT_EQ(of_kind(prop_kind::forward_training), "");
  EXPECT_EQ(of_kind(prop_kind::forward_inference), "");
  EXPECT_EQ(of_kind(prop_kind::backward_data),
            "invalid_arguments: eltwise: prop_kind = backward_data is neither forward_training nor "
            "forward_inference (ELT-006)");
  for (prop_kind kind : {prop_kind::undef, prop_kind::backward, prop_kind::backward_weights,
                         static_cast<prop_kind>(-1)})
    EXPECT_NE(of_kind(kind), "");
  EXPECT_EQ(ForwardRefusal(algorithm::binary_add, matrix),
            "invalid_arguments: eltwise: algorithm = 131056 is no eltwise algorithm (ELT-007)");
  EXPECT_NE(ForwardRefusal(algorithm::undef, matrix), "");
  EXPECT_EQ(ForwardRefusal(algorithm::eltwise_round, matrix), "");
  EXPECT_EQ(BackwardRefusal(matrix, matrix, algorithm::eltwise_round),
            "invalid_arguments: eltwise: eltwise_round has no backward (ELT-014)");
  EXPECT_EQ(ForwardRefusal(algorithm::eltwise_clip, matrix, 1, -1),
            "invalid_arguments: eltwise: alpha = 1 of eltwise_clip is not at most beta = -1 "
            "(ELT-021)");
  EXPECT_EQ(BackwardRefusal(matrix, matrix, algorithm::eltwise_elu_use_dst_for_bwd, -1),
            "invalid_arguments: eltwise: alpha = -1 of eltwise_elu_use_dst_for_bwd is not at least "
            "0 (ELT-021)");
  EXPECT_EQ(BackwardRefusal(matrix, matrix, algorithm::eltwise_elu, -1), "");
}

// ELT-013.
TEST_F(Eltwise, RefusesNoTensorAndRunTimeDims) {
  EXPECT_EQ(ForwardRefusal(algorithm::eltwise_relu, memory::desc()),
            "invalid_arguments: eltwise: src.rank = 0 is not in [1, 12] (ELT-013)");
  EXPECT_NE(BackwardRefusal(memory::desc(), matrix), "");
  EXPECT_NE(BackwardRefusal(matrix, memory::desc()), "");
  const memory::desc later({DNNL_RUNTIME_DIM_VAL, 3}, dt::f32, tag::ab);
  const std::string unserved =
      "unimplemented: eltwise: run-time dims and strides are not served (ELT-013)";
  EXPECT_EQ(ForwardRefusal(algorithm::eltwise_relu, later), unserved);
  EXPECT_EQ(BackwardRefusal(later, matrix), unserved);
  EXPECT_EQ(BackwardRefusal(matrix, later), unserved);
}

// ELT-015.
TEST_F(Eltwise, BackwardNeedsAForwardHint) {
  const Backward::desc request(algorithm::eltwise_tanh, any, transposed);
  EXPECT_EQ(Refusal([&] { Backward::primitive_desc(request, cpu, Forward::primitive_desc()); }),
            "invalid_arguments: eltwise: the forward primitive descriptor is empty (PRIM-016)");
  EXPECT_FALSE(Backward::primitive_desc(request, cpu, Forward::primitive_desc(), true));
  const Forward::primitive_desc other(
      Forward::desc(prop_kind::forward_inference, algorithm::eltwise_relu_use_dst_for_bwd,
                    memory::desc({7}, dt::s8, tag::a), 1),
      cpu);
  const Backward::primitive_desc pd(request, cpu, other);
  EXPECT_EQ(pd.diff_src_desc(), transposed);
}

// ELT-074, ELT-075.
TEST_F(Eltwise, ReplacesItsSourceAndTheGradientOfItsDestination) {
  memory data = Of(matrix, x);
  Run(Forward({Forward::desc(prop_kind::forward_training, algorithm::eltwise_linear, matrix, 1, 1),
               cpu}),
      {{DNNL_ARG_SRC, data}, {DNNL_ARG_DST, data}});
  EXPECT_EQ(x, (std::vector<float>{-1, 0, 1, 2, 3, 4}));
  std::vector<float> dy = {1, 2, 3, 4, 5, 6};
  memory gradient = Of(transposed, dy), again = Of(transposed, dy);
  for (const algorithm kind : {algorithm::eltwise_relu, algorithm::eltwise_relu_use_dst_for_bwd}) {
    const int argument = kind == algorithm::eltwise_relu ? DNNL_ARG_SRC : DNNL_ARG_DST;
    dy = {1, 2, 3, 4, 5, 6};
    Run(Backward(BackwardOf(kind, transposed, matrix)),
        {{argument, data}, {DNNL_ARG_DIFF_DST, gradient}, {DNNL_ARG_DIFF_SRC, again}});
    EXPECT_EQ(dy, (std::vector<float>{0, 2, 0, 4, 5, 6}));
  }
}

TEST_F(Eltwise, ReplacesNothingElse) {
  memory data = Of(matrix, x), gradient = Of(matrix, y);
  const Backward back(BackwardOf(algorithm::eltwise_relu, matrix, matrix));
  EXPECT_NE(
      Refusal([&] {
        Run(back, {{DNNL_ARG_SRC, data}, {DNNL_ARG_DIFF_DST, gradient}, {DNNL_ARG_DIFF_SRC, data}});
      }).find("PRIM-050"),
      std::string::npos);
  // Inputs may lie where they like.
  Run(back, {{DNNL_ARG_SRC, data}, {DNNL_ARG_DIFF_DST, data}, {DNNL_ARG_DIFF_SRC, gradient}});
  EXPECT_EQ(y, (std::vector<float>{0, 0, 0, 1, 2, 3}));
  std::vector<float> longer(7);
  memory one(matrix, cpu, longer.data()), next(matrix, cpu, longer.data() + 1);
  EXPECT_NE(
      Refusal([&] {
        Run(back, {{DNNL_ARG_SRC, data}, {DNNL_ARG_DIFF_DST, one}, {DNNL_ARG_DIFF_SRC, next}});
      }).find("PRIM-050"),
      std::string::npos);
}

// ELT-016.
TEST_F(Eltwise, WithoutElementsThereIsNothingToDo) {
  const memory::desc empty({2, 0}, dt::f32, tag::ab), unknown({2, 0}, dt::f32, tag::any);
  const Forward::primitive_desc pd(
      Forward::desc(prop_kind::forward_training, algorithm::eltwise_exp, empty), cpu);
  const memory none(empty, cpu, nullptr);
  Run(Forward(pd), {{DNNL_ARG_SRC, none}, {DNNL_ARG_DST, none}});
  const Backward::primitive_desc back(Backward::desc(algorithm::eltwise_exp, unknown, empty), cpu,
                                      pd);
  EXPECT_EQ(back.diff_src_desc(), empty);
  Run(Backward(back), {{DNNL_ARG_SRC, none}, {DNNL_ARG_DIFF_DST, none}, {DNNL_ARG_DIFF_SRC, none}});
  EXPECT_EQ(counts().executions, 0);
}

// ELT-081.
TEST_F(Eltwise, TakesNoAttributeButTheScratchpadMode) {
  const Forward::desc request(prop_kind::forward_training, algorithm::eltwise_relu, matrix);
  const Backward::desc back(algorithm::eltwise_relu, matrix, matrix);
  const auto refusals = [&](const primitive_attr& attr) {
    EXPECT_FALSE(Forward::primitive_desc(request, attr, cpu, true));
    EXPECT_FALSE(Backward::primitive_desc(back, attr, cpu, Hint(), true));
    return Refusal([&] { Forward::primitive_desc(request, attr, cpu); });
  };
  primitive_attr attr;
  attr.set_output_scales(0, {2.f});
  EXPECT_EQ(refusals(attr),
            "unimplemented: eltwise: attribute output_scales is not served (ELT-081)");
  attr = primitive_attr();
  dnnl::post_ops ops;
  ops.append_sum();
  attr.set_post_ops(ops);
  EXPECT_EQ(refusals(attr), "unimplemented: eltwise: attribute post_ops is not served (ELT-081)");
  attr = primitive_attr();
  attr.set_zero_points(DNNL_ARG_SRC, 0, {3});
  EXPECT_NE(refusals(attr), "");
  attr = primitive_attr();
  attr.set_fpmath_mode(dnnl::fpmath_mode::bf16);
  EXPECT_NE(refusals(attr), "");
  attr = primitive_attr();
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  EXPECT_EQ(Forward::primitive_desc(request, attr, cpu).scratchpad_desc().get_size(), 24u);
  EXPECT_EQ(Backward::primitive_desc(back, attr, cpu, Hint()).scratchpad_desc().get_size(), 24u);
}

// ELT-020.
TEST_F(Eltwise, IgnoresParametersThatAnAlgorithmHasNoUseFor) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(ForwardRefusal(algorithm::eltwise_tanh, matrix, nan, nan), "");
  EXPECT_EQ(BackwardRefusal(matrix, matrix, algorithm::eltwise_tanh, nan, nan), "");
  EXPECT_EQ(ForwardRefusal(algorithm::eltwise_bounded_relu, matrix, 1, nan), "");
  EXPECT_NE(ForwardRefusal(algorithm::eltwise_bounded_relu, matrix, nan), "");
}

TEST_F(Eltwise, AsksForEveryCandidate) {
  fake::controls().candidates = 2;
  auto back = BackwardOf(algorithm::eltwise_relu, any, transposed);
  EXPECT_EQ(back.impl_info_str(), std::string("cpu:fake0"));
  EXPECT_TRUE(back.next_impl());
  EXPECT_EQ(back.impl_info_str(), std::string("cpu:fake1"));
  EXPECT_EQ(back.diff_src_desc(), transposed);
  EXPECT_FALSE(back.next_impl());
}

TEST_F(Eltwise, AHandleIsOfOneKindAndDirection) {
  const auto pd = Hint();
  EXPECT_EQ(Forward::primitive_desc(pd.get()).src_desc(), matrix);
  EXPECT_NE(Refusal([&] { Backward::primitive_desc(pd.get()); }), "");
  EXPECT_NE(Refusal([&] { dnnl::shuffle_forward::primitive_desc(pd.get()); }), "");
  const auto back = BackwardOf(algorithm::eltwise_relu, any, matrix);
  EXPECT_EQ(Backward::primitive_desc(back.get()).diff_src_desc(), matrix);
  EXPECT_NE(Refusal([&] { Forward::primitive_desc(back.get()); }), "");
}

TEST_F(Eltwise, RunsOnADevice) {
  const engine gpu(engine::kind::gpu, 0);
  stream there(gpu);
  memory from(matrix, gpu), to(matrix, gpu);
  auto* mapped = from.map_data<float>();
  for (int k = 0; k < 6; ++k) mapped[k] = x[static_cast<size_t>(k)];
  from.unmap_data(mapped);
  Forward(
      {Forward::desc(prop_kind::forward_inference, algorithm::eltwise_linear, matrix, 2, 0), gpu})
      .execute(there, {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}});
  there.wait();
  const auto* result = to.map_data<float>();
  EXPECT_EQ(result[0], -4);
  EXPECT_EQ(result[5], 6);
  to.unmap_data(const_cast<float*>(result));
}

}  // namespace
