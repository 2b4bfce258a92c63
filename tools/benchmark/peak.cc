#include "tools/benchmark/peak.h"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tools/benchmark/peak.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// As many as hide the latency of two units, and fewer than there are registers.
constexpr int kSums = 12, kTurns = 1000;

double Chains(float* memory) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  V sums[kSums];
#pragma GCC unroll 12
  for (int i = 0; i < kSums; ++i) sums[i] = hn::Set(d, memory[i]);  // each another one
  const V factor = hn::Set(d, memory[kSums]), term = hn::Set(d, memory[kSums + 1]);
  for (int turn = 0; turn < kTurns; ++turn)
#pragma GCC unroll 12
    for (int i = 0; i < kSums; ++i) sums[i] = hn::MulAdd(sums[i], factor, term);
#pragma GCC unroll 12
  for (int i = 0; i < kSums; ++i) memory[i] = hn::GetLane(sums[i]);
  return 2.0 * kTurns * kSums * static_cast<double>(hn::Lanes(d));
}

}  // namespace HWY_NAMESPACE
}  // namespace bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bench {

HWY_EXPORT(Chains);

double MultiplyAdd() {
  // Sums come near 2 and stay there.
  static float memory[] = {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f,
                           0.8f, 0.9f, 1.0f, 1.1f, 1.2f, 0.5f, 1.0f};
  return HWY_DYNAMIC_DISPATCH(Chains)(memory);
}

}  // namespace bench
#endif
