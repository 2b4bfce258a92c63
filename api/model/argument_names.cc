#include "api/model/argument_names.h"

#include "absl/strings/str_cat.h"
#include "oneapi/dnnl/types/arguments.h"

namespace api {
namespace {

// Of several names for one number, the one that most primitives use.
const char* PlainName(int index) {
#define DNNSPEC_NAME(name) \
  case DNNL_ARG_##name:    \
    return "DNNL_ARG_" #name
  switch (index) {
    DNNSPEC_NAME(SRC);
    DNNSPEC_NAME(SRC_1);
    DNNSPEC_NAME(SRC_2);
    DNNSPEC_NAME(SRC_3);
    DNNSPEC_NAME(DST);
    DNNSPEC_NAME(DST_1);
    DNNSPEC_NAME(DST_2);
    DNNSPEC_NAME(WEIGHTS);
    DNNSPEC_NAME(WEIGHTS_1);
    DNNSPEC_NAME(WEIGHTS_2);
    DNNSPEC_NAME(WEIGHTS_3);
    DNNSPEC_NAME(BIAS);
    DNNSPEC_NAME(MEAN);
    DNNSPEC_NAME(VARIANCE);
    DNNSPEC_NAME(SCALE);
    DNNSPEC_NAME(SHIFT);
    DNNSPEC_NAME(WORKSPACE);
    DNNSPEC_NAME(SCRATCHPAD);
    DNNSPEC_NAME(DIFF_SRC);
    DNNSPEC_NAME(DIFF_SRC_1);
    DNNSPEC_NAME(DIFF_SRC_2);
    DNNSPEC_NAME(DIFF_SRC_3);
    DNNSPEC_NAME(DIFF_DST);
    DNNSPEC_NAME(DIFF_DST_1);
    DNNSPEC_NAME(DIFF_DST_2);
    DNNSPEC_NAME(DIFF_WEIGHTS);
    DNNSPEC_NAME(DIFF_WEIGHTS_1);
    DNNSPEC_NAME(DIFF_WEIGHTS_2);
    DNNSPEC_NAME(DIFF_WEIGHTS_3);
    DNNSPEC_NAME(DIFF_BIAS);
    DNNSPEC_NAME(DIFF_SCALE);
    DNNSPEC_NAME(DIFF_SHIFT);
    DNNSPEC_NAME(ATTR_OUTPUT_SCALES);
    default:
      return nullptr;
  }
#undef DNNSPEC_NAME
}

// `rest` is an argument that belongs to an attribute.
std::string With(const std::string& attribute, int rest) {
  return absl::StrCat(attribute, " | ", NameOfArgument(rest));
}

}  // namespace

std::string NameOfArgument(int index) {
  if (const char* const name = PlainName(index)) return name;
  if (index <= DNNL_ARG_ATTR_OUTPUT_SCALES) return absl::StrCat("argument ", index);
  if (index >= DNNL_ARG_ATTR_INPUT_SCALES)
    return With("DNNL_ARG_ATTR_INPUT_SCALES", index - DNNL_ARG_ATTR_INPUT_SCALES);
  if (index >= DNNL_ARG_ATTR_MULTIPLE_POST_OP_BASE) {
    const int number = index / DNNL_ARG_ATTR_MULTIPLE_POST_OP_BASE - 1;
    return With(absl::StrCat("DNNL_ARG_ATTR_MULTIPLE_POST_OP(", number, ")"),
                index % DNNL_ARG_ATTR_MULTIPLE_POST_OP_BASE);
  }
  if (index >= DNNL_ARG_ATTR_POST_OP_DW)
    return With("DNNL_ARG_ATTR_POST_OP_DW", index - DNNL_ARG_ATTR_POST_OP_DW);
  if (index >= DNNL_ARG_ATTR_ZERO_POINTS)
    return With("DNNL_ARG_ATTR_ZERO_POINTS", index - DNNL_ARG_ATTR_ZERO_POINTS);
  if (index >= DNNL_ARG_MULTIPLE_DST)
    return absl::StrCat("DNNL_ARG_MULTIPLE_DST + ", index - DNNL_ARG_MULTIPLE_DST);
  if (index >= DNNL_ARG_MULTIPLE_SRC)
    return absl::StrCat("DNNL_ARG_MULTIPLE_SRC + ", index - DNNL_ARG_MULTIPLE_SRC);
  return absl::StrCat("argument ", index);
}

}  // namespace api
