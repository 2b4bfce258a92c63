// Convolutions that leave layouts open, as api/testing/open.h says.
#ifndef DNNSPEC_API_CONVOLUTION_TESTING_OPEN_H_
#define DNNSPEC_API_CONVOLUTION_TESTING_OPEN_H_

#include <vector>

#include "api/spi/operation.h"

namespace spi {

std::vector<Operation> OpenConvolution();

}  // namespace spi

#endif  // DNNSPEC_API_CONVOLUTION_TESTING_OPEN_H_
