#include "api/model/argument_names.h"

#include <gtest/gtest.h>

#include <string>

#include "oneapi/dnnl/types/arguments.h"

namespace api {
namespace {

TEST(ArgumentNames, AreThoseThatProgramsWrite) {
  EXPECT_EQ(NameOfArgument(1), "DNNL_ARG_SRC");
  EXPECT_EQ(NameOfArgument(17), "DNNL_ARG_DST");
  EXPECT_EQ(NameOfArgument(80), "DNNL_ARG_SCRATCHPAD");
  EXPECT_EQ(NameOfArgument(129), "DNNL_ARG_DIFF_SRC");
  EXPECT_EQ(NameOfArgument(513), "DNNL_ARG_ATTR_OUTPUT_SCALES");
}

TEST(ArgumentNames, TellWhatBelongsToAnAttribute) {
  EXPECT_EQ(NameOfArgument(DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST),
            "DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST");
  EXPECT_EQ(NameOfArgument(DNNL_ARG_ATTR_POST_OP_DW | DNNL_ARG_WEIGHTS),
            "DNNL_ARG_ATTR_POST_OP_DW | DNNL_ARG_WEIGHTS");
  EXPECT_EQ(NameOfArgument(DNNL_ARG_ATTR_MULTIPLE_POST_OP(2) | DNNL_ARG_SRC_1),
            "DNNL_ARG_ATTR_MULTIPLE_POST_OP(2) | DNNL_ARG_SRC_1");
  EXPECT_EQ(NameOfArgument(DNNL_ARG_ATTR_INPUT_SCALES | DNNL_ARG_SRC),
            "DNNL_ARG_ATTR_INPUT_SCALES | DNNL_ARG_SRC");
  EXPECT_EQ(NameOfArgument(DNNL_ARG_MULTIPLE_SRC), "DNNL_ARG_MULTIPLE_SRC + 0");
  EXPECT_EQ(NameOfArgument(DNNL_ARG_MULTIPLE_DST + 3), "DNNL_ARG_MULTIPLE_DST + 3");
}

TEST(ArgumentNames, NumbersWithoutOneStayNumbers) {
  for (const int index : {-1, 0, 5, 512, 600})
    EXPECT_EQ(NameOfArgument(index), "argument " + std::to_string(index));
}

}  // namespace
}  // namespace api
