#include "spec/memory/oracle.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace spec {
namespace {

bool HasRunTime(const Dims& v) { return std::count(v.begin(), v.end(), kRunTimeDim) != 0; }

bool HasNegative(const Dims& v) {
  return std::any_of(v.begin(), v.end(), [](int64_t d) { return d < 0 && d != kRunTimeDim; });
}

// outer >= inner * dim for outer, inner >= 0 and dim > 0, without the product.
bool Covers(int64_t outer, int64_t inner, int64_t dim) { return outer / dim >= inner; }

// Numbers that stay at their largest value when they reach it.
__extension__ using Wide = unsigned __int128;
Wide Times(Wide a, Wide b) { return a != 0 && b > ~Wide{0} / a ? ~Wide{0} : a * b; }
Wide Plus(Wide a, Wide b) { return b > ~Wide{0} - a ? ~Wide{0} : a + b; }

struct Axis {
  int64_t stride, dim;
};

// S3's inequality for axes without negative strides and with dims above 0, in the sorting order
// that suits it best: strides[i] >= strides[j] * dims[j] for neighbours i, j, which implies it for
// all pairs. Among equal strides only the outermost may have a dim above 1.
bool Nested(std::vector<Axis> axes) {
  std::sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) {
    return std::make_pair(a.stride, a.dim) > std::make_pair(b.stride, b.dim);
  });
  for (size_t k = 0; k + 1 < axes.size(); ++k) {
    if (!Covers(axes[k].stride, axes[k + 1].stride, axes[k + 1].dim)) return false;
  }
  return true;
}

// The dims other than 1, each with its stride.
std::vector<Axis> AxesThatMatter(const Dims& dims, const Dims& strides) {
  std::vector<Axis> axes;
  for (size_t j = 0; j < dims.size(); ++j) {
    if (dims[j] != 1) axes.push_back({strides[j], dims[j]});
  }
  return axes;
}

}  // namespace

int64_t ElementCount(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<int64_t>());
}

bool IsEmpty(const Dims& dims) { return std::count(dims.begin(), dims.end(), 0) != 0; }

int64_t OffsetOf(const Plain& layout, const Dims& x) {
  int64_t offset = layout.offset;
  for (size_t j = 0; j < x.size(); ++j) offset += x[j] * layout.strides[j];
  return offset;
}

int64_t ExtentOf(const Plain& layout) {
  if (IsEmpty(layout.dims)) return 0;
  int64_t extent = layout.offset + 1;
  for (size_t j = 0; j < layout.dims.size(); ++j) {
    extent += (layout.dims[j] - 1) * layout.strides[j];
  }
  return extent;
}

Dims Unravel(int64_t k, const Dims& dims) {
  Dims x(dims.size());
  for (size_t j = dims.size(); j-- > 0;) {
    x[j] = k % dims[j];
    k /= dims[j];
  }
  return x;
}

int64_t Ravel(const Dims& x, const Dims& dims) {
  int64_t k = 0;
  for (size_t j = 0; j < dims.size(); ++j) k = k * dims[j] + x[j];
  return k;
}

bool Next(const Dims& dims, Dims* x) {
  for (size_t j = dims.size(); j-- > 0;) {
    if (++(*x)[j] < dims[j]) return true;
    (*x)[j] = 0;
  }
  return false;
}

StridesVerdict JudgeStrides(const Dims& dims, const Dims& strides) {
  constexpr StridesVerdict kReject = {Validity::kMustReject, Validity::kMustReject};
  constexpr StridesVerdict kEitherRejected = {Validity::kEither, Validity::kMustReject};
  constexpr StridesVerdict kEitherAccepted = {Validity::kEither, Validity::kMustAccept};
  constexpr StridesVerdict kAccept = {Validity::kMustAccept, Validity::kMustAccept};

  if (HasNegative(dims)) return kReject;
  if (strides.empty() && !dims.empty()) return kEitherAccepted;  // MD-011: dense row-major
  if (strides.size() < dims.size()) return kReject;
  if (strides.size() > dims.size()) return kEitherRejected;
  if (HasRunTime(dims) || HasRunTime(strides)) {
    return HasNegative(strides) ? kEitherAccepted : kAccept;  // MD-029 against MD-013
  }
  if (IsEmpty(dims)) return HasNegative(strides) ? kEitherRejected : kEitherAccepted;

  std::vector<Axis> all, above_one_and_moving;
  bool negative_on_one = false, stuck = false;
  for (size_t j = 0; j < dims.size(); ++j) {
    all.push_back({strides[j], dims[j]});
    if (strides[j] < 0) {
      if (dims[j] > 1) return kReject;
      negative_on_one = true;
    } else if (dims[j] > 1) {
      if (strides[j] == 0) stuck = true;
      if (strides[j] > 0) above_one_and_moving.push_back({strides[j], dims[j]});
    }
  }
  if (!Nested(above_one_and_moving)) return kReject;
  if (negative_on_one) return kEitherRejected;
  if (stuck) return kEitherAccepted;
  return Nested(all) ? kAccept : kEitherAccepted;
}

Validity JudgeSize(int element_bytes, const Dims& dims, const Dims& strides) {
  if (IsEmpty(dims)) return Validity::kMustAccept;
  Wide elements = 1, extent = 1, reach = 1;
  for (size_t j = 0; j < dims.size(); ++j) {
    const Wide dim = static_cast<Wide>(dims[j]);
    elements = Times(elements, dim);
    if (strides.empty() || strides[j] <= 0) continue;
    const Wide stride = static_cast<Wide>(strides[j]);
    extent = Plus(extent, Times(dim - 1, stride));
    reach = std::max(reach, Times(dim, stride));
  }
  if (strides.empty()) extent = elements;
  const Wide bytes = static_cast<Wide>(element_bytes);
  if (Times(std::max({elements, extent, reach}), bytes) < Wide{1} << 63)
    return Validity::kMustAccept;
  return std::max(elements, Times(extent, bytes)) >= Wide{1} << 64 ? Validity::kMustReject
                                                                   : Validity::kEither;
}

std::optional<Dims> StridesOfTag(const std::string& word, const Dims& dims) {
  std::string letters = word;
  std::sort(letters.begin(), letters.end());
  if (letters != std::string("abcdefghijkl").substr(0, dims.size())) return std::nullopt;
  Dims strides(dims.size());
  int64_t stride = 1;
  for (size_t k = word.size(); k-- > 0;) {
    const int axis = word[k] - 'a';
    strides[axis] = stride;
    stride *= std::max<int64_t>(1, dims[axis]);
  }
  return strides;
}

std::optional<Plain> Reshape(const Plain& from, const Dims& dims) {
  if (from.dims.empty() || dims.empty()) return std::nullopt;
  for (const Dims* v : {&from.dims, &from.strides, &dims}) {
    if (HasNegative(*v) || HasRunTime(*v)) return std::nullopt;
  }
  const int64_t count = ElementCount(from.dims);
  if (ElementCount(dims) != count) return std::nullopt;
  Plain to = {dims, Dims(dims.size(), 1), from.offset};

  if (count == 0) {
    // the same dims, but for added and removed ones; each keeps its stride.
    const std::vector<Axis> axes = AxesThatMatter(from.dims, from.strides);
    size_t next = 0;
    for (size_t j = 0; j < dims.size(); ++j) {
      if (dims[j] == 1) continue;
      if (next == axes.size() || axes[next].dim != dims[j]) return std::nullopt;
      to.strides[j] = axes[next++].stride;
    }
    return next == axes.size() ? std::optional<Plain>(to) : std::nullopt;
  }

  // One step along axis j of the new dims passes over all later axes in row-major order.
  int64_t step = 1;
  for (size_t j = dims.size(); j-- > 0;) {
    if (dims[j] > 1) to.strides[j] = OffsetOf(from, Unravel(step, from.dims)) - from.offset;
    step *= dims[j];
  }
  Dims x(from.dims.size()), y(dims.size());
  do {
    if (OffsetOf(to, y) != OffsetOf(from, x)) return std::nullopt;
  } while (Next(dims, &y) && Next(from.dims, &x));
  return to;
}

Plain PermuteAxes(const Plain& from, const std::vector<int>& permutation) {
  Plain to = from;
  for (size_t i = 0; i < permutation.size(); ++i) {
    to.dims[permutation[i]] = from.dims[i];
    to.strides[permutation[i]] = from.strides[i];
  }
  return to;
}

Plain Submemory(const Plain& from, const Dims& dims, const Dims& offsets) {
  return {dims, from.strides, OffsetOf(from, offsets)};
}

int64_t SizeInBytes(const Plain& layout, int64_t element_bytes) {
  if (layout.dims.empty()) return 0;
  if (HasRunTime(layout.dims) || HasRunTime(layout.strides)) return kRunTimeDim;
  if (IsEmpty(layout.dims)) return 0;
  if (layout.offset != 0) return element_bytes * ExtentOf(layout);
  int64_t elements = 1;
  for (size_t j = 0; j < layout.dims.size(); ++j) {
    if (layout.dims[j] > 1) elements = std::max(elements, layout.dims[j] * layout.strides[j]);
  }
  return element_bytes * elements;
}

int64_t LeastSizeInBytes(const Plain& layout, int64_t element_bytes) {
  return layout.dims.empty() ? 0 : element_bytes * ExtentOf(layout);
}

bool SameLayout(const Plain& a, const Plain& b) {
  if (a.dims != b.dims || a.offset != b.offset) return false;
  for (size_t j = 0; j < a.dims.size(); ++j) {
    if (a.dims[j] > 1 && a.strides[j] != b.strides[j]) return false;
  }
  return true;
}

}  // namespace spec
