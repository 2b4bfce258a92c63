// Convolution of bf16, forward and backward data, by the instruction that multiplies them: where
// what is subnormal, which it takes for zeros, cannot matter.
#ifndef DNNSPEC_IMPL_CPU_CONVOLUTION_BF16_H_
#define DNNSPEC_IMPL_CPU_CONVOLUTION_BF16_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "api/convolution/operation.h"
#include "api/spi/implementation.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"
#include "impl_cpu/convolution/direct.h"
#include "impl_cpu/convolution/tiled.h"

namespace impl_cpu {

class Bf16Convolution {
 public:
  // False if this machine has no such instruction, or it is not worth it.
  bool Plan(const spi::Operation& operation, int max_threads);

  // Of any alignment.
  size_t scratchpad_bytes() const;

  // Looks at all that is read, which decides how the result is computed.
  void Run(spi::Buffers buffers, std::byte* scratchpad) const;

  std::string ToString() const { return in_tiles_ ? tiles_.ToString() : products_.ToString(); }

 private:
  // The numbers of a tensor that lie without gaps.
  struct Numbers {
    int buffer = -1;
    int64_t offset = 0, count = 0;
  };

  // Nothing if there are gaps, whose bytes are nobody's to read.
  static bool Find(const spi::Operation& operation, const spi::Layout& layout, Numbers* numbers);
  uint16_t LeastOf(const Numbers& numbers, spi::Buffers buffers) const;

  // Of pairs: by AMX, or what is read where it lies.
  bool in_tiles_ = false;
  TiledConvolution tiles_;
  DirectConvolution products_;
  // Of floats, where something may be subnormal.
  bool by_tiles_ = false;
  DirectConvolution direct_;
  TiledConvolution tiled_;

  Numbers read_, weights_;
  int threads_ = 1;
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVOLUTION_BF16_H_
