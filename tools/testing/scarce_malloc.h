// malloc that fails when a test says so, in C code and the runtime of C++ too. Linking it replaces
// the allocation functions of C, so such a test is a program of its own, and not for sanitizers.
#ifndef DNNSPEC_TOOLS_TESTING_SCARCE_MALLOC_H_
#define DNNSPEC_TOOLS_TESTING_SCARCE_MALLOC_H_

#include <cstdint>

namespace tools {

// So many further allocations of this process succeed; then all fail, or the next one alone.
void LimitMalloc(int64_t enough, bool all_after);

// So many further calls of operator new succeed. With the next one memory ends, for C as well.
void ExhaustMemoryInNew(int64_t enough);

// No allocation fails from here on. Gives how many have, since they were limited.
int64_t UnlimitMalloc();

}  // namespace tools

#endif  // DNNSPEC_TOOLS_TESTING_SCARCE_MALLOC_H_
