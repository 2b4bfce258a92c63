#include "conformance/case/isa.h"

#include <algorithm>
#include <iterator>

namespace conformance {
namespace {

constexpr const char* kNames[] = {
    "none", "sse41", "avx", "avx2", "avx512_core", "avx512_core_vnni", "avx512_core_bf16"};
static_assert(std::size(kNames) == static_cast<size_t>(kBestIsa) + 1);

std::optional<Isa> ByName(std::string_view name) {
  for (size_t i = 1; i < std::size(kNames); ++i)
    if (name == kNames[i]) return static_cast<Isa>(i);
  return std::nullopt;
}

}  // namespace

const char* NameOf(Isa isa) { return kNames[static_cast<size_t>(isa)]; }

Isa IsaOfMachine() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    if (__builtin_cpu_supports("avx512bf16")) return Isa::kAvx512CoreBf16;
    if (__builtin_cpu_supports("avx512vnni")) return Isa::kAvx512CoreVnni;
    return Isa::kAvx512Core;
  }
  if (__builtin_cpu_supports("avx2")) return Isa::kAvx2;
  if (__builtin_cpu_supports("avx")) return Isa::kAvx;
  if (__builtin_cpu_supports("sse4.1")) return Isa::kSse41;
#endif
  return Isa::kNone;
}

bool IsaRange::Overlaps(const IsaRange& other) const {
  const auto begins_inside = [](const IsaRange& a, const IsaRange& b) { return b.Holds(a.least); };
  return begins_inside(*this, other) || begins_inside(other, *this);
}

bool IsIsaCondition(std::string_view word) {
  return word.substr(0, 4) == "isa<" || word.substr(0, 4) == "isa>" || word.substr(0, 4) == "isa=";
}

IsaRange ParseIsaCondition(std::string_view word) {
  IsaRange range;
  const bool from = word.substr(0, 5) == "isa>=";
  const std::optional<Isa> isa = ByName(word.substr(from ? 5 : 4));
  if ((!from && word.substr(0, 4) != "isa<") || !isa) {
    range.error = "'" + std::string(word) + "' is neither isa<NAME nor isa>=NAME; names are";
    for (size_t i = 1; i < std::size(kNames); ++i) range.error += std::string(" ") + kNames[i];
  } else if (from) {
    range.least = *isa;
  } else {
    range.below = *isa;
  }
  return range;
}

}  // namespace conformance
