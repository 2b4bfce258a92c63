// DT-005, DT-008 to DT-010, DT-014, DT-015, DT-021, DT-023, DT-025, DT-027, DT-031: what must be
// exact.
#include <optional>
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

// Every narrow value to f32 and back. Flushed subnormals and lost signs of zero are forgiven as in
// the two conversions.
void ExpectComesBack(const ValueCase& c, const std::vector<Bits>& sources,
                     const std::vector<Bits>& results, Trial& trial) {
  const spec::Strictness strictness = StrictnessOfConversion(c.to, c.from, trial);
  for (size_t k = 0; k < sources.size(); ++k) {
    const Bits source = sources[k], got = results[k];
    if (spec::IsNan(c.from, source) || source == got) continue;
    // What the way there may have made of it, and the way back of that.
    bool accepted = false;
    const spec::Acceptable wide = spec::AcceptableCopies(c.from, c.to, source, strictness);
    for (int i = 0; i < wide.count; ++i)
      accepted |= spec::AcceptsCopy(c.to, c.from, wide.values[i], got, strictness);
    if (accepted) continue;
    return trial.Fail(NameOfElement(c, k, source) + ", there and back",
                      spec::ToString(c.from, source), spec::ToString(c.from, got));
  }
}

void ThereAndBackIsTheIdentity(const ValueCase& c, Trial& trial) {
  for (const Arrangement arrangement : ArrangementsOf(c)) {
    const auto there = ConvertIn(arrangement, c, trial);
    if (!there) return;
    const auto again = ConvertIn(arrangement, These(c.to, c.from, there->result), trial);
    if (!again) return;
    ExpectComesBack(c, there->source, again->result, trial);
    if (trial.failed()) return;
  }
}

// Only NaNs are looked at.
void ExpectNans(const ValueCase& c, const std::optional<Converted>& converted, Trial& trial) {
  if (!converted) return;
  bool any = false;
  for (size_t k = 0; k < converted->source.size(); ++k) {
    if (!spec::IsNan(c.from, converted->source[k])) continue;
    any = true;
    if (spec::IsNan(c.to, converted->result[k])) continue;
    return trial.Fail(NameOfElement(c, k, converted->source[k]), "a NaN",
                      spec::ToString(c.to, converted->result[k]));
  }
  if (!any) trial.Vacuous();
}

void NanStaysNan(const ValueCase& c, Trial& trial) {
  InArrangements(c, trial, [&](const Converted& converted) { ExpectNans(c, converted, trial); });
}

// By transpositions of few and of many rows.
void NanStaysNanTransposed(const ValueCase& c, Trial& trial) {
  for (const int64_t rows : {8, 64}) {
    ExpectNans(c, ConvertTransposed(c, trial, rows), trial);
    if (trial.failed()) return;
  }
}

// Only zeros are looked at: of the source, and those that small values become.
void ZerosKeepTheirSign(const ValueCase& c, Trial& trial) {
  const spec::Strictness strictness = StrictnessOfConversion(c.from, c.to, trial);
  InArrangements(c, trial, [&](const Converted& converted) {
    bool any = false;
    for (size_t k = 0; k < converted.source.size(); ++k) {
      const Bits source = converted.source[k];
      if (!spec::IsZero(c.to, spec::Copy(c.from, c.to, source))) continue;
      any = true;
      if (spec::AcceptsCopy(c.from, c.to, source, converted.result[k], strictness)) continue;
      return trial.Fail(NameOfElement(c, k, source),
                        spec::ToString(c.to, spec::Copy(c.from, c.to, source)),
                        spec::ToString(c.to, converted.result[k]));
    }
    if (!any) trial.Vacuous();
  });
}

// Moving does not flush, whatever arithmetic does.
void MovementKeepsSubnormals(const ValueCase& c, Trial& trial) {
  const auto kept = [&](const Converted& converted) {
    for (size_t k = 0; k < converted.source.size(); ++k) {
      const Bits source = converted.source[k];
      if (!spec::IsSubnormal(c.from, source)) continue;
      trial.Cover("subnormal");
      if (converted.result[k] == source) continue;
      return trial.Fail(NameOfElement(c, k, source), spec::ToString(c.to, source),
                        spec::ToString(c.to, converted.result[k]));
    }
  };
  const auto transposed = ConvertTransposed(c, trial);
  if (!transposed) return;
  kept(*transposed);
  if (!trial.failed()) InArrangements(c, trial, kept);
}

// Which arithmetic flushes: recorded. Project: none on a CPU, which ConvertsRight of ORC-CVT and
// ORC-REO pin.
void FlushingIsRecorded(const ValueCase& c, Trial& trial) {
  const auto converted = Convert(c, trial);
  if (!converted) return;
  bool flushed = false;
  for (size_t k = 0; k < converted->source.size(); ++k) {
    const Bits exact = spec::Copy(c.from, c.to, converted->source[k]);
    flushed |= spec::IsSubnormal(c.to, exact) && spec::IsZero(c.to, converted->result[k]);
  }
  trial.Record(std::string("narrowing ") + spec::NameOf(c.from) + " to " + spec::NameOf(c.to) +
                   " flushes subnormals",
               flushed ? "yes" : "no");
  ExpectConverted(c, *converted, trial);
}

std::vector<ValueCase> AllToThemselves() {
  std::vector<ValueCase> cases;
  for (Type type : {Type::kF16, Type::kBF16, Type::kS8, Type::kU8})
    cases.push_back(AllOf(type, type));
  cases.push_back(These(Type::kS32, Type::kS32,
                        {16777217, 0x7fffffff, 0x7fffffbf, 0x80000000, 0x80000001, 33554433,
                         0xfeffffff, 0, 0xffffffff}));
  return cases;
}

// In tiles of 16 to 128 rows, which move in other ways than blocks do.
void MovesRightInTiles(const ValueCase& c, Trial& trial) {
  const auto converted = ConvertTransposed(c, trial, int64_t{16} << c.seed % 4);
  if (converted) ExpectConverted(c, *converted, trial);
}

Cases<ValueCase> TilesOfOneType() {
  return {48, [](int64_t index, Random& random) {
            ValueCase c;
            c.from = c.to = spec::kTypes[index % 6];
            c.kind = random.Chance(50) ? ValueKind::kMixed : ValueKind::kBits;
            c.seed = static_cast<uint64_t>(4 * random.Between(0, 2499) + index / 6 % 4);
            c.draw_count = 128 * random.Between(16, 32);
            return c;
          }};
}

// 64 elements and more in multiples of 64, for blocks of 8 x 8.
Cases<ValueCase> Blocks() {
  return Drawn<ValueCase>([](Random& random) {
    ValueCase c;
    c.from = c.to = random.Pick(spec::kTypes);
    c.kind = random.Chance(50) ? ValueKind::kMixed : ValueKind::kBits;
    c.seed = static_cast<uint64_t>(random.Between(0, 9999));
    c.draw_count = 64 * random.Between(1, 8);
    return c;
  });
}

Cases<ValueCase> SameType(std::vector<ValueCase> listed, const std::vector<Type>& types) {
  const Cases<ValueCase> drawn = ListedThenDrawn(std::move(listed), types, types);
  return {0, [drawn](int64_t index, Random& random) {
            ValueCase c = drawn.at(index, random);
            c.to = c.from;
            return c;
          }};
}

// NaNs of every payload in 16 bits, and drawn ones.
std::vector<ValueCase> Nans() {
  std::vector<ValueCase> cases;
  for (Type from : {Type::kF16, Type::kBF16})
    for (Type to : FloatTypes()) cases.push_back(AllOf(from, to));
  std::vector<Bits> bits;
  for (Bits fraction = 1; fraction < 0x00800000; fraction = 2 * fraction + 1)
    for (Bits sign : {Bits{0}, Bits{0x80000000}}) bits.push_back(sign | 0x7f800000 | fraction);
  for (Bits payload : {0x7fc000d0u, 0x7f800001u, 0xff800001u, 0x7fa00000u, 0x7fbfffffu})
    bits.push_back(payload);
  for (Type to : FloatTypes()) cases.push_back(These(Type::kF32, to, bits));
  return cases;
}

// NaNs of any payload among numbers: one in 256 words of any bits is one. Tests of several elements
// at a time have to find each, wherever it lies.
Cases<ValueCase> LoneNans() {
  return {60,
          [](int64_t index, Random& random) {
            ValueCase c;
            c.from = index % 4 < 3 ? Type::kF32 : random.Pick(FloatTypes());
            c.to = random.Pick(FloatTypes());
            c.kind = index % 5 < 4 ? ValueKind::kBits : ValueKind::kMixed;
            c.seed = static_cast<uint64_t>(random.Between(0, 9999));
            c.draw_count = 64 * random.Between(8, 256);
            return c;
          },
          nullptr};
}

std::vector<ValueCase> Zeros() {
  std::vector<ValueCase> cases;
  for (Type to : FloatTypes()) {
    cases.push_back(These(
        Type::kF32, to,
        {0, 0x80000000, 0x00000001, 0x80000001, 0x33000000, 0xb3000000, 0x00007fff, 0x80007fff}));
    for (Type from : {Type::kF16, Type::kBF16}) cases.push_back(These(from, to, {0, 0x8000}));
  }
  return cases;
}

std::vector<ValueCase> Pairs(std::initializer_list<Type> from, std::initializer_list<Type> to) {
  std::vector<ValueCase> cases;
  for (Type source : from)
    for (Type target : to)
      if (source != target) cases.push_back(AllOf(source, target));
  return cases;
}

std::vector<ValueCase> SmallIntegers() {
  std::vector<ValueCase> cases = Pairs({Type::kS8, Type::kU8}, {Type::kS8, Type::kU8, Type::kS32});
  for (Type to : {Type::kS8, Type::kU8}) {
    cases.push_back(These(Type::kS32, to,
                          {0, 1, 127, 128, 129, 255, 256, 257, 0x7fffffff, 0x80000000, 0x80000001,
                           0xffffffff, 0xffffff80, 0xffffff7f, 0xffffff00, 65536, 0x01000001}));
  }
  return cases;
}

// s32 of every magnitude, with each place of a row the last one in some: between two powers of two
// lie values that are in range as 16 bits, or as the low 16 or 8 of them.
Cases<ValueCase> WideIntegers() {
  return Drawn<ValueCase>([](Random& random) {
    std::vector<Bits> bits(static_cast<size_t>(random.Between(1, 64)));
    for (Bits& value : bits) {
      const Bits power = Bits{1} << random.Between(6, 31);
      value = power | (static_cast<Bits>(random.Bits()) & (power - 1));
      if (random.Chance(25)) value = power | power >> 8;  // 32896 and its like
    }
    return These(Type::kS32, random.Pick({Type::kS8, Type::kU8}), std::move(bits));
  });
}

const bool kDefined[] = {
    Define<ValueCase>(spec::DT_005, "", Listed(Pairs({Type::kF16, Type::kBF16}, {Type::kF32})),
                      ConvertsRight),
    Define<ValueCase>(spec::DT_008, "", SameType({}, {Type::kF32}), ConvertsRight),
    Define<ValueCase>(spec::DT_008, "transposed", SameType({}, {Type::kF32}),
                      ConvertsRightTransposed),
    Define<ValueCase>(spec::DT_009, "", SameType(AllToThemselves(), AllTypes()), ConvertsRight),
    Define<ValueCase>(spec::DT_009, "transposed", SameType(AllToThemselves(), AllTypes()),
                      ConvertsRightTransposed),
    Define<ValueCase>(spec::DT_009, "blocks", Blocks(), ConvertsRightTransposed),
    Define<ValueCase>(spec::DT_009, "tiles", TilesOfOneType(), MovesRightInTiles),
    Define<ValueCase>(spec::DT_010, "", Listed(Pairs({Type::kF16, Type::kBF16}, {Type::kF32})),
                      ConvertsRightTransposed),
    Define<ValueCase>(spec::DT_014, "", ListedThenDrawn(Nans(), FloatTypes(), FloatTypes()),
                      NanStaysNan),
    Define<ValueCase>(spec::DT_014, "lone", LoneNans(), NanStaysNan, {"f32 to bf16", "f32 to f16"}),
    Define<ValueCase>(spec::DT_014, "transposed", LoneNans(), NanStaysNanTransposed,
                      {"f32 to bf16", "f32 to f16"}),
    Define<ValueCase>(spec::DT_015, "", ListedThenDrawn(Zeros(), FloatTypes(), FloatTypes()),
                      ZerosKeepTheirSign),
    Define<ValueCase>(spec::DT_021, "",
                      ListedThenDrawn(SmallIntegers(), IntegerTypes(), IntegerTypes()),
                      ConvertsRight),
    Define<ValueCase>(spec::DT_021, "wide", WideIntegers(), ConvertsRight,
                      {"s32 to s8", "s32 to u8"}),
    Define<ValueCase>(spec::DT_023, "",
                      Listed(Pairs({Type::kS8, Type::kU8}, {Type::kF32, Type::kBF16, Type::kF16})),
                      ConvertsRight),
    Define<ValueCase>(spec::DT_025, "",
                      Listed(Pairs({Type::kF16, Type::kBF16}, {Type::kF16, Type::kBF16})),
                      ConvertsRight),
    Define<ValueCase>(spec::DT_027, "",
                      Listed(Pairs({Type::kF16, Type::kBF16, Type::kS8, Type::kU8}, {Type::kF32})),
                      ThereAndBackIsTheIdentity),
    Define<ValueCase>(spec::DT_031, "movement",
                      SameType({AllOf(Type::kF16, Type::kF16), AllOf(Type::kBF16, Type::kBF16)},
                               FloatTypes()),
                      MovementKeepsSubnormals, {"subnormal"}),
    Define<ValueCase>(spec::DT_031, "narrowing",
                      ListedThenDrawn({AroundAllOf(Type::kBF16), AroundAllOf(Type::kF16)},
                                      {Type::kF32}, {Type::kBF16, Type::kF16}),
                      FlushingIsRecorded),
};

}  // namespace
}  // namespace conformance
