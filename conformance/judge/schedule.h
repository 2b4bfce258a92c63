// Judges many properties at once.
#ifndef DNNSPEC_CONFORMANCE_JUDGE_SCHEDULE_H_
#define DNNSPEC_CONFORMANCE_JUDGE_SCHEDULE_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/judge/judge.h"

namespace conformance {

// How far a run is.
struct Progress {
  size_t done = 0, total = 0;  // properties
  int64_t cases = 0;
  const Property* latest = nullptr;  // a property that is being judged
};

struct Watcher {
  // A property came to an end. They end in any order.
  std::function<void(size_t index, PropertyResult result)> ended;
  // Called a few times a second.
  std::function<void(const Progress& progress)> looked;
  // Asked as often, where it is set: true ends the run at once. What has not ended then never does.
  std::function<bool()> stop;
};

// Judges properties[i] as run_options[i] says, `jobs` at a time, in processes of their own: this
// one calls neither the subject nor a generator. Starts them in order.
void JudgeAll(const std::vector<const Property*>& properties,
              const std::vector<RunOptions>& run_options, int jobs, const Watcher& watcher);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_JUDGE_SCHEDULE_H_
