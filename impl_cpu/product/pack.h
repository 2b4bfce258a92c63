// Copies of strips of a matrix in the form that tiles read: `width` columns side by side for each
// k, as f32, or as s16 or bf16 with two k side by side for each column.
#ifndef DNNSPEC_IMPL_CPU_PRODUCT_PACK_H_
#define DNNSPEC_IMPL_CPU_PRODUCT_PACK_H_

#include <cstddef>
#include <cstdint>

#include "api/spi/types.h"
#include "impl_cpu/convert/kernel.h"
#include "impl_cpu/convert/transpose.h"
#include "impl_cpu/move/kernel.h"
#include "impl_cpu/product/index.h"
#include "impl_cpu/product/pairs.h"
#include "impl_cpu/product/widening.h"

namespace impl_cpu {

// A matrix by its two sides. Element (k, c) lies offset + k_side(k) + c_side(c) elements from
// `data`.
struct StripSource {
  spi::DataType type = spi::DataType::kUndef;
  const std::byte* data = nullptr;
  int64_t offset = 0;
  const Index* k_side = nullptr;
  const Index* c_side = nullptr;
};

// The elements k0 <= k < k0 + depth, c0 <= c < c0 + cols.
struct Strip {
  int64_t k0 = 0, depth = 0, c0 = 0, cols = 0;
  int64_t width = 0;  // from one k to the next, at least `cols`; what is beyond is 0
};

// Looked up once.
class StripPacker {
 public:
  StripPacker() = default;
  // Of elements of `type`, to f32, or to pairs of s16 where `integers`.
  StripPacker(spi::DataType type, bool integers);

  // `to` holds depth * width f32.
  void ToF32(const StripSource& source, const Strip& strip, float* to) const;
  // `to` holds (depth + 1) / 2 * width * 2; beyond an odd depth there is 0.
  void ToPairs(const StripSource& source, const Strip& strip, int16_t* to) const;
  // The same of a panel, with four k of a column side by side. k0 and depth are multiples of four.
  void QuadsToPairs(const StripSource& source, const Strip& strip, int16_t* to) const;
  // Column c, `depth` bytes, as u8: of s8, the element and 128.
  void ToUnsigned(const StripSource& source, int64_t c, int64_t depth, std::byte* to) const;
  // Pairs of bf16, as ToPairs makes them.
  void ToBf16Pairs(const StripSource& source, const Strip& strip, uint16_t* to) const;
  // The same of at most 16 columns, each as a row of pairs, `row` pairs from one to the next.
  void ToBf16Rows(const StripSource& source, Strip strip, int64_t row, uint16_t* to) const;

 private:
  // The part of a strip in which neighbouring k are as far apart as in `run`.
  void RunToF32(const StripSource& source, const Strip& strip, const Index::Run& run,
                const int64_t* columns, float* to) const;

  // The same for pairs, from where the strip's k is even. How many k it served, an even number.
  int64_t RunToPairs(const std::byte* from, const Strip& strip, const Index::Run& run,
                     const int64_t* columns, int16_t* to) const;

  // The same of bf16, from the first element `from` on. Of the last run of a strip also an odd one.
  int64_t RunToBf16Pairs(const uint16_t* from, const Strip& strip, const Index::Run& run,
                         const int64_t* columns, bool last, uint16_t* to) const;

  BoxKernel rows_ = nullptr;          // f32
  MatrixKernel transpose_ = nullptr;  // f32, or pairs of bytes
  PairKernels pairs_;                 // none where there are no vectors
  JoinKernel join_ = nullptr;         // bf16
  WideningKernel widen_bf16_ = nullptr;
  MatrixKernel transpose_pairs_ = nullptr;
  ConvertKernel widen_ = nullptr;  // others; null where there are no vectors
  FusedTranspose widen_transposed_ = {};
};

// s8 becomes u8: the element and 128.
void AddSignBit(std::byte* bytes, int64_t count);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PRODUCT_PACK_H_
