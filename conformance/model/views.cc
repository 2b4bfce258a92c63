#include "conformance/model/views.h"

#include <cstddef>
#include <numeric>

#include "conformance/gen/shapes.h"
#include "conformance/gen/tensors.h"
#include "conformance/memory/descriptor_case.h"

namespace conformance {

using dnnl::memory;

OneView AnyPermutationOf(const spec::Dims& dims, Random& random) {
  const std::vector<int> axes = AnyPermutation(random, static_cast<int>(dims.size()));
  OneView view{"permute_axes", "permute_axes(" + Text(axes) + ")",
               [axes](const memory::desc& desc, bool allow_empty) {
                 return desc.permute_axes(axes, allow_empty);
               },
               spec::Dims(axes.size()), NumbersBeforePermutation(dims, axes)};
  for (size_t i = 0; i < axes.size(); ++i) view.dims[axes[i]] = dims[i];
  return view;
}

OneView ReshapeOf(const spec::Dims& to) {
  OneView view{
      "reshape", "reshape(" + Text(to) + ")",
      [to](const memory::desc& desc, bool allow_empty) { return desc.reshape(to, allow_empty); },
      to, std::vector<int64_t>(static_cast<size_t>(spec::ElementCount(to)))};
  std::iota(view.numbers.begin(), view.numbers.end(), 0);
  return view;
}

OneView AnyRegionOf(const spec::Dims& dims, Random& random) {
  const Region region = DrawRegion(random, dims, /*empty=*/false);
  OneView view{"submemory_desc",
               "submemory_desc(" + Text(region.dims) + ", " + Text(region.offsets) + ")",
               [region](const memory::desc& desc, bool allow_empty) {
                 return desc.submemory_desc(region.dims, region.offsets, allow_empty);
               },
               region.dims,
               {}};
  spec::Dims x(region.dims.size(), 0);
  do {
    spec::Dims at = x;
    for (size_t j = 0; j < at.size(); ++j) at[j] += region.offsets[j];
    view.numbers.push_back(spec::Ravel(at, dims));
  } while (spec::Next(region.dims, &x));
  return view;
}

}  // namespace conformance
