#include "conformance/memory/reshape_cases.h"

#include <algorithm>
#include <climits>
#include <functional>
#include <utility>

#include "conformance/gen/shapes.h"

namespace conformance {
namespace {

// How many ones stand before each dim other than 1, and after the last.
std::vector<int64_t> OnesByPlace(const spec::Dims& dims) {
  std::vector<int64_t> ones(1, 0);
  for (int64_t dim : dims) {
    if (dim == 1)
      ++ones.back();
    else
      ones.push_back(0);
  }
  return ones;
}

spec::Dims WithoutOnes(const spec::Dims& dims) {
  spec::Dims rest;
  std::copy_if(dims.begin(), dims.end(), std::back_inserter(rest),
               [](int64_t dim) { return dim != 1; });
  return rest;
}

DescriptorOptions ParentOptions() {
  DescriptorOptions options;
  options.loose_ones = options.far_ones = true;
  options.regions = 1;
  options.max_elements = 4096;  // the oracle visits each
  return options;
}

// Rows in order, padded at some levels only, so that some neighbours can be joined.
spec::Dims PartlyPadded(Random& random, const spec::Dims& dims) {
  spec::Dims strides(dims.size());
  int64_t step = random.Chance(30) ? random.Between(1, 4) : 1;
  for (size_t j = dims.size(); j-- > 0;) {
    strides[j] = step;
    step *= dims[j];
    if (random.Chance(30)) step += random.Between(1, 5);
  }
  return strides;
}

DescriptorCase DrawParent(int64_t index, Random& random) {
  DescriptorCase view = DrawDescriptor(index, random, ParentOptions());
  if (index % 3 == 1) view.strides = PartlyPadded(random, view.dims);
  return view;
}

void SplitOne(Random& random, spec::Dims* dims) {
  const auto j = random.Between(0, static_cast<int64_t>(dims->size()) - 1);
  const int64_t factor = random.Pick(Divisors((*dims)[j]));
  (*dims)[j] /= factor;
  dims->insert(dims->begin() + j, factor);
}

void JoinTwo(Random& random, spec::Dims* dims) {
  if (dims->size() < 2) return;
  const auto j = random.Between(0, static_cast<int64_t>(dims->size()) - 2);
  (*dims)[j] *= (*dims)[j + 1];
  dims->erase(dims->begin() + j + 1);
}

void AddOne(Random& random, spec::Dims* dims) {
  dims->insert(dims->begin() + random.Between(0, static_cast<int64_t>(dims->size())), 1);
}

// Leaves at least one dim.
void RemoveOne(Random& random, spec::Dims* dims) {
  const auto ones = std::count(dims->begin(), dims->end(), 1);
  if (ones == 0 || dims->size() == 1) return;
  int64_t skip = random.Between(0, ones - 1);
  for (auto dim = dims->begin(); dim != dims->end(); ++dim) {
    if (*dim != 1 || skip-- > 0) continue;
    dims->erase(dim);
    return;
  }
}

constexpr size_t kMaxRank = 12;

// Some steps of the basic operations, done to the dims alone.
spec::Dims Refactored(Random& random, spec::Dims dims) {
  for (int64_t steps = random.Between(1, 6); steps-- > 0;) {
    const int64_t step = random.Between(0, 3);
    if (step == 0 && dims.size() < kMaxRank) SplitOne(random, &dims);
    if (step == 1) JoinTwo(random, &dims);
    if (step == 2 && dims.size() < kMaxRank) AddOne(random, &dims);
    if (step == 3) RemoveOne(random, &dims);
  }
  return dims;
}

using Target = std::function<spec::Dims(int64_t index, Random& random, DescriptorCase* from)>;

Cases<ReshapeCase> Reshapes(Target target) {
  return {0, [target = std::move(target)](int64_t index, Random& random) {
            ReshapeCase c{DrawParent(index, random), {}};
            c.to = {target(index, random, &c.from)};
            return c;
          }};
}

}  // namespace

std::optional<int64_t> ProductOrOverflow(const spec::Dims& dims) {
  if (spec::IsEmpty(dims)) return 0;
  int64_t product = 1;
  for (int64_t dim : dims) {
    if (product > INT64_MAX / dim) return std::nullopt;
    product *= dim;
  }
  return product;
}

bool OnesAdded(const spec::Dims& from, const spec::Dims& to) {
  if (to.size() <= from.size() || WithoutOnes(from) != WithoutOnes(to)) return false;
  const std::vector<int64_t> before = OnesByPlace(from), after = OnesByPlace(to);
  for (size_t k = 0; k < before.size(); ++k)
    if (after[k] < before[k]) return false;
  return true;
}

bool IsRefinement(const spec::Dims& from, const spec::Dims& to) {
  size_t k = 0;
  for (int64_t dim : from) {
    if (k == to.size()) return false;
    int64_t product = to[k++];
    while (product < dim && k < to.size()) product *= to[k++];
    if (product != dim) return false;
  }
  return k == to.size();
}

std::optional<std::vector<AxisRange>> JoinedGroups(const spec::Dims& from, const spec::Dims& to) {
  std::vector<AxisRange> groups;
  size_t k = 0;
  for (int64_t dim : to) {
    if (k == from.size()) return std::nullopt;
    AxisRange group{k, k + 1};
    int64_t product = from[k++];
    while (product < dim && k < from.size()) product *= from[k++];
    if (product != dim) return std::nullopt;
    group.end = k;
    groups.push_back(group);
  }
  // Ones at the end join the last dim.
  for (; k < from.size(); ++k) {
    if (from[k] != 1) return std::nullopt;
    groups.back().end = k + 1;
  }
  return groups;
}

bool JoinsAcrossOnes(const spec::Dims& from, const spec::Dims& to) {
  // The borders that `to` leaves: products of its leading dims.
  std::vector<int64_t> borders;
  int64_t product = 1;
  for (int64_t dim : to) borders.push_back(product *= dim);
  product = 1;
  bool one_behind = false;  // a 1 since the last dim larger than 1
  for (size_t j = 0; j < from.size(); ++j) {
    if (from[j] == 1) {
      one_behind = true;
      continue;
    }
    const bool at_border = std::count(borders.begin(), borders.end(), product) > 0;
    if (one_behind && product > 1 && !at_border) return true;
    one_behind = false;
    product *= from[j];
  }
  return false;
}

Cases<DescriptorCase> ReshapeParents() { return {0, DrawParent}; }

Cases<ReshapeCase> AnyReshape() {
  return Reshapes([](int64_t, Random& random, DescriptorCase* from) {
    return Refactored(random, from->FinalDims());
  });
}

Cases<ReshapeCase> OtherProduct() {
  return Reshapes([](int64_t index, Random& random, DescriptorCase* from) {
    spec::Dims to = from->FinalDims();
    const auto j = random.Between(0, static_cast<int64_t>(to.size()) - 1);
    switch (index % 5) {
      case 0:
        ++to[j];
        break;
      case 1:
        to[j] = to[j] > 1 ? to[j] - 1 : 2;
        break;
      case 2:
        to[j] = 0;
        break;
      case 3:
        to[j] *= random.Between(2, 3);
        break;
      default: {
        // 4 * (n / 4 + 2^62) is n, to whoever multiplies in 64 bits.
        const int64_t n = spec::ElementCount(to);
        to = n % 4 == 0 ? spec::Dims{4, n / 4 + (int64_t{1} << 62)}
                        : spec::Dims{n, int64_t{1} << 32, int64_t{1} << 32};
      }
    }
    return to;
  });
}

Cases<ReshapeCase> AddingOnes() {
  return Reshapes([](int64_t, Random& random, DescriptorCase* from) {
    spec::Dims to = from->FinalDims();
    do AddOne(random, &to);
    while (to.size() < kMaxRank && random.Chance(30));
    return to;
  });
}

Cases<ReshapeCase> RemovingOnes() {
  return Reshapes([](int64_t, Random& random, DescriptorCase* from) {
    if (from->dims.size() > 1)
      from->dims[random.Between(0, static_cast<int64_t>(from->dims.size()) - 1)] = 1;
    from->regions.clear();
    spec::Dims to = from->dims;
    do RemoveOne(random, &to);
    while (random.Chance(30));
    return to;
  });
}

Cases<ReshapeCase> Splitting() {
  return Reshapes([](int64_t, Random& random, DescriptorCase* from) {
    spec::Dims to = from->FinalDims();
    do SplitOne(random, &to);
    while (to.size() < kMaxRank && random.Chance(30));
    return to;
  });
}

Cases<ReshapeCase> Joining() {
  return Reshapes([](int64_t, Random& random, DescriptorCase* from) {
    spec::Dims to = from->FinalDims();
    do JoinTwo(random, &to);
    while (to.size() > 1 && random.Chance(30));
    return to;
  });
}

Cases<ReshapeCase> Mixing() {
  return Reshapes([](int64_t index, Random& random, DescriptorCase* from) {
    // Two neighbours of at least 2, and strides that seldom let them join.
    if (from->dims.size() < 2) from->dims.push_back(1), from->strides.push_back(1);
    const auto j = random.Between(0, static_cast<int64_t>(from->dims.size()) - 2);
    from->dims[j] = random.Between(2, 6);
    from->dims[j + 1] = random.Between(2, 6);
    from->strides = DrawStrides(random, from->dims, /*gaps=*/index % 2 == 0);
    from->regions.clear();
    spec::Dims to = from->dims;
    to[j] *= to[j + 1];
    to.erase(to.begin() + j + 1);
    if (random.Chance(30)) SplitOne(random, &to);
    return to;
  });
}

Cases<ReshapeCase> JoiningAcrossOnes() {
  return {0, [](int64_t, Random& random) {
            // Dense around a dim of 1 that may have any stride.
            DescriptorCase view;
            view.type = random.Pick(spec::kTypes);
            view.dims = {random.Between(2, 9), random.Between(2, 9)};
            view.strides = {view.dims[1], 1};
            for (int64_t ones = random.Between(1, 2); ones-- > 0;) {
              view.dims.insert(view.dims.begin() + 1, 1);
              view.strides.insert(view.strides.begin() + 1, random.Between(0, 99));
            }
            return ReshapeCase{view, {{spec::ElementCount(view.dims)}}};
          }};
}

Cases<ReshapeCase> JoiningSeveral() {
  return {0, [](int64_t index, Random& random) {
            DescriptorCase view;
            view.type = random.Pick(spec::kTypes);
            for (int64_t axes = random.Between(3, 5); axes-- > 0;)
              view.dims.push_back(random.Between(2, 4));
            view.strides = RowMajorStrides(view.dims);
            const auto last = static_cast<int64_t>(view.dims.size()) - 1;
            // From this axis outwards the rows are padded.
            const int64_t torn = index % 4 == 0 ? -1 : random.Between(0, last - 1);
            for (int64_t j = torn; j >= 0; --j)
              view.strides[j] = view.strides[j + 1] * view.dims[j + 1] + (j == torn ? 1 : 0);
            spec::Dims to{spec::ElementCount(view.dims)};
            if (random.Chance(30)) SplitOne(random, &to);
            return ReshapeCase{view, {to}};
          }};
}

Cases<ReshapeCase> ReshapingBroadcasts() {
  return {0, [](int64_t, Random& random) {
            DescriptorCase view;
            view.type = random.Pick(spec::kTypes);
            for (int64_t axes = random.Between(1, 5); axes-- > 0;)
              view.dims.push_back(random.Between(1, 6));
            view.strides = RowMajorStrides(view.dims);
            // Neighbours that both repeat can be joined: the smaller half, the larger or one axis.
            const auto last = static_cast<int64_t>(view.dims.size()) - 1;
            const int64_t first = random.Between(0, last), end = random.Between(first, last);
            for (int64_t j = first; j <= end; ++j) view.strides[j] = 0;
            return ReshapeCase{view, {Refactored(random, view.dims)}};
          }};
}

Cases<ReshapeCase> Chains() {
  return {0, [](int64_t index, Random& random) {
            ReshapeCase c{DrawParent(index, random), {}};
            for (int64_t steps = random.Between(1, 3); steps-- > 0;)
              c.to.push_back(Refactored(random, c.to.empty() ? c.from.FinalDims() : c.to.back()));
            return c;
          }};
}

Cases<ReshapeCase> EmptyReshapes() {
  return Reshapes([](int64_t index, Random& random, DescriptorCase* from) {
    from->regions.clear();
    const auto last = static_cast<int64_t>(from->dims.size()) - 1;
    from->dims[random.Between(0, last)] = 0;
    spec::Dims to = from->dims;
    if (index % 4 == 1 && to.size() < kMaxRank) AddOne(random, &to);
    if (index % 4 == 2) RemoveOne(random, &to);
    if (index % 4 == 3) {
      for (int64_t& dim : to)
        if (dim != 0) dim = random.Between(1, 9);
      std::rotate(to.begin(), to.begin() + random.Between(0, last), to.end());
    }
    return to;
  });
}

Cases<ReshapeCase> EmptyToElements() {
  return {0, [](int64_t index, Random& random) {
            ReshapeCase c = EmptyReshapes().at(4 * index, random);
            for (int64_t& dim : c.to[0])
              if (dim == 0) dim = random.Between(1, 3);
            if (index % 3 == 1) c.to[0].assign(c.to[0].size(), 1);
            return c;
          }};
}

Cases<ReshapeCase> LongReshapes(LongStep step) {
  return {0, [step](int64_t index, Random& random) {
            DescriptorCase view;
            view.type = random.Pick(spec::kTypes);
            view.dims = LongDims(random, static_cast<int>(random.Between(2, 5)));
            const auto longest = std::max_element(view.dims.begin(), view.dims.end());
            *longest &= ~int64_t{1};
            const auto axis = longest - view.dims.begin();
            view.strides =
                index % 3 == 0 ? PartlyPadded(random, view.dims) : RowMajorStrides(view.dims);
            spec::Dims to = view.dims;
            switch (step) {
              case LongStep::kAdd:
                AddOne(random, &to);
                break;
              case LongStep::kRemove:
                RemoveOne(random, &to);
                break;
              case LongStep::kSplit:
                to[axis] /= 2;
                to.insert(to.begin() + axis + (random.Chance(50) ? 1 : 0), 2);
                break;
              case LongStep::kJoin:
                JoinTwo(random, &to);
                break;
              case LongStep::kOther:
                to[axis] += int64_t{1} << 32;
            }
            return ReshapeCase{view, {to}};
          }};
}

std::vector<ReshapeCase> JoinsOfTheCatalogue() {
  const auto f32 = spec::Type::kF32;
  return {{{f32, {4, 6}, {1, 4}, {}}, {{24}}}, {{f32, {4, 6}, {8, 1}, {}}, {{24}}}};
}

}  // namespace conformance
