#include "conformance/gen/computed_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/case/random.h"
#include "conformance/gen/values.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

// Integers in [-bound, bound], from 0 of u8, of which every order of summation gives the sum of
// `terms` products of two exactly; and so that a sum can be told from others.
int64_t BoundFor(int64_t terms) { return terms > 20000 ? 3 : terms > 3000 ? 7 : 15; }

int64_t AnyInteger(Random& random, Type type, int64_t bound, bool nonzero) {
  const int64_t low = type == Type::kU8 ? (nonzero ? 1 : 0) : -bound;
  const int64_t value = random.Between(low, bound);
  return nonzero && value == 0 ? 1 : value;
}

float AnyFloat(Random& random) {
  const auto fraction = static_cast<float>(random.Between(1 << 23, (1 << 24) - 1));
  const auto exponent = static_cast<int>(random.Between(-10, 10));
  return std::ldexp(random.Chance(50) ? fraction : -fraction, exponent - 23);
}

// Products of two of them, side by side, leave 16 bits.
int64_t Extreme(Random& random, Type type, int pattern, int64_t index) {
  const int64_t low = type == Type::kU8 ? 0 : -128, high = type == Type::kU8 ? 255 : 127;
  switch (pattern) {
    case 0:
      return high;
    case 1:
      return type == Type::kU8 ? high : low;
    case 2:
      return index % 2 == 0 ? high : low;
    case 3:
      return index % 4 < 2 ? high : low;
    default:
      return random.Between(low, high);
  }
}

// One in four at each end of s32, the others of every magnitude.
int64_t AnyLongInteger(Random& random) {
  constexpr int64_t kLow = std::numeric_limits<int32_t>::min();
  constexpr int64_t kHigh = std::numeric_limits<int32_t>::max();
  const int64_t from_end = random.Between(0, 300), dice = random.Between(0, 3);
  if (dice < 2) return dice == 0 ? kLow + from_end : kHigh - from_end;
  return random.Between(kLow, kHigh) / (int64_t{1} << random.Between(0, 30));
}

// Of a sum of `terms`.
Bits AnyElement(const Computation& c, Role role, int64_t terms, Random& random, int64_t index) {
  const Type type = c.uses[role].type;
  const bool factor = role != kBias;
  switch (c.numbers) {
    case Numbers::kFloats:
      if (spec::IsFloat(type)) return BitsOf(type, AnyFloat(random));
      break;
    case Numbers::kExtremes:
      if ((type == Type::kS8 || type == Type::kU8) && factor && !c.Writes(role)) {
        const auto pattern = static_cast<int>((c.seed + (role == kWeights ? c.seed / 5 : 0)) % 5);
        return BitsOfInteger(type, Extreme(random, type, pattern, index % terms));
      }
      if (type == Type::kS32 && !factor) return BitsOfInteger(type, AnyLongInteger(random));
      break;
    case Numbers::kFractions:
      if (!spec::IsFloat(type)) break;
      if (!factor || c.Writes(role))
        return BitsOf(type, AnyFraction(random, c.integral() ? -6 : -4, c.integral() ? 6 : 3));
      return BitsOf(
          type,
          std::ldexp(static_cast<float>(AnyInteger(random, type, BoundFor(terms), false)), -4));
    case Numbers::kZeros:
      if (factor && random.Chance(35)) return BitsOfInteger(type, 0);
      break;
    case Numbers::kIntegers:
    case Numbers::kSpecial:
      break;
  }
  // A bias and an old value are at times larger than a product.
  const int64_t bound = factor && !c.Writes(role) ? BoundFor(terms) : 100;
  return BitsOfInteger(type, AnyInteger(random, type, bound, c.numbers == Numbers::kSpecial));
}

// One or two infinities and NaNs among the inputs.
void AddSpecials(const Computation& c, Random& random, ComputedData* data) {
  std::vector<Role> inputs;
  for (const Role role : kRoles)
    if (c.Has(role) && !c.Writes(role) && spec::IsFloat(c.uses[role].type) &&
        !(*data)[role].empty())
      inputs.push_back(role);
  if (inputs.empty()) return;
  for (int64_t i = random.Between(1, 2); i > 0; --i) {
    std::vector<Bits>& elements = (*data)[random.Pick(inputs)];
    const Role role = static_cast<Role>(&elements - data->data());
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float special =
        random.Pick({kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()});
    elements[static_cast<size_t>(random.Between(0, static_cast<int64_t>(elements.size()) - 1))] =
        BitsOf(c.uses[role].type, special);
  }
}

// What either of two values, which are the same but for roundings, may be.
spec::Approx Hull(spec::Approx a, spec::Approx b) {
  if (std::isfinite(a.value) && std::isfinite(b.value))
    a.error = std::max(a.error, b.error + std::abs(b.value - a.value));
  return a;
}

}  // namespace

double NumberOf(Type type, Bits bits) {
  if (type == Type::kS32) return static_cast<double>(static_cast<int32_t>(bits));
  return static_cast<double>(spec::Widen(type, bits));
}

std::vector<double> NumbersOf(Type type, const std::vector<Bits>& elements) {
  std::vector<double> numbers;
  numbers.reserve(elements.size());
  for (const Bits bits : elements) numbers.push_back(NumberOf(type, bits));
  return numbers;
}

Bits BitsOfInteger(Type type, int64_t value) {
  if (spec::IsFloat(type)) return BitsOf(type, static_cast<float>(value));
  const uint32_t mask = spec::BytesOf(type) == 4 ? 0xffffffffu : 0xffu;
  return static_cast<uint32_t>(static_cast<uint64_t>(value)) & mask;
}

ComputedData DataOf(const Computation& c) {
  ComputedData data;
  const int64_t terms = c.terms();
  for (const Role role : kRoles) {
    if (!c.Has(role)) continue;
    const int64_t count = spec::ElementCount(c.DimsOf(role));
    if (c.Writes(role) && !(role == kDst && c.attributes.sums())) {
      // What is not read: garbage, NaNs among it.
      data[role] = Values(ValueKind::kBits, c.uses[role].type, c.uses[role].type, c.seed, count);
      continue;
    }
    Random random(Mix(c.seed * 4 + static_cast<uint64_t>(role)));
    data[role].reserve(static_cast<size_t>(count));
    for (int64_t k = 0; k < count; ++k) data[role].push_back(AnyElement(c, role, terms, random, k));
  }
  Random random(Mix(c.seed ^ 0x5bec1a1));
  if (c.numbers == Numbers::kSpecial || c.numbers == Numbers::kZeros) AddSpecials(c, random, &data);
  return data;
}

spec::Approx IntegerSum(double sum) {
  return {sum, std::abs(sum) <= 0x1p24 ? 0 : std::abs(sum) * 0x1p-24};
}

ExpectedElement FusedElement(const Computation& c, spec::Approx sum,
                             const std::vector<float>& scales, int64_t channel, double old,
                             const std::optional<spec::Approx>& with_old) {
  ExpectedElement element;
  element.exact_integer =
      c.integral() && !c.bias && c.attributes.none() && c.uses[kDst].type == Type::kS32;
  const size_t at = scales.size() == 1 ? 0 : static_cast<size_t>(channel);
  element.approx = Apply(c.attributes, sum, scales.empty() ? 1 : scales[at], old);
  if (with_old) element.approx = Hull(element.approx, ApplyBehindOld(c.attributes, *with_old, old));
  return element;
}

bool AcceptsElement(const ExpectedElement& expected, Type type, Bits got,
                    spec::Strictness strictness) {
  if (expected.exact_integer) {
    if (NumberOf(type, got) == expected.approx.value) return true;
    // Portable: through f32.
    return strictness == spec::Strictness::kPortable &&
           spec::AcceptableConversions(type, static_cast<float>(expected.approx.value), strictness)
               .Holds(type, got);
  }
  return spec::Accepts(type, expected.approx, got, strictness);
}

std::string ToString(const ExpectedElement& expected, Type type, spec::Strictness strictness) {
  if (expected.exact_integer)
    return spec::ToString(type, BitsOfInteger(type, static_cast<int64_t>(expected.approx.value)));
  return spec::ToString(type, expected.approx, strictness);
}

}  // namespace conformance
