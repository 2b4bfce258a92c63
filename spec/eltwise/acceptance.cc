// Comparison of an element with what it may be.
#include <cmath>
#include <limits>
#include <string>

#include "spec/eltwise/oracle.h"
#include "spec/numeric/compare.h"

namespace spec {
namespace {

bool AcceptsNan(Type type, Bits got, Strictness readings) {
  return AcceptableConversions(type, std::numeric_limits<float>::quiet_NaN(), readings)
      .Holds(type, got);
}

}  // namespace

void EltwiseResult::Add(float low, float high) {
  if (count < kMostRanges) ranges[count++] = {low, high};
}

bool Accepts(Type type, const EltwiseResult& result, Bits got) {
  if (result.integer && got == *result.integer) return true;
  if (result.nan && AcceptsNan(type, got, result.readings)) return true;
  for (int k = 0; k < result.count; ++k) {
    const auto [low, high] = result.ranges[k];
    if (Between(type, Convert(type, low), got, Convert(type, high))) return true;
    // Beside nearest even, a narrowing may have readings of its own.
    if (AcceptableConversions(type, low, result.readings).Holds(type, got) ||
        AcceptableConversions(type, high, result.readings).Holds(type, got))
      return true;
  }
  return false;
}

std::string ToString(Type type, const EltwiseResult& result) {
  std::string text;
  const auto add = [&text](const std::string& more) {
    text += (text.empty() ? "" : " or ") + more;
  };
  for (int k = 0; k < result.count; ++k) {
    const Bits low = Convert(type, result.ranges[k].low),
               high = Convert(type, result.ranges[k].high);
    add(low == high ? ToString(type, low) : ToString(type, low) + " to " + ToString(type, high));
  }
  if (result.integer) add(ToString(type, *result.integer));
  if (result.nan)
    add(ToString(type, AcceptableConversions(type, std::numeric_limits<float>::quiet_NaN(),
                                             result.readings)));
  return text;
}

}  // namespace spec
