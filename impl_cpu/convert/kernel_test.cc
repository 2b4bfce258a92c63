#include "impl_cpu/convert/kernel.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "api/spi/types.h"
#include "api/testing/random_operation.h"
#include "impl_cpu/numeric/element.h"
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

constexpr int64_t kColumns[] = {0,  1,  2,  3,  4,  5,  7,  8,  15,  16,  17,  31,  32,
                                33, 63, 64, 65, 66, 79, 80, 96, 127, 128, 129, 200, 257};

void ExpectPlain(Random& random, DataType src, DataType dst, ConvertMode mode, DataType sum_type,
                 ConvertKernel kernel) {
  ConvertShape shape;
  shape.rows = Uniform(random, 0, 3);
  shape.cols = kColumns[Uniform(random, 0, std::size(kColumns) - 1)];
  const int64_t src_gap = Uniform(random, 0, 3), dst_gap = Uniform(random, 0, 3);
  shape.src_row = (shape.cols + src_gap) * spi::SizeOf(src);
  shape.dst_row = (shape.cols + dst_gap) * spi::SizeOf(dst);
  shape.scale_col = Uniform(random, 0, 1);
  shape.scale_row = Uniform(random, 0, 5);
  const bool sums = mode == ConvertMode::kScaleSum || mode == ConvertMode::kShiftSum;
  shape.beta = sums ? 0.75f : 0.0f;

  Problem problem;
  Arithmetic& arithmetic = problem.arithmetic;
  arithmetic.src = src;
  arithmetic.dst = dst;
  arithmetic.computed = mode != ConvertMode::kCopy;
  if (arithmetic.computed) arithmetic.scale = Arithmetic::Scale::kMany;
  arithmetic.sum = sums;
  arithmetic.shifted = mode == ConvertMode::kShift || mode == ConvertMode::kShiftSum;
  Zeros zeros;
  if (arithmetic.shifted) {
    // Of one side, of the other, and of both.
    const int64_t sides = Uniform(random, 1, 3);
    if (sides != 2) shape.src_zero = static_cast<float>(Uniform(random, -300, 300));
    if (sides != 1) shape.dst_zero = static_cast<float>(Uniform(random, -300, 300));
    zeros.src = shape.src_zero;
    zeros.dst = shape.dst_zero;
  }
  arithmetic.beta = shape.beta;
  arithmetic.sum_type = sum_type;
  if (shape.rows > 0 && shape.cols > 0) {
    spi::LoopNest nest;
    nest.loops = {{shape.rows, shape.cols + src_gap, shape.cols + dst_gap, shape.scale_row},
                  {shape.cols, 1, 1, shape.scale_col}};
    problem.nests.push_back(nest);
  }

  const auto bytes = [&shape](int64_t row, DataType type) {
    return static_cast<size_t>(
        shape.rows == 0 ? 0 : (shape.rows - 1) * row + shape.cols * spi::SizeOf(type));
  };
  const Bytes from = RandomData(random, src, bytes(shape.src_row, src));
  const Bytes old = RandomData(random, dst, bytes(shape.dst_row, dst));
  std::vector<float> scales(static_cast<size_t>(3 * 5 + shape.cols));
  for (float& scale : scales) scale = std::ldexp(static_cast<float>(Uniform(random, 1, 99)), -5);

  Guarded want(old, 0);
  RunPlain(problem, from.data(), want.data(), scales.data(), zeros);
  Guarded source(from, static_cast<size_t>(Uniform(random, 0, 63) * spi::SizeOf(src)));
  Guarded got(old, static_cast<size_t>(Uniform(random, 0, 63) * spi::SizeOf(dst)));
  kernel(shape, source.data(), got.data(), scales.data());
  ASSERT_TRUE(SameElements(dst, arithmetic.computed, want.contents(), got.contents()))
      << spi::NameOf(src) << "->" << spi::NameOf(dst) << " mode " << static_cast<int>(mode) << " "
      << shape.rows << "x" << shape.cols;
  ASSERT_TRUE(got.intact());
  ASSERT_EQ(source.contents(), from);
}

TEST(ConvertKernel, IsThePlainKernelForEveryPairModeAndTarget) {
  ForEachTarget([] {
    Random random(7);
    for (DataType src : kTypes) {
      for (DataType dst : kTypes) {
        for (ConvertMode mode : {ConvertMode::kCopy, ConvertMode::kScale, ConvertMode::kScaleSum,
                                 ConvertMode::kShift, ConvertMode::kShiftSum}) {
          const bool sums = mode == ConvertMode::kScaleSum || mode == ConvertMode::kShiftSum;
          for (DataType sum_type : kTypes) {
            if (spi::SizeOf(sum_type) != spi::SizeOf(dst)) continue;
            if (!sums && sum_type != dst) continue;
            const ConvertKernel kernel = FindConvertKernel(src, dst, mode, sum_type);
            if (kernel == nullptr) continue;
            for (int i = 0; i < 60; ++i) {
              ExpectPlain(random, src, dst, mode, sum_type, kernel);
              if (testing::Test::HasFatalFailure()) return;
            }
          }
        }
      }
    }
  });
}

TEST(ConvertKernel, ExistsForEveryPairWhereTheMachineHasVectors) {
  if (FindConvertKernel(DataType::kF32, DataType::kU8, ConvertMode::kCopy, DataType::kU8) ==
      nullptr)
    GTEST_SKIP() << "no vector instruction set";
  for (DataType src : kTypes) {
    for (DataType dst : kTypes) {
      EXPECT_EQ(FindConvertKernel(src, dst, ConvertMode::kCopy, dst) == nullptr, src == dst);
      EXPECT_NE(FindConvertKernel(src, dst, ConvertMode::kScale, dst), nullptr);
      EXPECT_NE(FindConvertKernel(src, dst, ConvertMode::kScaleSum, dst), nullptr);
    }
  }
  EXPECT_NE(FindConvertKernel(DataType::kF32, DataType::kU8, ConvertMode::kScaleSum, DataType::kS8),
            nullptr);
}

// Every value of the 16-bit types, and f32 around every value of f16.
TEST(ConvertKernel, IsExactForEveryHalf) {
  ForEachTarget([] {
    Bytes halves(2 * 65536);
    for (uint32_t i = 0; i < 65536; ++i) std::memcpy(&halves[2 * i], &i, 2);
    ConvertShape shape;
    shape.cols = 65536;
    for (DataType src : {DataType::kF16, DataType::kBF16}) {
      for (DataType dst : kTypes) {
        const ConvertKernel kernel = FindConvertKernel(src, dst, ConvertMode::kCopy, dst);
        if (kernel == nullptr) continue;
        Problem problem;
        problem.arithmetic.src = src;
        problem.arithmetic.dst = dst;
        problem.nests.push_back({{{shape.cols, 1, 1, 0}}, 0, 0, 0});
        Bytes want(static_cast<size_t>(65536 * spi::SizeOf(dst))), got(want);
        RunPlain(problem, halves.data(), want.data(), nullptr);
        kernel(shape, halves.data(), got.data(), nullptr);
        ASSERT_EQ(want == got, true) << spi::NameOf(src) << "->" << spi::NameOf(dst);
      }
    }
  });
}

// In rows of every length below a vector too, which take another path.
TEST(ConvertKernel, SaturatesEveryIntegerOf17Bits) {
  ForEachTarget([] {
    Bytes integers(4 * 131072);
    for (int32_t i = 0; i < 131072; ++i) {
      const int32_t value = i - 65536;
      std::memcpy(&integers[4 * static_cast<size_t>(i)], &value, 4);
    }
    for (DataType dst : {DataType::kS8, DataType::kU8}) {
      const ConvertKernel kernel = FindConvertKernel(DataType::kS32, dst, ConvertMode::kCopy, dst);
      if (kernel == nullptr) continue;
      for (int64_t cols : {1, 4, 8, 16, 64, 131072}) {
        ConvertShape shape;
        shape.rows = 131072 / cols;
        shape.cols = cols;
        shape.src_row = cols * 4;
        shape.dst_row = cols;
        Problem problem;
        problem.arithmetic.src = DataType::kS32;
        problem.arithmetic.dst = dst;
        problem.nests.push_back({{{131072, 1, 1, 0}}, 0, 0, 0});
        Bytes want(131072), got(want);
        RunPlain(problem, integers.data(), want.data(), nullptr);
        kernel(shape, integers.data(), got.data(), nullptr);
        ASSERT_EQ(want == got, true) << spi::NameOf(dst) << " in rows of " << cols;
      }
    }
  });
}

TEST(ConvertKernel, RoundsToF16AsThePlainKernelAroundEveryValue) {
  ForEachTarget([] {
    const ConvertKernel widen =
        FindConvertKernel(DataType::kF16, DataType::kF32, ConvertMode::kCopy, DataType::kF32);
    if (widen == nullptr) return;
    Bytes halves(2 * 65536), floats(4 * 65536);
    for (uint32_t i = 0; i < 65536; ++i) std::memcpy(&halves[2 * i], &i, 2);
    ConvertShape shape;
    shape.cols = 65536;
    widen(shape, halves.data(), floats.data(), nullptr);
    for (uint32_t delta : {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x1fffu, 0x800u, ~0u}) {
      Bytes moved = floats;
      for (size_t i = 0; i < moved.size(); i += 4) {
        uint32_t bits;
        std::memcpy(&bits, &moved[i], 4);
        bits += delta;
        std::memcpy(&moved[i], &bits, 4);
      }
      for (DataType dst : {DataType::kF16, DataType::kBF16}) {
        Problem problem;
        problem.arithmetic.src = DataType::kF32;
        problem.arithmetic.dst = dst;
        problem.nests.push_back({{{shape.cols, 1, 1, 0}}, 0, 0, 0});
        Bytes want(2 * 65536), got(want);
        RunPlain(problem, moved.data(), want.data(), nullptr);
        FindConvertKernel(DataType::kF32, dst, ConvertMode::kCopy, dst)(shape, moved.data(),
                                                                        got.data(), nullptr);
        ASSERT_EQ(want == got, true) << spi::NameOf(dst) << " " << delta;
      }
    }
  });
}

// Half way between any two neighbours, and next to it, subnormal values among them.
TEST(ConvertKernel, RoundsToF16AsThePlainKernelInEveryRoundingMode) {
  std::vector<float> values;
  for (uint32_t i = 0; i < 0x7c00; ++i) {
    const float low = Widen(F16{static_cast<uint16_t>(i)});
    const float high = i == 0x7bff ? 65536.0f : Widen(F16{static_cast<uint16_t>(i + 1)});
    const float middle = (low + high) / 2;  // exact
    for (float value : {low, std::nextafter(low, high), std::nextafter(middle, low), middle,
                        std::nextafter(middle, high), std::nextafter(high, low)}) {
      values.push_back(value);
      values.push_back(-value);
    }
  }
  Bytes from(4 * values.size());
  std::memcpy(from.data(), values.data(), from.size());
  ConvertShape shape;
  shape.cols = static_cast<int64_t>(values.size());
  Problem problem;
  problem.arithmetic.src = DataType::kF32;
  problem.arithmetic.dst = DataType::kF16;
  problem.nests.push_back({{{shape.cols, 1, 1, 0}}, 0, 0, 0});
  Bytes want(2 * values.size());
  RunPlain(problem, from.data(), want.data(), nullptr);
  ForEachTarget([&] {
    const ConvertKernel kernel =
        FindConvertKernel(DataType::kF32, DataType::kF16, ConvertMode::kCopy, DataType::kF16);
    if (kernel == nullptr) return;
    for (int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      Bytes got(want.size()), plain(want.size());
      std::fesetround(mode);
      kernel(shape, from.data(), got.data(), nullptr);
      RunPlain(problem, from.data(), plain.data(), nullptr);
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(got == want, true) << "rounding mode " << mode;
      EXPECT_EQ(plain == want, true) << "rounding mode " << mode;
    }
  });
}

}  // namespace
}  // namespace impl_cpu
