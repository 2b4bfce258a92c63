#include "api/shuffle/testing/random_shuffle.h"

#include <algorithm>
#include <cstdint>

#include "api/spi/layout.h"

namespace spi {

ShuffleOperation RandomShuffle(Random& random, int64_t max_elements) {
  ShuffleOperation op;
  const DataType type = Pick(random, kTypes);
  op.forward = Chance(random, 50);
  Shape shape = RandomShape(random, max_elements);
  op.axis = static_cast<int>(Uniform(random, 0, shape.rank - 1));
  constexpr int64_t kChannels[] = {2, 3, 4, 6, 8, 12, 16, 24, 30, 60, 64, 96};
  if (Chance(random, 80)) shape.dims[op.axis] = Pick(random, kChannels);
  const int64_t extent = shape.dims[op.axis];
  do {
    op.group_size = Uniform(random, 1, std::max<int64_t>(extent, 1));
  } while (extent % op.group_size != 0);
  op.from = RandomLayout(random, type, shape, Chance(random, 10), true);
  op.to = RandomLayout(random, type, shape, Chance(random, 10), false);
  return op;
}

}  // namespace spi
