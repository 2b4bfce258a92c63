#include "impl_cpu/inner_product/column_product.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "impl_cpu/move/kernel.h"
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/product/normal_bf16.h"
#include "impl_cpu/product/rounding.h"
#include "impl_cpu/strided/non_temporal.h"
#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {
namespace {

// The k that are summed before sums are stored; more of them, of several rows, repay tiles, but up
// to kMostDepth where b is a single block.
constexpr int64_t kDepth = 8, kMostDepth = 16;
// Elements of a or b in a block, and of its sums where there are several parts of k: what is
// widened or rounded in the end is on the stack.
constexpr int64_t kBlockElements = 2048;
// So many columns repay a copy of the rows of a.
constexpr int64_t kRepayingColumns = 128;
// What is read and written that repays another thread.
constexpr int64_t kThreadBytes = 256 << 10;
constexpr int64_t kTasksPerThread = 4;

// So many rows and columns repay a look at all of them.
constexpr int64_t kLookedAtRows = 16, kLookedAtColumns = 256;

constexpr float kOne = 1;

bool IsF32(const Matrix& matrix) { return matrix.type == spi::DataType::kF32; }

bool IsServed(const Matrix& matrix) {
  return matrix.buffer < 0 ||
         ((IsF32(matrix) || matrix.type == spi::DataType::kBF16) && matrix.rows.strided());
}

}  // namespace

// A part of the result, and what of its operands is copied.
struct ColumnProduct::Block {
  int64_t row = 0, col = 0;  // the first ones
  bool is_normal = false;
  const std::byte* a = nullptr;
  const std::byte* b = nullptr;
  std::byte* c = nullptr;
  // Not filled with anything.
  float rows[kBlockElements], columns[kBlockElements], sums[kBlockElements];
};

bool ColumnProduct::Plan(const Product& product, int max_threads) {
  const Matrix &a = product.a, &b = product.b, &c = product.c;
  const bool few =
      product.k <= kDepth || (product.k <= kMostDepth &&
                              product.k * RoundUp<int64_t>(product.n, kPanel) <= kBlockElements);
  if ((!few && product.m != 1) || !product.finish.none()) return false;
  if (!IsServed(a) || !IsServed(b) || !IsServed(c)) return false;
  if (a.buffer >= 0 && !a.cols.strided()) return false;
  // What is widened is read in lines.
  if (!IsF32(a) && a.cols.stride() != 1 && a.rows.stride() != 1) return false;
  b_panel_ = b.cols.LinesApart(kPanel);
  c_panel_ = c.cols.LinesApart(kPanel);
  kernels_ = FindColumnKernels();
  widen_ = FindWideningKernel();
  if (b_panel_ == 0 || c_panel_ == 0 || kernels_.sums == nullptr) return false;
  // Panels of many k are read faster one by one.
  if (!few && b_panel_ != kPanel) return false;
  product_ = product;
  depth_ = std::clamp<int64_t>(product.k, 1, few ? kMostDepth : kDepth);
  PlanBlocks(max_threads);
  return true;
}

void ColumnProduct::PlanBlocks(int max_threads) {
  const int64_t m = product_.m, n = product_.n, k = product_.k;
  const int64_t most = kBlockElements / depth_;
  const bool once = k <= depth_;
  copies_columns_ = !IsF32(product_.b) && m > kDepth && b_panel_ == kPanel && k > kMostHeldDepth;
  // Of one row b is read once, and sums of f32 are where they are to be.
  const bool panels_of_k = b_panel_ == k * kPanel && product_.b.rows.stride() == kPanel;
  looks_ = kernels_.normal_sums != nullptr && product_.a.buffer >= 0 && !IsF32(product_.a) &&
           !IsF32(product_.b) && !IsF32(product_.c) && k <= kMostHeldDepth && m >= kLookedAtRows &&
           n >= kLookedAtColumns && (b_panel_ == kPanel || (panels_of_k && n % kPanel == 0));
  const bool all = m == 1 && (IsF32(product_.c) || once);
  rows_ = once ? most : 1;
  cols_ = all    ? std::max<int64_t>(RoundUp<int64_t>(n, kPanel), kPanel)
          : once ? most / kPanel * kPanel
                 : kBlockElements;
  // In double: what is never executed may be of any size.
  const double bytes = static_cast<double>(m + k) * static_cast<double>(n) * sizeof(float);
  non_temporal_ = IsF32(product_.c) && once && bytes >= static_cast<double>(NonTemporalBytes()) &&
                  product_.c.rows.stride() % kPanel == 0 && c_panel_ % kPanel == 0;
  threads_ = static_cast<int>(std::clamp<double>(bytes / kThreadBytes, 1, max_threads));
  if (threads_ == 1) return;
  const int64_t pieces = CeilDiv(kTasksPerThread * threads_, CeilDiv(m, rows_));
  cols_ = std::min(cols_, RoundUp<int64_t>(CeilDiv(n, pieces), kPanel));
}

void ColumnProduct::ReadRows(int64_t k, Block* block, ColumnSumsArgs* args) const {
  const Matrix& a = product_.a;
  if (a.buffer < 0) {
    args->a = &kOne;
    return;
  }
  const int64_t row = a.rows.stride(), step = a.cols.stride();
  const std::byte* const from = block->a + (block->row * row + k * step) * spi::SizeOf(a.type);
  if (IsF32(a)) {
    args->a = reinterpret_cast<const float*>(from);
    args->a_row = row;
    args->a_step = step;
    if (row == 1 && step != 1 && args->depth > 1 && args->cols >= kRepayingColumns) {
      // What lies far apart may share a set of L1d, and is read again for each panel.
      for (int64_t d = 0; d < args->depth; ++d)
        for (int64_t r = 0; r < args->rows; ++r)
          block->rows[r * args->depth + d] = args->a[d * step + r];
      args->a = block->rows;
      args->a_row = args->depth;
      args->a_step = 1;
    }
    return;
  }
  const bool along = step == 1;  // the k of a row
  WideningShape widening;
  widening.rows = along ? args->rows : args->depth;
  widening.cols = widening.to_row = along ? args->depth : args->rows;
  widening.from_row = along ? row : step;
  widen_(widening, reinterpret_cast<const uint16_t*>(from), block->rows);
  args->a = block->rows;
  args->a_row = along ? widening.cols : 1;
  args->a_step = along ? 1 : widening.cols;
}

void ColumnProduct::ReadColumns(int64_t k, Block* block, ColumnSumsArgs* args) const {
  const Matrix& b = product_.b;
  const int64_t step = b.rows.stride();
  const std::byte* const from =
      block->b + (block->col / kPanel * b_panel_ + k * step) * spi::SizeOf(b.type);
  args->b_step = step;
  args->b_panel = b_panel_;
  if (IsF32(b)) args->b = reinterpret_cast<const float*>(from);
  if (!IsF32(b)) args->b_bf16 = reinterpret_cast<const uint16_t*>(from);
  if (!copies_columns_) return;
  WideningShape widening;
  widening.from_row = step;
  widening.to_row = RoundUp<int64_t>(args->cols, kPanel);
  widening.rows = args->depth;
  widening.cols = args->cols;
  widen_(widening, args->b_bf16, block->columns);
  args->b = block->columns;
  args->b_bf16 = nullptr;
  args->b_step = widening.to_row;
}

void ColumnProduct::RunBlock(Block* block) const {
  const Product& p = product_;
  const int64_t row = p.c.rows.stride();
  std::byte* const to =
      block->c + (block->row * row + block->col / kPanel * c_panel_) * spi::SizeOf(p.c.type);
  ColumnSumsArgs args;
  args.rows = std::min(rows_, p.m - block->row);
  args.cols = std::min(cols_, p.n - block->col);
  args.b = block->columns;  // where there is no k
  args.sums = block->sums;
  args.sums_row = RoundUp<int64_t>(args.cols, kPanel);
  args.sums_panel = kPanel;
  if (IsF32(p.c)) {
    args.sums = reinterpret_cast<float*>(to);
    args.sums_row = row;
    args.sums_panel = c_panel_;
    args.non_temporal = non_temporal_ && NextLine(to) == to;
  }
  int64_t k = 0;
  do {  // once where there is no k
    args.depth = std::min(depth_, p.k - k);
    args.add = k > 0;
    if (p.k > 0) {
      ReadRows(k, block, &args);
      ReadColumns(k, block, &args);
    }
    k += args.depth;
    if (!IsF32(p.c) && k == p.k) {
      args.rounded = reinterpret_cast<uint16_t*>(to);
      args.rounded_row = row;
      args.rounded_panel = c_panel_;
    }
    (block->is_normal ? kernels_.normal_sums : kernels_.sums)(args);
  } while (k < p.k);
  if (args.non_temporal) FenceNonTemporalStores();
}

bool ColumnProduct::IsNormal(const std::byte* a, const std::byte* b) const {
  const Product& p = product_;
  LeastBf16 of_a, of_b;
  const auto look = [](const std::byte* data, int64_t lines, int64_t line, int64_t count,
                       LeastBf16* least) {
    const auto* const from = reinterpret_cast<const uint16_t*>(data);
    if (line == count) return least->Look(from, lines * count);
    for (int64_t i = 0; i < lines; ++i) least->Look(from + i * line, count);
  };
  if (p.a.cols.stride() == 1) look(a, p.m, p.a.rows.stride(), p.k, &of_a);
  if (p.a.cols.stride() != 1) look(a, p.k, p.a.cols.stride(), p.m, &of_a);
  if (b_panel_ == kPanel) look(b, p.k, p.b.rows.stride(), p.n, &of_b);
  if (b_panel_ != kPanel) look(b, 1, p.k * p.n, p.k * p.n, &of_b);
  return ProductsAreNormal(of_a.size(), of_b.size());
}

void ColumnProduct::Run(spi::Buffers buffers) const {
  std::byte *const a = DataOf(product_.a, buffers), *const b = DataOf(product_.b, buffers);
  std::byte* const c = DataOf(product_.c, buffers);
  const bool is_normal = looks_ && IsNormal(a, b);
  const int64_t pieces = CeilDiv(product_.n, cols_);
  ParallelFor(pieces * CeilDiv(product_.m, rows_), threads_, [&](int64_t i) {
    Block block;
    block.row = i / pieces * rows_;
    block.col = i % pieces * cols_;
    block.a = a;
    block.b = b;
    block.is_normal = is_normal;
    block.c = c;
    RunBlock(&block);
  });
}

std::string ColumnProduct::ToString() const {
  return absl::StrCat(impl_cpu::ToString(product_), " columns threads ", threads_);
}

}  // namespace impl_cpu
