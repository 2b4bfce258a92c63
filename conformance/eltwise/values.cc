// What the data and the gradients of a case hold.
#include "conformance/gen/values.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <iterator>
#include <limits>

#include "conformance/eltwise/cases.h"

namespace conformance {
namespace {

using spec::EltwiseAlgorithm;
using spec::Type;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

float Scaled(Random& random, int low, int high) {
  const float fraction = 1 + static_cast<float>(random.Between(0, (1 << 23) - 1)) * 0x1p-23f;
  return std::ldexp(fraction, static_cast<int>(random.Between(low, high)));
}

float Signed(Random& random, float magnitude, int negative_percent) {
  return random.Chance(negative_percent) ? -magnitude : magnitude;
}

// The function, or its derivative by the result, has no value below 0.
bool IsOfPositives(const EltwiseCase& c) {
  const EltwiseAlgorithm algorithm = c.function.algorithm;
  if (c.by_result())
    return algorithm == EltwiseAlgorithm::kSqrt || algorithm == EltwiseAlgorithm::kExp ||
           algorithm == EltwiseAlgorithm::kLogistic;
  return algorithm == EltwiseAlgorithm::kSqrt || algorithm == EltwiseAlgorithm::kLog ||
         (algorithm == EltwiseAlgorithm::kPow && std::trunc(c.function.beta) != c.function.beta);
}

float SmallFloat(Random& random, const EltwiseCase& c) {
  const int negative = IsOfPositives(c) ? 10 : 50;
  // Results of tanh and logistic are not above 1.
  const int high = c.by_result() && c.function.algorithm != EltwiseAlgorithm::kRelu ? -1 : 3;
  return Signed(random, Scaled(random, random.Chance(10) ? -24 : -6, high), negative);
}

// A point at which kernels change what they do.
float SeamOf(Random& random, const EltwiseCase& c) {
  constexpr float kLimits[] = {
      87.3f,         87.33655f, 88,    88.72f, 88.722839f, 88.73f,     89,         103,
      104,           103.3f,    1000,  9,      10,         100,        20,         17.3f,
      16.6f,         0.7518f,   3.7f,  1e-8f,  2.7e-8f,    1e-3f,      1,          0.5f,
      1.5f,          2.5f,      4.97f, 1e-4f,  0.000244f,  8388607.5f, 8388608.5f, 16777216,
      2147483648.0f, 1e10f};
  // Ties of all magnitudes that have some.
  if (c.function.algorithm == EltwiseAlgorithm::kRound && random.Chance(40))
    return Signed(random,
                  std::ldexp(1.0f, static_cast<int>(random.Between(0, 22))) - 0.5f +
                      static_cast<float>(random.Between(-1, 2)),
                  50);
  switch (random.Between(0, 4)) {
    case 0:
      return c.function.alpha;
    case 1:
      return random.Chance(50) ? c.function.beta : 0;
    case 2:
      return Signed(random, random.Pick(kLimits), IsOfPositives(c) ? 10 : 50);
    case 3:  // ends of intervals of tables, four in each octave
      return Signed(random,
                    std::ldexp(1 + static_cast<float>(random.Between(0, 3)) * 0.25f,
                               static_cast<int>(random.Between(-14, 5))),
                    IsOfPositives(c) ? 10 : 50);
    default:  // where exp takes another power of two
      return (static_cast<float>(random.Between(-130, 130)) + (random.Chance(50) ? 0.5f : 0)) *
             0.693147182f;
  }
}

float SeamFloat(Random& random, const EltwiseCase& c) {
  const float seam = SeamOf(random, c);
  if (!std::isfinite(seam)) return FLT_MAX;
  const int64_t side = random.Between(-1, 1);
  if (side == 0 && seam == 0) return Signed(random, 0, 50);
  return side == 0 ? seam : std::nextafter(seam, side < 0 ? -kInfinity : kInfinity);
}

float SpecialFloat(Random& random) {
  switch (random.Between(0, 5)) {
    case 0:
      return kNan;
    case 1:
      return Signed(random, kInfinity, 50);
    case 2:
      return Signed(random, 0, 50);
    case 3:
      return Signed(random, std::ldexp(Scaled(random, 0, 20), -147), 50);
    case 4:
      return Signed(random, FLT_MAX, 50);
    default:
      return Signed(random, FLT_MIN, 50);
  }
}

float FloatOf(Random& random, const EltwiseCase& c) {
  switch (c.values) {
    case EltwiseValues::kSeams:
      return random.Chance(80) ? SeamFloat(random, c) : SmallFloat(random, c);
    case EltwiseValues::kSpecial:
      return random.Chance(60) ? SpecialFloat(random) : SmallFloat(random, c);
    case EltwiseValues::kPositive:
      return Scaled(random, -3, 2);
    case EltwiseValues::kWide:
      return Signed(random, Scaled(random, -126, 127), IsOfPositives(c) ? 10 : 50);
    default:
      return SmallFloat(random, c);
  }
}

// Element `k` of `count` of an ascending sequence: what `seed` says.
float SweepFloat(uint64_t seed, int64_t k, int64_t count) {
  constexpr float kCentres[] = {0,      0.000244140625f, 0.03125f, 0.34657359f, 0.5f, 0.69314718f,
                                1,      1.0397208f,      2,        3.7f,        4,    4.97f,
                                9,      16.635532f,      17.3f,    20,          64,   87.33655f,
                                88.72f, 103.3f};
  const double part =
      2 * static_cast<double>(k) / static_cast<double>(std::max<int64_t>(1, count - 1)) - 1;
  if (seed == 0) return static_cast<float>(110 * part);
  if (seed == 1) {
    const double magnitude = std::exp2(std::abs(part) * 250 - 125);
    return static_cast<float>(part == 0 ? 0 : part < 0 ? -magnitude : magnitude);
  }
  const auto number = static_cast<size_t>(seed / 2 - 1) % std::size(kCentres);
  const auto centre = static_cast<int64_t>(WordOf(kCentres[number]));
  const int64_t away = k - count / 2;
  // From -0 on, words grow downwards.
  const int64_t rank = (seed % 2 == 0 ? centre : -centre) + away;
  const float value = conformance::FloatOf(static_cast<uint32_t>(std::abs(rank)));
  return rank < 0 ? -value : value;
}

// Element `k`: the exponents from that of the smallest subnormal on, each with both signs, and at
// its least, its greatest and other fractions in turn.
float BinadeFloat(Random& random, int64_t k) {
  constexpr int64_t kExponents = 277;
  const int64_t place = k % (2 * kExponents);
  const float fraction = 1 + static_cast<float>(random.Between(0, (1 << 23) - 1)) * 0x1p-23f;
  const float fractions[] = {1, 2 - 0x1p-23f, fraction};
  const float magnitude =
      std::ldexp(fractions[k / (2 * kExponents) % 3], static_cast<int>(place / 2) - 149);
  return place % 2 == 0 ? magnitude : -magnitude;
}

spec::Bits IntegerOf(Random& random, const EltwiseCase& c) {
  constexpr int64_t kEnds[] = {2147483647, -2147483648, 2147483520, 2147483583, 2147483584,
                               16777216,   16777217,    16777219,   -16777217,  1073741825,
                               127,        128,         -128,       -129,       255};
  int64_t value = random.Between(-9, 9);
  if (c.values != EltwiseValues::kSmall)
    value = random.Chance(70) ? random.Pick(kEnds) : random.Between(-300, 300);
  if (c.data.type == Type::kS32) return static_cast<spec::Bits>(value);
  return static_cast<spec::Bits>(value) & 0xff;
}

// Whether a gradient may be as large as there are numbers: elsewhere twice of it has to be a
// number, since formulas are multiplied in any order.
bool TakesLargeGradients(EltwiseAlgorithm algorithm) {
  return algorithm == EltwiseAlgorithm::kRelu || algorithm == EltwiseAlgorithm::kAbs ||
         algorithm == EltwiseAlgorithm::kLinear || algorithm == EltwiseAlgorithm::kClip ||
         algorithm == EltwiseAlgorithm::kBoundedRelu || algorithm == EltwiseAlgorithm::kSquare;
}

}  // namespace

std::vector<spec::Bits> EltwiseCase::Source() const {
  const int64_t count = spec::ElementCount(data.dims);
  std::vector<spec::Bits> elements(static_cast<size_t>(count));
  Random random(Mix(seed));
  const spec::Bits mask = 0xffffffffu >> (32 - 8 * spec::BytesOf(data.type));
  for (int64_t k = 0; k < count; ++k) {
    spec::Bits& bits = elements[static_cast<size_t>(k)];
    if (values == EltwiseValues::kEach) {
      bits = static_cast<spec::Bits>(k) & mask;
    } else if (values == EltwiseValues::kSweep) {
      bits = BitsOf(data.type, SweepFloat(seed, k, count));
    } else if (values == EltwiseValues::kBinades && spec::IsFloat(data.type)) {
      bits = BitsOf(data.type, BinadeFloat(random, k));
    } else {
      bits = spec::IsFloat(data.type) ? BitsOf(data.type, FloatOf(random, *this))
                                      : IntegerOf(random, *this);
    }
  }
  return elements;
}

std::vector<spec::Bits> EltwiseCase::Gradient() const {
  if (forward()) return {};
  const int64_t count = spec::ElementCount(data.dims);
  std::vector<spec::Bits> elements;
  elements.reserve(static_cast<size_t>(count));
  Random random(Mix(~seed));
  for (int64_t k = 0; k < count; ++k) {
    float value = Signed(random, Scaled(random, -4, 4), 50);
    const int64_t dice = random.Between(1, 100);
    if (dice <= 4) value = 0;
    if (dice > 4 && dice <= 14) value = Signed(random, 1, 50);
    if (values == EltwiseValues::kBinades && dice > 70) {
      const bool large = dice > 90 && TakesLargeGradients(function.algorithm);
      value = Signed(random, Scaled(random, large ? 126 : -149, large ? 127 : 125), 50);
    }
    if (values == EltwiseValues::kSpecial && dice > 96)
      value = random.Chance(50) ? kNan : Signed(random, kInfinity, 50);
    elements.push_back(spec::IsFloat(data.type) ? BitsOf(data.type, value)
                                                : static_cast<spec::Bits>(random.Between(0, 9)));
  }
  return elements;
}

}  // namespace conformance
