// Negation as an operation: dst(x) = -src(x).
#ifndef DNNSPEC_API_NEGATION_OPERATION_H_
#define DNNSPEC_API_NEGATION_OPERATION_H_

#include "api/spi/operation.h"

namespace spi {

extern const Signature kNegationSignature;

// Into an operation that is new.
void FillNegation(const Layout& src, const Layout& dst, Operation* operation);

}  // namespace spi

#endif  // DNNSPEC_API_NEGATION_OPERATION_H_
