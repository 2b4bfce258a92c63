// The C functions of shuffle, on implementations of the test's own.
#include "oneapi/dnnl/shuffle/c_api.h"

#include <gtest/gtest.h>

#include "api/fake/fake.h"
#include "oneapi/dnnl/c_api/memory.h"
#include "oneapi/dnnl/c_api/primitive.h"
#include "oneapi/dnnl/engine/engine.hpp"

namespace {

class ShuffleInC : public testing::Test {
 protected:
  ShuffleInC() { fake::Reset(); }

  static dnnl_memory_desc_t Desc(dnnl_dim_t channels, dnnl_format_tag_t tag) {
    const dnnl_dims_t dims = {1, channels};
    dnnl_memory_desc_t made;
    EXPECT_EQ(dnnl_memory_desc_init_by_tag(&made, 2, dims, dnnl_s8, tag), dnnl_success);
    return made;
  }
  dnnl_primitive_desc_t Create(const dnnl_shuffle_desc_t& desc,
                               const_dnnl_primitive_desc_t hint = nullptr) {
    dnnl_primitive_desc_t pd = nullptr;
    EXPECT_EQ(dnnl_primitive_desc_create(&pd, &desc, nullptr, cpu.get(), hint), dnnl_success);
    return pd;
  }
  static const dnnl_shuffle_desc_t* OperationOf(const_dnnl_primitive_desc_t pd) {
    const dnnl_shuffle_desc_t *one = nullptr, *other = nullptr;
    EXPECT_EQ(dnnl_primitive_desc_query(pd, dnnl_query_op_d, 0, &one), dnnl_success);
    EXPECT_EQ(dnnl_primitive_desc_query(pd, dnnl_query_shuffle_d, 0, &other), dnnl_success);
    EXPECT_EQ(one, other);
    return one;
  }

  const dnnl::engine cpu{dnnl::engine::kind::cpu, 0};
};

TEST_F(ShuffleInC, TheOperationIsWhatWasAskedFor) {
  fake::controls().candidates = 2;
  const dnnl_memory_desc_t md = Desc(6, dnnl_ba), any = Desc(6, dnnl_format_tag_any);
  dnnl_shuffle_desc_t forward, backward;
  ASSERT_EQ(dnnl_shuffle_forward_desc_init(&forward, dnnl_forward, &md, 1, 3), dnnl_success);
  ASSERT_EQ(dnnl_shuffle_backward_desc_init(&backward, &any, 1, 3), dnnl_success);
  dnnl_primitive_desc_t pd = Create(forward);
  EXPECT_TRUE(dnnl_memory_desc_equal(&OperationOf(pd)->data_desc, &md));
  dnnl_primitive_desc_iterator_t all = nullptr;
  ASSERT_EQ(dnnl_primitive_desc_iterator_create(&all, &backward, nullptr, cpu.get(), pd),
            dnnl_success);
  dnnl_primitive_desc_t first = dnnl_primitive_desc_iterator_fetch(all);
  ASSERT_EQ(dnnl_primitive_desc_iterator_next(all), dnnl_success);
  dnnl_primitive_desc_t second = dnnl_primitive_desc_iterator_fetch(all);
  for (dnnl_primitive_desc_t back : {first, second}) {
    EXPECT_EQ(OperationOf(back)->prop_kind, dnnl_backward_data);
    EXPECT_EQ(OperationOf(back)->group_size, 3);
    EXPECT_EQ(OperationOf(back)->data_desc.format_kind, dnnl_format_kind_any);
    EXPECT_TRUE(
        dnnl_memory_desc_equal(dnnl_primitive_desc_query_md(back, dnnl_query_diff_src_md, 0), &md));
    EXPECT_EQ(dnnl_primitive_desc_destroy(back), dnnl_success);
  }
  EXPECT_EQ(dnnl_primitive_desc_iterator_destroy(all), dnnl_success);
  EXPECT_EQ(dnnl_primitive_desc_destroy(pd), dnnl_success);
}

// Which no int is.
TEST_F(ShuffleInC, AGroupMayHave64Bits) {
  const dnnl_dim_t channels = dnnl_dim_t{1} << 32;
  const dnnl_memory_desc_t md = Desc(channels, dnnl_ab);
  dnnl_shuffle_desc_t forward, backward;
  EXPECT_EQ(dnnl_shuffle_forward_desc_init(&forward, dnnl_forward, &md, 1, channels + 1),
            dnnl_invalid_arguments);
  EXPECT_EQ(dnnl_shuffle_forward_desc_init(&forward, dnnl_backward_data, &md, 1, channels),
            dnnl_invalid_arguments);
  ASSERT_EQ(dnnl_shuffle_forward_desc_init(&forward, dnnl_forward, &md, 1, channels), dnnl_success);
  ASSERT_EQ(dnnl_shuffle_backward_desc_init(&backward, &md, 1, channels), dnnl_success);
  EXPECT_EQ(forward.group_size, channels);
  dnnl_primitive_desc_t pd = Create(forward), back = Create(backward, pd);
  EXPECT_EQ(OperationOf(pd)->group_size, channels);
  EXPECT_EQ(OperationOf(back)->group_size, channels);
  for (dnnl_primitive_desc_t made : {pd, back})
    EXPECT_EQ(dnnl_primitive_desc_destroy(made), dnnl_success);

  // Written by hand.
  forward.group_size = channels + 2;
  EXPECT_EQ(dnnl_primitive_desc_create(&pd, &forward, nullptr, cpu.get(), nullptr),
            dnnl_invalid_arguments);
}

}  // namespace
