// A product in pieces that bindings and 32-bit offsets can span.
#ifndef DNNSPEC_IMPL_VULKAN_PRODUCT_PIECES_H_
#define DNNSPEC_IMPL_VULKAN_PRODUCT_PIECES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "impl_vulkan/product/product.h"
#include "impl_vulkan/strided/plan.h"

namespace impl_vulkan {

// Keeps indices of tiles, and of the elements in them, below 2^31.
constexpr int64_t kMostElements = int64_t{1} << 29;

// What a binding may span. It starts up to `alignment` - 1 bytes early and ends on a whole word.
int64_t RoomOf(const Limits& limits);

// Whether so many sums of so many terms are little enough for one dispatch. Few sums are: they are
// cut into parts that run side by side.
bool FitsTerms(int64_t sums, int64_t terms, const Limits& limits);

// Limits::terms, or more where pieces of so few would be too many.
int64_t MostTerms(int64_t sums, int64_t terms, const Limits& limits);

// Cuts what does not fit in two until everything does, and keeps the order. `fits` is asked first
// and may complete a piece; `halve` gives the two halves, or nothing where there is nothing to cut.
// nullopt then, or where there are too many: a piece is a dispatch.
constexpr size_t kMostPieces = 1 << 12;
template <class AnyPiece, class Fits, class Halve>
std::optional<std::vector<AnyPiece>> Halved(AnyPiece whole, const Fits& fits, const Halve& halve) {
  std::vector<AnyPiece> pieces, left;
  left.push_back(std::move(whole));
  while (!left.empty()) {
    AnyPiece piece = std::move(left.back());
    left.pop_back();
    if (fits(&piece)) {
      pieces.push_back(std::move(piece));
      continue;
    }
    if (pieces.size() + left.size() > kMostPieces) return std::nullopt;
    std::optional<std::pair<AnyPiece, AnyPiece>> halves = halve(piece);
    if (!halves) return std::nullopt;
    left.push_back(std::move(halves->second));
    left.push_back(std::move(halves->first));
  }
  return pieces;
}

// Why there are no pieces.
absl::Status TooManyPieces(const char* primitive, const Limits& limits, const spi::Layout& a,
                           const spi::Layout& b, const spi::Layout& c);

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
