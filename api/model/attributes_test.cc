#include "oneapi/dnnl/model/attributes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "api/fake/refusal.h"
#include "oneapi/dnnl/model/post_ops.hpp"

namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::post_ops;
using dnnl::primitive;
using dnnl::primitive_attr;
using dnnl::scratchpad_mode;
using fake::Refusal;
using dt = memory::data_type;

uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

float FloatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

TEST(Attributes, DefaultIsNeutral) {
  const primitive_attr attr;
  int mask = -1;
  std::vector<float> scales;
  std::vector<int32_t> zero_points;
  EXPECT_EQ(attr.get_scratchpad_mode(), scratchpad_mode::library);
  EXPECT_EQ(attr.get_fpmath_mode(), dnnl::fpmath_mode::strict);
  attr.get_output_scales(mask, scales);
  EXPECT_EQ(mask, 0);
  EXPECT_EQ(scales, std::vector<float>{1.f});
  mask = -1;
  attr.get_scales(DNNL_ARG_SRC, mask, scales);
  EXPECT_EQ(mask, 0);
  EXPECT_EQ(scales, std::vector<float>{1.f});
  attr.get_zero_points(DNNL_ARG_DST, mask, zero_points);
  EXPECT_EQ(zero_points, std::vector<int32_t>{0});
  EXPECT_EQ(attr.get_post_ops().len(), 0);
}

TEST(Attributes, ReturnWhatWasSet) {
  primitive_attr attr;
  attr.set_scratchpad_mode(scratchpad_mode::user);
  EXPECT_EQ(attr.get_scratchpad_mode(), scratchpad_mode::user);
  attr.set_fpmath_mode(dnnl::fpmath_mode::bf16);
  EXPECT_EQ(attr.get_fpmath_mode(), dnnl::fpmath_mode::bf16);

  const float nan = FloatOf(0xffc01234), denormal = FloatOf(1);
  int mask = -1;
  std::vector<float> scales;
  attr.set_output_scales(5, {nan, denormal, -0.f});
  attr.get_output_scales(mask, scales);
  EXPECT_EQ(mask, 5);
  ASSERT_EQ(scales.size(), 3u);
  EXPECT_EQ(BitsOf(scales[0]), BitsOf(nan));
  EXPECT_EQ(BitsOf(scales[1]), BitsOf(denormal));
  EXPECT_EQ(BitsOf(scales[2]), BitsOf(-0.f));

  attr.set_scales(DNNL_ARG_SRC_1, 2, {0.5f, 2.f});
  attr.get_scales(DNNL_ARG_SRC_1, mask, scales);
  EXPECT_EQ(mask, 2);
  EXPECT_EQ(scales, (std::vector<float>{0.5f, 2.f}));

  std::vector<int32_t> zero_points;
  attr.set_zero_points(DNNL_ARG_DST, 0, {DNNL_RUNTIME_S32_VAL});
  attr.get_zero_points(DNNL_ARG_DST, mask, zero_points);
  EXPECT_EQ(mask, 0);
  EXPECT_EQ(zero_points, std::vector<int32_t>{INT32_MIN});

  float scale, shift;
  attr.set_rnn_data_qparams(2.f, 128.f);
  attr.get_rnn_data_qparams(scale, shift);
  EXPECT_EQ(scale, 2.f);
  EXPECT_EQ(shift, 128.f);
  attr.set_rnn_weights_qparams(24, {1.f, 2.f});
  attr.get_rnn_weights_qparams(mask, scales);
  EXPECT_EQ(mask, 24);
  attr.set_rnn_weights_projection_qparams(8, {3.f});
  attr.get_rnn_weights_projection_qparams(mask, scales);
  EXPECT_EQ(scales, std::vector<float>{3.f});
}

TEST(Attributes, CopiesShareTheirState) {
  primitive_attr a;
  primitive_attr b = a;
  b.set_scratchpad_mode(scratchpad_mode::user);
  EXPECT_EQ(a.get_scratchpad_mode(), scratchpad_mode::user);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, primitive_attr());
}

TEST(Attributes, RefuseMalformedScales) {
  primitive_attr attr;
  attr.set_output_scales(1, {2.f});
  EXPECT_EQ(
      Refusal([&] { attr.set_output_scales(-1, {1.f}); }),
      "invalid_arguments: primitive_attr::set_output_scales: mask = -1 is negative (ATTR-026)");
  EXPECT_EQ(Refusal([&] { attr.set_output_scales(0, {}); }),
            "invalid_arguments: primitive_attr::set_output_scales: there are no values (ATTR-026)");
  EXPECT_EQ(Refusal([&] {
              attr.set_output_scales(1, {1.f, DNNL_RUNTIME_F32_VAL});
            }),
            "invalid_arguments: primitive_attr::set_output_scales: value 1 of 2 is the run-time "
            "value, which stands alone (ATTR-033)");
  EXPECT_EQ(Refusal([&] { attr.set_output_scales(1, {1.f, FloatOf(0x7fc000d1)}); }), "");
  EXPECT_EQ(Refusal([&] { attr.set_output_scales(1, {DNNL_RUNTIME_F32_VAL}); }), "");
  EXPECT_EQ(BitsOf(DNNL_RUNTIME_F32_VAL), 0x7fc000d0u);

  int mask;
  std::vector<float> scales;
  attr.set_output_scales(1, {2.f});
  EXPECT_NE(Refusal([&] { attr.set_output_scales(-1, {3.f}); }), "");
  attr.get_output_scales(mask, scales);
  EXPECT_EQ(mask, 1);
  EXPECT_EQ(scales, std::vector<float>{2.f});
}

// The setters throw where those of oneDNN 2.6 do, with the same status.
TEST(Attributes, RefuseArgumentsAndMasksThatNoPrimitiveHas) {
  primitive_attr attr;
  EXPECT_EQ(Refusal([&] { attr.set_scales(DNNL_ARG_SRC_0, 2, {0.5f, 2.f}); }), "");
  EXPECT_EQ(Refusal([&] { attr.set_scales(DNNL_ARG_MEAN, 0, {2.f}); }),
            "invalid_arguments: primitive_attr::set_scales: arg = 49 is neither DNNL_ARG_SRC_0 = 1 "
            "nor DNNL_ARG_SRC_1 = 2 (ATTR-060)");
  for (const int arg : {DNNL_ARG_SRC, DNNL_ARG_DST, DNNL_ARG_WEIGHTS})
    EXPECT_EQ(Refusal([&] { attr.set_zero_points(arg, 0, {1}); }), "") << arg;
  EXPECT_EQ(Refusal([&] { attr.set_zero_points(DNNL_ARG_MEAN, 0, {1}); }),
            "unimplemented: primitive_attr::set_zero_points: arg = 49 is none of DNNL_ARG_SRC = 1, "
            "DNNL_ARG_DST = 17 and DNNL_ARG_WEIGHTS = 33 (ATTR-060)");
  EXPECT_EQ(Refusal([&] {
              attr.set_zero_points(DNNL_ARG_SRC, 2, {1, 2, 3});
            }),
            "unimplemented: primitive_attr::set_zero_points: mask = 2 asks for more than one zero "
            "point (ATTR-060)");
  EXPECT_EQ(Refusal([&] {
              attr.set_zero_points(DNNL_ARG_SRC, 0, {1, 2});
            }),
            "unimplemented: primitive_attr::set_zero_points: there are 2 values for mask = 0 "
            "(ATTR-060)");
  EXPECT_EQ(Refusal([&] { attr.set_zero_points(DNNL_ARG_MEAN, 2, {}); }),
            "invalid_arguments: primitive_attr::set_zero_points: there are no values (ATTR-026)");
  EXPECT_EQ(Refusal([&] { attr.set_zero_points(DNNL_ARG_DST, 2, {DNNL_RUNTIME_S32_VAL}); }), "");
  EXPECT_NE(Refusal([&] { attr.set_zero_points(DNNL_ARG_WEIGHTS, 2, {DNNL_RUNTIME_S32_VAL}); }),
            "");
}

TEST(Attributes, RefuseNumbersThatAreNoMode) {
  primitive_attr attr;
  EXPECT_EQ(Refusal([&] { attr.set_scratchpad_mode(static_cast<scratchpad_mode>(2)); }),
            "invalid_arguments: primitive_attr::set_scratchpad_mode: mode = 2 is not in [0, 1] "
            "(PRIM-018)");
  EXPECT_NE(Refusal([&] { attr.set_fpmath_mode(static_cast<dnnl::fpmath_mode>(-1)); }), "");
}

TEST(Attributes, TakeASnapshotOfPostOps) {
  post_ops ops;
  ops.append_sum(2.f);
  primitive_attr attr;
  attr.set_post_ops(ops);
  ops.append_sum(3.f);
  EXPECT_EQ(attr.get_post_ops().len(), 1);
  post_ops got = attr.get_post_ops();
  got.append_sum(4.f);
  EXPECT_EQ(attr.get_post_ops().len(), 1);
}

TEST(Attributes, MovedFromIsEmpty) {
  primitive_attr attr;
  const primitive_attr to = std::move(attr);
  EXPECT_FALSE(attr);
  EXPECT_EQ(
      Refusal([&] { attr.get_scratchpad_mode(); }),
      "invalid_arguments: primitive_attr::get_scratchpad_mode: the attributes are empty, moved "
      "from (ERR-011)");
  attr = to;
  EXPECT_TRUE(attr);
}

TEST(PostOps, KeepTheirOrder) {
  post_ops ops;
  EXPECT_EQ(ops.len(), 0);
  ops.append_sum();
  ops.append_eltwise(0.5f, algorithm::eltwise_relu, 0.1f, 0.f);
  ops.append_sum(2.f, 7, dt::s8);
  ASSERT_EQ(ops.len(), 3);
  EXPECT_EQ(ops.kind(0), primitive::kind::sum);
  EXPECT_EQ(ops.kind(1), primitive::kind::eltwise);
  float scale, alpha, beta;
  dt type = dt::u8;
  int32_t zero_point;
  algorithm kind;
  ops.get_params_sum(0, scale, type);
  EXPECT_EQ(scale, 1.f);
  EXPECT_EQ(type, dt::undef);
  ops.get_params_eltwise(1, scale, kind, alpha, beta);
  EXPECT_EQ(scale, 0.5f);
  EXPECT_EQ(kind, algorithm::eltwise_relu);
  EXPECT_EQ(alpha, 0.1f);
  ops.get_params_sum(2, scale, zero_point, type);
  EXPECT_EQ(scale, 2.f);
  EXPECT_EQ(zero_point, 7);
  EXPECT_EQ(type, dt::s8);
}

TEST(PostOps, HoldTheOtherKinds) {
  post_ops ops;
  ops.append_dw(dt::s8, dt::f32, dt::u8, 5, 2, 1, 2, {1.f, 2.f});
  ops.append_dw_k3s1p1(dt::f32, dt::undef, dt::f32, 0, {});
  ops.append_dw_k3s2p1(dt::f32, dt::undef, dt::f32, 0, {});
  ops.append_binary(algorithm::binary_add, memory::desc({2, 3}, dt::f32, memory::format_tag::ab));
  ops.append_prelu(2);
  EXPECT_EQ(ops.kind(0), primitive::kind::convolution);
  EXPECT_EQ(ops.kind(3), primitive::kind::binary);
  EXPECT_EQ(ops.kind(4), primitive::kind::prelu);
  dt weights, bias, dst;
  memory::dim kernel, stride, padding;
  int mask;
  std::vector<float> scales;
  ops.get_params_dw(0, weights, bias, dst, kernel, stride, padding, mask, scales);
  EXPECT_EQ(kernel, 5);
  EXPECT_EQ(dst, dt::u8);
  EXPECT_EQ(scales, (std::vector<float>{1.f, 2.f}));
  ops.get_params_dw(2, weights, bias, dst, kernel, stride, padding, mask, scales);
  EXPECT_EQ(stride, 2);
  ops.get_params_dw_k3s1p1(1, weights, bias, dst, mask, scales);
  EXPECT_EQ(bias, dt::undef);
  algorithm kind;
  memory::desc md;
  ops.get_params_binary(3, kind, md);
  EXPECT_EQ(md.dims(), (memory::dims{2, 3}));
  ops.get_params_prelu(4, mask);
  EXPECT_EQ(mask, 2);
}

TEST(PostOps, RefuseAWrongIndexOrKind) {
  post_ops ops;
  ops.append_sum(3.f);
  float scale = 7.f, alpha, beta;
  algorithm kind;
  for (int index : {-1, 1, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()})
    EXPECT_EQ(Refusal([&] { ops.kind(index); }),
              "invalid_arguments: post_ops::kind: index = " + std::to_string(index) +
                  " is not in [0, 1) (ATTR-041)");
  EXPECT_EQ(Refusal([&] { ops.get_params_eltwise(0, scale, kind, alpha, beta); }),
            "invalid_arguments: post_ops::get_params_eltwise: post-op 0 is of kind sum, not "
            "eltwise (ATTR-043)");
  EXPECT_NE(Refusal([&] { ops.get_params_sum(1, scale); }), "");
  EXPECT_EQ(scale, 7.f);
  EXPECT_EQ(Refusal([&] { ops.get_params_sum(0, scale); }), "");
  EXPECT_EQ(scale, 3.f);
}

TEST(PostOps, RefuseWhatIsNoAlgorithmOfTheKind) {
  post_ops ops;
  int accepted = 0;
  for (int number = -1; number < 0x30010; ++number)
    accepted += Refusal([&] {
                  post_ops().append_eltwise(1.f, static_cast<algorithm>(number), 0.f, 0.f);
                }).empty();
  EXPECT_EQ(accepted, 15 + 7 + 7);
  EXPECT_EQ(
      Refusal([&] { ops.append_eltwise(1.f, algorithm::binary_add, 0.f, 0.f); }),
      "invalid_arguments: post_ops::append_eltwise: algorithm = 131056 is no eltwise algorithm "
      "(ATTR-044)");
  EXPECT_NE(Refusal([&] { ops.append_binary(algorithm::eltwise_relu, memory::desc()); }), "");
  EXPECT_NE(Refusal([&] { ops.append_binary(algorithm::binary_add, memory::desc()); }), "");
  EXPECT_NE(Refusal([&] { ops.append_sum(1.f, static_cast<dt>(9)); }), "");
  EXPECT_NE(Refusal([&] { ops.append_prelu(-1); }), "");
  EXPECT_EQ(ops.len(), 0);
}

TEST(PostOps, RefuseParametersThatAnAlgorithmDoesNotHave) {
  const auto refusal = [](algorithm kind, float alpha, float beta) {
    return Refusal([&] { post_ops().append_eltwise(2.f, kind, alpha, beta); });
  };
  EXPECT_EQ(refusal(algorithm::eltwise_clip, 1, 1), "");
  EXPECT_EQ(refusal(algorithm::eltwise_clip, 1, -1),
            "invalid_arguments: post_ops::append_eltwise: alpha = 1 of eltwise_clip is not at most "
            "beta = -1 (ELT-021)");
  EXPECT_EQ(refusal(algorithm::eltwise_bounded_relu, -0.f, 7), "");
  EXPECT_NE(refusal(algorithm::eltwise_bounded_relu, -1e-30f, 7), "");
  EXPECT_EQ(refusal(algorithm::eltwise_relu, -1, 0), "");
  EXPECT_NE(refusal(algorithm::eltwise_relu_use_dst_for_bwd, -1, 0), "");
}

TEST(PostOps, AreAtMost32) {
  post_ops ops;
  for (int i = 0; i < 32; ++i) ops.append_sum(static_cast<float>(i));
  EXPECT_EQ(Refusal([&] { ops.append_sum(); }),
            "invalid_arguments: post_ops::append_sum: there are 32 of at most 32 post-ops already "
            "(ATTR-052)");
  EXPECT_EQ(ops.len(), 32);
}

TEST(PostOps, CopiesShareTheSequence) {
  post_ops a;
  post_ops b = a;
  b.append_sum();
  EXPECT_EQ(a.len(), 1);
  const post_ops moved = std::move(b);
  EXPECT_EQ(Refusal([&] { b.len(); }),
            "invalid_arguments: post_ops::len: the post-ops are empty, moved from (ERR-011)");
  primitive_attr attr;
  EXPECT_NE(Refusal([&] { attr.set_post_ops(b); }), "");
}

}  // namespace
