// The C functions of inner product, on implementations of the test's own.
#include "oneapi/dnnl/inner_product/c_api.h"

#include <gtest/gtest.h>

#include <vector>

#include "api/fake/fake.h"
#include "oneapi/dnnl/c_api/memory.h"
#include "oneapi/dnnl/c_api/primitive.h"
#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/types/arguments.h"

namespace {

// src {2, 4}, weights {3, 4}, bias {3}, dst {2, 3}.
class InnerProductInC : public testing::Test {
 protected:
  InnerProductInC() {
    fake::Reset();
    src = Desc({2, 4});
    weights = Desc({3, 4});
    bias = Desc({3});
    dst = Desc({2, 3});
  }

  static dnnl_memory_desc_t Desc(const std::vector<dnnl_dim_t>& dims, bool any = false) {
    dnnl_memory_desc_t md;
    const dnnl_format_tag_t tag = any ? dnnl_format_tag_any : dims.size() == 1 ? dnnl_a : dnnl_ab;
    EXPECT_EQ(dnnl_memory_desc_init_by_tag(&md, static_cast<int>(dims.size()), dims.data(),
                                           dnnl_f32, tag),
              dnnl_success);
    return md;
  }
  dnnl_primitive_desc_t Create(const dnnl_inner_product_desc_t& desc,
                               const_dnnl_primitive_desc_t hint = nullptr) {
    dnnl_primitive_desc_t pd = nullptr;
    EXPECT_EQ(dnnl_primitive_desc_create(&pd, &desc, nullptr, cpu.get(), hint), dnnl_success);
    return pd;
  }
  static void ExpectCounts(const_dnnl_primitive_desc_t pd, int inputs, int outputs) {
    EXPECT_EQ(dnnl_primitive_desc_query_s32(pd, dnnl_query_num_of_inputs_s32, 0), inputs);
    EXPECT_EQ(dnnl_primitive_desc_query_s32(pd, dnnl_query_num_of_outputs_s32, 0), outputs);
  }
  static const dnnl_inner_product_desc_t* OperationOf(const_dnnl_primitive_desc_t pd) {
    const dnnl_inner_product_desc_t *one = nullptr, *other = nullptr;
    EXPECT_EQ(dnnl_primitive_desc_query(pd, dnnl_query_op_d, 0, &one), dnnl_success);
    EXPECT_EQ(dnnl_primitive_desc_query(pd, dnnl_query_inner_product_d, 0, &other), dnnl_success);
    EXPECT_EQ(one, other);
    const void* none = nullptr;
    EXPECT_EQ(dnnl_primitive_desc_query(pd, dnnl_query_shuffle_d, 0, &none), dnnl_unimplemented);
    return one;
  }

  const dnnl::engine cpu{dnnl::engine::kind::cpu, 0};
  dnnl_memory_desc_t src, weights, bias, dst;
};

TEST_F(InnerProductInC, DescribesEveryDirection) {
  dnnl_inner_product_desc_t forward, data, gradient;
  ASSERT_EQ(dnnl_inner_product_forward_desc_init(&forward, dnnl_forward_training, &src, &weights,
                                                 &bias, &dst),
            dnnl_success);
  ASSERT_EQ(dnnl_inner_product_backward_data_desc_init(&data, &src, &weights, &dst), dnnl_success);
  ASSERT_EQ(dnnl_inner_product_backward_weights_desc_init(&gradient, &src, &weights, &bias, &dst),
            dnnl_success);
  EXPECT_EQ(forward.prop_kind, dnnl_forward_training);
  EXPECT_EQ(data.prop_kind, dnnl_backward_data);
  EXPECT_EQ(gradient.prop_kind, dnnl_backward_weights);
  EXPECT_EQ(gradient.diff_bias_desc.ndims, 1);

  dnnl_primitive_desc_t pd = Create(forward), of_data = Create(data, pd),
                        of_weights = Create(gradient, pd);
  ExpectCounts(pd, 3, 1);
  ExpectCounts(of_data, 2, 1);
  ExpectCounts(of_weights, 2, 2);
  EXPECT_EQ(OperationOf(pd)->bias_desc.ndims, 1);
  EXPECT_EQ(OperationOf(of_data)->diff_src_desc.dims[1], 4);
  EXPECT_EQ(OperationOf(of_weights)->diff_weights_desc.dims[0], 3);
  EXPECT_EQ(dnnl_primitive_desc_query_md(pd, dnnl_query_weights_md, 1)->ndims, 1);
  for (dnnl_primitive_desc_t made : {pd, of_data, of_weights})
    EXPECT_EQ(dnnl_primitive_desc_destroy(made), dnnl_success);
}

TEST_F(InnerProductInC, WithoutBiasItIsNull) {
  dnnl_inner_product_desc_t forward, gradient;
  ASSERT_EQ(dnnl_inner_product_forward_desc_init(&forward, dnnl_forward_inference, &src, &weights,
                                                 nullptr, &dst),
            dnnl_success);
  EXPECT_EQ(forward.bias_desc.ndims, 0);
  ASSERT_EQ(dnnl_inner_product_backward_weights_desc_init(&gradient, &src, &weights, nullptr, &dst),
            dnnl_success);
  EXPECT_EQ(gradient.diff_bias_desc.ndims, 0);
  dnnl_primitive_desc_t pd = Create(forward), of_weights = Create(gradient, pd);
  ExpectCounts(pd, 2, 1);
  ExpectCounts(of_weights, 2, 1);
  EXPECT_EQ(dnnl_primitive_desc_destroy(pd), dnnl_success);
  EXPECT_EQ(dnnl_primitive_desc_destroy(of_weights), dnnl_success);
}

TEST_F(InnerProductInC, TheOperationIsWhatWasAskedFor) {
  const dnnl_memory_desc_t any = Desc({3, 4}, true);
  dnnl_inner_product_desc_t forward;
  ASSERT_EQ(dnnl_inner_product_forward_desc_init(&forward, dnnl_forward_inference, &src, &any,
                                                 nullptr, &dst),
            dnnl_success);
  dnnl_primitive_desc_t pd = Create(forward);
  EXPECT_EQ(OperationOf(pd)->weights_desc.format_kind, dnnl_format_kind_any);
  EXPECT_EQ(dnnl_primitive_desc_query_md(pd, dnnl_query_weights_md, 0)->format_kind, dnnl_blocked);
  EXPECT_EQ(dnnl_primitive_desc_destroy(pd), dnnl_success);
}

TEST_F(InnerProductInC, RefusesWhatTheClassesRefuse) {
  dnnl_inner_product_desc_t forward, data;
  EXPECT_EQ(
      dnnl_inner_product_forward_desc_init(&forward, dnnl_backward, &src, &weights, &bias, &dst),
      dnnl_invalid_arguments);
  EXPECT_EQ(
      dnnl_inner_product_forward_desc_init(&forward, dnnl_forward, nullptr, &weights, &bias, &dst),
      dnnl_invalid_arguments);
  EXPECT_EQ(
      dnnl_inner_product_forward_desc_init(&forward, dnnl_forward, &src, &weights, &dst, &dst),
      dnnl_invalid_arguments);
  ASSERT_EQ(dnnl_inner_product_backward_data_desc_init(&data, &src, &weights, &dst), dnnl_success);
  dnnl_primitive_desc_t pd = nullptr;
  EXPECT_EQ(dnnl_primitive_desc_create(&pd, &data, nullptr, cpu.get(), nullptr),
            dnnl_invalid_arguments);
  EXPECT_EQ(pd, nullptr);
}

}  // namespace
