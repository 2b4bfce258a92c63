#include <cstdint>
#include <cstring>

#include "impl_cpu/isa/avx3_dl.h"  // the level of AVX-512 that sums four products of bytes
#include "impl_cpu/product/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/product/tile_quads.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/product/quad_sums-inl.h"
#include "impl_cpu/product/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL

// Four u8 by four s8 in each lane, whose products are summed in 32 bits. `kShift`: what is u8 is an
// s8 and 128, and the sum of 128 by the four s8 is taken off again.
template <bool kShift>
struct QuadStep : IntegerStep {
  static constexpr bool kShifted = kShift;
  template <int kPart>
  static HWY_INLINE V Part(Line w) {
    return w;
  }
  static HWY_INLINE V Broadcast(const A* p) {
    int32_t quad;
    std::memcpy(&quad, p, sizeof(quad));  // rows of bytes are not aligned
    return hn::Set(D(), quad);
  }
  static HWY_INLINE V Shift() { return hn::Set(D(), static_cast<int32_t>(0x80808080u)); }
  static HWY_INLINE V MulAdd(V x, V w, V sum) { return AddQuads(x, w, sum); }
};

TileKernels QuadTiles(bool is_signed) {
  return is_signed ? AllTiles<QuadStep<true>>() : AllTiles<QuadStep<false>>();
}

#else

TileKernels QuadTiles(bool) { return {}; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(QuadTiles);

TileKernels FindQuadTileKernels(spi::DataType type) {
  TileKernels kernels = HWY_DYNAMIC_DISPATCH(QuadTiles)(type == spi::DataType::kS8);
  if (kernels.max_rows == 0) return kernels;
  kernels.amx = FindQuadAmxKernel(type);
  kernels.amx_pieces = FindQuadAmxPiecesKernel(type);
  return kernels;
}

}  // namespace impl_cpu
#endif
