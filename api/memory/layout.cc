#include "api/memory/layout.h"

#include <algorithm>

namespace api {
namespace {

bool HasRunTimeValues(int rank, const int64_t* dims, const int64_t* strides) {
  for (int j = 0; j < rank; ++j)
    if (dims[j] == DNNL_RUNTIME_DIM_VAL || strides[j] == DNNL_RUNTIME_DIM_VAL) return true;
  return false;
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
  const dnnl_blocking_desc_t& blocking = desc.format_desc.blocking;
  layout->type = DataTypeOf(desc.data_type);
  layout->rank = desc.ndims;
  std::copy_n(desc.dims, desc.ndims, layout->dims.begin());
  std::copy_n(desc.padded_dims, desc.ndims, layout->padded_dims.begin());
  std::copy_n(blocking.strides, desc.ndims, layout->strides.begin());
  layout->offset = desc.offset0;
  layout->block_count = blocking.inner_nblks;
  for (int k = 0; k < blocking.inner_nblks; ++k)
    layout->blocks[k] = {static_cast<int>(blocking.inner_idxs[k]), blocking.inner_blks[k]};
}

spi::Layout LayoutOf(const dnnl_memory_desc_t& desc) {
  spi::Layout layout;
  FillLayout(desc, &layout);
  return layout;
}

dnnl_memory_desc_t DescOf(const spi::Layout& layout) {
  dnnl_memory_desc_t desc{};
  if (layout.rank == 0) return desc;
  dnnl_blocking_desc_t& blocking = desc.format_desc.blocking;
  desc.ndims = layout.rank;
  desc.data_type = static_cast<dnnl_data_type_t>(layout.type);
  std::copy_n(layout.dims.begin(), layout.rank, desc.dims);
  std::copy_n(layout.padded_dims.begin(), layout.rank, desc.padded_dims);
  std::copy_n(layout.strides.begin(), layout.rank, blocking.strides);
  desc.offset0 = layout.offset;
  desc.format_kind = dnnl_blocked;
  blocking.inner_nblks = layout.block_count;
  for (int k = 0; k < layout.block_count; ++k) {
    blocking.inner_idxs[k] = layout.blocks[k].dim;
    blocking.inner_blks[k] = layout.blocks[k].size;
  }
  return desc;
}

spi::Layout VectorLayout(spi::DataType type, int64_t size) {
  spi::Layout layout;
  layout.type = type;
  layout.rank = 1;
  layout.dims[0] = layout.padded_dims[0] = size;
  layout.strides[0] = 1;
  return layout;
}

std::size_t SizeInBytes(const spi::Layout& layout) {
  if (layout.rank == 0 || spi::IsEmpty(layout)) return 0;
  if (HasRunTimeValues(layout)) return DNNL_RUNTIME_SIZE_VAL;
  const int64_t element_bytes = spi::SizeOf(layout.type);
  int64_t block = 1;
  std::array<int64_t, spi::kMaxRank> split;  // how much of each axis its blocks hold
  split.fill(1);
  for (int k = 0; k < layout.block_count; ++k) {
    block *= layout.blocks[k].size;
    split[layout.blocks[k].dim] *= layout.blocks[k].size;
  }
  int64_t span = block, last = layout.offset + block - 1;
  for (int j = 0; j < layout.rank; ++j) {
    const int64_t steps = layout.padded_dims[j] / split[j];
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
  if (a.format_kind != dnnl_blocked) return true;
  const dnnl_blocking_desc_t& p = a.format_desc.blocking;
  const dnnl_blocking_desc_t& q = b.format_desc.blocking;
  for (int j = 0; j < a.ndims; ++j)
    if (p.strides[j] != q.strides[j] && a.padded_dims[j] != 0 && a.padded_dims[j] != 1)
      return false;
  if (p.inner_nblks != q.inner_nblks || p.inner_nblks < 0 || p.inner_nblks > DNNL_MAX_NDIMS)
    return false;
  return std::equal(p.inner_blks, p.inner_blks + p.inner_nblks, q.inner_blks) &&
         std::equal(p.inner_idxs, p.inner_idxs + p.inner_nblks, q.inner_idxs);
}

}  // namespace api
