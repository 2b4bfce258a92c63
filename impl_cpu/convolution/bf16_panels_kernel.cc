#define HWY_WANT_AVX3_DL  // machines that multiply bf16 have this level of AVX-512

#include <cstdint>
#include <cstring>

#include "impl_cpu/convolution/direct_kernel.h"
#include "impl_cpu/product/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convolution/bf16_panels_kernel.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/convolution/panels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL

// A word is two bf16, whose products are added to an f32. Written out: Highway 1.0.3 has no such
// operation, and no target for it.
template <int kMost>
struct Bf16PanelStep {
  using D = hn::CappedTag<float, kMost>;
  using V = hn::Vec<D>;
  static HWY_INLINE V Broadcast(const float* p) {
    int32_t word;
    std::memcpy(&word, p, sizeof(word));  // of any alignment
    return hn::BitCast(D(), hn::Set(hn::RebindToSigned<D>(), word));
  }
  static HWY_INLINE V MulAdd(V x, V w, V sum) {
    asm("vdpbf16ps %2, %1, %0" : "+v"(sum.raw) : "v"(x.raw), "v"(w.raw));
    return sum;
  }
};

PanelRowKernel KernelOfBf16Panels() {
  return __builtin_cpu_supports("avx512bf16") ? PanelsOfStep<Bf16PanelStep>() : PanelRowKernel();
}

#else

PanelRowKernel KernelOfBf16Panels() { return {}; }

#endif

#if HWY_TARGET == HWY_SCALAR

uint16_t LeastBf16(const uint16_t* from, int64_t count) {
  uint16_t least = 0xffff;
  for (int64_t i = 0; i < count; ++i) {
    const auto size = static_cast<uint16_t>((from[i] & 0x7fff) - 1);
    if (size < least) least = size;
  }
  return static_cast<uint16_t>(least + 1);
}

#else

// 0 becomes the largest of all.
uint16_t LeastBf16(const uint16_t* from, int64_t count) {
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
  HWY_ALIGN uint16_t all[hn::MaxLanes(d)];
  hn::Store(hn::Min(a, b), d, all);
  uint16_t least = 0xffff;
  const auto take = [&least](uint16_t size) { least = size < least ? size : least; };
  for (int64_t k = 0; k < lanes; ++k) take(all[k]);
  for (; i < count; ++i) take(static_cast<uint16_t>((from[i] & 0x7fff) - 1));
  return static_cast<uint16_t>(least + 1);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(KernelOfBf16Panels);
HWY_EXPORT(LeastBf16);

PanelRowKernel FindBf16PanelRowKernel() { return HWY_DYNAMIC_DISPATCH(KernelOfBf16Panels)(); }

uint16_t LeastSizeOfBf16(const uint16_t* from, int64_t count) {
  return HWY_DYNAMIC_DISPATCH(LeastBf16)(from, count);
}

}  // namespace impl_cpu
#endif
