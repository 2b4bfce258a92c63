#include "impl_cpu/inner_product/run.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "impl_cpu/product/arguments.h"
#include "impl_cpu/product/even_cut.h"
#include "impl_cpu/product/normal_bf16.h"
#include "impl_cpu/product/rounding.h"
#include "impl_cpu/threads/parallel_for.h"
#include "impl_cpu/threads/task_shares.h"

namespace impl_cpu {
namespace {

constexpr int64_t kElementBytes = 4;  // of what tiles read and sum
constexpr int64_t kLineBytes = kPanel * kElementBytes;

// The part of k that is summed before the sums are stored, in lines of a panel: with it a group of
// panels is half of L1.
// AMX multiplies as fast from L2.
constexpr int64_t kChunkLines = 256, kAmxChunkLines = 1024;
// Rows whose sums of a group stay in a core's own cache, beside the rows themselves. Where sums are
// results once they are stored, more of them, and what these read.
constexpr int64_t kBlockRows = 192;
constexpr int64_t kMostBlockRows = 1024, kBlockElements = 32 << 10, kAmxBlockElements = 128 << 10;
// Rows that lie side by side are read where they lie if few k are, or by no more groups of columns;
// so are columns, by few tiles.
constexpr int64_t kAcrossDepth = 8, kAcrossGroups = 16, kAcrossTiles = 2;
constexpr int64_t kCacheSets = 64;  // of a core's first cache
// 20 us of work.
constexpr int64_t kThreadFlops = 2 << 20;
constexpr int64_t kTasksPerThread = 4;
// How far ahead weights are fetched that one tile reads. A Zen 4, the only one of AMD's that was
// measured, fetches what comes next by itself, which takes a sixth less.
int64_t AheadBytes() {
#if defined(__x86_64__)
  if (__builtin_cpu_is("amd")) return 0;
#endif
  return 2048;
}

// How many k there are in an element of a, and in a line of a panel of b.
int64_t DepthOfElement(Form form) {
  return form == Form::kQuads ? 4 : form == Form::kPairs || form == Form::kBf16Pairs ? 2 : 1;
}
int64_t DepthOfLine(Form form) { return form == Form::kBf16 ? 2 : DepthOfElement(form); }

// Of quads, by so many rows.
TileKernels QuadKernelsOf(spi::DataType a, int64_t rows) {
  const TileKernels kernels = FindQuadTileKernels(a);
  if (kernels.max_rows > 0 || rows > kMostSplitRows) return kernels;
  return FindSplitQuadTileKernels(a);
}

TileKernels KernelsOf(Form form, spi::DataType a, int64_t rows) {
  switch (form) {
    case Form::kF32:
      return FindTileKernels();
    case Form::kBf16:
      return FindBf16TileKernels();
    case Form::kBf16Pairs:
      return FindBf16PairTileKernels(/*widened=*/false);
    case Form::kPairs:
      return FindIntegerTileKernels();
    case Form::kQuads:
      return QuadKernelsOf(a, rows);
  }
  return {};
}

Form FormOf(const Product& product) {
  const Matrix &a = product.a, &b = product.b;
  if (product.integers) {
    const bool quads = b.panel_depth == 4 && QuadKernelsOf(a.type, product.m).max_rows > 0;
    return quads ? Form::kQuads : Form::kPairs;
  }
  if (b.type != spi::DataType::kBF16) return Form::kF32;
  if (a.type == b.type && FindBf16PairTileKernels(/*widened=*/false).max_rows > 0)
    return Form::kBf16Pairs;
  return b.panel_depth == 2 ? Form::kBf16 : Form::kF32;
}

}  // namespace

// What a task works with: the data, and the scratchpad of its thread.
struct TiledProduct::Task {
  const std::byte* a;  // as tiles read it
  const std::byte* b;
  const std::byte* bias;
  const float* scales;
  uint16_t least_b;  // of pairs of bf16, the least size that b may have
  std::byte* c;
  std::byte* sums;
  std::byte* packed_b;
  int64_t* row_offsets;
};

// A group of panels: how its sums are computed, and what follows them.
struct TiledProduct::Group {
  TileArgs args;
  FinishBlock finish;
  bool results_of_tiles;
};

bool TiledProduct::Plan(Product product, int max_threads) {
  blocking_.form = FormOf(product);
  kernels_ = KernelsOf(blocking_.form, product.a.type, product.m);
  finish_ = FindFinishKernel();
  if (kernels_.max_rows == 0 || finish_ == nullptr) return false;
  if (blocking_.form == Form::kBf16Pairs) widened_ = FindBf16PairTileKernels(/*widened=*/true);
  product_ = std::move(product);
  after_ = product_.finish;
  if (blocking_.form == Form::kF32) after_.bias_buffer = -1;
  a_packer_ = StripPacker(product_.a.type, product_.integers);
  b_packer_ = StripPacker(product_.b.type, product_.integers);
  PlanBlocking(max_threads);
  return true;
}

void TiledProduct::PlanBlocking(int max_threads) {
  const Product& p = product_;
  Blocking& plan = blocking_;
  const bool is_f32 = plan.form == Form::kF32;
  // A line of two bf16 takes two elements of a, also where there is but one k left.
  plan.elements =
      plan.form == Form::kBf16 ? RoundUp<int64_t>(p.k, 2) : CeilDiv(p.k, DepthOfElement(plan.form));
  plan.groups = CeilDiv(p.n, int64_t{kPanel} * kernels_.panels);
  plan.a_across = ReadsAcross();
  plan.packs_a = !ReadsRows() && !plan.a_across;
  plan.a_in_rows = plan.form == Form::kQuads || (!p.integers && RowsAlongK()) || TurnsRows();
  const int64_t spread = RoundUp<int64_t>(plan.elements, kPanel) + kPanel;
  plan.a_row = plan.a_across            ? 1
               : !plan.packs_a          ? p.a.rows.stride() / DepthOfElement(plan.form)
               : plan.elements < kPanel ? plan.elements
                                        : spread;
  plan.packs_b = plan.form == Form::kPairs ||
                 (plan.form == Form::kBf16Pairs && p.b.panel_depth != 2) ||
                 (is_f32 && !(p.b.type == spi::DataType::kF32 && p.b.panel_depth == 1));
  plan.b_across = ReadsColumns();
  plan.ahead_bytes = AheadBytes();
  plan.b_panel = p.b.cols.LinesApart(kPanel, p.b.panel_depth);
  const bool even = p.c.rows.strided();
  plan.sums_in_place = p.c.type == spi::DataType::kF32 && !p.integers && even && !p.finish.sums();
  const int64_t m = std::max<int64_t>(1, p.m);
  // One tile needs no chunk that is read again.
  const bool packs = plan.packs_b && !(plan.b_across && p.n % kPanel == 0);
  const bool one_tile = p.m <= kernels_.max_rows && !packs;
  const int64_t depth = std::max<int64_t>(p.k, 1), of_line = DepthOfLine(plan.form);
  const int64_t lines = kernels_.amx != nullptr ? kAmxChunkLines : kChunkLines;
  plan.chunk = one_tile ? depth : std::min(lines * of_line, depth);
  plan.results_of_tiles = plan.chunk == depth && even && p.finish.post_ops.empty() &&
                          StoresResults(p.c.type, p.integers);
  const bool stored_once =
      after_.none() && plan.sums_in_place && plan.chunk == depth && p.c.rows.stride() == kPanel;
  const int64_t in_block = kernels_.amx != nullptr ? kAmxBlockElements
                           : stored_once           ? kBlockElements
                                                   : 0;
  const int64_t most =
      std::clamp(in_block / std::max<int64_t>(1, plan.elements), kBlockRows, kMostBlockRows);
  plan.rows = RoundUp<int64_t>(CeilDiv(m, CeilDiv(m, most)), kernels_.max_rows);
  plan.blocks = CeilDiv(p.m, plan.rows);
  const int64_t tasks = plan.blocks * plan.groups;
  const double flops = 2.0 * static_cast<double>(p.m) * static_cast<double>(p.n) *
                       static_cast<double>(std::max<int64_t>(1, p.k));
  plan.threads = static_cast<int>(std::min(
      {static_cast<double>(max_threads), static_cast<double>(tasks), flops / kThreadFlops}));
  plan.threads = std::max(1, plan.threads);
  const int64_t wanted = plan.threads == 1 ? 1 : kTasksPerThread * plan.threads;
  plan.tasks_of_block =
      EvenCut(1, 1, std::max<int64_t>(1, plan.blocks), plan.groups, wanted, plan.threads).ranges;
  const int64_t row = plan.a_in_rows ? plan.a_row : plan.elements,
                width = int64_t{kPanel} * kernels_.panels;
  plan.lines = CeilDiv(RoundUp<int64_t>(plan.chunk, std::max(p.b.panel_depth, 1)), of_line);
  if (plan.packs_a)
    plan.a_bytes = RoundUp(static_cast<size_t>(p.m * row * kElementBytes), kCacheLine);
  plan.sums_bytes = static_cast<size_t>(std::min(plan.rows, p.m) * width * kElementBytes);
  if (plan.packs_b) plan.b_bytes = static_cast<size_t>(plan.lines * width * kElementBytes);
  plan.offsets_bytes = RoundUp(static_cast<size_t>(plan.rows) * sizeof(int64_t), kCacheLine);
}

bool TiledProduct::RowsAlongK() const {
  const Matrix& a = product_.a;
  return a.buffer >= 0 && a.rows.strided() && a.cols.strided() && a.cols.stride() == 1;
}

bool TiledProduct::ReadsRows() const {
  const Matrix& a = product_.a;
  if (blocking_.form == Form::kPairs || !RowsAlongK()) return false;
  // What is read beyond a row is not there.
  if (product_.k % DepthOfLine(blocking_.form) != 0) return false;
  if (blocking_.form == Form::kBf16Pairs) return product_.m == 1 || a.rows.stride() % 2 == 0;
  if (blocking_.form != Form::kQuads) return a.type == spi::DataType::kF32;
  return a.type == spi::DataType::kU8 && (product_.m == 1 || a.rows.stride() % 4 == 0);
}

bool TiledProduct::ReadsAcross() const {
  const Matrix& a = product_.a;
  if (blocking_.form != Form::kF32 || a.type != spi::DataType::kF32 || a.buffer < 0) return false;
  if (!a.rows.strided() || a.rows.stride() != 1 || !a.cols.strided()) return false;
  const bool far = RowsAtOnce(a.cols.stride(), kMaxTileRows) < kMaxTileRows;
  return product_.k <= kAcrossDepth || (blocking_.groups <= kAcrossGroups && !far);
}

bool TiledProduct::ReadsColumns() const {
  const Matrix& b = product_.b;
  if (blocking_.form != Form::kF32 || b.type != spi::DataType::kF32) return false;
  if (!b.cols.strided() || b.cols.stride() != 1 || !b.rows.strided()) return false;
  if (product_.k <= kAcrossDepth || product_.m <= kAcrossTiles * kernels_.max_rows) return true;
  // Rows of whole lines that stay in a core's first cache as panels do: sets of it that they share.
  const int64_t stride = b.rows.stride(), shared = std::gcd(stride / kPanel, kCacheSets);
  return stride % kPanel == 0 && product_.k * kernels_.panels * shared <= kChunkLines;
}

bool TiledProduct::TurnsRows() const {
  return blocking_.form == Form::kBf16Pairs && product_.a.buffer >= 0 &&
         kernels_.PrefersAmx(product_.m, blocking_.elements);
}

size_t TiledProduct::scratchpad_bytes() const { return blocking_.bytes() + kCacheLine; }

void TiledProduct::Run(spi::Buffers buffers, std::byte* scratchpad) const {
  const Product& p = product_;
  if (p.m == 0 || p.n == 0) return;
  const auto at = [buffers](int buffer) { return DataOf(buffer, buffers); };
  scratchpad = NextLine(scratchpad);
  Task task = {};
  task.a = scratchpad;
  if (blocking_.packs_a) {
    PackRows(buffers, scratchpad);
  } else {
    task.a = at(p.a.buffer) + p.a.offset * spi::SizeOf(p.a.type);
  }
  if (blocking_.form == Form::kBf16Pairs) task.least_b = LeastPartnerOf(LeastOfRows(task.a));
  task.b = at(p.b.buffer);
  task.c = at(p.c.buffer) + p.c.offset * spi::SizeOf(p.c.type);
  task.bias = at(p.finish.bias_buffer);
  task.scales = ScalesOf(p.finish, buffers);
  std::byte* const of_threads = scratchpad + blocking_.a_bytes;
  // Threads have columns of their own where these are more than rows: weights stay in their caches.
  const int64_t blocks = blocking_.blocks, per_block = blocking_.tasks_of_block;
  const bool by_columns = p.n > p.m;
  TaskShares shares(blocks * per_block, blocking_.threads);
  ParallelFor(blocking_.threads, blocking_.threads, [&](int64_t thread) {
    Task mine = task;
    mine.sums = of_threads + static_cast<size_t>(thread) * blocking_.thread_bytes();
    mine.packed_b = mine.sums + blocking_.sums_bytes;
    mine.row_offsets = reinterpret_cast<int64_t*>(mine.packed_b + blocking_.b_bytes);
    shares.ForEach(thread, [&](int64_t i) {
      const int64_t part = by_columns ? i / blocks : i % per_block;
      const int64_t first = part * blocking_.groups / per_block;
      RunTask(mine, by_columns ? i % blocks : i / per_block, first,
              (part + 1) * blocking_.groups / per_block - first);
    });
  });
}

void TiledProduct::RunTask(const Task& task, int64_t block, int64_t first_group,
                           int64_t groups) const {
  const int64_t begin = block * blocking_.rows, rows = std::min(blocking_.rows, product_.m - begin);
  product_.c.rows.Offsets(begin, rows, task.row_offsets);
  Group group;
  group.args.sums = task.sums;
  group.args.sums_row = int64_t{kPanel} * kernels_.panels;
  group.args.sums_panel = kPanel;
  group.finish.finish = &after_;
  group.finish.integers = product_.integers;
  group.finish.rows = rows;
  group.finish.type = product_.c.type;
  group.finish.to = task.c;
  group.finish.row_offsets = task.row_offsets;
  group.results_of_tiles =
      blocking_.results_of_tiles &&
      !UsesAmx(kernels_, rows, CeilDiv(product_.k, DepthOfLine(blocking_.form)));
  for (int64_t i = first_group; i < first_group + groups; ++i) RunGroup(task, block, i, group);
}

// Whether the columns from `n` on fill panels, in each of which their results lie side by side.
bool TiledProduct::InPanels(int64_t n, int64_t cols) const {
  for (int64_t c = 0; c < cols; c += kPanel) {
    const Index::Run run = product_.c.cols.RunFrom(n + c, std::min<int64_t>(kPanel, cols - c));
    if (run.count != kPanel || run.stride != 1) return false;
  }
  return true;
}

// Where results are f32 side by side, and nothing of what they held is needed. In blocks what lies
// behind the last column is padding.
bool TiledProduct::SumsInPlace(int64_t n, int64_t cols) const {
  return blocking_.sums_in_place && (product_.c.panel_depth == 1 || InPanels(n, cols));
}

int64_t TiledProduct::PanelFrom(int64_t n) const {
  const int64_t panel = blocking_.b_panel;
  return panel > 0 ? n / kPanel * panel : product_.b.cols.RunFrom(n, 1).offset;
}

// Where tiles find the panels of a group of `cols` columns, of a chunk of k.
void TiledProduct::LocatePanels(const Task& task, int64_t n, int64_t cols, int64_t k, int64_t depth,
                                TileArgs* args) const {
  const Product& p = product_;
  const auto panels = static_cast<int>(CeilDiv(cols, kPanel));
  const int64_t of_line = DepthOfLine(blocking_.form);
  if (blocking_.b_across && cols % kPanel == 0) {
    args->b = task.b + (p.b.offset + k * p.b.rows.stride() + n) * kElementBytes;
    args->b_step = p.b.rows.stride();
    args->b_panel = kPanel;
  } else if (blocking_.packs_b) {
    args->b = task.packed_b;
    args->b_panel = blocking_.lines * kPanel;
    const StripSource source = {p.b.type, task.b, p.b.offset, &p.b.rows, &p.b.cols};
    for (int i = 0; i < panels; ++i) {
      Strip strip = {k, depth, n + i * kPanel, std::min<int64_t>(kPanel, cols - i * kPanel),
                     kPanel};
      std::byte* const to = task.packed_b + i * args->b_panel * kElementBytes;
      if (p.integers && p.b.panel_depth == 4) {
        strip.depth = RoundUp<int64_t>(depth, 4);  // to the end of the padding
        b_packer_.QuadsToPairs(source, strip, reinterpret_cast<int16_t*>(to));
      } else if (p.integers) {
        b_packer_.ToPairs(source, strip, reinterpret_cast<int16_t*>(to));
      } else if (blocking_.form == Form::kBf16Pairs) {
        b_packer_.ToBf16Pairs(source, strip, reinterpret_cast<uint16_t*>(to));
      } else {
        b_packer_.ToF32(source, strip, reinterpret_cast<float*>(to));
      }
    }
  } else {
    const int64_t bytes = spi::SizeOf(p.b.type), first = PanelFrom(n);
    args->b_panel = panels > 1 ? (PanelFrom(n + kPanel) - first) * bytes / kElementBytes : 0;
    args->b = task.b + (p.b.offset + first) * bytes + k / of_line * kLineBytes;
  }
}

void TiledProduct::RunGroup(const Task& task, int64_t block, int64_t number,
                            const Group& group) const {
  const Product& p = product_;
  const int64_t width = int64_t{kPanel} * kernels_.panels, n = number * width;
  const int64_t cols = std::min(width, p.n - n);
  const auto panels = static_cast<int>(CeilDiv(cols, kPanel));
  int64_t col_offsets[kMaxGroup * kPanel];
  p.c.cols.Offsets(n, cols, col_offsets);
  const bool in_place = SumsInPlace(n, cols);
  ColumnNumbers numbers;
  if (!p.finish.none()) ReadColumnNumbers(p.finish, task.bias, task.scales, n, cols, &numbers);
  const bool begins = p.finish.bias_buffer >= 0 && after_.bias_buffer < 0;
  TileArgs args = group.args;
  // Where results begin, and how far those of a second panel are behind.
  const int64_t first = task.row_offsets[0] + col_offsets[0],
                apart = panels > 1 ? col_offsets[kPanel] - col_offsets[0] : 0;
  const bool finished = in_place && after_.none();
  TileResults results;
  if (group.results_of_tiles && !finished && InPanels(n, cols)) {
    results = ResultsOf(after_, numbers, p.c.type);
    results.to = task.c + first * spi::SizeOf(p.c.type);
    results.row = p.c.rows.stride();
    results.panel = apart;
    args.results = &results;
  } else if (in_place) {
    args.sums = task.c + first * kElementBytes;
    args.sums_row = p.c.rows.stride();
    args.sums_panel = apart;
  }
  bool widens = false;
  int64_t k = 0;
  do {  // once where there is no k
    const int64_t depth = std::min(blocking_.chunk, p.k - k);
    args.depth = CeilDiv(depth, DepthOfLine(blocking_.form));
    args.add = k > 0;
    args.first = begins && k == 0 ? numbers.bias : nullptr;
    LocatePanels(task, n, cols, k, depth, &args);
    if (blocking_.form == Form::kBf16Pairs) {
      RunBf16Tiles(task, block, k, panels, args, &widens);
    } else {
      RunTiles(kernels_, task, block, k, panels, args, nullptr);
    }
    k += depth;
  } while (k < p.k);
  if (finished || args.results != nullptr) return;
  FinishBlock finish = group.finish;
  finish.in_place = in_place;
  finish.sums = args.sums;
  finish.sums_row = args.sums_row;
  finish.sums_panel = args.sums_panel;
  finish.cols = cols;
  finish.numbers = &numbers;
  finish.col_offsets = col_offsets;
  finish_(finish);
}

// Once a chunk is widened, so are the next ones: its sums may be subnormal, and AMX adds to them.
void TiledProduct::RunBf16Tiles(const Task& task, int64_t block, int64_t k, int panels,
                                const TileArgs& args, bool* widens) const {
  if (!*widens) RunTiles(kernels_, task, block, k, panels, args, widens);
  if (*widens) RunTiles(widened_, task, block, k, panels, args, nullptr);
}

void TiledProduct::RunTiles(const TileKernels& kernels, const Task& task, int64_t block, int64_t k,
                            int panels, const TileArgs& shared, bool* refused) const {
  const int64_t begin = block * blocking_.rows;
  const int64_t end = std::min(begin + blocking_.rows, product_.m), rows = end - begin;
  // A second tile would read the weights again.
  const bool one = blocking_.packs_a || rows <= kernels_.max_rows;
  const TileCut cut =
      CutRows(rows, one ? kernels_.max_rows : RowsAtOnce(blocking_.a_row, kernels_.max_rows));
  const int64_t of_element = DepthOfElement(blocking_.form);
  const int64_t elements = blocking_.elements, from = k / of_element;
  TileArgs args = shared;
  args.refused = refused;
  args.least_b = task.least_b;
  int64_t row = begin;
  const auto run = [&](int64_t height, int64_t tiles) {
    if (tiles == 0) return;
    int64_t first;
    if (blocking_.packs_a && !blocking_.a_in_rows) {
      args.a_row = 1;
      args.a_step = height;
      args.a_tile = height * elements;
      first = row * elements + from * height;
    } else if (blocking_.a_across) {
      args.a_row = 1;
      args.a_step = product_.a.cols.stride();
      args.a_tile = height;
      first = row + from * args.a_step;
    } else {
      args.a_row = blocking_.a_row;
      args.a_step = 1;
      args.a_tile = height * args.a_row;
      first = row * args.a_row + from;
    }
    args.a = task.a + first * kElementBytes;
    args.tiles = tiles;
    kernels.tile[panels - 1][height](args);
    args.sums = static_cast<std::byte*>(args.sums) + height * tiles * args.sums_row * kElementBytes;
    row += height * tiles;
  };
  // Of weights that are read where they lie, what comes next is fetched over all tiles of these.
  const int64_t tiles = cut.tall + cut.others;
  args.ahead = args.b;
  if (!blocking_.packs_b) {
    args.ahead = static_cast<const std::byte*>(args.b) +
                 (tiles == 1 ? blocking_.ahead_bytes : args.depth * kLineBytes);
    args.ahead_step = kLineBytes / tiles;
  }
  if (UsesAmx(kernels, rows, args.depth)) {
    args.a = task.a + (row * blocking_.a_row + from) * kElementBytes;
    args.a_row = blocking_.a_row;
    return kernels.amx(panels, rows, args);
  }
  run(cut.height, cut.tall);
  if (refused != nullptr && *refused) return;
  args.refused = nullptr;
  run(cut.height - 1, cut.others);
}

// Where the elements of a row lie side by side.
bool TiledProduct::UsesAmx(const TileKernels& kernels, int64_t rows, int64_t depth) const {
  const bool in_rows = blocking_.packs_a ? blocking_.a_in_rows : !blocking_.a_across;
  return in_rows && kernels.PrefersAmx(rows, depth);
}

std::string TiledProduct::ToString() const {
  return absl::StrCat(impl_cpu::ToString(product_),
                      blocking_.form == Form::kBf16Pairs ? " of bf16" : "", " rows ",
                      blocking_.rows, " chunk ", blocking_.chunk,
                      blocking_.packs_a    ? " a:packed"
                      : blocking_.a_across ? " a:across"
                                           : "",
                      blocking_.packs_b ? " b:packed" : "", " threads ", blocking_.threads);
}

}  // namespace impl_cpu
