// Output scales and post-ops of a computing primitive as text and as values.
//
//   scale=common | scale=channel     one scale, or one for each output channel: powers of two
//   fractions=1                      of any bits instead, 2^-14 to 2^11
//   rt=1                             given at execution
//   post=sum:0.5,relu:1:0.25:0       a sum with its scale; a function with scale, alpha, beta
#ifndef DNNSPEC_CONFORMANCE_GEN_FUSED_H_
#define DNNSPEC_CONFORMANCE_GEN_FUSED_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/random.h"
#include "spec/numeric/approx.h"

namespace conformance {

// kSum, or an algorithm of eltwise: up to kSquare those that integers pass without rounding.
struct PostOp {
  enum Kind {
    kSum,
    kRelu,
    kLinear,
    kClip,
    kAbs,
    kSquare,
    kTanh,
    kElu,
    kSqrt,
    kBoundedRelu,
    kSoftRelu,
    kLogistic,
    kExp,
    kGeluTanh,
    kSwish,
    kLog,
    kPow,
    kGeluErf,
    kRound
  };
  Kind kind = kSum;
  float scale = 1;
  float alpha = 0, beta = 0;  // not of kSum

  bool rounds() const { return kind > kSquare; }
};

const char* NameOf(PostOp::Kind kind);  // "sum", "relu", as dnnl::algorithm::eltwise_relu

struct FusedAttributes {
  enum Scales { kNone, kCommon, kChannel };
  Scales scales = kNone;
  bool run_time = false, fractions = false;  // of scales
  std::vector<PostOp> post_ops;

  bool none() const { return scales == kNone && post_ops.empty(); }
  bool sums() const;  // whether the destination is read
};

// Cases whose seeds differ by so much, or by a multiple of it, have other contents for the same
// primitive: their scales are the same.
inline constexpr uint64_t kOtherContents = 10000;

// As many as `scales` says of `channels`.
std::vector<float> ScaleValues(const FusedAttributes& attributes, int64_t channels, uint64_t seed);

// What the attributes make of an element whose sum, bias included, is `value`, and whose
// destination held `old`.
spec::Approx Apply(const FusedAttributes& attributes, spec::Approx value, float scale, double old);

// What the old value adds where the first post-op is a sum, and floats may be added in any order
// nullopt where it is none.
std::optional<spec::Approx> OldTerm(const FusedAttributes& attributes, double old);
// Apply, for a `value` that has it.
spec::Approx ApplyBehindOld(const FusedAttributes& attributes, spec::Approx value, double old);

// As fields of a case; nothing is written for none().
void SetFused(Fields* fields, const FusedAttributes& attributes);
FusedAttributes GetFused(const Fields& fields);

// eltwise, sum, or sum and eltwise.
std::vector<PostOp> AnyChain(Random& random);

// The same of scales and parameters of any bits, and of every function. Square roots and logarithms
// of negative numbers are NaN: only `with_nans`.
std::vector<PostOp> AnyChainOfFractions(Random& random, bool with_nans);

// Which attributes forwards are drawn with.
struct FusedLimits {
  bool scales = false;
  bool run_time_scales = false;
  bool post_ops = false;         // AnyChain
  bool chains = false;           // two to four post-ops
  int attributes_percent = 100;  // of forwards
};
// Where there may be chains and scales, each alone too.
FusedAttributes AnyFused(Random& random, const FusedLimits& limits);
// Whether a draw could give them, `fractions` aside.
bool Fits(const FusedAttributes& attributes, const FusedLimits& limits);

// Of any bits, of 2^low to 2^(high + 1) and either sign.
float AnyFraction(Random& random, int low, int high);

// Simpler ones to try when a case fails, simplest first.
std::vector<FusedAttributes> SimplerFused(const FusedAttributes& attributes);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_GEN_FUSED_H_
