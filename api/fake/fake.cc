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
  const Counts before = counts();
  counts() = Counts();
  counts().live_engines = before.live_engines;
  counts().live_buffers = before.live_buffers;
  counts().live_plans = before.live_plans;
}

}  // namespace fake
