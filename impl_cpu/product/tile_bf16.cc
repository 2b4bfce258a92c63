#include <cstdint>

#include "impl_cpu/product/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/product/tile_bf16.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/product/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

TileKernels Bf16Tiles() { return {}; }

#else

// A bf16 is the upper half of an f32. Where a machine multiplies pairs of them it has other tiles
// (tile_bf16_pairs.cc), unless a is f32.
struct Bf16Step {
  using A = float;
  using B = uint32_t;
  using Sum = float;
  using D = hn::CappedTag<float, kPanel>;
  using V = hn::Vec<D>;
  using Bits = hn::RebindToUnsigned<D>;
  using Line = hn::Vec<Bits>;
  using Look = NoLook;
  using Rounding = BitRounding;
  static constexpr int kParts = 2;
  static constexpr bool kShifted = false;
  static HWY_INLINE Line Load(const B* p) { return hn::LoadU(Bits(), p); }
  template <int kPart>
  static HWY_INLINE V Part(Line w) {
    return hn::BitCast(
        D(), kPart == 0 ? hn::ShiftLeft<16>(w) : hn::And(w, hn::Set(Bits(), 0xffff0000u)));
  }
  static HWY_INLINE V Broadcast(const A* p) { return hn::Set(D(), *p); }
  static HWY_INLINE V MulAdd(V x, V w, V sum) { return hn::MulAdd(x, w, sum); }
};

TileKernels Bf16Tiles() { return AllTiles<Bf16Step>(); }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(Bf16Tiles);

TileKernels FindBf16TileKernels() { return HWY_DYNAMIC_DISPATCH(Bf16Tiles)(); }

}  // namespace impl_cpu
#endif
