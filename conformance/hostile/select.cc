// Makes the subject hostile as the environment says, before anything calls it.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tools/mutate/active.h"

namespace {

bool Select() {
  const char* const name = std::getenv("HOSTILE");
  if (name == nullptr || *name == 0) return false;
  for (int number = 1; number <= mutants::kCount; ++number) {
    if (std::strcmp(mutants::kEntries[number].name, name) != 0) continue;
    mutants::active = number;
    return true;
  }
  std::fprintf(stderr, "HOSTILE: there is no subject '%s'\n", name);
  std::_Exit(2);
}

const bool selected = Select();

}  // namespace
