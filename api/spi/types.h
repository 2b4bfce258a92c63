// The words that api and an implementation share: data types, layouts, statuses.
//
// Everything here is a plain value. Dims, strides and offsets count elements, never bytes.
// Nothing here validates: a value that reaches an implementation has passed api's Validate().
#ifndef DNNSPEC_API_SPI_TYPES_H_
#define DNNSPEC_API_SPI_TYPES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace spi {

// Layouts hold their axes inline, and oneDNN 2.x's limit is the same (DNNL_MAX_NDIMS).
constexpr int kMaxRank = 12;

// Values as in dnnl::memory::data_type.
enum class DataType : uint8_t {
  kUndef = 0,
  kF16 = 1,
  kBF16 = 2,
  kF32 = 3,
  kS32 = 4,
  kS8 = 5,
  kU8 = 6,
};

// Bytes of one element; 0 for kUndef.
constexpr int64_t SizeOf(DataType type) {
  return type == DataType::kF32 || type == DataType::kS32    ? 4
         : type == DataType::kF16 || type == DataType::kBF16 ? 2
         : type == DataType::kS8 || type == DataType::kU8    ? 1
                                                             : 0;
}

// "f32", "bf16", ...; "undef".
const char* NameOf(DataType type);

using Dims = std::array<int64_t, kMaxRank>;

// One inner block: `size` consecutive indices of axis `dim` stored together.
struct Block {
  int dim;
  int64_t size;
};

// Where each element of a tensor lies, counted in elements from the start of its buffer.
//
// Plain layouts have no blocks: element i lies at offset + sum_j i[j] * strides[j].
// With blocks (opaque layouts), axis j is first split by its blocks, outermost block first; the
// last block has stride 1, each earlier one the product of the sizes after it; strides[j] is the
// step of what remains of axis j, and padded_dims[j] is dims[j] rounded up to whole blocks.
// A stride of 0 repeats one element along the axis (sources only).
struct Layout {
  DataType type = DataType::kUndef;
  int rank = 0;  // entries in use of the arrays below
  Dims dims{};
  Dims padded_dims{};  // equal to dims in plain layouts
  Dims strides{};
  int64_t offset = 0;
  int block_count = 0;
  std::array<Block, kMaxRank> blocks{};
};

// True when some extent is 0: no element exists, and no buffer is touched.
inline bool IsEmpty(const Layout& layout) {
  for (int j = 0; j < layout.rank; ++j)
    if (layout.dims[j] == 0) return true;
  return false;
}

// How many steps of strides[axis] there are: whole blocks, in an axis that has some.
inline int64_t StepsAlong(const Layout& layout, int axis) {
  int64_t steps = layout.padded_dims[axis];
  for (int k = 0; k < layout.block_count; ++k)
    if (layout.blocks[k].dim == axis) steps /= layout.blocks[k].size;
  return steps;
}

// "f32 2x3x4 s12,4,1"; further, where they are not 0, " o7" for the offset and " b4@1" for a block
// of 4 on axis 1.
std::string ToString(const Layout& layout);

// Values as in dnnl::engine::kind.
enum class EngineKind { kAny = 0, kCpu = 1, kGpu = 2 };

// Values as in dnnl::stream::flags; bits may be combined.
enum StreamFlags : unsigned { kInOrder = 1, kOutOfOrder = 2 };

// Positions of arguments, as in the DNNL_ARG_ macros.
enum ArgumentIndex : int {
  kArgSrc = 1,
  kArgDst = 17,
  kArgScratchpad = 80,
  kArgDiffSrc = 129,
  kArgDiffDst = 145,
  kArgOutputScales = 513,
  kArgSrcZeroPoint = 4096 | kArgSrc,
  kArgDstZeroPoint = 4096 | kArgDst,
};

}  // namespace spi

#endif  // DNNSPEC_API_SPI_TYPES_H_
