// The functions of eltwise as numbers: the oracle's, and by the formulas of oneDNN's guide the four
// that the specification leaves to an implementation (ELT-025).
#ifndef DNNSPEC_API_TESTING_FUNCTIONS_H_
#define DNNSPEC_API_TESTING_FUNCTIONS_H_

#include <optional>

#include "api/spi/attributes.h"
#include "spec/eltwise/functions.h"

namespace spi {

// What the oracle calls `algorithm`, which may be one that UsesDst; nothing for the four. Forward
// clip_v2 is clip.
std::optional<spec::Eltwise> SpecifiedForward(Algorithm algorithm, float alpha, float beta);
std::optional<spec::Eltwise> SpecifiedBackward(Algorithm algorithm, float alpha, float beta);

// f(s), with the limits of the formula at infinities.
long double FunctionAt(Algorithm algorithm, float alpha, float beta, long double s);
// The derivative of f at s, and where f is d. Not of round.
long double DerivativeAt(Algorithm algorithm, float alpha, float beta, long double s);
long double DerivativeByResultAt(Algorithm algorithm, float alpha, float beta, long double d);

}  // namespace spi

#endif  // DNNSPEC_API_TESTING_FUNCTIONS_H_
