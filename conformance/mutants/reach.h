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

// AMX, which Highway has no target for, beside its bits.
constexpr int64_t kAmx = 1;

// `isa` is a range of mutants::Entry::isa, `usable` the targets that may be used, as bits of
// Highway: lower ones are better instruction sets.
Reach ReachOf(const std::string& isa, int64_t usable);

// The machine's targets that kernels are compiled for, and AMX, up to `cap`: the value of
// DNNSPEC_MAX_ISA, or null.
int64_t UsableTargets(const char* cap);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MUTANTS_REACH_H_
