#include "impl_cpu/elementwise/kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "hwy/targets.h"
#include "impl_cpu/elementwise/testing/reference.h"
#include "impl_cpu/numeric/element.h"
#include "impl_cpu/numeric/eltwise.h"
#include "impl_cpu/testing/guarded.h"
#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

using spi::Algorithm;
using Floats = std::vector<float>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr double kU = 0x1p-24;

// How far a result may be from the exact one, in units of u.
enum class Of {
  kResult,  // times the result
  kSource,  // times |s|
  kOne,     // times max(1, |alpha s|), alpha being that of swish, else 1
};
struct Budget {
  double units;
  Of of;
};

struct Row {
  Function function;
  Budget forward, slope;
  bool from_dst = false;
};

const Row kRows[] = {
    {{Algorithm::kEltwiseRelu}, {0, Of::kResult}, {0, Of::kResult}, true},
    {{Algorithm::kEltwiseRelu, 0.1f}, {1, Of::kResult}, {0, Of::kResult}, true},
    {{Algorithm::kEltwiseRelu, -1}, {0, Of::kResult}, {0, Of::kResult}, true},
    {{Algorithm::kEltwiseTanh}, {3, Of::kResult}, {4, Of::kOne}, true},
    {{Algorithm::kEltwiseElu, 1}, {1.5, Of::kResult}, {1.5, Of::kResult}, true},
    {{Algorithm::kEltwiseElu, 0.7f}, {2.5, Of::kResult}, {2.5, Of::kResult}, true},
    {{Algorithm::kEltwiseSquare}, {1, Of::kResult}, {0, Of::kResult}},
    {{Algorithm::kEltwiseAbs}, {0, Of::kResult}, {0, Of::kResult}},
    {{Algorithm::kEltwiseSqrt}, {1, Of::kResult}, {2, Of::kResult}, true},
    {{Algorithm::kEltwiseLinear, 0.7f, 0.3f}, {0, Of::kResult}, {0, Of::kResult}},
    {{Algorithm::kEltwiseBoundedRelu, 6}, {0, Of::kResult}, {0, Of::kResult}},
    {{Algorithm::kEltwiseClip, -1, 2}, {0, Of::kResult}, {0, Of::kResult}},
    {{Algorithm::kEltwiseClipV2, 1, 2}, {0, Of::kResult}, {0, Of::kResult}},
    {{Algorithm::kEltwiseSoftRelu}, {3, Of::kResult}, {3.5, Of::kResult}},
    {{Algorithm::kEltwiseLogistic}, {3.5, Of::kResult}, {2, Of::kOne}, true},
    {{Algorithm::kEltwiseExp}, {1.5, Of::kResult}, {1.5, Of::kResult}, true},
    {{Algorithm::kEltwiseLog}, {2, Of::kResult}, {1, Of::kResult}},
    {{Algorithm::kEltwiseGeluTanh}, {2, Of::kSource}, {4, Of::kOne}},
    {{Algorithm::kEltwiseGeluErf}, {3.5, Of::kSource}, {4, Of::kOne}},
    {{Algorithm::kEltwiseSwish, 1}, {3.5, Of::kResult}, {4, Of::kOne}},
    {{Algorithm::kEltwiseSwish, 1.702f}, {3.5, Of::kResult}, {4, Of::kOne}},
    {{Algorithm::kEltwiseSwish, -0.3f}, {3.5, Of::kResult}, {4, Of::kOne}},
    {{Algorithm::kEltwiseSwish, 0}, {0, Of::kResult}, {0, Of::kResult}},
    {{Algorithm::kEltwisePow, 1, 1.7f}, {1.01, Of::kResult}, {1.01, Of::kResult}},
    {{Algorithm::kEltwisePow, 2, 3}, {1.01, Of::kResult}, {1.01, Of::kResult}},
    {{Algorithm::kEltwisePow, 1, -1}, {1.01, Of::kResult}, {1.01, Of::kResult}},
    {{Algorithm::kEltwisePow, 1, 0.5f}, {1.01, Of::kResult}, {1.01, Of::kResult}},
    {{Algorithm::kEltwisePow, 3, -0.5f}, {1.01, Of::kResult}, {1.01, Of::kResult}},
    {{Algorithm::kEltwisePow, 1, 33.3f}, {1.01, Of::kResult}, {1.01, Of::kResult}},
    {{Algorithm::kEltwisePow, 1, 2}, {1, Of::kResult}, {1.01, Of::kResult}},
    {{Algorithm::kEltwisePow, 3, 0}, {0, Of::kResult}, {0, Of::kResult}},
    {{Algorithm::kEltwiseRound}, {0, Of::kResult}, {0, Of::kResult}},
    {{Algorithm::kEltwiseLogsigmoid}, {3, Of::kResult}, {3.5, Of::kResult}},
    {{Algorithm::kEltwiseMish}, {5, Of::kResult}, {4, Of::kOne}},
    {{Algorithm::kEltwiseHardswish}, {4, Of::kResult}, {3, Of::kOne}},
};

// Through all exponents, and densely where functions bend.
Floats Sweep() {
  Floats values = {0, -0.0f, kInfinity, -kInfinity, kNaN, 88.72f, 88.73f, -87.3f, -103, -104, 3};
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += 32771)
    values.push_back(FromBits(static_cast<uint32_t>(bits)));
  for (int i = -60000; i <= 60000; ++i) values.push_back(static_cast<float>(i) * 0.002f + 1e-5f);
  return values;
}

// Equal bits, or both NaN.
bool IsSame(float a, float b) { return BitsOf(a) == BitsOf(b) || (std::isnan(a) && std::isnan(b)); }

std::string NameOf(const Function& f) {
  return "algorithm " + std::to_string(static_cast<int>(f.algorithm)) + " alpha " +
         std::to_string(f.alpha) + " beta " + std::to_string(f.beta);
}

bool IsRight(float got, long double exact, float s, double scale, const Budget& budget) {
  const float rounded = static_cast<float>(exact);
  if (std::isnan(rounded)) return std::isnan(got);
  if (got == rounded) return true;
  if (!std::isfinite(got)) return false;
  double unit = static_cast<double>(std::fabs(exact));
  if (budget.of == Of::kSource) unit = std::fabs(static_cast<double>(s));
  if (budget.of == Of::kOne) unit = std::max(1.0, std::fabs(scale * static_cast<double>(s)));
  // Two steps of the last place where the result is below the normal range.
  const double allowed = budget.units * kU * unit + 0x1p-148;
  return std::fabs(static_cast<long double>(got) - exact) <= static_cast<long double>(allowed);
}

void ExpectRight(const Function& f, const Floats& s, const Floats& got,
                 const std::vector<long double>& exact, const Budget& budget) {
  const double scale = f.algorithm == Algorithm::kEltwiseSwish ? static_cast<double>(f.alpha) : 1;
  for (size_t i = 0; i < s.size(); ++i)
    ASSERT_TRUE(IsRight(got[i], exact[i], s[i], scale, budget))
        << NameOf(f) << " of " << s[i] << " is " << got[i] << ", not " << exact[i];
}

Floats Forward(const Function& f, const Floats& s) {
  Floats d(s.size());
  const ForwardKernel kernel = FindForwardKernel(f);
  EXPECT_NE(kernel, nullptr);
  if (kernel) kernel(f, {1, static_cast<int64_t>(s.size()), 0, 0}, s.data(), d.data());
  return d;
}

// Of a diff_dst of ones.
Floats Slopes(const Function& f, const Floats& data, bool from_dst) {
  Floats slopes(data.size(), 1);
  const BackwardKernel kernel = FindBackwardKernel(f, from_dst);
  EXPECT_NE(kernel, nullptr);
  const EltwiseRows rows = {1, static_cast<int64_t>(data.size()), 0, 0};
  if (kernel) kernel(f, rows, data.data(), slopes.data(), slopes.data());
  return slopes;
}

// Where there are vectors at all.
template <typename Body>
void ForEachVectorTarget(Body body) {
  ForEachTarget([&] {
    if (FindForwardKernel({Algorithm::kEltwiseRelu}) != nullptr) body();
  });
}

std::vector<long double> Exact(const Floats& s, const std::function<long double(float)>& f) {
  std::vector<long double> exact;
  for (const float value : s) exact.push_back(f(value));
  return exact;
}

class EltwiseKernel : public testing::TestWithParam<Row> {};
INSTANTIATE_TEST_SUITE_P(OfEveryFunction, EltwiseKernel, testing::ValuesIn(kRows));

TEST_P(EltwiseKernel, IsTheFunctionAtEveryMagnitude) {
  const Function& f = GetParam().function;
  const Floats s = Sweep();
  const auto exact = Exact(s, [&](float value) { return ExactForward(f, value); });
  ForEachVectorTarget([&] { ExpectRight(f, s, Forward(f, s), exact, GetParam().forward); });
}

TEST_P(EltwiseKernel, HasItsSlopeAtEveryMagnitude) {
  const Function& f = GetParam().function;
  if (f.algorithm == Algorithm::kEltwiseRound) {
    ForEachVectorTarget([&] { EXPECT_EQ(FindBackwardKernel(f, false), nullptr); });
    return;
  }
  const Floats s = Sweep();
  const auto exact = Exact(s, [&](float value) { return ExactSlope(f, value); });
  ForEachVectorTarget([&] { ExpectRight(f, s, Slopes(f, s, false), exact, GetParam().slope); });
}

TEST_P(EltwiseKernel, HasItsSlopeFromTheDestination) {
  const Function& f = GetParam().function;
  ForEachVectorTarget(
      [&] { EXPECT_EQ(FindBackwardKernel(f, true) != nullptr, GetParam().from_dst); });
  if (!GetParam().from_dst) return;
  Floats d;
  for (int i = -2000; i <= 2000; ++i) d.push_back(static_cast<float>(i) / 512);
  const auto exact = Exact(d, [&](float value) { return ExactSlopeFromDst(f, value); });
  ForEachVectorTarget([&] { ExpectRight(f, d, Slopes(f, d, true), exact, {4, Of::kOne}); });
}

// Every length and place, in place and not, beside guards.
TEST_P(EltwiseKernel, GivesAnElementTheSameBitsWhereverItLies) {
  const Function& f = GetParam().function;
  ForEachVectorTarget([&] {
    const Floats values = {-0.5f, kNaN, 3, -kInfinity, 1e-40f, 0, 7.25f, -90, -0.001f, 104, -3};
    Floats alone;
    for (const float value : values) alone.push_back(Forward(f, {value})[0]);
    enum class How { kStored, kNonTemporal, kInPlace };
    for (size_t count = 1; count <= 170; count += count < 70 ? 1 : 13)
      for (const How how : {How::kStored, How::kNonTemporal, How::kInPlace}) {
        const bool in_place = how == How::kInPlace;
        std::vector<std::byte> bytes(4 * count);
        for (size_t i = 0; i < count; ++i)
          std::memcpy(&bytes[4 * i], &values[i % values.size()], sizeof(float));
        Guarded src(bytes, 4 * count), dst(bytes, 4);
        auto* const to = reinterpret_cast<float*>(in_place ? src.data() : dst.data());
        FindForwardKernel(f)(f, {1, static_cast<int64_t>(count), 0, 0, how == How::kNonTemporal},
                             reinterpret_cast<const float*>(src.data()), to);
        for (size_t i = 0; i < count; ++i)
          ASSERT_TRUE(IsSame(to[i], alone[i % values.size()]))
              << NameOf(f) << " of " << values[i % values.size()] << " at " << i << " of " << count;
        ASSERT_TRUE(src.intact() && dst.intact());
      }
  });
}

// Alike on all targets that fuse a multiplication with an addition, and on
// all that do not.
TEST_P(EltwiseKernel, GivesTheSameBitsOnTargetsOfOneSort) {
  const Function& f = GetParam().function;
  const Floats s = Sweep();
  Floats first[2];
  ForEachVectorTarget([&] {
    Floats got = Forward(f, s);
    if (FindBackwardKernel(f, false) != nullptr) {
      const Floats slopes = Slopes(f, s, false);
      got.insert(got.end(), slopes.begin(), slopes.end());
    }
    const bool fused = (hwy::SupportedTargets() & HWY_AVX2) != 0;
    if (first[fused].empty()) {
      first[fused] = got;
    } else {
      for (size_t i = 0; i < got.size(); ++i)
        ASSERT_TRUE(IsSame(got[i], first[fused][i])) << NameOf(f) << " at " << s[i % s.size()];
    }
  });
}

TEST(EltwiseKernels, OfOneOperationAreTheScalarFunctions) {
  const Floats s = Sweep();
  for (const Row& row : kRows) {
    if (row.forward.units > 1 || row.function.algorithm == Algorithm::kEltwisePow) continue;
    const Function& f = row.function;
    ForEachVectorTarget([&] {
      const Floats got = Forward(f, s);
      for (size_t i = 0; i < s.size(); ++i) {
        const float expected = Eltwise({f.algorithm, 1, f.alpha, f.beta}, s[i]);
        ASSERT_TRUE(IsSame(got[i], expected))
            << NameOf(f) << " of " << s[i] << " is " << got[i] << ", not " << expected;
      }
    });
  }
}

// 1/(2d) where 2d overflows: no root, but a destination that a program may hand over.
TEST(EltwiseKernels, HaveTheSlopeOfARootAtLargeDestinations) {
  ForEachVectorTarget([] {
    const Floats d = {0x1p125f, 0x1p126f, 0x1.8p126f, 0x1p127f, -0x1p127f, kInfinity};
    const Floats slopes = Slopes({Algorithm::kEltwiseSqrt}, d, true);
    for (size_t i = 0; i < d.size(); ++i)
      EXPECT_EQ(slopes[i], static_cast<float>(0.5 / static_cast<double>(d[i]))) << d[i];
  });
}

// ELT-053, ELT-052: within the range of the function; it falls by no more than twice its budget.
TEST(EltwiseKernels, KeepTheirRangeAndOrder) {
  Floats s;
  for (int i = -(1 << 17); i <= 1 << 17; ++i) s.push_back(static_cast<float>(i) * 0x1p-10f);
  struct Bounds {
    Algorithm algorithm;
    float lo, hi;
  };
  for (const Bounds& b :
       {Bounds{Algorithm::kEltwiseTanh, -1, 1}, Bounds{Algorithm::kEltwiseLogistic, 0, 1},
        Bounds{Algorithm::kEltwiseExp, 0, kInfinity}, Bounds{Algorithm::kEltwiseElu, -1, kInfinity},
        Bounds{Algorithm::kEltwiseSoftRelu, 0, kInfinity},
        Bounds{Algorithm::kEltwiseLog, -kInfinity, kInfinity}}) {
    ForEachVectorTarget([&] {
      const Floats d = Forward({b.algorithm, 1}, s);
      for (size_t i = 1; i < d.size(); ++i) {
        if (!std::isfinite(d[i - 1])) continue;
        ASSERT_TRUE(d[i] >= b.lo && d[i] <= b.hi) << NameOf({b.algorithm}) << " of " << s[i];
        ASSERT_GE(d[i], d[i - 1] - 8 * static_cast<float>(kU) * std::fabs(d[i - 1]))
            << NameOf({b.algorithm}) << " of " << s[i];
      }
    });
  }
}

TEST(EltwiseKernels, WalkRowsWithGaps) {
  ForEachVectorTarget([] {
    const Floats src = {-1, 2, 9, -3, 4, 9};
    Floats dst(8, 7);
    const Function relu = {Algorithm::kEltwiseRelu, 0.5f};
    FindForwardKernel(relu)(relu, {2, 2, 3, 4}, src.data(), dst.data());
    EXPECT_EQ(dst, Floats({-0.5f, 2, 7, 7, -1.5f, 4, 7, 7}));
    const Floats diff_dst = {10, 20, 0, 0, 30, 40, 0, 0};
    FindBackwardKernel(relu, false)(relu, {2, 2, 3, 4}, src.data(), diff_dst.data(), dst.data());
    EXPECT_EQ(dst, Floats({5, 20, 7, 7, 15, 40, 7, 7}));
  });
}

TEST(EltwiseKernels, MultiplyPowersThatF32DoesNotHold) {
  ForEachVectorTarget([] {
    const auto of_half = [](float alpha, float beta) {
      return Forward({Algorithm::kEltwisePow, alpha, beta}, {0.5f})[0];
    };
    EXPECT_EQ(of_half(0x1p-126f, -253), 0x1p127f);
    EXPECT_EQ(of_half(-0x1p-126f, -254), -kInfinity);
    EXPECT_EQ(of_half(0x1p-126f, -0x1p40f), kInfinity);
    EXPECT_EQ(of_half(0x1p127f, 276), 0x1p-149f);
    EXPECT_EQ(of_half(0x1p127f, 278), 0);
    EXPECT_EQ(of_half(0x1p127f, 0x1p40f), 0);
  });
}

TEST(EltwiseKernels, SwishProductsOfAVeryLargeAndAVerySmallNumber) {
  ForEachVectorTarget([] {
    const auto swish = [](float alpha, float s) {
      return Forward({Algorithm::kEltwiseSwish, alpha}, {s})[0];
    };
    for (const float sign : {1.f, -1.f}) {
      const double logistic = 1 / (1 + std::exp(-3.0 * sign));
      EXPECT_NEAR(swish(3e-38f, sign * 1e38f) / (sign * 1e38), logistic, 1e-6);
      EXPECT_NEAR(swish(3e36f, sign * 1e-36f) / (sign * 1e-36), logistic, 1e-6);
    }
    EXPECT_EQ(swish(3e38f, -1e38f), 0);
    EXPECT_EQ(swish(3e38f, 1e38f), 1e38f);
  });
}

TEST(EltwiseKernels, DoubleNoGradientThatIsTooLarge) {
  ForEachVectorTarget([] {
    const Function square = {Algorithm::kEltwiseSquare};
    const Floats data = {0x1p-40f, -0x1p-140f, 0x1p127f, 0, 0x1p1f};
    Floats diff = {-0x1p127f, 0x1p127f, 0x1p-126f, 0x1p127f, 0x1p127f};
    FindBackwardKernel(square, false)(square, {1, 5, 0, 0}, data.data(), diff.data(), diff.data());
    EXPECT_EQ(diff, Floats({-0x1p88f, -0x1p-12f, 4, 0, kInfinity}));
  });
}

TEST(EltwiseKernels, HaveNoPowerByWhatIsNotFinite) {
  ForEachVectorTarget([] {
    EXPECT_EQ(FindForwardKernel({Algorithm::kEltwisePow, 1, kInfinity}), nullptr);
    EXPECT_EQ(FindBackwardKernel({Algorithm::kEltwisePow, 1, kNaN}, false), nullptr);
    EXPECT_NE(FindForwardKernel({Algorithm::kEltwisePow, 1, 1e30f}), nullptr);
  });
}

}  // namespace
}  // namespace impl_cpu
