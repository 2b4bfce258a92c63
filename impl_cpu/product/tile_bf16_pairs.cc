#include <algorithm>
#include <cstdint>
#include <cstring>

#include "impl_cpu/isa/avx3_dl.h"  // machines that multiply bf16 have this level of AVX-512
#include "impl_cpu/product/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/product/tile_bf16_pairs.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/product/bf16_sums-inl.h"
#include "impl_cpu/product/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL

// Two bf16 by two bf16 in each lane.
struct PairOfBf16Step {
  using A = int32_t;
  using B = int32_t;
  using Sum = float;
  using D = hn::CappedTag<float, kPanel>;
  using V = hn::Vec<D>;
  using Line = V;
  using Look = NoLook;
  using Rounding = BitRounding;
  static constexpr int kParts = 1;
  static constexpr bool kShifted = false;
  static HWY_INLINE Line Load(const B* p) {
    return hn::BitCast(D(), hn::LoadU(hn::RebindToSigned<D>(), p));
  }
  template <int kPart>
  static HWY_INLINE V Part(Line w) {
    return w;
  }
  static HWY_INLINE V Broadcast(const A* p) {
    int32_t pair;
    std::memcpy(&pair, p, sizeof(pair));  // rows of bf16 are not aligned
    return hn::BitCast(D(), hn::Set(hn::RebindToSigned<D>(), pair));
  }
};

// For numbers that are not 0 and smaller than TileArgs::least_b.
class LookForSmall {
 public:
  HWY_INLINE LookForSmall() : least_(hn::Set(D16(), uint16_t{0xffff})) {}
  HWY_INLINE void At(hn::Vec<PairOfBf16Step::D> pairs) {
    // 0 becomes the largest of all.
    const auto sizes = hn::And(hn::BitCast(D16(), pairs), hn::Set(D16(), uint16_t{0x7fff}));
    least_ = hn::Min(least_, hn::Sub(sizes, hn::Set(D16(), uint16_t{1})));
  }
  HWY_INLINE bool Refuses(const TileArgs& args) const {
    const auto least = hn::Set(D16(), static_cast<uint16_t>(std::max<int>(args.least_b, 1) - 1));
    return !hn::AllFalse(D16(), hn::Lt(least_, least));
  }

 private:
  using D16 = hn::Repartition<uint16_t, PairOfBf16Step::D>;
  hn::Vec<D16> least_;
};

// By the instruction that multiplies them.
struct Bf16PairStep : PairOfBf16Step {
  using Look = LookForSmall;
  // These tiles are those of machines where this is fast, too.
  using Rounding = Bf16Rounding<false>;
  static HWY_INLINE V MulAdd(V x, V w, V sum) { return AddBf16Pairs(x, w, sum); }
};

// As f32, which is what a bf16 is the upper half of.
struct WidenedPairStep : PairOfBf16Step {
  using Bits = hn::RebindToUnsigned<D>;
  static HWY_INLINE V Even(V pair) {
    return hn::BitCast(D(), hn::ShiftLeft<16>(hn::BitCast(Bits(), pair)));
  }
  static HWY_INLINE V Odd(V pair) {
    return hn::BitCast(D(), hn::And(hn::BitCast(Bits(), pair), hn::Set(Bits(), 0xffff0000u)));
  }
  static HWY_INLINE V MulAdd(V x, V w, V sum) {
    return hn::MulAdd(Odd(x), Odd(w), hn::MulAdd(Even(x), Even(w), sum));
  }
};

TileKernels Bf16PairTiles(bool widened) {
  if (!MultipliesBf16()) return {};
  return widened || !MultipliesBf16Fast() ? AllTiles<WidenedPairStep>() : AllTiles<Bf16PairStep>();
}

bool PairsAreFast() { return MultipliesBf16Fast(); }

#else

TileKernels Bf16PairTiles(bool) { return {}; }
bool PairsAreFast() { return false; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(Bf16PairTiles);
HWY_EXPORT(PairsAreFast);

TileKernels FindBf16PairTileKernels(bool widened) {
  TileKernels kernels = HWY_DYNAMIC_DISPATCH(Bf16PairTiles)(widened);
  if (kernels.max_rows == 0 || widened) return kernels;
  kernels.amx = FindBf16AmxKernel();
  kernels.amx_pieces = FindBf16AmxPiecesKernel();
  return kernels;
}

bool MultipliesBf16PairsFast() { return HWY_DYNAMIC_DISPATCH(PairsAreFast)(); }

}  // namespace impl_cpu
#endif
