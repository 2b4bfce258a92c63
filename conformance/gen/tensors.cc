#include "conformance/gen/tensors.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "conformance/case/limits.h"

namespace conformance {
namespace {

struct Traits {
  bool permuted = false;  // a later axis has a larger stride than an earlier one
  bool dense = true;      // as many elements as the extent
  bool zero_stride = false;
};

Traits TraitsOf(const spec::Plain& plain) {
  Traits traits;
  int64_t previous = INT64_MAX;
  for (size_t j = 0; j < plain.dims.size(); ++j) {
    if (plain.dims[j] <= 1) continue;
    traits.permuted |= plain.strides[j] > previous;
    traits.zero_stride |= plain.strides[j] == 0;
    previous = plain.strides[j];
  }
  traits.dense = spec::ExtentOf(plain) - plain.offset == spec::ElementCount(plain.dims);
  return traits;
}

// Whether there are at most `limit` elements; their number may not fit into 64 bits.
bool HasAtMost(int64_t limit, const spec::Dims& dims) {
  int64_t count = 1;
  for (int64_t dim : dims) {
    if (dim == 0) return true;
    count = count > limit / dim ? limit + 1 : count * dim;
  }
  return count <= limit;
}

}  // namespace

spec::Plain PlainOf(const TensorSpec& tensor) { return *Resolve(tensor.layout, tensor.dims); }

spec::StridesVerdict JudgeDescriptor(const TensorSpec& tensor) {
  if (!tensor.layout.tag.empty()) return {spec::Validity::kMustAccept, spec::Validity::kMustAccept};
  const spec::Dims& base =
      tensor.layout.is_region() ? tensor.layout.parents.back().dims : tensor.dims;
  return spec::JudgeStrides(base, tensor.layout.strides);
}

std::string ToString(const TensorSpec& tensor) {
  return std::string(spec::NameOf(tensor.type)) + ":" + Join(tensor.dims, 'x') + ":" +
         ToString(tensor.layout);
}

std::optional<TensorSpec> ParseTensor(std::string_view text) {
  const size_t first = text.find(':');
  const size_t second = first == text.npos ? first : text.find(':', first + 1);
  if (second == text.npos) return std::nullopt;
  const auto type = ParseType(text.substr(0, first));
  const auto dims = Split(text.substr(first + 1, second - first - 1), 'x');
  auto layout = ParseLayout(text.substr(second + 1));
  if (!type || !dims || !layout || dims->size() > 12) return std::nullopt;
  if (std::any_of(dims->begin(), dims->end(), [](int64_t extent) { return extent < 0; }))
    return std::nullopt;
  if (!Resolve(*layout, *dims)) return std::nullopt;
  return TensorSpec{*type, *dims, std::move(*layout)};
}

std::optional<spec::Type> ParseType(std::string_view name) {
  for (spec::Type type : spec::kTypes)
    if (name == spec::NameOf(type)) return type;
  return std::nullopt;
}

void SetTensor(Fields* fields, std::string_view key, const TensorSpec& tensor) {
  fields->Set(key, ToString(tensor));
}

TensorSpec GetTensor(const Fields& fields, std::string_view key) {
  const auto tensor = ParseTensor(fields.Text(key));
  if (!tensor) {
    fields.Reject(key, "is no tensor such as f32:2x3x4:abc or u8:4:s2 or s8:2:sub(5:a@1)");
  } else if (!HasAtMost(kMostElementsOfCase, tensor->dims)) {
    fields.Reject(key, "has more than " + std::to_string(kMostElementsOfCase) + " elements");
  } else {
    return *tensor;
  }
  return {spec::Type::kF32, {1}, Plainest({1})};
}

spec::Type AnyType(Random& random) {
  return random.Chance(30) ? spec::Type::kF32 : random.Pick(spec::kTypes);
}

TensorSpec AnyTensor(Random& random, spec::Type type, const spec::Dims& dims,
                     const LayoutLimits& limits) {
  return {type, dims, AnyLayout(random, dims, limits)};
}

TensorSpec CutTensor(const TensorSpec& tensor, const Cut& cut) {
  return {tensor.type, CutDims(tensor.dims, cut), CutLayout(tensor.layout, tensor.dims, cut)};
}

TensorSpec PermuteTensor(const TensorSpec& tensor, const std::vector<int>& permutation) {
  const auto permute = [&](const spec::Dims& values) {
    spec::Dims result(values.size());
    for (size_t i = 0; i < values.size(); ++i) result[permutation[i]] = values[i];
    return result;
  };
  TensorSpec result{tensor.type, permute(tensor.dims), {}};
  for (const LayoutSpec::Parent& parent : tensor.layout.parents)
    result.layout.parents.push_back({permute(parent.dims), permute(parent.offsets)});
  result.layout.strides = permute(PlainOf(tensor).strides);
  return result;
}

std::vector<int64_t> NumbersBeforePermutation(const spec::Dims& dims,
                                              const std::vector<int>& permutation) {
  TensorSpec row_major{spec::Type::kF32, dims, RowMajor(dims)};
  return OffsetsOf(PlainOf(PermuteTensor(row_major, permutation)));
}

std::vector<int64_t> OffsetsOf(const spec::Plain& layout) {
  std::vector<int64_t> offsets;
  const int64_t count = spec::ElementCount(layout.dims);
  if (count == 0) return offsets;
  offsets.reserve(count);
  const int last = static_cast<int>(layout.dims.size()) - 1;
  spec::Dims x(layout.dims.size(), 0);
  int64_t offset = layout.offset;
  while (true) {
    for (int64_t i = 0; i < layout.dims[last]; ++i)
      offsets.push_back(offset + i * layout.strides[last]);
    int axis = last - 1;
    while (axis >= 0 && x[axis] + 1 == layout.dims[axis]) {
      offset -= x[axis] * layout.strides[axis];
      x[axis--] = 0;
    }
    if (axis < 0) return offsets;
    ++x[axis];
    offset += layout.strides[axis];
  }
}

std::vector<std::string> ClassesOf(const TensorSpec& tensor) {
  std::vector<std::string> classes{"rank " + std::to_string(tensor.dims.size()),
                                   spec::NameOf(tensor.type)};
  const spec::Plain plain = PlainOf(tensor);
  const Traits traits = TraitsOf(plain);
  const bool empty = spec::IsEmpty(tensor.dims);
  if (empty) classes.push_back("empty");
  if (tensor.layout.is_region()) classes.push_back("region");
  if (!tensor.layout.tag.empty()) classes.push_back("tag");
  if (traits.permuted) classes.push_back("permuted");
  if (traits.zero_stride) classes.push_back("zero stride");
  if (!empty && !traits.zero_stride && !traits.dense) classes.push_back("gapped");
  if (tensor.layout.tag.empty() && traits.dense && !tensor.layout.is_region())
    classes.push_back("dense strides");
  if (spec::ElementCount(tensor.dims) >= 4096) classes.push_back("large");
  bool one = false, odd = false, tail = false;
  for (size_t j = 0; j < tensor.dims.size(); ++j) {
    one |= tensor.dims[j] == 1;
    tail |= tensor.dims[j] > 4 && tensor.dims[j] % 4 != 0;
  }
  odd = one && !empty && JudgeDescriptor(tensor).portable == spec::Validity::kEither &&
        !traits.zero_stride;
  if (one) classes.push_back("size-1 dim");
  if (odd) classes.push_back("odd size-1 stride");
  if (tail) classes.push_back("tail");
  return classes;
}

std::vector<std::string> ClassesOfShape(const spec::Dims& dims) {
  std::vector<std::string> classes;
  if (dims.empty()) return classes;
  const auto [shortest, longest] = std::minmax_element(dims.begin(), dims.end());
  for (const int64_t least : {2, 3}) {
    if (*shortest < least || dims.size() < 2) continue;
    classes.push_back("rank " + std::to_string(dims.size()) +
                      " with extents >= " + std::to_string(least));
  }
  if (*longest > 256) classes.push_back("extent over 256");
  if (*longest > 65534) classes.push_back("extent over 65534");
  if (spec::ElementCount(dims) > 1 << 20) classes.push_back("over 2^20 elements");
  return classes;
}

}  // namespace conformance
