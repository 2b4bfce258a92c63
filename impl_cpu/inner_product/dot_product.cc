#include "impl_cpu/inner_product/dot_product.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "impl_cpu/product/arguments.h"
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/product/rounding.h"
#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {
namespace {

// So few rows read weights that are stored like rows in less time than it takes to pack them.
constexpr int64_t kFewRows = 16;
// Of a block, whose sums are on the stack.
constexpr int64_t kRows = 32, kCols = kMaxGroup * kPanel;
// 20 us of work.
constexpr double kThreadFlops = 2 << 20;

}  // namespace

struct DotProduct::Data {
  const std::byte *a, *b, *bias;
  const float* scales;
  std::byte* c;
};

bool DotProduct::Plan(const Product& product, int max_threads) {
  const Matrix &a = product.a, &b = product.b;
  const bool along_k = a.buffer >= 0 && a.cols.strided() && a.cols.stride() == 1 &&
                       a.rows.strided() && b.rows.strided() && b.rows.stride() == 1 &&
                       b.cols.strided();
  // One index has the stride 1, whatever its neighbours would have.
  if (!along_k || product.k <= 1 || (product.n > kFewOutputs && product.m > kFewRows)) return false;
  kernel_ = FindDotKernel(a.type, b.type);
  finish_ = FindFinishKernel();
  if (kernel_ == nullptr || finish_ == nullptr) return false;
  product_ = product;
  blocks_ = CeilDiv(product.m, kRows);
  groups_ = CeilDiv(product.n, kCols);
  const double flops = 2.0 * static_cast<double>(product.m) * static_cast<double>(product.n) *
                       static_cast<double>(product.k);
  threads_ = static_cast<int>(
      std::max(1.0, std::min({static_cast<double>(max_threads),
                              static_cast<double>(blocks_ * groups_), flops / kThreadFlops})));
  return true;
}

void DotProduct::Run(spi::Buffers buffers) const {
  const Product& p = product_;
  const Finish& finish = p.finish;
  Data data = {};
  data.a = DataOf(p.a, buffers);
  data.b = DataOf(p.b, buffers);
  data.c = DataOf(p.c, buffers);
  data.bias = DataOf(finish.bias_buffer, buffers);
  data.scales = ScalesOf(finish, buffers);
  // The columns of a group are read for all rows before those of the next one.
  ParallelFor(blocks_ * groups_, threads_,
              [&](int64_t i) { RunBlock(data, i % blocks_, i / blocks_); });
}

void DotProduct::RunBlock(const Data& data, int64_t block, int64_t group) const {
  const Product& p = product_;
  const int64_t row = block * kRows, col = group * kCols;
  const int64_t rows = std::min(kRows, p.m - row), cols = std::min(kCols, p.n - col);
  alignas(64) float sums[kRows * kCols];  // or s32
  int64_t row_offsets[kRows], col_offsets[kCols];
  p.c.rows.Offsets(row, rows, row_offsets);
  p.c.cols.Offsets(col, cols, col_offsets);
  // A single column is finished as a row.
  const bool column = p.n == 1;
  DotArgs args;
  args.a = data.a + row * p.a.rows.stride() * spi::SizeOf(p.a.type);
  args.a_row = p.a.rows.stride();
  args.b = data.b + col * p.b.cols.stride() * spi::SizeOf(p.b.type);
  args.b_col = p.b.cols.stride();
  args.rows = rows;
  args.cols = cols;
  args.depth = p.k;
  args.sums = sums;
  args.sums_row = column ? 1 : kCols;
  kernel_(args);
  ColumnNumbers numbers = {};
  ReadColumnNumbers(p.finish, data.bias, data.scales, col, cols, &numbers);
  FinishBlock finish;
  finish.finish = &p.finish;
  finish.integers = p.integers;
  finish.sums = sums;
  finish.sums_row = kCols;
  finish.sums_panel = kPanel;
  finish.rows = rows;
  finish.cols = cols;
  finish.numbers = &numbers;
  finish.type = p.c.type;
  finish.to = data.c;
  finish.row_offsets = row_offsets;
  finish.col_offsets = col_offsets;
  if (column) {
    std::fill(numbers.bias + 1, numbers.bias + kCols, numbers.bias[0]);
    std::fill(numbers.scales + 1, numbers.scales + kCols, numbers.scales[0]);
    std::fill(numbers.exact_bias + 1, numbers.exact_bias + kCols, numbers.exact_bias[0]);
    finish.rows = 1;
    finish.cols = rows;
    finish.row_offsets = col_offsets;
    finish.col_offsets = row_offsets;
  }
  finish_(finish);
}

std::string DotProduct::ToString() const {
  return absl::StrCat(impl_cpu::ToString(product_), " dots threads ", threads_);
}

}  // namespace impl_cpu
