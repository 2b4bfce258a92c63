// Attributes of a reorder as text and as values (GEN-ATTR, GEN-FP, GEN-ZP).
//
//   mask=2 scales=pow2 beta=0.5        one scale for each index of axis 1, and a sum
//   mask=0 alpha=0.25 rt=1             one scale, given at execution
//   zs=10 zdrt=-3                      a zero point of the source, and one of the destination
//                                      that is given at execution
#ifndef DNNSPEC_CONFORMANCE_GEN_ATTRIBUTES_H_
#define DNNSPEC_CONFORMANCE_GEN_ATTRIBUTES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/random.h"
#include "spec/memory/oracle.h"

namespace conformance {

// Where the values of the output scales come from.
enum class ScaleKind {
  kNone,         // no output scales are set
  kLiteral,      // every scale is the same value
  kPowersOfTwo,  // +-2^-6 .. +-2^6, neighbours in the vector differ
  kAny,          // signs and magnitudes 2^-10 .. 2^10, all bits of the fraction
};

// A zero point of one side: none, or set in advance, or given at execution.
struct ZeroPointSpec {
  bool present = false;
  int32_t value = 0;
  bool run_time = false;

  // The value, if it takes part: a 0 that is set in advance is none.
  std::optional<int32_t> effective() const {
    return present && (run_time || value != 0) ? std::optional<int32_t>(value) : std::nullopt;
  }
};

struct AttributesSpec {
  ScaleKind scales = ScaleKind::kNone;
  float literal = 1;      // kLiteral
  int mask = 0;           // bit d: one scale for each index of axis d
  bool run_time = false;  // the scales are an argument of the execution
  bool sum = false;
  float beta = 1;
  ZeroPointSpec src_zero, dst_zero;

  bool scaled() const { return scales != ScaleKind::kNone; }
  bool zero_points() const { return src_zero.present || dst_zero.present; }
  bool none() const { return !scaled() && !sum && !zero_points(); }
};

// The scales for a destination with these dims: spec::ScaleCount(mask, dims) of them, 1 if not
// scaled.
std::vector<float> ScaleValues(const AttributesSpec& attributes, const spec::Dims& dims,
                               uint64_t seed);

// Which masks a draw may give.
enum class Masks {
  kNone,    // a common scale
  kSingle,  // a common scale, or one for each index of one axis
  kAny,     // of any axes
};

// What a draw may give.
struct AttributesLimits {
  bool scales = true;
  Masks masks = Masks::kAny;
  bool run_time = true;
  bool sum = true;
  bool zero_points = false;  // then there is one at least, and scales and sum only at times
  bool exact = false;        // alpha and beta are 0 or +- powers of two
  int64_t max_scales = 4096;
};

// Never none() when `limits` allow scales or a sum.
AttributesSpec AnyAttributes(Random& random, const spec::Dims& dims,
                             const AttributesLimits& limits = {});

// GEN-FP: a finite factor; `exact` ones are +- powers of two.
float AnyFactor(Random& random, bool exact);

// GEN-ZP: one or both, of any value, where `run_time` says so at times given at execution.
void AddZeroPoints(Random& random, bool run_time, AttributesSpec* attributes);

// As fields of a case; nothing is written for none().
void SetAttributes(Fields* fields, const AttributesSpec& attributes);
AttributesSpec GetAttributes(const Fields& fields);

// Simpler attributes to try when a case fails, simplest first.
std::vector<AttributesSpec> SimplerAttributes(const AttributesSpec& attributes);

// The attributes after axis `axis` is gone: its bit leaves the mask, higher bits move down.
AttributesSpec DropAxis(const AttributesSpec& attributes, int axis);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_GEN_ATTRIBUTES_H_
