#include "impl_cpu/isa/isa.h"

#include <cstdint>
#include <cstdlib>

#include "absl/strings/match.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/isa/isa.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

const char* Name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(Name);

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
    // The first look-up would choose among all targets for a moment, and SupportedTargets() does:
    // it is not called again.
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return true;
  }();
  static_cast<void>(applied);
}

const char* IsaName() { return HWY_DYNAMIC_DISPATCH(Name)(); }

}  // namespace impl_cpu
#endif  // HWY_ONCE
