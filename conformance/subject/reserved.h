// Address space for tensors whose elements lie far apart.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_RESERVED_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_RESERVED_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/case/trial.h"

namespace conformance {

// Bytes of value 0 of which only those that are touched take memory.
class Reserved {
 public:
  explicit Reserved(int64_t bytes);
  ~Reserved();
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;

  std::byte* start() const { return start_; }  // null: there is no such address space
  int64_t bytes() const { return bytes_; }

 private:
  int64_t bytes_;
  std::byte* start_;
};

// An element whose offset was cut to 31 or 32 bits is written to a place where none is: fails the
// trial if one of these places in `memory` is not 0. `offsets` of all elements, in elements.
bool ExpectNothingWrapped(const Reserved& memory, const std::vector<int64_t>& offsets,
                          int element_bytes, Trial& trial);

// Trial::Cover of "beyond 2^31 bytes" and "beyond 2^32 bytes".
void SawOffsets(Trial& trial, const std::vector<int64_t>& offsets, int element_bytes);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_RESERVED_H_
