#include "conformance/mutants/reach.h"

#include <strings.h>

#include <fstream>
#include <sstream>

#include "hwy/targets.h"

namespace conformance {
namespace {

static_assert((HWY_TARGETS & (kAmx | kZen4)) == 0, "bits that are no targets of Highway's");

constexpr char kAmxName[] = "AMX", kZen4Name[] = "AVX3_ZEN4";

// The bit of a target; 0 if there is none of this name.
int64_t TargetOf(const std::string& name) {
  if (strcasecmp(kAmxName, name.c_str()) == 0) return kAmx;
  if (strcasecmp(kZen4Name, name.c_str()) == 0) return kZen4;
  for (int bit = 0; bit < 63; ++bit)
    if (strcasecmp(hwy::TargetName(int64_t{1} << bit), name.c_str()) == 0) return int64_t{1} << bit;
  return 0;
}

// Whether Linux says that it has AMX for bytes and bf16.
bool HasAmx() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.compare(0, 5, "flags") == 0)
      return line.find(" amx_int8") != std::string::npos &&
             line.find(" amx_bf16") != std::string::npos;
  return false;
}

// Of a machine that has AVX3_DL.
bool HasZen4() {
#if HWY_ARCH_X86
  return __builtin_cpu_supports("avx512bf16") && !__builtin_cpu_is("intel");
#else
  return false;
#endif
}

std::string NameOf(int64_t target) {
  return target == kAmx ? kAmxName : target == kZen4 ? kZen4Name : hwy::TargetName(target);
}

int64_t Best(int64_t targets) { return targets & -targets; }

// `target` and all that are better.
int64_t AtLeast(int64_t target) { return target | (target - 1); }

}  // namespace

Reach ReachOf(const std::string& isa, int64_t usable) {
  Reach reach;
  int64_t wanted = ~int64_t{0};
  std::string most;
  std::istringstream words(isa);
  for (std::string word; words >> word;) {
    const std::string name = word.substr(2);
    const int64_t target = TargetOf(name);
    if (target == 0) {
      reach.error = "there is no instruction set " + name;
      return reach;
    }
    wanted &= word[0] == '>' ? AtLeast(target) : ~(target - 1);
    if (word[0] == '<') most = target == kZen4 ? hwy::TargetName(HWY_AVX3_DL) : name;
  }
  if ((usable & wanted) == 0) {
    reach.beyond = "its code is for " + isa + ", the best here is " + NameOf(Best(usable));
  } else if ((Best(usable) & wanted) == 0) {
    reach.cap = most;
  }
  return reach;
}

int64_t UsableTargets(const char* cap) {
  int64_t usable = hwy::SupportedTargets() & HWY_TARGETS;
  if (HasAmx()) usable |= kAmx;
  const int64_t best = cap == nullptr ? 0 : TargetOf(cap);
  if (best != 0) usable &= ~(best - 1);
  if ((usable & HWY_AVX3_DL) != 0 && HasZen4()) usable |= kZen4;
  return usable;
}

}  // namespace conformance
