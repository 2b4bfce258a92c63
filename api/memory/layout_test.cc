// Layouts that no constructor makes yet: with inner blocks, as a primitive will choose them.
#include "api/memory/layout.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "api/memory/checks.h"
#include "oneapi/dnnl/memory/memory.hpp"

namespace {

using dnnl::memory;
using dt = memory::data_type;
using tag = memory::format_tag;

// f32 2x20x3x5 with the channels in blocks of 16, padded to 32.
memory::desc Blocked() {
  memory::desc md({2, 20, 3, 5}, dt::f32, tag::abcd);
  md.data.padded_dims[1] = 32;
  dnnl_blocking_desc_t& blocking = md.data.format_desc.blocking;
  const int64_t strides[] = {480, 240, 80, 16};
  for (int j = 0; j < 4; ++j) blocking.strides[j] = strides[j];
  blocking.inner_nblks = 1;
  blocking.inner_blks[0] = 16;
  blocking.inner_idxs[0] = 1;
  return md;
}

std::string Refusal(const std::function<void(dnnl_memory_desc_t*)>& change) {
  memory::desc md = Blocked();
  change(&md.data);
  return std::string(api::CheckDesc("md", md.data).message());
}

TEST(BlockedLayout, SurvivesTheWayThereAndBack) {
  const spi::Layout layout = api::LayoutOf(Blocked().data);
  EXPECT_EQ(spi::ToString(layout), "f32 2x20x3x5 s480,240,80,16 b16@1");
  EXPECT_EQ(layout.padded_dims[1], 32);
  EXPECT_TRUE(api::SameDesc(api::DescOf(layout), Blocked().data));
  EXPECT_TRUE(api::Matches(layout, layout));
}

TEST(BlockedLayout, NeedsItsPadding) {
  EXPECT_EQ(Blocked().get_size(), 4u * 2 * 32 * 3 * 5);
  EXPECT_EQ(memory::desc(api::DescOf(api::VectorLayout(spi::DataType::kU8, 77))).get_size(), 77u);
}

TEST(BlockedLayout, DiffersFromEveryOther) {
  const memory::desc other_size = [] {
    memory::desc md = Blocked();
    md.data.format_desc.blocking.inner_blks[0] = 8;
    return md;
  }();
  EXPECT_EQ(Blocked(), Blocked());
  EXPECT_NE(Blocked(), other_size);
  EXPECT_NE(Blocked(), memory::desc({2, 20, 3, 5}, dt::f32, tag::abcd));
  EXPECT_FALSE(api::Matches(api::LayoutOf(Blocked().data), api::LayoutOf(other_size.data)));
}

TEST(BlockedLayout, IsLegalWhenItsBlocksFillThePaddedDims) {
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t*) {}), "");
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) { md->padded_dims[1] = 31; }),
            "md: padded_dims[1] = 31 does not fit dims[1] = 20 in blocks of 16 (MD-059)");
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) { md->padded_dims[1] = 16; }),
            "md: padded_dims[1] = 16 does not fit dims[1] = 20 in blocks of 16 (MD-059)");
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) { md->padded_dims[0] = 4; }),
            "md: padded_dims[0] = 4 does not fit dims[0] = 2 in blocks of 1 (MD-059)");
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) { md->format_desc.blocking.inner_idxs[0] = 4; }),
            "md: inner block 0 is 16 of axis 4 (MD-059)");
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) { md->format_desc.blocking.inner_nblks = 13; }),
            "md: inner_nblks = 13 is not in [0, 12] (MD-059)");
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) { md->format_kind = dnnl_format_kind_wino; }),
            "md: format_kind = 3 is no layout of this library (MD-059)");
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) { md->extra.flags = 1; }),
            "md: extra.flags = 1 is no layout of this library (MD-059)");
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) { md->offset0 = -1; }),
            "md: offset0 = -1 is negative (MD-072)");
}

TEST(BlockedLayout, HasNoViews) {
  for (const auto& view : std::initializer_list<std::function<void()>>{
           [] { Blocked().reshape({600}); },
           [] {
             Blocked().permute_axes({0, 1, 3, 2});
           },
           [] {
             Blocked().submemory_desc({1, 16, 3, 5}, {0, 0, 0, 0});
           }}) {
    try {
      view();
      ADD_FAILURE();
    } catch (const dnnl::error& error) {
      EXPECT_EQ(error.status, dnnl_unimplemented);
    }
  }
  EXPECT_TRUE(Blocked().reshape({600}, true).is_zero());
}

}  // namespace
