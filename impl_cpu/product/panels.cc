#include "impl_cpu/product/panels.h"

#include <cstddef>
#include <cstdint>

#include "impl_cpu/product/rounding.h"

namespace impl_cpu {

int PanelDepth(const spi::Layout& layout, absl::Span<const int> rows, absl::Span<const int> cols,
               bool padded) {
  if (layout.block_count < 1 || layout.block_count > 2) return 0;
  const int last_col = cols.back(), last_row = rows.back();
  if (!(layout.blocks[0] == spi::Block{last_col, 16})) return 0;
  const auto dim = [&layout](int axis) { return layout.dims[static_cast<size_t>(axis)]; };
  // Blocks end where axes do, unless there is but one axis.
  for (const int axis : cols)
    if (axis != last_col && dim(axis) > 1 && dim(last_col) % 16 != 0) return 0;
  int64_t depth = 1;
  if (layout.block_count == 2) {
    depth = layout.blocks[1].size;
    const bool whole = dim(last_row) % depth == 0;
    if (layout.blocks[1].axis != last_row || !(whole || (padded && rows.size() == 1))) return 0;
  }
  int64_t stride = 16 * depth;
  for (size_t j = rows.size(); j-- > 0;) {
    const int64_t steps = rows[j] == last_row ? CeilDiv(dim(last_row), depth) : dim(rows[j]);
    if (steps > 1 && layout.strides[static_cast<size_t>(rows[j])] != stride) return 0;
    stride *= steps;
  }
  return static_cast<int>(depth);
}

}  // namespace impl_cpu
