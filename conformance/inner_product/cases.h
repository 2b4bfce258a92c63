// The input space of the inner product properties: a problem, and how each tensor is presented.
#ifndef DNNSPEC_CONFORMANCE_INNER_PRODUCT_CASES_H_
#define DNNSPEC_CONFORMANCE_INNER_PRODUCT_CASES_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/asked.h"
#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "conformance/gen/layouts.h"
#include "conformance/gen/placement.h"
#include "conformance/gen/tensors.h"
#include "conformance/inner_product/attributes.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {

enum class Direction { kForward, kBackwardData, kBackwardWeights };

// The tensors by their shapes. In a backward direction some are gradients: what is kSrc is diff_src
// in backward data.
enum Role { kSrc, kWeights, kBias, kDst };
inline constexpr Role kRoles[] = {kSrc, kWeights, kBias, kDst};

// How a tensor of the problem is given to the library. Its dims follow from the problem.
struct TensorUse {
  spec::Type type = spec::Type::kF32;
  bool any = false;   // format_tag::any; then `layout` means nothing
  LayoutSpec layout;  // fits the dims
  Placement at;
};

// Where numbers come from.
enum class Numbers {
  kIntegers,  // small: every order of summation gives them exactly
  kFloats,    // all bits of the fraction, magnitudes 2^-10 to 2^10, sums that cancel
  kExtremes,  // of 8-bit integers, first in patterns that 16 bits do not hold
  kSpecial,   // integers, none of them 0, and one or two infinities or NaNs
};

// One execution: `dir=fwd mb=2 ic=5 sp=3x2 oc=7 src=f32:abcd wei=f32:any dst=f32:ab values=integers
// seed=7`; with a bias `bias=f32:a`, with attributes `scale=channel post=sum:0.5,relu:1:0.25:0`
// (attributes.h), and where they are not "mid", `src_at=` and the like for placements.
struct InnerProductCase {
  Direction direction = Direction::kForward;
  int64_t mb = 1, ic = 1, oc = 1;
  spec::Dims spatial;  // up to three
  bool bias = false;
  std::array<TensorUse, 4> uses;  // by Role
  FusedAttributes attributes;     // forward only
  Numbers numbers = Numbers::kIntegers;
  uint64_t seed = 0;

  int64_t inputs() const;  // of one output
  bool forward() const { return direction == Direction::kForward; }
  // Whether the direction has the tensor, and whether it writes it.
  bool Has(Role role) const;
  bool Writes(Role role) const;
  spec::Dims DimsOf(Role role) const;
  TensorSpec TensorOf(Role role) const;  // of one that is not `any`
  // "weights", "diff_weights": as arguments are called.
  std::string NameOf(Role role) const;
  // Every tensor as `any`, or none and each in its plainest layout.
  void SetAny(bool any);
  // Of each tensor that is not `any` the plainest layout of its dims, which may have changed.
  void ResetLayouts();
  // Integers are multiplied: sums are exact.
  bool integral() const;

  void Print(Fields* fields) const;
  static InnerProductCase Parse(const Fields& fields);
  std::vector<InnerProductCase> Simpler() const;

  // What a primitive for this asks of a subject, and whether it may be refused
  // (spec/README.md, "Unsupported is not wrong").
  Asked AskedFor() const;
  bool MayRefuse(Profile profile) const;

  // For the comparison with ORC-IP of the case's own data (program.cc).
  std::string Statements(Profile profile, std::string_view where, std::string_view expected) const;
};

const char* NameOf(Direction direction);  // "fwd", "bwd_data", "bwd_weights"
const char* NameOf(Numbers numbers);

// The types of one primitive, by Role.
using Types = std::array<spec::Type, 4>;

// What a draw may give.
struct InnerProductLimits {
  std::vector<Direction> directions{Direction::kForward, Direction::kBackwardData,
                                    Direction::kBackwardWeights};
  std::vector<Types> types{
      Types{spec::Type::kF32, spec::Type::kF32, spec::Type::kF32, spec::Type::kF32}};
  std::vector<Numbers> numbers{Numbers::kIntegers};
  std::vector<int64_t> batches{1, 2, 3, 7, 16, 33};
  int64_t most_products = 1 << 15;  // mb * oc * inputs
  // Dense row-major and channels-last tensors, unless a requirement speaks of layouts: a fault in
  // others is then seen by those that do.
  bool all_layouts = false;
  bool broadcasts = false;  // inputs in which elements share a place, beside all layouts
  int any_percent = 40;     // of tensors that are given as `any`
  bool scales = false;      // forward
  bool run_time_scales = false;
  bool post_ops = false;  // forward: one of the chains of IP-040
  int bias_percent = 50;
};

InnerProductCase AnyInnerProductCase(Random& random, const InnerProductLimits& limits = {});
// Whether a draw could give `c`, as far as directions, types, numbers and attributes go.
bool Fits(const InnerProductCase& c, const InnerProductLimits& limits);
Cases<InnerProductCase> AnyInnerProduct(const InnerProductLimits& limits = {});

// The combinations of the tables of types: of a direction, of integers or of floats.
std::vector<Types> FloatTypes(Direction direction);
std::vector<Types> IntegerTriples();

// Layers of networks that people run, as far as a case may take: forward and both backward.
Cases<InnerProductCase> NetworkInnerProducts();
// Up to 10^5 inputs.
Cases<InnerProductCase> LongInnerProducts();
// Every subset of the tensors of each direction as `any`.
Cases<InnerProductCase> AnySubsets();

// Classes of input that `c` belongs to: its direction, "rank 4", "bias", "any src", "one row",
// "one output", "one channel", "long", "tail", types, and of each tensor "gapped src", "region
// dst".
std::vector<std::string> ClassesOf(const InnerProductCase& c);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_INNER_PRODUCT_CASES_H_
