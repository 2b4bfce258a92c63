#include "conformance/gen/attributes.h"

#include <cmath>
#include <string>

#include "spec/reorder/oracle.h"

namespace conformance {
namespace {

constexpr int kPowers = 26;  // two signs, 13 exponents

float PowerOfTwo(int64_t index) {
  const float value = std::ldexp(1.0f, static_cast<int>(index % 13) - 6);
  return index / 13 % 2 == 0 ? value : -value;
}

int AnyMask(Random& random, const spec::Dims& dims, const AttributesLimits& limits) {
  if (limits.masks == Masks::kNone) return 0;
  const int rank = static_cast<int>(dims.size());
  const int all = (1 << rank) - 1;
  const int64_t style = random.Between(1, 100);
  const int one = 1 << random.Between(0, rank - 1), other = 1 << random.Between(0, rank - 1);
  const int several = style <= 75   ? one | other
                      : style <= 85 ? all
                                    : static_cast<int>(random.Between(0, all));
  const int mask = style <= 20 ? 0 : style <= 55 || limits.masks == Masks::kSingle ? one : several;
  return spec::ScaleCount(mask, dims) <= limits.max_scales  ? mask
         : spec::ScaleCount(one, dims) <= limits.max_scales ? one
                                                            : 0;
}

// Beside 1, where a shortcut for 1 may begin too early: 1/64 away, and down to its neighbours.
float BesideOne(Random& random) {
  const int exponent = static_cast<int>(random.Between(-23, -6));
  return random.Chance(50) ? 1.0f + std::ldexp(1.0f, exponent)
                           : 1.0f - std::ldexp(1.0f, exponent - 1);
}

// "zs=10", or "zsrt=10" where it is given at execution.
void SetZeroPoint(Fields* fields, const std::string& name, const ZeroPointSpec& zero) {
  if (zero.present) fields->SetInt(name + (zero.run_time ? "rt" : ""), zero.value);
}

ZeroPointSpec GetZeroPoint(const Fields& fields, const std::string& name) {
  ZeroPointSpec zero;
  for (const bool run_time : {false, true}) {
    const std::string key = name + (run_time ? "rt" : "");
    if (!fields.Has(key)) continue;
    const int64_t value = fields.Int(key);
    // The least value is the wildcard, where it is set.
    if (value < INT32_MIN + (run_time ? 0 : 1) || value > INT32_MAX)
      fields.Reject(key, "is no zero point");
    zero.present = true;
    zero.run_time = run_time;
    zero.value = static_cast<int32_t>(value);
  }
  return zero;
}

}  // namespace

std::vector<float> ScaleValues(const AttributesSpec& attributes, const spec::Dims& dims,
                               uint64_t seed) {
  if (!attributes.scaled()) return {1.0f};
  std::vector<float> scales(spec::ScaleCount(attributes.mask, dims), attributes.literal);
  if (attributes.scales == ScaleKind::kLiteral) return scales;
  Random random(Mix(seed ^ 0x616c706861));
  const int64_t start = random.Between(0, kPowers - 1);
  for (size_t i = 0; i < scales.size(); ++i) {
    // 7 and 26 have no common divisor: a run of 26 neighbours holds 26 different values.
    scales[i] =
        attributes.scales == ScaleKind::kPowersOfTwo
            ? PowerOfTwo(start + 7 * static_cast<int64_t>(i) + static_cast<int64_t>(i) / kPowers)
            : AnyFactor(random, false);
  }
  return scales;
}

AttributesSpec AnyAttributes(Random& random, const spec::Dims& dims,
                             const AttributesLimits& limits) {
  AttributesSpec attributes;
  if (limits.zero_points) {
    AddZeroPoints(random, limits.run_time, &attributes);
    if (random.Chance(30)) return attributes;
  }
  const int64_t style = random.Between(1, 100);
  if (limits.scales && (style <= 70 || !limits.sum)) {
    attributes.mask = AnyMask(random, dims, limits);
    attributes.run_time = limits.run_time && random.Chance(25);
    if (attributes.mask == 0) {
      attributes.scales = ScaleKind::kLiteral;
      attributes.literal = AnyFactor(random, limits.exact || random.Chance(50));
    } else {
      attributes.scales =
          limits.exact || random.Chance(50) ? ScaleKind::kPowersOfTwo : ScaleKind::kAny;
    }
  }
  if (limits.sum && (style > 45 || !limits.scales)) {
    attributes.sum = true;
    const int64_t dice = random.Between(1, 100);
    attributes.beta = dice <= 60 ? random.Pick({0.0f, 1.0f, -1.0f, 0.5f, 2.0f})
                                 : AnyFactor(random, limits.exact || dice <= 80);
  }
  return attributes;
}

void AddZeroPoints(Random& random, bool run_time, AttributesSpec* attributes) {
  const int64_t style = random.Between(1, 3);
  for (ZeroPointSpec* zero : {&attributes->src_zero, &attributes->dst_zero}) {
    if (style == (zero == &attributes->src_zero ? 1 : 2)) continue;
    zero->present = true;
    zero->run_time = run_time && random.Chance(40);
    zero->value = random.Pick<int32_t>(
        {0, 1, -1, 5, -5, 3, 7, 10, 127, 128, -128, 255, 1000, 16777217, INT32_MIN + 1, INT32_MAX});
    if (zero->run_time && random.Chance(5)) zero->value = INT32_MIN;
  }
}

float AnyFactor(Random& random, bool exact) {
  const int exponent = static_cast<int>(random.Between(-10, 9));
  if (exact) return PowerOfTwo(random.Between(0, kPowers - 1));
  const float fraction = 1.0f + static_cast<float>(random.Between(0, (1 << 23) - 1)) * 0x1p-23f;
  const float factor = random.Chance(12) ? BesideOne(random) : std::ldexp(fraction, exponent);
  return random.Chance(50) ? factor : -factor;
}

void SetAttributes(Fields* fields, const AttributesSpec& attributes) {
  if (attributes.scaled()) {
    fields->SetInt("mask", attributes.mask);
    if (attributes.scales == ScaleKind::kLiteral) {
      fields->SetFloat("alpha", attributes.literal);
    } else {
      fields->Set("scales", attributes.scales == ScaleKind::kPowersOfTwo ? "pow2" : "any");
    }
    if (attributes.run_time) fields->SetInt("rt", 1);
  }
  if (attributes.sum) fields->SetFloat("beta", attributes.beta);
  SetZeroPoint(fields, "zs", attributes.src_zero);
  SetZeroPoint(fields, "zd", attributes.dst_zero);
}

AttributesSpec GetAttributes(const Fields& fields) {
  AttributesSpec attributes;
  if (fields.Has("mask")) {
    const int64_t mask = fields.Int("mask");
    if (mask < 0 || mask >= 1 << 12) fields.Reject("mask", "is not in 0 to 4095");
    attributes.mask = static_cast<int>(mask & 4095);
    if (fields.Has("alpha")) {
      attributes.scales = ScaleKind::kLiteral;
      attributes.literal = fields.Float("alpha");
    } else {
      // Older lines say `alphas`.
      const char* const key = fields.Has("alphas") ? "alphas" : "scales";
      const std::string name = fields.Text(key);
      attributes.scales = name == "pow2" ? ScaleKind::kPowersOfTwo : ScaleKind::kAny;
      if (name != "pow2" && name != "any") fields.Reject(key, "is neither pow2 nor any");
    }
    if (fields.Has("rt")) attributes.run_time = fields.Int("rt") != 0;
  }
  if (fields.Has("beta")) {
    attributes.sum = true;
    attributes.beta = fields.Float("beta");
  }
  attributes.src_zero = GetZeroPoint(fields, "zs");
  attributes.dst_zero = GetZeroPoint(fields, "zd");
  return attributes;
}

std::vector<AttributesSpec> SimplerAttributes(const AttributesSpec& attributes) {
  std::vector<AttributesSpec> simpler;
  const auto offer = [&](auto change) {
    simpler.push_back(attributes);
    change(simpler.back());
  };
  if (attributes.scaled()) {
    offer([](AttributesSpec& a) {
      a.scales = ScaleKind::kNone;
      a.mask = 0;
      a.run_time = false;
    });
  }
  if (attributes.sum) offer([](AttributesSpec& a) { a.sum = false; });
  if (attributes.run_time) offer([](AttributesSpec& a) { a.run_time = false; });
  for (ZeroPointSpec AttributesSpec::*zero :
       {&AttributesSpec::src_zero, &AttributesSpec::dst_zero}) {
    if (!(attributes.*zero).present) continue;
    offer([&](AttributesSpec& a) { a.*zero = {}; });
    if ((attributes.*zero).run_time)
      offer([&](AttributesSpec& a) { a.*zero = {true, (attributes.*zero).value | 1, false}; });
    if ((attributes.*zero).value != 1) offer([&](AttributesSpec& a) { (a.*zero).value = 1; });
  }
  for (int bit = 1; bit <= attributes.mask; bit <<= 1)
    if ((attributes.mask & bit) != 0) offer([&](AttributesSpec& a) { a.mask &= ~bit; });
  if (attributes.scales == ScaleKind::kAny)
    offer([](AttributesSpec& a) { a.scales = ScaleKind::kPowersOfTwo; });
  if (attributes.scales == ScaleKind::kPowersOfTwo) {
    offer([](AttributesSpec& a) {
      a.scales = ScaleKind::kLiteral;
      a.literal = 2;
    });
  }
  if (attributes.scales == ScaleKind::kLiteral && attributes.literal != 2 &&
      attributes.literal != 1)
    offer([](AttributesSpec& a) { a.literal = 2; });
  if (attributes.sum && attributes.beta != 1) offer([](AttributesSpec& a) { a.beta = 1; });
  return simpler;
}

AttributesSpec DropAxis(const AttributesSpec& attributes, int axis) {
  AttributesSpec result = attributes;
  const int low = (1 << axis) - 1;
  result.mask = (attributes.mask & low) | ((attributes.mask >> 1) & ~low);
  return result;
}

}  // namespace conformance
