// Tells whether this machine can run the code that a mutant is in.
#ifndef DNNSPEC_CONFORMANCE_MUTANTS_REACH_H_
#define DNNSPEC_CONFORMANCE_MUTANTS_REACH_H_

#include <cstdint>
#include <string>

namespace conformance {

struct Reach {
  std::string cap;     // DNNSPEC_MAX_ISA for its runs; "" to leave it as it is
  std::string beyond;  // why it cannot be run here; "" if it can
  std::string error;   // what is wrong with the range; then the rest means nothing
};

// What Highway 1.0.3 has no targets for, beside its bits: AMX; and AVX3_ZEN4, as later versions
// call AVX3_DL of a processor that multiplies pairs of bf16 as fast as f32. Intel's do not.
constexpr int64_t kAmx = 1, kZen4 = 2;

// `isa` is a range of mutants::Entry::isa, `usable` the targets that may be used, as bits of
// Highway: lower ones are better instruction sets.
Reach ReachOf(const std::string& isa, int64_t usable);

// The machine's targets that kernels are compiled for, AVX3_ZEN4 and AMX, up to `cap`: the value of
// DNNSPEC_MAX_ISA, or null. It has no name for AVX3_ZEN4, which AVX3_DL lets be used.
int64_t UsableTargets(const char* cap);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MUTANTS_REACH_H_
