#include "conformance/memory/tensor_cases.h"

#include <algorithm>
#include <numeric>

#include "conformance/gen/layouts.h"
#include "conformance/gen/shapes.h"

namespace conformance {
namespace {

uint64_t AnySeed(Random& random) { return static_cast<uint64_t>(random.Between(0, 9999)); }

void SetPlacement(Fields* fields, const Placement& at) {
  if (ToString(at) != "mid") fields->Set("at", ToString(at));
}

Placement GetPlacement(const Fields& fields) {
  if (!fields.Has("at")) return {};
  if (const auto at = ParsePlacement(fields.Text("at"))) return *at;
  fields.Reject("at", "is no placement such as mid+3, start, end");
  return {};
}

std::vector<TensorSpec> SimplerTensors(const TensorSpec& tensor) {
  std::vector<TensorSpec> tensors;
  for (const LayoutSpec& layout : PlainerLayouts(tensor.layout, tensor.dims))
    tensors.push_back({tensor.type, tensor.dims, layout});
  for (const Cut& cut : Cuts(tensor.dims)) tensors.push_back(CutTensor(tensor, cut));
  if (tensor.type != spec::Type::kF32)
    tensors.push_back({spec::Type::kF32, tensor.dims, tensor.layout});
  return tensors;
}

}  // namespace

TensorSpec SpecOf(const DescriptorCase& view) {
  TensorSpec tensor{view.type, view.FinalDims(), {}};
  tensor.layout.strides = view.strides;
  const spec::Dims* parent = &view.dims;
  for (const Region& region : view.regions) {
    tensor.layout.parents.insert(tensor.layout.parents.begin(), {*parent, region.offsets});
    parent = &region.dims;
  }
  return tensor;
}

void TensorCase::Print(Fields* fields) const {
  SetTensor(fields, "tensor", tensor);
  SetPlacement(fields, at);
  fields->SetInt("seed", static_cast<int64_t>(seed));
}

TensorCase TensorCase::Parse(const Fields& fields) {
  return {GetTensor(fields, "tensor"), GetPlacement(fields),
          static_cast<uint64_t>(fields.Int("seed"))};
}

std::vector<TensorCase> TensorCase::Simpler() const {
  std::vector<TensorCase> cases;
  if (ToString(at) != "mid") cases.push_back({tensor, {}, seed});
  for (const TensorSpec& simpler : SimplerTensors(tensor)) cases.push_back({simpler, at, seed});
  if (seed != 0) cases.push_back({tensor, at, 0});
  return cases;
}

std::vector<spec::Bits> TensorCase::Values(uint64_t salt) const {
  return conformance::Values(ValueKind::kIndex, tensor.type, tensor.type, seed + salt,
                             spec::ElementCount(tensor.dims));
}

Cases<TensorCase> Tensors(DescriptorOptions options) {
  options.max_elements = 4096;
  options.max_extent = int64_t{1} << 20;
  return {0, [options](int64_t index, Random& random) {
            const DescriptorCase view = DrawDescriptor(index, random, options);
            return TensorCase{SpecOf(view), AnyPlacement(random), AnySeed(random)};
          }};
}

Cases<TensorCase> TensorsOfTag(const spec::Tag& tag, int64_t count) {
  return {count, [tag](int64_t index, Random& random) {
            ShapeLimits limits;
            limits.min_rank = limits.max_rank = static_cast<int>(std::string_view(tag.word).size());
            limits.large = index % 50 == 49;
            limits.max_elements = limits.large ? 20000 : 4096;
            limits.may_be_empty = false;
            TensorCase c;
            c.tensor.type = random.Pick(spec::kTypes);
            c.tensor.dims = AnyShape(random, limits);
            c.tensor.layout.tag = tag.name;
            c.at = AnyPlacement(random);
            c.seed = AnySeed(random);
            return c;
          }};
}

Cases<TensorCase> BroadTensors() {
  return {100, [](int64_t index, Random& random) {
            DescriptorCase view;
            view.type = random.Pick(spec::kTypes);
            // One axis of the 16 bytes of a vector or a little more, and two that together have
            // more than 1024 indices, the last of them shorter than a line.
            const int64_t unit = random.Between(16, 20) / spec::BytesOf(view.type);
            const int64_t few = random.Between(2, 15);
            const spec::Dims dims{unit, 1100 / few + random.Between(1, 9), few};
            view.dims = dims;
            if (index % 2 == 0) {
              const std::vector<int> order = AnyPermutation(random, 3);
              for (size_t j = 0; j < 3; ++j) view.dims[j] = dims[order[j]];
            }
            view.strides = DrawStrides(random, view.dims, /*gaps=*/random.Chance(50));
            return TensorCase{SpecOf(view), {}, AnySeed(random)};
          }};
}

namespace {

// With steps of 2^31 elements or more along axis `far`.
DescriptorCase DrawFar(Random& random, size_t* far) {
  DescriptorCase view;
  view.type = random.Pick(spec::kTypes);
  const auto rank = static_cast<size_t>(random.Between(2, 4));
  for (size_t j = 0; j < rank; ++j) view.dims.push_back(random.Between(2, 4));
  view.strides = DrawStrides(random, view.dims, /*gaps=*/random.Chance(50));
  *far = static_cast<size_t>(random.Between(0, static_cast<int64_t>(rank) - 1));
  constexpr int64_t kWord = int64_t{1} << 32;
  view.strides[*far] = random.Pick({kWord / 2 + 5, kWord, kWord + 7});
  return view;
}

}  // namespace

Cases<TensorCase> FarTensors() {
  return {40, [](int64_t, Random& random) {
            size_t far = 0;
            const DescriptorCase view = DrawFar(random, &far);
            return TensorCase{SpecOf(view), {}, AnySeed(random)};
          }};
}

Cases<TensorCase> FarRegions() {
  return {60, [](int64_t, Random& random) {
            size_t far = 0;
            DescriptorCase view = DrawFar(random, &far);
            Region region = DrawRegion(random, view.dims, /*empty=*/false);
            region.dims[far] = 1;
            region.offsets[far] = random.Between(1, view.dims[far] - 1);
            view.regions = {region};
            return TensorCase{SpecOf(view), {}, AnySeed(random)};
          }};
}

Cases<TensorCase> PitchedMatrices() {
  return {
      0, [](int64_t index, Random& random) {
        int64_t rows = random.Between(1, 40), columns = random.Between(1, 40);
        if (index % 8 == 5) (random.Chance(50) ? rows : columns) = random.Between(41, 400);
        const int64_t inner = index % 3 == 2 ? random.Between(2, 4) : 1;
        const bool row_major = index % 2 == 0;
        const int64_t pitch = inner * (row_major ? columns : rows) + random.Between(0, 9);
        TensorCase c;
        c.tensor.type = random.Pick(spec::kTypes);
        c.tensor.dims = {rows, columns};
        c.tensor.layout.strides = row_major ? spec::Dims{pitch, inner} : spec::Dims{inner, pitch};
        c.at = AnyPlacement(random);
        c.seed = AnySeed(random);
        return c;
      }};
}

void PartsCase::Print(Fields* fields) const {
  SetTensor(fields, "parent", parent);
  fields->SetInt("axis", axis);
  fields->SetInts("parts", parts);
  if (from) fields->Set("from", spec::NameOf(*from));
  fields->SetInt("seed", static_cast<int64_t>(seed));
}

PartsCase PartsCase::Parse(const Fields& fields) {
  PartsCase c;
  c.parent = GetTensor(fields, "parent");
  const int64_t axis = fields.Int("axis");
  c.parts = fields.Ints("parts");
  if (fields.Has("from")) c.from = GetType(fields, "from");
  c.seed = static_cast<uint64_t>(fields.Int("seed"));
  if (axis < 0 || axis >= c.parent.rank()) {
    fields.Reject("axis", "is no axis of the parent");
    return c;
  }
  c.axis = static_cast<int>(axis);
  const bool none =
      std::any_of(c.parts.begin(), c.parts.end(), [](int64_t part) { return part < 1; });
  const int64_t sum = std::accumulate(c.parts.begin(), c.parts.end(), int64_t{0});
  if (none || sum != c.parent.dims[c.axis]) fields.Reject("parts", "do not add up to the axis");
  return c;
}

std::vector<PartsCase> PartsCase::Simpler() const {
  std::vector<PartsCase> cases;
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    cases.push_back(*this);
    cases.back().parts[i] += cases.back().parts[i + 1];
    cases.back().parts.erase(cases.back().parts.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] < 2) continue;
    PartsCase smaller = *this;
    smaller.parts[i] = parts[i] / 2;
    const int64_t extent = parent.dims[axis] - parts[i] + smaller.parts[i];
    smaller.parent = CutTensor(parent, {axis, extent});
    cases.push_back(smaller);
  }
  for (const LayoutSpec& layout : PlainerLayouts(parent.layout, parent.dims)) {
    cases.push_back(*this);
    cases.back().parent.layout = layout;
  }
  for (const Cut& cut : Cuts(parent.dims)) {
    if (cut.axis == axis) continue;
    cases.push_back(*this);
    cases.back().parent = CutTensor(parent, cut);
    if (cut.extent == Cut::kDrop && cut.axis < axis) --cases.back().axis;
  }
  if (parent.type != spec::Type::kF32) {
    cases.push_back(*this);
    cases.back().parent.type = spec::Type::kF32;
  }
  if (from) {
    cases.push_back(*this);
    cases.back().from.reset();
  }
  if (seed != 0) {
    cases.push_back(*this);
    cases.back().seed = 0;
  }
  return cases;
}

Cases<PartsCase> Parts() {
  return {0, [](int64_t index, Random& random) {
            DescriptorOptions options;
            options.max_elements = 2048;
            options.max_extent = int64_t{1} << 20;
            options.regions = index % 3 == 0 ? 1 : 0;
            PartsCase c;
            c.parent = SpecOf(DrawDescriptor(index, random, options));
            c.axis = static_cast<int>(random.Between(0, c.parent.rank() - 1));
            c.seed = AnySeed(random);
            for (int64_t left = c.parent.dims[c.axis]; left > 0; left -= c.parts.back()) {
              const bool rest = c.parts.size() == 4;
              c.parts.push_back(rest ? left : random.Between(1, left));
            }
            return c;
          }};
}

Cases<PartsCase> ConvertedParts() {
  return {0,
          [](int64_t index, Random& random) {
            PartsCase c = Parts().at(index, random);
            while (!c.from || *c.from == c.parent.type) c.from = random.Pick(spec::kTypes);
            return c;
          },
          [](const PartsCase& c) { return c.from.has_value(); }};
}

}  // namespace conformance
