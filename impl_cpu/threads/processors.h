// Counts the threads that this process may use.
#ifndef DNNSPEC_IMPL_CPU_THREADS_PROCESSORS_H_
#define DNNSPEC_IMPL_CPU_THREADS_PROCESSORS_H_

#include <sched.h>

namespace impl_cpu {

// A number of threads as a user writes it: a positive integer. Anything else, and null, is no limit
// and gives INT_MAX.
int ParseThreadLimit(const char* text);

// Those that the main thread of this process may run on. Read once, as early as anybody asks: some
// runtimes pin the main thread to one of them later.
struct Processors {
  int count;      // at least 1
  bool known;     // which ones they are
  cpu_set_t set;  // where that is known
};
const Processors& AvailableProcessors();

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_THREADS_PROCESSORS_H_
