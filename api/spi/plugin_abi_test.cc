#include "api/spi/plugin_abi.h"

#include <gtest/gtest.h>

#include <cstddef>

extern "C" {
size_t TableBytesAsC(void);
size_t ReorderBytesAsC(void);
size_t ShuffleBytesAsC(void);
size_t ExecuteOffsetAsC(void);
}

namespace {

TEST(PluginAbi, IsTheSameInCAndInCpp) {
  EXPECT_EQ(TableBytesAsC(), sizeof(dnnspec_plugin_table));
  EXPECT_EQ(ReorderBytesAsC(), sizeof(dnnspec_reorder));
  EXPECT_EQ(ShuffleBytesAsC(), sizeof(dnnspec_shuffle));
  EXPECT_EQ(ExecuteOffsetAsC(), offsetof(dnnspec_plugin_table, plan_execute));
}

// Shared objects that are out in the world were compiled with these.
TEST(PluginAbi, KeepsTheLayoutOfVersionOne) {
  static_assert(DNNSPEC_PLUGIN_VERSION == 1);
  EXPECT_EQ(sizeof(dnnspec_block), 16u);
  EXPECT_EQ(sizeof(dnnspec_layout), 504u);
  EXPECT_EQ(offsetof(dnnspec_layout, offset), 296u);
  EXPECT_EQ(offsetof(dnnspec_reorder, src_zero_point), 1048u);
  EXPECT_EQ(sizeof(dnnspec_reorder), 1064u);
  EXPECT_EQ(offsetof(dnnspec_reorder, scales), 1016u);
  EXPECT_EQ(sizeof(dnnspec_shuffle), 1024u);
  EXPECT_EQ(sizeof(dnnspec_argument), 16u);
  EXPECT_EQ(offsetof(dnnspec_plugin_table, engine_count), 24u);
  EXPECT_EQ(offsetof(dnnspec_plugin_table, reorder_bytes), 24u + 14 * sizeof(void*));
  EXPECT_EQ(sizeof(dnnspec_plugin_table), 24u + 15 * sizeof(void*));
}

}  // namespace
