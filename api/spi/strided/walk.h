// The elements that NestsOf lists, loop by loop and without a list: for layouts whose blocks do not
// nest, or shuffle an axis across them, so that the nests would be as many as the elements.
#ifndef DNNSPEC_API_SPI_STRIDED_WALK_H_
#define DNNSPEC_API_SPI_STRIDED_WALK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "api/spi/layout.h"
#include "api/spi/strided/digits.h"
#include "api/spi/strided/nest.h"

namespace spi {

class Walk {
 public:
  // As for NestsOf; the layouts have an element.
  Walk(const Layout& src, const Layout& dst, const AxisMap& map);

  // Calls `visit` with a loop and the offsets at which it begins in the source, the destination and
  // the scales, as often as it takes to come to each element of the destination once. Allocates
  // nothing.
  using Visit = absl::FunctionRef<void(const LoopDim& loop, int64_t src_offset, int64_t dst_offset,
                                       int64_t scale_offset)>;
  void ForEachLoop(Visit visit) const;

  // "walk of 1000000x2".
  std::string ToString() const;

 private:
  // By its index in the destination. A transposed axis of the source is a matrix of `rows` x
  // `cols`, any other one of one column.
  struct Axis {
    Digits src, dst;
    int64_t scale_stride, extent, cols, rows;

    // Of an index in the source.
    int64_t SourceIndex(int64_t index) const { return index % rows * cols + index / rows; }
    // From `index` on as far as all three go on with the same strides.
    LoopDim LoopFrom(int64_t index) const;
  };

  std::vector<Axis> axes_;  // innermost last
  Dims dims_;
  int64_t src_offset_ = 0, dst_offset_ = 0;
};

}  // namespace spi

#endif  // DNNSPEC_API_SPI_STRIDED_WALK_H_
