// A product in pieces that bindings and 32-bit offsets can span.
#ifndef DNNSPEC_IMPL_VULKAN_PRODUCT_PIECES_H_
#define DNNSPEC_IMPL_VULKAN_PRODUCT_PIECES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "impl_vulkan/product/product.h"
#include "impl_vulkan/strided/plan.h"

namespace impl_vulkan {

struct Piece {
  std::array<Operand, kOperands> operands;
  int64_t channel = 0;              // the first one, of the table of scales
  bool begins = true, ends = true;  // its sums; between the two they are partial
};

// Pieces that together are `product`: those of one sum in the order in which they go on.
absl::StatusOr<std::vector<Piece>> CutProduct(const Product& product, const Limits& limits);

// The number of combinations of the axes that make up `index` of an operand.
int64_t ExtentOf(const Operand& operand, Index index);

// Elements from the first of a layout to its last, padding of blocks included.
int64_t SpanOf(const spi::Layout& layout);

// The chain that turns an index made up of `axes` into a distance. Its links go into `table`, which
// has `*links` of them.
Chain AddChain(const spi::Layout& layout, absl::Span<const int> axes, Link* table, uint32_t* links);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_PRODUCT_PIECES_H_
