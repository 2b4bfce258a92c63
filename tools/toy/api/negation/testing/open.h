// Negations that leave layouts open: none, the primitive refuses `any`.
#ifndef DNNSPEC_API_NEGATION_TESTING_OPEN_H_
#define DNNSPEC_API_NEGATION_TESTING_OPEN_H_

#include <vector>

#include "api/spi/operation.h"

namespace spi {

inline std::vector<Operation> OpenNegation() { return {}; }

}  // namespace spi

#endif  // DNNSPEC_API_NEGATION_TESTING_OPEN_H_
