#include "impl_vulkan/strided/staging.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace impl_vulkan {
namespace {

// Stages `nest` by the strides of one side, outermost first; both sides of the result still hold
// the other's strides where `stride` is not.
struct Staged {
  spi::LoopDims loops;
  std::vector<int64_t> strides;  // of loops, in staging
  int64_t elements = 1;
};

Staged Stage(const spi::LoopNest& nest, int64_t spi::LoopDim::*side) {
  Staged staged;
  staged.loops = nest.loops;
  std::stable_sort(staged.loops.begin(), staged.loops.end(),
                   [&](const spi::LoopDim& a, const spi::LoopDim& b) { return a.*side > b.*side; });
  staged.strides.resize(staged.loops.size());
  for (size_t i = staged.loops.size(); i-- > 0;) {
    if (staged.loops[i].*side == 0) continue;
    staged.strides[i] = staged.elements;
    staged.elements *= staged.loops[i].extent;
  }
  return staged;
}

// `nest` in pieces of at most `most` staged elements, cut across the longest strides of `side`.
std::vector<spi::LoopNest> Cut(const spi::LoopNest& nest, int64_t spi::LoopDim::*side,
                               int64_t most) {
  std::vector<spi::LoopNest> pieces;
  std::vector<spi::LoopNest> left = {nest};
  while (!left.empty()) {
    spi::LoopNest piece = std::move(left.back());
    left.pop_back();
    const int64_t elements = Stage(piece, side).elements;
    if (elements <= most) {
      pieces.push_back(std::move(piece));
      continue;
    }
    const auto longest = std::max_element(
        piece.loops.begin(), piece.loops.end(),
        [&](const spi::LoopDim& a, const spi::LoopDim& b) { return a.*side < b.*side; });
    const int64_t rest = elements / longest->extent;
    // As many indices as fit, or one, whose own loops are cut in turn.
    const int64_t first = std::max<int64_t>(1, std::min(most / rest, longest->extent - 1));
    const auto slice = [&](int64_t begin, int64_t extent) {
      spi::LoopNest sliced = piece;
      sliced.src_offset += begin * longest->src_stride;
      sliced.dst_offset += begin * longest->dst_stride;
      sliced.scale_offset += begin * longest->scale_stride;
      sliced.loops[static_cast<size_t>(longest - piece.loops.begin())].extent = extent;
      spi::Simplify(&sliced);
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

void CopyLoops(const spi::LoopDim* dim, const spi::LoopDim* end, int64_t bytes, const char* source,
               char* destination) {
  if (dim == end) {
    std::memcpy(destination, source, static_cast<size_t>(bytes));
  } else if (dim + 1 == end && dim->src_stride == 1 && dim->dst_stride == 1) {
    std::memcpy(destination, source, static_cast<size_t>(dim->extent * bytes));
  } else if (dim + 1 == end) {
    // With a constant size the copy of an element is one instruction.
    const int64_t from = dim->src_stride * bytes, to = dim->dst_stride * bytes;
    if (bytes == 1) CopyElements(dim->extent, 1, source, from, destination, to);
    if (bytes == 2) CopyElements(dim->extent, 2, source, from, destination, to);
    if (bytes == 4) CopyElements(dim->extent, 4, source, from, destination, to);
  } else {
    for (int64_t i = 0; i < dim->extent; ++i) {
      CopyLoops(dim + 1, end, bytes, source + i * dim->src_stride * bytes,
                destination + i * dim->dst_stride * bytes);
    }
  }
}

void ClearLoops(const spi::LoopDim* dim, const spi::LoopDim* end, int64_t bytes,
                char* destination) {
  if (dim == end) {
    std::memset(destination, 0, static_cast<size_t>(bytes));
  } else if (dim + 1 == end && dim->dst_stride == 1) {
    std::memset(destination, 0, static_cast<size_t>(dim->extent * bytes));
  } else {
    for (int64_t i = 0; i < dim->extent; ++i) {
      ClearLoops(dim + 1, end, bytes, destination + i * dim->dst_stride * bytes);
    }
  }
}

}  // namespace

std::vector<Chunk> ChunksFromHost(const Move& move, int64_t most_elements) {
  std::vector<Chunk> chunks;
  for (const spi::LoopNest& nest : move.nests) {
    for (const spi::LoopNest& piece : Cut(nest, &spi::LoopDim::src_stride, most_elements)) {
      const Staged staged = Stage(piece, &spi::LoopDim::src_stride);
      Chunk chunk;
      chunk.elements = staged.elements;
      chunk.host.src_offset = piece.src_offset;
      chunk.device.dst_offset = piece.dst_offset;
      chunk.device.scale_offset = piece.scale_offset;
      for (size_t i = 0; i < staged.loops.size(); ++i) {
        const spi::LoopDim& dim = staged.loops[i];
        if (dim.src_stride != 0) {
          chunk.host.loops.push_back({dim.extent, dim.src_stride, staged.strides[i], 0});
        }
        chunk.device.loops.push_back(
            {dim.extent, staged.strides[i], dim.dst_stride, dim.scale_stride});
      }
      spi::Simplify(&chunk.host);
      spi::Simplify(&chunk.device);
      chunks.push_back(std::move(chunk));
    }
  }
  return chunks;
}

std::vector<Chunk> ChunksToHost(const Move& move, int64_t most_elements) {
  std::vector<Chunk> chunks;
  for (const spi::LoopNest& nest : move.nests) {
    for (const spi::LoopNest& piece : Cut(nest, &spi::LoopDim::dst_stride, most_elements)) {
      const Staged staged = Stage(piece, &spi::LoopDim::dst_stride);
      Chunk chunk;
      chunk.elements = staged.elements;
      chunk.host.dst_offset = piece.dst_offset;
      chunk.device.src_offset = piece.src_offset;
      chunk.device.scale_offset = piece.scale_offset;
      for (size_t i = 0; i < staged.loops.size(); ++i) {
        const spi::LoopDim& dim = staged.loops[i];
        chunk.host.loops.push_back({dim.extent, staged.strides[i], dim.dst_stride, 0});
        chunk.device.loops.push_back(
            {dim.extent, dim.src_stride, staged.strides[i], dim.scale_stride});
      }
      spi::Simplify(&chunk.host);
      spi::Simplify(&chunk.device);
      chunks.push_back(std::move(chunk));
    }
  }
  return chunks;
}

void CopyOnHost(const spi::LoopNest& nest, int64_t element_bytes, const char* source,
                char* destination) {
  CopyLoops(nest.loops.data(), nest.loops.data() + nest.loops.size(), element_bytes,
            source + nest.src_offset * element_bytes,
            destination + nest.dst_offset * element_bytes);
}

void ClearOnHost(const spi::LoopNest& nest, int64_t element_bytes, char* destination) {
  ClearLoops(nest.loops.data(), nest.loops.data() + nest.loops.size(), element_bytes,
             destination + nest.dst_offset * element_bytes);
}

spi::LoopNest Reversed(const spi::LoopNest& nest) {
  spi::LoopNest reversed;
  reversed.src_offset = nest.dst_offset;
  reversed.dst_offset = nest.src_offset;
  for (const spi::LoopDim& dim : nest.loops) {
    reversed.loops.push_back({dim.extent, dim.dst_stride, dim.src_stride, 0});
  }
  spi::Simplify(&reversed);
  return reversed;
}

}  // namespace impl_vulkan
