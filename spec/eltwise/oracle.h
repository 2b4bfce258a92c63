// ORC-ELT: what an element of eltwise may be, forward and backward (oracle.md).
//
//   const EltwiseResult right = EltwiseForward({EltwiseAlgorithm::kExp}, s, {});
//   Accepts(Type::kF32, right, got)
#ifndef DNNSPEC_SPEC_ELTWISE_ORACLE_H_
#define DNNSPEC_SPEC_ELTWISE_ORACLE_H_

#include <optional>
#include <string>

#include "spec/eltwise/functions.h"
#include "spec/numeric/convert.h"

namespace spec {

// How results are judged.
struct EltwiseLimits {
  // Which readings are pinned.
  Strictness readings = Strictness::kPortable;
  // The budgets of project on CPU engines, subnormals and all.
  bool tight = false;
  // Computed in f16, as a result of f16 may be.
  bool half = false;
};

// The f32 numbers that are right: all from low to high, in some ranges, and perhaps NaN.
struct EltwiseResult {
  struct Range {
    float low, high;
  };
  static constexpr int kMostRanges = 6;

  Range ranges[kMostRanges] = {};
  int count = 0;
  bool nan = false;
  Strictness readings = Strictness::kPortable;
  // An integer that is right as it is, without a detour through f32.
  std::optional<Bits> integer;

  void Add(float low, float high);
};

EltwiseResult EltwiseForward(const Eltwise& eltwise, float s, const EltwiseLimits& limits);
// The same of an element of `type`.
EltwiseResult EltwiseForward(const Eltwise& eltwise, Type type, Bits source,
                             const EltwiseLimits& limits);

// By the source. Not of round.
EltwiseResult EltwiseBackward(const Eltwise& eltwise, float s, float dd,
                              const EltwiseLimits& limits);
// By the destination, of algorithms that HasDerivativeByResult.
EltwiseResult EltwiseBackwardByResult(const Eltwise& eltwise, float d, float dd,
                                      const EltwiseLimits& limits);

// Every right evaluation gives the same bits, but for the sign of zero: of f32 elements that are
// not subnormal. Forward, and backward too.
bool IsExactForward(const Eltwise& eltwise);
bool IsExactBackward(const Eltwise& eltwise);

// Whether `got` may come of converting one of them to `type`.
bool Accepts(Type type, const EltwiseResult& result, Bits got);

// "0.5 (0x3f000000)", "0.49 to 0.51 or any nan".
std::string ToString(Type type, const EltwiseResult& result);

}  // namespace spec

#endif  // DNNSPEC_SPEC_ELTWISE_ORACLE_H_
