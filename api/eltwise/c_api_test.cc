// The C functions of eltwise, on implementations of the test's own.
#include "oneapi/dnnl/eltwise/c_api.h"

#include <gtest/gtest.h>

#include <cstddef>

#include "api/fake/fake.h"
#include "oneapi/dnnl/c_api/memory.h"
#include "oneapi/dnnl/c_api/primitive.h"
#include "oneapi/dnnl/engine/engine.hpp"

namespace {

class EltwiseInC : public testing::Test {
 protected:
  EltwiseInC() {
    fake::Reset();
    md = Desc(dnnl_ab);
  }

  static dnnl_memory_desc_t Desc(dnnl_format_tag_t tag) {
    const dnnl_dims_t dims = {2, 3};
    dnnl_memory_desc_t made;
    EXPECT_EQ(dnnl_memory_desc_init_by_tag(&made, 2, dims, dnnl_f32, tag), dnnl_success);
    return made;
  }
  dnnl_primitive_desc_t Create(const dnnl_eltwise_desc_t& desc,
                               const_dnnl_primitive_desc_t hint = nullptr) {
    dnnl_primitive_desc_t pd = nullptr;
    EXPECT_EQ(dnnl_primitive_desc_create(&pd, &desc, nullptr, cpu.get(), hint), dnnl_success);
    return pd;
  }
  static void ExpectCounts(const_dnnl_primitive_desc_t pd, int inputs, int outputs) {
    EXPECT_EQ(dnnl_primitive_desc_query_s32(pd, dnnl_query_num_of_inputs_s32, 0), inputs);
    EXPECT_EQ(dnnl_primitive_desc_query_s32(pd, dnnl_query_num_of_outputs_s32, 0), outputs);
  }
  static const dnnl_eltwise_desc_t* OperationOf(const_dnnl_primitive_desc_t pd) {
    const dnnl_eltwise_desc_t *one = nullptr, *other = nullptr;
    EXPECT_EQ(dnnl_primitive_desc_query(pd, dnnl_query_op_d, 0, &one), dnnl_success);
    EXPECT_EQ(dnnl_primitive_desc_query(pd, dnnl_query_eltwise_d, 0, &other), dnnl_success);
    EXPECT_EQ(one, other);
    const void* none = nullptr;
    EXPECT_EQ(dnnl_primitive_desc_query(pd, dnnl_query_shuffle_d, 0, &none), dnnl_unimplemented);
    return one;
  }

  const dnnl::engine cpu{dnnl::engine::kind::cpu, 0};
  dnnl_memory_desc_t md;
};

TEST_F(EltwiseInC, DescribesBothDirections) {
  dnnl_eltwise_desc_t forward, backward;
  ASSERT_EQ(dnnl_eltwise_forward_desc_init(&forward, dnnl_forward_training, dnnl_eltwise_clip, &md,
                                           -1, 2),
            dnnl_success);
  const dnnl_memory_desc_t diff = Desc(dnnl_ba);
  ASSERT_EQ(dnnl_eltwise_backward_desc_init(&backward, dnnl_eltwise_relu_use_dst_for_bwd, &diff,
                                            &md, 3, 4),
            dnnl_success);
  EXPECT_EQ(forward.primitive_kind, dnnl_eltwise);
  EXPECT_EQ(forward.prop_kind, dnnl_forward_training);
  EXPECT_EQ(forward.diff_data_desc.ndims, 0);
  EXPECT_EQ(backward.prop_kind, dnnl_backward_data);

  dnnl_primitive_desc_t pd = Create(forward), back = Create(backward, pd);
  ExpectCounts(pd, 1, 1);
  ExpectCounts(back, 2, 1);
  EXPECT_EQ(OperationOf(pd)->alg_kind, dnnl_eltwise_clip);
  EXPECT_EQ(OperationOf(pd)->prop_kind, dnnl_forward_training);
  EXPECT_EQ(OperationOf(pd)->alpha, -1);
  EXPECT_EQ(OperationOf(pd)->beta, 2);
  EXPECT_EQ(OperationOf(pd)->diff_data_desc.ndims, 0);
  const dnnl_eltwise_desc_t& its = *OperationOf(back);
  EXPECT_EQ(its.alg_kind, dnnl_eltwise_relu_use_dst_for_bwd);
  EXPECT_EQ(its.alpha, 3);
  EXPECT_TRUE(dnnl_memory_desc_equal(&its.data_desc, &md));
  EXPECT_TRUE(dnnl_memory_desc_equal(&its.diff_data_desc, &diff));
  EXPECT_TRUE(
      dnnl_memory_desc_equal(dnnl_primitive_desc_query_md(back, dnnl_query_dst_md, 0), &md));
  EXPECT_EQ(dnnl_primitive_desc_query_md(back, dnnl_query_src_md, 0)->ndims, 0);
  for (dnnl_primitive_desc_t made : {pd, back})
    EXPECT_EQ(dnnl_primitive_desc_destroy(made), dnnl_success);
}

TEST_F(EltwiseInC, TheOperationIsWhatWasAskedFor) {
  fake::controls().candidates = 2;
  const dnnl_memory_desc_t any = Desc(dnnl_format_tag_any);
  dnnl_eltwise_desc_t forward, backward;
  ASSERT_EQ(dnnl_eltwise_forward_desc_init(&forward, dnnl_forward, dnnl_eltwise_exp, &md, 0, 0),
            dnnl_success);
  ASSERT_EQ(dnnl_eltwise_backward_desc_init(&backward, dnnl_eltwise_exp, &any, &md, 0, 0),
            dnnl_success);
  dnnl_primitive_desc_t pd = Create(forward);
  dnnl_primitive_desc_iterator_t all = nullptr;
  ASSERT_EQ(dnnl_primitive_desc_iterator_create(&all, &backward, nullptr, cpu.get(), pd),
            dnnl_success);
  dnnl_primitive_desc_t first = dnnl_primitive_desc_iterator_fetch(all);
  ASSERT_EQ(dnnl_primitive_desc_iterator_next(all), dnnl_success);
  dnnl_primitive_desc_t second = dnnl_primitive_desc_iterator_fetch(all);
  for (dnnl_primitive_desc_t back : {first, second}) {
    EXPECT_EQ(OperationOf(back)->diff_data_desc.format_kind, dnnl_format_kind_any);
    EXPECT_TRUE(
        dnnl_memory_desc_equal(dnnl_primitive_desc_query_md(back, dnnl_query_diff_src_md, 0), &md));
    EXPECT_EQ(dnnl_primitive_desc_destroy(back), dnnl_success);
  }
  EXPECT_EQ(dnnl_primitive_desc_iterator_destroy(all), dnnl_success);
  EXPECT_EQ(dnnl_primitive_desc_destroy(pd), dnnl_success);
}

TEST_F(EltwiseInC, ItsDescriptorHasTheSizeThatItHasInOneDnn) {
  EXPECT_EQ(sizeof(dnnl_eltwise_desc_t), 1416u);
  EXPECT_EQ(offsetof(dnnl_eltwise_desc_t, data_desc), 16u);
  EXPECT_EQ(offsetof(dnnl_eltwise_desc_t, alpha), 1408u);
}

TEST_F(EltwiseInC, RefusesWhatTheClassesRefuse) {
  dnnl_eltwise_desc_t desc;
  const auto forward = [&](dnnl_prop_kind_t prop, dnnl_alg_kind_t kind, float alpha) {
    return dnnl_eltwise_forward_desc_init(&desc, prop, kind, &md, alpha, 0);
  };
  EXPECT_EQ(forward(dnnl_backward, dnnl_eltwise_relu, 0), dnnl_invalid_arguments);
  EXPECT_EQ(forward(dnnl_forward, dnnl_binary_add, 0), dnnl_invalid_arguments);
  EXPECT_EQ(forward(dnnl_forward, dnnl_eltwise_clip, 1), dnnl_invalid_arguments);
  EXPECT_EQ(dnnl_eltwise_forward_desc_init(&desc, dnnl_forward, dnnl_eltwise_relu, nullptr, 0, 0),
            dnnl_invalid_arguments);
  EXPECT_EQ(dnnl_eltwise_backward_desc_init(&desc, dnnl_eltwise_round, &md, &md, 0, 0),
            dnnl_invalid_arguments);
  EXPECT_EQ(dnnl_eltwise_backward_desc_init(&desc, dnnl_eltwise_relu, nullptr, &md, 0, 0),
            dnnl_invalid_arguments);
  ASSERT_EQ(dnnl_eltwise_backward_desc_init(&desc, dnnl_eltwise_relu, &md, &md, 0, 0),
            dnnl_success);
  dnnl_primitive_desc_t pd = nullptr;
  EXPECT_EQ(dnnl_primitive_desc_create(&pd, &desc, nullptr, cpu.get(), nullptr),
            dnnl_invalid_arguments);
  EXPECT_EQ(pd, nullptr);
}

}  // namespace
