// Random legal reorders for the tests of implementations.
#ifndef DNNSPEC_API_REORDER_TESTING_RANDOM_REORDER_H_
#define DNNSPEC_API_REORDER_TESTING_RANDOM_REORDER_H_

#include <cstdint>

#include "api/reorder/testing/reorder_operation.h"
#include "api/spi/layout.h"
#include "api/testing/random_operation.h"

namespace spi {

// Of at most `max_elements` elements. A run-time zero point has a value: what BuffersFor brings.
ReorderOperation RandomReorder(Random& random, DataType src, DataType dst, int64_t max_elements);

}  // namespace spi

#endif  // DNNSPEC_API_REORDER_TESTING_RANDOM_REORDER_H_
