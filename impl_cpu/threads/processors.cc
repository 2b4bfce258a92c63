#include "impl_cpu/threads/processors.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <thread>

#include "absl/strings/numbers.h"

namespace impl_cpu {

int ParseThreadLimit(const char* text) {
  int limit = 0;
  return text != nullptr && absl::SimpleAtoi(text, &limit) && limit > 0 ? limit : INT_MAX;
}

const Processors& AvailableProcessors() {
  static const Processors processors = [] {
    Processors found = {};
    // Of the main thread: the caller may be pinned by its program. Fails beyond 1024 processors.
    found.known = sched_getaffinity(getpid(), sizeof(found.set), &found.set) == 0;
    found.count =
        found.known ? CPU_COUNT(&found.set) : static_cast<int>(std::thread::hardware_concurrency());
    found.count = std::max(found.count, 1);
    return found;
  }();
  return processors;
}

}  // namespace impl_cpu
