// Interprets inner products by the oracle ORC-IP.
#ifndef DNNSPEC_API_INNER_PRODUCT_TESTING_INTERPRET_H_
#define DNNSPEC_API_INNER_PRODUCT_TESTING_INTERPRET_H_

#include "api/testing/right.h"
#include "api/testing/tensors.h"

namespace spi {

// As api/testing/right.h says.
void InterpretInnerProduct(const Tensors& tensors, Use use);

}  // namespace spi

#endif  // DNNSPEC_API_INNER_PRODUCT_TESTING_INTERPRET_H_
