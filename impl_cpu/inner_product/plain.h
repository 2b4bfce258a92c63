// The plainest inner product: element by element, the formula with no order of its own. The last
// candidate of every plan, and the only one without vectors.
#ifndef DNNSPEC_IMPL_CPU_INNER_PRODUCT_PLAIN_H_
#define DNNSPEC_IMPL_CPU_INNER_PRODUCT_PLAIN_H_

#include "api/spi/implementation.h"
#include "impl_cpu/inner_product/product.h"

namespace impl_cpu {

// Computes c, but for the padding of its blocks. Sums of floats are in double.
void RunPlainProduct(const Product& product, spi::Buffers buffers);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_INNER_PRODUCT_PLAIN_H_
