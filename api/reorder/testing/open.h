// Reorders that leave layouts open: none, the primitive refuses `any`.
#ifndef DNNSPEC_API_REORDER_TESTING_OPEN_H_
#define DNNSPEC_API_REORDER_TESTING_OPEN_H_

#include <vector>

#include "api/spi/operation.h"

namespace spi {

inline std::vector<Operation> OpenReorder() { return {}; }

}  // namespace spi

#endif  // DNNSPEC_API_REORDER_TESTING_OPEN_H_
