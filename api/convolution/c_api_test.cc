// The C functions of convolution, on implementations of the test's own.
#include "oneapi/dnnl/convolution/c_api.h"

#include <gtest/gtest.h>

#include <vector>

#include "api/fake/fake.h"
#include "oneapi/dnnl/c_api/memory.h"
#include "oneapi/dnnl/c_api/primitive.h"
#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/types/arguments.h"

namespace {

// src {2, 4, 5, 6}, weights {3, 4, 2, 3}, bias {3}, dst {2, 3, 6, 6}; dilated {2, 3, 5, 4}.
class ConvolutionInC : public testing::Test {
 protected:
  ConvolutionInC() {
    fake::Reset();
    src = Desc({2, 4, 5, 6});
    weights = Desc({3, 4, 2, 3});
    bias = Desc({3});
    dst = Desc({2, 3, 6, 6});
    dilated_dst = Desc({2, 3, 5, 4});
  }

  static dnnl_memory_desc_t Desc(const std::vector<dnnl_dim_t>& dims, bool any = false) {
    dnnl_memory_desc_t md;
    const dnnl_format_tag_t tag = any ? dnnl_format_tag_any : dims.size() == 1 ? dnnl_a : dnnl_abcd;
    EXPECT_EQ(dnnl_memory_desc_init_by_tag(&md, static_cast<int>(dims.size()), dims.data(),
                                           dnnl_f32, tag),
              dnnl_success);
    return md;
  }
  dnnl_primitive_desc_t Create(const dnnl_convolution_desc_t& desc,
                               const_dnnl_primitive_desc_t hint = nullptr) {
    dnnl_primitive_desc_t pd = nullptr;
    EXPECT_EQ(dnnl_primitive_desc_create(&pd, &desc, nullptr, cpu.get(), hint), dnnl_success);
    return pd;
  }
  static void ExpectCounts(const_dnnl_primitive_desc_t pd, int inputs, int outputs) {
    EXPECT_EQ(dnnl_primitive_desc_query_s32(pd, dnnl_query_num_of_inputs_s32, 0), inputs);
    EXPECT_EQ(dnnl_primitive_desc_query_s32(pd, dnnl_query_num_of_outputs_s32, 0), outputs);
  }
  static const dnnl_convolution_desc_t* OperationOf(const_dnnl_primitive_desc_t pd) {
    const dnnl_convolution_desc_t *one = nullptr, *other = nullptr;
    EXPECT_EQ(dnnl_primitive_desc_query(pd, dnnl_query_op_d, 0, &one), dnnl_success);
    EXPECT_EQ(dnnl_primitive_desc_query(pd, dnnl_query_convolution_d, 0, &other), dnnl_success);
    EXPECT_EQ(one, other);
    const void* none = nullptr;
    EXPECT_EQ(dnnl_primitive_desc_query(pd, dnnl_query_deconvolution_d, 0, &none),
              dnnl_unimplemented);
    return one;
  }
  static void ExpectSame(const dnnl_convolution_desc_t& a, const dnnl_convolution_desc_t& b) {
    EXPECT_EQ(a.primitive_kind, b.primitive_kind);
    EXPECT_EQ(a.prop_kind, b.prop_kind);
    EXPECT_EQ(a.alg_kind, b.alg_kind);
    for (dnnl_memory_desc_t dnnl_convolution_desc_t::*const md :
         {&dnnl_convolution_desc_t::src_desc, &dnnl_convolution_desc_t::diff_src_desc,
          &dnnl_convolution_desc_t::weights_desc, &dnnl_convolution_desc_t::diff_weights_desc,
          &dnnl_convolution_desc_t::bias_desc, &dnnl_convolution_desc_t::diff_bias_desc,
          &dnnl_convolution_desc_t::dst_desc, &dnnl_convolution_desc_t::diff_dst_desc})
      EXPECT_NE(dnnl_memory_desc_equal(&(a.*md), &(b.*md)), 0);
    for (int j = 0; j < DNNL_MAX_NDIMS; ++j) {
      EXPECT_EQ(a.strides[j], b.strides[j]) << j;
      EXPECT_EQ(a.dilates[j], b.dilates[j]) << j;
      EXPECT_EQ(a.padding[0][j], b.padding[0][j]) << j;
      EXPECT_EQ(a.padding[1][j], b.padding[1][j]) << j;
    }
    EXPECT_EQ(a.accum_data_type, b.accum_data_type);
  }

  const dnnl::engine cpu{dnnl::engine::kind::cpu, 0};
  dnnl_memory_desc_t src, weights, bias, dst, dilated_dst;
  // What is beyond the spatial axes is not read.
  const dnnl_dims_t strides = {1, 1, 77}, dilates = {1, 1, 77}, left = {2, 1, 77},
                    right = {0, 1, 77};
};

TEST_F(ConvolutionInC, DescribesEveryDirection) {
  dnnl_convolution_desc_t forward, data, gradient;
  ASSERT_EQ(
      dnnl_convolution_forward_desc_init(&forward, dnnl_forward_training, dnnl_convolution_auto,
                                         &src, &weights, &bias, &dst, strides, left, right),
      dnnl_success);
  ASSERT_EQ(dnnl_convolution_backward_data_desc_init(&data, dnnl_convolution_winograd, &src,
                                                     &weights, &dst, strides, left, right),
            dnnl_success);
  ASSERT_EQ(
      dnnl_convolution_backward_weights_desc_init(&gradient, dnnl_convolution_direct, &src,
                                                  &weights, &bias, &dst, strides, left, right),
      dnnl_success);
  EXPECT_EQ(forward.alg_kind, dnnl_convolution_auto);
  EXPECT_EQ(data.alg_kind, dnnl_convolution_winograd);
  EXPECT_EQ(forward.padding[0][0], 2);
  EXPECT_EQ(forward.padding[0][2], 0);
  EXPECT_EQ(forward.dilates[0], 0);

  dnnl_primitive_desc_t pd = Create(forward), of_data = Create(data, pd),
                        of_weights = Create(gradient, pd);
  ExpectCounts(pd, 3, 1);
  ExpectCounts(of_data, 2, 1);
  ExpectCounts(of_weights, 2, 2);
  ExpectSame(*OperationOf(pd), forward);
  ExpectSame(*OperationOf(of_data), data);
  ExpectSame(*OperationOf(of_weights), gradient);
  EXPECT_EQ(dnnl_primitive_desc_query_md(pd, dnnl_query_weights_md, 1)->ndims, 1);
  for (dnnl_primitive_desc_t made : {pd, of_data, of_weights})
    EXPECT_EQ(dnnl_primitive_desc_destroy(made), dnnl_success);
}

TEST_F(ConvolutionInC, DescribesDilatedOnes) {
  dnnl_convolution_desc_t forward, data, gradient;
  ASSERT_EQ(dnnl_dilated_convolution_forward_desc_init(
                &forward, dnnl_forward_inference, dnnl_convolution_direct, &src, &weights, &bias,
                &dilated_dst, strides, dilates, left, right),
            dnnl_success);
  ASSERT_EQ(dnnl_dilated_convolution_backward_data_desc_init(&data, dnnl_convolution_direct, &src,
                                                             &weights, &dilated_dst, strides,
                                                             dilates, left, right),
            dnnl_success);
  ASSERT_EQ(dnnl_dilated_convolution_backward_weights_desc_init(&gradient, dnnl_convolution_direct,
                                                                &src, &weights, &bias, &dilated_dst,
                                                                strides, dilates, left, right),
            dnnl_success);
  dnnl_primitive_desc_t pd = Create(forward), of_data = Create(data, pd),
                        of_weights = Create(gradient, pd);
  for (dnnl_primitive_desc_t made : {pd, of_data, of_weights}) {
    EXPECT_EQ(OperationOf(made)->dilates[0], 1);
    EXPECT_EQ(OperationOf(made)->dilates[2], 0);
    EXPECT_EQ(OperationOf(made)->padding[0][0], 2);
    EXPECT_EQ(OperationOf(made)->padding[1][0], 0);
  }
  for (dnnl_primitive_desc_t made : {pd, of_data, of_weights})
    EXPECT_EQ(dnnl_primitive_desc_destroy(made), dnnl_success);
}

TEST_F(ConvolutionInC, WithoutBiasItIsNull) {
  dnnl_convolution_desc_t forward, gradient;
  ASSERT_EQ(
      dnnl_convolution_forward_desc_init(&forward, dnnl_forward_inference, dnnl_convolution_direct,
                                         &src, &weights, nullptr, &dst, strides, left, right),
      dnnl_success);
  EXPECT_EQ(forward.bias_desc.ndims, 0);
  ASSERT_EQ(
      dnnl_convolution_backward_weights_desc_init(&gradient, dnnl_convolution_direct, &src,
                                                  &weights, nullptr, &dst, strides, left, right),
      dnnl_success);
  EXPECT_EQ(gradient.diff_bias_desc.ndims, 0);
  dnnl_primitive_desc_t pd = Create(forward), of_weights = Create(gradient, pd);
  ExpectCounts(pd, 2, 1);
  ExpectCounts(of_weights, 2, 1);
  EXPECT_EQ(dnnl_primitive_desc_destroy(pd), dnnl_success);
  EXPECT_EQ(dnnl_primitive_desc_destroy(of_weights), dnnl_success);
}

TEST_F(ConvolutionInC, APaddingBehindThatIsNullIsThatInFront) {
  const dnnl_memory_desc_t wide = Desc({2, 3, 8, 6});
  dnnl_convolution_desc_t forward;
  ASSERT_EQ(
      dnnl_convolution_forward_desc_init(&forward, dnnl_forward_inference, dnnl_convolution_direct,
                                         &src, &weights, &bias, &wide, strides, left, nullptr),
      dnnl_success);
  EXPECT_EQ(forward.padding[1][0], 2);
  EXPECT_EQ(forward.padding[1][1], 1);
}

TEST_F(ConvolutionInC, TheOperationIsWhatWasAskedFor) {
  const dnnl_memory_desc_t any = Desc({3, 4, 2, 3}, true);
  dnnl_convolution_desc_t forward;
  ASSERT_EQ(
      dnnl_convolution_forward_desc_init(&forward, dnnl_forward_inference, dnnl_convolution_auto,
                                         &src, &any, nullptr, &dst, strides, left, right),
      dnnl_success);
  dnnl_primitive_desc_t pd = Create(forward);
  ExpectSame(*OperationOf(pd), forward);
  EXPECT_EQ(OperationOf(pd)->weights_desc.format_kind, dnnl_format_kind_any);
  EXPECT_EQ(dnnl_primitive_desc_query_md(pd, dnnl_query_weights_md, 0)->format_kind, dnnl_blocked);
  EXPECT_EQ(dnnl_primitive_desc_destroy(pd), dnnl_success);
}

TEST_F(ConvolutionInC, RefusesWhatTheClassesRefuse) {
  dnnl_convolution_desc_t forward, data;
  const auto status = [&](dnnl_prop_kind_t prop, dnnl_alg_kind_t algorithm,
                          const dnnl_memory_desc_t* s, const dnnl_memory_desc_t* b,
                          const dnnl_dim_t* v, const dnnl_dim_t* pl) {
    return dnnl_convolution_forward_desc_init(&forward, prop, algorithm, s, &weights, b, &dst, v,
                                              pl, right);
  };
  const auto direct = dnnl_convolution_direct;
  EXPECT_EQ(status(dnnl_forward, direct, &src, &bias, strides, left), dnnl_success);
  EXPECT_EQ(status(dnnl_backward, direct, &src, &bias, strides, left), dnnl_invalid_arguments);
  EXPECT_EQ(status(dnnl_forward, dnnl_eltwise_relu, &src, &bias, strides, left),
            dnnl_invalid_arguments);
  EXPECT_EQ(status(dnnl_forward, direct, nullptr, &bias, strides, left), dnnl_invalid_arguments);
  EXPECT_EQ(status(dnnl_forward, direct, &src, &dst, strides, left), dnnl_invalid_arguments);
  EXPECT_EQ(status(dnnl_forward, direct, &src, &bias, nullptr, left), dnnl_invalid_arguments);
  EXPECT_EQ(status(dnnl_forward, direct, &src, &bias, strides, nullptr), dnnl_invalid_arguments);
  EXPECT_EQ(
      dnnl_dilated_convolution_forward_desc_init(&forward, dnnl_forward, direct, &src, &weights,
                                                 &bias, &dst, strides, nullptr, left, right),
      dnnl_invalid_arguments);
  ASSERT_EQ(dnnl_convolution_backward_data_desc_init(&data, direct, &src, &weights, &dst, strides,
                                                     left, right),
            dnnl_success);
  dnnl_primitive_desc_t pd = nullptr;
  EXPECT_EQ(dnnl_primitive_desc_create(&pd, &data, nullptr, cpu.get(), nullptr),
            dnnl_invalid_arguments);
  EXPECT_EQ(pd, nullptr);
  ASSERT_EQ(status(dnnl_forward, direct, &src, &bias, strides, left), dnnl_success);
  forward.src_desc.ndims = -7;
  EXPECT_EQ(dnnl_primitive_desc_create(&pd, &forward, nullptr, cpu.get(), nullptr),
            dnnl_invalid_arguments);
  EXPECT_EQ(pd, nullptr);
}

}  // namespace
