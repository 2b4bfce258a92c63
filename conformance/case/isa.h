// The instruction sets of x86-64 on which a verdict can depend, from the least to the best. Their
// names are those of oneDNN's dnnl_cpu_isa_t.
#ifndef DNNSPEC_CONFORMANCE_CASE_ISA_H_
#define DNNSPEC_CONFORMANCE_CASE_ISA_H_

#include <optional>
#include <string>
#include <string_view>

namespace conformance {

// kNone is below all that have a name, and any other kind of processor.
enum class Isa { kNone, kSse41, kAvx, kAvx2, kAvx512Core, kAvx512CoreVnni, kAvx512CoreBf16 };

inline constexpr Isa kBestIsa = Isa::kAvx512CoreBf16;

// "sse41", "avx2", "avx512_core", ...; "none".
const char* NameOf(Isa isa);

// The best one that this machine has.
Isa IsaOfMachine();

// A condition that a line may carry: "isa<avx512_core" or "isa>=avx512_core".
struct IsaRange {
  Isa least = Isa::kNone;
  std::optional<Isa> below;  // none: all from `least` on
  std::string error;         // what is wrong with the text; then the rest means nothing

  bool Holds(Isa isa) const { return isa >= least && (!below || isa < *below); }
  bool Overlaps(const IsaRange& other) const;
};

// Whether `word` is meant as such a condition, right or wrong.
bool IsIsaCondition(std::string_view word);
IsaRange ParseIsaCondition(std::string_view word);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CASE_ISA_H_
