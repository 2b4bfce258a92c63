// A buffer between guards, at a chosen distance from an aligned address.
#ifndef DNNSPEC_IMPL_CPU_TESTING_GUARDED_H_
#define DNNSPEC_IMPL_CPU_TESTING_GUARDED_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace impl_cpu {

class Guarded {
 public:
  Guarded(const std::vector<std::byte>& contents, size_t misalignment) : size_(contents.size()) {
    bytes_.assign(size_ + 3 * kGuardBytes, kGuard);
    const size_t aligned = kGuardBytes - reinterpret_cast<uintptr_t>(bytes_.data()) % kGuardBytes;
    start_ = kGuardBytes + aligned % kGuardBytes + misalignment % kGuardBytes;
    std::copy(contents.begin(), contents.end(), data());
  }

  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  std::byte* data() { return bytes_.data() + start_; }
  std::vector<std::byte> contents() const {
    const auto begin = bytes_.begin() + static_cast<ptrdiff_t>(start_);
    return {begin, begin + static_cast<ptrdiff_t>(size_)};
  }
  bool intact() const {
    for (size_t i = 0; i < bytes_.size(); ++i)
      if ((i < start_ || i >= start_ + size_) && bytes_[i] != kGuard) return false;
    return true;
  }

 private:
  static constexpr size_t kGuardBytes = 128;
  static constexpr std::byte kGuard{0xa5};
  size_t start_, size_;
  std::vector<std::byte> bytes_;
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_TESTING_GUARDED_H_
