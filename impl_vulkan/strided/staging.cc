#include "impl_vulkan/strided/staging.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace impl_vulkan {
namespace {

// Stages `part` by the strides of one side, outermost first; both sides of the result still hold
// the other's strides where `stride` is not.
struct Staged {
  std::vector<Node> nodes;
  std::vector<int64_t> strides;  // of nodes, in staging
  int64_t elements = 1;
};

Staged Stage(const Part& part, int64_t Node::*side) {
  Staged staged;
  staged.nodes = part.nodes;
  std::stable_sort(staged.nodes.begin(), staged.nodes.end(),
                   [&](const Node& a, const Node& b) { return a.*side > b.*side; });
  staged.strides.resize(staged.nodes.size());
  for (size_t i = staged.nodes.size(); i-- > 0;) {
    if (staged.nodes[i].*side == 0) continue;
    staged.strides[i] = staged.elements;
    staged.elements *= staged.nodes[i].extent;
  }
  return staged;
}

// `part` in pieces of at most `most` staged elements, cut across the longest strides of `side`.
std::vector<Part> Cut(const Part& part, int64_t Node::*side, int64_t most) {
  std::vector<Part> pieces;
  std::vector<Part> left = {part};
  while (!left.empty()) {
    Part piece = std::move(left.back());
    left.pop_back();
    const int64_t elements = Stage(piece, side).elements;
    if (elements <= most) {
      pieces.push_back(std::move(piece));
      continue;
    }
    const auto longest =
        std::max_element(piece.nodes.begin(), piece.nodes.end(),
                         [&](const Node& a, const Node& b) { return a.*side < b.*side; });
    const int64_t rest = elements / longest->extent;
    // As many indices as fit, or one, whose own loops are cut in turn.
    const int64_t first = std::max<int64_t>(1, std::min(most / rest, longest->extent - 1));
    const auto slice = [&](int64_t begin, int64_t extent) {
      Part sliced = piece;
      sliced.source += begin * longest->source;
      sliced.destination += begin * longest->destination;
      sliced.scale += begin * longest->scale;
      sliced.nodes[static_cast<size_t>(longest - piece.nodes.begin())].extent = extent;
      Normalise(&sliced);
      return sliced;
    };
    left.push_back(slice(first, longest->extent - first));
    left.push_back(slice(0, first));
  }
  return pieces;
}

void CopyElements(int64_t count, int64_t bytes, const char* source, int64_t source_step,
                  char* destination, int64_t destination_step) {
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(destination, source, static_cast<size_t>(bytes));
    source += source_step;
    destination += destination_step;
  }
}

void CopyNodes(const Node* node, const Node* end, int64_t bytes, const char* source,
               char* destination) {
  if (node == end) {
    std::memcpy(destination, source, static_cast<size_t>(bytes));
  } else if (node + 1 == end && node->source == 1 && node->destination == 1) {
    std::memcpy(destination, source, static_cast<size_t>(node->extent * bytes));
  } else if (node + 1 == end) {
    // With a constant size the copy of an element is one instruction.
    const int64_t from = node->source * bytes, to = node->destination * bytes;
    if (bytes == 1) CopyElements(node->extent, 1, source, from, destination, to);
    if (bytes == 2) CopyElements(node->extent, 2, source, from, destination, to);
    if (bytes == 4) CopyElements(node->extent, 4, source, from, destination, to);
  } else {
    for (int64_t i = 0; i < node->extent; ++i) {
      CopyNodes(node + 1, end, bytes, source + i * node->source * bytes,
                destination + i * node->destination * bytes);
    }
  }
}

void ClearNodes(const Node* node, const Node* end, int64_t bytes, char* destination) {
  if (node == end) {
    std::memset(destination, 0, static_cast<size_t>(bytes));
  } else if (node + 1 == end && node->destination == 1) {
    std::memset(destination, 0, static_cast<size_t>(node->extent * bytes));
  } else {
    for (int64_t i = 0; i < node->extent; ++i) {
      ClearNodes(node + 1, end, bytes, destination + i * node->destination * bytes);
    }
  }
}

}  // namespace

std::vector<Chunk> ChunksFromHost(const Move& move, int64_t most_elements) {
  std::vector<Chunk> chunks;
  for (const Part& part : move.parts) {
    for (const Part& piece : Cut(part, &Node::source, most_elements)) {
      const Staged staged = Stage(piece, &Node::source);
      Chunk chunk;
      chunk.elements = staged.elements;
      chunk.host.source = piece.source;
      chunk.device.destination = piece.destination;
      chunk.device.scale = piece.scale;
      for (size_t i = 0; i < staged.nodes.size(); ++i) {
        const Node& node = staged.nodes[i];
        if (node.source != 0) {
          chunk.host.nodes.push_back({node.extent, node.source, staged.strides[i], 0});
        }
        chunk.device.nodes.push_back(
            {node.extent, staged.strides[i], node.destination, node.scale});
      }
      Normalise(&chunk.host);
      Normalise(&chunk.device);
      chunks.push_back(std::move(chunk));
    }
  }
  return chunks;
}

std::vector<Chunk> ChunksToHost(const Move& move, int64_t most_elements) {
  std::vector<Chunk> chunks;
  for (const Part& part : move.parts) {
    for (const Part& piece : Cut(part, &Node::destination, most_elements)) {
      const Staged staged = Stage(piece, &Node::destination);
      Chunk chunk;
      chunk.elements = staged.elements;
      chunk.host.destination = piece.destination;
      chunk.device.source = piece.source;
      chunk.device.scale = piece.scale;
      for (size_t i = 0; i < staged.nodes.size(); ++i) {
        const Node& node = staged.nodes[i];
        chunk.host.nodes.push_back({node.extent, staged.strides[i], node.destination, 0});
        chunk.device.nodes.push_back({node.extent, node.source, staged.strides[i], node.scale});
      }
      Normalise(&chunk.host);
      Normalise(&chunk.device);
      chunks.push_back(std::move(chunk));
    }
  }
  return chunks;
}

void CopyOnHost(const Part& part, int64_t element_bytes, const char* source, char* destination) {
  CopyNodes(part.nodes.data(), part.nodes.data() + part.nodes.size(), element_bytes,
            source + part.source * element_bytes, destination + part.destination * element_bytes);
}

void ClearOnHost(const Part& part, int64_t element_bytes, char* destination) {
  ClearNodes(part.nodes.data(), part.nodes.data() + part.nodes.size(), element_bytes,
             destination + part.destination * element_bytes);
}

Part Reversed(const Part& part) {
  Part reversed;
  reversed.source = part.destination;
  reversed.destination = part.source;
  for (const Node& node : part.nodes) {
    reversed.nodes.push_back({node.extent, node.destination, node.source, 0});
  }
  Normalise(&reversed);
  return reversed;
}

}  // namespace impl_vulkan
