#include "tools/testing/scarce_malloc.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <new>

// What glibc's functions are called inside.
extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* old, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
}

namespace tools {
namespace {

// Constants initialise these: malloc is called before main.
std::atomic<int64_t> left{INT64_MAX}, left_for_new{INT64_MAX};
std::atomic<int64_t> failures{0};
std::atomic<bool> all{false};

bool Fails() {
  if (left.load() == INT64_MAX) return false;
  const int64_t before = left--;
  if (before > 0 || (before < 0 && !all)) return false;
  ++failures;
  errno = ENOMEM;
  return true;
}

}  // namespace

void LimitMalloc(int64_t enough, bool all_after) {
  all = all_after;
  failures = 0;
  left = enough;
}

void ExhaustMemoryInNew(int64_t enough) {
  failures = 0;
  left_for_new = enough;
}

int64_t UnlimitMalloc() {
  left_for_new = INT64_MAX;
  left = INT64_MAX;
  return failures;
}

}  // namespace tools

extern "C" {

void* malloc(size_t bytes) { return tools::Fails() ? nullptr : __libc_malloc(bytes); }

void* calloc(size_t count, size_t bytes) {
  return tools::Fails() ? nullptr : __libc_calloc(count, bytes);
}

void* realloc(void* old, size_t bytes) {
  return tools::Fails() ? nullptr : __libc_realloc(old, bytes);
}

void* memalign(size_t alignment, size_t bytes) {
  return tools::Fails() ? nullptr : __libc_memalign(alignment, bytes);
}

void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void** result, size_t alignment, size_t bytes) {
  void* const memory = memalign(alignment, bytes);
  if (memory == nullptr) return ENOMEM;
  *result = memory;
  return 0;
}

}  // extern "C"

void* operator new(std::size_t bytes) {
  if (tools::left_for_new.load() != INT64_MAX && tools::left_for_new-- == 0)
    tools::LimitMalloc(0, true);
  if (void* const p = malloc(bytes == 0 ? 1 : bytes)) return p;
  throw std::bad_alloc();
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
