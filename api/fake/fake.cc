#include "api/fake/fake.h"

namespace fake {

Controls& controls() {
  static Controls controls;
  return controls;
}

Counts& counts() {
  static Counts counts;
  return counts;
}

void Reset() {
  controls() = Controls();
  for (Count* count : {&counts().plans, &counts().executions, &counts().allocations,
                       &counts().wraps, &counts().transfers, &counts().hints})
    *count = 0;
}

}  // namespace fake
