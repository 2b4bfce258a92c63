// Declares what cases of inner product and of convolution have in common: a direction, tensors by
// their roles and how each is given to the library, attributes, and where numbers come from.
#ifndef DNNSPEC_CONFORMANCE_GEN_COMPUTATION_H_
#define DNNSPEC_CONFORMANCE_GEN_COMPUTATION_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/asked.h"
#include "conformance/case/fields.h"
#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "conformance/gen/fused.h"
#include "conformance/gen/layouts.h"
#include "conformance/gen/placement.h"
#include "conformance/gen/tensors.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {

enum class Direction { kForward, kBackwardData, kBackwardWeights };
inline constexpr Direction kDirections[] = {Direction::kForward, Direction::kBackwardData,
                                            Direction::kBackwardWeights};
const std::vector<Direction>& EachDirection();  // kDirections

const char* NameOf(Direction direction);  // "fwd", "bwd_data", "bwd_weights"

// The tensors by their shapes. In a backward direction some are gradients: what is kSrc is diff_src
// in backward data.
enum Role { kSrc, kWeights, kBias, kDst };
inline constexpr Role kRoles[] = {kSrc, kWeights, kBias, kDst};

// The types of one primitive, by Role.
using Types = std::array<spec::Type, 4>;

// How a tensor of the problem is given to the library. Its dims follow from the problem.
struct TensorUse {
  spec::Type type = spec::Type::kF32;
  bool any = false;   // format_tag::any; then `layout` means nothing
  LayoutSpec layout;  // fits the dims
  Placement at;
};

// Where numbers come from.
enum class Numbers {
  kIntegers,   // small: every order of summation gives them exactly
  kFloats,     // all bits of the fraction, magnitudes 2^-10 to 2^10, sums that cancel
  kExtremes,   // of 8-bit integers, first in patterns that 16 bits do not hold; of an s32 bias
  kSpecial,    // integers, none of them 0, and one or two infinities or NaNs
  kZeros,      // the same with many zeros, for the project profile alone
  kFractions,  // integers, of floats by 2^-4; biases and old values that are floats have all bits
};

const char* NameOf(Numbers numbers);

struct Computation {
  Direction direction = Direction::kForward;
  bool bias = false;
  std::array<TensorUse, 4> uses;  // by Role
  FusedAttributes attributes;     // forward only
  Numbers numbers = Numbers::kIntegers;
  uint64_t seed = 0;

  virtual ~Computation() = default;
  virtual spec::Dims DimsOf(Role role) const = 0;
  virtual int64_t channels() const = 0;  // of the output
  // Products whose sum is an element of the result, at most; and of them those of one row of
  // weights.
  virtual int64_t terms() const = 0;

  bool forward() const { return direction == Direction::kForward; }
  // Whether the direction has the tensor, and whether it writes it.
  bool Has(Role role) const;
  bool Writes(Role role) const;
  TensorSpec TensorOf(Role role) const;  // of one that is not `any`
  // "weights", "diff_weights": as arguments are called.
  std::string NameOf(Role role) const;
  // Every tensor as `any`, or none and each in its plainest layout.
  void SetAny(bool any);
  void SetTypes(const Types& types);
  // Of each tensor that is not `any` the plainest layout of its dims, which may have changed.
  void ResetLayouts();
  // Integers are multiplied: sums are exact.
  bool integral() const;

  // `src=f32:abcd wei=f32:any bias=f32:a dst=f32:ab`, placements that are not "mid" as `src_at=`,
  // attributes (fused.h), `values=integers seed=7`. Parsing wants the problem and the direction.
  void PrintTensors(Fields* fields) const;
  void ParseTensors(const Fields& fields);

  // What a primitive for this asks of a subject, and whether it may be refused
  // (spec/reading.md, "Unsupported is not wrong").
  Asked AskedOf(const std::string& topic) const;
  bool MayRefuse(Profile profile) const;
  // Whether scales of post-ops are for integers alone, the portable profile leaves open.
  Legality LegalityIn(Profile profile) const;

 protected:
  Computation() = default;
  Computation(const Computation&) = default;
  Computation(Computation&&) = default;
  Computation& operator=(const Computation&) = default;
  Computation& operator=(Computation&&) = default;
};

// The number of `name` among `names`, for a field that is one of them; rejected where it is none.
template <class Names>
size_t NumberOfName(const Fields& fields, const char* key, const Names& names) {
  const std::string text = fields.Text(key);
  for (size_t i = 0; i < std::size(names); ++i)
    if (text == NameOf(names[i])) return i;
  fields.Reject(key, "is none of its names");
  return 0;
}
Direction ParseDirection(const Fields& fields);  // the field "dir"

// "src", "wei", "bias", "dst": as keys of a case, and in classes.
const char* KeyOf(Role role);

// Of the dims, most often the plainest layout, and otherwise channels last.
LayoutSpec AnyUsualLayout(Random& random, const spec::Dims& dims);

// How tensors are drawn.
struct TensorLimits : FusedLimits {
  // Dense row-major and channels-last tensors, unless a requirement speaks of layouts: a fault in
  // others is then seen by those that do.
  bool all_layouts = false;
  bool broadcasts = false;  // inputs in which elements share a place, beside all layouts
  bool dense_bias = false;  // beside all layouts
  int any_percent = 40;     // of tensors that are given as `any`
  // All types of the tables that the direction has, f32 as often as the others together, whatever
  // types are listed.
  bool every_type = false;
  // Numbers, scales and chains of forwards, where there are any, are as SetFractions makes them:
  // where the formula is all that is asked for.
  bool fractions = false;
};
void DrawTensors(Random& random, const TensorLimits& limits, Computation* c);
void DrawAttributes(Random& random, const FusedLimits& limits, Computation* c);

// Of a forward: Numbers::kFractions, scales of any bits, and in place of a chain another of such
// numbers and of every function.
void SetFractions(Random& random, Computation* c);

// Some input shares places among its elements.
bool IsBroadcast(const Computation& c);
// Its tensors have the types of one of these.
bool HasTypesOf(const std::vector<Types>& all, const Computation& c);

// The combinations of the tables of types, which both primitives share: of floats narrower than
// f32, and of integers forward.
std::vector<Types> FloatTypes(Direction direction);
std::vector<Types> IntegerTriples();
// Both, where the direction has both.
std::vector<Types> NarrowTypes(Direction direction);
// The same, and f32 as often as all of them.
std::vector<Types> EveryType(Direction direction);
// What `limits`, which list types, let a direction have.
template <class Limits>
std::vector<Types> TypesWithin(const Limits& limits, Direction direction) {
  return limits.every_type ? EveryType(direction) : limits.types;
}

// Classes of input: the direction, "bias", numbers, attributes, and of each tensor "any src",
// "f32 src", "gapped src", "region dst".
std::vector<std::string> ClassesOfTensors(const Computation& c);

// `c` with one tensor simpler; a Case is a Computation.
template <class Case>
std::vector<Case> SimplerTensors(const Case& c) {
  std::vector<Case> simpler;
  for (const Role role : kRoles) {
    if (!c.Has(role)) continue;
    const TensorUse& use = c.uses[role];
    const auto offer = [&](auto change) {
      simpler.push_back(c);
      change(&simpler.back().uses[role]);
    };
    if (use.any) {
      offer([&](TensorUse* to) {
        to->any = false;
        to->layout = Plainest(c.DimsOf(role));
      });
    } else {
      for (const LayoutSpec& layout : PlainerLayouts(use.layout, c.DimsOf(role)))
        offer([&](TensorUse* to) { to->layout = layout; });
    }
    if (ToString(use.at) != "mid") offer([](TensorUse* to) { to->at = {}; });
  }
  return simpler;
}

// The same with simpler attributes.
template <class Case>
std::vector<Case> WithSimplerAttributes(const Case& c) {
  std::vector<Case> simpler;
  for (const FusedAttributes& plainer : SimplerFused(c.attributes)) {
    simpler.push_back(c);
    simpler.back().attributes = plainer;
  }
  return simpler;
}

// The same with simpler types and numbers.
template <class Case>
std::vector<Case> WithSimplerNumbers(const Case& c) {
  std::vector<Case> simpler;
  Case floats = c;
  bool narrow = false;
  for (const Role role : kRoles) {
    narrow = narrow || (c.Has(role) && c.uses[role].type != spec::Type::kF32);
    floats.uses[role].type = spec::Type::kF32;
  }
  if (narrow) simpler.push_back(floats);
  if (c.numbers != Numbers::kIntegers) {
    simpler.push_back(c);
    simpler.back().numbers = Numbers::kIntegers;
  }
  if (c.seed != 0) {
    simpler.push_back(c);
    simpler.back().seed = 0;
  }
  return simpler;
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_GEN_COMPUTATION_H_
