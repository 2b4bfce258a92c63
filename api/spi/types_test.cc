#include "api/spi/types.h"

#include <gtest/gtest.h>

#include <limits>

namespace spi {
namespace {

Layout Example() {
  Layout layout;
  layout.type = DataType::kBF16;
  layout.rank = 2;
  layout.dims = layout.padded_dims = {3, 5};
  layout.strides = {8, 1};
  return layout;
}

TEST(Layout, PrintsWhatItSays) {
  Layout layout = Example();
  EXPECT_EQ(ToString(layout), "bf16 3x5 s8,1");
  layout.offset = 7;
  layout.block_count = 1;
  layout.blocks[0] = {1, 4};
  EXPECT_EQ(ToString(layout), "bf16 3x5 s8,1 o7 b4@1");
  EXPECT_EQ(ToString(Layout()), "undef");
  layout = Example();
  layout.dims[0] = layout.strides[1] = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(ToString(layout), "bf16 runtimex5 s8,runtime");
}

TEST(Layout, IsEmptyWhenSomeDimIsZero) {
  Layout layout = Example();
  EXPECT_FALSE(IsEmpty(layout));
  layout.dims[1] = 0;
  EXPECT_TRUE(IsEmpty(layout));
  EXPECT_FALSE(IsEmpty(Layout()));
}

TEST(DataType, HasTheSizesOfTheCatalogue) {
  EXPECT_EQ(SizeOf(DataType::kUndef), 0);
  for (DataType type : {DataType::kS8, DataType::kU8}) EXPECT_EQ(SizeOf(type), 1);
  for (DataType type : {DataType::kF16, DataType::kBF16}) EXPECT_EQ(SizeOf(type), 2);
  for (DataType type : {DataType::kF32, DataType::kS32}) EXPECT_EQ(SizeOf(type), 4);
}

}  // namespace
}  // namespace spi
