// How the calling thread computes with floating-point numbers, as far as a call has to leave that
// alone: the flags of exceptions that happened are not part of it.
#ifndef DNNSPEC_CONFORMANCE_JUDGE_FLOATING_POINT_H_
#define DNNSPEC_CONFORMANCE_JUDGE_FLOATING_POINT_H_

#include <cstdint>
#include <string>

namespace conformance {

struct FloatingPoint {
  int rounding = 0;        // as fegetround() gives it
  int traps = 0;           // as fegetexcept() gives it
  uint32_t control = 0;    // of x86: MXCSR without the flags; else 0
  uint16_t control87 = 0;  // of x86: the control word of the x87; else 0

  static FloatingPoint Current();
  // Makes the calling thread compute so again, and leaves the flags.
  void PutBack() const;

  // "rounding to nearest", "rounding upward, trapped division by zero, flush-to-zero".
  std::string ToString() const;

  bool operator==(const FloatingPoint& other) const {
    return rounding == other.rounding && traps == other.traps && control == other.control &&
           control87 == other.control87;
  }
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_JUDGE_FLOATING_POINT_H_
