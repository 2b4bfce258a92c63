// Measures what the process holds of the heap, and of memory as a whole: what calls that are
// repeated leave behind shows here.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_HEAP_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_HEAP_H_

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace conformance {

// Bytes that the allocator has handed out; -1 where nobody says.
inline int64_t AllocatedHeapBytes() {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 held = mallinfo2();
  return static_cast<int64_t>(held.uordblks + held.hblkhd);
#else
  return -1;
#endif
}

// Bytes of the process that lie in memory.
inline int64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t size = 0, resident = 0;
  statm >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// Fewer than any allocation takes: what is left each time takes more.
constexpr int64_t kLeastLeak = 16;

// The bytes that each call of `action` leaves, after as many calls as a twentieth to warm up; 0
// where nobody says. Threads of the subject, or of a driver, may allocate meanwhile for reasons of
// their own, once: what looks like a leak has to be seen three times.
template <class Action>
int64_t BytesLeftByEach(int count, Action action) {
  for (int i = 0; i < count / 20; ++i) action();
  int64_t least = INT64_MAX;
  for (int series = 0; series < 3 && least >= kLeastLeak; ++series) {
    const int64_t before = AllocatedHeapBytes();
    for (int i = 0; i < count; ++i) action();
    least = std::min(least, (AllocatedHeapBytes() - before) / count);
  }
  return least;
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_HEAP_H_
