#include "impl_vulkan/reorder/move.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <tuple>

namespace impl_vulkan {
namespace {

bool IsOne(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits == 0x3f800000u;
}

Arithmetic ArithmeticOf(const spi::ReorderOperation& operation) {
  Arithmetic arithmetic;
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

// Blocks of one axis of a layout.
class AxisBlocks {
 public:
  AxisBlocks(const spi::Layout& layout, int axis) : outer_stride_(layout.strides[axis]) {
    int64_t stride = 1;
    for (int i = layout.block_count - 1; i >= 0; --i) {
      const spi::Block& block = layout.blocks[i];
      if (block.dim == axis) {
        inner_.push_back({block.size, stride});
        period_ *= block.size;
      }
      stride *= block.size;
    }
  }

  // Positions after which the pattern of offsets repeats.
  int64_t period() const { return period_; }

  int64_t OffsetOf(int64_t position) const {
    int64_t offset = 0;
    for (const auto& [size, stride] : inner_) {
      offset += position % size * stride;
      position /= size;
    }
    return offset + position * outer_stride_;
  }

 private:
  const int64_t outer_stride_;
  std::vector<std::pair<int64_t, int64_t>> inner_;  // size and stride, innermost first
  int64_t period_ = 1;
};

bool SameNodes(const Part& a, const Part& b) {
  return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(),
                    [](const Node& x, const Node& y) {
                      return std::tie(x.extent, x.source, x.destination, x.scale) ==
                             std::tie(y.extent, y.source, y.destination, y.scale);
                    });
}

Node Step(const Part& from, const Part& to) {
  return {1, to.source - from.source, to.destination - from.destination, to.scale - from.scale};
}

bool SameStep(const Node& a, const Node& b) {
  return std::tie(a.source, a.destination, a.scale) == std::tie(b.source, b.destination, b.scale);
}

// A loop starts at its lowest place on both sides.
bool IsUpward(const Node& step) {
  return step.source >= 0 && step.destination >= 0 && step.scale >= 0;
}

// One pass of joining neighbours of equal shape and equal distance into a loop over them.
std::vector<Part> JoinOnce(const std::vector<Part>& parts) {
  std::vector<Part> joined;
  for (size_t i = 0; i < parts.size();) {
    size_t end = i + 1;
    Node step;
    if (end < parts.size() && SameNodes(parts[i], parts[end]) &&
        IsUpward(Step(parts[i], parts[end]))) {
      step = Step(parts[i], parts[end]);
      for (++end; end < parts.size() && SameNodes(parts[i], parts[end]) &&
                  SameStep(step, Step(parts[end - 1], parts[end]));
           ++end) {
      }
    }
    joined.push_back(parts[i]);
    if (end - i > 1) {
      step.extent = static_cast<int64_t>(end - i);
      joined.back().nodes.insert(joined.back().nodes.begin(), step);
    }
    i = end;
  }
  return joined;
}

std::vector<Part> Join(std::vector<Part> parts) {
  for (;;) {
    std::vector<Part> joined = JoinOnce(parts);
    if (joined.size() == parts.size()) return joined;
    parts = std::move(joined);
  }
}

}  // namespace

std::vector<Part> PartsOfAxis(const std::vector<AxisLoop>& loops, const spi::Layout& source,
                              const spi::Layout& destination, int axis, int64_t scale_stride) {
  const AxisBlocks from(source, axis), to(destination, axis);
  if (from.period() == 1 && to.period() == 1) {
    Part part;
    for (const AxisLoop& loop : loops) {
      part.nodes.push_back({loop.extent, loop.source * source.strides[axis],
                            loop.destination * destination.strides[axis],
                            loop.destination * scale_stride});
    }
    return {part};
  }

  // The last loop repeats itself after `period` steps; all others are written out.
  const AxisLoop& last = loops.back();
  const int64_t period = std::lcm(from.period() / std::gcd(from.period(), last.source),
                                  to.period() / std::gcd(to.period(), last.destination));
  int64_t outer = 1;
  for (size_t i = 0; i + 1 < loops.size(); ++i) outer *= loops[i].extent;

  std::vector<Part> parts;
  for (int64_t k = 0; k < outer; ++k) {
    int64_t source_start = 0, destination_start = 0, rest = k;
    for (size_t i = loops.size() - 1; i-- > 0;) {
      const int64_t index = rest % loops[i].extent;
      rest /= loops[i].extent;
      source_start += index * loops[i].source;
      destination_start += index * loops[i].destination;
    }
    const auto point = [&](int64_t step) {
      const int64_t position = destination_start + step * last.destination;
      Part part;
      part.source = from.OffsetOf(source_start + step * last.source);
      part.destination = to.OffsetOf(position);
      part.scale = position * scale_stride;
      return part;
    };
    const int64_t repeats = last.extent / period;
    const int64_t repeated = repeats > 1 ? repeats * period : 0;
    if (repeated != 0) {
      std::vector<Part> points;
      for (int64_t step = 0; step < period; ++step) points.push_back(point(step));
      Node repeat = Step(point(0), point(period));
      repeat.extent = repeats;
      for (Part& part : points) part.nodes.push_back(repeat);
      for (Part& part : Join(std::move(points))) parts.push_back(std::move(part));
    }
    std::vector<Part> tail;
    for (int64_t step = repeated; step < last.extent; ++step) tail.push_back(point(step));
    for (Part& part : Join(std::move(tail))) parts.push_back(std::move(part));
  }
  return Join(std::move(parts));
}

std::vector<Part> Combine(const std::vector<std::vector<Part>>& axes, const spi::Layout& source,
                          const spi::Layout& destination) {
  Part start;
  start.source = source.offset;
  start.destination = destination.offset;
  std::vector<Part> combined = {start};
  for (const std::vector<Part>& axis : axes) {
    std::vector<Part> next;
    next.reserve(combined.size() * axis.size());
    for (const Part& base : combined) {
      for (const Part& part : axis) {
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
  if (spi::IsEmpty(layout)) return false;
  const uint64_t most = bytes / static_cast<uint64_t>(spi::SizeOf(layout.type));
  spi::Dims blocks;
  blocks.fill(1);
  uint64_t block = 1;
  for (int i = 0; i < layout.block_count; ++i) {
    blocks[layout.blocks[i].dim] *= layout.blocks[i].size;
    block *= static_cast<uint64_t>(layout.blocks[i].size);
  }
  uint64_t end = static_cast<uint64_t>(layout.offset) + block;
  for (int axis = 0; axis < layout.rank && end <= most; ++axis) {
    const auto steps = static_cast<uint64_t>((layout.dims[axis] - 1) / blocks[axis]);
    const auto stride = static_cast<uint64_t>(layout.strides[axis]);
    // Descriptors near 2^64 bytes are legal.
    if (stride != 0 && steps > (most - end) / stride) return true;
    end += steps * stride;
  }
  return end > most;
}

Move MoveOf(const spi::ReorderOperation& operation) {
  const spi::Layout& source = operation.src;
  const spi::Layout& destination = operation.dst;
  Move move;
  move.from = source.type;
  move.to = destination.type;
  move.arithmetic = ArithmeticOf(operation);
  move.scale_count = operation.scale_count;
  if (spi::IsEmpty(destination)) return move;

  const bool many = move.arithmetic.scales == Arithmetic::Scales::kMany;
  std::vector<std::vector<Part>> axes(static_cast<size_t>(destination.rank));
  int64_t scale_stride = 1;
  for (int axis = destination.rank - 1; axis >= 0; --axis) {
    const int64_t extent = destination.dims[axis];
    const bool masked = many && (operation.scale_mask >> axis & 1);
    axes[static_cast<size_t>(axis)] =
        PartsOfAxis({{extent, 1, 1}}, source, destination, axis, masked ? scale_stride : 0);
    if (masked) scale_stride *= extent;
  }
  move.parts = Combine(axes, source, destination);
  return move;
}

}  // namespace impl_vulkan
