#include "impl_cpu/product/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/product/tile_f32.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/product/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

TileKernels F32Tiles() { return {}; }

#else

struct F32Step {
  using A = float;
  using B = float;
  using Sum = float;
  using D = hn::CappedTag<float, kPanel>;
  using V = hn::Vec<D>;
  using Line = V;
  using Look = NoLook;
  using Rounding = BitRounding;
  static constexpr int kParts = 1;
  static constexpr bool kShifted = false;
  static HWY_INLINE Line Load(const B* p) { return hn::LoadU(D(), p); }
  template <int kPart>
  static HWY_INLINE V Part(Line w) {
    return w;
  }
  static HWY_INLINE V Broadcast(const A* p) { return hn::Set(D(), *p); }
  static HWY_INLINE V MulAdd(V x, V w, V sum) { return hn::MulAdd(x, w, sum); }
};

TileKernels F32Tiles() { return AllTiles<F32Step>(); }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(F32Tiles);

TileKernels FindTileKernels() { return HWY_DYNAMIC_DISPATCH(F32Tiles)(); }

}  // namespace impl_cpu
#endif
