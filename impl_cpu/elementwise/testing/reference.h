// Element-wise functions in long double, by formulas in which nothing cancels: what kernels are
// compared with.
#ifndef DNNSPEC_IMPL_CPU_ELEMENTWISE_TESTING_REFERENCE_H_
#define DNNSPEC_IMPL_CPU_ELEMENTWISE_TESTING_REFERENCE_H_

#include "impl_cpu/elementwise/kernel.h"

namespace impl_cpu {

// f(s), with the limits of the formula at infinities; NaN of NaN, but for pow by 0.
long double ExactForward(const Function& function, float s);

// The derivative of f at s.
long double ExactSlope(const Function& function, float s);

// The derivative of f where f is d.
long double ExactSlopeFromDst(const Function& function, float d);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_ELEMENTWISE_TESTING_REFERENCE_H_
