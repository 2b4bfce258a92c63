// Host memory for one tensor, with random canaries before, between and after its elements
// (ORC-CANARY).
//
// Buffers come from a pool of mappings with an inaccessible page on both sides, so that making one
// costs no system call. Not thread-safe: one thread makes and drops buffers.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_BUFFER_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conformance/case/random.h"
#include "conformance/gen/placement.h"
#include "spec/numeric/convert.h"

namespace conformance {

// Which bytes of a stretch of memory are elements, and the pattern of the others.
class Footprint {
 public:
  // Element k is the `element_bytes` at offsets[k] * element_bytes from the address called `data`
  // below; `zone_before` and `zone_bytes` say where the stretch starts and how long it is. Every
  // element lies in it.
  Footprint(std::vector<int64_t> offsets, int element_bytes, int64_t zone_before,
            int64_t zone_bytes, uint64_t seed);

  // Canaries everywhere, then values[k] to element k.
  void Store(std::byte* data, const std::vector<spec::Bits>& values) const;

  std::vector<spec::Bits> Load(const std::byte* data) const;

  // The first byte outside the elements that is not its canary, as text: "byte 17 (element size 4,
  // 3 elements end at byte 44): 0x5a became 0x00"; empty if there is none.
  std::string ChangedGap(const std::byte* data) const;

  // The same for all bytes, where element k should hold values[k].
  std::string ChangedByte(const std::byte* data, const std::vector<spec::Bits>& values) const;

 private:
  std::string FirstDifference(const std::byte* data, const std::vector<std::byte>& wanted) const;
  void Canaries(std::byte* zone) const;

  std::vector<int64_t> offsets_;
  int element_bytes_;
  int64_t zone_before_, zone_bytes_;
  uint64_t seed_;
};

// Bytes for a buffer whose elements need `least`, where the subject's get_size() asks for `asked`:
// the larger, in whole elements. What no tensor of a case needs (a wildcard, more than 64 MiB and
// twice the least) is no size, and left to the checks of get_size().
int64_t BytesFor(int64_t least, uint64_t asked, int element_bytes);

// A pooled piece of memory. Movable.
class Buffer {
 public:
  // The least number of bytes on each side that belongs to the buffer's owner too, unless the
  // placement puts an inaccessible page there.
  static constexpr int64_t kZone = 128;

  // `bytes` for the data, placed as told; shifts count `element_bytes`.
  Buffer(int64_t bytes, int element_bytes, const Placement& placement);
  Buffer(Buffer&&) noexcept;
  Buffer& operator=(Buffer&&) noexcept;
  ~Buffer();

  std::byte* data() const { return data_; }
  int64_t zone_before() const { return zone_before_; }
  int64_t zone_bytes() const { return zone_bytes_; }

 private:
  struct Mapping;
  std::unique_ptr<Mapping> mapping_;
  std::byte* data_;
  int64_t zone_before_, zone_bytes_;
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_BUFFER_H_
