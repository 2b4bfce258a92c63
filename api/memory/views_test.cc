#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "oneapi/dnnl/memory/memory.hpp"

namespace {

using dnnl::memory;
using dims = memory::dims;
using dt = memory::data_type;
using tag = memory::format_tag;

std::string Refusal(const std::function<memory::desc(bool)>& call) {
  try {
    call(false);
  } catch (const dnnl::error& e) {
    EXPECT_TRUE(call(true).is_zero());
    EXPECT_EQ(e.status, dnnl_invalid_arguments);
    return e.what();
  }
  EXPECT_FALSE(call(true).is_zero());
  return "";
}

std::string RegionRefusal(const memory::desc& md, const dims& d, const dims& o) {
  return Refusal([&](bool allow_empty) { return md.submemory_desc(d, o, allow_empty); });
}
std::string ReshapeRefusal(const memory::desc& md, const dims& d) {
  return Refusal([&](bool allow_empty) { return md.reshape(d, allow_empty); });
}
std::string PermuteRefusal(const memory::desc& md, const std::vector<int>& p) {
  return Refusal([&](bool allow_empty) { return md.permute_axes(p, allow_empty); });
}

// Where element number k, row-major, lies.
int64_t OffsetOf(const memory::desc& md, int64_t k) {
  int64_t offset = md.data.offset0;
  for (int j = md.data.ndims - 1; j >= 0; --j) {
    offset += k % md.data.dims[j] * md.data.format_desc.blocking.strides[j];
    k /= md.data.dims[j];
  }
  return offset;
}

TEST(Submemory, KeepsStridesAndMovesTheStart) {
  const memory::desc parent({4, 6}, dt::f32, dims{8, 1});
  const memory::desc region = parent.submemory_desc({2, 3}, {1, 2});
  EXPECT_EQ(region.data.offset0, 10);
  EXPECT_EQ(region.dims(), (dims{2, 3}));
  EXPECT_EQ(OffsetOf(region, 4), 10 + 8 + 1);
  EXPECT_EQ(region.submemory_desc({1, 1}, {1, 1}), parent.submemory_desc({1, 1}, {2, 3}));
  EXPECT_EQ(parent.submemory_desc({4, 6}, {0, 0}), parent);
  EXPECT_NE(parent.submemory_desc({2, 3}, {0, 0}), region);
}

TEST(Submemory, NeedsNoMoreThanItsParent) {
  const memory::desc parent({4, 6}, dt::f32, dims{8, 1});
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 6; ++j)
      EXPECT_LE(parent.submemory_desc({4 - i, 6 - j}, {i, j}).get_size(), parent.get_size());
}

TEST(Submemory, RefusesWhatLiesOutside) {
  const memory::desc parent({4, 6}, dt::f32, tag::ab);
  EXPECT_EQ(RegionRefusal(parent, {2, 3}, {2, 3}), "");
  EXPECT_EQ(
      RegionRefusal(parent, {2, 4}, {2, 3}),
      "memory::desc::submemory_desc: offsets[1] = 3 plus dims[1] = 4 is above 6 of the parent "
      "(MD-075)");
  EXPECT_EQ(RegionRefusal(parent, {2, 3}, {-1, 3}),
            "memory::desc::submemory_desc: offsets[0] = -1 is negative (MD-075)");
  EXPECT_EQ(RegionRefusal(parent, {2, -3}, {0, 3}),
            "memory::desc::submemory_desc: dims[1] = -3 is negative (MD-075)");
  EXPECT_EQ(RegionRefusal(parent, {2}, {0, 3}),
            "memory::desc::submemory_desc: dims has 1 entries for 2 dims (MD-075)");
  EXPECT_EQ(RegionRefusal(parent, {2, 3}, {0, 3, 0}),
            "memory::desc::submemory_desc: offsets has 3 entries for 2 dims (MD-075)");
  EXPECT_EQ(RegionRefusal(parent, {0, 0}, {4, 6}), "");
  EXPECT_NE(RegionRefusal(parent, {INT64_MAX, 1}, {4, 1}), "");
  // Each offset times its stride has 126 bits.
  const int64_t most = INT64_MAX;
  const memory::desc huge({0, most, most, most}, memory::data_type::s8,
                          memory::dims{most, most, most, most});
  EXPECT_EQ(RegionRefusal(huge, {0, 0, 0, 0}, {0, most, most, most}),
            "memory::desc::submemory_desc: the start of the region does not fit 63 bits (MD-026)");
}

TEST(Submemory, WantsALayout) {
  EXPECT_EQ(RegionRefusal(memory::desc({2}, dt::f32, tag::any), {1}, {0}),
            "memory::desc::submemory_desc: the descriptor is `any` and has no layout (MD-079)");
  EXPECT_EQ(RegionRefusal(memory::desc(), {}, {}),
            "memory::desc::submemory_desc: the descriptor is zero (MD-079)");
  EXPECT_EQ(RegionRefusal(memory::desc({DNNL_RUNTIME_DIM_VAL}, dt::f32, tag::a), {1}, {0}),
            "memory::desc::submemory_desc: the descriptor has run-time values (MD-079)");
}

TEST(Reshape, JoinsSplitsAddsAndDrops) {
  const memory::desc columns({4, 6}, dt::f32, tag::ba);
  EXPECT_EQ(columns.reshape({2, 2, 6}), memory::desc({2, 2, 6}, dt::f32, dims{2, 1, 4}));
  EXPECT_EQ(columns.reshape({4, 2, 3}), memory::desc({4, 2, 3}, dt::f32, dims{1, 12, 4}));
  EXPECT_EQ(columns.reshape({1, 4, 1, 6, 1}).reshape({4, 6}), columns);
  EXPECT_EQ(memory::desc({4, 6}, dt::f32, tag::ab).reshape({24}),
            memory::desc({24}, dt::f32, tag::a));
  EXPECT_EQ(memory::desc({2, 1, 3}, dt::f32, dims{3, 77, 1}).reshape({6}),
            memory::desc({6}, dt::f32, tag::a));
  EXPECT_EQ(memory::desc({2, 3}, dt::f32, tag::any).reshape({6}),
            memory::desc({6}, dt::f32, tag::any));
  EXPECT_EQ(memory::desc({1}, dt::f32, tag::a).reshape(dims(12, 1)).get_size(), 4u);
}

TEST(Reshape, KeepsTheStart) {
  const memory::desc region = memory::desc({4, 6}, dt::f32, tag::ab).submemory_desc({2, 6}, {1, 0});
  EXPECT_EQ(region.reshape({12}).data.offset0, 6);
}

TEST(Reshape, RefusesWhatNoLayoutCanSay) {
  EXPECT_EQ(ReshapeRefusal(memory::desc({4, 6}, dt::f32, tag::ba), {24}),
            "memory::desc::reshape: strides[0] = 1 does not continue the dims after it, so dims[0] "
            "cannot be joined (MD-092)");
  EXPECT_EQ(
      ReshapeRefusal(memory::desc({4, 6}, dt::f32, tag::ab), {25}),
      "memory::desc::reshape: dims = 25 have more elements than the 24 of the descriptor (MD-087)");
  EXPECT_EQ(ReshapeRefusal(memory::desc({4, 6}, dt::f32, tag::ab), {0, 24}),
            "memory::desc::reshape: dims = 0x24 have fewer elements than the 24 of the descriptor "
            "(MD-087)");
  EXPECT_EQ(ReshapeRefusal(memory::desc({4, 6}, dt::f32, tag::ab), {-4, -6}),
            "memory::desc::reshape: dims[0] = -4 is negative (MD-098)");
  EXPECT_EQ(ReshapeRefusal(memory::desc({4, 6}, dt::f32, tag::ab), {}),
            "memory::desc::reshape: dims is empty (MD-098)");
  EXPECT_EQ(ReshapeRefusal(memory::desc(), {1}),
            "memory::desc::reshape: the descriptor is zero (MD-098)");
  EXPECT_NE(ReshapeRefusal(memory::desc({1}, dt::f32, tag::a), dims(13, 1)), "");
  EXPECT_NE(ReshapeRefusal(memory::desc({1}, dt::f32, tag::a), dims(12, INT64_MAX)), "");
}

TEST(Reshape, OfNoElementsKeepsTheProductZero) {
  const memory::desc md({0, 3}, dt::f32, dims{5, 1});
  EXPECT_EQ(ReshapeRefusal(md, {1, 0, 1, 3}), "");
  EXPECT_EQ(ReshapeRefusal(md, {3, 0}), "");
  EXPECT_NE(ReshapeRefusal(md, {3}), "");
  EXPECT_EQ(ReshapeRefusal(memory::desc({INT64_MAX, INT64_MAX, 0}, dt::s8, dims{1, 1, 1}),
                           {0, INT64_MAX, 1, INT64_MAX}),
            "");
}

// Every way to write `product` as `rank` factors.
void Factorings(int64_t product, int rank, dims* prefix, std::vector<dims>* out) {
  if (rank == 0) {
    if (product == 1) out->push_back(*prefix);
    return;
  }
  for (int64_t factor = 1; factor <= product; ++factor) {
    if (product % factor != 0) continue;
    prefix->push_back(factor);
    Factorings(product / factor, rank - 1, prefix, out);
    prefix->pop_back();
  }
}

// Succeeds exactly when strides exist that address the same elements in the same order (ORC-VIEW).
TEST(Reshape, SucceedsExactlyWhereAViewExists) {
  std::mt19937 random(1);
  auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  int possible = 0, impossible = 0;
  for (int round = 0; round < 4000; ++round) {
    dims d;
    for (int64_t j = 1 + below(4); j > 0; --j) d.push_back(1 + below(4));
    int64_t product = 1;
    for (int64_t dim : d) product *= dim;
    dims s(d.size());
    int64_t stride = 1;
    std::vector<size_t> order(d.size());
    for (size_t j = 0; j < order.size(); ++j) order[j] = j;
    for (size_t j = order.size(); j > 1; --j)
      if (below(3) == 0) std::swap(order[j - 1], order[below(static_cast<int64_t>(j))]);
    for (size_t k = order.size(); k-- > 0;) {
      const size_t j = order[k];
      s[j] = d[j] == 1 ? below(50) : below(12) == 0 ? 0 : stride;
      if (s[j] != 0) stride = std::max(stride, s[j] * d[j]) + (below(4) == 0 ? below(3) : 0);
    }
    const memory::desc from(d, dt::s8, s, true);
    ASSERT_FALSE(from.is_zero());

    std::vector<dims> shapes;
    dims prefix;
    Factorings(product, static_cast<int>(1 + below(4)), &prefix, &shapes);
    const dims target = shapes[below(static_cast<int64_t>(shapes.size()))];
    memory::desc want = from;
    want.data.ndims = static_cast<int>(target.size());
    int64_t unit = 1;
    for (size_t j = target.size(); j-- > 0; unit *= target[j]) {
      want.data.dims[j] = target[j];
      want.data.format_desc.blocking.strides[j] =
          target[j] == 1 ? 1 : OffsetOf(from, unit) - OffsetOf(from, 0);
    }
    bool exists = true;
    for (int64_t k = 0; k < product; ++k) exists &= OffsetOf(from, k) == OffsetOf(want, k);
    ++(exists ? possible : impossible);

    const memory::desc got = from.reshape(target, true);
    ASSERT_EQ(!got.is_zero(), exists) << round;
    for (int64_t k = 0; exists && k < product; ++k)
      ASSERT_EQ(OffsetOf(got, k), OffsetOf(from, k)) << round;
  }
  EXPECT_GT(possible, 500);
  EXPECT_GT(impossible, 500);
}

TEST(PermuteAxes, MovesDimsAndStridesTogether) {
  const memory::desc md({2, 3}, dt::f32, tag::ab);
  EXPECT_EQ(md.permute_axes({1, 0}), memory::desc({3, 2}, dt::f32, tag::ba));
  EXPECT_EQ(md.permute_axes({0, 1}), md);
  const memory::desc box({2, 3, 4}, dt::f32, tag::abc);
  EXPECT_EQ(box.permute_axes({2, 0, 1}), memory::desc({3, 4, 2}, dt::f32, dims{4, 1, 12}));
  EXPECT_EQ(box.permute_axes({2, 0, 1}).permute_axes({1, 2, 0}), box);
  EXPECT_EQ(memory::desc({2, 3}, dt::f32, tag::any).permute_axes({1, 0}),
            memory::desc({3, 2}, dt::f32, tag::any));
}

TEST(PermuteAxes, RefusesWhatIsNoPermutation) {
  const memory::desc md({2, 3, 4}, dt::f32, tag::abc);
  EXPECT_EQ(PermuteRefusal(md, {0, 2, 1}), "");
  EXPECT_EQ(PermuteRefusal(md, {0, 0, 1}),
            "memory::desc::permute_axes: permutation[1] = 0 occurs before (MD-109)");
  EXPECT_EQ(PermuteRefusal(md, {0, 1, 3}),
            "memory::desc::permute_axes: permutation[2] = 3 is not in [0, 3) (MD-109)");
  EXPECT_EQ(PermuteRefusal(md, {0, 1, -1}),
            "memory::desc::permute_axes: permutation[2] = -1 is not in [0, 3) (MD-109)");
  EXPECT_EQ(PermuteRefusal(md, {0, 1}),
            "memory::desc::permute_axes: permutation has 2 entries for 3 dims (MD-109)");
  EXPECT_EQ(PermuteRefusal(memory::desc(), {}),
            "memory::desc::permute_axes: the descriptor is zero (MD-112)");
}

// Plain strides with more room than elements, as programs write them by hand.
TEST(Padding, OfPlainLayoutsStaysWithItsDim) {
  memory::desc md({2, 3}, dt::f32, dims{4, 1});
  md.data.padded_dims[1] = 4;

  const memory::desc longer = md.reshape({2, 1, 3});
  EXPECT_EQ(longer.dims(), (dims{2, 1, 3}));
  EXPECT_EQ(longer.data.padded_dims[2], 4);
  EXPECT_EQ(longer.data.padded_dims[1], 1);
  EXPECT_EQ(longer.data.format_desc.blocking.strides[0], 4);
  EXPECT_EQ(md.reshape({2, 3}), md);

  const memory::desc turned = md.permute_axes({1, 0});
  EXPECT_EQ(turned.dims(), (dims{3, 2}));
  EXPECT_EQ(turned.data.padded_dims[0], 4);
  EXPECT_EQ(turned.data.padded_dims[1], 2);
  EXPECT_EQ(turned.data.format_desc.blocking.strides[0], 1);
}

TEST(Padding, IsNeitherJoinedNorSplit) {
  memory::desc md({2, 4}, dt::f32, dims{6, 1});
  md.data.padded_dims[1] = 6;
  for (const dims& to : {dims{8}, dims{2, 2, 2}}) {
    try {
      md.reshape(to);
      ADD_FAILURE() << to.size();
    } catch (const dnnl::error& e) {
      EXPECT_EQ(e.status, dnnl_invalid_arguments);
      EXPECT_STREQ(e.what(),
                   "memory::desc::reshape: dims[1] = 4 is padded to 6, so it is neither "
                   "joined nor split (MD-092)");
    }
  }
  md.data.format_desc.blocking.strides[0] = 5;  // the padded rows overlap
  EXPECT_THROW(md.permute_axes({1, 0}), dnnl::error);
}

}  // namespace
