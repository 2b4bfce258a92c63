#include "conformance/gen/shapes.h"

#include <algorithm>
#include <numeric>

namespace conformance {
namespace {

constexpr int64_t kExtents[] = {2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65};
constexpr int64_t kOdds[] = {3, 5, 7, 9, 15, 17, 31, 33, 65};
// Beside powers of two that counters, blocks and caches have.
constexpr int64_t kLong[] = {255, 256, 257, 1023, 1024, 1025, 4095, 4097, 65535, 65536};
constexpr int64_t kPrimes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 61, 67, 127, 131};

// How often each rank is drawn; index is the rank.
constexpr int kRankWeights[] = {0, 8, 14, 18, 20, 12, 8, 6, 2, 2, 2, 4, 4};

// One of the ascending `extents` that is at most `limit`; 1 if none is.
template <size_t kCount>
int64_t PickUpTo(Random& random, const int64_t (&extents)[kCount], int64_t limit) {
  const auto end = std::upper_bound(std::begin(extents), std::end(extents), limit);
  const int64_t fitting = end - std::begin(extents);
  return fitting == 0 ? 1 : extents[random.Between(0, fitting - 1)];
}

// Fills the axes of `dims` that are 0, so that the product stays within `budget`.
void Fill(Random& random, int64_t budget, spec::Dims* dims) {
  const bool primes = random.Chance(6);
  for (int axis : AnyPermutation(random, static_cast<int>(dims->size()))) {
    int64_t& extent = (*dims)[axis];
    if (extent != 0) continue;
    if (random.Chance(30)) {
      extent = 1;
    } else if (primes) {
      extent = PickUpTo(random, kPrimes, budget);
    } else {
      // Small extents leave room for the other axes.
      extent =
          PickUpTo(random, kExtents, random.Chance(50) ? std::min<int64_t>(budget, 4) : budget);
    }
    budget /= extent;
  }
}

int64_t Power(int64_t base, size_t exponent) {
  int64_t power = 1;
  for (size_t i = 0; i < exponent; ++i) power *= base;
  return power;
}

// Fills the axes of `dims` that are 0 with extents of at least 2, mostly of at least 3, as far as
// `most` elements allow; a few of the axes are longer as long as there are `budget` elements.
void FillWhole(Random& random, int64_t budget, int64_t most, spec::Dims* dims) {
  const size_t open = std::count(dims->begin(), dims->end(), 0);
  const int64_t low = random.Chance(70) && Power(3, open) <= most ? 3
                      : Power(2, open) <= most                    ? 2
                                                                  : 1;
  const bool odd = low == 3 && random.Chance(40);
  int64_t room = std::max<int64_t>(1, budget / Power(low, open));
  for (int axis : AnyPermutation(random, static_cast<int>(dims->size()))) {
    int64_t& extent = (*dims)[axis];
    if (extent != 0) continue;
    const int64_t longest = low * (random.Chance(60) ? std::min<int64_t>(room, 2) : room);
    extent =
        std::max(low, odd ? PickUpTo(random, kOdds, longest) : PickUpTo(random, kExtents, longest));
    room = std::max<int64_t>(1, room * low / extent);
  }
}

int64_t AnyBudget(Random& random, int64_t max_elements) {
  const int64_t size_class = random.Between(1, 100);
  return std::min<int64_t>(max_elements, size_class <= 82 ? 512 : size_class <= 97 ? 4096 : 65536);
}

}  // namespace

int AnyRank(Random& random, int low, int high) {
  int total = 0;
  for (int rank = low; rank <= high; ++rank) total += kRankWeights[std::min(rank, 12)];
  int64_t ticket = random.Between(1, total);
  for (int rank = low; rank < high; ++rank) {
    ticket -= kRankWeights[std::min(rank, 12)];
    if (ticket <= 0) return rank;
  }
  return high;
}

spec::Dims AnyShape(Random& random, const ShapeLimits& limits) {
  spec::Dims dims(AnyRank(random, limits.min_rank, limits.max_rank), 0);
  const int64_t last = static_cast<int64_t>(dims.size()) - 1;
  const int64_t style = random.Between(1, 100);
  if (style <= 2) {
    std::fill(dims.begin(), dims.end(), 1);
  } else if (style > 85) {
    FillWhole(random, AnyBudget(random, limits.max_elements), limits.max_elements, &dims);
  } else if (style > 82) {
    const int64_t extent = PickUpTo(random, kLong, limits.max_elements);
    dims[random.Between(0, last)] = extent;
    Fill(random, std::min<int64_t>(limits.max_elements / extent, 64), &dims);
  } else if (style <= (limits.large ? 30 : 5)) {
    const int64_t longest = limits.large || random.Chance(25) ? 40000 : 5000;
    const int64_t huge = random.Between(std::min<int64_t>(500, limits.max_elements),
                                        std::min<int64_t>(longest, limits.max_elements));
    dims[random.Between(0, last)] = huge;
    Fill(random, limits.max_elements / huge, &dims);
  } else {
    Fill(random, limits.large ? limits.max_elements : AnyBudget(random, limits.max_elements),
         &dims);
  }
  if (limits.may_be_empty && random.Chance(5)) {
    dims[random.Between(0, last)] = 0;
    if (random.Chance(20)) dims[random.Between(0, last)] = 0;
  }
  return dims;
}

spec::Dims AnyShapeAround(Random& random, int rank, int axis, int64_t extent,
                          int64_t max_elements) {
  spec::Dims dims(rank, 0);
  dims[axis] = extent;
  const int64_t most = std::max<int64_t>(1, max_elements / extent);
  if (rank > 1 && random.Chance(3)) {
    const auto other = static_cast<int>(random.Between(0, rank - 2));
    dims[other < axis ? other : other + 1] = PickUpTo(random, kLong, most);
    Fill(random, 1, &dims);
    return dims;
  }
  const int64_t budget = std::max<int64_t>(1, AnyBudget(random, max_elements) / extent);
  if (random.Chance(15)) {
    FillWhole(random, budget, most, &dims);
  } else {
    Fill(random, budget, &dims);
  }
  return dims;
}

std::vector<int> AnyPermutation(Random& random, int n) {
  std::vector<int> permutation(n);
  std::iota(permutation.begin(), permutation.end(), 0);
  for (int i = n - 1; i > 0; --i) std::swap(permutation[i], permutation[random.Between(0, i)]);
  return permutation;
}

std::vector<int64_t> Divisors(int64_t n) {
  std::vector<int64_t> low, high;
  for (int64_t i = 1; i <= n / i; ++i) {
    if (n % i != 0) continue;
    low.push_back(i);
    if (i != n / i) high.push_back(n / i);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

std::string Join(const spec::Dims& values, char separator) {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += separator;
    text += std::to_string(values[i]);
  }
  return text;
}

std::optional<spec::Dims> Split(std::string_view text, char separator) {
  spec::Dims values;
  size_t at = 0;
  while (true) {
    const size_t end = std::min(text.find(separator, at), text.size());
    const std::string item(text.substr(at, end - at));
    const size_t digits = item[0] == '-' ? 1 : 0;
    // 18 digits fit into 64 bits; the next shorter bound would refuse offsets beyond 2^32.
    if (item.size() == digits || item.size() > 18 + digits ||
        item.find_first_not_of("0123456789", digits) != std::string::npos) {
      return std::nullopt;
    }
    values.push_back(std::stoll(item));
    if (end == text.size()) return values;
    at = end + 1;
  }
}

std::vector<Cut> Cuts(const spec::Dims& dims) {
  std::vector<Cut> cuts;
  for (int axis = 0; axis < static_cast<int>(dims.size()) && dims.size() > 1; ++axis)
    cuts.push_back({axis, Cut::kDrop});
  for (int axis = 0; axis < static_cast<int>(dims.size()); ++axis) {
    const int64_t extent = dims[axis];
    if (extent < 2) continue;
    for (int64_t smaller : {int64_t{1}, extent / 4, extent / 2, extent - 1}) {
      if (smaller < 1 || smaller >= extent) continue;
      if (!cuts.empty() && cuts.back().axis == axis && cuts.back().extent >= smaller) continue;
      cuts.push_back({axis, smaller});
    }
  }
  return cuts;
}

spec::Dims CutDims(const spec::Dims& dims, const Cut& cut) {
  spec::Dims result = CutEntry(dims, cut);
  if (cut.extent != Cut::kDrop) result[cut.axis] = cut.extent;
  return result;
}

spec::Dims CutEntry(const spec::Dims& values, const Cut& cut) {
  spec::Dims result = values;
  if (cut.extent == Cut::kDrop) result.erase(result.begin() + cut.axis);
  return result;
}

}  // namespace conformance
