#include "impl_cpu/strided/problem.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "api/spi/types.h"
#include "impl_cpu/strided/digits.h"
#include "impl_cpu/strided/walk.h"

namespace impl_cpu {
namespace {

using spi::Layout;

// The periods of both sides, rising, without 1; empty if the blocks do not nest.
bool MergePeriods(const Digits& src, const Digits& dst, absl::InlinedVector<int64_t, 4>& periods) {
  for (const Digits* side : {&src, &dst})
    for (const Digit& digit : *side) periods.push_back(digit.period);
  std::sort(periods.begin(), periods.end());
  periods.erase(std::unique(periods.begin(), periods.end()), periods.end());
  for (size_t k = 1; k < periods.size(); ++k)
    if (periods[k] % periods[k - 1] != 0) return false;
  return true;
}

// A sequence of positions as few arithmetic progressions, each a piece.
class Progressions {
 public:
  void Add(int64_t src, int64_t dst, int64_t scale) {
    if (!pieces_.empty()) {
      AxisPiece& last = pieces_.back();
      if (last.nodes.empty()) {
        last.nodes.push_back({2, src - last.src, dst - last.dst, scale - last.scale});
        return;
      }
      Node& node = last.nodes[0];
      if (src == last.src + node.extent * node.src && dst == last.dst + node.extent * node.dst &&
          scale == last.scale + node.extent * node.scale) {
        ++node.extent;
        return;
      }
    }
    pieces_.push_back({{}, src, dst, scale});
  }

  AxisPieces Take() { return std::move(pieces_); }

 private:
  AxisPieces pieces_;
};

// Sorts by falling destination stride, drops loops of one step, and joins an outer loop with the
// next inner one where it goes on at the step the inner one would have reached.
void SortAndFuse(Nodes& nodes) {
  nodes.erase(
      std::remove_if(nodes.begin(), nodes.end(), [](const Node& n) { return n.extent == 1; }),
      nodes.end());
  // Few nodes, often in order already. Stable, so equal strides keep the logical order.
  for (size_t i = 1; i < nodes.size(); ++i)
    for (size_t j = i; j > 0 && nodes[j - 1].dst < nodes[j].dst; --j)
      std::swap(nodes[j - 1], nodes[j]);
  if (nodes.empty()) return;
  size_t kept = 0;
  for (size_t i = 1; i < nodes.size(); ++i) {
    Node& outer = nodes[kept];
    const Node& inner = nodes[i];
    if (outer.src == inner.extent * inner.src && outer.dst == inner.extent * inner.dst &&
        outer.scale == inner.extent * inner.scale) {
      outer = {outer.extent * inner.extent, inner.src, inner.dst, inner.scale};
    } else {
      nodes[++kept] = inner;
    }
  }
  nodes.resize(kept + 1);
}

// Indices [begin, end) of an axis whose digits have these periods, as few loops: up to whole steps
// of the next period, then whole steps of the one after, and down again the same way.
AxisPieces WalkRange(const Digits& src, const Digits& dst,
                     const absl::InlinedVector<int64_t, 4>& periods, int64_t begin, int64_t end,
                     int64_t scale_stride) {
  AxisPieces pieces;
  const auto walk = [&](size_t k, int64_t count) {
    if (count == 0) return;
    AxisPiece piece;
    piece.src = OffsetOf(src, begin);
    piece.dst = OffsetOf(dst, begin);
    piece.scale = begin * scale_stride;
    for (size_t m = k + 1; m-- > 0;) {
      const int64_t steps = m == k ? count : periods[m + 1] / periods[m];
      piece.nodes.push_back(
          {steps, OffsetOf(src, periods[m]), OffsetOf(dst, periods[m]), periods[m] * scale_stride});
    }
    pieces.push_back(std::move(piece));
    begin += count * periods[k];
  };
  for (size_t k = 0; k + 1 < periods.size(); ++k) {
    const int64_t past = begin % periods[k + 1];
    if (past == 0) continue;
    if (periods[k + 1] - past > end - begin) break;
    walk(k, (periods[k + 1] - past) / periods[k]);
  }
  for (size_t k = periods.size(); k-- > 0;) walk(k, (end - begin) / periods[k]);
  return pieces;
}

}  // namespace

std::optional<AxisPieces> WalkAxis(const Layout& src, const Layout& dst, int axis,
                                   int64_t scale_stride) {
  const int64_t extent = src.dims[axis];
  AxisPieces pieces;
  if (src.block_count == 0 && dst.block_count == 0) {
    pieces.push_back({{{extent, src.strides[axis], dst.strides[axis], scale_stride}}, 0, 0, 0});
    return pieces;
  }
  const Digits src_digits = DigitsOf(src, axis), dst_digits = DigitsOf(dst, axis);
  absl::InlinedVector<int64_t, 4> periods;
  if (!MergePeriods(src_digits, dst_digits, periods)) {
    // Index by index until both sides begin a block again, and that pattern over and over.
    int64_t pattern = 1;
    for (int64_t period : periods)
      if (__builtin_mul_overflow(pattern / std::gcd(pattern, period), period, &pattern) ||
          pattern > extent)
        pattern = extent;
    const int64_t times = extent / pattern, rest = extent - times * pattern;
    if (pattern + rest > kMaxIndices) return std::nullopt;
    const auto enumerate = [&](int64_t begin, int64_t end) {
      Progressions progressions;
      for (int64_t i = begin; i < end; ++i)
        progressions.Add(OffsetOf(src_digits, i), OffsetOf(dst_digits, i), i * scale_stride);
      return progressions.Take();
    };
    pieces = enumerate(0, pattern);
    for (AxisPiece& piece : pieces)
      piece.nodes.insert(piece.nodes.begin(),
                         {times, OffsetOf(src_digits, pattern), OffsetOf(dst_digits, pattern),
                          pattern * scale_stride});
    for (AxisPiece& piece : enumerate(times * pattern, extent)) pieces.push_back(std::move(piece));
    return pieces;
  }
  return WalkRange(src_digits, dst_digits, periods, 0, extent, scale_stride);
}

std::optional<AxisPieces> WalkAxisTransposed(const Layout& src, const Layout& dst, int axis,
                                             int64_t cols) {
  const int64_t rows = src.dims[axis] / cols;
  if (src.block_count == 0 && dst.block_count == 0) {
    const int64_t s = src.strides[axis], d = dst.strides[axis];
    AxisPieces pieces;
    pieces.push_back({{{cols, s, rows * d, 0}, {rows, cols * s, d, 0}}, 0, 0, 0});
    return pieces;
  }
  if (src.dims[axis] > kMaxIndices) return std::nullopt;
  const Digits src_digits = DigitsOf(src, axis), dst_digits = DigitsOf(dst, axis);
  Progressions progressions;
  for (int64_t v = 0; v < cols; ++v)
    for (int64_t u = 0; u < rows; ++u)
      progressions.Add(OffsetOf(src_digits, u * cols + v), OffsetOf(dst_digits, u + v * rows), 0);
  return progressions.Take();
}

Part Join(const Layout& src, const Layout& dst, const Nodes& nodes) {
  Part part;
  part.src = src.offset;
  part.dst = dst.offset;
  part.nodes = nodes;
  SortAndFuse(part.nodes);
  return part;
}

Parts Combine(const Layout& src, const Layout& dst, const std::vector<AxisPieces>& axes) {
  Parts parts;
  for (const AxisPieces& pieces : axes)
    if (pieces.empty()) return parts;
  std::vector<size_t> choice(axes.size(), 0);
  for (;;) {
    Nodes nodes;
    int64_t from = 0, to = 0, scale = 0;
    for (size_t j = 0; j < axes.size(); ++j) {
      const AxisPiece& piece = axes[j][choice[j]];
      from += piece.src;
      to += piece.dst;
      scale += piece.scale;
      nodes.insert(nodes.end(), piece.nodes.begin(), piece.nodes.end());
    }
    Part& part = parts.emplace_back(Join(src, dst, nodes));
    part.src += from;
    part.dst += to;
    part.scale += scale;
    size_t j = axes.size();
    while (j > 0 && ++choice[j - 1] == axes[j - 1].size()) choice[--j] = 0;
    if (j == 0) return parts;
  }
}

void PlanMapping(const Mapping& mapping, Problem* problem) {
  const Layout &src = mapping.src, &dst = mapping.dst;
  problem->padding = PaddingOf(dst);
  std::vector<AxisPieces> axes;
  axes.reserve(static_cast<size_t>(dst.rank));
  int64_t parts = 1;
  for (int j = 0; j < dst.rank; ++j) {
    std::optional<AxisPieces> pieces = j == mapping.transposed
                                           ? WalkAxisTransposed(src, dst, j, mapping.cols)
                                           : WalkAxis(src, dst, j, mapping.scale[j]);
    if (pieces.has_value()) parts *= static_cast<int64_t>(pieces->size());
    if (!pieces.has_value() || parts > kMaxParts) {
      problem->walk = std::make_shared<const Walk>(mapping);
      return;
    }
    axes.push_back(*std::move(pieces));
  }
  problem->parts = Combine(src, dst, axes);
}

Parts PaddingOf(const Layout& dst) {
  Parts padding;
  if (dst.block_count == 0) return padding;
  // Axis by axis what lies beyond it, over the elements of the axes before it and all that the axes
  // after it hold.
  for (int beyond = 0; beyond < dst.rank; ++beyond) {
    const int64_t end = spi::PaddedDim(dst, beyond);
    if (end == dst.dims[beyond]) continue;
    Layout whole = dst;
    for (int j = beyond + 1; j < dst.rank; ++j) whole.dims[j] = spi::PaddedDim(dst, j);
    Layout nothing;
    nothing.dims = whole.dims;
    std::vector<AxisPieces> axes;
    for (int j = 0; j < dst.rank; ++j) {
      if (j != beyond) {
        axes.push_back(*WalkAxis(nothing, whole, j, 0));  // one side's blocks nest
        continue;
      }
      const Digits digits = DigitsOf(dst, j), none = DigitsOf(nothing, j);
      absl::InlinedVector<int64_t, 4> periods;
      MergePeriods(none, digits, periods);
      axes.push_back(WalkRange(none, digits, periods, dst.dims[j], end, 0));
    }
    for (Part& part : Combine(nothing, dst, axes)) padding.push_back(std::move(part));
  }
  return padding;
}

std::string ToString(const Problem& problem) {
  const Arithmetic& a = problem.arithmetic;
  std::string text = absl::StrCat(spi::NameOf(a.src), "->", spi::NameOf(a.dst));
  if (problem.walk != nullptr) {
    absl::StrAppend(&text, " ", problem.walk->ToString());
  } else if (problem.parts.empty()) {
    absl::StrAppend(&text, " empty");
  } else {
    const Nodes& nodes = problem.parts[0].nodes;
    const auto list = [&nodes](const char* separator, int64_t Node::*field) {
      return absl::StrJoin(nodes, separator, [field](std::string* out, const Node& node) {
        absl::StrAppend(out, node.*field);
      });
    };
    if (nodes.empty()) {
      absl::StrAppend(&text, " 1");
    } else {
      absl::StrAppend(&text, " ", list("x", &Node::extent), " (", list(",", &Node::src), ")->(",
                      list(",", &Node::dst), ")");
    }
    if (problem.parts.size() > 1) absl::StrAppend(&text, " parts:", problem.parts.size());
  }
  if (!problem.padding.empty()) absl::StrAppend(&text, " padding:", problem.padding.size());
  if (a.scale != Arithmetic::Scale::kNone) {
    absl::StrAppend(&text, " scale:", a.scale == Arithmetic::Scale::kOne ? "one" : "many",
                    a.run_time_scales ? "(run-time)" : "");
  }
  if (a.sum) absl::StrAppend(&text, " sum:", a.beta);
  if (a.sum && a.sum_type != a.dst) absl::StrAppend(&text, "(", spi::NameOf(a.sum_type), ")");
  if (a.shifted) absl::StrAppend(&text, " zero points");
  return text;
}

}  // namespace impl_cpu
