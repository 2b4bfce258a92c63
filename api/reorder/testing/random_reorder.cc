#include "api/reorder/testing/random_reorder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "api/spi/attributes.h"
#include "api/spi/layout.h"

namespace spi {
namespace {

bool Repeats(const Layout& layout) {
  const auto end = layout.strides.begin() + layout.rank;
  return std::find(layout.strides.begin(), end, 0) != end;
}

int64_t MaskedCount(const ReorderOperation& op) {
  int64_t count = 1;
  for (int j = 0; j < op.dst.rank; ++j)
    if (op.scale_mask >> j & 1) count *= op.dst.dims[j];
  return count;
}

}  // namespace

ReorderOperation RandomReorder(Random& random, DataType src, DataType dst, int64_t max_elements) {
  ReorderOperation op;
  const Shape shape = RandomShape(random, max_elements);
  op.src = RandomLayout(random, src, shape, Chance(random, 15), true);
  op.dst = RandomLayout(random, dst, shape, Chance(random, 15), false);
  if (Chance(random, 15) && !Repeats(op.src)) {  // the same order on both sides
    op.dst = op.src;
    op.dst.type = dst;
  }
  if (Chance(random, 45)) {
    op.scale_mask = Chance(random, 40)
                        ? 0
                        : static_cast<int>(Uniform(random, 0, (int64_t{1} << shape.rank) - 1));
    op.scale_count = MaskedCount(op);
    op.run_time_scales = Chance(random, 30);
    if (!op.run_time_scales) {
      op.scales.resize(static_cast<size_t>(op.scale_count));
      for (float& scale : op.scales) scale = RandomScale(random);
    }
  }
  if (Chance(random, 30)) {
    op.has_sum = true;
    op.beta = RandomScale(random);
    if (std::isinf(op.beta)) op.beta = 0;
    if (Chance(random, 30)) {
      do {
        op.sum_type = Pick(random, kTypes);
      } while (SizeOf(op.sum_type) != SizeOf(dst));
    }
  }
  for (ZeroPoint* zero : {&op.src_zero_point, &op.dst_zero_point}) {
    if (!Chance(random, 20)) continue;
    constexpr int32_t kValues[] = {0,   1,   -1,   5,        127,       128,
                                   255, 300, -128, 16777217, INT32_MIN, INT32_MAX};
    zero->value = Pick(random, kValues);
    zero->run_time = Chance(random, 40);
  }
  return op;
}

}  // namespace spi
