#include "impl_vulkan/strided/move.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "impl_vulkan/strided/axis.h"

namespace impl_vulkan {
namespace {

// Every combination of one part of each axis, starting from the layouts' offsets; normalised.
std::vector<Part> Combine(const std::vector<const std::vector<Part>*>& axes,
                          const spi::Layout& source, const spi::Layout& destination) {
  Part start;
  start.source = source.offset;
  start.destination = destination.offset;
  std::vector<Part> combined = {start};
  for (const std::vector<Part>* axis : axes) {
    std::vector<Part> next;
    next.reserve(combined.size() * axis->size());
    for (const Part& base : combined) {
      for (const Part& part : *axis) {
        Part sum = base;
        sum.source += part.source;
        sum.destination += part.destination;
        sum.scale += part.scale;
        sum.nodes.insert(sum.nodes.end(), part.nodes.begin(), part.nodes.end());
        next.push_back(std::move(sum));
      }
    }
    combined = std::move(next);
  }
  for (Part& part : combined) Normalise(&part);
  return combined;
}

// Axis by axis what lies beyond its elements, over the elements of the axes before it and all that
// the axes after it hold.
std::vector<Part> PaddingOf(const spi::Layout& destination) {
  std::vector<Part> padding;
  const auto rank = static_cast<size_t>(destination.rank);
  for (size_t beyond = 0; beyond < rank; ++beyond) {
    const auto padded = [&](size_t axis) {
      return spi::PaddedDim(destination, static_cast<int>(axis));
    };
    if (padded(beyond) == destination.dims[beyond]) continue;
    std::vector<std::vector<Part>> ranges;
    for (size_t axis = 0; axis < rank; ++axis) {
      const int64_t begin = axis == beyond ? destination.dims[axis] : 0;
      const int64_t end = axis < beyond ? destination.dims[axis] : padded(axis);
      ranges.push_back(PartsOfRange(destination, static_cast<int>(axis), begin, end));
    }
    std::vector<const std::vector<Part>*> axes;
    for (const std::vector<Part>& range : ranges) axes.push_back(&range);
    for (Part& part : Combine(axes, spi::Layout(), destination)) padding.push_back(std::move(part));
  }
  return padding;
}

}  // namespace

absl::Status Fill(const std::vector<std::optional<std::vector<Part>>>& axes,
                  const spi::Layout& source, const spi::Layout& destination, Move* move) {
  size_t count = 1;
  std::vector<const std::vector<Part>*> parts;
  const auto too_many = [&] {
    return absl::UnimplementedError(absl::StrCat(
        "vulkan: the blocks of ", spi::ToString(source), " and ", spi::ToString(destination),
        " make more than ", kMostParts, " pieces with steps of their own"));
  };
  for (const std::optional<std::vector<Part>>& axis : axes) {
    if (!axis || axis->size() > kMostParts / count) return too_many();
    count *= axis->size();
    parts.push_back(&*axis);
  }
  move->parts = Combine(parts, source, destination);
  move->padding = PaddingOf(destination);
  return move->padding.size() > kMostParts ? too_many() : absl::OkStatus();
}

void Normalise(Part* part) {
  std::vector<Node>& nodes = part->nodes;
  nodes.erase(
      std::remove_if(nodes.begin(), nodes.end(), [](const Node& node) { return node.extent == 1; }),
      nodes.end());
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const Node& a, const Node& b) { return a.destination > b.destination; });
  std::vector<Node> joined;
  for (const Node& inner : nodes) {
    if (!joined.empty()) {
      Node& outer = joined.back();
      if (outer.source == inner.source * inner.extent &&
          outer.destination == inner.destination * inner.extent &&
          outer.scale == inner.scale * inner.extent) {
        outer = {outer.extent * inner.extent, inner.source, inner.destination, inner.scale};
        continue;
      }
    }
    joined.push_back(inner);
  }
  nodes = std::move(joined);
}

bool EndsBeyond(const spi::Layout& layout, uint64_t bytes) {
  int64_t end = 0;
  return !spi::SizeInBytes(layout, &end) || static_cast<uint64_t>(end) > bytes;
}

}  // namespace impl_vulkan
