#include "api/model/argument_sorts.h"

#include <gtest/gtest.h>

#include "oneapi/dnnl/types/arguments.h"

namespace api {
namespace {

using dnnl::query;

TEST(SortOf, IsThatOfTheNumber) {
  for (const int index : {DNNL_ARG_SRC, DNNL_ARG_SRC_ITER_C, DNNL_ARG_AUGRU_ATTENTION,
                          DNNL_ARG_MULTIPLE_SRC, DNNL_ARG_MULTIPLE_SRC + 1023})
    EXPECT_EQ(SortOf(index, false), query::src_md) << index;
  for (const int index : {DNNL_ARG_DST, DNNL_ARG_DST_ITER_C, DNNL_ARG_MULTIPLE_DST + 7})
    EXPECT_EQ(SortOf(index, true), query::dst_md) << index;
  for (const int index : {DNNL_ARG_WEIGHTS, DNNL_ARG_WEIGHTS_PROJECTION, DNNL_ARG_SCALE_SHIFT,
                          DNNL_ARG_BIAS, DNNL_ARG_SCALE, DNNL_ARG_SHIFT})
    EXPECT_EQ(SortOf(index, false), query::weights_md) << index;
  for (const int index : {DNNL_ARG_DIFF_SRC, DNNL_ARG_DIFF_AUGRU_ATTENTION})
    EXPECT_EQ(SortOf(index, true), query::diff_src_md) << index;
  for (const int index : {DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_DST_ITER_C})
    EXPECT_EQ(SortOf(index, false), query::diff_dst_md) << index;
  for (const int index : {DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_WEIGHTS_3, DNNL_ARG_DIFF_BIAS,
                          DNNL_ARG_DIFF_SCALE, DNNL_ARG_DIFF_SHIFT})
    EXPECT_EQ(SortOf(index, true), query::diff_weights_md) << index;
  EXPECT_EQ(SortOf(DNNL_ARG_WORKSPACE, true), query::workspace_md);
  EXPECT_EQ(SortOf(DNNL_ARG_WORKSPACE, false), query::workspace_md);
  EXPECT_EQ(SortOf(DNNL_ARG_SCRATCHPAD, true), query::scratchpad_md);
}

TEST(SortOf, StatisticsFollowsWhatIsDoneToThem) {
  for (const int index : {DNNL_ARG_MEAN, DNNL_ARG_VARIANCE}) {
    EXPECT_EQ(SortOf(index, false), query::src_md);
    EXPECT_EQ(SortOf(index, true), query::dst_md);
  }
}

TEST(SortOf, TensorsOfAttributesIsNone) {
  for (const int index :
       {0, 5, 16, 20, 300, DNNL_ARG_ATTR_OUTPUT_SCALES, DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC,
        DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1,
        DNNL_ARG_ATTR_INPUT_SCALES | DNNL_ARG_SRC})
    EXPECT_EQ(SortOf(index, false), query::undef) << index;
}

}  // namespace
}  // namespace api
