// Memory that runs out when a test says so. Linking it replaces the allocation functions, so such a
// test is a program of its own.
#ifndef DNNSPEC_TOOLS_TESTING_SCARCE_MEMORY_H_
#define DNNSPEC_TOOLS_TESTING_SCARCE_MEMORY_H_

#include <cstdint>

namespace tools {

// So many further allocations of this thread succeed; then all fail, or the next one alone.
void LimitAllocations(int64_t enough, bool all_after = true);

// No allocation fails from here on. Gives how many have, since they were limited.
int64_t UnlimitAllocations();

}  // namespace tools

#endif  // DNNSPEC_TOOLS_TESTING_SCARCE_MEMORY_H_
