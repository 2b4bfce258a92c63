#include "impl_cpu/product/normal_bf16.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/product/normal_bf16.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

uint16_t LeastOfBf16(const uint16_t* from, int64_t count) {
  uint16_t least = 0xffff;
  for (int64_t i = 0; i < count; ++i) {
    const auto size = static_cast<uint16_t>((from[i] & 0x7fff) - 1);
    if (size < least) least = size;
  }
  return static_cast<uint16_t>(least + 1);
}

#else

namespace hn = hwy::HWY_NAMESPACE;

// 0 becomes the largest of all.
uint16_t LeastOfBf16(const uint16_t* from, int64_t count) {
  const hn::ScalableTag<uint16_t> d;
  const auto mask = hn::Set(d, uint16_t{0x7fff}), one = hn::Set(d, uint16_t{1});
  const auto size_of = [&](auto v) HWY_ATTR { return hn::Sub(hn::And(v, mask), one); };
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto a = hn::Set(d, uint16_t{0xffff}), b = a;
  int64_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    a = hn::Min(a, size_of(hn::LoadU(d, from + i)));
    b = hn::Min(b, size_of(hn::LoadU(d, from + i + lanes)));
  }
  if (i < count) {
    HWY_ALIGN uint16_t last[2 * hn::MaxLanes(d)] = {};
    std::memcpy(last, from + i, static_cast<size_t>(count - i) * sizeof(*last));
    a = hn::Min(a, size_of(hn::Load(d, last)));
    b = hn::Min(b, size_of(hn::Load(d, last + lanes)));
  }
  return static_cast<uint16_t>(hn::GetLane(hn::MinOfLanes(d, hn::Min(a, b))) + 1);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(LeastOfBf16);

uint16_t LeastSizeOfBf16(const uint16_t* from, int64_t count) {
  return HWY_DYNAMIC_DISPATCH(LeastOfBf16)(from, count);
}

// By exponents, products and their sums are multiples of 2^(a + b - 2 * 127 - 2 * 7), which is to
// be 2^-126 or more.
uint16_t LeastPartnerOf(uint16_t a) {
  constexpr int kFractionBits = 7, kLeastExponents = 142, kNone = 0x8000;
  if (a == 0) return 0;
  const int exponent = a >> kFractionBits;
  if (exponent == 0) return kNone;
  return static_cast<uint16_t>(std::max(1, kLeastExponents - exponent) << kFractionBits);
}

void LeastBf16::Look(const uint16_t* from, int64_t count) {
  const auto before = static_cast<uint16_t>(LeastSizeOfBf16(from, count) - 1);
  uint16_t known = before_;
  while (before < known && !before_.compare_exchange_weak(known, before)) {
  }
}

}  // namespace impl_cpu
#endif
