#include "impl_cpu/isa/amx.h"

#include "impl_cpu/isa/isa.h"

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#endif

namespace impl_cpu {

#if defined(__x86_64__) && defined(__linux__)

namespace {

// Of CPUID leaf 7: bf16, tiles, bytes. Of leaf 1: the system tells what it saves.
constexpr uint32_t kOfLeaf7 = 1u << 22 | 1u << 24 | 1u << 25, kOsXsave = 1u << 27;
// What the system saves of tiles: their shapes and their data.
constexpr uint64_t kTileState = 1u << 17 | 1u << 18;

bool MachineHas() {
  uint32_t a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kOsXsave) == 0) return false;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (d & kOfLeaf7) != kOfLeaf7) return false;
  uint32_t low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & kTileState) == kTileState;
}

// Linux wants to be asked before the first use (Documentation/arch/x86/xstate.rst); what is older
// than that refuses.
bool SystemAllows() {
  constexpr long kAskForFeature = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kAskForFeature, kTileData) == 0;
}

}  // namespace

bool MayUseAmx() {
  static const bool may = !IsaIsLimited() && MachineHas() && SystemAllows();
  return may;
}

#else

bool MayUseAmx() { return false; }

#endif

}  // namespace impl_cpu
