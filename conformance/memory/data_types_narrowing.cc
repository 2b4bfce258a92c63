// DT-011 to DT-013, DT-016 to DT-020, DT-022, DT-024: conversions that round or saturate.
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/memory/data_types.h"
#include "conformance/memory/value_cases.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Looks at the elements for which `concerns` is true, by ORC-CVT.
template <class Concerns>
void ConvertsRightWhere(const ValueCase& c, Trial& trial, Concerns concerns) {
  InArrangements(c, trial, [&](const Converted& converted) {
    Converted some;
    for (size_t k = 0; k < converted.source.size(); ++k) {
      if (!concerns(converted.source[k])) continue;
      some.source.push_back(converted.source[k]);
      some.result.push_back(converted.result[k]);
    }
    if (some.source.empty()) return trial.Vacuous();
    ExpectConverted(c, some, trial);
  });
}

// Neither overflow nor NaN: those have their own requirements.
void RoundsToNearest(const ValueCase& c, Trial& trial) {
  ConvertsRightWhere(c, trial, [&](Bits source) {
    const Bits exact = spec::Copy(c.from, c.to, source);
    return !spec::IsNan(c.from, source) && !spec::IsInfinite(c.to, exact);
  });
}

void OverflowsToInfinity(const ValueCase& c, Trial& trial) {
  ConvertsRightWhere(c, trial, [&](Bits source) {
    return spec::IsInfinite(c.to, spec::Copy(c.from, c.to, source));
  });
}

// Finite values; those outside the range of s32 are DT-019's.
void RoundsThenSaturates(const ValueCase& c, Trial& trial) {
  const float bound = c.to == Type::kS32 ? 2147483648.0f : kInfinity;
  ConvertsRightWhere(c, trial,
                     [&](Bits source) { return std::fabs(spec::Widen(c.from, source)) < bound; });
}

// To s32: finite, at or beyond the largest f32 below 2^31.
void SaturatesAtTheEndsOfS32(const ValueCase& c, Trial& trial) {
  ConvertsRightWhere(c, trial, [&](Bits source) {
    const float value = spec::Widen(c.from, source);
    return std::fabs(value) >= 2147483520.0f && std::isfinite(value);
  });
}

void InfinitiesSaturate(const ValueCase& c, Trial& trial) {
  ConvertsRightWhere(c, trial, [&](Bits source) { return spec::IsInfinite(c.from, source); });
}

// No trap, and the same answer again; project: 0.
void NanGivesSomeInteger(const ValueCase& c, Trial& trial) {
  ConvertsRightWhere(c, trial, [&](Bits source) { return spec::IsNan(c.from, source); });
  if (trial.result() == CaseResult::kNotRun || trial.failed()) return;
  const auto one = Convert(c, trial), two = Convert(c, trial);
  if (!one || !two) return;
  for (size_t k = 0; k < one->source.size(); ++k) {
    if (!spec::IsNan(c.from, one->source[k]) || one->result[k] == two->result[k]) continue;
    return trial.Fail(NameOfElement(c, k, one->source[k]) + ", again",
                      spec::ToString(c.to, one->result[k]), spec::ToString(c.to, two->result[k]));
  }
}

std::vector<ValueCase> ToEachInteger(const std::vector<float>& values) {
  std::vector<ValueCase> cases;
  for (Type to : IntegerTypes()) cases.push_back(TheseFloats(to, values));
  return cases;
}

const std::vector<float> kFarOutside{
    2147483520.0f,  2147483648.0f,  2147483904.0f, 4e9f,   4294967296.0f, 1e10f,   3e38f,
    -2147483648.0f, -2147483904.0f, -4e9f,         -3e38f, 9.3e18f,       -9.3e18f};

// The bounds of each type, their halves and neighbours, on both sides of zero.
std::vector<ValueCase> IntegerEdges() {
  std::vector<float> values;
  for (float edge : {0.0f, 1.0f, 2.0f, 127.0f, 128.0f, 129.0f, 255.0f, 256.0f, 257.0f, 32767.0f,
                     65535.0f, 8388607.0f, 16777215.0f, 2147483520.0f})
    for (float step : {-0.5f, 0.0f, 0.5f})
      for (float sign : {1.0f, -1.0f}) {
        const float value = sign * (edge + step);
        values.push_back(value);
        values.push_back(std::nextafterf(value, kInfinity));
        values.push_back(std::nextafterf(value, -kInfinity));
      }
  values.insert(values.end(), kFarOutside.begin(), kFarOutside.end());
  std::vector<ValueCase> cases = ToEachInteger(values);
  for (Type from : {Type::kF16, Type::kBF16})
    for (Type to : IntegerTypes()) cases.push_back(AllOf(from, to));
  return cases;
}

// DT-017: the two examples of the guide, and their kin.
std::vector<ValueCase> GuideExamples() {
  return {TheseFloats(Type::kS8, {1024.0f}), TheseFloats(Type::kU8, {-124.0f}),
          TheseFloats(Type::kS8, {-1024.0f}), TheseFloats(Type::kU8, {1024.0f})};
}

std::vector<ValueCase> Infinities() {
  std::vector<ValueCase> cases = ToEachInteger({kInfinity, -kInfinity});
  for (Type to : IntegerTypes()) {
    cases.push_back(These(Type::kF16, to, {0x7c00, 0xfc00}));
    cases.push_back(These(Type::kBF16, to, {0x7f80, 0xff80}));
  }
  return cases;
}

std::vector<ValueCase> Nans() {
  std::vector<ValueCase> cases;
  for (Type to : IntegerTypes()) {
    cases.push_back(
        These(Type::kF32, to, {0x7fc00000, 0xffc00000, 0x7f800001, 0xffbfffff, 0x7fc000d0}));
    cases.push_back(AllOf(Type::kF16, to));
    cases.push_back(AllOf(Type::kBF16, to));
  }
  return cases;
}

std::vector<ValueCase> Overflows() {
  return {TheseFloats(Type::kF16, {65519.996f, 65520, 65536, 1e6f, 3e38f, kInfinity, -65520, -1e6f,
                                   -kInfinity}),
          These(Type::kF32, Type::kBF16,
                {0x7f7f8000, 0x7f7fffff, 0x7f7f8001, 0xff7f8000, 0xff7fffff, 0x7f800000}),
          AllOf(Type::kBF16, Type::kF16)};
}

std::vector<ValueCase> BFloat16Ties() {
  return {These(Type::kF32, Type::kBF16, {0x3f808000, 0x3f818000, 0x3f808001, 0x3f807fff}),
          AroundAllOf(Type::kBF16)};
}

std::vector<ValueCase> HalfTies() {
  return {These(Type::kF32, Type::kF16,
                {0x477fefff, 0x33000000, 0x33000001, 0x33800000, 0x387fe000, 0x387ff000}),
          AroundAllOf(Type::kF16)};
}

// 2^24 and beyond, ties and their neighbours at every size.
std::vector<Bits> LargeIntegers() {
  std::vector<Bits> bits{16777215,   16777216,   16777217,   16777218,   16777219,
                         0x7fffffff, 0x80000000, 0x80000001, 0x7fffff80, 0x7fffffc0,
                         0x7fffffbf, 1077936129, 1077936128, 1077936127};
  for (int exponent = 24; exponent < 31; ++exponent) {
    const Bits half = Bits{1} << (exponent - 24), top = Bits{1} << exponent;
    for (Bits value : {top + half - 1, top + half, top + half + 1, top + 3 * half})
      for (Bits signed_value : {value, ~value + 1}) bits.push_back(signed_value);
  }
  return bits;
}

const std::vector<std::string> kToIntegers{"f32 to s32", "f32 to s8", "f32 to u8"};

const bool kDefined[] = {
    Define<ValueCase>(spec::DT_011, "",
                      ListedThenDrawn(BFloat16Ties(), {Type::kF32}, {Type::kBF16}), RoundsToNearest,
                      {"f32 to bf16"}),
    Define<ValueCase>(spec::DT_012, "", ListedThenDrawn(HalfTies(), {Type::kF32}, {Type::kF16}),
                      RoundsToNearest, {"f32 to f16"}),
    Define<ValueCase>(
        spec::DT_013, "",
        ListedThenDrawn(Overflows(), {Type::kF32, Type::kBF16}, {Type::kF16, Type::kBF16}),
        OverflowsToInfinity),
    Define<ValueCase>(spec::DT_016, "",
                      ListedThenDrawn(IntegerEdges(), FloatTypes(), IntegerTypes()),
                      RoundsThenSaturates, kToIntegers),
    Define<ValueCase>(spec::DT_017, "", Listed(GuideExamples()), RoundsThenSaturates),
    Define<ValueCase>(spec::DT_018, "", Listed(Infinities()), InfinitiesSaturate),
    Define<ValueCase>(
        spec::DT_019, "",
        ListedThenDrawn({TheseFloats(Type::kS32, kFarOutside), AllOf(Type::kBF16, Type::kS32)},
                        FloatTypes(), {Type::kS32}),
        SaturatesAtTheEndsOfS32, {"f32 to s32"}),
    Define<ValueCase>(spec::DT_020, "", ListedThenDrawn(Nans(), FloatTypes(), IntegerTypes()),
                      NanGivesSomeInteger, kToIntegers),
    Define<ValueCase>(spec::DT_022, "",
                      ListedThenDrawn({These(Type::kS32, Type::kF32, LargeIntegers())},
                                      {Type::kS32}, {Type::kF32}),
                      ConvertsRight),
    Define<ValueCase>(spec::DT_024, "",
                      ListedThenDrawn({These(Type::kS32, Type::kBF16, LargeIntegers())},
                                      {Type::kS32}, {Type::kBF16}),
                      ConvertsRight),
};

}  // namespace
}  // namespace conformance
