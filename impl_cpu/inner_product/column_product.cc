#include "impl_cpu/inner_product/column_product.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/product/rounding.h"
#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {
namespace {

// At most so many rows, and k at once: more rows of more k repay tiles.
constexpr int64_t kFew = 8;
// What is read and written that repays another thread.
constexpr int64_t kThreadBytes = 256 << 10;
constexpr int64_t kTasksPerThread = 4;

constexpr float kOne = 1;

bool IsF32(const Matrix& matrix) { return matrix.type == spi::DataType::kF32; }

float* FloatsOf(const Matrix& matrix, spi::Buffers buffers) {
  return reinterpret_cast<float*>(DataOf(matrix, buffers));
}

}  // namespace

bool ColumnProduct::Plan(const Product& product, int max_threads) {
  const Matrix &a = product.a, &b = product.b, &c = product.c;
  if (product.m > (product.k > kFew ? 1 : kFew) || !product.finish.none()) return false;
  if (!IsF32(a) || !IsF32(b) || !IsF32(c)) return false;
  for (const Matrix* matrix : {&a, &b, &c})
    if (matrix->buffer >= 0 && (!matrix->rows.strided() || !matrix->cols.strided())) return false;
  if (b.cols.stride() != 1 || c.cols.stride() != 1 || c.panel_depth > 1) return false;
  kernel_ = FindColumnSumsKernel();
  if (kernel_ == nullptr) return false;
  product_ = product;
  const int64_t bytes = (product.m + product.k) * product.n * static_cast<int64_t>(sizeof(float));
  threads_ = static_cast<int>(std::clamp<int64_t>(bytes / kThreadBytes, 1, max_threads));
  const int64_t pieces = threads_ == 1 ? 1 : kTasksPerThread * threads_;
  piece_ = std::max<int64_t>(kPanel, RoundUp<int64_t>(CeilDiv(product.n, pieces), kPanel));
  return true;
}

void ColumnProduct::Run(spi::Buffers buffers) const {
  const Product& p = product_;
  ColumnSumsArgs all;
  all.a = &kOne;
  if (p.a.buffer >= 0) {
    all.a = FloatsOf(p.a, buffers);
    all.a_row = p.a.rows.stride();
    all.a_step = p.a.cols.stride();
  }
  all.b = FloatsOf(p.b, buffers);
  all.b_step = p.b.rows.stride();
  all.c = FloatsOf(p.c, buffers);
  all.c_row = p.c.rows.stride();
  all.rows = p.m;
  ParallelFor(CeilDiv(p.n, piece_), threads_, [&](int64_t i) {
    ColumnSumsArgs args = all;
    if (p.k != 0) args.b += i * piece_;  // else it may be null
    args.c += i * piece_;
    args.cols = std::min(piece_, p.n - i * piece_);
    for (int64_t k = 0; k == 0 || k < p.k; k += kFew) {  // once where there is no k
      args.depth = std::min(kFew, p.k - k);
      args.add = k > 0;
      kernel_(args);
      args.a += args.depth * args.a_step;
      args.b += args.depth * args.b_step;
    }
  });
}

std::string ColumnProduct::ToString() const {
  return absl::StrCat(impl_cpu::ToString(product_), " columns threads ", threads_);
}

}  // namespace impl_cpu
