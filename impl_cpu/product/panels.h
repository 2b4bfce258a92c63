// Panels: 16 columns of a matrix side by side for each k, which is how tiles read b.
#ifndef DNNSPEC_IMPL_CPU_PRODUCT_PANELS_H_
#define DNNSPEC_IMPL_CPU_PRODUCT_PANELS_H_

#include "absl/types/span.h"
#include "api/spi/layout.h"

namespace impl_cpu {

// Of a matrix whose rows, k, and columns are these axes of `layout`, outermost first: where columns
// lie in blocks of 16, the last of which is whole in memory, and the k of a block without a gap,
// how many k of a column lie side by side. Otherwise 0. With `padded`, a single axis of rows may
// end within such a block.
int PanelDepth(const spi::Layout& layout, absl::Span<const int> rows, absl::Span<const int> cols,
               bool padded = false);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PRODUCT_PANELS_H_
