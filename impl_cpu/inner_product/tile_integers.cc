#include <cstdint>

#include "impl_cpu/inner_product/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/inner_product/tile_integers.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/inner_product/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

TileKernels IntegerTiles() { return {}; }

#else

// Pairs of s16 in lanes of 32 bits. Elements come from bytes, so two products are below 2^17, and
// nothing saturates.
struct PairStep {
  using T = int32_t;
  using Sum = int32_t;
  using D = hn::CappedTag<int32_t, kPanel>;
  using V = hn::Vec<D>;
  static HWY_INLINE V Load(const T* p) { return hn::LoadU(D(), p); }
  static HWY_INLINE V Broadcast(const T* p) { return hn::Set(D(), *p); }
  static HWY_INLINE V MulAdd(V x, V w, V sum) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128
    const hn::Repartition<int16_t, D> d16;
    V none = hn::Zero(D());
    return hn::ReorderWidenMulAccumulate(D(), hn::BitCast(d16, x), hn::BitCast(d16, w), sum, none);
#else
    const V low =
        hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(x)), hn::ShiftRight<16>(hn::ShiftLeft<16>(w)));
    const V high = hn::Mul(hn::ShiftRight<16>(x), hn::ShiftRight<16>(w));
    return hn::Add(hn::Add(sum, low), high);
#endif
  }
};

TileKernels IntegerTiles() { return AllTiles<PairStep>(); }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(IntegerTiles);

TileKernels FindIntegerTileKernels() { return HWY_DYNAMIC_DISPATCH(IntegerTiles)(); }

}  // namespace impl_cpu
#endif
