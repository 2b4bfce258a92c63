// ORC-CMP: how two results are compared.
#ifndef DNNSPEC_SPEC_NUMERIC_COMPARE_H_
#define DNNSPEC_SPEC_NUMERIC_COMPARE_H_

#include "spec/numeric/convert.h"

namespace spec {

// Equal bits, or both NaN.
bool SameValue(Type type, Bits x, Bits y);

// SameValue, or both magnitudes below 2^-126: what engines that flush subnormals may differ in.
bool SameUnlessFlushed(Type type, Bits x, Bits y);

// low <= x <= high in value, -0 and +0 being equal; a NaN is between nothing.
bool Between(Type type, Bits low, Bits x, Bits high);

}  // namespace spec

#endif  // DNNSPEC_SPEC_NUMERIC_COMPARE_H_
