// submemory_desc: MD-070 to MD-079. What the regions hold is in contents.cc.
#include <algorithm>
#include <climits>
#include <cstdint>

#include "conformance/case/property.h"
#include "conformance/memory/cases.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/descriptors.h"
#include "conformance/subject/descriptor_text.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

std::string Call(const Region& region) {
  return "submemory_desc(" + Text(region.dims) + ", " + Text(region.offsets) + ")";
}

DescriptorOptions Regions(int least, int most) {
  DescriptorOptions options;
  options.broadcast = options.loose_ones = options.long_dims = true;
  options.least_regions = least;
  options.regions = most;
  return options;
}

void RegionKeepsTypeAndStrides(const DescriptorCase& view, Trial& trial) {
  if (view.regions.empty() || !view.IsWellFormed()) return trial.Vacuous();
  const auto parent = Built(view.WithoutLastRegion(), trial);
  if (!parent) return;
  const Region& last = view.regions.back();
  const auto region = Accepted(trial, Call(last), [&] { return SubmemoryOf(*parent, last); });
  if (!region) return;
  SeeLayout(view, trial);
  trial.Expect(region->dims() == last.dims, "dims()", Text(last.dims), Text(region->dims()));
  ExpectType(trial, "data_type()", DataTypeOf(view.type), region->data_type());
  if (view.Layout().offset != 0 || spec::IsEmpty(last.dims)) return;
  const DescriptorCase same{view.type, last.dims, view.strides, {}};
  trial.Cover("no start");
  ExpectSame(trial, Call(last) + " == desc(" + Text(same) + ")", "an equal descriptor",
             WithStrides(same), *region);
}

// One region in two has no offsets, so that its strides can be compared.
DescriptorCase DrawAtOrigin(int64_t index, Random& random) {
  DescriptorCase view = DrawDescriptor(index, random, Regions(1, 2));
  if (index % 2 == 0)
    for (Region& region : view.regions) std::fill(region.offsets.begin(), region.offsets.end(), 0);
  return view;
}

void RegionsAddTheirOffsets(const DescriptorCase& view, Trial& trial) {
  if (view.regions.size() < 2 || !view.IsWellFormed() || spec::IsEmpty(view.FinalDims()))
    return trial.Vacuous();
  const auto nested = Built(view, trial);
  if (!nested) return;
  DescriptorCase combined = view;
  Region total{view.FinalDims(), spec::Dims(view.dims.size(), 0)};
  for (const Region& region : view.regions)
    for (size_t j = 0; j < total.offsets.size(); ++j) total.offsets[j] += region.offsets[j];
  combined.regions = {total};
  const auto single = Built(combined, trial);
  if (!single) return;
  SeeLayout(view, trial);
  if (view.Layout().offset == 0) trial.Vacuous();
  ExpectSame(trial, "nested regions == " + Call(total), "an equal descriptor", *single, *nested);
}

void FullRegionEqualsItsParent(const DescriptorCase& view, Trial& trial) {
  if (spec::IsEmpty(view.FinalDims())) return trial.Vacuous();
  const auto parent = Built(view, trial);
  if (!parent) return;
  SeeLayout(view, trial);
  const Region full{view.FinalDims(), spec::Dims(view.dims.size(), 0)};
  const auto region = Accepted(trial, Call(full), [&] { return SubmemoryOf(*parent, full); });
  if (region)
    ExpectSame(trial, Call(full) + " == its parent", "an equal descriptor", *parent, *region);
}

// How a region leaves an axis of its parent.
std::string ExcessOf(int64_t dim, int64_t offset, int64_t parent) {
  if (offset > INT64_MAX - dim) {
    return offset > parent ? "offset near the end of 64 bits" : "dim near the end of 64 bits";
  }
  return static_cast<uint32_t>(dim + offset) <= parent ? "inside by the low 32 bits"
                                                       : "out of the parent";
}

// What is wrong with a region, or "".
std::string FaultOf(const Region& region, const spec::Dims& parent) {
  const size_t rank = parent.size();
  if (region.dims.size() < rank) return "short dims";
  if (region.offsets.size() < rank) return "short offsets";
  if (region.dims.size() > rank || region.offsets.size() > rank) return "surplus entries";
  for (size_t j = 0; j < rank; ++j) {
    if (region.dims[j] < 0) return "negative dim";
    if (region.offsets[j] < 0) return "negative offset";
    if (region.dims[j] > parent[j] || region.offsets[j] > parent[j] - region.dims[j])
      return ExcessOf(region.dims[j], region.offsets[j], parent[j]);
  }
  return "";
}

// The region cut to what is inside the parent.
Region Inside(const Region& region, const spec::Dims& parent) {
  Region inside = region;
  inside.dims.resize(parent.size(), 1);
  inside.offsets.resize(parent.size(), 0);
  for (size_t j = 0; j < parent.size(); ++j) {
    inside.offsets[j] = std::clamp<int64_t>(inside.offsets[j], 0, parent[j]);
    inside.dims[j] = std::clamp<int64_t>(inside.dims[j], 0, parent[j] - inside.offsets[j]);
  }
  return inside;
}

void FaultyRegionsAreRefused(const DescriptorCase& view, Trial& trial) {
  if (view.regions.empty() || !view.WithoutLastRegion().IsWellFormed()) return trial.Vacuous();
  const spec::Dims parent_dims = view.WithoutLastRegion().FinalDims();
  const Region& last = view.regions.back();
  const std::string fault = FaultOf(last, parent_dims);
  if (fault.empty() || (fault == "surplus entries" && trial.portable())) return trial.Vacuous();
  const auto parent = Built(view.WithoutLastRegion(), trial);
  if (!parent) return;
  trial.Cover(fault);
  if (last.dims.size() == parent_dims.size() && spec::IsEmpty(last.dims))
    trial.Cover("beside a dim of 0");
  const Region neighbour = Inside(last, parent_dims);
  if (!Accepted(trial, Call(neighbour), [&] { return SubmemoryOf(*parent, neighbour); })) return;
  Refused(trial, Call(last) + " (of dims " + Text(parent_dims) + "), " + fault,
          [&] { return SubmemoryOf(*parent, last); });
}

// Leaves the parent by so much that sums and values of fewer bits do not show it.
void MoveFarOut(Random& random, int64_t parent, int64_t* dim, int64_t* offset) {
  constexpr int64_t kWord = int64_t{1} << 32;
  switch (random.Between(0, 4)) {
    case 0:
      *offset += kWord;
      break;
    case 1:
      *dim += kWord;
      break;
    case 2:
      *offset = kWord - *dim;
      break;
    case 3:
      *offset = kWord / 2;
      break;
    default:
      *offset = random.Between(1, std::max<int64_t>(1, parent));
      *dim = INT64_MAX - random.Between(0, *offset - 1);
  }
}

DescriptorCase DrawFaulty(int64_t index, Random& random) {
  DescriptorOptions options = Regions(0, 1);
  options.empty = true;
  DescriptorCase view = DrawDescriptor(index, random, options);
  Region region = DrawRegion(random, view.FinalDims(), /*empty=*/false);
  const auto rank = static_cast<int64_t>(view.dims.size());
  const int64_t j = random.Between(0, rank - 1);
  const int64_t parent = view.FinalDims()[j];
  switch (index % 13) {
    case 0:
      region.offsets[j] = parent - region.dims[j] + 1;
      break;
    case 1:
      region.offsets[j] = 0;
      region.dims[j] = parent + 1;
      break;
    case 2:
      region.offsets[j] = -1;
      break;
    case 3:
      region.dims[j] = random.Pick({int64_t{-1}, -parent - 1, -(int64_t{1} << 62)});
      break;
    case 4:
      region.dims.resize(random.Between(0, rank - 1));
      break;
    case 5:
      region.offsets.resize(random.Between(0, rank - 1));
      break;
    case 6:
      region.offsets[j] = random.Pick({INT64_MAX, INT64_MAX - region.dims[j] + 1});
      break;
    case 7:
      region.dims.push_back(1);
      break;
    case 8:
      region.offsets.push_back(0);
      break;
    case 9:  // nothing is taken, and from nowhere
      region.dims[j] = 0;
      region.offsets[j] = parent + random.Pick({int64_t{1}, int64_t{2}, int64_t{1} << 40});
      break;
    case 10:
    case 11:
      MoveFarOut(random, parent, &region.dims[j], &region.offsets[j]);
      break;
    default:  // nothing is taken along another axis
      region.dims[random.Between(0, rank - 1)] = 0;
      region.offsets[j] = random.Chance(50) ? -1 : parent - region.dims[j] + 1;
  }
  view.regions.push_back(region);
  return view;
}

void EmptyRegionsAreAllowed(const DescriptorCase& view, Trial& trial) {
  if (view.regions.empty() || !view.IsWellFormed() || !spec::IsEmpty(view.FinalDims()))
    return trial.Vacuous();
  const auto parent = Built(view.WithoutLastRegion(), trial);
  if (!parent) return;
  const Region& last = view.regions.back();
  const spec::Dims parent_dims = view.WithoutLastRegion().FinalDims();
  trial.Cover(last.offsets == parent_dims ? "far corner" : "empty");
  if (spec::IsEmpty(parent_dims)) trial.Cover("of an empty parent");
  const auto region = Accepted(trial, Call(last), [&] { return SubmemoryOf(*parent, last); });
  if (region)
    trial.Expect(region->dims() == last.dims, "dims()", Text(last.dims), Text(region->dims()));
}

DescriptorCase DrawEmptyRegion(int64_t index, Random& random) {
  DescriptorOptions options = Regions(0, 1);
  options.empty = true;
  DescriptorCase view = DrawDescriptor(index, random, options);
  view.regions.push_back(DrawRegion(random, view.FinalDims(), /*empty=*/true));
  if (index % 3 == 0) {
    view.regions.back().offsets = view.WithoutLastRegion().FinalDims();
    view.regions.back().dims.assign(view.dims.size(), 0);
  }
  return view;
}

// MD-079 on parents that have no layout: neither form may give a region.
void HasNoRegions(const Desc& parent, const std::string& name, const Region& region, Trial& trial) {
  trial.Cover(name);
  if (!Refused(trial, name + "." + Call(region), [&] { return SubmemoryOf(parent, region); }))
    return;
  const auto empty = Accepted(trial, name + "." + Call(region) + " with allow_empty", [&] {
    return parent.submemory_desc(region.dims, region.offsets, true);
  });
  if (empty) {
    ExpectDescriptor(trial, empty->is_zero(), name + "." + Call(region) + " with allow_empty",
                     "the zero descriptor", Desc(), *empty);
  }
}

// Portable, where a parent with run-time values gave a region: its dims are the region's, and with
// strides that are known it is the region of any parent that has them.
void HasTheRegion(const Desc& made, const std::optional<Desc>& plain, const std::string& name,
                  const Region& region, Trial& trial) {
  const std::string call = name + "." + Call(region);
  trial.Expect(made.dims() == region.dims, call + ".dims()", Text(region.dims), Text(made.dims()));
  if (plain && !spec::IsEmpty(region.dims))
    ExpectSame(trial, call, "the region of known dims", *plain, made);
}

void LayoutlessParentsAreRefused(const DescriptorCase& view, Trial& trial) {
  if (view.regions.size() != 1 || !view.IsWellFormed()) return trial.Vacuous();
  const auto plain = Built(view, trial);  // the nearest accepted neighbour
  if (!plain) return;
  const Region& region = view.regions[0];
  Refusal refusal;
  const auto any = Try([&] { return WithAny(view.type, view.dims); }, &refusal);
  if (any) HasNoRegions(*any, "any", region, trial);
  HasNoRegions(Desc(), "zero", {{}, {}}, trial);
  const size_t rank = view.dims.size();
  for (size_t value = 0; value < 2 * rank && !trial.failed(); ++value) {
    const bool stride = value >= rank;
    DescriptorCase wild = view;
    (stride ? wild.strides : wild.dims)[value % rank] = spec::kRunTimeDim;
    const auto run_time = Try([&] { return WithStrides(wild); }, &refusal);
    const std::string name = stride ? "run-time stride" : "run-time dim";
    if (!run_time) continue;
    const auto made = Try([&] { return SubmemoryOf(*run_time, region); }, &refusal);
    if (trial.project() || !made) {
      HasNoRegions(*run_time, name, region, trial);
    } else {
      HasTheRegion(*made, stride ? std::nullopt : plain, name, region, trial);
    }
    if (trial.portable()) trial.Record(name + ".submemory_desc", made ? "accepted" : "refused");
  }
}

// Where nobody moves along a dim of 1, its stride may be any.
DescriptorOptions WithFarOnes(int least, int most) {
  DescriptorOptions options = Regions(least, most);
  options.far_ones = true;
  return options;
}

DescriptorOptions WithEmptyOnes() {
  DescriptorOptions options = Regions(1, 1);
  options.empty = true;
  return options;
}

const bool defined[] = {
    Define(spec::MD_070, "", Cases<DescriptorCase>{0, DrawAtOrigin}, RegionKeepsTypeAndStrides,
           {"no start", "gapped"}),
    Define(spec::MD_073, "", DescriptorCases(WithFarOnes(2, 3)), RegionsAddTheirOffsets,
           {"nested region"}),
    Define(spec::MD_074, "", DescriptorCases(WithFarOnes(0, 2)), FullRegionEqualsItsParent,
           {"gapped", "permuted", "region"}),
    Define(spec::MD_075, "", Cases<DescriptorCase>{0, DrawFaulty}, FaultyRegionsAreRefused,
           {"short dims", "short offsets", "negative dim", "negative offset", "out of the parent",
            "offset near the end of 64 bits", "dim near the end of 64 bits",
            "inside by the low 32 bits", "beside a dim of 0"}),
    Define(spec::MD_076, "", Cases<DescriptorCase>{0, DrawEmptyRegion}, EmptyRegionsAreAllowed,
           {"empty", "far corner", "of an empty parent"}),
    Define(spec::MD_079, "", DescriptorCases(WithEmptyOnes()), LayoutlessParentsAreRefused,
           {"any", "zero"}),
};

}  // namespace
}  // namespace conformance
