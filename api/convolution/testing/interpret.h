// Interprets convolutions by the oracle ORC-CONV.
#ifndef DNNSPEC_API_CONVOLUTION_TESTING_INTERPRET_H_
#define DNNSPEC_API_CONVOLUTION_TESTING_INTERPRET_H_

#include "api/testing/right.h"
#include "api/testing/tensors.h"

namespace spi {

// As api/testing/right.h says.
void InterpretConvolution(const Tensors& tensors, Use use);

}  // namespace spi

#endif  // DNNSPEC_API_CONVOLUTION_TESTING_INTERPRET_H_
