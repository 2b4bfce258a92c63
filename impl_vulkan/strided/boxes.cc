#include "impl_vulkan/strided/boxes.h"

#include <algorithm>
#include <utility>

namespace impl_vulkan {
namespace {

// Keeps the product of rows and words of a row, and every index made of them, below 2^31.
constexpr int64_t kMostElements = int64_t{1} << 29;

// Cutting on a multiple of this keeps rows of sub-word elements and whole tiles together.
constexpr int64_t kGrain = 64;

int64_t CountOf(const Part& part) {
  int64_t count = 1;
  for (const Node& node : part.nodes) count *= node.extent;
  return count;
}

bool Fits(const Part& part, const Widths& widths, const Limits& limits) {
  // A binding starts up to `alignment` - 1 bytes early and ends on a whole word.
  const auto room = static_cast<int64_t>(limits.window_bytes - limits.alignment - 4);
  return SpanOf(part, &Node::source) * widths.source <= room &&
         SpanOf(part, &Node::destination) * widths.destination <= room &&
         (!widths.scales || SpanOf(part, &Node::scale) * 4 <= room) &&
         CountOf(part) <= kMostElements && part.nodes.size() <= kMaxNodes;
}

size_t NodeToCut(const Part& part, const Widths& widths) {
  const auto reach = [&](const Node& node) {
    return (node.extent - 1) *
           std::max({node.source * widths.source, node.destination * widths.destination,
                     widths.scales ? node.scale * 4 : 0});
  };
  const auto shorter = [](const Node& a, const Node& b) { return a.extent < b.extent; };
  const auto nearer = [&](const Node& a, const Node& b) { return reach(a) < reach(b); };
  const auto chosen = part.nodes.size() > kMaxNodes
                          ? std::min_element(part.nodes.begin(), part.nodes.end(), shorter)
                          : std::max_element(part.nodes.begin(), part.nodes.end(), nearer);
  return static_cast<size_t>(chosen - part.nodes.begin());
}

// The indices [first, first + extent) of one node.
Part Slice(const Part& part, size_t index, int64_t first, int64_t extent) {
  Part slice = part;
  Node& node = slice.nodes[index];
  slice.source += first * node.source;
  slice.destination += first * node.destination;
  slice.scale += first * node.scale;
  node.extent = extent;
  if (extent == 1) slice.nodes.erase(slice.nodes.begin() + static_cast<std::ptrdiff_t>(index));
  return slice;
}

}  // namespace

int64_t SpanOf(const Part& part, int64_t Node::*stride) {
  int64_t span = 1;
  for (const Node& node : part.nodes) span += (node.extent - 1) * (node.*stride);
  return span;
}

std::vector<Part> CutIntoBoxes(const Part& part, const Widths& widths, const Limits& limits) {
  std::vector<Part> boxes;
  std::vector<Part> left = {part};
  while (!left.empty()) {
    const Part candidate = std::move(left.back());
    left.pop_back();
    if (candidate.nodes.empty() || Fits(candidate, widths, limits)) {
      boxes.push_back(candidate);
      continue;
    }
    const size_t index = NodeToCut(candidate, widths);
    const int64_t extent = candidate.nodes[index].extent;
    int64_t half = extent / 2;
    if (half >= kGrain) half = (half + kGrain - 1) / kGrain * kGrain;
    left.push_back(Slice(candidate, index, half, extent - half));
    left.push_back(Slice(candidate, index, 0, half));
  }
  return boxes;
}

uint32_t Widen(Part* part, uint32_t element_bytes, uint32_t limit) {
  while (element_bytes < limit && !part->nodes.empty()) {
    Node& pairs = part->nodes.back();
    const bool together = pairs.source == 1 && pairs.destination == 1 && pairs.extent % 2 == 0;
    const bool even = part->source % 2 == 0 && part->destination % 2 == 0 &&
                      std::all_of(part->nodes.begin(), part->nodes.end() - 1, [](const Node& node) {
                        return node.source % 2 == 0 && node.destination % 2 == 0;
                      });
    if (!together || !even) break;
    part->source /= 2;
    part->destination /= 2;
    for (auto node = part->nodes.begin(); node != part->nodes.end() - 1; ++node) {
      node->source /= 2;
      node->destination /= 2;
    }
    pairs.extent /= 2;
    Normalise(part);
    element_bytes *= 2;
  }
  return element_bytes;
}

}  // namespace impl_vulkan
