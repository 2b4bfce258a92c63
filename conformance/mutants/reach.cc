#include "conformance/mutants/reach.h"

#include <strings.h>

#include <sstream>

#include "hwy/targets.h"

namespace conformance {
namespace {

// The bit of a target; 0 if there is none of this name.
int64_t TargetOf(const std::string& name) {
  for (int bit = 0; bit < 63; ++bit)
    if (strcasecmp(hwy::TargetName(int64_t{1} << bit), name.c_str()) == 0) return int64_t{1} << bit;
  return 0;
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
      reach.error = "no instruction set of Highway is called " + name;
      return reach;
    }
    wanted &= word[0] == '>' ? AtLeast(target) : ~(target - 1);
    if (word[0] == '<') most = name;
  }
  if ((usable & wanted) == 0) {
    reach.beyond = "its code is for " + isa + ", the best here is " + hwy::TargetName(Best(usable));
  } else if ((Best(usable) & wanted) == 0) {
    reach.cap = most;
  }
  return reach;
}

int64_t UsableTargets(const char* cap) {
  const int64_t compiled = hwy::SupportedTargets() & HWY_TARGETS;
  const int64_t best = cap == nullptr ? 0 : TargetOf(cap);
  return best == 0 ? compiled : compiled & ~(best - 1);
}

}  // namespace conformance
