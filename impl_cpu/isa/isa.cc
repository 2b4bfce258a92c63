#include "impl_cpu/isa/isa.h"

#include <cstdint>
#include <cstdlib>

#include "absl/strings/match.h"
#include "hwy/targets.h"

namespace impl_cpu {

int64_t TargetsBetterThan(const char* name) {
  if (name == nullptr) return 0;
  // Lower bits are better instruction sets.
  for (uint64_t bits = static_cast<uint64_t>(HWY_TARGETS); bits != 0; bits &= bits - 1) {
    const uint64_t target = bits & (~bits + 1);
    if (absl::EqualsIgnoreCase(hwy::TargetName(static_cast<int64_t>(target)), name))
      return static_cast<int64_t>(target - 1);
  }
  return 0;
}

void ApplyIsaLimit() {
  static const bool applied = [] {
    const int64_t better = TargetsBetterThan(std::getenv("DNNSPEC_MAX_ISA"));
    if (better != 0) hwy::DisableTargets(better);
    return true;
  }();
  static_cast<void>(applied);
}

const char* IsaName() {
  const int64_t supported = hwy::SupportedTargets();
  // It has just chosen among all targets for the kernels to come, disabled ones too.
  hwy::GetChosenTarget().Update(supported);
  const uint64_t targets = static_cast<uint64_t>(supported & HWY_TARGETS);
  return hwy::TargetName(static_cast<int64_t>(targets & (~targets + 1)));
}

}  // namespace impl_cpu
