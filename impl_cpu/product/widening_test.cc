#include "impl_cpu/product/widening.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

// Infinities, NaNs and subnormal numbers among them.
uint16_t Element(int64_t i) { return static_cast<uint16_t>(i * 0x0f1d + 0x7f7f); }

TEST(Widening, KeepsEveryBitAndWritesTheColumnsAlone) {
  ForEachTarget([] {
    const WideningKernel widen = FindWideningKernel();
    if (widen == nullptr) return;  // no vectors
    for (int64_t cols = 0; cols <= 40; ++cols)
      for (const int64_t rows : {0, 1, 3}) {
        const int64_t from_row = cols + 2, to_row = cols + 3;
        std::vector<uint16_t> from(static_cast<size_t>(rows * from_row));
        for (size_t i = 0; i < from.size(); ++i) from[i] = Element(static_cast<int64_t>(i));
        std::vector<float> to(static_cast<size_t>(rows * to_row), 7);
        widen({rows, cols, from_row, to_row}, from.data(), to.data());
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t c = 0; c < to_row; ++c)
            ASSERT_EQ(BitsOf(to[static_cast<size_t>(r * to_row + c)]),
                      c < cols ? uint32_t{Element(r * from_row + c)} << 16 : BitsOf(7))
                << rows << "x" << cols << " at " << r << ", " << c;
      }
  });
}

TEST(Widening, IsThereWhereTheMachineHasVectors) {
#if defined(__x86_64__)
  EXPECT_NE(FindWideningKernel(), nullptr);
#endif
}

}  // namespace
}  // namespace impl_cpu
