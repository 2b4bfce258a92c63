// Kernels of bf16, f16, s8 and u8, beside a widening, the function and a narrowing one by one.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "api/spi/types.h"
#include "impl_cpu/elementwise/kernel.h"
#include "impl_cpu/numeric/eltwise.h"
#include "impl_cpu/numeric/storage.h"
#include "impl_cpu/testing/guarded.h"
#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

using spi::Algorithm;
using spi::DataType;

constexpr DataType kTypes[] = {DataType::kBF16, DataType::kF16, DataType::kS8, DataType::kU8};

const Function kFunctions[] = {
    {Algorithm::kEltwiseRelu},
    {Algorithm::kEltwiseRelu, 0.3f},
    {Algorithm::kEltwiseRelu, -1.5f},
    {Algorithm::kEltwiseSquare},
    {Algorithm::kEltwiseAbs},
    {Algorithm::kEltwiseLinear, 0.7f, 0.3f},
    {Algorithm::kEltwiseLinear, NAN, 0},
    {Algorithm::kEltwiseBoundedRelu, 6},
    {Algorithm::kEltwiseClip, -1, 2},
    {Algorithm::kEltwiseClipV2, 0.1f, 200.7f},
};

// Every value of a type, one after the other.
std::vector<std::byte> AllOf(DataType type) {
  const size_t bytes = static_cast<size_t>(spi::SizeOf(type));
  std::vector<std::byte> all((size_t{1} << 8 * bytes) * bytes);
  for (size_t i = 0; i < all.size() / bytes; ++i) std::memcpy(&all[i * bytes], &i, bytes);
  return all;
}

std::vector<std::byte> OneByOne(const Function& f, DataType type, std::vector<std::byte> elements) {
  const size_t bytes = static_cast<size_t>(spi::SizeOf(type));
  for (size_t at = 0; at < elements.size(); at += bytes) {
    const float s = LoadWidened(type, &elements[at]);
    StoreNarrowed(Eltwise({f.algorithm, 1, f.alpha, f.beta}, s), type, &elements[at]);
  }
  return elements;
}

// Equal bits, or both NaN.
bool IsSame(DataType type, const std::byte* a, const std::byte* b) {
  return std::memcmp(a, b, static_cast<size_t>(spi::SizeOf(type))) == 0 ||
         (std::isnan(LoadWidened(type, a)) && std::isnan(LoadWidened(type, b)));
}

template <typename Body>
void ForEachVectorTarget(Body body) {
  ForEachTarget([&] {
    if (FindForwardKernel({Algorithm::kEltwiseRelu}) != nullptr) body();
  });
}

TEST(NarrowKernels, AreTheFunctionOfEveryValue) {
  for (const DataType type : kTypes)
    for (const Function& f : kFunctions) {
      const std::vector<std::byte> src = AllOf(type), expected = OneByOne(f, type, src);
      const size_t bytes = static_cast<size_t>(spi::SizeOf(type));
      ForEachVectorTarget([&] {
        const NarrowKernel kernel = FindNarrowKernel(f, type);
        ASSERT_NE(kernel, nullptr);
        std::vector<std::byte> dst(src.size());
        kernel(f, static_cast<int64_t>(src.size() / bytes), src.data(), dst.data());
        for (size_t at = 0; at < src.size(); at += bytes)
          ASSERT_TRUE(IsSame(type, &dst[at], &expected[at]))
              << spi::NameOf(f.algorithm) << " of " << spi::NameOf(type) << " "
              << LoadWidened(type, &src[at]) << " is " << LoadWidened(type, &dst[at]) << ", not "
              << LoadWidened(type, &expected[at]);
      });
    }
}

// Every length, at any address, in place and not, beside guards.
TEST(NarrowKernels, WriteTheirElementsAndNoOtherByte) {
  const Function f = {Algorithm::kEltwiseLinear, 2, 1};
  for (const DataType type : kTypes) {
    const size_t bytes = static_cast<size_t>(spi::SizeOf(type));
    ForEachVectorTarget([&] {
      for (size_t count = 0; count <= 150; ++count) {
        std::vector<std::byte> values = AllOf(type);
        values.resize(count * bytes);
        const std::vector<std::byte> expected = OneByOne(f, type, values);
        Guarded src(values, bytes * count), dst(values, bytes);
        FindNarrowKernel(f, type)(f, static_cast<int64_t>(count), src.data(), dst.data());
        ASSERT_EQ(src.contents(), values) << count;
        FindNarrowKernel(f, type)(f, static_cast<int64_t>(count), src.data(), src.data());
        ASSERT_EQ(dst.contents(), expected) << count;
        ASSERT_EQ(src.contents(), expected) << count << " in place";
        ASSERT_TRUE(src.intact() && dst.intact());
      }
    });
  }
}

// Beside the kernels of f32.
TEST(NarrowKernels, HaveTheSlopeAtEveryValue) {
  const std::vector<std::byte> data = AllOf(DataType::kBF16);
  const size_t count = data.size() / sizeof(BF16);
  std::vector<std::byte> diff_dst(data.size());
  std::vector<float> wide_data(count), wide_diff(count);
  for (size_t i = 0; i < count; ++i) {
    const std::byte* const from = &data[i * 40503 % count * sizeof(BF16)];
    std::memcpy(&diff_dst[i * sizeof(BF16)], from, sizeof(BF16));
    wide_data[i] = LoadWidened(DataType::kBF16, &data[i * sizeof(BF16)]);
    wide_diff[i] = LoadWidened(DataType::kBF16, from);
  }
  for (const Function& f : kFunctions)
    ForEachVectorTarget([&] {
      const NarrowBackwardKernel kernel = FindNarrowBackwardKernel(f, DataType::kBF16);
      ASSERT_NE(kernel, nullptr);
      std::vector<float> wide(count);
      const EltwiseRows row = {1, static_cast<int64_t>(count), 0, 0};
      FindBackwardKernel(f, false)(f, row, wide_data.data(), wide_diff.data(), wide.data());
      // The last one is in a part of a step, and all are in place.
      std::vector<std::byte> got = diff_dst;
      kernel(f, static_cast<int64_t>(count - 1), data.data(), got.data(), got.data());
      for (size_t i = 0; i + 1 < count; ++i) {
        std::byte expected[sizeof(BF16)];
        StoreNarrowed(wide[i], DataType::kBF16, expected);
        ASSERT_TRUE(IsSame(DataType::kBF16, &got[i * sizeof(BF16)], expected))
            << spi::NameOf(f.algorithm) << " at " << wide_data[i] << " times " << wide_diff[i];
      }
      ASSERT_EQ(std::memcmp(&got[got.size() - sizeof(BF16)], &diff_dst[got.size() - sizeof(BF16)],
                            sizeof(BF16)),
                0);
    });
}

TEST(NarrowKernels, AreOfCheapFunctionsAlone) {
  ForEachVectorTarget([] {
    EXPECT_EQ(FindNarrowKernel({Algorithm::kEltwiseTanh}, DataType::kBF16), nullptr);
    EXPECT_EQ(FindNarrowKernel({Algorithm::kEltwiseRelu}, DataType::kF32), nullptr);
    EXPECT_EQ(FindNarrowKernel({Algorithm::kEltwiseRelu}, DataType::kS32), nullptr);
  });
}

}  // namespace
}  // namespace impl_cpu
