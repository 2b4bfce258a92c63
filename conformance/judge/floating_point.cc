#include "conformance/judge/floating_point.h"

#include <cfenv>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace conformance {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kFlags = 0x3f;  // of exceptions that happened, in MXCSR
constexpr uint32_t kDenormalsAreZero = 0x40, kFlushToZero = 0x8000;
constexpr int kMasksAt = 7, kRoundingAt = 13;        // in MXCSR
constexpr int kRounding87At = 10, kPrecisionAt = 8;  // in the control word
constexpr int kExtended = 3;                         // the precision that Linux starts with

const char* NameOfRounding(int control) {
  constexpr const char* kNames[] = {"to nearest", "downward", "upward", "toward zero"};
  return kNames[control & 3];
}

// What the masks of either control register let through to a signal handler.
std::string TrapsOf(uint32_t masks) {
  constexpr const char* kNames[] = {"invalid operation", "subnormal operand", "division by zero",
                                    "overflow",          "underflow",         "inexact result"};
  std::string text;
  for (int i = 0; i < 6; ++i)
    if ((masks >> i & 1) == 0) text += std::string(", trapped ") + kNames[i];
  return text;
}
#else
const char* NameOfRounding(int rounding) {
  switch (rounding) {
    case FE_TONEAREST:
      return "to nearest";
#ifdef FE_DOWNWARD
    case FE_DOWNWARD:
      return "downward";
#endif
#ifdef FE_UPWARD
    case FE_UPWARD:
      return "upward";
#endif
#ifdef FE_TOWARDZERO
    case FE_TOWARDZERO:
      return "toward zero";
#endif
    default:
      return "as no mode of C says";
  }
}
#endif

}  // namespace

FloatingPoint FloatingPoint::Current() {
  FloatingPoint now;
#if defined(__x86_64__)
  // Both registers tell all there is to know: fegetround() and fegetexcept() read them too.
  now.control = _mm_getcsr() & ~kFlags;
  asm volatile("fnstcw %0" : "=m"(now.control87));
#else
  now.rounding = std::fegetround();
#if defined(__GLIBC__)
  now.traps = fegetexcept();
#endif
#endif
  return now;
}

void FloatingPoint::PutBack() const {
#if defined(__x86_64__)
  _mm_setcsr(control | (_mm_getcsr() & kFlags));
  asm volatile("fldcw %0" : : "m"(control87));
#else
  std::fesetround(rounding);
#if defined(__GLIBC__)
  fedisableexcept(FE_ALL_EXCEPT);
  feenableexcept(traps);
#endif
#endif
}

std::string FloatingPoint::ToString() const {
#if defined(__x86_64__)
  const uint32_t masks = control >> kMasksAt;
  std::string text = std::string("rounding ") + NameOfRounding(control >> kRoundingAt);
  text += TrapsOf(masks);
  if ((control & kFlushToZero) != 0) text += ", flush-to-zero";
  if ((control & kDenormalsAreZero) != 0) text += ", denormals-are-zero";
  // What long double is computed with: told where it is not as the rest.
  const int rounding87 = control87 >> kRounding87At & 3, precision = control87 >> kPrecisionAt & 3;
  if (rounding87 != static_cast<int>(control >> kRoundingAt & 3))
    text += std::string(", x87 rounding ") + NameOfRounding(rounding87);
  if ((control87 & 0x3f) != (masks & 0x3f)) {
    const std::string traps87 = TrapsOf(control87);
    text += traps87.empty() ? ", x87 without traps" : ", x87" + traps87.substr(1);
  }
  if (precision != kExtended)
    text += std::string(", x87 precision of ") + (precision == 0 ? "24" : "53") + " bits";
  return text;
#else
  std::string text = std::string("rounding ") + NameOfRounding(rounding);
  if (traps != 0) text += ", trapped exceptions " + std::to_string(traps);
  return text;
#endif
}

}  // namespace conformance
