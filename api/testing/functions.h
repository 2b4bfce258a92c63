// The functions of eltwise as numbers: the oracle's, and by the formulas of oneDNN's guide the four
// that the specification leaves to an implementation (ELT-025).
#ifndef DNNSPEC_API_TESTING_FUNCTIONS_H_
#define DNNSPEC_API_TESTING_FUNCTIONS_H_

#include <optional>

#include "api/spi/attributes.h"
#include "spec/eltwise/oracle.h"

namespace spi {

// f(s), with the limits of the formula at infinities.
long double FunctionAt(Algorithm algorithm, float alpha, float beta, long double s);
// The derivative of f at s, and where f is d. Not of round.
long double DerivativeAt(Algorithm algorithm, float alpha, float beta, long double s);
long double DerivativeByResultAt(Algorithm algorithm, float alpha, float beta, long double d);

// An f32 that a function gives.
struct FunctionResult {
  // What the oracle allows in the project profile on a CPU engine; nothing of the four.
  std::optional<spec::EltwiseResult> allowed;
  // The one number that is allowed first, and then `only` is true; else the nearest to the formula.
  float nearest;
  bool only;
};
// f(s). Of clip_v2, clip's.
FunctionResult ForwardAt(Algorithm algorithm, float alpha, float beta, float s);
// diff_dst times the derivative of f at s, or, of algorithms that UsesDst, where f is `data`.
FunctionResult BackwardAt(Algorithm algorithm, float alpha, float beta, float data, float diff_dst);

}  // namespace spi

#endif  // DNNSPEC_API_TESTING_FUNCTIONS_H_
