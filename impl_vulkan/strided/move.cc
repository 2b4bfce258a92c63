#include "impl_vulkan/strided/move.h"

#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>

#include "absl/strings/str_cat.h"

namespace impl_vulkan {

bool Function::piece() const {
  using spi::Algorithm;
  switch (algorithm) {
    case Algorithm::kEltwiseRelu:
    case Algorithm::kEltwiseLinear:
    case Algorithm::kEltwiseSquare:
    case Algorithm::kEltwiseAbs:
    case Algorithm::kEltwiseBoundedRelu:
    case Algorithm::kEltwiseClip:
    case Algorithm::kEltwiseClipV2:
    case Algorithm::kEltwiseRound:
      return true;
    default:
      return false;
  }
}
namespace {

// A nest is a dispatch or more, and this bounds the host's time and memory for them. Where the
// blocks of the two sides do not nest, there are some three for each block of the larger size: so
// many need tens of millions of elements in blocks that no program has.
constexpr int64_t kMostNests = int64_t{1} << 14;

// Loops beyond those that a shader has are cut where the boxes are made.
constexpr spi::Limits kLimits = {kMostNests, std::numeric_limits<int>::max(), int64_t{1} << 17};

}  // namespace

absl::Status AddNests(const spi::Layout& src, const spi::Layout& dst, const spi::AxisMap& map,
                      Move* move) {
  std::optional<spi::LoopNests> nests = spi::NestsOf(src, dst, map, kLimits);
  if (nests) move->padding = spi::PaddingOf(dst);
  if (!nests || move->padding.size() > static_cast<size_t>(kMostNests))
    return absl::UnimplementedError(absl::StrCat("vulkan: the blocks of ", spi::ToString(src),
                                                 " and ", spi::ToString(dst), " make more than ",
                                                 kMostNests, " pieces with steps of their own"));
  move->nests.assign(std::make_move_iterator(nests->begin()),
                     std::make_move_iterator(nests->end()));
  return absl::OkStatus();
}

bool EndsBeyond(const spi::Layout& layout, uint64_t bytes) {
  int64_t end = 0;
  return !spi::SizeInBytes(layout, &end) || static_cast<uint64_t>(end) > bytes;
}

}  // namespace impl_vulkan
