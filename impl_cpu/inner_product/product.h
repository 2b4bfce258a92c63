// An inner product of any direction as one matrix product, and what follows it:
//
//   c(m, n) = finish(sum over k of a(m, k) * b(k, n))
//
//                      m        k        n        a         b         c
//   forward            batch    inputs   outputs  src       weights   dst
//   backward data      batch    outputs  inputs   diff_dst  weights   diff_src
//   backward weights   inputs   batch    outputs  src       diff_dst  diff_weights
//            or        outputs  batch    inputs   diff_dst  src       diff_weights
//            bias      one      batch    outputs  ones      diff_dst  diff_bias
//
// Inputs are counted in the order in which the tensor that matters most stores them. All matrices
// are views of tensors in any layout. Plain values.
#ifndef DNNSPEC_IMPL_CPU_INNER_PRODUCT_PRODUCT_H_
#define DNNSPEC_IMPL_CPU_INNER_PRODUCT_PRODUCT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "api/inner_product/operation.h"
#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "api/spi/types.h"
#include "impl_cpu/product/arguments.h"
#include "impl_cpu/product/finish.h"
#include "impl_cpu/product/index.h"

namespace impl_cpu {

// Element (i, j) lies offset + rows(i) + cols(j) elements from the start of its buffer.
struct Matrix {
  spi::DataType type = spi::DataType::kUndef;
  int buffer = -1;  // its place among the buffers of an execution; -1: every element is 1
  int64_t offset = 0;
  Index rows, cols;
  // Of b, and of c that is a gradient, where columns lie in blocks of 16, the last of which is
  // whole in memory, and the k (the rows of c) of a block without a gap: how many of these, of a
  // column, lie side by side. Otherwise 0.
  int panel_depth = 0;
};

// The address from which rows and columns are counted; null where every element is 1.
inline std::byte* DataOf(const Matrix& matrix, spi::Buffers buffers) {
  if (matrix.buffer < 0) return nullptr;
  return DataOf(matrix.buffer, buffers) + matrix.offset * spi::SizeOf(matrix.type);
}

struct Product {
  int64_t m = 0, n = 0, k = 0;
  Matrix a, b, c;
  // a and b are integers of 8 bits and sums are s32; otherwise all is widened to f32.
  bool integers = false;
  Finish finish;
};

// The products of an operation whose layouts are all known: one, or two where there is a gradient
// of the bias.
std::vector<Product> ProductsOf(const spi::Operation& operation);

// The axes of `layout` behind the first, in the order in which they are stored. What the innermost
// block holds comes last.
std::vector<int> StoredOrder(const spi::Layout& layout);

// "f32xf32->f32 64x1000 of 2048 bias eltwise".
std::string ToString(const Product& product);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_INNER_PRODUCT_PRODUCT_H_
