#include "impl_vulkan/reorder/move.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "impl_vulkan/reorder/axis.h"

namespace impl_vulkan {
namespace {

bool IsOne(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits == 0x3f800000u;
}

Arithmetic ArithmeticOf(const spi::ReorderOperation& operation) {
  Arithmetic arithmetic;
  arithmetic.src_zero = operation.src_zero_point;
  arithmetic.dst_zero = operation.dst_zero_point;
  if (operation.run_time_scales || operation.scales.size() > 1) {
    arithmetic.scales = Arithmetic::Scales::kMany;
  } else if (operation.scales.size() == 1) {
    // One scale of 1 is the default attribute, and the default computes nothing.
    const bool is_default = operation.scale_mask == 0 && IsOne(operation.scales[0]);
    arithmetic.scales = is_default ? Arithmetic::Scales::kNone : Arithmetic::Scales::kOne;
    arithmetic.alpha = operation.scales[0];
  }
  // With a beta of 0 the destination is not read, but the value passes through f32 all the same
  // (REO-053, REO-060): s32 into s32 can tell.
  arithmetic.sum = operation.has_sum && operation.beta != 0;
  if (operation.has_sum && arithmetic.none()) arithmetic.scales = Arithmetic::Scales::kOne;
  arithmetic.beta = operation.beta;
  arithmetic.old_type =
      operation.sum_type == spi::DataType::kUndef ? operation.dst.type : operation.sum_type;
  return arithmetic;
}

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

absl::StatusOr<Move> MoveOf(const spi::ReorderOperation& operation) {
  const spi::Layout& source = operation.src;
  const spi::Layout& destination = operation.dst;
  Move move;
  move.from = source.type;
  move.to = destination.type;
  move.arithmetic = ArithmeticOf(operation);
  move.scale_count = operation.scale_count;
  if (spi::IsEmpty(destination)) return move;

  const bool many = move.arithmetic.scales == Arithmetic::Scales::kMany;
  std::vector<std::optional<std::vector<Part>>> axes(static_cast<size_t>(destination.rank));
  int64_t scale_stride = 1;
  for (int axis = destination.rank - 1; axis >= 0; --axis) {
    const int64_t extent = destination.dims[axis];
    const bool masked = many && (operation.scale_mask >> axis & 1);
    axes[static_cast<size_t>(axis)] =
        PartsOfAxis({{extent, 1, 1}}, source, destination, axis, masked ? scale_stride : 0);
    if (masked) scale_stride *= extent;
  }
  const absl::Status filled = Fill(axes, source, destination, &move);
  if (!filled.ok()) return filled;
  return move;
}

}  // namespace impl_vulkan
