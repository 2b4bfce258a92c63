// ORC-VIEW, permuted axes and regions.
#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"
#include "spec/memory/oracle.h"

namespace spec {
namespace {

Plain OfTag(const char* word, const Dims& dims) { return {dims, *StridesOfTag(word, dims)}; }

TEST(Reshape, AddsAndDropsOnes) {
  EXPECT_TRUE(
      SameLayout(*Reshape({{2, 3}, {3, 1}}, {1, 2, 1, 3, 1}), {{1, 2, 1, 3, 1}, {0, 3, 0, 1, 0}}));
  EXPECT_TRUE(SameLayout(*Reshape({{2, 1, 3}, {3, 77, 1}}, {2, 3}), {{2, 3}, {3, 1}}));
}

TEST(Reshape, SplitsWhateverTheStride) {
  const Plain ba = OfTag("ba", {4, 6});
  EXPECT_TRUE(SameLayout(*Reshape(ba, {2, 2, 6}), {{2, 2, 6}, {2, 1, 4}}));
  EXPECT_TRUE(SameLayout(*Reshape(ba, {4, 2, 3}), {{4, 2, 3}, {1, 12, 4}}));
  EXPECT_TRUE(SameLayout(*Reshape({{4, 6}, {10, 1}}, {2, 2, 6}), {{2, 2, 6}, {20, 10, 1}}));
}

TEST(Reshape, JoinsDenseNeighboursOnly) {
  EXPECT_TRUE(SameLayout(*Reshape({{4, 6}, {6, 1}}, {24}), {{24}, {1}}));
  EXPECT_TRUE(SameLayout(*Reshape({{4, 6}, {12, 2}}, {24}), {{24}, {2}}));
  EXPECT_EQ(Reshape({{4, 6}, {7, 1}}, {24}), std::nullopt);
  EXPECT_EQ(Reshape(OfTag("ba", {4, 6}), {24}), std::nullopt);
  EXPECT_TRUE(SameLayout(*Reshape({{2, 4, 6}, {100, 6, 1}}, {2, 24}), {{2, 24}, {100, 1}}));
  EXPECT_EQ(Reshape({{2, 4, 6}, {100, 6, 1}}, {48}), std::nullopt);
}

TEST(Reshape, JoinsAcrossAOneWithAnOddStride) {
  EXPECT_TRUE(SameLayout(*Reshape({{2, 1, 3}, {3, 77, 1}}, {6}), {{6}, {1}}));
}

TEST(Reshape, KeepsTheStart) {
  EXPECT_TRUE(SameLayout(*Reshape({{2, 3}, {10, 1}, 5}, {2, 3, 1}), {{2, 3, 1}, {10, 1, 0}, 5}));
}

TEST(Reshape, RefusesWhatHasNoMeaning) {
  const Plain ab = OfTag("ab", {2, 3});
  EXPECT_EQ(Reshape(ab, {5}), std::nullopt);
  EXPECT_EQ(Reshape(ab, {}), std::nullopt);
  EXPECT_EQ(Reshape(ab, {-2, -3}), std::nullopt);
  EXPECT_EQ(Reshape({{}, {}}, {1}), std::nullopt);
  EXPECT_EQ(Reshape({{2, kRunTimeDim}, {1, 1}}, {2, kRunTimeDim}), std::nullopt);
  EXPECT_EQ(Reshape({{2, 3}, {kRunTimeDim, 1}}, {2, 3}), std::nullopt);
  EXPECT_NE(Reshape(ab, {6}), std::nullopt);
}

TEST(Reshape, OfNoElementsKeepsTheDimsButForOnes) {
  const Plain empty = {{0, 3}, {3, 1}};
  EXPECT_TRUE(SameLayout(*Reshape(empty, {0, 3}), empty));
  EXPECT_TRUE(SameLayout(*Reshape(empty, {1, 0, 3, 1}), {{1, 0, 3, 1}, {0, 3, 1, 0}}));
  EXPECT_EQ(Reshape(empty, {3, 0}), std::nullopt);
  EXPECT_EQ(Reshape(empty, {0}), std::nullopt);
  EXPECT_EQ(Reshape(empty, {6}), std::nullopt);
}

// What the four operations of the header reach: drop the ones, join each run of dense neighbours,
// split each run from its inner end.
std::optional<Dims> ReshapeByOperations(const Plain& from, const Dims& dims) {
  struct Run {
    int64_t count, stride;
  };
  std::vector<Run> runs;
  for (size_t j = 0; j < from.dims.size(); ++j) {
    const int64_t dim = from.dims[j], stride = from.strides[j];
    if (dim == 1) continue;
    if (!runs.empty() && runs.back().stride == stride * dim) {
      runs.back() = {runs.back().count * dim, stride};
    } else {
      runs.push_back({dim, stride});
    }
  }
  Dims strides(dims.size(), 1);
  for (size_t j = dims.size(); j-- > 0;) {
    if (dims[j] == 1) continue;
    while (runs.back().count == 1) runs.pop_back();
    if (runs.back().count % dims[j] != 0) return std::nullopt;
    strides[j] = runs.back().stride;
    runs.back() = {runs.back().count / dims[j], runs.back().stride * dims[j]};
  }
  return strides;
}

Dims AnyDims(int64_t from) {
  const auto rank = *rc::gen::inRange<size_t>(1, 5);
  return *rc::gen::container<Dims>(rank, rc::gen::inRange<int64_t>(from, 5));
}

std::vector<int> AnyPermutation(size_t rank) {
  std::vector<int> order(rank);
  std::iota(order.begin(), order.end(), 0);
  for (size_t k = rank; k > 1; --k) std::swap(order[k - 1], order[*rc::gen::inRange<size_t>(0, k)]);
  return order;
}

// Dense in some order of the axes, but for padding in half of the places at most.
Plain AnyLayout(const Dims& dims) {
  Plain layout = {dims, Dims(dims.size()), *rc::gen::inRange<int64_t>(0, 4)};
  std::vector<int> order = AnyPermutation(dims.size());
  if (*rc::gen::inRange(0, 3) == 0) std::sort(order.begin(), order.end());
  int64_t stride = 1;
  for (size_t k = order.size(); k-- > 0;) {
    stride += std::max(0, *rc::gen::inRange(-4, 3));
    layout.strides[order[k]] = *rc::gen::inRange(0, 20) == 0 ? 0 : stride;
    stride *= dims[order[k]];
  }
  return layout;
}

// The prime factors of the count in random order, some of them joined, and ones between them.
Dims AnyDimsOfProduct(int64_t count) {
  Dims dims;
  for (int64_t prime = 2; count > 1; ++prime) {
    for (; count % prime == 0; count /= prime) {
      const bool join = !dims.empty() && *rc::gen::arbitrary<bool>();
      if (join) {
        dims[*rc::gen::inRange<size_t>(0, dims.size())] *= prime;
      } else {
        dims.insert(dims.begin() + *rc::gen::inRange<int>(0, static_cast<int>(dims.size()) + 1),
                    prime);
      }
    }
  }
  for (int ones = *rc::gen::inRange(dims.empty() ? 1 : 0, 3); ones > 0; --ones) {
    dims.insert(dims.begin() + *rc::gen::inRange<int>(0, static_cast<int>(dims.size()) + 1), 1);
  }
  return dims;
}

RC_GTEST_PROP(Reshape, ReachesExactlyWhatTheFourOperationsReach, ()) {
  const Plain from = AnyLayout(AnyDims(1));
  const Dims dims = AnyDimsOfProduct(ElementCount(from.dims));
  const std::optional<Plain> to = Reshape(from, dims);
  const std::optional<Dims> strides = ReshapeByOperations(from, dims);
  RC_CLASSIFY(to.has_value(), "possible");
  RC_ASSERT(to.has_value() == strides.has_value());
  if (to) RC_ASSERT(SameLayout(*to, {dims, *strides, from.offset}));
}

RC_GTEST_PROP(Reshape, AddressesTheSameElementsInTheSameOrder, ()) {
  const Plain from = AnyLayout(AnyDims(1));
  const Dims dims = AnyDimsOfProduct(ElementCount(from.dims));
  const std::optional<Plain> to = Reshape(from, dims);
  RC_PRE(to.has_value());
  for (int64_t k = 0; k < ElementCount(dims); ++k) {
    RC_ASSERT(OffsetOf(*to, Unravel(k, dims)) == OffsetOf(from, Unravel(k, from.dims)));
  }
}

RC_GTEST_PROP(Reshape, ComesBack, ()) {
  const Plain from = AnyLayout(AnyDims(1));
  const std::optional<Plain> to = Reshape(from, AnyDimsOfProduct(ElementCount(from.dims)));
  RC_PRE(to.has_value());
  const std::optional<Plain> back = Reshape(*to, from.dims);
  RC_ASSERT(back.has_value());
  RC_ASSERT(SameLayout(*back, from));
}

TEST(PermuteAxes, IsTheExampleOfTheHeader) {
  EXPECT_TRUE(SameLayout(PermuteAxes(OfTag("ab", {2, 3}), {1, 0}), OfTag("ba", {3, 2})));
}

TEST(PermuteAxes, MovesTheOldAxisToTheNamedPlace) {
  EXPECT_TRUE(SameLayout(PermuteAxes({{2, 3, 4}, {100, 10, 1}, 7}, {1, 2, 0}),
                         {{4, 2, 3}, {1, 100, 10}, 7}));
}

RC_GTEST_PROP(PermuteAxes, KeepsEveryElementAtItsAddress, ()) {
  const Plain from = AnyLayout(AnyDims(1));
  const std::vector<int> permutation = AnyPermutation(from.dims.size());
  const Plain to = PermuteAxes(from, permutation);
  for (int64_t k = 0; k < ElementCount(from.dims); ++k) {
    const Dims x = Unravel(k, from.dims);
    Dims y(x.size());
    for (size_t i = 0; i < x.size(); ++i) y[permutation[i]] = x[i];
    RC_ASSERT(OffsetOf(to, y) == OffsetOf(from, x));
  }
}

RC_GTEST_PROP(PermuteAxes, ComposesAndIsUndoneByTheInverse, ()) {
  const Plain from = AnyLayout(AnyDims(0));
  const std::vector<int> p = AnyPermutation(from.dims.size());
  const std::vector<int> q = AnyPermutation(from.dims.size());
  std::vector<int> composed(p.size()), inverse(p.size());
  for (size_t i = 0; i < p.size(); ++i) {
    composed[i] = q[p[i]];
    inverse[p[i]] = static_cast<int>(i);
  }
  RC_ASSERT(SameLayout(PermuteAxes(PermuteAxes(from, p), q), PermuteAxes(from, composed)));
  RC_ASSERT(SameLayout(PermuteAxes(PermuteAxes(from, p), inverse), from));
}

TEST(Submemory, StartsWhereTheOffsetsPoint) {
  const Plain parent = {{4, 6}, {10, 1}};
  EXPECT_TRUE(SameLayout(Submemory(parent, {2, 3}, {1, 2}), {{2, 3}, {10, 1}, 12}));
  EXPECT_TRUE(SameLayout(Submemory(parent, {4, 6}, {0, 0}), parent));
  EXPECT_TRUE(SameLayout(Submemory(Submemory(parent, {2, 3}, {1, 2}), {1, 1}, {1, 1}),
                         Submemory(parent, {1, 1}, {2, 3})));
}

RC_GTEST_PROP(Submemory, NeverNeedsMoreThanItsParent, ()) {
  const Plain parent = AnyLayout(AnyDims(1));
  RC_PRE(JudgeStrides(parent.dims, parent.strides).project == Validity::kMustAccept);
  Plain region = {parent.dims, parent.strides};
  for (int depth = 0; depth < 2; ++depth) {
    const Plain outer = region;
    Dims offsets(outer.dims.size()), dims(outer.dims.size());
    for (size_t j = 0; j < dims.size(); ++j) {
      offsets[j] = *rc::gen::inRange<int64_t>(0, outer.dims[j]);
      dims[j] = *rc::gen::inRange<int64_t>(1, outer.dims[j] - offsets[j] + 1);
    }
    region = Submemory(outer, dims, offsets);
    RC_ASSERT(SizeInBytes(region, 4) <= SizeInBytes(outer, 4));
    RC_ASSERT(SizeInBytes(region, 4) >= LeastSizeInBytes(region, 4));
  }
}

}  // namespace
}  // namespace spec
