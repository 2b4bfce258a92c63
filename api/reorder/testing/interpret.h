// Interprets reorders by the oracles ORC-SCALE, ORC-REO and ORC-REO-ZP: one value is right, and any
// NaN for a NaN that was computed or converted.
#ifndef DNNSPEC_API_REORDER_TESTING_INTERPRET_H_
#define DNNSPEC_API_REORDER_TESTING_INTERPRET_H_

#include "api/testing/right.h"
#include "api/testing/tensors.h"

namespace spi {

// As api/testing/right.h says.
void InterpretReorder(const Tensors& tensors, Use use);

}  // namespace spi

#endif  // DNNSPEC_API_REORDER_TESTING_INTERPRET_H_
