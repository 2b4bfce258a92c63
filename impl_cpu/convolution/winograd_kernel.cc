#include "impl_cpu/convolution/winograd_kernel.h"

#include <algorithm>
#include <cstdint>

#include "impl_cpu/product/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convolution/winograd_kernel.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

WinogradKernels WinogradTransforms() { return {}; }

#else

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, kPanel>;
using V = hn::Vec<D>;
constexpr int64_t kLanes = hn::MaxLanes(D());
static_assert(kPanel % kLanes == 0);

// A row or column of B^T d.
HWY_INLINE void PatchLine(V a, V b, V c, V d, V* to, int step) {
  to[0] = hn::Sub(a, c);
  to[step] = hn::Add(b, c);
  to[2 * step] = hn::Sub(c, b);
  to[3 * step] = hn::Sub(b, d);
}

// Of the channels from `c` on that a vector has.
HWY_INLINE void PatchVector(const float* const* places, int64_t c, float* to, int64_t matrix) {
  V half[kPatchPlaces], all[kPatchPlaces];
#pragma GCC unroll 4
  for (int x = 0; x < kPatchSide; ++x)
    PatchLine(hn::LoadU(D(), places[x] + c), hn::LoadU(D(), places[x + kPatchSide] + c),
              hn::LoadU(D(), places[x + 2 * kPatchSide] + c),
              hn::LoadU(D(), places[x + 3 * kPatchSide] + c), half + x, kPatchSide);
#pragma GCC unroll 4
  for (int y = 0; y < kPatchPlaces; y += kPatchSide)
    PatchLine(half[y], half[y + 1], half[y + 2], half[y + 3], all + y, 1);
#pragma GCC unroll 16
  for (int k = 0; k < kPatchPlaces; ++k) hn::StoreU(all[k], D(), to + k * matrix);
}

void TransformPatch(const float* const* places, int64_t channels, float* to, int64_t matrix) {
  int64_t c = 0;
  for (; c + kLanes <= channels; c += kLanes) PatchVector(places, c, to + c, matrix);
  if (c == channels) return;
  float rest[kPatchPlaces][kLanes] = {};
  const float* of_rest[kPatchPlaces];
  for (int k = 0; k < kPatchPlaces; ++k) {
    std::copy(places[k] + c, places[k] + channels, rest[k]);
    of_rest[k] = rest[k];
  }
  PatchVector(of_rest, 0, to + c, matrix);
}

HWY_INLINE void WeightsLine(V a, V b, V c, V* to, int step) {
  const V half = hn::Set(D(), 0.5f), outer = hn::Add(a, c);
  to[0] = a;
  to[step] = hn::Mul(hn::Add(outer, b), half);
  to[2 * step] = hn::Mul(hn::Sub(outer, b), half);
  to[3 * step] = c;
}

void TransformWeights(const float* from, const int64_t* taps, int64_t lines, float* to,
                      int64_t matrix) {
  for (int64_t i = 0; i < lines * kPanel; i += kLanes) {
    V half[kPatchSide * kKernelSide], all[kPatchPlaces];
#pragma GCC unroll 3
    for (int x = 0; x < kKernelSide; ++x)
      WeightsLine(hn::LoadU(D(), from + taps[x] + i),
                  hn::LoadU(D(), from + taps[x + kKernelSide] + i),
                  hn::LoadU(D(), from + taps[x + 2 * kKernelSide] + i), half + x, kKernelSide);
#pragma GCC unroll 4
    for (int y = 0; y < kPatchSide; ++y)
      WeightsLine(half[kKernelSide * y], half[kKernelSide * y + 1], half[kKernelSide * y + 2],
                  all + kPatchSide * y, 1);
#pragma GCC unroll 16
    for (int k = 0; k < kPatchPlaces; ++k) hn::StoreU(all[k], D(), to + k * matrix + i);
  }
}

HWY_INLINE void ResultLine(V a, V b, V c, V d, V* to, int step) {
  to[0] = hn::Add(hn::Add(a, b), c);
  to[step] = hn::Sub(hn::Sub(b, c), d);
}

void TransformResults(const float* from, int64_t matrix, int64_t columns, float* const* to) {
  for (int64_t c = 0; c < columns; c += kLanes) {
    V half[kResultSide * kPatchSide], all[kTileResults];
    const float* at = from + c;
#pragma GCC unroll 4
    for (int x = 0; x < kPatchSide; ++x)
      ResultLine(hn::LoadU(D(), at + x * matrix), hn::LoadU(D(), at + (x + kPatchSide) * matrix),
                 hn::LoadU(D(), at + (x + 2 * kPatchSide) * matrix),
                 hn::LoadU(D(), at + (x + 3 * kPatchSide) * matrix), half + x, kPatchSide);
#pragma GCC unroll 2
    for (int y = 0; y < kResultSide; ++y)
      ResultLine(half[kPatchSide * y], half[kPatchSide * y + 1], half[kPatchSide * y + 2],
                 half[kPatchSide * y + 3], all + kResultSide * y, 1);
#pragma GCC unroll 4
    for (int k = 0; k < kTileResults; ++k) hn::StoreU(all[k], D(), to[k] + c);
  }
}

WinogradKernels WinogradTransforms() {
  return {TransformPatch, TransformWeights, TransformResults};
}

#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(WinogradTransforms);

WinogradKernels FindWinogradKernels() { return HWY_DYNAMIC_DISPATCH(WinogradTransforms)(); }

}  // namespace impl_cpu
#endif
