#include <cstdint>

#include "impl_cpu/product/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/product/tile_integers.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/product/pair_sums-inl.h"
#include "impl_cpu/product/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

TileKernels IntegerTiles() { return {}; }

#else

struct PairStep : IntegerStep {
  template <int kPart>
  static HWY_INLINE V Part(Line w) {
    return w;
  }
  static HWY_INLINE V Broadcast(const A* p) { return hn::Set(D(), *p); }
  static HWY_INLINE V MulAdd(V x, V w, V sum) { return AddPairs(D(), x, w, sum); }
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
