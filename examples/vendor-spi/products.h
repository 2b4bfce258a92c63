// Inner product and convolution of scalar.cc: every direction, in f32, one term after the other.
#ifndef EXAMPLES_VENDOR_SPI_PRODUCTS_H_
#define EXAMPLES_VENDOR_SPI_PRODUCTS_H_

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"

namespace scalar {

// Plain layouts without attributes; `any` is answered with row-major ones. Unimplemented else.
absl::StatusOr<spi::Planned> PlanProduct(const spi::Request& request);

}  // namespace scalar

#endif  // EXAMPLES_VENDOR_SPI_PRODUCTS_H_
