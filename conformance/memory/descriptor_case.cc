#include "conformance/memory/descriptor_case.h"

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdint>
#include <numeric>
#include <optional>
#include <system_error>

#include "conformance/gen/shapes.h"

namespace conformance {
namespace {

// Smaller values to try for one number of a failing case, largest step first.
std::vector<int64_t> Smaller(int64_t value, int64_t least) {
  std::vector<int64_t> values;
  if (value <= least) return values;
  for (int64_t smaller : {least, value / 4, value / 2, value - 1}) {
    if (smaller < least || smaller >= value) continue;
    if (values.empty() || values.back() < smaller) values.push_back(smaller);
  }
  return values;
}

template <class T>
void DropEntry(size_t j, std::vector<T>* values) {
  if (j < values->size()) values->erase(values->begin() + static_cast<std::ptrdiff_t>(j));
}

DescriptorCase WithoutAxis(const DescriptorCase& view, size_t j) {
  DescriptorCase smaller = view;
  DropEntry(j, &smaller.dims);
  DropEntry(j, &smaller.strides);
  for (Region& region : smaller.regions) {
    DropEntry(j, &region.dims);
    DropEntry(j, &region.offsets);
  }
  return smaller;
}

bool IsInside(const Region& region, const spec::Dims& parent) {
  if (region.dims.size() != parent.size() || region.offsets.size() != parent.size()) return false;
  for (size_t j = 0; j < parent.size(); ++j) {
    const int64_t dim = region.dims[j], offset = region.offsets[j];
    if (dim < 0 || offset < 0 || dim > parent[j] || offset > parent[j] - dim) return false;
  }
  return true;
}

bool HasNegative(const spec::Dims& values) {
  return std::any_of(values.begin(), values.end(), [](int64_t v) { return v < 0; });
}

}  // namespace

void DescriptorCase::Print(Fields* fields, const std::string& suffix) const {
  SetType(fields, "type" + suffix, type);
  fields->SetInts("dims" + suffix, dims);
  fields->SetInts("strides" + suffix, strides);
  SetRegions(fields, "regions" + suffix, regions);
}

DescriptorCase DescriptorCase::Parse(const Fields& fields, const std::string& suffix) {
  return {GetType(fields, "type" + suffix), fields.Ints("dims" + suffix),
          fields.Ints("strides" + suffix), GetRegions(fields, "regions" + suffix)};
}

std::vector<DescriptorCase> DescriptorCase::Simpler() const {
  std::vector<DescriptorCase> views;
  for (size_t r = 0; r < regions.size(); ++r) {
    views.push_back(*this);
    DropEntry(r, &views.back().regions);
  }
  for (size_t j = 0; j < dims.size() && dims.size() > 1; ++j)
    views.push_back(WithoutAxis(*this, j));
  for (size_t r = regions.size(); r-- > 0;) {
    for (size_t j = 0; j < regions[r].dims.size(); ++j) {
      for (int64_t dim : Smaller(regions[r].dims[j], 1)) {
        views.push_back(*this);
        views.back().regions[r].dims[j] = dim;
      }
    }
    for (size_t j = 0; j < regions[r].offsets.size(); ++j) {
      for (int64_t offset : Smaller(regions[r].offsets[j], 0)) {
        views.push_back(*this);
        views.back().regions[r].offsets[j] = offset;
      }
    }
  }
  for (size_t j = 0; j < dims.size(); ++j) {
    for (int64_t dim : Smaller(dims[j], 1)) {
      views.push_back(*this);
      views.back().dims[j] = dim;
    }
  }
  for (size_t j = 0; j < strides.size(); ++j) {
    for (int64_t stride : Smaller(strides[j], 1)) {
      views.push_back(*this);
      views.back().strides[j] = stride;
    }
  }
  if (type != spec::Type::kF32) views.push_back(WithType(spec::Type::kF32));
  return views;
}

bool DescriptorCase::HasWildcard() const {
  return std::count(dims.begin(), dims.end(), spec::kRunTimeDim) +
             std::count(strides.begin(), strides.end(), spec::kRunTimeDim) >
         0;
}

bool DescriptorCase::IsWellFormed() const {
  if (dims.empty() || dims.size() != strides.size() || HasNegative(dims)) return false;
  const spec::Dims* parent = &dims;
  for (const Region& region : regions) {
    if (!IsInside(region, *parent)) return false;
    parent = &region.dims;
  }
  return true;
}

spec::Validity DescriptorCase::Verdict(Profile profile) const {
  if (HasWildcard()) return spec::Validity::kEither;
  // What these become, if they are accepted, is for MD-023 and MD-011 to say.
  if (dims.empty() || strides.empty()) return spec::Validity::kEither;
  if (!IsWellFormed()) return spec::Validity::kMustReject;
  const spec::StridesVerdict verdict = spec::JudgeStrides(dims, strides);
  const spec::Validity by_strides =
      profile == Profile::kProject ? verdict.project : verdict.portable;
  if (by_strides == spec::Validity::kMustReject) return by_strides;
  if (!BeginsWithinReach()) return spec::Validity::kEither;
  switch (spec::JudgeSize(spec::BytesOf(type), dims, strides)) {
    case spec::Validity::kMustAccept:
      return by_strides;
    case spec::Validity::kMustReject:
      // MD-026 is a "should".
      if (profile == Profile::kProject) return spec::Validity::kMustReject;
      break;
    case spec::Validity::kEither:
      break;
  }
  return spec::Validity::kEither;
}

bool DescriptorCase::BeginsWithinReach() const {
  int64_t offset = 0;
  for (const Region& region : regions) {
    for (size_t j = 0; j < strides.size(); ++j) {
      int64_t step = 0;
      if (__builtin_mul_overflow(region.offsets[j], strides[j], &step) ||
          __builtin_add_overflow(offset, step, &offset))
        return false;
    }
  }
  return offset <= INT64_MAX / spec::BytesOf(type);
}

spec::Plain DescriptorCase::Layout() const {
  spec::Plain layout{dims, strides, 0};
  for (const Region& region : regions)
    layout = spec::Submemory(layout, region.dims, region.offsets);
  return layout;
}

DescriptorCase DescriptorCase::WithoutLastRegion() const {
  DescriptorCase parent = *this;
  parent.regions.pop_back();
  return parent;
}

DescriptorCase DescriptorCase::WithType(spec::Type to) const {
  DescriptorCase view = *this;
  view.type = to;
  return view;
}

int RankAt(int64_t index, int min_rank, int max_rank) {
  // Small ranks more often, and every rank within one round of 23.
  constexpr int kRanks[] = {2, 1, 3, 4, 2, 5, 3, 6, 4, 7, 2, 12, 3, 8, 4, 5, 11, 1, 6, 9, 3, 10, 5};
  for (int64_t step = 0;; ++step) {
    const int rank = kRanks[(index + step) % static_cast<int64_t>(std::size(kRanks))];
    if (min_rank <= rank && rank <= max_rank) return rank;
  }
}

spec::Dims LongDims(Random& random, int rank) {
  const int bits = rank > 6 ? random.Pick({24, 31, 32, 33}) : random.Pick({24, 31, 32, 33, 40});
  spec::Dims dims(rank);
  for (int64_t& dim : dims) dim = random.Between(1, rank > 6 ? 2 : 4);
  dims[random.Between(0, rank - 1)] = (int64_t{1} << bits) + random.Between(-1, 9);
  return dims;
}

spec::Dims DrawStrides(Random& random, const spec::Dims& dims, bool gaps) {
  spec::Dims strides(dims.size());
  int64_t step = gaps ? random.Between(1, 4) : 1;
  for (int axis : AnyPermutation(random, static_cast<int>(dims.size()))) {
    strides[axis] = step;
    step *= std::max<int64_t>(1, dims[axis]);
    if (gaps && random.Chance(40)) step += random.Between(0, 7);
    if (gaps && random.Chance(15)) step *= random.Between(2, 3);
  }
  return strides;
}

DescriptorCase Spread(DescriptorCase view, Random& random) {
  constexpr int64_t kFarthest = int64_t{1} << 60;
  int64_t reach = 1;
  for (size_t j = 0; j < view.dims.size(); ++j)
    reach = std::max(reach, std::max<int64_t>(1, view.dims[j]) * view.strides[j]);
  const int64_t factor = random.Pick({int64_t{1} << 32, (int64_t{1} << 32) + random.Between(1, 9),
                                      random.Between(int64_t{1} << 28, int64_t{1} << 33)});
  for (int64_t& stride : view.strides)
    stride *= std::max<int64_t>(1, std::min(factor, kFarthest / reach));
  return view;
}

Region DrawRegion(Random& random, const spec::Dims& parent, bool empty) {
  Region region{parent, spec::Dims(parent.size(), 0)};
  for (size_t j = 0; j < parent.size(); ++j) {
    const int64_t size = parent[j];
    const int64_t style = random.Between(1, 100);
    if (size == 0 || style <= 35) continue;  // all of it
    if (style <= 50) {                       // the last index
      region.dims[j] = 1;
      region.offsets[j] = size - 1;
    } else if (style <= 60) {  // one index
      region.dims[j] = 1;
      region.offsets[j] = random.Between(0, size - 1);
    } else {
      region.dims[j] = random.Between(1, size);
      region.offsets[j] = random.Between(0, size - region.dims[j]);
    }
  }
  if (empty) {
    const int64_t j = random.Between(0, static_cast<int64_t>(parent.size()) - 1);
    region.dims[j] = 0;
    region.offsets[j] = random.Chance(50) ? parent[j] : random.Between(0, parent[j]);
  }
  return region;
}

DescriptorCase DrawDescriptor(int64_t index, Random& random, const DescriptorOptions& options) {
  ShapeLimits limits;
  limits.min_rank = limits.max_rank = RankAt(index, options.min_rank, options.max_rank);
  limits.max_elements = options.max_elements;
  limits.may_be_empty = false;
  // Periods prime to that of the ranks: every kind meets every rank.
  const int64_t kind = index % 4, extra = index % 7;

  DescriptorCase view;
  view.type = random.Pick(spec::kTypes);
  view.dims = AnyShape(random, limits);
  const bool is_long = options.long_dims && index % 9 == 8;
  if (is_long) view.dims = LongDims(random, limits.max_rank);
  const auto last = static_cast<int64_t>(view.dims.size()) - 1;
  if (kind > 0 && !options.loose_ones && spec::ElementCount(view.dims) == 1)
    view.dims[random.Between(0, last)] = 2;
  if (options.empty && extra == 1) view.dims[random.Between(0, last)] = 0;
  if (options.loose_ones && extra % 2 == 0) view.dims[random.Between(0, last)] = 1;
  if (options.broadcast && extra == 3) view.dims[random.Between(0, last)] = random.Between(2, 5);

  const bool gaps = kind >= 2 && !(is_long && limits.max_rank > 3);
  view.strides = kind == 0 ? RowMajorStrides(view.dims) : DrawStrides(random, view.dims, gaps);
  if (spec::ExtentOf({view.dims, view.strides, 0}) > options.max_extent)
    view.strides = DrawStrides(random, view.dims, /*gaps=*/false);
  for (size_t j = 0; j < view.dims.size(); ++j) {
    if (options.loose_ones && view.dims[j] == 1 && random.Chance(60)) {
      view.strides[j] = options.far_ones && random.Chance(30)
                            ? int64_t{1} << random.Pick({31, 32, 40, 59})
                            : random.Between(0, 99);
    }
    if (options.broadcast && view.dims[j] > 1 && extra == 3 && random.Chance(60))
      view.strides[j] = 0;
  }

  const int64_t regions =
      options.least_regions + index / 2 % (options.regions - options.least_regions + 1);
  for (int64_t r = 0; r < regions; ++r) {
    const bool empty = options.empty && extra == 5 && r + 1 == regions;
    view.regions.push_back(DrawRegion(random, view.FinalDims(), empty));
  }
  return view;
}

Cases<DescriptorCase> DescriptorCases(const DescriptorOptions& options) {
  return {0, [options](int64_t index, Random& random) {
            return DrawDescriptor(index, random, options);
          }};
}

spec::Dims RowMajorStrides(const spec::Dims& dims) {
  spec::Dims strides(dims.size());
  // Dims that are too large on purpose wrap around.
  uint64_t step = 1;
  for (size_t j = dims.size(); j-- > 0;) {
    strides[j] = static_cast<int64_t>(step);
    step *= static_cast<uint64_t>(std::max<int64_t>(1, dims[j]));
  }
  return strides;
}

spec::Dims NearestAcceptable(const spec::Dims& dims, const spec::Dims& strides) {
  spec::Dims nearest = strides;
  nearest.resize(dims.size(), 1);
  std::vector<int> inner_first(dims.size());
  std::iota(inner_first.begin(), inner_first.end(), 0);
  std::stable_sort(inner_first.begin(), inner_first.end(), [&](int a, int b) {
    if (nearest[a] != nearest[b]) return nearest[a] < nearest[b];
    return dims[a] < dims[b];
  });
  int64_t least = 1;
  for (int j : inner_first) {
    nearest[j] = std::max(least, nearest[j]);
    least = nearest[j] * std::max<int64_t>(1, dims[j]);
  }
  return nearest;
}

void SeeLayout(const DescriptorCase& view, Trial& trial) {
  trial.Cover("rank " + std::to_string(view.dims.size()));
  if (spec::IsEmpty(view.FinalDims())) trial.Cover("empty");
  if (!view.regions.empty()) trial.Cover("region");
  if (view.regions.size() > 1) trial.Cover("nested region");
  bool ones = false, broadcast = false, permuted = false;
  int64_t inner = 0;
  for (size_t j = view.dims.size(); j-- > 0;) {
    if (view.dims[j] == 1) ones = true;
    if (view.dims[j] <= 1) continue;
    if (view.strides[j] == 0) broadcast = true;
    if (view.strides[j] < inner) permuted = true;
    inner = std::max(inner, view.strides[j]);
  }
  if (ones) trial.Cover("ones");
  if (broadcast) trial.Cover("broadcast");
  if (permuted) trial.Cover("permuted");
  const spec::Plain whole{view.dims, view.strides, 0};
  if (!spec::IsEmpty(view.dims) && !broadcast) {
    const bool dense = spec::ExtentOf(whole) == spec::ElementCount(view.dims);
    trial.Cover(dense ? "dense" : "gapped");
  }
}

std::string Text(const spec::Dims& values) { return "{" + Join(values, ',') + "}"; }

std::string Text(const std::vector<int>& values) {
  return Text(spec::Dims(values.begin(), values.end()));
}

std::string Text(const DescriptorCase& view) {
  std::string text = "dims " + Text(view.dims) + " strides " + Text(view.strides);
  for (const Region& region : view.regions)
    text += " region " + Text(region.dims) + " at " + Text(region.offsets);
  return text;
}

void SetRegions(Fields* fields, std::string_view key, const std::vector<Region>& regions) {
  std::string text;
  for (const Region& region : regions) {
    if (!text.empty()) text += ';';
    text += Join(region.dims, ',') + '@' + Join(region.offsets, ',');
  }
  fields->Set(key, text.empty() ? "-" : text);
}

std::optional<spec::Dims> ParseNumbers(std::string_view text) {
  spec::Dims numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    if (!numbers.empty() && *at++ != ',') return std::nullopt;
    const auto [next, error] = std::from_chars(at, end, numbers.emplace_back());
    if (error != std::errc()) return std::nullopt;
    at = next;
  }
  return numbers;
}

std::vector<Region> GetRegions(const Fields& fields, std::string_view key) {
  const std::string text = fields.Text(key);
  std::vector<Region> regions;
  if (text == "-") return regions;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(';', at), text.size());
    const std::string_view item = std::string_view(text).substr(at, end - at);
    const size_t middle = item.find('@');
    if (middle == std::string_view::npos) {
      fields.Reject(key, "is no region, dims@offsets");
      return {};
    }
    const auto dims = ParseNumbers(item.substr(0, middle));
    const auto offsets = ParseNumbers(item.substr(middle + 1));
    if (!dims || !offsets) {
      fields.Reject(key, "is no region of numbers joined by ','");
      return {};
    }
    regions.push_back({*dims, *offsets});
    at = end + 1;
  }
  return regions;
}

void SetType(Fields* fields, std::string_view key, spec::Type type) {
  fields->Set(key, spec::NameOf(type));
}

spec::Type GetType(const Fields& fields, std::string_view key) {
  const std::string name = fields.Text(key);
  for (spec::Type type : spec::kTypes)
    if (name == spec::NameOf(type)) return type;
  fields.Reject(key, "is none of f16, bf16, f32, s32, s8, u8");
  return spec::Type::kF32;
}

}  // namespace conformance
