#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "oneapi/dnnl/memory/memory.hpp"

namespace {

using dnnl::memory;
using dims = memory::dims;
using dt = memory::data_type;
using tag = memory::format_tag;

constexpr int64_t kRunTime = DNNL_RUNTIME_DIM_VAL;

dims StridesIn(const memory::desc& md) {
  const int64_t* const strides = md.data.format_desc.blocking.strides;
  return dims(strides, strides + md.data.ndims);
}

// The message of the error that `call` throws; empty if it throws none. The status is checked.
std::string Refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const dnnl::error& e) {
    EXPECT_EQ(e.status, dnnl_invalid_arguments);
    EXPECT_STREQ(e.what(), e.message);
    return e.what();
  }
  return "";
}

std::string TagRefusal(const dims& d, dt type, tag t) {
  const std::string message = Refusal([&] { memory::desc(d, type, t); });
  EXPECT_EQ(memory::desc(d, type, t, true).is_zero(), !message.empty());  // ERR-009
  return message;
}

std::string StridesRefusal(const dims& d, dt type, const dims& s) {
  const std::string message = Refusal([&] { memory::desc(d, type, s); });
  EXPECT_EQ(memory::desc(d, type, s, true).is_zero(), !message.empty());  // ERR-009
  return message;
}

TEST(Desc, IsAPlainValueOfTheDeclaredTypes) {
  static_assert(std::is_same<memory::dim, int64_t>::value, "");
  static_assert(std::is_same<memory::dims, std::vector<int64_t>>::value, "");
  static_assert(std::is_trivially_copyable<memory::desc>::value, "");
  static_assert(std::is_same<memory, oneapi::dnnl::memory>::value, "");
}

TEST(Desc, DefaultIsZero) {
  const memory::desc zero;
  EXPECT_TRUE(zero.is_zero());
  EXPECT_FALSE(static_cast<bool>(zero));
  EXPECT_TRUE(zero.dims().empty());
  EXPECT_EQ(zero.data_type(), dt::undef);
  EXPECT_EQ(zero.get_size(), 0u);
  EXPECT_EQ(zero, memory::desc());
}

TEST(Desc, TagsGiveTheStridesOfTheCatalogue) {
  const dims all = {2, 3, 4, 5, 6, 7};
  const struct {
    tag t;
    dims strides;
  } rows[] = {
      {tag::a, {1}},
      {tag::ba, {1, 2}},
      {tag::nwc, {12, 1, 3}},
      {tag::bca, {1, 8, 2}},
      {tag::nchw, {60, 20, 5, 1}},
      {tag::nhwc, {60, 1, 15, 3}},
      {tag::chwn, {1, 40, 10, 2}},
      {tag::hwio, {1, 2, 30, 6}},
      {tag::wigo, {3, 1, 6, 24}},
      {tag::ndhwc, {360, 1, 90, 18, 3}},
      {tag::hwigo, {3, 1, 6, 144, 24}},
      {tag::ldgoi, {360, 120, 1, 24, 4}},
      {tag::giodhw, {2520, 210, 630, 42, 7, 1}},
      {tag::dhwigo, {3, 1, 6, 1008, 168, 24}},
  };
  for (const auto& row : rows) {
    const dims d(all.begin(), all.begin() + row.strides.size());
    const memory::desc md(d, dt::s8, row.t);
    EXPECT_EQ(StridesIn(md), row.strides);
    EXPECT_EQ(md, memory::desc(d, dt::s8, row.strides));
    EXPECT_EQ(md.dims(), d);
  }
  static_assert(tag::giodhw == tag::acbdef && tag::giodhw != tag::goidhw, "A-18");
}

TEST(Desc, RankTwelveHasTagsAndStrides) {
  const memory::desc md(dims(12, 2), dt::u8, tag::abcdefghijlk);
  EXPECT_EQ(md.get_size(), 4096u);
  EXPECT_EQ(StridesIn(md)[10], 1);
  EXPECT_EQ(StridesIn(md)[11], 2);
  EXPECT_EQ(memory::desc(dims(12, 2), dt::u8, dims{}).get_size(), 4096u);
  EXPECT_EQ(StridesRefusal(dims(13, 2), dt::u8, {}),
            "memory::desc: rank = 13 is above 12 (MD-024)");
  EXPECT_EQ(TagRefusal(dims(13, 2), dt::u8, tag::any),
            "memory::desc: rank = 13 is above 12 (MD-024)");
}

// The number of a tag has several names, and one of them is the caller's.
TEST(Desc, NamesTheTagThatTheCallerWrote) {
  struct Alias {
    tag number;
    const char* name;
  };
#define NAMED(name) \
  Alias { tag::name, #name }
  for (const Alias& alias :
       {NAMED(x),     NAMED(nc),     NAMED(cn),     NAMED(tn),     NAMED(nt),     NAMED(ncw),
        NAMED(nwc),   NAMED(nchw),   NAMED(nhwc),   NAMED(chwn),   NAMED(ncdhw),  NAMED(ndhwc),
        NAMED(oi),    NAMED(io),     NAMED(oiw),    NAMED(owi),    NAMED(wio),    NAMED(iwo),
        NAMED(oihw),  NAMED(hwio),   NAMED(ohwi),   NAMED(ihwo),   NAMED(iohw),   NAMED(oidhw),
        NAMED(iodhw), NAMED(dhwio),  NAMED(odhwi),  NAMED(idhwo),  NAMED(goiw),   NAMED(gowi),
        NAMED(gwio),  NAMED(wigo),   NAMED(goihw),  NAMED(gohwi),  NAMED(ghwio),  NAMED(hwigo),
        NAMED(giohw), NAMED(goidhw), NAMED(godhwi), NAMED(gdhwio), NAMED(giodhw), NAMED(dhwigo),
        NAMED(tnc),   NAMED(ntc),    NAMED(ldnc),   NAMED(ldigo),  NAMED(ldgoi),  NAMED(ldio),
        NAMED(ldoi),  NAMED(ldgo)}) {
#undef NAMED
    const std::string message = TagRefusal(dims(11, 1), dt::f32, alias.number);
    const std::size_t begin = message.find('('), end = message.find(')');
    const std::string names = ", " + message.substr(begin + 1, end - begin - 1) + ",";
    EXPECT_NE(names.find(std::string(", ") + alias.name + ","), std::string::npos)
        << alias.name << ": " << message;
  }
  EXPECT_EQ(TagRefusal({2, 3}, dt::f32, tag::nhwc),
            "memory::desc: format_tag = acdb (nhwc, ohwi) has 4 letters for 2 dims (MD-004)");
  EXPECT_EQ(TagRefusal({2, 3}, dt::f32, tag::abdfce),
            "memory::desc: format_tag = abdfce has 6 letters for 2 dims (MD-004)");
}

TEST(Desc, RefusesWhatATagCannotMean) {
  EXPECT_EQ(TagRefusal({2, 3}, dt::f32, tag::abc),
            "memory::desc: format_tag = abc (ncw, oiw, tnc) has 3 letters for 2 dims (MD-004)");
  EXPECT_EQ(TagRefusal({2, 3, 4}, dt::f32, tag::abc), "");
  EXPECT_EQ(TagRefusal({2, 3}, dt::f32, tag::undef),
            "memory::desc: format_tag = undef with 2 dims has no layout (MD-022)");
  EXPECT_EQ(TagRefusal({2, 3}, dt::f32, static_cast<tag>(600)),
            "memory::desc: format_tag = 600 is no plain tag (MD-059)");
  EXPECT_EQ(TagRefusal({2, 3}, dt::f32, static_cast<tag>(-1)),
            "memory::desc: format_tag = -1 is no plain tag (MD-059)");
  EXPECT_EQ(TagRefusal({2, -1}, dt::f32, tag::ab),
            "memory::desc: dims[1] = -1 is negative (MD-012)");
  EXPECT_EQ(TagRefusal({2, 0}, dt::f32, tag::ab), "");
  EXPECT_EQ(TagRefusal({2, 3}, dt::undef, tag::ab),
            "memory::desc: data_type = undef is for the zero descriptor only (MD-020)");
  EXPECT_EQ(TagRefusal({2, 3}, static_cast<dt>(7), tag::ab),
            "memory::desc: data_type = 7 is not in [1, 6] (PRIM-018)");
}

TEST(Desc, RefusesStridesThatOverlapAndAcceptsTheNeighbours) {
  EXPECT_EQ(StridesRefusal({2, 3}, dt::f32, {2, 1}),
            "memory::desc: strides[0] = 2 is below strides[1] * dims[1] = 3 (MD-006)");
  EXPECT_EQ(StridesRefusal({2, 3}, dt::f32, {3, 1}), "");
  EXPECT_EQ(StridesRefusal({2, 2}, dt::f32, {2, 3}),
            "memory::desc: strides[1] = 3 is below strides[0] * dims[0] = 4 (MD-006)");
  EXPECT_NE(StridesRefusal({2, 3}, dt::f32, {1, 1}), "");
  EXPECT_EQ(StridesRefusal({1, 3}, dt::f32, {1, 1}), "");
  EXPECT_EQ(StridesRefusal({2, 3}, dt::f32, {-3, 1}),
            "memory::desc: strides[0] = -3 is negative (MD-013)");
  EXPECT_EQ(StridesRefusal({2, 3}, dt::f32, {0, 1}), "");
  EXPECT_EQ(StridesRefusal({2, 3}, dt::f32, {3}),
            "memory::desc: strides has 1 entries for 2 dims (MD-010)");
  EXPECT_EQ(StridesRefusal({2, 3}, dt::f32, {3, 1, 1}),
            "memory::desc: strides has 3 entries for 2 dims (MD-010)");
  EXPECT_EQ(StridesRefusal({}, dt::f32, {1}),
            "memory::desc: strides has 1 entries for 0 dims (MD-010)");
}

// ORC-VALID, in the reading of the project, said a second time.
bool Valid(const dims& d, const dims& s) {
  for (int64_t stride : s)
    if (stride < 0) return false;
  if (std::count(d.begin(), d.end(), 0) > 0) return true;
  for (size_t i = 0; i < d.size(); ++i)
    for (size_t j = 0; j < d.size(); ++j) {
      if (i == j || d[i] == 1 || d[j] == 1 || s[i] == 0 || s[j] == 0 || s[i] < s[j]) continue;
      if (s[i] < s[j] * d[j]) return false;
    }
  return true;
}

TEST(Desc, JudgesAllSmallStridesByTheRule) {
  for (int code = 0; code < 4 * 4 * 4 * 9 * 9 * 9; ++code) {
    int rest = code;
    dims d, s;
    for (int j = 0; j < 3; ++j, rest /= 4) d.push_back(rest % 4);
    for (int j = 0; j < 3; ++j, rest /= 9) s.push_back(rest % 9 - 1);
    ASSERT_EQ(!memory::desc(d, dt::f32, s, true).is_zero(), Valid(d, s)) << code;
  }
}

TEST(Desc, EmptyDimsAreTheZeroDescriptor) {
  EXPECT_TRUE(memory::desc({}, dt::f32, tag::ab).is_zero());
  EXPECT_TRUE(memory::desc({}, dt::f32, tag::undef).is_zero());
  EXPECT_TRUE(memory::desc(dims{}, dt::f32, dims{}).is_zero());
}

TEST(Desc, ZeroVolumeIsATensorWithoutElements) {
  const memory::desc md({2, 0, 3}, dt::f32, tag::acb);
  EXPECT_FALSE(md.is_zero());
  EXPECT_EQ(md.dims(), (dims{2, 0, 3}));
  EXPECT_EQ(md.get_size(), 0u);
  EXPECT_NE(md, memory::desc());
  EXPECT_EQ(StridesIn(md), (dims{3, 1, 1}));
}

TEST(Desc, SizesAreThoseOfTheReading) {
  EXPECT_EQ(memory::desc({2, 3}, dt::f32, tag::ab).get_size(), 24u);
  EXPECT_EQ(memory::desc({2, 3}, dt::f32, dims{10, 1}).get_size(), 80u);
  EXPECT_EQ(memory::desc({2, 3}, dt::f32, dims{0, 0}).get_size(), 4u);
  EXPECT_EQ(memory::desc({1, 3}, dt::f16, dims{77, 1}).get_size(), 6u);
  EXPECT_EQ(memory::desc({4, 6}, dt::f32, tag::ab).submemory_desc({2, 2}, {1, 2}).get_size(),
            4u * (8 + 6 + 1 + 1));
  EXPECT_EQ(memory::desc({4, 6}, dt::f32, tag::any).get_size(), 0u);
  EXPECT_EQ(memory::desc({kRunTime, 6}, dt::f32, tag::ab).get_size(), DNNL_RUNTIME_SIZE_VAL);
  EXPECT_EQ(memory::desc({4, 6}, dt::f32, dims{kRunTime, 1}).get_size(), DNNL_RUNTIME_SIZE_VAL);
}

// Of `any`, dims are all there is: what a program wrote to padded_dims says nothing.
TEST(Desc, OfAnyIsHeldAgainstItsDims) {
  const auto refusal = [](int64_t dim, int64_t padded) {
    dnnl_memory_desc_t data = memory::desc({1, 1}, dt::f32, tag::any).data;
    for (int j = 0; j < 2; ++j) data.dims[j] = dim, data.padded_dims[j] = padded;
    return Refusal([&] { memory::desc(data).reshape({dim, dim}); });
  };
  const int64_t big = int64_t{1} << 31;
  for (const int64_t padded : {int64_t{-1}, int64_t{0}, int64_t{1}, big}) {
    EXPECT_EQ(refusal(big, padded),
              "memory::desc::reshape: the bytes of dims[0] to dims[1] do not fit 63 bits (MD-026)");
    EXPECT_EQ(refusal(2, padded), "");
  }
}

TEST(Desc, RefusesWhatDoesNotFit63Bits) {
  const int64_t big = int64_t{1} << 31;
  EXPECT_EQ(TagRefusal({big, big}, dt::f32, tag::ab),
            "memory::desc: the bytes of dims[0] to dims[1] do not fit 63 bits (MD-026)");
  EXPECT_EQ(TagRefusal({big, big}, dt::s8, tag::ab), "");
  EXPECT_NE(TagRefusal({big, big}, dt::f32, tag::any), "");
  EXPECT_NE(StridesRefusal({2, 2}, dt::s8, {int64_t{1} << 62, 1}), "");
  EXPECT_EQ(StridesRefusal({2, 2}, dt::s8, {(int64_t{1} << 62) - 1, 1}), "");
  EXPECT_NE(StridesRefusal({2, 2}, dt::f16, {(int64_t{1} << 62) - 1, 1}), "");
  EXPECT_NE(TagRefusal({1, int64_t{1} << 40, int64_t{1} << 40, 2}, dt::s8, tag::abcd), "");
  EXPECT_EQ(TagRefusal({int64_t{1} << 40, int64_t{1} << 40, 0, 2}, dt::s8, tag::abcd), "");
  EXPECT_NE(StridesRefusal({std::numeric_limits<int64_t>::max(), 2}, dt::s8,
                           {std::numeric_limits<int64_t>::max(), 1}),
            "");
}

TEST(Desc, WithoutElementsHasRoomForEveryDim) {
  const int64_t big = int64_t{1} << 40;
  EXPECT_EQ(TagRefusal({0, big, big}, dt::f32, tag::abc), "");
  EXPECT_EQ(TagRefusal({big, big, 0, 2}, dt::f32, tag::dcab), "");
  const memory::desc md({0, big, big}, dt::f32, tag::abc);
  EXPECT_EQ(md.dims(), (dims{0, big, big}));
  EXPECT_EQ(md.get_size(), 0u);
  EXPECT_EQ(StridesIn(md), (dims{std::numeric_limits<int64_t>::max(), big, 1}));
  EXPECT_EQ(md, memory::desc({0, big, big}, dt::f32, dims{}));
  EXPECT_EQ(md.permute_axes({1, 2, 0}).dims(), (dims{big, 0, big}));
  EXPECT_EQ(md.reshape({big, big, 0, 5}).get_size(), 0u);
  EXPECT_EQ(md.submemory_desc({0, 1, 1}, {0, 0, 0}).get_size(), 0u);
}

TEST(Desc, RunTimeValuesAreKeptAndNotCompared) {
  const memory::desc rows({kRunTime, 3}, dt::f32, tag::ab);
  EXPECT_EQ(rows.dims(), (dims{kRunTime, 3}));
  EXPECT_EQ(StridesIn(rows), (dims{3, 1}));
  const memory::desc columns({2, kRunTime, 4}, dt::f32, tag::abc);
  EXPECT_EQ(StridesIn(columns), (dims{kRunTime, 4, 1}));
  EXPECT_EQ(StridesRefusal({2, 3}, dt::f32, {1, kRunTime}), "");
  EXPECT_EQ(StridesRefusal({kRunTime, 3, 3}, dt::f32, {1, 1, 1}), "");
  EXPECT_EQ(TagRefusal({2, kRunTime}, dt::f32, tag::any),
            "memory::desc: dims[1] is run-time, which `any` does not allow (MD-028)");
}

TEST(Desc, ComparesByWhatAnAddressDependsOn) {
  const memory::desc md({2, 1, 3}, dt::f32, tag::abc);
  EXPECT_EQ(md, memory::desc({2, 1, 3}, dt::f32, dims{3, 77, 1}));
  EXPECT_NE(md, memory::desc({2, 1, 3}, dt::f32, dims{4, 3, 1}));
  EXPECT_NE(md, memory::desc({2, 1, 3}, dt::s32, tag::abc));
  EXPECT_NE(md, memory::desc({2, 3, 1}, dt::f32, tag::abc));
  EXPECT_NE(md, memory::desc({2, 1, 3}, dt::f32, tag::any));
  EXPECT_EQ(memory::desc({2, 3}, dt::f32, tag::any), memory::desc({2, 3}, dt::f32, tag::any));
  EXPECT_NE(memory::desc({2, 3}, dt::f32, tag::any), memory::desc({3, 2}, dt::f32, tag::any));
}

TEST(Desc, ComparesItsFieldsWithScopedEnumerations) {
  const memory::desc md({2}, dt::f32, tag::a);
  EXPECT_TRUE(md.data.data_type == dt::f32);
  EXPECT_TRUE(dt::s8 != md.data.data_type);
  EXPECT_EQ(md.data.ndims, 1);
  EXPECT_EQ(md.data.format_kind, dnnl_blocked);
}

TEST(Desc, WrittenByHandIsCheckedWhereItIsUsed) {
  memory::desc md({2, 3}, dt::f32, tag::ab);
  md.data.dims[1] = -3;
  EXPECT_EQ(md.get_size(), 0u);
  EXPECT_EQ(Refusal([&] {
              md.permute_axes({1, 0});
            }),
            "memory::desc::permute_axes: dims[1] = -3 is negative (MD-012)");
  md.data.dims[1] = 3;
  md.data.padded_offsets[1] = 2;
  EXPECT_EQ(Refusal([&] {
              md.permute_axes({1, 0});
            }),
            "memory::desc::permute_axes: padded_offsets[1] = 2 is not 0 (MD-059)");
  md.data.ndims = 1000;
  EXPECT_EQ(md.dims().size(), 12u);
  EXPECT_EQ(md.get_size(), 0u);
  EXPECT_NE(Refusal([&] { md.reshape({6}); }), "");
  EXPECT_FALSE(md == md);
}

}  // namespace
