#include "api/memory/layout.h"

#include <algorithm>

namespace api {
namespace {

bool HasRunTimeValues(int rank, const int64_t* dims, const int64_t* strides) {
  for (int j = 0; j < rank; ++j)
    if (dims[j] == DNNL_RUNTIME_DIM_VAL || strides[j] == DNNL_RUNTIME_DIM_VAL) return true;
  return false;
}

// Blocks of one element split nothing: they do not count.
bool SameBlocks(const dnnl_blocking_desc_t& a, const dnnl_blocking_desc_t& b) {
  const auto legal = [](int count) { return count >= 0 && count <= DNNL_MAX_NDIMS; };
  if (!legal(a.inner_nblks) || !legal(b.inner_nblks)) return false;  // no constructor made these
  for (int i = 0, k = 0;; ++i, ++k) {
    while (i < a.inner_nblks && a.inner_blks[i] == 1) ++i;
    while (k < b.inner_nblks && b.inner_blks[k] == 1) ++k;
    if (i == a.inner_nblks || k == b.inner_nblks) return i == a.inner_nblks && k == b.inner_nblks;
    if (a.inner_blks[i] != b.inner_blks[k] || a.inner_idxs[i] != b.inner_idxs[k]) return false;
  }
}

}  // namespace

bool HasRunTimeValues(const dnnl_memory_desc_t& desc) {
  return HasRunTimeValues(desc.ndims, desc.dims, desc.format_desc.blocking.strides);
}

bool HasRunTimeValues(const spi::Layout& layout) {
  return HasRunTimeValues(layout.rank, layout.dims.data(), layout.strides.data());
}

bool HasRunTimePlacement(const spi::Layout& layout) {
  for (int j = 0; j < layout.rank; ++j)
    if (layout.strides[j] != DNNL_RUNTIME_DIM_VAL) return false;
  return layout.rank > 0;
}

void FillLayout(const dnnl_memory_desc_t& desc, spi::Layout* layout) {
  if (desc.ndims == 0) return;
  layout->type = DataTypeOf(desc.data_type);
  layout->rank = static_cast<uint8_t>(desc.ndims);
  std::copy_n(desc.dims, desc.ndims, layout->dims.begin());
  if (desc.format_kind == dnnl_format_kind_any) {
    layout->kind = spi::LayoutKind::kAny;
    return;
  }
  const dnnl_blocking_desc_t& blocking = desc.format_desc.blocking;
  if (desc.format_kind == kOpaqueFormat) {
    layout->kind = spi::LayoutKind::kOpaque;
    layout->owner = static_cast<uint16_t>(blocking.strides[kOpaqueOwner]);
    layout->opaque_format = static_cast<uint16_t>(blocking.strides[kOpaqueNumber]);
    layout->opaque_bytes = blocking.strides[kOpaqueBytes];
    return;
  }
  layout->kind = spi::LayoutKind::kStrided;
  std::copy_n(blocking.strides, desc.ndims, layout->strides.begin());
  layout->offset = desc.offset0;
  for (int k = 0; k < blocking.inner_nblks; ++k)
    if (blocking.inner_blks[k] > 1)
      layout->blocks[layout->block_count++] = {static_cast<int32_t>(blocking.inner_idxs[k]),
                                               static_cast<int32_t>(blocking.inner_blks[k])};
}

spi::Layout LayoutOf(const dnnl_memory_desc_t& desc) {
  spi::Layout layout;
  FillLayout(desc, &layout);
  return layout;
}

dnnl_memory_desc_t DescOf(const spi::Layout& layout) {
  dnnl_memory_desc_t desc{};
  if (layout.rank == 0) return desc;
  desc.ndims = layout.rank;
  desc.data_type = static_cast<dnnl_data_type_t>(layout.type);
  std::copy_n(layout.dims.begin(), layout.rank, desc.dims);
  for (int j = 0; j < layout.rank; ++j) desc.padded_dims[j] = spi::PaddedDim(layout, j);
  if (layout.kind == spi::LayoutKind::kAny) {
    desc.format_kind = dnnl_format_kind_any;
    return desc;
  }
  dnnl_blocking_desc_t& blocking = desc.format_desc.blocking;
  if (layout.kind == spi::LayoutKind::kOpaque) {
    desc.format_kind = kOpaqueFormat;
    blocking.strides[kOpaqueOwner] = layout.owner;
    blocking.strides[kOpaqueNumber] = layout.opaque_format;
    blocking.strides[kOpaqueBytes] = layout.opaque_bytes;
    return desc;
  }
  std::copy_n(layout.strides.begin(), layout.rank, blocking.strides);
  desc.offset0 = layout.offset;
  desc.format_kind = dnnl_blocked;
  blocking.inner_nblks = layout.block_count;
  for (int k = 0; k < layout.block_count; ++k) {
    blocking.inner_idxs[k] = layout.blocks[k].axis;
    blocking.inner_blks[k] = layout.blocks[k].size;
  }
  return desc;
}

spi::Layout VectorLayout(spi::DataType type, int64_t size) { return spi::Strided(type, {size}); }

std::size_t SizeInBytes(const spi::Layout& layout) {
  if (layout.rank == 0 || spi::IsEmpty(layout)) return 0;
  if (layout.kind == spi::LayoutKind::kOpaque) return static_cast<std::size_t>(layout.opaque_bytes);
  if (HasRunTimeValues(layout)) return DNNL_RUNTIME_SIZE_VAL;
  const int64_t element_bytes = spi::SizeOf(layout.type);
  int64_t block = 1;
  for (int k = 0; k < layout.block_count; ++k) block *= layout.blocks[k].size;
  int64_t span = block, last = layout.offset + block - 1;
  for (int j = 0; j < layout.rank; ++j) {
    const int64_t steps = spi::StepsAlong(layout, j);
    if (steps == 1) continue;
    span = std::max(span, steps * layout.strides[j]);
    last += (steps - 1) * layout.strides[j];
  }
  return static_cast<std::size_t>((layout.offset == 0 ? span : last + 1) * element_bytes);
}

bool SameDesc(const dnnl_memory_desc_t& a, const dnnl_memory_desc_t& b) {
  if (a.ndims != b.ndims) return false;
  if (a.ndims == 0) return true;
  if (a.ndims < 0 || a.ndims > DNNL_MAX_NDIMS) return false;  // no constructor made these
  if (a.data_type != b.data_type || a.format_kind != b.format_kind || a.offset0 != b.offset0 ||
      !std::equal(a.dims, a.dims + a.ndims, b.dims) ||
      !std::equal(a.padded_dims, a.padded_dims + a.ndims, b.padded_dims))
    return false;
  const dnnl_blocking_desc_t& p = a.format_desc.blocking;
  const dnnl_blocking_desc_t& q = b.format_desc.blocking;
  if (a.format_kind == kOpaqueFormat)
    return std::equal(p.strides, p.strides + kOpaqueFields, q.strides);
  if (a.format_kind != dnnl_blocked) return true;
  for (int j = 0; j < a.ndims; ++j)
    if (p.strides[j] != q.strides[j] && a.padded_dims[j] != 0 && a.padded_dims[j] != 1)
      return false;
  return SameBlocks(p, q);
}

}  // namespace api
