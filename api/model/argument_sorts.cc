#include "api/model/argument_sorts.h"

#include "oneapi/dnnl/types/arguments.h"

namespace api {
namespace {

using dnnl::query;

struct Range {
  int first, last;
  query sort;
};

// Those that every primitive has come first.
constexpr Range kRanges[] = {
    {DNNL_ARG_SRC, DNNL_ARG_SRC_3, query::src_md},
    {DNNL_ARG_DST, DNNL_ARG_DST_2, query::dst_md},
    {DNNL_ARG_DIFF_SRC, DNNL_ARG_DIFF_SRC_3, query::diff_src_md},
    {DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_DST_2, query::diff_dst_md},
    {DNNL_ARG_WEIGHTS, DNNL_ARG_WEIGHTS_3, query::weights_md},
    {DNNL_ARG_BIAS, DNNL_ARG_BIAS, query::weights_md},
    {DNNL_ARG_SCALE, DNNL_ARG_SHIFT, query::weights_md},
    {DNNL_ARG_WORKSPACE, DNNL_ARG_WORKSPACE, query::workspace_md},
    {DNNL_ARG_SCRATCHPAD, DNNL_ARG_SCRATCHPAD, query::scratchpad_md},
    {DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_WEIGHTS_3, query::diff_weights_md},
    {DNNL_ARG_DIFF_BIAS, DNNL_ARG_DIFF_BIAS, query::diff_weights_md},
    {DNNL_ARG_DIFF_SCALE, DNNL_ARG_DIFF_SHIFT, query::diff_weights_md},
    {DNNL_ARG_MULTIPLE_SRC, DNNL_ARG_MULTIPLE_DST - 1, query::src_md},
    {DNNL_ARG_MULTIPLE_DST, DNNL_ARG_ATTR_ZERO_POINTS - 1, query::dst_md},
};

}  // namespace

dnnl::query SortOf(int index, bool written) {
  if (index == DNNL_ARG_MEAN || index == DNNL_ARG_VARIANCE)
    return written ? query::dst_md : query::src_md;
  for (const Range& range : kRanges)
    if (index >= range.first && index <= range.last) return range.sort;
  return query::undef;
}

}  // namespace api
