// Checks the parameters of an eltwise algorithm, as a primitive and as a post-op.
//
// Source: oneDNN developer guide, "Eltwise", note (2); requirements ELT-021, ELT-022.
#ifndef DNNSPEC_API_SPI_ELTWISE_LIMITS_H_
#define DNNSPEC_API_SPI_ELTWISE_LIMITS_H_

#include <string>

#include "api/spi/attributes.h"

namespace spi {

// The limit that is broken: "alpha = -1 of eltwise_bounded_relu is not at least 0 (ELT-021)"; ""
// where none is. NaN breaks every limit; what an algorithm does not use has none.
std::string BrokenLimit(Algorithm algorithm, float alpha, float beta);

}  // namespace spi

#endif  // DNNSPEC_API_SPI_ELTWISE_LIMITS_H_
