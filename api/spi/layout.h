// Describes where the elements of one tensor lie in memory.
//
//   Layout src = Strided(DataType::kF32, {2, 16, 8, 8});             // row-major
//   Layout dst = Strided(DataType::kF32, {2, 16, 8, 8}, {{1, 16}});  // channels in blocks of 16
//   int64_t at = OffsetOf(src, {1, 0, 3, 4});                        // elements, not bytes
//
// A layout is a plain value of 256 bytes without pointers. Entries that are not in use are zero, so
// two layouts are equal exactly if their bytes are. Dims, strides and offsets count elements; only
// names that end in Bytes count bytes. Nothing here validates: api does, before an implementation
// sees a layout.
#ifndef DNNSPEC_API_SPI_LAYOUT_H_
#define DNNSPEC_API_SPI_LAYOUT_H_

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "absl/types/span.h"

namespace spi {

// Layouts hold their axes inline, and oneDNN 2.x's limit is the same (DNNL_MAX_NDIMS).
constexpr int kMaxRank = 12;
// The deepest blocked format of oneDNN 2.x has 4.
constexpr int kMaxBlocks = 6;

// A dim or stride that is given at execution: DNNL_RUNTIME_DIM_VAL. No implementation sees one.
constexpr int64_t kRunTimeValue = std::numeric_limits<int64_t>::min();

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

// How a layout says where elements are.
enum class LayoutKind : uint8_t {
  kNone,     // no tensor
  kStrided,  // strides and, optionally, inner blocks: every element has an offset
  kAny,      // type and dims only: an implementation chooses the rest
  kOpaque,   // only the implementation that chose it knows: type, dims, a format number, a size
};

// One inner block: `size` consecutive indices of axis `axis` are stored together.
struct Block {
  int32_t axis;
  int32_t size;  // at least 2
};
inline bool operator==(const Block& a, const Block& b) {
  return a.axis == b.axis && a.size == b.size;
}

// kStrided without blocks: element x lies at offset + sum_j x[j] * strides[j].
//
// kStrided with blocks: axis j is first split by its blocks, outermost block first. The last block
// has stride 1, each earlier one the product of the sizes after it. strides[j] is the distance of
// two consecutive whole blocks of axis j. In memory axis j has PaddedDim(layout, j) indices: those
// from dims[j] on are the padding, which is zero when a primitive that wrote the tensor returns
// (OPT-045).
//
// A stride of 0 repeats one element along its axis; only tensors that are read may have one.
//
// kOpaque: `opaque_format` is a number of the implementation's own choice, never 0, that tells all
// that type and dims do not. `opaque_bytes` is the size. `owner` is stamped by api and names the
// implementation; no other one gets to see the layout.
struct Layout {
  DataType type = DataType::kUndef;
  LayoutKind kind = LayoutKind::kNone;
  uint8_t rank = 0;         // entries in use of dims and strides
  uint8_t block_count = 0;  // entries in use of blocks
  uint16_t owner = 0;
  uint16_t opaque_format = 0;
  Dims dims{};
  Dims strides{};
  union {
    int64_t offset = 0;    // kStrided: of element 0, from the start of the buffer
    int64_t opaque_bytes;  // kOpaque
  };
  std::array<Block, kMaxBlocks> blocks{};
};
static_assert(sizeof(Layout) == 256, "no bytes between the fields: equality compares them all");

inline bool operator==(const Layout& a, const Layout& b) {
  return std::memcmp(&a, &b, sizeof(Layout)) == 0;
}
inline bool operator!=(const Layout& a, const Layout& b) { return !(a == b); }

// True when some extent is 0: no element exists, and no buffer is touched.
inline bool IsEmpty(const Layout& layout) {
  for (int j = 0; j < layout.rank; ++j)
    if (layout.dims[j] == 0) return true;
  return false;
}

// The product of the sizes of the blocks of `axis`; 1 without blocks.
inline int64_t BlockAlong(const Layout& layout, int axis) {
  int64_t size = 1;
  for (int k = 0; k < layout.block_count; ++k)
    if (layout.blocks[k].axis == axis) size *= layout.blocks[k].size;
  return size;
}

// The product of two extents, steps or strides. Only where there are no elements does it not fit:
// it is the largest number then, which is no run-time value.
inline int64_t SaturatedProduct(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<int64_t>::max() : product;
}

// How many steps of strides[axis] there are: whole blocks, in an axis that has some.
inline int64_t StepsAlong(const Layout& layout, int axis) {
  const int64_t dim = layout.dims[axis], block = BlockAlong(layout, axis);
  return block == 1 ? dim : dim / block + (dim % block != 0);
}

// dims[axis] rounded up to whole blocks: the extent in memory. A dim that is given at execution
// stays what it is. Of one that does not fit no tensor has the layout (MD-059).
inline int64_t PaddedDim(const Layout& layout, int axis) {
  const int64_t dim = layout.dims[axis], block = BlockAlong(layout, axis);
  if (block == 1 || dim == kRunTimeValue) return dim;
  return SaturatedProduct(block, dim / block + (dim % block != 0));
}

inline bool HasPadding(const Layout& layout) {
  for (int j = 0; layout.block_count > 0 && j < layout.rank; ++j)
    if (PaddedDim(layout, j) != layout.dims[j]) return true;
  return false;
}

// The offset of element `x` of a kStrided layout. Indices up to PaddedDim name the padding.
inline int64_t OffsetOf(const Layout& layout, Dims x) {
  int64_t offset = layout.offset, stride = 1;
  for (int k = layout.block_count - 1; k >= 0; --k) {  // innermost first
    const Block block = layout.blocks[k];
    offset += x[block.axis] % block.size * stride;
    x[block.axis] /= block.size;
    stride *= block.size;
  }
  for (int j = 0; j < layout.rank; ++j) offset += x[j] * layout.strides[j];
  return offset;
}

// The bytes from the start of the buffer to the end of the last element or padding; 0 where there
// is no element. False if that does not fit 63 bits.
bool SizeInBytes(const Layout& layout, int64_t* bytes);

Layout Any(DataType type, absl::Span<const int64_t> dims);

// Whole blocks in row-major order of the axes, without gaps; `blocks` innermost. Without blocks:
// row-major. {{1, 16}} of four dims is nChw16c.
Layout Strided(DataType type, absl::Span<const int64_t> dims, absl::Span<const Block> blocks = {});

Layout Opaque(DataType type, absl::Span<const int64_t> dims, uint16_t format, int64_t bytes);

// "f32 2x3x4 s12,4,1"; further, where they are not 0, " o7" for the offset and " b4@1" for a block
// of 4 on axis 1. "f32 2x3 any"; "s8 32x16 opaque 3 (4736 bytes)".
std::string ToString(const Layout& layout);

}  // namespace spi

#endif  // DNNSPEC_API_SPI_LAYOUT_H_
