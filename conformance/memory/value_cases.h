// Cases of the chapter on data types: a list of elements that are converted.
#ifndef DNNSPEC_CONFORMANCE_MEMORY_VALUE_CASES_H_
#define DNNSPEC_CONFORMANCE_MEMORY_VALUE_CASES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/gen/attributes.h"
#include "conformance/gen/values.h"
#include "spec/numeric/convert.h"

namespace conformance {

// Elements of one type and the type they are converted to, given in one of four ways:
//   from=bf16 to=f32 all=0+65536               consecutive bit patterns
//   from=f32 to=f16 around=0+65536             for each of these bit patterns of `to`, if finite:
//   its
//                                              value, the half-way point to the next larger
//                                              magnitude, and that one's two neighbours
//   from=f32 to=s8 draw=mixed@7+500            conformance/gen/values.h: kind, seed and count
//   from=f32 to=s8 bits=43000000,437f8000      one by one, in hexadecimal
// A case of any kind shrinks to single elements.
struct ValueCase {
  spec::Type from = spec::Type::kF32, to = spec::Type::kF32;
  int64_t first = 0;      // of `all` and `around`
  int64_t all_count = 0;  // 0: not given
  int64_t around_count = 0;
  ValueKind kind = ValueKind::kMixed;
  uint64_t seed = 0;
  int64_t draw_count = 0;
  std::vector<spec::Bits> bits;  // where neither is given

  std::vector<spec::Bits> Elements() const;

  void Print(Fields* fields) const;
  static ValueCase Parse(const Fields& fields);
  std::vector<ValueCase> Simpler() const;
};

// A conversion with a common scale, a sum or both: `from=s8 to=s8 mask=0 alpha=0.5 beta=2
// values=finite seed=7 count=17`.
struct ArithmeticCase {
  spec::Type from = spec::Type::kF32, to = spec::Type::kF32;
  AttributesSpec attributes;  // mask 0, not at run time
  ValueKind values = ValueKind::kFinite;
  uint64_t seed = 0;
  int64_t count = 1;

  void Print(Fields* fields) const;
  static ArithmeticCase Parse(const Fields& fields);
  std::vector<ArithmeticCase> Simpler() const;
};

// Pairs out of `from` and `to`; never without attributes.
Cases<ArithmeticCase> AnyArithmetic(std::vector<spec::Type> from, std::vector<spec::Type> to);

// Every bit pattern of `from`, which has 8 or 16 bits.
ValueCase AllOf(spec::Type from, spec::Type to);
// One by one.
ValueCase These(spec::Type from, spec::Type to, std::vector<spec::Bits> bits);
ValueCase TheseFloats(spec::Type to, const std::vector<float>& values);  // from f32

// f32 words around every value of a 16-bit float type.
ValueCase AroundAllOf(spec::Type to);

// The listed cases, then others drawn from GEN-DATA for pairs out of `from` and `to`. The listed
// ones are found again by their index.
Cases<ValueCase> ListedThenDrawn(std::vector<ValueCase> listed, std::vector<spec::Type> from,
                                 std::vector<spec::Type> to);

// The float types, the integer types, all of them.
std::vector<spec::Type> FloatTypes();
std::vector<spec::Type> IntegerTypes();
std::vector<spec::Type> AllTypes();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MEMORY_VALUE_CASES_H_
