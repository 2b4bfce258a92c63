// A product in pieces that bindings and 32-bit offsets can span.
#ifndef DNNSPEC_IMPL_VULKAN_INNER_PRODUCT_PIECES_H_
#define DNNSPEC_IMPL_VULKAN_INNER_PRODUCT_PIECES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "impl_vulkan/inner_product/product.h"
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

// The links that turn an index of `operand` into a distance, appended to those of `parameters`.
void AddChain(const Operand& operand, Index index, ChainOf chain, ProductParameters* parameters,
              uint32_t* links);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_INNER_PRODUCT_PIECES_H_
