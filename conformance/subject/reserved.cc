#include "conformance/subject/reserved.h"

#include <sys/mman.h>

#include <algorithm>
#include <string>

namespace conformance {

Reserved::Reserved(int64_t bytes) : bytes_(bytes) {
  void* const start = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  start_ = start == MAP_FAILED ? nullptr : static_cast<std::byte*>(start);
}

Reserved::~Reserved() {
  if (start_ != nullptr) munmap(start_, static_cast<size_t>(bytes_));
}

bool ExpectNothingWrapped(const Reserved& memory, const std::vector<int64_t>& offsets,
                          int element_bytes, Trial& trial) {
  std::vector<int64_t> places;
  for (int64_t offset : offsets) places.push_back(offset * element_bytes);
  std::sort(places.begin(), places.end());
  for (int64_t place : places) {
    for (int bits : {31, 32}) {
      const int64_t wrapped = place & ((int64_t{1} << bits) - 1);
      if (wrapped == place || std::binary_search(places.begin(), places.end(), wrapped)) continue;
      for (int i = 0; i < element_bytes; ++i) {
        if (memory.start()[wrapped + i] == std::byte{0}) continue;
        trial.Fail("dst, byte " + std::to_string(wrapped + i) + ", which is byte " +
                       std::to_string(place + i) + " modulo 2^" + std::to_string(bits),
                   "untouched", "written");
        return false;
      }
    }
  }
  return true;
}

void SawOffsets(Trial& trial, const std::vector<int64_t>& offsets, int element_bytes) {
  if (offsets.empty()) return;
  const int64_t last = *std::max_element(offsets.begin(), offsets.end()) * element_bytes;
  if (last >= int64_t{1} << 31) trial.Cover("beyond 2^31 bytes");
  if (last >= int64_t{1} << 32) trial.Cover("beyond 2^32 bytes");
}

}  // namespace conformance
