// get_size(): MD-030 to MD-035.
#include <algorithm>

#include "conformance/case/property.h"
#include "conformance/memory/cases.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/descriptors.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

bool SizeIs(int64_t bytes, const Desc& desc, Trial& trial) {
  return trial.Expect(desc.get_size() == static_cast<size_t>(bytes), "get_size()",
                      std::to_string(bytes), std::to_string(desc.get_size()));
}

bool IsBroadcast(const DescriptorCase& view) {
  for (size_t j = 0; j < view.dims.size(); ++j)
    if (view.dims[j] > 1 && view.strides[j] == 0) return true;
  return false;
}

bool AllStridesAreZero(const DescriptorCase& view) {
  for (int64_t stride : view.strides)
    if (stride != 0) return false;
  return true;
}

void DenseSizeIsTheProduct(const DescriptorCase& view, Trial& trial) {
  if (!view.IsWellFormed() || !view.regions.empty() || IsBroadcast(view) ||
      spec::IsEmpty(view.dims) || spec::ExtentOf(view.Layout()) != spec::ElementCount(view.dims)) {
    return trial.Vacuous();
  }
  const auto desc = Built(view, trial);
  if (!desc) return;
  SeeLayout(view, trial);
  SizeIs(spec::BytesOf(view.type) * spec::ElementCount(view.dims), *desc, trial);
}

DescriptorCase DrawDense(int64_t index, Random& random) {
  DescriptorCase view = DrawDescriptor(index, random, {});
  if (index % 2 == 1)
    view.strides = DrawStrides(random, view.dims, /*gaps=*/false);
  else
    view.strides = RowMajorStrides(view.dims);
  return view;
}

void DenseSizeIsTheProductWithTags(const TagCase& c, Trial& trial) {
  if (spec::IsEmpty(c.dims)) return trial.Vacuous();
  const auto desc = Built(c, trial);
  if (desc) SizeIs(spec::BytesOf(c.type) * spec::ElementCount(c.dims), *desc, trial);
}

void SizeHoldsTheExtent(const DescriptorCase& view, Trial& trial) {
  if (spec::IsEmpty(view.FinalDims())) return trial.Vacuous();
  const auto desc = Built(view, trial);
  if (!desc) return;
  const spec::Plain layout = view.Layout();
  if (trial.portable() && (layout.offset != 0 || AllStridesAreZero(view))) return trial.Vacuous();
  SeeLayout(view, trial);
  const int64_t least = spec::LeastSizeInBytes(layout, spec::BytesOf(view.type));
  trial.Expect(desc->get_size() >= static_cast<size_t>(least), "get_size()",
               std::to_string(least) + " or more", std::to_string(desc->get_size()));
}

void SizeIsTheReach(const DescriptorCase& view, Trial& trial) {
  if (spec::IsEmpty(view.FinalDims())) return trial.Vacuous();
  const auto desc = Built(view, trial);
  if (!desc) return;
  SeeLayout(view, trial);
  const int64_t bytes = spec::SizeInBytes(view.Layout(), spec::BytesOf(view.type));
  if (desc->get_size() != static_cast<size_t>(bytes))
    trial.Deviate("get_size()", std::to_string(bytes), std::to_string(desc->get_size()));
}

void RegionNeedsNoMoreThanItsParent(const DescriptorCase& view, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  if (view.regions.empty()) return trial.Vacuous();
  const auto parent = Built(view.WithoutLastRegion(), trial);
  const auto region = Built(view, trial);
  if (!parent || !region) return;
  SeeLayout(view, trial);
  trial.Expect(region->get_size() <= parent->get_size(), "region.get_size()",
               "at most the parent's " + std::to_string(parent->get_size()),
               std::to_string(region->get_size()));
}

void EmptySizeIsZero(const DescriptorCase& view, Trial& trial) {
  if (!view.IsWellFormed() || !spec::IsEmpty(view.FinalDims())) return trial.Vacuous();
  const auto desc = Built(view, trial);
  if (!desc) return;
  trial.Cover(spec::IsEmpty(view.dims) ? "empty" : "empty region");
  SizeIs(0, *desc, trial);
}

DescriptorCase DrawEmpty(int64_t index, Random& random) {
  DescriptorOptions options;
  options.regions = 2;
  options.long_dims = true;
  DescriptorCase view = DrawDescriptor(index, random, options);
  if (index % 2 == 0) {
    view.regions.push_back(DrawRegion(random, view.FinalDims(), /*empty=*/true));
  } else {
    view.dims[random.Between(0, static_cast<int64_t>(view.dims.size()) - 1)] = 0;
    view.regions.clear();
  }
  return view;
}

void EmptySizeIsZeroWithTags(const TagCase& c, Trial& trial) {
  if (!spec::IsEmpty(c.dims)) return trial.Vacuous();
  const auto desc = Built(c, trial);
  if (desc) SizeIs(0, *desc, trial);
}

void ZeroSizeIsZero(const NoParameters&, Trial& trial) { SizeIs(0, Desc(), trial); }

void AnySizeIsZero(const TagCase& c, Trial& trial) {
  const auto desc = Built(c, trial);
  if (desc && desc->get_size() != 0)
    trial.Deviate("get_size() of any", "0", std::to_string(desc->get_size()));
}

DescriptorOptions Regions(int least) {
  DescriptorOptions options;
  options.broadcast = options.loose_ones = true;
  options.far_ones = options.long_dims = true;
  options.least_regions = least;
  options.regions = 3;
  return options;
}

// Few elements far apart, and regions of them.
DescriptorCase DrawFar(int64_t index, Random& random) {
  DescriptorOptions options;
  options.max_rank = 4;
  options.max_elements = 256;
  DescriptorCase view = Spread(DrawDescriptor(index, random, options), random);
  for (int64_t r = index % 3; r > 0; --r)
    view.regions.push_back(DrawRegion(random, view.FinalDims(), /*empty=*/false));
  return view;
}

// More elements than 32 bits count.
DescriptorCase DrawManyElements(int64_t index, Random& random) {
  DescriptorCase view;
  view.type = random.Pick(spec::kTypes);
  const int64_t rank = index % 4 + 1;
  for (int64_t j = 0, left = random.Between(30, 40); j < rank; ++j) {
    const int64_t bits = j + 1 == rank ? left : random.Between(0, left);
    view.dims.push_back(std::max<int64_t>(1, (int64_t{1} << bits) + random.Between(-1, 1)));
    left -= bits;
  }
  view.strides = DrawStrides(random, view.dims, /*gaps=*/false);
  return view;
}

const bool defined[] = {
    Define(spec::MD_030, "strides", Cases<DescriptorCase>{0, DrawDense}, DenseSizeIsTheProduct,
           {"rank 1", "rank 6", "permuted"}),
    Define(spec::MD_030, "tags", AnyTag(/*empty=*/false), DenseSizeIsTheProductWithTags),
    Define(spec::MD_030, "many", Cases<DescriptorCase>{0, DrawManyElements}, DenseSizeIsTheProduct,
           {"rank 1", "permuted"}),
    Define(spec::MD_031, "far", Cases<DescriptorCase>{0, DrawFar}, SizeHoldsTheExtent,
           {"gapped", "region"}),
    Define(spec::MD_032, "far", Cases<DescriptorCase>{0, DrawFar}, SizeIsTheReach,
           {"gapped", "region"}),
    Define(spec::MD_031, "", DescriptorCases(Regions(0)), SizeHoldsTheExtent, {"gapped", "dense"}),
    Define(spec::MD_032, "", DescriptorCases(Regions(0)), SizeIsTheReach,
           {"gapped", "dense", "region"}),
    Define(spec::MD_033, "", DescriptorCases(Regions(1)), RegionNeedsNoMoreThanItsParent),
    Define(spec::MD_033, "far", Cases<DescriptorCase>{0, DrawFar}, RegionNeedsNoMoreThanItsParent),
    Define(spec::MD_034, "views", Cases<DescriptorCase>{0, DrawEmpty}, EmptySizeIsZero,
           {"empty region"}),
    Define(spec::MD_034, "tags", AnyTag(/*empty=*/true), EmptySizeIsZeroWithTags),
    Define(spec::MD_034, "zero", ZeroSizeIsZero),
    Define(spec::MD_035, "", WordlessTag("any", 12), AnySizeIsZero),
    Define(spec::MD_035, "empty", WordlessTag("any", 12, /*empty=*/true), AnySizeIsZero),
};

}  // namespace
}  // namespace conformance
