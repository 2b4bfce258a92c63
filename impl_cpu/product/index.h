// One side of a matrix whose rows or columns are axes of a tensor: where index i lies.
//
// The axes are counted like digits, the last one fastest. Where a layout has blocks or gaps, the
// distance of two neighbours changes; a run is as far as it does not.
#ifndef DNNSPEC_IMPL_CPU_PRODUCT_INDEX_H_
#define DNNSPEC_IMPL_CPU_PRODUCT_INDEX_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "api/spi/layout.h"
#include "api/spi/strided/digits.h"

namespace impl_cpu {

class Index {
 public:
  // No axes: one index, at 0.
  Index() = default;
  // Of `axes` of `layout`, outermost first.
  Index(const spi::Layout& layout, absl::Span<const int> axes);

  int64_t size() const { return size_; }

  // Index i lies at i * stride() for all i. One index has the stride 1.
  bool strided() const { return strided_; }
  int64_t stride() const { return stride_; }

  // Where lines of so many indices have neighbours `step` elements apart, the last line perhaps not
  // whole: the elements from the first of one line to that of the next. 0 where they lie otherwise,
  // or in several axes.
  int64_t LinesApart(int64_t line, int64_t step = 1) const;

  int64_t OffsetOf(int64_t i) const { return strided_ ? i * stride_ : RunFrom(i, 1).offset; }

  // Index begin + i lies at offset + i * stride, for i < count <= limit.
  struct Run {
    int64_t offset, count, stride;
  };
  Run RunFrom(int64_t begin, int64_t limit) const;

  // Where the indices from `begin` on lie.
  void Offsets(int64_t begin, int64_t count, int64_t* offsets) const;

 private:
  struct Axis {
    int64_t extent;
    spi::Digits digits;
  };

  absl::InlinedVector<Axis, 4> axes_;  // those of more than one index
  int64_t size_ = 1, stride_ = 1;
  bool strided_ = true;
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PRODUCT_INDEX_H_
