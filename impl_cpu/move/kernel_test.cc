#include "impl_cpu/move/kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "api/testing/random_operation.h"
#include "impl_cpu/move/record.h"
#include "impl_cpu/testing/guarded.h"
#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

using spi::Bytes;
using spi::Random;
using spi::RandomBytes;
using spi::Uniform;

constexpr int kWidths[] = {1, 2, 4, 8, 16};
enum class Kind { kRows, kNonTemporalRows, kTranspose, kGeneric };
constexpr Kind kKinds[] = {Kind::kRows, Kind::kNonTemporalRows, Kind::kTranspose, Kind::kGeneric};

void RunKernel(Kind kind, int width, const MatrixShape& shape, const std::byte* src,
               std::byte* dst) {
  switch (kind) {
    case Kind::kRows:
    case Kind::kNonTemporalRows:
      return FindRowsKernel(width, kind == Kind::kNonTemporalRows)(shape, src, dst);
    case Kind::kTranspose:
      return FindTransposeKernel(width)(shape, src, dst);
    case Kind::kGeneric:
      return FindGenericKernel(width)(shape, src, dst);
  }
}

int64_t SpanOf(const BoxShape& s, int64_t batch, int64_t row, int64_t col, int width) {
  if (s.batch == 0 || s.rows == 0 || s.cols == 0) return 0;
  return (s.batch - 1) * batch + (s.rows - 1) * row + (s.cols - 1) * col + width;
}

// Strides for three loops in some order, `unit` innermost and contiguous unless it is -1.
void RandomStrides(Random& random, const int64_t (&extents)[3], int unit, int width,
                   int64_t (&strides)[3]) {
  int order[3] = {0, 1, 2};
  for (int i = 2; i > 0; --i) std::swap(order[i], order[Uniform(random, 0, i)]);
  for (int i = 1; i < 3; ++i)
    if (unit >= 0 && order[i] == unit) std::swap(order[i], order[0]);
  int64_t stride = unit >= 0 ? width : width * Uniform(random, 1, 3);
  const bool gaps = Uniform(random, 0, 1) == 0;
  for (int k : order) {
    strides[k] = stride;
    stride *= std::max<int64_t>(extents[k], 1);
    if (gaps) stride += Uniform(random, 0, 5) * width;
  }
}

// `lines`: the columns of the destination begin where cache lines do, so a transposition that may
// use non-temporal stores does. `dense_source`: the source has no gaps.
void ExpectMoved(Random& random, Kind kind, int width, const int64_t (&extents)[3],
                 bool lines = false, bool dense_source = false) {
  MatrixShape s;
  s.batch = extents[0];
  s.rows = extents[1];
  s.cols = extents[2];
  const bool rows = kind == Kind::kRows || kind == Kind::kNonTemporalRows;
  int64_t strides[3];
  RandomStrides(random, extents, kind == Kind::kGeneric ? -1 : 2, width, strides);
  s.src_batch = strides[0], s.src_row = strides[1], s.src_col = strides[2];
  RandomStrides(random, extents, kind == Kind::kTranspose ? 1 : rows ? 2 : -1, width, strides);
  s.dst_batch = strides[0], s.dst_row = strides[1], s.dst_col = strides[2];
  s.traversal.prefetch = Uniform(random, 0, 1) * 256;
  s.traversal.along_rows = Uniform(random, 0, 1) == 1;
  s.non_temporal = lines || Uniform(random, 0, 1) == 1;
  if (lines) {
    s.dst_row = width;
    s.dst_col = (s.rows * width + 63) / 64 * 64;
    s.dst_batch = s.cols * s.dst_col;
  }
  if (dense_source) {
    s.src_row = s.cols * width;
    s.src_batch = s.rows * s.src_row;
  }

  const int64_t src_bytes = SpanOf(s, s.src_batch, s.src_row, s.src_col, width);
  const int64_t dst_bytes = SpanOf(s, s.dst_batch, s.dst_row, s.dst_col, width);
  const Bytes from = RandomBytes(random, static_cast<size_t>(src_bytes));
  const Bytes old = RandomBytes(random, static_cast<size_t>(dst_bytes));
  Bytes want = old;
  for (int64_t b = 0; b < s.batch; ++b)
    for (int64_t r = 0; r < s.rows; ++r)
      for (int64_t c = 0; c < s.cols; ++c)
        std::memcpy(&want[static_cast<size_t>(b * s.dst_batch + r * s.dst_row + c * s.dst_col)],
                    &from[static_cast<size_t>(b * s.src_batch + r * s.src_row + c * s.src_col)],
                    static_cast<size_t>(width));
  Guarded source(from, static_cast<size_t>(Uniform(random, 0, 3) * width));
  Guarded got(old, lines ? 0 : static_cast<size_t>(Uniform(random, 0, 3) * width));
  RunKernel(kind, width, s, source.data(), got.data());
  FenceNonTemporalStores();
  ASSERT_TRUE(got.contents() == want)
      << "kind " << static_cast<int>(kind) << " width " << width << " " << s.batch << "x" << s.rows
      << "x" << s.cols << " src " << s.src_batch << "," << s.src_row << "," << s.src_col << " dst "
      << s.dst_batch << "," << s.dst_row << "," << s.dst_col;
  ASSERT_TRUE(got.intact());
}

// `gap`: elements between the rows of the source.
void ExpectBatchTransposed(Random& random, int64_t width, int64_t batch, int64_t rows, int64_t cols,
                           int64_t gap) {
  MatrixShape s;
  s.batch = batch, s.rows = rows, s.cols = cols;
  s.src_col = s.dst_row = width;
  s.src_row = (cols + gap) * width;
  s.src_batch = rows * s.src_row;
  s.dst_col = rows * width;
  s.dst_batch = cols * s.dst_col;
  const size_t count = static_cast<size_t>(batch * rows * cols * width);
  const Bytes from = RandomBytes(random, static_cast<size_t>(batch * s.src_batch - gap * width));
  const Bytes old = RandomBytes(random, count);
  Bytes want = old;
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < cols; ++c)
        std::memcpy(&want[static_cast<size_t>(b * s.dst_batch + r * width + c * s.dst_col)],
                    &from[static_cast<size_t>(b * s.src_batch + r * s.src_row + c * width)],
                    static_cast<size_t>(width));
  Guarded source(from, static_cast<size_t>(width));
  Guarded got(old, static_cast<size_t>(width));
  FindTransposeKernel(static_cast<int>(width))(s, source.data(), got.data());
  ASSERT_TRUE(got.contents() == want)
      << width << ": " << batch << "x" << rows << "x" << cols << " gap " << gap;
  ASSERT_TRUE(got.intact());
}

TEST(MoveKernel, MovesOneRowOfAnyBytesOnEveryTarget) {
  ForEachTarget([] {
    Random random(5);
    for (int64_t bytes = 1; bytes < 300; ++bytes) {
      const auto size = static_cast<size_t>(bytes);
      const Bytes from = RandomBytes(random, size);
      Guarded source(from, static_cast<size_t>(bytes % 3));
      Guarded got(RandomBytes(random, size), static_cast<size_t>(bytes % 4));
      FindRowKernel(bytes)({1, 1, bytes}, source.data(), got.data());
      ASSERT_TRUE(got.contents() == from) << bytes;
      ASSERT_TRUE(got.intact()) << bytes;
    }
  });
}

TEST(MoveKernel, MovesBoxesOfEverySizeAroundTheVectorsOnEveryTarget) {
  constexpr int64_t kExtents[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  12, 15, 16, 17,  20,
                                  31, 32, 33, 40, 47, 48, 49, 63, 64, 65, 66, 80, 100, 130};
  ForEachTarget([&] {
    Random random(11);
    const auto extent = [&] { return kExtents[Uniform(random, 0, std::size(kExtents) - 1)]; };
    for (Kind kind : kKinds) {
      for (int width : kWidths) {
        for (int i = 0; i < 120; ++i) {
          const int64_t extents[3] = {Uniform(random, 1, 3), extent(), extent()};
          ExpectMoved(random, kind, width, extents);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  });
}

TEST(MoveKernel, TransposesPastTheCachesWhereLinesAreWhole) {
  ForEachTarget([] {
    Random random(16);
    for (int width : kWidths) {
      for (int i = 0; i < 60; ++i) {
        const int64_t extents[3] = {Uniform(random, 1, 2), Uniform(random, 1, 150),
                                    Uniform(random, 1, 150)};
        ExpectMoved(random, Kind::kTranspose, width, extents, true);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  });
}

// Rows whose lines fall into one set of L1d.
TEST(MoveKernel, TransposesRowsAPowerOfTwoApart) {
  ForEachTarget([] {
    Random random(17);
    for (int width : kWidths) {
      for (int64_t row_bytes : {512, 1024, 4096}) {
        const int64_t extents[3] = {1, Uniform(random, 60, 140), row_bytes / width};
        ExpectMoved(random, Kind::kTranspose, width, extents, true);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  });
}

// Matrices of a few rows and columns that follow one another without a gap on both sides, or on
// that of the destination only.
TEST(MoveKernel, TransposesBatchesOfSmallMatrices) {
  ForEachTarget([] {
    Random random(18);
    for (int i = 0; i < 400; ++i) {
      const int64_t rows = Uniform(random, 2, 17), cols = Uniform(random, 2, 17);
      ExpectBatchTransposed(random, 4, Uniform(random, 1, 5), rows, cols,
                            Uniform(random, 0, 1) * 3);
      if (testing::Test::HasFatalFailure()) return;
    }
  });
}

TEST(MoveKernel, TransposesEightRowsOrColumnsOfBytes) {
  ForEachTarget([] {
    Random random(20);
    for (int64_t extent = 1; extent < 80; ++extent) {
      for (const int64_t gap : {0, 3}) {
        ExpectBatchTransposed(random, 1, 3, 8, extent, gap);
        ExpectBatchTransposed(random, 1, 3, extent, 8, gap);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  });
}

TEST(MoveKernel, SplitsStreamsPastTheCachesWhereLinesAreWhole) {
  ForEachTarget([] {
    Random random(19);
    for (int width : {1, 2, 4, 8}) {
      for (int64_t cols : {2, 3, 4}) {
        for (int64_t rows : {64, 128, 200, 333}) {
          const int64_t extents[3] = {1, rows, cols};
          ExpectMoved(random, Kind::kTranspose, width, extents, true, true);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  });
}

// oihw to hwio, and back, for every size around the tiles.
TEST(MoveKernel, TransposesSplitRowsAndColumns) {
  ForEachTarget([] {
    Random random(15);
    for (int width : {1, 2, 4, 8}) {
      const SplitMoveKernel kernel = FindSplitKernel(width);
      for (int i = 0; i < 150; ++i) {
        const bool split_rows = Uniform(random, 0, 1) == 1;
        // Now and then more rows than are listed at a time.
        const int64_t inner = Uniform(random, 1, 12),
                      outer = i % 10 == 0 ? Uniform(random, 50, 150) : Uniform(random, 1, 12);
        const int64_t other = i % 10 == 5 ? Uniform(random, 440, 600) : Uniform(random, 1, 100);
        SplitShape s;
        s.batch = 1;
        s.rows = split_rows ? inner * outer : other;
        s.cols = split_rows ? other : inner * outer;
        s.src_col = s.dst_row = width;
        if (split_rows) {
          // Source [inner][outer][other], destination [other][outer][inner].
          s.rows_inner = inner;
          s.src_row = outer * other * width;
          s.src_outer_row = other * width;
          s.dst_col = s.rows * width;
        } else {
          // Source [other][outer][inner], destination [inner][outer][other].
          s.cols_inner = inner;
          s.dst_col = outer * other * width;
          s.dst_outer_col = other * width;
          s.src_row = s.cols * width;
        }
        const size_t bytes = static_cast<size_t>(s.rows * s.cols * width);
        const Bytes from = RandomBytes(random, bytes), old = RandomBytes(random, bytes);
        Bytes want = old;
        for (int64_t r = 0; r < s.rows; ++r) {
          for (int64_t c = 0; c < s.cols; ++c) {
            const int64_t src =
                (split_rows ? r % inner * s.src_row + r / inner * s.src_outer_row : r * s.src_row) +
                c * width;
            const int64_t dst =
                (split_rows ? c * s.dst_col : c % inner * s.dst_col + c / inner * s.dst_outer_col) +
                r * width;
            std::memcpy(&want[static_cast<size_t>(dst)], &from[static_cast<size_t>(src)],
                        static_cast<size_t>(width));
          }
        }
        Guarded got(old, static_cast<size_t>(width));
        kernel(s, from.data(), got.data());
        ASSERT_TRUE(got.contents() == want)
            << width << ": " << outer << "x" << inner << " and " << other << " " << split_rows;
        ASSERT_TRUE(got.intact());
      }
    }
  });
}

TEST(MoveKernel, PermutesRecords) {
  ForEachTarget([] {
    Random random(14);
    for (int width : {1, 2, 4}) {
      if (!HasRecordKernel(width)) continue;
      for (int64_t bytes = width; bytes <= kMaxRecordBytes;
           bytes += width * Uniform(random, 1, 5)) {
        const int64_t elements = bytes / width;
        std::vector<int64_t> source(static_cast<size_t>(elements));
        std::iota(source.begin(), source.end(), 0);
        std::shuffle(source.begin(), source.end(), random);
        const auto table = MakeRecordTable(width, source);
        ASSERT_NE(table, nullptr);
        RecordShape s;
        s.rows = 3;
        s.cols = 2;
        s.src_col = s.dst_col = bytes;
        s.src_row = 2 * bytes + width;
        s.dst_row = 2 * bytes + 3 * width;
        s.table = table.get();
        const Bytes from = RandomBytes(random, static_cast<size_t>(2 * s.src_row + 2 * bytes));
        const Bytes old = RandomBytes(random, static_cast<size_t>(2 * s.dst_row + 2 * bytes));
        Bytes want = old;
        for (int64_t r = 0; r < s.rows; ++r) {
          for (int64_t c = 0; c < s.cols; ++c) {
            for (int64_t i = 0; i < elements; ++i)
              std::memcpy(&want[static_cast<size_t>(r * s.dst_row + c * bytes + i * width)],
                          &from[static_cast<size_t>(r * s.src_row + c * bytes +
                                                    source[static_cast<size_t>(i)] * width)],
                          static_cast<size_t>(width));
          }
        }
        Guarded got(old, static_cast<size_t>(width));
        FindRecordKernel(width, elements)(s, from.data(), got.data());
        ASSERT_TRUE(got.contents() == want) << width << " x " << elements;
        ASSERT_TRUE(got.intact());
      }
    }
  });
}

TEST(MoveKernel, StreamsLongRows) {
  ForEachTarget([] {
    Random random(12);
    for (int64_t bytes : {255, 256, 257, 4096, 16384, 16385, 40000}) {
      const int64_t extents[3] = {1, 2, bytes};
      ExpectMoved(random, Kind::kNonTemporalRows, 1, extents);
      if (testing::Test::HasFatalFailure()) return;
    }
  });
}

TEST(MoveKernel, DoesNothingForAnEmptyBox) {
  ForEachTarget([] {
    Random random(13);
    for (Kind kind : kKinds) {
      for (int width : kWidths) {
        for (int axis = 0; axis < 3; ++axis) {
          int64_t extents[3] = {2, 20, 20};
          extents[axis] = 0;
          ExpectMoved(random, kind, width, extents);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  });
}

}  // namespace
}  // namespace impl_cpu
