#include "impl_vulkan/product/pieces.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "impl_vulkan/product/tile.h"

namespace impl_vulkan {
namespace {

int64_t StrideOfBlock(const spi::Layout& layout, int block) {
  int64_t stride = 1;
  for (int k = block + 1; k < layout.block_count; ++k) {
    stride *= layout.blocks[static_cast<size_t>(k)].size;
  }
  return stride;
}

// The extent of an index in a product; operands that do not have it know nothing of it.
int64_t ExtentOf(const Piece& piece, Index index) {
  return impl_vulkan::ExtentOf(piece.operands[index == kK ? kA : kC], index);
}

bool Fits(const Piece& piece, int which, const Limits& limits) {
  const Operand& operand = piece.operands[static_cast<size_t>(which)];
  // Of whole sums nothing is kept.
  if (!operand.present() || (which == kPartial && piece.begins && piece.ends)) return true;
  return SpanOf(operand.layout) <= RoomOf(limits) / spi::SizeOf(operand.layout.type);
}

bool Fits(const Piece& piece, const Limits& limits) {
  for (int which = 0; which < kOperands; ++which) {
    if (!Fits(piece, which, limits)) return false;
  }
  const int64_t m = ExtentOf(piece, kM), n = ExtentOf(piece, kN), k = ExtentOf(piece, kK);
  return n <= RoomOf(limits) / int64_t{sizeof(float)} && m <= kMostElements / n &&
         k <= limits.rounds / 2 && FitsTerms(m * n, k, limits);
}

// One axis of an index that may be cut.
struct Cut {
  Index index = kM;
  size_t axis = 0;  // among those of the index
  int64_t extent = 0;
  int64_t grain = 1;  // of which the place of the cut is a multiple
  // Bytes from the first to the last, where that is most among the operands that do not fit.
  int64_t reach = 0;
};

// What is cut best: nothing, with an extent of 0, where blocks are all there is.
Cut BestCut(const Piece& piece, const Limits& limits) {
  Cut best;
  const int64_t m = ExtentOf(piece, kM), n = ExtentOf(piece, kN), k = ExtentOf(piece, kK);
  const bool too_many = !FitsTerms(m * n, k, limits);
  for (const Index index : {kM, kN, kK}) {
    // Sums stay whole where there are others to leave out.
    if (too_many && index == kK && best.extent > 0) continue;
    for (size_t i = 0; i < piece.operands[index == kK ? kA : kC].axes[index].size(); ++i) {
      Cut cut{index, i, 0, 1, 0};
      for (int which = 0; which < kOperands; ++which) {
        const Operand& operand = piece.operands[static_cast<size_t>(which)];
        if (!operand.present() || operand.axes[index].empty()) continue;
        const spi::Layout& layout = operand.layout;
        const int axis = operand.axes[index][i];
        cut.extent = layout.dims[static_cast<size_t>(axis)];
        cut.grain = std::lcm(cut.grain, spi::BlockAlong(layout, axis));
        if (Fits(piece, which, limits)) continue;
        cut.reach = std::max(cut.reach, (spi::StepsAlong(layout, axis) - 1) *
                                            layout.strides[static_cast<size_t>(axis)] *
                                            spi::SizeOf(layout.type));
      }
      if (cut.extent > cut.grain &&
          std::tie(cut.reach, cut.extent) > std::tie(best.reach, best.extent)) {
        best = cut;
      }
    }
  }
  return best;
}

// The coordinates [first, first + extent) of one axis.
Piece Slice(const Piece& piece, const Cut& cut, int64_t first, int64_t extent) {
  Piece slice = piece;
  for (Operand& operand : slice.operands) {
    if (!operand.present() || operand.axes[cut.index].empty()) continue;
    spi::Layout& layout = operand.layout;
    const auto axis = static_cast<size_t>(operand.axes[cut.index][cut.axis]);
    layout.dims[axis] = extent;
    layout.offset += first / spi::BlockAlong(layout, static_cast<int>(axis)) * layout.strides[axis];
  }
  if (cut.index == kN) slice.channel += first;
  return slice;
}

using Halves = std::optional<std::pair<Piece, Piece>>;

Halves Halve(const Piece& piece, const Limits& limits) {
  const Cut cut = BestCut(piece, limits);
  if (cut.extent == 0) return std::nullopt;
  const int64_t half = (cut.extent / 2 + cut.grain - 1) / cut.grain * cut.grain;
  Piece first = Slice(piece, cut, 0, half);
  Piece second = Slice(piece, cut, half, cut.extent - half);
  if (cut.index == kK) first.ends = second.begins = false;
  return std::make_pair(std::move(first), std::move(second));
}

}  // namespace

int64_t RoomOf(const Limits& limits) {
  return static_cast<int64_t>(limits.window_bytes - limits.alignment - 4);
}

bool FitsTerms(int64_t sums, int64_t terms, const Limits& limits) {
  return sums <= kBusyInvocations || terms <= limits.terms / sums;
}

int64_t MostTerms(int64_t sums, int64_t terms, const Limits& limits) {
  const double all = static_cast<double>(sums) * static_cast<double>(terms);
  const double least = all / (kMostPieces / 4);
  return least < static_cast<double>(limits.terms) ? limits.terms : static_cast<int64_t>(least);
}

absl::Status TooManyPieces(const char* primitive, const Limits& limits, const spi::Layout& a,
                           const spi::Layout& b, const spi::Layout& c) {
  return absl::UnimplementedError(absl::StrCat(
      "vulkan: ", primitive, ": no ", kMostPieces, " bindings of ", limits.window_bytes,
      " bytes span ", spi::ToString(a), ", ", spi::ToString(b), " and ", spi::ToString(c)));
}

int64_t ExtentOf(const Operand& operand, Index index) {
  int64_t extent = 1;
  for (const int axis : operand.axes[index]) {
    extent *= operand.layout.dims[static_cast<size_t>(axis)];
  }
  return extent;
}

int64_t SpanOf(const spi::Layout& layout) {
  int64_t span = 1;
  for (int axis = 0; axis < layout.rank; ++axis) {
    const int64_t steps = spi::StepsAlong(layout, axis);
    if (steps == 0) return 0;
    span += (steps - 1) * layout.strides[static_cast<size_t>(axis)];
  }
  for (int k = 0; k < layout.block_count; ++k) {
    span += (layout.blocks[static_cast<size_t>(k)].size - 1) * StrideOfBlock(layout, k);
  }
  return span;
}

absl::StatusOr<std::vector<Piece>> CutProduct(const Product& product, const Limits& limits) {
  Piece whole;
  whole.operands = product.operands;
  Limits own = limits;
  own.terms = MostTerms(ExtentOf(whole, kM) * ExtentOf(whole, kN), ExtentOf(whole, kK), limits);
  std::optional<std::vector<Piece>> pieces = Halved(
      std::move(whole), [&](const Piece* piece) { return Fits(*piece, own); },
      [&](const Piece& piece) { return Halve(piece, own); });
  if (pieces) return *std::move(pieces);
  return TooManyPieces(product.primitive, limits, product.operands[kA].layout,
                       product.operands[kB].layout, product.operands[kC].layout);
}

Chain AddChain(const spi::Layout& layout, absl::Span<const int> axes, Link* table,
               uint32_t* links) {
  Chain entry;
  entry.first = *links;
  const auto add = [&](int64_t extent, int64_t stride, int64_t divisor) {
    table[(*links)++] = {static_cast<uint32_t>(extent), static_cast<uint32_t>(stride),
                         DivisorOf(static_cast<uint32_t>(divisor))};
  };
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    const int64_t extent = layout.dims[static_cast<size_t>(*axis)];
    if (extent == 1) continue;
    const uint32_t first = *links;
    // From the innermost block on: its size, and the distance of neighbours in it.
    int64_t size = 1, stride = 0, block = 1;
    for (int k = layout.block_count; k-- > -1;) {
      const bool whole = k < 0;  // steps from block to block
      if (!whole && layout.blocks[static_cast<size_t>(k)].axis != *axis) continue;
      const int64_t next =
          whole ? layout.strides[static_cast<size_t>(*axis)] : StrideOfBlock(layout, k);
      if (*links == first) {
        add(extent, next, extent);
      } else if (block < extent && next != size * stride) {
        add(0, next - size * stride, block);
      }
      stride = next;
      size = whole ? 1 : layout.blocks[static_cast<size_t>(k)].size;
      block *= size;
    }
    // An axis that goes on where the one before ends is one with it.
    if (first == entry.first || *links != first + 1) continue;
    Link &before = table[first - 1], &last = table[first];
    if (before.extent == 0 || uint64_t{before.extent} * before.stride != last.stride) continue;
    before.extent *= last.extent;
    before.divisor = DivisorOf(before.extent);
    last = {};
    --*links;
  }
  if (*links == entry.first) add(1, 0, 1);
  entry.links = *links - entry.first;
  return entry;
}

}  // namespace impl_vulkan
