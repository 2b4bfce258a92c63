#include "conformance/gen/sample_case.h"

#include <algorithm>
#include <cmath>

#include "conformance/gen/computed_data.h"
#include "conformance/gen/layouts.h"
#include "conformance/gen/values.h"

namespace conformance {
namespace {

constexpr SampleSize kSizes[] = {SampleSize::kSmall, SampleSize::kMedium, SampleSize::kLarge};

}  // namespace

const char* NameOf(SampleSize size) {
  constexpr const char* kNames[] = {"small", "medium", "large"};
  return kNames[static_cast<int>(size)];
}

void SampleCase::Print(Fields* fields) const {
  fields->Set("kind", kind);
  fields->SetInt("seed", static_cast<int64_t>(seed));
  if (type != spec::Type::kF32) fields->Set("type", spec::NameOf(type));
  if (rank != 3) fields->SetInt("rank", rank);
  if (size != SampleSize::kSmall) fields->Set("size", NameOf(size));
}

SampleCase SampleCase::Parse(const Fields& fields) {
  SampleCase c{fields.Text("kind"), static_cast<uint64_t>(fields.Int("seed"))};
  if (fields.Has("type")) {
    const auto type = ParseType(fields.Text("type"));
    if (!type) fields.Reject("type", "is no data type");
    c.type = type.value_or(c.type);
  }
  if (fields.Has("rank")) {
    const int64_t rank = fields.Int("rank");
    const bool right = rank >= 1 && rank <= kMostSampleRank;
    if (!right) fields.Reject("rank", "is not from 1 to 6");
    if (right) c.rank = static_cast<int>(rank);
  }
  if (fields.Has("size")) {
    const std::string name = fields.Text("size");
    const auto* const named =
        std::find_if(std::begin(kSizes), std::end(kSizes),
                     [&name](SampleSize size) { return name == NameOf(size); });
    if (named == std::end(kSizes)) {
      fields.Reject("size", "is none of small, medium, large");
    } else {
      c.size = *named;
    }
  }
  return c;
}

std::vector<SampleCase> SampleCase::Simpler() const {
  std::vector<SampleCase> cases;
  const auto offer = [&](auto change) {
    cases.push_back(*this);
    change(&cases.back());
  };
  if (kind != "reorder") offer([](SampleCase* c) { c->kind = "reorder"; });
  if (size == SampleSize::kLarge) offer([](SampleCase* c) { c->size = SampleSize::kMedium; });
  if (size != SampleSize::kSmall) offer([](SampleCase* c) { c->size = SampleSize::kSmall; });
  if (type != spec::Type::kF32) offer([](SampleCase* c) { c->type = spec::Type::kF32; });
  if (rank != 3) offer([](SampleCase* c) { c->rank = 3; });
  // Small seeds draw nothing simpler, but are easier to read.
  for (uint64_t smaller = 0; smaller < std::min<uint64_t>(seed, 20); ++smaller)
    offer([smaller](SampleCase* c) { c->seed = smaller; });
  return cases;
}

spec::Dims DrawSampleDims(const SampleCase& c, int rank, Random& random) {
  spec::Dims dims(static_cast<size_t>(rank));
  const size_t even = rank > 1 ? 1 : 0;
  if (c.size == SampleSize::kSmall) {
    for (size_t axis = 0; axis < dims.size(); ++axis)
      dims[axis] = axis == even ? 2 * random.Between(1, 6)
                   : axis < 3   ? random.Between(1, axis == 0 ? 4 : 5)
                                : random.Between(1, 3);
    return dims;
  }
  // About equal, and together no fewer than this.
  const double least = c.size == SampleSize::kMedium ? 2048 : 65536 + 2;
  const auto extent = static_cast<int64_t>(std::ceil(std::pow(least, 1.0 / rank)));
  for (int64_t& dim : dims) dim = random.Between(extent, extent + extent / 4);
  dims[even] += dims[even] % 2;
  return dims;
}

TensorSpec DrawSampleTensor(const SampleCase& c, Random& random) {
  TensorSpec tensor;
  tensor.type = c.type;
  tensor.dims = DrawSampleDims(c, c.rank, random);
  LayoutLimits limits;
  limits.tags = limits.regions = limits.odd_unit_strides = false;
  limits.gaps = random.Chance(50);
  tensor.layout = AnyLayout(random, tensor.dims, limits);
  return tensor;
}

TensorSpec DrawUsualTensor(spec::Type type, const spec::Dims& dims, Random& random) {
  const int rank = static_cast<int>(dims.size());
  if (rank < 3 || random.Chance(50)) return {type, dims, RowMajor(dims)};
  std::vector<int> order = {0};
  for (int axis = 2; axis < rank; ++axis) order.push_back(axis);
  order.push_back(1);
  return {type, dims, DenseInOrder(dims, order)};
}

std::vector<spec::Bits> DifferentElements(const TensorSpec& tensor, spec::Type target,
                                          uint64_t seed) {
  return Values(ValueKind::kIndex, tensor.type, target, seed, spec::ElementCount(tensor.dims));
}

std::vector<spec::Bits> SmallElements(const TensorSpec& tensor, int64_t bound, uint64_t seed) {
  Random random(Mix(seed));
  std::vector<spec::Bits> elements(static_cast<size_t>(spec::ElementCount(tensor.dims)));
  for (spec::Bits& bits : elements)
    bits = BitsOfInteger(tensor.type,
                         random.Between(tensor.type == spec::Type::kU8 ? 0 : -bound, bound));
  return elements;
}

}  // namespace conformance
