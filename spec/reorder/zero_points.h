// ORC-REO-ZP: what an element of a reorder with zero points must be.
#ifndef DNNSPEC_SPEC_REORDER_ZERO_POINTS_H_
#define DNNSPEC_SPEC_REORDER_ZERO_POINTS_H_

#include <string>

#include "spec/numeric/convert.h"
#include "spec/reorder/oracle.h"

namespace spec {

// The f32 intermediate that the project profile converts: subtract, multiply, add the sum, add the
// zero point, each rounded.
float WithZeroPoints(const ReorderElement& element);

// True when portable accepts `got` for an element with zero points.
bool AcceptsWithZeroPoints(const ReorderElement& element, Bits got);

// "1.49999 to 1.50001": what portable accepts.
std::string TextWithZeroPoints(const ReorderElement& element);

}  // namespace spec

#endif  // DNNSPEC_SPEC_REORDER_ZERO_POINTS_H_
