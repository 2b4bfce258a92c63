// Layouts that no constructor makes yet: with inner blocks, as a primitive will choose them.
#include "api/memory/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

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
  EXPECT_EQ(spi::PaddedDim(layout, 1), 32);
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
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) { md->padded_dims[1] = 48; }),
            "md: padded_dims[1] = 48 does not fit dims[1] = 20 in blocks of 16 (MD-059)");
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) { md->padded_dims[0] = 4; }),
            "md: padded_dims[0] = 4 does not fit dims[0] = 2 in blocks of 1 (MD-059)");
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) { md->format_desc.blocking.inner_idxs[0] = 4; }),
            "md: inner block 0 is 16 of axis 4 (MD-059)");
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) { md->format_desc.blocking.inner_nblks = 13; }),
            "md: inner_nblks = 13 is not in [0, 12] (MD-059)");
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) { md->format_kind = dnnl_format_kind_wino; }),
            "md: format_kind = 3 is no layout of this library (MD-059)");
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) {
              md->format_kind = dnnl_format_kind_rnn_packed;
              md->format_desc.blocking.strides[0] = 0;
            }),
            "md: field 0 = 0 of the opaque layout is not in [1, 65535] (MD-059)");
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) { md->extra.flags = 1; }),
            "md: extra.flags = 1 is no layout of this library (MD-059)");
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) { md->offset0 = -1; }),
            "md: offset0 = -1 is negative (MD-072)");
}

// A descriptor has room for twelve blocks, a layout for six; those of one element split nothing.
TEST(BlockedLayout, HasSixBlocksOfSeveralElements) {
  const auto with_blocks = [](std::vector<int64_t> sizes) {
    memory::desc md({3, 5}, dt::s8, tag::ab);
    dnnl_blocking_desc_t& blocking = md.data.format_desc.blocking;
    int64_t product = 1;
    for (const int64_t size : sizes) {
      blocking.inner_blks[blocking.inner_nblks] = size;
      blocking.inner_idxs[blocking.inner_nblks++] = 1;
      product *= size;
    }
    md.data.padded_dims[1] = (5 + product - 1) / product * product;
    blocking.strides[1] = product;
    blocking.strides[0] = md.data.padded_dims[1];
    return md;
  };
  const auto refusal = [](const memory::desc& md) {
    return std::string(api::CheckDesc("md", md.data).message());
  };
  const memory::desc six = with_blocks({2, 2, 2, 2, 2, 2});
  const memory::desc twelve = with_blocks({1, 2, 2, 1, 2, 1, 1, 2, 2, 1, 2, 1});
  EXPECT_EQ(refusal(twelve), "");
  EXPECT_EQ(api::LayoutOf(twelve.data), api::LayoutOf(six.data));
  EXPECT_EQ(twelve, six);
  EXPECT_EQ(six, twelve);
  EXPECT_NE(twelve, with_blocks({1, 2, 2, 1, 2, 1, 1, 2, 4, 1, 1, 1}));
  EXPECT_NE(six, with_blocks({2, 2, 2, 2, 2}));
  EXPECT_EQ(memory::desc(api::DescOf(api::LayoutOf(twelve.data))), twelve);
  EXPECT_EQ(refusal(with_blocks({2, 2, 2, 1, 2, 2, 2, 2})),
            "md: inner_nblks = 8 with more than 6 blocks of several elements is no layout of this "
            "library (MD-059)");
  EXPECT_EQ(refusal(with_blocks({(int64_t{1} << 31) - 1})), "");
  EXPECT_EQ(refusal(with_blocks({2, int64_t{1} << 31})),
            "md: inner block 1 is 2147483648 elements, more than a layout of this library holds "
            "(MD-059)");
}

TEST(BlockedLayout, IsPaddedToAnExtentThatIsGivenAtExecution) {
  memory::desc md = Blocked();
  dnnl_memory_desc_t& data = md.data;
  data.dims[1] = data.padded_dims[1] = DNNL_RUNTIME_DIM_VAL;
  EXPECT_EQ(std::string(api::CheckDesc("md", data).message()), "");
  EXPECT_EQ(api::DescOf(api::LayoutOf(data)).padded_dims[1], DNNL_RUNTIME_DIM_VAL);
  data.padded_dims[1] = 32;
  EXPECT_EQ(std::string(api::CheckDesc("md", data).message()),
            "md: padded_dims[1] = 32 does not fit dims[1] = -9223372036854775808 in blocks of 16 "
            "(MD-059)");
}

TEST(BlockedLayout, IsLegalWhenItsBlocksLieApart) {
  const auto stride = [](int j, int64_t value) {
    return Refusal([=](dnnl_memory_desc_t* md) { md->format_desc.blocking.strides[j] = value; });
  };
  EXPECT_EQ(stride(3, 16), "");
  EXPECT_EQ(stride(3, 15), "md: strides[3] = 15 is below the 16 elements of a block (MD-006)");
  EXPECT_EQ(stride(2, 79), "md: strides[2] = 79 is below strides[3] * blocks[3] = 80 (MD-006)");
  EXPECT_EQ(stride(1, 241), "md: strides[0] = 480 is below strides[1] * blocks[1] = 482 (MD-006)");
  EXPECT_EQ(stride(0, -480), "md: strides[0] = -480 is negative (MD-013)");
  EXPECT_EQ(stride(0, 481), "");
  // Of one block, an axis steps nowhere.
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) {
              md->dims[1] = md->padded_dims[1] = 16;
              md->format_desc.blocking.strides[1] = 0;
            }),
            "");
  EXPECT_NE(Refusal([](dnnl_memory_desc_t* md) {
              md->dims[0] = md->padded_dims[0] = 0;
              md->format_desc.blocking.strides[1] = -1;
            }),
            "");
}

TEST(BlockedLayout, IsLegalWhenItsBytesFit63Bits) {
  const int64_t big = int64_t{1} << 40;
  EXPECT_EQ(Refusal([=](dnnl_memory_desc_t* md) { md->format_desc.blocking.strides[0] = big; }),
            "");
  EXPECT_EQ(Refusal([](dnnl_memory_desc_t* md) {
              md->format_desc.blocking.strides[0] = int64_t{1} << 60;
            }),
            "md: the bytes that dims[0] = 2 and strides[0] = 1152921504606846976 reach do not fit "
            "63 bits "
            "(MD-026)");
  // Padding counts, where a dim of 1 would not.
  EXPECT_NE(Refusal([=](dnnl_memory_desc_t* md) {
              md->dims[1] = 1;
              md->padded_dims[1] = big;
              md->format_desc.blocking.strides[1] = big;
              md->dims[0] = md->padded_dims[0] = 1;
            }),
            "");
  const int64_t most = (int64_t{1} << 61) - 1;  // elements of 4 bytes
  const int64_t last = 2 * 32 * 3 * 5 - 1;
  EXPECT_EQ(Refusal([=](dnnl_memory_desc_t* md) { md->offset0 = most - 1 - last; }), "");
  EXPECT_NE(Refusal([=](dnnl_memory_desc_t* md) { md->offset0 = most - last; }), "");
  memory::desc one({1}, dt::f32, tag::a);
  one.data.offset0 = most - 1;
  EXPECT_EQ(std::string(api::CheckDesc("md", one.data).message()), "");
  one.data.offset0 = most;
  EXPECT_EQ(std::string(api::CheckDesc("md", one.data).message()),
            "md: the bytes from offset0 = 2305843009213693951 on do not fit 63 bits (MD-026)");
}

// As oneDNN 2.6 lays its tags out: `word` names the axes from the outside in, then `blocks` from
// the outside in.
TEST(BlockedLayout, IsLegalForEveryOrderOfAxesAndBlocks) {
  struct Block {
    int axis;
    int64_t size;
  };
  const std::vector<std::vector<Block>> blockings = {
      {{1, 16}}, {{0, 8}}, {{0, 16}, {1, 16}}, {{1, 4}, {0, 16}, {1, 4}}, {{1, 2}, {0, 8}, {1, 8}}};
  for (const memory::dims& dims :
       {memory::dims{1, 1}, memory::dims{3, 20, 5}, memory::dims{17, 16, 1, 7},
        memory::dims{2, 33, 4, 3, 2}, memory::dims{0, 5, 3}}) {
    const int rank = static_cast<int>(dims.size());
    std::vector<int> word(dims.size());
    for (int j = 0; j < rank; ++j) word[static_cast<size_t>(j)] = j;
    do {
      for (const std::vector<Block>& blocks : blockings) {
        dnnl_memory_desc_t md{};
        md.ndims = rank;
        md.data_type = dnnl_f32;
        md.format_kind = dnnl_blocked;
        dnnl_blocking_desc_t& blocking = md.format_desc.blocking;
        int64_t split[DNNL_MAX_NDIMS], stride = 1;
        std::fill_n(split, DNNL_MAX_NDIMS, 1);
        for (const Block& block : blocks) {
          blocking.inner_idxs[blocking.inner_nblks] = block.axis;
          blocking.inner_blks[blocking.inner_nblks++] = block.size;
          split[block.axis] *= block.size;
          stride *= block.size;
        }
        int64_t elements = 1;
        for (int j = 0; j < rank; ++j) {
          md.dims[j] = dims[static_cast<size_t>(j)];
          md.padded_dims[j] = (md.dims[j] + split[j] - 1) / split[j] * split[j];
          elements *= md.padded_dims[j];
        }
        for (int k = rank - 1; k >= 0; --k) {
          const int j = word[static_cast<size_t>(k)];
          blocking.strides[j] = stride;
          stride *= std::max<int64_t>(1, md.padded_dims[j] / split[j]);
        }
        ASSERT_EQ(std::string(api::CheckDesc("md", md).message()), "");
        ASSERT_EQ(memory::desc(md).get_size(), 4u * static_cast<size_t>(elements));
      }
    } while (std::next_permutation(word.begin(), word.end()));
  }
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
