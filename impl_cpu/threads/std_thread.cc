// A thread for each loop and helper, from the standard library: nothing to install, and nothing
// that ThreadSanitizer cannot see. Starting a thread costs tens of microseconds.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"
#include "impl_cpu/threads/limit.h"
#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {

int MaxThreads() {
  static const int count =
      std::max(1, std::min(ParseThreadLimit(std::getenv("DNNSPEC_NUM_THREADS")),
                           static_cast<int>(std::thread::hardware_concurrency())));
  return count;
}

void ParallelFor(int64_t pieces, int threads, absl::FunctionRef<void(int64_t)> body) {
  if (threads <= 1 || pieces <= 1) {
    for (int64_t i = 0; i < pieces; ++i) body(i);
    return;
  }
  std::atomic<int64_t> next{0};
  const auto claim = [&] {
    for (int64_t i = next++; i < pieces; i = next++) body(i);
  };
  std::vector<std::thread> helpers;
  try {
    const auto count = static_cast<std::size_t>(std::min<int64_t>(threads, pieces)) - 1;
    helpers.reserve(count);
    while (helpers.size() < count) helpers.emplace_back(claim);
  } catch (...) {
    // No further thread was to be had: those that run and the caller do it all.
  }
  claim();
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace impl_cpu
