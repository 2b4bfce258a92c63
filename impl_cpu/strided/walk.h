// Two tensors side by side, element by element, without a list of parts: where an axis has blocks
// that do not nest, the parts may be as many as its elements.
#ifndef DNNSPEC_IMPL_CPU_STRIDED_WALK_H_
#define DNNSPEC_IMPL_CPU_STRIDED_WALK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "api/spi/types.h"
#include "impl_cpu/strided/digits.h"
#include "impl_cpu/strided/problem.h"

namespace impl_cpu {

class Walk {
 public:
  explicit Walk(const Mapping& mapping);

  // Calls `visit` with a loop and the offsets at which it begins in the source, the destination and
  // the scales, as often as it takes to come to each element of the destination once. Allocates
  // nothing.
  using Visit = absl::FunctionRef<void(const Node& loop, int64_t src, int64_t dst, int64_t scale)>;
  void ForEachLoop(Visit visit) const;

  // "walk of 1000000x2".
  std::string ToString() const;

 private:
  // By its index in the destination. A transposed axis of the source is a matrix of `rows` x
  // `cols`, any other one of one column.
  struct Axis {
    Digits src, dst;
    int64_t scale, extent, cols, rows;

    // Of an index in the source.
    int64_t SourceIndex(int64_t index) const { return index % rows * cols + index / rows; }
    // From `index` on as far as all three go on with the same steps.
    Node LoopFrom(int64_t index) const;
  };

  std::vector<Axis> axes_;  // innermost last
  spi::Dims dims_;
  int64_t src_ = 0, dst_ = 0;
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_STRIDED_WALK_H_
