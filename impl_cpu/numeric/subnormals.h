// Subnormal numbers are computed with, whatever the caller's program has set up (DT-031).
#ifndef DNNSPEC_IMPL_CPU_NUMERIC_SUBNORMALS_H_
#define DNNSPEC_IMPL_CPU_NUMERIC_SUBNORMALS_H_

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace impl_cpu {

// While one lives, its thread flushes neither operands nor results to zero, as a program that was
// linked with -ffast-math makes it do; loops that it shares out do not either. Everything else of
// the environment, the rounding mode among it, stays the caller's (DT-029, DT-030). Looking at it
// takes three nanoseconds, which are saved where there is nothing to be flushed: without
// `computes`.
class KeepsSubnormals {
 public:
  KeepsSubnormals(const KeepsSubnormals&) = delete;
  KeepsSubnormals& operator=(const KeepsSubnormals&) = delete;

#if defined(__x86_64__)
  explicit KeepsSubnormals(bool computes) : flags_(computes ? _mm_getcsr() & kFlushes : 0) {
    if (flags_ != 0) _mm_setcsr(_mm_getcsr() & ~kFlushes);
  }
  ~KeepsSubnormals() {
    if (flags_ != 0) _mm_setcsr(_mm_getcsr() | flags_);
  }

 private:
  static constexpr unsigned kFlushes = 0x8040;  // of results, of operands
  const unsigned flags_;
#else
  // Not tried on other processors.
  explicit KeepsSubnormals(bool) {}
  ~KeepsSubnormals() {}
#endif
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_NUMERIC_SUBNORMALS_H_
