#include <cstdint>
#include <cstring>

#include "impl_cpu/product/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/product/tile_split_quads.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/product/pair_sums-inl.h"
#include "impl_cpu/product/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_MAX_BYTES >= 32

// Of a tile: beside their sums registers hold what is split.
constexpr int kSplitRows = 3;

using DQuads = IntegerStep::D;
using VQuads = IntegerStep::V;

// Four bytes of each lane, as the pairs of s16 that are the first and the third, and the others.
struct SplitQuads {
  VQuads even, odd;
};

HWY_INLINE SplitQuads SplitSigned(VQuads bytes) {
  const hn::Repartition<int16_t, DQuads> d16;
  const auto pairs = hn::BitCast(d16, bytes);
  return {hn::BitCast(DQuads(), hn::ShiftRight<8>(hn::ShiftLeft<8>(pairs))),
          hn::BitCast(DQuads(), hn::ShiftRight<8>(pairs))};
}

HWY_INLINE SplitQuads SplitUnsigned(VQuads bytes) {
  const hn::Repartition<uint16_t, DQuads> d16;
  return {hn::And(bytes, hn::Set(DQuads(), 0xff00ff)),
          hn::BitCast(DQuads(), hn::ShiftRight<8>(hn::BitCast(d16, bytes)))};
}

// Four u8 by four s8 in each lane, by pairs. `kRaised`: what is u8 is an s8 and 128.
template <bool kRaised>
struct SplitQuadStep : IntegerStep {
  template <int kPart>
  static HWY_INLINE SplitQuads Part(Line w) {
    return SplitSigned(w);
  }
  static HWY_INLINE SplitQuads Broadcast(const A* p) {
    int32_t quad;
    std::memcpy(&quad, p, sizeof(quad));  // rows of bytes are not aligned
    if (kRaised) return SplitSigned(hn::Set(D(), quad ^ static_cast<int32_t>(0x80808080u)));
    return SplitUnsigned(hn::Set(D(), quad));
  }
  static HWY_INLINE V MulAdd(SplitQuads x, SplitQuads w, V sum) {
    return AddPairs(D(), x.odd, w.odd, AddPairs(D(), x.even, w.even, sum));
  }
};

TileKernels SplitQuadTiles(bool is_signed) {
  return is_signed ? AllTiles<SplitQuadStep<true>, kSplitRows>()
                   : AllTiles<SplitQuadStep<false>, kSplitRows>();
}

#else

TileKernels SplitQuadTiles(bool) { return {}; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(SplitQuadTiles);

TileKernels FindSplitQuadTileKernels(spi::DataType type) {
  return HWY_DYNAMIC_DISPATCH(SplitQuadTiles)(type == spi::DataType::kS8);
}

}  // namespace impl_cpu
#endif
