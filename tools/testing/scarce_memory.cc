#include "tools/testing/scarce_memory.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace tools {
namespace {

thread_local bool limited = false, all = false;
thread_local int64_t left = 0, failures = 0;

void* Allocate(std::size_t bytes) {
  if (limited && left-- <= 0) {
    ++failures;
    limited = all;
    throw std::bad_alloc();
  }
  if (void* const p = std::malloc(bytes == 0 ? 1 : bytes)) return p;
  throw std::bad_alloc();
}

}  // namespace

void LimitAllocations(int64_t enough, bool all_after) {
  left = enough;
  all = all_after;
  failures = 0;
  limited = true;
}

int64_t UnlimitAllocations() {
  limited = false;
  return failures;
}

}  // namespace tools

void* operator new(std::size_t bytes) { return tools::Allocate(bytes); }
void* operator new[](std::size_t bytes) { return tools::Allocate(bytes); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
