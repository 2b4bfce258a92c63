#include "conformance/blocking/layouts.h"

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "api/convolution/operation.h"
#include "api/spi/types.h"

namespace blocking {
namespace {

using spi::Block;
using spi::Layout;
using Blocks = std::vector<Block>;

// The dims together pick one of four, so that neighbouring sizes have different ones. The last two
// split the batch, and the innermost axis, which of a matrix are the channels once more.
Blocks BlocksOfData(const Layout& open) {
  uint64_t sum = 0;
  for (int j = 0; j < open.rank; ++j) sum += static_cast<uint64_t>(open.dims[j]);
  switch (sum % 4) {
    case 0:
      return {{1, 16}};
    case 1:
      return {{1, 8}};
    case 2:
      return {{0, 2}, {1, 4}};
    default:
      return {{1, 4}, {open.rank - 1, 4}};
  }
}

// A group of one by one has nothing to block but its number.
Blocks BlocksOfWeights(const Layout& open, bool grouped, spi::PropKind prop) {
  const int o = grouped ? 1 : 0, i = o + 1;
  if (grouped && open.dims[o] == 1 && open.dims[i] == 1) return {{0, 8}};
  if (prop == spi::PropKind::kBackwardData) return {{o, 8}, {i, 8}};
  if (prop == spi::PropKind::kBackwardWeights) return {{o, 16}};
  return {{i, 4}, {o, 16}, {i, 2}};
}

// Whether all that the blocks hold has a size in bytes.
bool Fits(const Layout& open, const Blocks& blocks) {
  uint64_t left = uint64_t{1} << 60;
  for (int j = 0; j < open.rank; ++j) {
    uint64_t block = 1;
    for (const Block& b : blocks) block *= b.axis == j ? static_cast<uint64_t>(b.size) : 1;
    const uint64_t dim = static_cast<uint64_t>(open.dims[j]), whole = dim / block + 1;
    if (dim > 0) left /= block == 1 ? dim : whole * block;
  }
  return left > 0;
}

Layout Stored(const Layout& open, const Blocks& blocks) {
  const absl::Span<const int64_t> dims(open.dims.data(), open.rank);
  return Fits(open, blocks) ? spi::Strided(open.type, dims, blocks) : spi::Strided(open.type, dims);
}

Layout Chosen(const spi::Operation& operation, const spi::TensorArg& tensor) {
  const Layout& open = tensor.layout;
  switch (tensor.argument) {
    case spi::kArgSrc:
    case spi::kArgDst:
    case spi::kArgDiffSrc:
    case spi::kArgDiffDst:
      return Stored(open, BlocksOfData(open));
    case spi::kArgWeights:
    case spi::kArgDiffWeights: {
      const bool grouped = operation.kind == spi::PrimitiveKind::kConvolution &&
                           spi::ConvolutionView(operation).grouped;
      return Stored(open, BlocksOfWeights(open, grouped, operation.prop));
    }
    default:
      return Stored(open, {});
  }
}

}  // namespace

std::vector<Layout> ChooseLayouts(const spi::Operation& operation) {
  std::vector<Layout> chosen;
  if (operation.kind != spi::PrimitiveKind::kInnerProduct &&
      operation.kind != spi::PrimitiveKind::kConvolution)
    return chosen;
  for (const spi::TensorArg& tensor : operation.tensors)
    if (tensor.layout.kind == spi::LayoutKind::kAny) chosen.push_back(Chosen(operation, tensor));
  return chosen;
}

}  // namespace blocking
