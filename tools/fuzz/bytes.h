// Small numbers out of a fuzzer's bytes.
#ifndef DNNSPEC_TOOLS_FUZZ_BYTES_H_
#define DNNSPEC_TOOLS_FUZZ_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tools {

// Reads from the front; past the end every byte is 0, so that each prefix of an input means
// something.
class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}

  uint8_t Next() { return at_ < size_ ? data_[at_++] : 0; }
  // In [low, high], from one byte; high - low < 256.
  int64_t Between(int64_t low, int64_t high) { return low + Next() % (high - low + 1); }
  bool Flag() { return Next() % 2 == 1; }
  template <class T>
  T Pick(const std::vector<T>& from) {
    return from[Next() % from.size()];
  }
  uint64_t Word() {
    uint64_t word = 0;
    for (int i = 0; i < 8; ++i) word = word << 8 | Next();
    return word;
  }

 private:
  const uint8_t* data_;
  size_t size_;
  size_t at_ = 0;
};

}  // namespace tools

#endif  // DNNSPEC_TOOLS_FUZZ_BYTES_H_
