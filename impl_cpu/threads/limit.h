// What the environment says about threads.
#ifndef DNNSPEC_IMPL_CPU_THREADS_LIMIT_H_
#define DNNSPEC_IMPL_CPU_THREADS_LIMIT_H_

namespace impl_cpu {

// A number of threads as a user writes it: a positive integer. Anything else, and null, is no limit
// and gives INT_MAX.
int ParseThreadLimit(const char* text);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_THREADS_LIMIT_H_
