// One parallel loop, and the threads behind it.
#ifndef DNNSPEC_IMPL_CPU_THREADS_PARALLEL_FOR_H_
#define DNNSPEC_IMPL_CPU_THREADS_PARALLEL_FOR_H_

#include <cstdint>

#include "absl/functional/function_ref.h"

namespace impl_cpu {

// How many threads a loop may use, at least 1: the processors that this process may run on, or as
// many as the environment variable DNNSPEC_PROCESSORS says, which is for tests; and no more than
// DNNSPEC_NUM_THREADS says. Read once.
int MaxThreads();

// Calls body(i) once for each 0 <= i < pieces, on at most `threads` threads of which the caller is
// one, and returns when all are done. Each thread begins with pieces side by side, the same ones in
// each loop, and goes on with those that nobody has begun (TaskShares): none waits for a thread
// that is late, and where none can be started or no memory is left, the caller does them all. Every
// thread has the caller's floating-point environment. `body` must not throw.
//
// The threads are started by the first loop that wants them, kept for later ones, and take no
// signals; those that meet their caller on one processor, loop after loop, leave it. A child of
// fork() starts its own. A loop allocates nothing.
void ParallelFor(int64_t pieces, int threads, absl::FunctionRef<void(int64_t)> body);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_THREADS_PARALLEL_FOR_H_
