// Tells which mutant is active in a library that mutate made: 0 for none. And what mutants are made
// of.
#ifndef DNNSPEC_TOOLS_MUTATE_ACTIVE_H_
#define DNNSPEC_TOOLS_MUTATE_ACTIVE_H_

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace mutants {

// Set before the library is used, in a process of its own for each mutant.
extern int active;

inline bool On(int number) { return number == active; }

// With `active` at kWatching no mutant is active, and Comes() notes in `come`, by number, whose
// places are come to.
inline constexpr int kWatching = -1;
inline std::atomic<bool>* come = nullptr;

// What the place of an allowed mutant asks: Asks(), the condition under which it is wrong, Comes().
inline bool Asks(int number) { return active == number || active == kWatching; }
inline bool Comes(int number) {
  if (active == kWatching) come[number].store(true, std::memory_order_relaxed);
  return active == number;
}

struct Entry {
  const char* name;
  const char* area;
  const char* kills;    // a property and ids of requirements, separated by blanks
  const char* allowed;  // what leaves it open to others; "" when nothing does
  const char* isa;      // the instruction sets that compile it: ">=AVX3", ...; "" for all
  const char* file;
  const char* why;
};

// kEntries[1] to kEntries[kCount]; number 0 is the library without a fault.
extern const Entry kEntries[];
extern const int kCount;

// Work that was put off, in the order in which it came.
inline std::vector<std::function<void()>>& Pending() {
  static auto* const pending = new std::vector<std::function<void()>>;
  return *pending;
}

inline void RunPending(bool last_first) {
  std::vector<std::function<void()>> work;
  work.swap(Pending());
  while (!work.empty()) {
    const auto at = last_first ? work.end() - 1 : work.begin();
    (*at)();
    work.erase(at);
  }
}

// The same for each of several owners. Different threads may ask for different owners at once.
inline std::vector<std::function<void()>>& PendingOf(const void* owner) {
  static auto* const pending = new std::map<const void*, std::vector<std::function<void()>>>;
  static auto* const mutex = new std::mutex;
  const std::lock_guard<std::mutex> lock(*mutex);
  return (*pending)[owner];
}

inline void RunPendingOf(const void* owner) {
  std::vector<std::function<void()>> work;
  work.swap(PendingOf(owner));
  for (const auto& each : work) each();
}

// Some time after the call, on a thread that nobody waits for.
inline void RunLater(std::function<void()> work) {
  std::thread([work = std::move(work)] {
    usleep(2000);
    work();
  }).detach();
}

// A cache: what was made first under `key`.
template <typename T, typename Make>
T Cached(const std::string& key, Make make) {
  static auto* const known = new std::map<std::string, T>;
  const auto at = known->find(key);
  if (at != known->end()) return at->second;
  return known->emplace(key, make()).first->second;
}

// Numbers as a key.
template <typename... T>
std::string Key(const T&... parts) {
  std::string key;
  ((key += std::to_string(parts) + " "), ...);
  return key;
}

template <typename T>
std::string KeyOf(const T* values, std::size_t count) {
  std::string key;
  for (std::size_t i = 0; i < count; ++i) key += std::to_string(values[i]) + " ";
  return key + "; ";
}

// What all threads keep in one place between two of their steps.
template <typename T>
T Mixed(const T& value) {
  static T* const shared = new T;
  *shared = value;
  std::this_thread::yield();
  return *shared;
}

// Runs `run` and takes back what it did to `bytes` bytes at `at`.
template <typename Run>
auto Keeping(void* at, int64_t bytes, Run run) {
  const std::string before(static_cast<const char*>(at), static_cast<std::size_t>(bytes));
  auto result = run();
  std::memcpy(at, before.data(), before.size());
  return result;
}

// Where the last element of a plain layout lies.
template <typename Layout>
int64_t LastOf(const Layout& layout) {
  int64_t at = layout.offset;
  for (int j = 0; j < layout.rank; ++j) at += (layout.dims[j] - 1) * layout.strides[j];
  return at;
}

// The number of elements of a layout.
template <typename Layout>
int64_t CountOf(const Layout& layout) {
  int64_t count = 1;
  for (int j = 0; j < layout.rank; ++j) count *= layout.dims[j];
  return count;
}

// The layout of the same dims without gaps, in row-major order, around blocks of `block` elements
// of axis `axis`.
template <typename Layout>
Layout RowMajor(Layout layout, int axis = 0, int32_t block = 1) {
  layout.kind = decltype(layout.kind)::kStrided;
  layout.offset = 0;
  layout.block_count = block > 1 ? 1 : 0;
  layout.blocks = {};
  if (block > 1) layout.blocks[0] = {axis, block};
  int64_t step = block;
  for (int j = layout.rank - 1; j >= 0; --j) {
    layout.strides[j] = step;
    step *= StepsAlong(layout, j);
  }
  return layout;
}

// An opaque layout: the axis that is innermost in a plain one in blocks of 4, the last one padded.
template <typename Layout>
Layout Blocked(const Layout& plain) {
  int inner = plain.rank - 1;
  for (int j = plain.rank - 1; j >= 0; --j)
    if (plain.dims[j] > 1 && (plain.dims[inner] == 1 || plain.strides[j] < plain.strides[inner]))
      inner = j;
  return RowMajor(plain, inner, 4);
}

// Whether the caller is the thread that asked first.
inline bool OnFirstThread() {
  static const std::thread::id first = std::this_thread::get_id();
  return std::this_thread::get_id() == first;
}

// Whether something has happened before in this process.
inline bool& Happened() {
  static bool happened = false;
  return happened;
}

// A copy of `bytes` bytes, to be freed.
inline void* Copied(const void* from, std::size_t bytes) {
  return std::memcpy(std::malloc(bytes), from, bytes);
}

}  // namespace mutants

#endif  // DNNSPEC_TOOLS_MUTATE_ACTIVE_H_
