#include "spec/reorder/region.h"

#include "spec/numeric/arithmetic.h"
#include "spec/numeric/compare.h"
#include "spec/numeric/rounding.h"

namespace spec {
namespace {

// `got` is one of the values of `set`, zeros being equal.
bool HoldsValue(const Acceptable& set, Type type, Bits got) {
  for (int i = 0; i < set.count; ++i) {
    if (Between(type, set.values[i], got, set.values[i])) return true;
  }
  return false;
}

bool IsSubnormalF32(float value) { return IsSubnormal(Type::kF32, BitsOf(value)); }

}  // namespace

Region RegionAround(double value, double bound) {
  const float infinity = FloatOf(0x7F800000);
  const double largest = Exact(FloatOf(0x7F7FFFFF));
  return {value - bound < -largest ? -infinity : AtLeast(value - bound),
          value + bound > largest ? infinity : AtMost(value + bound)};
}

bool Holds(const Region& region, Type to, Bits got) {
  if (Between(to, Convert(to, region.low), got, Convert(to, region.high))) return true;
  const bool flushed = IsSubnormalF32(region.low) || IsSubnormalF32(region.high);
  if (to == Type::kF32 && flushed && IsZero(to, got)) return true;
  return HoldsValue(AcceptableConversions(to, region.low, Strictness::kPortable), to, got) ||
         HoldsValue(AcceptableConversions(to, region.high, Strictness::kPortable), to, got);
}

}  // namespace spec
