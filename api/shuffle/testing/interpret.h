// Interprets shuffles by the oracle ORC-SHU.
#ifndef DNNSPEC_API_SHUFFLE_TESTING_INTERPRET_H_
#define DNNSPEC_API_SHUFFLE_TESTING_INTERPRET_H_

#include "api/testing/right.h"
#include "api/testing/tensors.h"

namespace spi {

// As api/testing/right.h says.
void InterpretShuffle(const Tensors& tensors, Use use);

}  // namespace spi

#endif  // DNNSPEC_API_SHUFFLE_TESTING_INTERPRET_H_
