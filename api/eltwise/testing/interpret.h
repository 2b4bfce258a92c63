// Interprets eltwise by the oracle ORC-ELT; of functions that it leaves open (ELT-025) the nearest
// number to the formula is right alone.
#ifndef DNNSPEC_API_ELTWISE_TESTING_INTERPRET_H_
#define DNNSPEC_API_ELTWISE_TESTING_INTERPRET_H_

#include "api/testing/right.h"
#include "api/testing/tensors.h"

namespace spi {

// As api/testing/right.h says.
void InterpretEltwise(const Tensors& tensors, Use use);

}  // namespace spi

#endif  // DNNSPEC_API_ELTWISE_TESTING_INTERPRET_H_
