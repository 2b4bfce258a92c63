#include "impl_cpu/convert/kernel.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "api/spi/types.h"
#include "impl_cpu/convert/transpose.h"
#include "impl_cpu/strided/plain_kernel.h"
#include "impl_cpu/strided/problem.h"
#include "impl_cpu/testing/guarded.h"
#include "impl_cpu/testing/random_operation.h"
#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

using spi::DataType;

constexpr int64_t kColumns[] = {0,  1,  2,  3,  4,  5,  7,  8,  15,  16,  17,  31,  32,
                                33, 63, 64, 65, 66, 79, 80, 96, 127, 128, 129, 200, 257};

// Bits of NaN may differ where something was computed.
bool SameElements(DataType type, bool computed, const Bytes& a, const Bytes& b) {
  if (a == b) return true;
  if (!computed) return false;
  const size_t bytes = static_cast<size_t>(spi::SizeOf(type));
  for (size_t i = 0; i < a.size(); i += bytes) {
    uint32_t x = 0, y = 0;
    std::memcpy(&x, &a[i], bytes);
    std::memcpy(&y, &b[i], bytes);
    const auto nan = [type](uint32_t bits) {
      return type == DataType::kF32    ? (bits & 0x7fffffff) > 0x7f800000
             : type == DataType::kBF16 ? (bits & 0x7fff) > 0x7f80
             : type == DataType::kF16  ? (bits & 0x7fff) > 0x7c00
                                       : false;
    };
    if (x != y && !(nan(x) && nan(y))) return false;
  }
  return true;
}

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
  shape.beta = mode == ConvertMode::kScaleSum ? 0.75f : 0.0f;

  Problem problem;
  Arithmetic& arithmetic = problem.arithmetic;
  arithmetic.src = src;
  arithmetic.dst = dst;
  arithmetic.computed = mode != ConvertMode::kCopy;
  if (arithmetic.computed) arithmetic.scale = Arithmetic::Scale::kPerNode;
  arithmetic.sum = mode == ConvertMode::kScaleSum;
  arithmetic.beta = shape.beta;
  arithmetic.sum_type = sum_type;
  if (shape.rows > 0 && shape.cols > 0) {
    Part part;
    part.nodes = {{shape.rows, shape.cols + src_gap, shape.cols + dst_gap, shape.scale_row},
                  {shape.cols, 1, 1, shape.scale_col}};
    problem.parts.push_back(part);
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
  RunPlain(problem, from.data(), want.data(), scales.data());
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
        for (ConvertMode mode : {ConvertMode::kCopy, ConvertMode::kScale, ConvertMode::kScaleSum}) {
          for (DataType sum_type : kTypes) {
            if (spi::SizeOf(sum_type) != spi::SizeOf(dst)) continue;
            if (mode != ConvertMode::kScaleSum && sum_type != dst) continue;
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
        problem.parts.push_back({{{shape.cols, 1, 1, 0}}, 0, 0, 0});
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
        problem.parts.push_back({{{131072, 1, 1, 0}}, 0, 0, 0});
        Bytes want(131072), got(want);
        RunPlain(problem, integers.data(), want.data(), nullptr);
        kernel(shape, integers.data(), got.data(), nullptr);
        ASSERT_EQ(want == got, true) << spi::NameOf(dst) << " in rows of " << cols;
      }
    }
  });
}

// The rounding mode of the calling thread, put back at the end.
class RoundingMode {
 public:
  explicit RoundingMode(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~RoundingMode() { std::fesetround(before_); }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;

 private:
  const int before_;
};

// Under every rounding mode: results of 16 bits are those of the plain kernel, to the nearest.
TEST(ConvertKernel, RoundsTo16BitsAsThePlainKernelAroundEveryValueInEveryMode) {
  ForEachTarget([] {
    const ConvertKernel widen =
        FindConvertKernel(DataType::kF16, DataType::kF32, ConvertMode::kCopy, DataType::kF32);
    if (widen == nullptr) return;
    Bytes halves(2 * 65536), floats(4 * 65536);
    for (uint32_t i = 0; i < 65536; ++i) std::memcpy(&halves[2 * i], &i, 2);
    ConvertShape shape;
    shape.cols = 65536;
    for (int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      Bytes directed(floats.size());
      {
        const RoundingMode set(mode);
        widen(shape, halves.data(), directed.data(), nullptr);
      }
      if (mode == FE_TONEAREST) floats = directed;
      ASSERT_EQ(floats == directed, true) << "f16->f32 in mode " << mode;
    }
    for (uint32_t delta : {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x1fffu, 0x800u, 0x2001u, ~0u}) {
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
        problem.parts.push_back({{{shape.cols, 1, 1, 0}}, 0, 0, 0});
        Bytes want(2 * 65536), got(want);
        RunPlain(problem, moved.data(), want.data(), nullptr);
        const ConvertKernel narrow =
            FindConvertKernel(DataType::kF32, dst, ConvertMode::kCopy, dst);
        for (int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
          {
            const RoundingMode set(mode);
            narrow(shape, moved.data(), got.data(), nullptr);
          }
          ASSERT_EQ(want == got, true)
              << spi::NameOf(dst) << " from f16 + " << delta << " in mode " << mode;
        }
      }
    }
  });
}

// Every exponent, with fractions around each place at which a bit decides, and both signs.
TEST(ConvertKernel, RoundsToF16AsThePlainKernelAtEveryExponentInEveryMode) {
  Bytes floats;
  for (uint32_t high = 0; high < 512; ++high) {
    for (uint32_t bit = 0; bit < 23; ++bit) {
      for (uint32_t base : {0u, 1u << bit, 3u << bit, (1u << 23) - (1u << bit)}) {
        for (uint32_t delta : {0u, 1u, ~0u}) {
          const uint32_t bits = high << 23 | ((base + delta) & 0x7fffff);
          floats.resize(floats.size() + 4);
          std::memcpy(&floats[floats.size() - 4], &bits, 4);
        }
      }
    }
  }
  ConvertShape shape;
  shape.cols = static_cast<int64_t>(floats.size() / 4);
  Problem problem;
  problem.arithmetic.src = DataType::kF32;
  problem.arithmetic.dst = DataType::kF16;
  problem.parts.push_back({{{shape.cols, 1, 1, 0}}, 0, 0, 0});
  Bytes want(floats.size() / 2);
  RunPlain(problem, floats.data(), want.data(), nullptr);
  ForEachTarget([&] {
    const ConvertKernel narrow =
        FindConvertKernel(DataType::kF32, DataType::kF16, ConvertMode::kCopy, DataType::kF16);
    if (narrow == nullptr) return;
    for (int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      Bytes got(want.size());
      {
        const RoundingMode set(mode);
        narrow(shape, floats.data(), got.data(), nullptr);
      }
      ASSERT_EQ(want == got, true) << "mode " << mode;
    }
  });
}

// No element twice, whatever is left of rows and columns.
TEST(TransposeKernel, AddsBytesAsThePlainKernel) {
  ForEachTarget([] {
    Random random(11);
    for (DataType type : {DataType::kS8, DataType::kU8}) {
      const TransposeKernel kernel = FindTransposeAddBytesKernel(type == DataType::kS8);
      if (kernel == nullptr) continue;
      for (int64_t rows : {16, 17, 31, 33, 48, 64, 65, 113, 130}) {
        for (int64_t cols : {16, 17, 63, 64, 65, 100}) {
          TransposeShape shape;
          shape.rows = rows;
          shape.cols = cols;
          shape.src_row = cols + Uniform(random, 0, 3);
          shape.dst_col = rows + Uniform(random, 0, 3);
          shape.beta = 1;
          shape.along_rows = Uniform(random, 0, 1) == 1;
          shape.prefetch = Uniform(random, 0, 1) * 256;
          Problem problem;
          Arithmetic& arithmetic = problem.arithmetic;
          arithmetic.src = arithmetic.dst = arithmetic.sum_type = type;
          arithmetic.computed = arithmetic.sum = true;
          arithmetic.beta = 1;
          problem.parts.push_back(
              {{{cols, 1, shape.dst_col, 0}, {rows, shape.src_row, 1, 0}}, 0, 0, 0});
          const Bytes from =
              RandomBytes(random, static_cast<size_t>((rows - 1) * shape.src_row + cols));
          const Bytes old =
              RandomBytes(random, static_cast<size_t>((cols - 1) * shape.dst_col + rows));
          Guarded want(old, 0), source(from, static_cast<size_t>(Uniform(random, 0, 63)));
          Guarded got(old, static_cast<size_t>(Uniform(random, 0, 63)));
          RunPlain(problem, from.data(), want.data(), nullptr);
          kernel(shape, source.data(), got.data(), nullptr);
          ASSERT_EQ(want.contents() == got.contents(), true) << rows << "x" << cols;
          ASSERT_TRUE(got.intact());
        }
      }
    }
  });
}

}  // namespace
}  // namespace impl_cpu
