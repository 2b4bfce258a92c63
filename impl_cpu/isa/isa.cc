#include "impl_cpu/isa/isa.h"

#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "impl_cpu/isa/amx.h"
#include "impl_cpu/isa/avx3_dl.h"  // all that any kernel is compiled for
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/isa/isa.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

const char* Name() { return hwy::TargetName(HWY_TARGET); }
int64_t Target() { return HWY_TARGET; }

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(Name);
HWY_EXPORT(Target);

namespace {

absl::Status UnknownName(const char* name) {
  std::string known;
  for (uint64_t bits = static_cast<uint64_t>(HWY_TARGETS); bits != 0; bits &= bits - 1)
    absl::StrAppend(&known, " ", hwy::TargetName(static_cast<int64_t>(bits & (~bits + 1))));
  return absl::InvalidArgumentError(
      absl::StrCat("cpu: DNNSPEC_MAX_ISA = ", name,
                   " is no instruction set of this library; it has AMX", known));
}

}  // namespace

std::optional<int64_t> TargetsBetterThan(const char* name) {
  // Without instructions for vectors: the compiler decides which of two targets that is.
  if (absl::EqualsIgnoreCase(name, "SCALAR") && (HWY_TARGETS & HWY_SCALAR) == 0)
    name = hwy::TargetName(HWY_EMU128);
  // Lower bits are better instruction sets.
  for (uint64_t bits = static_cast<uint64_t>(HWY_TARGETS); bits != 0; bits &= bits - 1) {
    const uint64_t target = bits & (~bits + 1);
    if (absl::EqualsIgnoreCase(hwy::TargetName(static_cast<int64_t>(target)), name))
      return static_cast<int64_t>(target - 1);
  }
  return std::nullopt;
}

bool IsaIsLimited() {
  const char* const name = std::getenv("DNNSPEC_MAX_ISA");
  return name != nullptr && *name != '\0' && !absl::EqualsIgnoreCase(name, "AMX");
}

absl::Status ApplyIsaLimit() {
  static const absl::Status* const applied = [] {
    const char* const name = std::getenv("DNNSPEC_MAX_ISA");
    const std::optional<int64_t> better = IsaIsLimited() ? TargetsBetterThan(name) : 0;
    if (better.value_or(0) != 0) hwy::DisableTargets(*better);
    // The first look-up would choose among all targets for a moment, and SupportedTargets() does:
    // it is not called again.
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return new absl::Status(better ? absl::OkStatus() : UnknownName(name));
  }();
  return *applied;
}

const char* IsaName() { return HWY_DYNAMIC_DISPATCH(Name)(); }

spi::CpuIsa IsaInUse() {
#if HWY_ARCH_X86
  const int64_t target = HWY_DYNAMIC_DISPATCH(Target)();  // lower bits are better
  if (target <= HWY_AVX3_DL) {
    if (MayUseAmx()) return spi::CpuIsa::kAvx512CoreAmx;
    return __builtin_cpu_supports("avx512bf16") ? spi::CpuIsa::kAvx512CoreBf16
                                                : spi::CpuIsa::kAvx512CoreVnni;
  }
  if (target <= HWY_AVX3) return spi::CpuIsa::kAvx512Core;
  if (target <= HWY_AVX2) return spi::CpuIsa::kAvx2;
  if (target <= HWY_SSE4) return spi::CpuIsa::kSse41;
#endif
  return spi::CpuIsa::kAll;
}

}  // namespace impl_cpu
#endif  // HWY_ONCE
