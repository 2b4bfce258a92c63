// What the layer asks the program that it is loaded into.
#include "tools/mutate/active.h"

extern "C" __attribute__((visibility("default"))) int dnnspec_active_mutant() {
  return mutants::active;
}
