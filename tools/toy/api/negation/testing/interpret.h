// Interprets negations by the oracle ORC-NEG.
#ifndef DNNSPEC_API_NEGATION_TESTING_INTERPRET_H_
#define DNNSPEC_API_NEGATION_TESTING_INTERPRET_H_

#include "api/testing/right.h"
#include "api/testing/tensors.h"

namespace spi {

// As api/testing/right.h says.
void InterpretNegation(const Tensors& tensors, Use use);

}  // namespace spi

#endif  // DNNSPEC_API_NEGATION_TESTING_INTERPRET_H_
