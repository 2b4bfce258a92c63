// Element-wise functions of one number, as post-ops and elementwise primitives compute them.
//
// What is one operation of f32 is that operation. Functions that need more are computed in double
// and rounded once. NaN stays NaN, and infinities give the limits of the formulas (ELT-050).
//
// Source: oneDNN developer guide, "Eltwise"; A-74 of spec/decisions/0002-readings.md.
#ifndef DNNSPEC_IMPL_CPU_NUMERIC_ELTWISE_H_
#define DNNSPEC_IMPL_CPU_NUMERIC_ELTWISE_H_

#include "api/spi/attributes.h"

namespace impl_cpu {

// f(value) with alpha and beta of `op`; not scaled.
float Eltwise(const spi::EltwiseOp& op, float value);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_NUMERIC_ELTWISE_H_
