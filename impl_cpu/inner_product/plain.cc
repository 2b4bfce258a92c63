#include "impl_cpu/inner_product/plain.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "impl_cpu/numeric/storage.h"
#include "impl_cpu/product/arguments.h"
#include "impl_cpu/product/finish_kernel.h"

namespace impl_cpu {
namespace {

// Rows of `matrix` along k: element k of a row lies at `row` and the offset of k.
struct Reader {
  Reader(const Matrix& of, const Index& along_k, spi::Buffers buffers)
      : matrix(of), k_side(along_k), data(DataOf(of.buffer, buffers)) {}

  const std::byte* At(int64_t row, int64_t k) const {
    return data + (matrix.offset + row + k_side.OffsetOf(k)) * spi::SizeOf(matrix.type);
  }

  const Matrix& matrix;
  const Index& k_side;
  const std::byte* const data;
};

double SumOfFloats(const Product& product, const Reader& a, int64_t row, const Reader& b,
                   int64_t column) {
  double sum = 0;
  for (int64_t k = 0; k < product.k; ++k) {
    const float x = a.data == nullptr ? 1 : LoadWidened(product.a.type, a.At(row, k));
    sum +=
        static_cast<double>(x) * static_cast<double>(LoadWidened(product.b.type, b.At(column, k)));
  }
  return sum;
}

int32_t SumOfIntegers(const Product& product, const Reader& a, int64_t row, const Reader& b,
                      int64_t column) {
  uint32_t sum = 0;  // wraps where 32 bits do not hold it
  for (int64_t k = 0; k < product.k; ++k)
    sum += static_cast<uint32_t>(LoadInteger(product.a.type, a.At(row, k)) *
                                 LoadInteger(product.b.type, b.At(column, k)));
  return static_cast<int32_t>(sum);
}

void StoreExact(int32_t sum, int32_t bias, std::byte* to) {
  const auto value =
      static_cast<int32_t>(std::clamp<int64_t>(int64_t{sum} + bias, INT32_MIN, INT32_MAX));
  std::memcpy(to, &value, sizeof(value));
}

}  // namespace

void RunPlainProduct(const Product& product, spi::Buffers buffers) {
  const Finish& finish = product.finish;
  const Reader a(product.a, product.a.cols, buffers), b(product.b, product.b.rows, buffers);
  const std::byte* const bias = DataOf(finish.bias_buffer, buffers);
  const float* const scales = ScalesOf(finish, buffers);
  std::byte* const c = DataOf(product.c.buffer, buffers);
  for (int64_t n = 0; n < product.n; ++n) {
    const int64_t column = product.b.cols.OffsetOf(n);
    ColumnNumbers numbers = {};
    ReadColumnNumbers(finish, bias, scales, n, 1, &numbers);
    for (int64_t m = 0; m < product.m; ++m) {
      const int64_t row = product.a.rows.OffsetOf(m);
      std::byte* const to =
          c + (product.c.offset + product.c.rows.OffsetOf(m) + product.c.cols.OffsetOf(n)) *
                  spi::SizeOf(product.c.type);
      if (product.integers && finish.exact) {
        StoreExact(SumOfIntegers(product, a, row, b, column), numbers.exact_bias[0], to);
        continue;
      }
      const float sum = product.integers
                            ? static_cast<float>(SumOfIntegers(product, a, row, b, column))
                            : static_cast<float>(SumOfFloats(product, a, row, b, column));
      FinishElement(finish, sum, numbers.bias[0], numbers.scales[0], product.c.type, to);
    }
  }
}

}  // namespace impl_cpu
