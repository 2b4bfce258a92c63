// Random legal shuffles for the tests of implementations.
#ifndef DNNSPEC_API_SHUFFLE_TESTING_RANDOM_SHUFFLE_H_
#define DNNSPEC_API_SHUFFLE_TESTING_RANDOM_SHUFFLE_H_

#include <cstdint>

#include "api/shuffle/testing/shuffle_operation.h"
#include "api/testing/random_operation.h"

namespace spi {

// Of at most `max_elements` elements.
ShuffleOperation RandomShuffle(Random& random, int64_t max_elements);

}  // namespace spi

#endif  // DNNSPEC_API_SHUFFLE_TESTING_RANDOM_SHUFFLE_H_
