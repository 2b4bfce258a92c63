#include "impl_cpu/convert/transpose.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/spi/types.h"
#include "api/testing/random_operation.h"
#include "impl_cpu/plain/kernel.h"
#include "impl_cpu/plain/problem.h"
#include "impl_cpu/testing/elements.h"
#include "impl_cpu/testing/guarded.h"
#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

using spi::Bytes;
using spi::DataType;
using spi::kTypes;
using spi::Random;
using spi::RandomData;
using spi::Uniform;

FusedTranspose Find(DataType src, DataType dst, TransposeScale scale, bool shifted) {
  return spi::SizeOf(src) > spi::SizeOf(dst) ? FindNarrowingTranspose(src, dst, scale, shifted)
                                             : FindWideningTranspose(src, dst, scale, shifted);
}

void ExpectPlain(Random& random, DataType src, DataType dst, TransposeScale scale,
                 const FusedTranspose& fused, bool shifted, bool adds = false) {
  const int64_t sw = spi::SizeOf(src), dw = spi::SizeOf(dst);
  TransposeShape shape;
  shape.rows = fused.rows + Uniform(random, 0, 2 * fused.rows);
  shape.cols = fused.cols + Uniform(random, 0, 2 * fused.cols);
  const int64_t src_gap = Uniform(random, 0, 3), dst_gap = Uniform(random, 0, 3);
  shape.src_row = (shape.cols + src_gap) * sw;
  shape.dst_col = (shape.rows + dst_gap) * dw;
  shape.traversal.prefetch = Uniform(random, 0, 1) * 256;
  shape.traversal.along_rows = Uniform(random, 0, 1) == 1;
  // The scales of the loop that vectors lie along are side by side.
  const bool narrows = sw > dw;
  const int64_t apart = Uniform(random, 0, 3);
  if (scale == TransposeScale::kRows) shape.scale_row = narrows ? apart : 1;
  if (scale == TransposeScale::kColumns) shape.scale_col = narrows ? 1 : apart;

  Problem problem;
  Arithmetic& arithmetic = problem.arithmetic;
  arithmetic.src = src;
  arithmetic.dst = arithmetic.sum_type = dst;
  if (scale != TransposeScale::kNone) arithmetic.scale = Arithmetic::Scale::kMany;
  arithmetic.sum = adds;
  arithmetic.beta = adds ? 1 : 0;
  arithmetic.computed = adds || scale != TransposeScale::kNone;
  arithmetic.shifted = shifted;
  Zeros zeros;
  if (shifted) {
    zeros.src = shape.src_zero = static_cast<float>(Uniform(random, -300, 300));
    zeros.dst = shape.dst_zero = static_cast<float>(Uniform(random, -300, 300));
  }
  spi::LoopNest nest;
  nest.loops = {{shape.rows, shape.cols + src_gap, 1, shape.scale_row},
                {shape.cols, 1, shape.rows + dst_gap, shape.scale_col}};
  problem.nests.push_back(nest);

  const Bytes from = RandomData(
      random, src, static_cast<size_t>((shape.rows - 1) * shape.src_row + shape.cols * sw));
  const Bytes old = RandomData(
      random, dst, static_cast<size_t>((shape.cols - 1) * shape.dst_col + shape.rows * dw));
  std::vector<float> scales(static_cast<size_t>(3 * std::max(shape.rows, shape.cols)));
  for (float& value : scales) value = std::ldexp(static_cast<float>(Uniform(random, 1, 99)), -5);

  Guarded want(old, 0);
  RunPlain(problem, from.data(), want.data(), scales.data(), zeros);
  Guarded source(from, static_cast<size_t>(Uniform(random, 0, 63) * sw));
  Guarded got(old, static_cast<size_t>(Uniform(random, 0, 63) * dw));
  fused.kernel(shape, source.data(), got.data(), scales.data());
  ASSERT_TRUE(SameElements(dst, arithmetic.computed, want.contents(), got.contents()))
      << spi::NameOf(src) << "->" << spi::NameOf(dst) << " scale " << static_cast<int>(scale) << " "
      << shape.rows << "x" << shape.cols;
  ASSERT_TRUE(got.intact());
  ASSERT_EQ(source.contents(), from);
}

TEST(FusedTranspose, IsThePlainKernelForEveryPairScaleAndTarget) {
  ForEachTarget([] {
    Random random(11);
    int pairs = 0, shifting = 0;
    for (DataType src : kTypes) {
      for (DataType dst : kTypes) {
        for (TransposeScale scale :
             {TransposeScale::kNone, TransposeScale::kRows, TransposeScale::kColumns}) {
          for (bool shifted : {false, true}) {
            const FusedTranspose fused = Find(src, dst, scale, shifted);
            if (fused.kernel == nullptr) continue;
            if (scale == TransposeScale::kNone) ++pairs;
            if (shifted) ++shifting;
            for (int i = 0; i < 40; ++i) {
              ExpectPlain(random, src, dst, scale, fused, shifted);
              if (testing::Test::HasFatalFailure()) return;
            }
          }
        }
      }
    }
    // From two types to four narrower ones, from five to f32, from two to s32.
    if (FindTransposeF32Kernel(true, false, false) != nullptr) {
      EXPECT_EQ(pairs, 2 * 4 + 5 + 2);
      // With scales of rows and of columns; none into s32.
      EXPECT_EQ(shifting, 2 * (2 * 4 + 5));
    }
  });
}

TEST(FusedTranspose, AddsEachByteOnceForEveryTarget) {
  ForEachTarget([] {
    Random random(12);
    for (DataType type : {DataType::kS8, DataType::kU8}) {
      const FusedTranspose fused = FindAddingTranspose(type);
      if (fused.kernel == nullptr) continue;
      for (int i = 0; i < 200; ++i) {
        ExpectPlain(random, type, type, TransposeScale::kNone, fused, false, true);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
    EXPECT_EQ(FindAddingTranspose(DataType::kBF16).kernel, nullptr);
  });
}

}  // namespace
}  // namespace impl_cpu
