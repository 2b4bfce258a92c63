// PRIM-049: what an implementation keeps of primitives that it made is not mixed up. Two requests
// that differ in one thing, each of which comes again after the other.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/reorder/run.h"
#include "conformance/shuffle/run.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

const std::vector<std::string>& Changes(const ReorderCase&) {
  static const auto* const changes =
      new std::vector<std::string>{"scales",         "beta",
                                   "mask",           "start",
                                   "source-strides", "destination-strides",
                                   "source-type",    "destination-type"};
  return *changes;
}

const std::vector<std::string>& Changes(const ShuffleCase&) {
  static const auto* const changes = new std::vector<std::string>{"group", "axis", "direction"};
  return *changes;
}

// A request, and what is otherwise in the other one.
template <class Case>
struct Near {
  Case one;
  std::string change;

  void Print(Fields* fields) const {
    one.Print(fields);
    fields->Set("change", change);
  }
  static Near Parse(const Fields& fields) {
    Near parsed{Case::Parse(fields), fields.Text("change")};
    const auto& known = Changes(parsed.one);
    if (std::find(known.begin(), known.end(), parsed.change) == known.end())
      fields.Reject("change", "is none that is known");
    return parsed;
  }
  std::vector<Near> Simpler() const {
    std::vector<Near> simpler;
    for (const Case& c : one.Simpler()) simpler.push_back({c, change});
    return simpler;
  }
};

// Of the tensor, or of the outermost tensor that it is a region of.
const spec::Dims& OutermostDims(const TensorSpec& tensor) {
  return tensor.layout.is_region() ? tensor.layout.parents.back().dims : tensor.dims;
}

void StoreColumnMajor(TensorSpec* tensor) {
  const spec::Dims& dims = OutermostDims(*tensor);
  tensor->layout.tag.clear();
  tensor->layout.strides.assign(dims.size(), 1);
  for (size_t j = 1; j < dims.size(); ++j)
    tensor->layout.strides[j] = tensor->layout.strides[j - 1] * std::max<int64_t>(1, dims[j - 1]);
}

spec::Type OtherType(spec::Type type) {
  return type == spec::Type::kS32 ? spec::Type::kF32 : spec::Type::kS32;
}

// nullopt where nothing can be otherwise.
std::optional<ReorderCase> Other(const Near<ReorderCase>& c) {
  ReorderCase other = c.one;
  if (c.change == "scales") {
    if (!other.attributes.scaled()) return std::nullopt;
    ++other.seed;
  } else if (c.change == "beta") {
    if (!other.attributes.sum) return std::nullopt;
    other.attributes.beta += 1;
  } else if (c.change == "mask") {
    if (!other.attributes.scaled() || other.dims().size() < 2 ||
        other.dims()[0] != other.dims()[1] || (other.attributes.mask & 3) == 3)
      return std::nullopt;
    other.attributes.mask ^= 3;
  } else if (c.change == "start") {
    if (!other.src.layout.is_region()) return std::nullopt;
    spec::Dims& offsets = other.src.layout.parents[0].offsets;
    const auto moved =
        std::find_if(offsets.begin(), offsets.end(), [](int64_t o) { return o > 0; });
    if (moved == offsets.end()) return std::nullopt;
    --*moved;
  } else if (c.change == "source-strides") {
    StoreColumnMajor(&other.src);
  } else if (c.change == "destination-strides") {
    StoreColumnMajor(&other.dst);
  } else if (c.change == "source-type") {
    other.src.type = OtherType(other.src.type);
  } else {
    other.dst.type = OtherType(other.dst.type);
  }
  return other;
}

std::optional<ShuffleCase> Other(const Near<ShuffleCase>& c) {
  ShuffleCase other = c.one;
  if (c.change == "group") {
    if (other.size() < 2) return std::nullopt;
    other.group = other.size() / other.group;
    if (other.group == c.one.group) other.group = 1;
  } else if (c.change == "axis") {
    const spec::Dims& dims = other.data.dims;
    for (int j = 0; j < other.data.rank(); ++j)
      if (j != other.axis && dims[j] == dims[other.axis]) {
        other.axis = j;
        return other;
      }
    return std::nullopt;
  } else {
    other.forward = !other.forward;
  }
  return other;
}

bool IsRight(const ReorderCase& c, Trial& trial) {
  ValuesAreRight(c, trial);
  return trial.result() == CaseResult::kHeld;
}

bool IsRight(const ShuffleCase& c, Trial& trial) {
  const auto done = RunShuffle(c, trial);
  if (!done) return false;
  const std::vector<spec::Bits> expected = ExpectedShuffle(c, done->source);
  for (size_t k = 0; k < expected.size(); ++k)
    if (!trial.Expect(done->result[k] == expected[k], "dst[" + std::to_string(k) + "]",
                      std::to_string(expected[k]), std::to_string(done->result[k])))
      return false;
  return true;
}

template <class Case>
void AreNotMixedUp(const Near<Case>& c, Trial& trial) {
  const std::optional<Case> other = Other(c);
  if (!other) return trial.Vacuous();
  trial.Cover(c.change);
  for (const Case* each : {&c.one, &*other, &c.one, &*other})
    if (!IsRight(*each, trial)) return;
}

// A row-major tensor, or the inside of one.
TensorSpec DrawTensor(Random& random, spec::Type type, const spec::Dims& dims, bool region) {
  TensorSpec tensor;
  tensor.type = type;
  tensor.dims = dims;
  if (region) {
    LayoutSpec::Parent parent;
    for (int64_t dim : dims) {
      parent.offsets.push_back(random.Between(0, 2));
      parent.dims.push_back(dim + 2);
    }
    parent.offsets[0] = std::max<int64_t>(1, parent.offsets[0]);
    tensor.layout.parents.push_back(std::move(parent));
  }
  tensor.layout.strides = RowMajorStrides(OutermostDims(tensor));
  return tensor;
}

Cases<Near<ReorderCase>> NearReorders() {
  return {0, [](int64_t index, Random& random) {
            Near<ReorderCase> c;
            const auto& changes = Changes(c.one);
            c.change = changes[static_cast<size_t>(index) % changes.size()];
            spec::Dims dims(static_cast<size_t>(random.Between(2, 3)), random.Between(2, 6));
            c.one.src = DrawTensor(random, spec::Type::kF32, dims, c.change == "start");
            c.one.dst = DrawTensor(random, spec::Type::kF32, dims, random.Chance(50));
            if (c.change == "beta" || random.Chance(30)) {
              c.one.attributes.sum = true;
              c.one.attributes.beta = random.Pick({0.5f, 1.f, 2.f});
            }
            if (c.change == "scales" || c.change == "mask" || random.Chance(30)) {
              c.one.attributes.scales = ScaleKind::kPowersOfTwo;
              c.one.attributes.mask = c.change == "mask" ? static_cast<int>(random.Between(1, 2))
                                                         : random.Pick({0, 1, 2, 3});
            }
            c.one.values = ValueKind::kIndex;
            c.one.seed = static_cast<uint64_t>(random.Between(0, 9999));
            return c;
          }};
}

Cases<Near<ShuffleCase>> NearShuffles() {
  return {0, [](int64_t index, Random& random) {
            Near<ShuffleCase> c;
            const auto& changes = Changes(c.one);
            c.change = changes[static_cast<size_t>(index) % changes.size()];
            const int64_t group = random.Between(2, 4), size = group * random.Between(2, 4);
            const spec::Dims dims(static_cast<size_t>(random.Between(2, 3)), size);
            c.one.data = DrawTensor(random, spec::Type::kF32, dims, random.Chance(50));
            c.one.axis = static_cast<int>(random.Between(0, c.one.data.rank() - 1));
            c.one.group = group;
            c.one.forward = random.Chance(50);
            c.one.values = ValueKind::kIndex;
            c.one.seed = static_cast<uint64_t>(random.Between(0, 9999));
            return c;
          }};
}

const bool defined[] = {
    Define(spec::PRIM_049, "reorder", NearReorders(), AreNotMixedUp<ReorderCase>,
           {"scales", "beta", "mask", "start", "source-strides", "destination-strides",
            "source-type", "destination-type"}),
    Define(spec::PRIM_049, "shuffle", NearShuffles(), AreNotMixedUp<ShuffleCase>,
           {"group", "axis", "direction"}),
};

}  // namespace
}  // namespace conformance
