// Turns a memory descriptor into a layout, as implementations see it, and computes the numbers that
// follow from it.
#ifndef DNNSPEC_API_MEMORY_LAYOUT_H_
#define DNNSPEC_API_MEMORY_LAYOUT_H_

#include <cstddef>
#include <cstdint>

#include "api/spi/layout.h"
#include "oneapi/dnnl/memory/c_desc.h"

namespace api {

inline spi::DataType DataTypeOf(dnnl_data_type_t type) { return static_cast<spi::DataType>(type); }
// 0 for what is no data type.
inline int64_t BytesOf(dnnl_data_type_t type) {
  return type < dnnl_f16 || type > dnnl_u8 ? 0 : spi::SizeOf(DataTypeOf(type));
}

// How a descriptor says that its layout is spi::LayoutKind::kOpaque, and what stands in the first
// of its strides then. Only implementations choose such layouts, so only queries give them.
constexpr dnnl_format_kind_t kOpaqueFormat = dnnl_format_kind_rnn_packed;
enum { kOpaqueOwner, kOpaqueNumber, kOpaqueBytes, kOpaqueFields };

// True when some dim or stride is known at execution only.
bool HasRunTimeValues(const dnnl_memory_desc_t& desc);
bool HasRunTimeValues(const spi::Layout& layout);

// Descriptors that passed CheckDesc, and back. The zero descriptor has rank 0. Run-time values stay
// what they are. Blocks of one element, which split nothing, are left out.
spi::Layout LayoutOf(const dnnl_memory_desc_t& desc);
// Into a layout that is still as it was made.
void FillLayout(const dnnl_memory_desc_t& desc, spi::Layout* layout);
dnnl_memory_desc_t DescOf(const spi::Layout& layout);

// A one-dimensional dense layout, for scratchpads and scales.
spi::Layout VectorLayout(spi::DataType type, int64_t size);

// What memory::desc::get_size returns (MD-030 to MD-036, A-15).
std::size_t SizeInBytes(const spi::Layout& layout);

// memory::desc::operator== (MD-042 to MD-048): strides of dims of 0 and 1 do not count.
bool SameDesc(const dnnl_memory_desc_t& a, const dnnl_memory_desc_t& b);

// True when every stride is known at execution only. Then the offset is too: nobody writes
// DNNL_RUNTIME_DIM_VAL there, and a region's memory has an offset of its own.
bool HasRunTimePlacement(const spi::Layout& layout);

// True when a memory of layout `actual` may stand where `expected` was promised: equal as
// descriptors, or equal wherever `expected` has no run-time value (PRIM-033, PRIM-034).
inline bool Matches(const spi::Layout& expected, const spi::Layout& actual) {
  if (expected == actual) return true;
  if (expected.kind != actual.kind || expected.kind == spi::LayoutKind::kOpaque) return false;
  if (expected.rank != actual.rank || expected.type != actual.type ||
      expected.blocks != actual.blocks)
    return false;
  if (expected.offset != actual.offset && !HasRunTimePlacement(expected)) return false;
  for (int j = 0; j < expected.rank; ++j) {
    if (expected.dims[j] != actual.dims[j] && expected.dims[j] != spi::kRunTimeValue) return false;
    if (expected.strides[j] != actual.strides[j] && spi::PaddedDim(actual, j) > 1 &&
        expected.strides[j] != spi::kRunTimeValue)
      return false;
  }
  return true;
}

}  // namespace api

#endif  // DNNSPEC_API_MEMORY_LAYOUT_H_
