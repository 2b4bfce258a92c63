// Element-wise functions of shaders against their formulas, without a device: what they compute
// with is integers, so that every device has what C++ makes of the same source. Only first guesses,
// which are improved on, are the device's own.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "impl_vulkan/testing/glsl.h"

namespace impl_vulkan {
namespace testing {
namespace glsl {

// In this order: each includes what it needs, and the guards of the former keep that out.
#include "impl_vulkan/glsl/number.glsl"
// After it.
#include "impl_vulkan/glsl/curves.glsl"

namespace {

constexpr double kUnit = 1.0 / (1 << 24);
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

uint Bits(float v) {
  uint bits = 0;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}

float Number(uint bits) {
  float v = 0;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

double Logistic(double x) {
  return x > 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

double SoftRelu(double x) { return std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x))); }

// Of a formula s * S(k): its slope.
double GatedSlope(double k, double rise) { return Logistic(k) * (1 + rise * Logistic(-k)); }

double GeluLogit(double s, double cubic) {
  return 2 * std::sqrt(2 / M_PI) * (s + cubic * s * s * s);
}

double MishRatio(double s) {
  const double e = std::exp(std::fmin(s, 100.0)), n = e * (e + 2);
  return n / (n + 2);
}

double MishSlope(double s) {
  const double e = std::exp(std::fmin(s, 100.0)), n = e * (e + 2);
  return MishRatio(s) + 4 * s * e * (1 + e) / ((n + 2) * (n + 2));
}

// What a budget is relative to: the result, or at least 1 for the slopes that go through 0.
enum class Budget { kRelative, kOfSource, kOfOne };

struct Formula {
  std::string name;
  uint algorithm;
  float alpha, beta;
  std::function<double(double)> value, slope;
  Budget of_value = Budget::kRelative, of_slope = Budget::kRelative;
};

Formula Power(float alpha, float beta) {
  const double a = alpha, b = beta;
  return {"pow",
          POW,
          alpha,
          beta,
          [=](double s) { return a * std::pow(s, b); },
          [=](double s) { return a * b * std::pow(s, b - 1); }};
}

Formula Swish(float alpha) {
  const double a = alpha;
  return {"swish",
          SWISH,
          alpha,
          0,
          [=](double s) { return s * Logistic(a * s); },
          [=](double s) { return GatedSlope(a * s, a * s); },
          Budget::kRelative,
          Budget::kOfOne};
}

Formula Elu(float alpha) {
  const double a = alpha;
  return {"elu",
          ELU,
          alpha,
          0,
          [=](double s) { return s > 0 ? s : a * std::expm1(s); },
          [=](double s) { return s > 0 ? 1 : a * std::exp(s); }};
}

std::vector<Formula> Formulas() {
  return {
      {"tanh", TANH, 0, 0, [](double s) { return std::tanh(s); },
       [](double s) { return 4 * Logistic(2 * s) * Logistic(-2 * s); }},
      Elu(1),
      Elu(-0.3f),
      {"sqrt", SQRT, 0, 0, [](double s) { return std::sqrt(s); },
       [](double s) { return 0.5 / std::sqrt(s); }},
      {"soft_relu", SOFT_RELU, 0, 0, SoftRelu, Logistic},
      {"logistic", LOGISTIC, 0, 0, Logistic, [](double s) { return Logistic(s) * Logistic(-s); }},
      {"exp", EXP, 0, 0, [](double s) { return std::exp(s); },
       [](double s) { return std::exp(s); }},
      {"gelu_tanh", GELU_TANH, 0, 0, [](double s) { return s * Logistic(GeluLogit(s, 0.044715)); },
       [](double s) { return GatedSlope(GeluLogit(s, 0.044715), GeluLogit(s, 0.134145)); },
       Budget::kOfSource, Budget::kOfOne},
      Swish(1),
      Swish(1.702f),
      Swish(-2),
      Swish(0),
      {"log", LOG, 0, 0, [](double s) { return std::log(s); }, [](double s) { return 1 / s; }},
      {"gelu_erf", GELU_ERF, 0, 0,
       [](double s) { return s * 0.5 * std::erfc(-s / std::sqrt(2.0)); },
       [](double s) {
         return 0.5 * std::erfc(-s / std::sqrt(2.0)) +
                s * std::exp(-s * s / 2) / std::sqrt(2 * M_PI);
       },
       Budget::kOfSource, Budget::kOfOne},
      Power(1, 2),
      Power(2, 3),
      Power(1, 0.5f),
      Power(-3, -1),
      Power(1, -0.5f),
      Power(0.7f, 1.7f),
      Power(1, 100),
      {"logsigmoid", LOGSIGMOID, 0, 0, [](double s) { return -SoftRelu(-s); },
       [](double s) { return Logistic(-s); }},
      {"mish", MISH, 0, 0, [](double s) { return s * MishRatio(s); }, MishSlope, Budget::kRelative,
       Budget::kOfOne},
      {"hardswish", HARDSWISH, 0, 0,
       [](double s) { return s <= -3  ? 0
                             : s >= 3 ? s
                                      : s * (s + 3) / 6; },
       [](double s) { return s <= -3  ? 0
                             : s >= 3 ? 1
                                      : (2 * s + 3) / 6; }, Budget::kRelative,
       Budget::kOfOne},
  };
}

// By how many times 2^-24 of what the budget is relative to `got` misses; below the smallest normal
// number, by how many times 2^-149.
double Miss(Budget budget, float s, double expected, float got) {
  const auto rounded = static_cast<float>(expected);
  if (std::isnan(rounded) || std::isnan(got)) {
    return std::isnan(rounded) && std::isnan(got) ? 0 : kInfinity;
  }
  if (rounded == got) return 0;
  const double miss = std::fabs(static_cast<double>(got) - expected);
  if (std::isinf(got)) return std::fabs(expected) > 3.402823e38 ? 0 : kInfinity;
  const double of = budget == Budget::kRelative ? std::fabs(expected)
                    : budget == Budget::kOfOne  ? std::fmax(std::fabs(expected), 1)
                                                : std::fabs(static_cast<double>(s));
  return std::fmin(miss / (of * kUnit), miss * 0x1p149);
}

// Every exponent, with mantissas that go round.
template <class Visit>
void ForNumbers(Visit visit) {
  constexpr uint kStep = 20011;
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += kStep) {
    if (!std::isfinite(Number(static_cast<uint>(bits)))) continue;
    visit(static_cast<uint>(bits));
  }
}

TEST(Functions, AreRightToTheLastPlace) {
  for (const Formula& formula : Formulas()) {
    double worst = 0;
    float where = 0;
    ForNumbers([&](uint v) {
      const float s = Number(v);
      const double miss =
          Miss(formula.of_value, s, formula.value(s),
               Number(curve(formula.algorithm, v, Bits(formula.alpha), Bits(formula.beta))));
      if (miss > worst) worst = miss, where = s;
    });
    EXPECT_LT(worst, 2.5) << formula.name << " " << formula.alpha << " at " << where;
  }
}

TEST(Functions, HaveSlopesThatAreRightToTheLastPlace) {
  constexpr float kGradient = 1.2345678f;
  for (const Formula& formula : Formulas()) {
    double worst = 0;
    float where = 0;
    ForNumbers([&](uint v) {
      const float s = Number(v);
      const double miss =
          Miss(formula.of_slope, s, formula.slope(s) * static_cast<double>(kGradient),
               Number(curve_backward(formula.algorithm, v, Bits(kGradient), Bits(formula.alpha),
                                     Bits(formula.beta))));
      if (miss > worst) worst = miss, where = s;
    });
    EXPECT_LT(worst, 3) << formula.name << " " << formula.alpha << " at " << where;
  }
}

TEST(Functions, HaveTheSameSlopesByTheResult) {
  for (const uint algorithm : {TANH, ELU, SQRT, LOGISTIC, EXP}) {
    for (float s = -9.9f; s < 10; s += 0.37f) {
      if (algorithm == SQRT && s < 0) continue;
      const uint d = curve(algorithm, Bits(s), Bits(1.5f), 0);
      const float by_source = Number(curve_backward(algorithm, Bits(s), Bits(3), Bits(1.5f), 0)),
                  by_result = Number(curve_backward_by_result(algorithm, d, Bits(3), Bits(1.5f)));
      EXPECT_NEAR(by_source, by_result, 30 * kUnit * std::fmax(1, std::fabs(by_source)))
          << algorithm << " " << s;
    }
  }
}

TEST(Functions, OfPiecesAreExact) {
  EXPECT_EQ(Number(piece(RELU, Bits(-4), Bits(0.5f), 0)), -2);
  EXPECT_EQ(Number(piece(RELU, Bits(3), Bits(0.5f), 0)), 3);
  EXPECT_EQ(Number(piece(RELU, Bits(-kInfinity), 0, 0)), 0);
  EXPECT_EQ(Number(piece(RELU, Bits(-kInfinity), Bits(-1), 0)), kInfinity);
  EXPECT_EQ(Number(piece(RELU, 0x80000001u, Bits(1), 0)), Number(0x80000001u));
  EXPECT_EQ(Number(piece(LINEAR, Bits(3), Bits(2), Bits(1))), 7);
  EXPECT_EQ(Number(piece(SQUARE, Bits(3), 0, 0)), 9);
  EXPECT_EQ(Number(piece(ABS_OF, Bits(-3), 0, 0)), 3);
  EXPECT_EQ(Number(piece(BOUNDED_RELU, Bits(-3), Bits(2), 0)), 0);
  EXPECT_EQ(Number(piece(BOUNDED_RELU, Bits(3), Bits(2), 0)), 2);
  EXPECT_EQ(Number(piece(CLIP, Bits(-3), Bits(-2), Bits(5))), -2);
  EXPECT_EQ(Number(piece(CLIP, Bits(kInfinity), Bits(-2), Bits(5))), 5);
  EXPECT_EQ(Number(piece(ROUND_OF, Bits(2.5f), 0, 0)), 2);
  EXPECT_EQ(Number(piece(ROUND_OF, Bits(-8388607.5f), 0, 0)), -8388608);
  EXPECT_EQ(Number(piece(ROUND_OF, Bits(kInfinity), 0, 0)), kInfinity);
  for (const uint algorithm :
       {RELU, LINEAR, SQUARE, ABS_OF, BOUNDED_RELU, CLIP, CLIP_V2, ROUND_OF}) {
    EXPECT_TRUE(std::isnan(Number(piece(algorithm, Bits(kNan), Bits(1), Bits(2))))) << algorithm;
  }
}

TEST(Functions, OfPiecesHaveOpenAndClosedEnds) {
  const auto slope = [](uint algorithm, float s, float alpha, float beta) {
    return Number(piece_backward(algorithm, Bits(s), Bits(8), Bits(alpha), Bits(beta)));
  };
  EXPECT_EQ(slope(RELU, 1, 0.5f, 0), 8);
  EXPECT_EQ(slope(RELU, 0, 0.5f, 0), 4);
  EXPECT_EQ(slope(RELU, -0.0f, 0.5f, 0), 4);
  EXPECT_EQ(slope(RELU, kNan, 0.5f, 0), 4);
  EXPECT_EQ(slope(LINEAR, kNan, 0.5f, 0), 4);
  EXPECT_EQ(slope(SQUARE, -3, 0, 0), -48);
  EXPECT_EQ(slope(ABS_OF, -3, 0, 0), -8);
  EXPECT_EQ(slope(ABS_OF, -0.0f, 0, 0), 0);
  EXPECT_EQ(slope(BOUNDED_RELU, 0, 2, 0), 0);
  EXPECT_EQ(slope(BOUNDED_RELU, 2, 2, 0), 8);
  EXPECT_EQ(slope(BOUNDED_RELU, std::nextafter(2.0f, 3.0f), 2, 0), 0);
  EXPECT_EQ(slope(CLIP, -1, -1, 1), 0);
  EXPECT_EQ(slope(CLIP, 1, -1, 1), 8);
  EXPECT_EQ(slope(CLIP_V2, 1, -1, 1), 0);
  EXPECT_EQ(slope(CLIP, kNan, -1, 1), 0);
}

struct Special {
  uint algorithm;
  float alpha, beta;
  float at_minus, at_plus, at_zero;  // infinity, and 0
};

TEST(Functions, GiveTheLimitsAtInfinities) {
  const float half = 0.5f, ln2 = 0.693147182f;
  const Special kTable[] = {
      {TANH, 0, 0, -1, 1, 0},
      {LOGISTIC, 0, 0, 0, 1, half},
      {ELU, 1.5f, 0, -1.5f, kInfinity, 0},
      {EXP, 0, 0, 0, kInfinity, 1},
      {SOFT_RELU, 0, 0, 0, kInfinity, ln2},
      {LOGSIGMOID, 0, 0, -kInfinity, 0, -ln2},
      {LOG, 0, 0, kNan, kInfinity, -kInfinity},
      {SQRT, 0, 0, kNan, kInfinity, 0},
      {GELU_TANH, 0, 0, 0, kInfinity, 0},
      {GELU_ERF, 0, 0, 0, kInfinity, 0},
      {SWISH, 1, 0, 0, kInfinity, 0},
      {SWISH, 0, 0, -kInfinity, kInfinity, 0},
      {SWISH, -1, 0, -kInfinity, 0, 0},
      {MISH, 0, 0, 0, kInfinity, 0},
      {HARDSWISH, 0, 0, 0, kInfinity, 0},
      {POW, 2, 3, -kInfinity, kInfinity, 0},
      {POW, 2, 2, kInfinity, kInfinity, 0},
      {POW, 2, -1, 0, 0, kInfinity},
      {POW, 2, half, kInfinity, kInfinity, 0},
      {POW, 2, 0, 2, 2, 2},
  };
  const auto same = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (const Special& special : kTable) {
    const auto value = [&](float s) {
      return Number(curve(special.algorithm, Bits(s), Bits(special.alpha), Bits(special.beta)));
    };
    EXPECT_TRUE(same(value(-kInfinity), special.at_minus)) << special.algorithm;
    EXPECT_TRUE(same(value(kInfinity), special.at_plus)) << special.algorithm;
    EXPECT_TRUE(same(value(0), special.at_zero)) << special.algorithm;
    const bool constant = special.algorithm == POW && special.beta == 0;
    EXPECT_EQ(std::isnan(value(kNan)), !constant) << special.algorithm;
  }
}

TEST(Functions, PowerFollowsTheRulesOfC) {
  const float kValues[] = {0.0f,  -0.0f, 1,      -1,        2,          -2,    0.5f,
                           -0.5f, 3e38f, -3e38f, kInfinity, -kInfinity, 1e-40f};
  const float kExponents[] = {1,     -1,   2,  -2,        3,          -3,   0.5f,
                              -0.5f, 1.7f, 30, kInfinity, -kInfinity, 1e30f};
  for (const float s : kValues) {
    for (const float exponent : kExponents) {
      const float expected = std::pow(s, exponent),
                  got = Number(curve(POW, Bits(s), Bits(1), Bits(exponent)));
      EXPECT_LT(Miss(Budget::kRelative, s, expected, got), 4)
          << s << " ^ " << exponent << " is " << got;
      const float slope = std::pow(s, exponent - 1) * exponent,
                  got_slope =
                      Number(curve_backward(POW, Bits(s), Bits(1), Bits(1), Bits(exponent)));
      if (std::isinf(exponent)) continue;
      EXPECT_LT(Miss(Budget::kRelative, s, slope, got_slope), 6)
          << s << " ^ " << exponent << " has the slope " << got_slope;
    }
  }
}

TEST(Functions, OfASlopeOfZeroAndAnInfiniteGradientAreNoNumbers) {
  EXPECT_TRUE(std::isnan(Number(curve_backward(TANH, Bits(kInfinity), Bits(kInfinity), 0, 0))));
  EXPECT_EQ(Number(curve_backward(TANH, Bits(1), Bits(-kInfinity), 0, 0)), -kInfinity);
  EXPECT_EQ(Number(curve_backward(SQRT, Bits(0), Bits(2), 0, 0)), kInfinity);
  EXPECT_EQ(Number(curve_backward(GELU_TANH, Bits(3e38f), Bits(2), 0, 0)), 2);
  EXPECT_EQ(Number(curve_backward(GELU_TANH, Bits(-3e38f), Bits(2), 0, 0)), 0);
}

}  // namespace
}  // namespace glsl
}  // namespace testing
}  // namespace impl_vulkan
