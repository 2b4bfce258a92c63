#include "api/spi/plugin_abi.h"

#include <gtest/gtest.h>

#include <cstddef>

extern "C" {
size_t TableBytesAsC(void);
size_t OperationBytesAsC(void);
size_t PlannedBytesAsC(void);
size_t TensorBytesAsC(void);
size_t ExecuteOffsetAsC(void);
int ReadAsC(const void* from, dnnspec_shuffle_params* to);
}

namespace {

TEST(PluginAbi, IsTheSameInCAndInCpp) {
  EXPECT_EQ(TableBytesAsC(), sizeof(dnnspec_plugin_table));
  EXPECT_EQ(OperationBytesAsC(), sizeof(dnnspec_operation));
  EXPECT_EQ(PlannedBytesAsC(), sizeof(dnnspec_planned));
  EXPECT_EQ(TensorBytesAsC(), sizeof(dnnspec_tensor));
  EXPECT_EQ(ExecuteOffsetAsC(), offsetof(dnnspec_plugin_table, plan_execute));
}

// Shared objects that are out in the world were compiled with these.
TEST(PluginAbi, KeepsTheLayoutOfVersionTwo) {
  static_assert(DNNSPEC_PLUGIN_VERSION == 2);
  EXPECT_EQ(sizeof(dnnspec_block), 8u);
  EXPECT_EQ(sizeof(dnnspec_layout), 280u);
  EXPECT_EQ(offsetof(dnnspec_layout, dims), 16u);
  EXPECT_EQ(offsetof(dnnspec_layout, offset), 208u);
  EXPECT_EQ(offsetof(dnnspec_layout, opaque_bytes), 272u);
  EXPECT_EQ(offsetof(dnnspec_tensor, layout), 16u);
  EXPECT_EQ(sizeof(dnnspec_tensor), 296u);
  EXPECT_EQ(sizeof(dnnspec_scales), 32u);
  EXPECT_EQ(sizeof(dnnspec_zero_point), 16u);
  EXPECT_EQ(sizeof(dnnspec_sum), 16u);
  EXPECT_EQ(sizeof(dnnspec_eltwise), 24u);
  EXPECT_EQ(sizeof(dnnspec_attributes), 16u + 3 * sizeof(void*));
  EXPECT_EQ(sizeof(dnnspec_shuffle_params), 16u);
  EXPECT_EQ(sizeof(dnnspec_operation), 16u + 3 * sizeof(void*));
  EXPECT_EQ(sizeof(dnnspec_request), 8u + 2 * sizeof(void*));
  EXPECT_EQ(offsetof(dnnspec_planned, workspace), 8u + 4 * sizeof(void*));
  EXPECT_EQ(sizeof(dnnspec_planned), 8u + 4 * sizeof(void*) + sizeof(dnnspec_layout));
  EXPECT_EQ(sizeof(dnnspec_argument), 8u + 2 * sizeof(void*));
  EXPECT_EQ(offsetof(dnnspec_plugin_table, version), 0u);  // so in every version
  EXPECT_EQ(offsetof(dnnspec_plugin_table, engine_count), 16u + 2 * sizeof(void*));
  EXPECT_EQ(sizeof(dnnspec_plugin_table), 16u + 17 * sizeof(void*));
}

// One that a later header may have.
struct LongerParams {
  dnnspec_shuffle_params known;
  unsigned char later[3];
};

TEST(PluginAbi, ReadsStructsOfOtherLengths) {
  for (const auto read : {&ReadAsC, +[](const void*from, dnnspec_shuffle_params*to) {
                            return dnnspec_read(from, to, sizeof(*to));
                          }}) {
    LongerParams given = {{sizeof(dnnspec_shuffle_params), 5, 7}, {1, 1, 1}};
    dnnspec_shuffle_params got = {9, 9, 9};
    EXPECT_EQ(read(&given, &got), 1);
    EXPECT_EQ(got.axis, 5);
    EXPECT_EQ(got.group_size, 7);
    given.known.bytes = offsetof(dnnspec_shuffle_params, group_size);  // shorter
    got = {9, 9, 9};
    EXPECT_EQ(read(&given, &got), 1);
    EXPECT_EQ(got.axis, 5);
    EXPECT_EQ(got.group_size, 0);
    given.known.bytes = sizeof(dnnspec_shuffle_params) + 3;  // longer, and says something
    for (const int at : {0, 2}) {
      given.later[0] = given.later[1] = given.later[2] = 0;
      EXPECT_EQ(read(&given, &got), 1);
      EXPECT_EQ(got.group_size, 7);
      given.later[at] = 1;
      EXPECT_EQ(read(&given, &got), 0) << at;
    }
  }
}

TEST(PluginAbi, FindsTensors) {
  dnnspec_tensor src = {}, dst = {};
  src.argument = DNNSPEC_ARG_SRC;
  dst.argument = DNNSPEC_ARG_DST;
  const dnnspec_tensor* const tensors[] = {&src, &dst};
  dnnspec_operation operation = {};
  operation.tensors = tensors;
  operation.tensor_count = 2;
  EXPECT_EQ(dnnspec_find(&operation, DNNSPEC_ARG_DST), &dst);
  EXPECT_EQ(dnnspec_find(&operation, DNNSPEC_ARG_BIAS), nullptr);
}

}  // namespace
