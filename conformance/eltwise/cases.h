// The input space of the eltwise properties.
#ifndef DNNSPEC_CONFORMANCE_ELTWISE_CASES_H_
#define DNNSPEC_CONFORMANCE_ELTWISE_CASES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "conformance/gen/placement.h"
#include "conformance/gen/tensors.h"
#include "spec/eltwise/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {

enum class EltwiseDirection { kForward, kBackward, kBackwardByResult };
inline constexpr EltwiseDirection kEltwiseDirections[] = {
    EltwiseDirection::kForward, EltwiseDirection::kBackward, EltwiseDirection::kBackwardByResult};

const char* NameOf(EltwiseDirection direction);  // "fwd", "bwd", "bwd_dst"

// What the data holds.
enum class EltwiseValues {
  kSmall,     // magnitudes around 1, mostly where the function is defined; small integers
  kSeams,     // thresholds of the algorithm, limits of exp, ends of intervals, and their neighbours
  kSpecial,   // NaN, infinities, zeros, subnormals, the largest, among small ones
  kWide,      // all exponents
  kEach,      // element k has the bit pattern k
  kPositive,  // from 1/8 to 8: every function is finite there, and its derivative
  // Ascending: over a range, over all exponents, or neighbours around a seam, by the seed.
  kSweep,
  kBinades,  // every exponent, subnormals too, with both signs and several fractions
};

const char* NameOf(EltwiseValues values);  // "small", ...

// One execution: `dir=bwd alg=clip alpha=-1 beta=2 data=f32:2x5:ab grad=ba values=seams seed=7`,
// and where they are not "mid", `data_at=`, `grad_at=` and `out_at=` for placements. Forward has no
// `grad`. By the result (`bwd_dst`) the data is the destination of the forward.
struct EltwiseCase {
  EltwiseDirection direction = EltwiseDirection::kForward;
  spec::Eltwise function;
  TensorSpec data;
  LayoutSpec gradient;  // of diff_dst and diff_src, backward
  EltwiseValues values = EltwiseValues::kSmall;
  Placement data_at, gradient_at, output_at;
  uint64_t seed = 0;

  bool forward() const { return direction == EltwiseDirection::kForward; }
  bool by_result() const { return direction == EltwiseDirection::kBackwardByResult; }
  // Of what is written, and in backward of diff_dst.
  TensorSpec Output() const;

  // Row-major elements of the data, and of diff_dst (empty in forward).
  std::vector<spec::Bits> Source() const;
  std::vector<spec::Bits> Gradient() const;

  void Print(Fields* fields) const;
  static EltwiseCase Parse(const Fields& fields);
  std::vector<EltwiseCase> Simpler() const;
  // For the comparison with ORC-ELT of the case's own data (program.cc).
  std::string Statements(Profile profile, std::string_view where, std::string_view expected) const;
};

// What an element of the result must be: of one of the data, and of diff_dst.
spec::EltwiseResult ExpectedElement(const EltwiseCase& c, spec::Bits source, spec::Bits gradient,
                                    const spec::EltwiseLimits& limits);

// What a draw may give.
struct EltwiseDraws {
  std::vector<EltwiseDirection> directions{EltwiseDirection::kForward};
  std::vector<spec::EltwiseAlgorithm> algorithms;  // empty: all that the direction has
  std::vector<spec::Type> types{spec::Type::kF32};
  // In the place of these f32 in half of the cases, and in the others any that the direction has.
  bool all_types = false;
  std::vector<EltwiseValues> values{EltwiseValues::kSmall, EltwiseValues::kSeams};
  // Where rank 2 is one of these, one in eight has rows that are long enough for any kernel.
  int min_rank = 1, max_rank = 4;
  bool short_only = false;  // 1 to 33 elements, of rank 1
  bool empty = false;       // some axis has size 0
  // Dense row-major data and gradients of its layout, unless a requirement speaks of layouts.
  bool all_layouts = false;
  bool odd_unit_strides = false;  // all_layouts: as LayoutLimits has them
  bool own_gradient = false;      // the gradient has a layout of its own
  bool placements = false;
  bool wide_parameters = false;  // one case in eight has a parameter of any exponent
};

EltwiseCase AnyEltwiseCase(Random& random, const EltwiseDraws& draws);
// Whether a draw could give `c`, as far as directions, algorithms, types and values go.
bool Fits(const EltwiseCase& c, const EltwiseDraws& draws);
Cases<EltwiseCase> AnyEltwise(const EltwiseDraws& draws);
// The same, a number of them at most: of what takes long.
Cases<EltwiseCase> SomeEltwise(int64_t count, const EltwiseDraws& draws);

// Every algorithm in every direction that it has, with parameters of its own and `count` elements.
std::vector<EltwiseCase> EveryAlgorithm(int64_t count);
// Data of every exponent for the algorithm, with parameters of its own and of any exponent.
Cases<EltwiseCase> EveryBinade(const std::vector<spec::EltwiseAlgorithm>& algorithms,
                               const std::vector<EltwiseDirection>& directions);
// Ascending data for each of the algorithms, forward, of each of the types.
Cases<EltwiseCase> Sweeps(const std::vector<spec::Eltwise>& functions,
                          const std::vector<spec::Type>& types = {spec::Type::kF32});
// Activations of networks that people run.
Cases<EltwiseCase> NetworkEltwise();

// Parameters that the algorithm takes, in the direction.
spec::Eltwise AnyFunction(Random& random, spec::EltwiseAlgorithm algorithm, bool by_result);
// The same with one of them, or both, of any exponent.
spec::Eltwise AnyWideFunction(Random& random, spec::EltwiseAlgorithm algorithm,
                              EltwiseDirection direction);
// Whether the algorithm takes `function`'s parameters (ELT-021), as its use-dst form if
// `by_result`.
bool IsLegal(const spec::Eltwise& function, bool by_result);

// Classes of input: "forward", "backward", "backward by dst", "relu", "f32", "small", ...
std::vector<std::string> ClassesOf(const EltwiseCase& c);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_ELTWISE_CASES_H_
