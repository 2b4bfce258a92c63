// Whether bf16 may be multiplied by an instruction that takes numbers that are subnormal for zeros.
#ifndef DNNSPEC_IMPL_CPU_PRODUCT_NORMAL_BF16_H_
#define DNNSPEC_IMPL_CPU_PRODUCT_NORMAL_BF16_H_

#include <atomic>
#include <cstdint>

namespace impl_cpu {

// The least of the numbers that are not 0, without its sign, as bits of a bf16; 0: all are.
uint16_t LeastSizeOfBf16(const uint16_t* from, int64_t count);

// Numbers whose least size is `a` can be multiplied by numbers of this size and more, and by 0:
// these, the products and all sums of them are 0 or normal. Beyond all sizes where none is so.
uint16_t LeastPartnerOf(uint16_t a);

inline bool ProductsAreNormal(uint16_t a, uint16_t b) { return b == 0 || b >= LeastPartnerOf(a); }

// The least size of what several threads look at.
class LeastBf16 {
 public:
  void Look(const uint16_t* from, int64_t count);
  uint16_t size() const { return static_cast<uint16_t>(before_ + 1); }

 private:
  std::atomic<uint16_t> before_{0xffff};  // one less than the size
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PRODUCT_NORMAL_BF16_H_
