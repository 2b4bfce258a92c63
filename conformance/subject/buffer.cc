#include "conformance/subject/buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

namespace conformance {
namespace {

template <int kBytes>
void Scatter(std::byte* data, const std::vector<int64_t>& offsets,
             const std::vector<spec::Bits>& values) {
  for (size_t k = 0; k < offsets.size(); ++k)
    std::memcpy(data + offsets[k] * kBytes, &values[k], kBytes);  // little-endian hosts
}

template <int kBytes>
void Gather(const std::byte* data, const std::vector<int64_t>& offsets, spec::Bits* values) {
  for (size_t k = 0; k < offsets.size(); ++k)
    std::memcpy(&values[k], data + offsets[k] * kBytes, kBytes);
}

}  // namespace

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "elements are copied by their low bytes");

Footprint::Footprint(std::vector<int64_t> offsets, int element_bytes, int64_t zone_before,
                     int64_t zone_bytes, uint64_t seed)
    : offsets_(std::move(offsets)),
      element_bytes_(element_bytes),
      zone_before_(zone_before),
      zone_bytes_(zone_bytes),
      seed_(Mix(seed)) {}

void Footprint::Canaries(std::byte* zone) const {
  uint64_t state = seed_;
  int64_t at = 0;
  for (; at < zone_bytes_; at += 8) {
    state += 0x9e3779b97f4a7c15;
    uint64_t word = (state ^ (state >> 29)) * 0xbf58476d1ce4e5b9;
    word ^= word >> 32;
    std::memcpy(zone + at, &word, std::min<int64_t>(8, zone_bytes_ - at));
  }
}

void Footprint::Store(std::byte* data, const std::vector<spec::Bits>& values) const {
  Canaries(data - zone_before_);
  switch (element_bytes_) {
    case 1:
      return Scatter<1>(data, offsets_, values);
    case 2:
      return Scatter<2>(data, offsets_, values);
    case 4:
      return Scatter<4>(data, offsets_, values);
  }
}

std::vector<spec::Bits> Footprint::Load(const std::byte* data) const {
  std::vector<spec::Bits> values(offsets_.size(), 0);
  switch (element_bytes_) {
    case 1:
      Gather<1>(data, offsets_, values.data());
      break;
    case 2:
      Gather<2>(data, offsets_, values.data());
      break;
    case 4:
      Gather<4>(data, offsets_, values.data());
      break;
  }
  return values;
}

std::string Footprint::FirstDifference(const std::byte* data,
                                       const std::vector<std::byte>& wanted) const {
  const std::byte* zone = data - zone_before_;
  if (std::memcmp(zone, wanted.data(), zone_bytes_) == 0) return "";
  int64_t at = 0;
  while (zone[at] == wanted[at]) ++at;
  int64_t end = 0;
  for (int64_t offset : offsets_) end = std::max(end, (offset + 1) * element_bytes_);
  char text[160];
  std::snprintf(text, sizeof(text),
                "byte %lld (element size %d, the last element ends at byte %lld): 0x%02x became "
                "0x%02x",
                static_cast<long long>(at - zone_before_), element_bytes_,
                static_cast<long long>(end), std::to_integer<unsigned>(wanted[at]),
                std::to_integer<unsigned>(zone[at]));
  return text;
}

std::string Footprint::ChangedGap(const std::byte* data) const {
  return ChangedByte(data, Load(data));
}

std::string Footprint::ChangedByte(const std::byte* data,
                                   const std::vector<spec::Bits>& values) const {
  std::vector<std::byte> wanted(zone_bytes_);
  Store(wanted.data() + zone_before_, values);
  return FirstDifference(data, wanted);
}

int64_t BytesFor(int64_t least, uint64_t asked, int element_bytes) {
  constexpr int64_t kLargest = int64_t{64} << 20;
  if (asked > static_cast<uint64_t>(std::max(kLargest, 2 * least))) return least;
  const int64_t bytes = std::max(least, static_cast<int64_t>(asked));
  return (bytes + element_bytes - 1) / element_bytes * element_bytes;
}

// One mapping: an inaccessible page, `capacity` bytes, an inaccessible page.
struct Buffer::Mapping {
  std::byte* start;
  int64_t capacity;

  static int64_t PageBytes() {
    static const int64_t bytes = sysconf(_SC_PAGESIZE);
    return bytes;
  }

  // Returned mappings of up to 16 MiB, by the logarithm of their capacity.
  static constexpr int kClasses = 25;
  static std::vector<std::unique_ptr<Mapping>>& Free(int size_class) {
    static auto* pools = new std::vector<std::unique_ptr<Mapping>>[kClasses];
    return pools[size_class];
  }

  static int ClassOf(int64_t bytes) {
    int size_class = 16;
    while ((int64_t{1} << size_class) < bytes) ++size_class;
    return size_class;
  }

  static std::unique_ptr<Mapping> Take(int64_t bytes) {
    const int size_class = ClassOf(std::max(bytes, PageBytes()));
    if (size_class < kClasses && !Free(size_class).empty()) {
      auto mapping = std::move(Free(size_class).back());
      Free(size_class).pop_back();
      return mapping;
    }
    const int64_t capacity = int64_t{1} << size_class;
    void* all = mmap(nullptr, capacity + 2 * PageBytes(), PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    std::byte* start = static_cast<std::byte*>(all) + PageBytes();
    if (mprotect(start, capacity, PROT_READ | PROT_WRITE) != 0) {
      munmap(all, capacity + 2 * PageBytes());
      throw std::bad_alloc();
    }
    return std::make_unique<Mapping>(Mapping{start, capacity});
  }

  static void Give(std::unique_ptr<Mapping> mapping) {
    const int size_class = ClassOf(mapping->capacity);
    if (size_class < kClasses && Free(size_class).size() < 8) {
      Free(size_class).push_back(std::move(mapping));
      return;
    }
    munmap(mapping->start - PageBytes(), mapping->capacity + 2 * PageBytes());
  }
};

Buffer::Buffer(int64_t bytes, int element_bytes, const Placement& placement) {
  const int64_t shift_bytes = placement.shift * element_bytes;
  mapping_ = Mapping::Take(bytes + shift_bytes + 2 * kZone);
  switch (placement.edge) {
    case Placement::Edge::kMiddle:
      data_ = mapping_->start + kZone + shift_bytes;  // kZone keeps the 64-byte boundary
      zone_before_ = kZone + shift_bytes;
      zone_bytes_ = zone_before_ + bytes + kZone;
      return;
    case Placement::Edge::kStart:
      data_ = mapping_->start;
      zone_before_ = 0;
      zone_bytes_ = bytes + kZone;
      return;
    case Placement::Edge::kEnd:
    case Placement::Edge::kTight:
      data_ = mapping_->start + mapping_->capacity - bytes;
      zone_before_ = kZone;
      zone_bytes_ = kZone + bytes;
      return;
  }
}

Buffer::Buffer(Buffer&&) noexcept = default;
Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(data_, other.data_);
  std::swap(zone_before_, other.zone_before_);
  std::swap(zone_bytes_, other.zone_bytes_);
  return *this;
}
Buffer::~Buffer() {
  if (mapping_ != nullptr) Mapping::Give(std::move(mapping_));
}

}  // namespace conformance
