#include "conformance/gen/values.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "gtest/gtest.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

TEST(IndexValues, AreDifferentAndExactInBothTypes) {
  for (Type from : spec::kTypes) {
    for (Type to : spec::kTypes) {
      const bool bytes = spec::BytesOf(from) == 1 || spec::BytesOf(to) == 1;
      const std::vector<Bits> values = Values(ValueKind::kIndex, from, to, 3, bytes ? 128 : 256);
      EXPECT_EQ(std::set<Bits>(values.begin(), values.end()).size(), values.size())
          << spec::NameOf(from) << " " << spec::NameOf(to);
      for (Bits bits : values) {
        const float value = spec::Widen(from, bits);
        EXPECT_EQ(value, std::rint(value));
        EXPECT_EQ(spec::Widen(to, spec::Convert(to, value)), value) << spec::NameOf(to);
      }
    }
  }
}

TEST(BitsValues, AreAllDifferentFor32BitTypes) {
  const std::vector<Bits> values = Values(ValueKind::kBits, Type::kF32, Type::kF32, 1, 65536);
  EXPECT_EQ(std::set<Bits>(values.begin(), values.end()).size(), values.size());
}

TEST(MixedValues, ReachEveryClassOfTheCatalogue) {
  for (Type type : {Type::kF16, Type::kBF16, Type::kF32}) {
    std::map<std::string, int> seen;
    for (Bits bits : Values(ValueKind::kMixed, type, Type::kS8, 1, 20000)) {
      const float value = spec::Widen(type, bits);
      if (spec::IsNan(type, bits)) ++seen["NaN"];
      if (spec::IsSubnormal(type, bits)) ++seen["subnormal"];
      if (spec::IsZero(type, bits)) ++seen[std::signbit(value) ? "-0" : "+0"];
      if (std::isinf(value)) ++seen[value < 0 ? "-inf" : "inf"];
      if (value == std::rint(value) && std::fabs(value) < 200) ++seen["small integer"];
      if (value - std::floor(value) == 0.5f) ++seen["tie"];
      if (value == 127.5f) ++seen["127.5"];
    }
    for (const char* name :
         {"NaN", "subnormal", "-0", "+0", "inf", "-inf", "small integer", "tie", "127.5"})
      EXPECT_GT(seen[name], 20) << spec::NameOf(type) << " " << name;
  }
}

TEST(MixedValues, AreTiesOfNarrowerFloats) {
  for (const auto& [from, to] :
       {std::pair{Type::kF32, Type::kBF16}, {Type::kF32, Type::kF16}, {Type::kF16, Type::kBF16}}) {
    int ties = 0;
    for (Bits bits : Values(ValueKind::kFinite, from, to, 1, 10000)) {
      const double value = spec::Widen(from, bits);
      const Bits near = spec::Convert(to, static_cast<float>(value));
      const double down = spec::Widen(to, near), other = 2 * value - down;
      ties +=
          down != value && spec::Widen(to, spec::Convert(to, static_cast<float>(other))) == other;
    }
    EXPECT_GT(ties, 1000) << spec::NameOf(from) << " " << spec::NameOf(to);
  }
}

TEST(FiniteValues, AreFiniteAndFarFromOverflow) {
  for (Type type : spec::kTypes) {
    for (Bits bits : Values(ValueKind::kFinite, type, Type::kF32, 1, 5000)) {
      const float value = spec::Widen(type, bits);
      EXPECT_LE(std::fabs(value), 0x1p96f);
    }
  }
}

TEST(Values, FitTheirType) {
  for (ValueKind kind :
       {ValueKind::kIndex, ValueKind::kBits, ValueKind::kMixed, ValueKind::kFinite}) {
    for (Type type : spec::kTypes) {
      const int bits = 8 * spec::BytesOf(type);
      for (Bits value : Values(kind, type, Type::kF32, 5, 1000))
        EXPECT_EQ(bits == 32 ? 0 : value >> bits, 0u) << NameOf(kind) << spec::NameOf(type);
    }
  }
}

// A case line must mean the same everywhere.
TEST(Values, AreTheSameOnEveryPlatform) {
  EXPECT_EQ(Values(ValueKind::kBits, Type::kF32, Type::kF32, 7, 3),
            Values(ValueKind::kBits, Type::kF32, Type::kF32, 7, 3));
  EXPECT_NE(Values(ValueKind::kBits, Type::kF32, Type::kF32, 7, 3),
            Values(ValueKind::kBits, Type::kF32, Type::kF32, 8, 3));
  uint32_t digest = 0;
  for (ValueKind kind :
       {ValueKind::kIndex, ValueKind::kBits, ValueKind::kMixed, ValueKind::kFinite})
    for (Type type : spec::kTypes)
      for (Bits bits : Values(kind, type, Type::kS8, 11, 100)) digest = digest * 16777619 ^ bits;
  EXPECT_EQ(digest, 4279819527u);
}

TEST(ValueKind, IsParsedAsItIsPrinted) {
  for (ValueKind kind :
       {ValueKind::kIndex, ValueKind::kBits, ValueKind::kMixed, ValueKind::kFinite})
    EXPECT_EQ(ParseValueKind(NameOf(kind)), kind);
  EXPECT_FALSE(ParseValueKind("none"));
}

}  // namespace
}  // namespace conformance
