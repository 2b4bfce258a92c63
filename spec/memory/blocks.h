// Defines what a memory descriptor with inner blocks means: ORC-BLK.
//
// Slow and obvious, as oracle.h. Dims, strides, offsets and sizes of blocks count elements.
#ifndef DNNSPEC_SPEC_MEMORY_BLOCKS_H_
#define DNNSPEC_SPEC_MEMORY_BLOCKS_H_

#include <cstdint>
#include <vector>

#include "spec/memory/oracle.h"

namespace spec {

struct Block {
  int axis;
  int64_t size;
};

// Without blocks, a plain layout.
struct Blocked {
  Dims dims, strides;
  std::vector<Block> blocks;  // outermost first
  int64_t offset = 0;
};

// Dims rounded up to whole blocks.
Dims PaddedDims(const Blocked& layout);

// For each x below the padded dims.
int64_t OffsetOf(const Blocked& layout, const Dims& x);

struct Places {
  std::vector<int64_t> elements;  // offsets, row-major by coordinates
  std::vector<int64_t> padding;   // offsets of everything else below the padded dims
};
Places PlacesOf(const Blocked& layout);

}  // namespace spec

#endif  // DNNSPEC_SPEC_MEMORY_BLOCKS_H_
