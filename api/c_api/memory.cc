#include "oneapi/dnnl/c_api/memory.h"

#include <cstring>
#include <vector>

#include "api/memory/memory_state.h"
#include "api/model/c_guard.h"
#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/engine/stream.hpp"
#include "oneapi/dnnl/memory/memory.hpp"

namespace {

using api::Borrow;
using api::StatusOf;
using dnnl::memory;

// Throws where `ndims` is no rank, before anything is read.
memory::dims DimsOf(int ndims, const dnnl_dim_t* dims) {
  if (ndims < 0 || ndims > DNNL_MAX_NDIMS)
    dnnl::error::wrap_c_api(dnnl_invalid_arguments, "ndims is not in [0, 12] (MD-024)");
  return api::ValuesOf<dnnl_dim_t>(ndims, dims);
}

}  // namespace

extern "C" {

dnnl_status_t dnnl_memory_desc_init_by_strides(dnnl_memory_desc_t* memory_desc, int ndims,
                                               const dnnl_dims_t dims, dnnl_data_type_t data_type,
                                               const dnnl_dims_t strides) {
  return StatusOf(
      [&] {
        *memory_desc = memory::desc(DimsOf(ndims, dims), static_cast<memory::data_type>(data_type),
                                    strides == nullptr ? memory::dims() : DimsOf(ndims, strides))
                           .data;
      },
      memory_desc);
}

dnnl_status_t dnnl_memory_desc_init_by_tag(dnnl_memory_desc_t* memory_desc, int ndims,
                                           const dnnl_dims_t dims, dnnl_data_type_t data_type,
                                           dnnl_format_tag_t tag) {
  return StatusOf(
      [&] {
        *memory_desc = memory::desc(DimsOf(ndims, dims), static_cast<memory::data_type>(data_type),
                                    static_cast<memory::format_tag>(tag))
                           .data;
      },
      memory_desc);
}

dnnl_status_t dnnl_memory_desc_init_submemory(dnnl_memory_desc_t* memory_desc,
                                              const dnnl_memory_desc_t* parent_memory_desc,
                                              const dnnl_dims_t dims, const dnnl_dims_t offsets) {
  return StatusOf(
      [&] {
        const int ndims = parent_memory_desc->ndims;
        *memory_desc = memory::desc(*parent_memory_desc)
                           .submemory_desc(DimsOf(ndims, dims), DimsOf(ndims, offsets))
                           .data;
      },
      memory_desc, parent_memory_desc);
}

dnnl_status_t dnnl_memory_desc_reshape(dnnl_memory_desc_t* out_memory_desc,
                                       const dnnl_memory_desc_t* in_memory_desc, int ndims,
                                       const dnnl_dims_t dims) {
  return StatusOf(
      [&] { *out_memory_desc = memory::desc(*in_memory_desc).reshape(DimsOf(ndims, dims)).data; },
      out_memory_desc, in_memory_desc);
}

dnnl_status_t dnnl_memory_desc_permute_axes(dnnl_memory_desc_t* out_memory_desc,
                                            const dnnl_memory_desc_t* in_memory_desc,
                                            const int* permutation) {
  return StatusOf(
      [&] {
        DimsOf(in_memory_desc->ndims, in_memory_desc->dims);
        const auto axes = api::ValuesOf<int>(in_memory_desc->ndims, permutation);
        *out_memory_desc = memory::desc(*in_memory_desc).permute_axes(axes).data;
      },
      out_memory_desc, in_memory_desc);
}

int dnnl_memory_desc_equal(const dnnl_memory_desc_t* lhs, const dnnl_memory_desc_t* rhs) {
  return lhs == rhs || (lhs != nullptr && rhs != nullptr && memory::desc(*lhs) == *rhs);
}

size_t dnnl_memory_desc_get_size(const dnnl_memory_desc_t* memory_desc) {
  size_t size = 0;
  StatusOf([&] { size = memory::desc(*memory_desc).get_size(); }, memory_desc);
  return size;
}

size_t dnnl_data_type_size(dnnl_data_type_t data_type) {
  return memory::data_type_size(static_cast<memory::data_type>(data_type));
}

dnnl_status_t dnnl_memory_create(dnnl_memory_t* memory, const dnnl_memory_desc_t* memory_desc,
                                 dnnl_engine_t engine, void* handle) {
  return StatusOf(
      [&] {
        *memory = api::Give(dnnl::memory(*memory_desc, Borrow<dnnl::engine>(engine), handle));
      },
      memory, memory_desc, engine);
}

dnnl_status_t dnnl_memory_get_memory_desc(const_dnnl_memory_t memory,
                                          const dnnl_memory_desc_t** memory_desc) {
  return StatusOf([&] { *memory_desc = &memory->desc; }, memory, memory_desc);
}

dnnl_status_t dnnl_memory_get_engine(const_dnnl_memory_t memory, dnnl_engine_t* engine) {
  return StatusOf([&] { *engine = const_cast<dnnl_engine_t>(memory->engine.get()); }, memory,
                  engine);
}

dnnl_status_t dnnl_memory_map_data(const_dnnl_memory_t memory, void** mapped_ptr) {
  return StatusOf([&] { *mapped_ptr = Borrow<dnnl::memory>(memory).map_data(); }, memory,
                  mapped_ptr);
}

dnnl_status_t dnnl_memory_unmap_data(const_dnnl_memory_t memory, void* mapped_ptr) {
  return StatusOf([&] { Borrow<dnnl::memory>(memory).unmap_data(mapped_ptr); }, memory);
}

dnnl_status_t dnnl_memory_get_data_handle(const_dnnl_memory_t memory, void** handle) {
  return StatusOf([&] { *handle = memory->handle; }, memory, handle);
}

dnnl_status_t dnnl_memory_set_data_handle(dnnl_memory_t memory, void* handle) {
  return dnnl_memory_set_data_handle_v2(memory, handle, nullptr);
}

dnnl_status_t dnnl_memory_set_data_handle_v2(dnnl_memory_t memory, void* handle,
                                             dnnl_stream_t stream) {
  return StatusOf(
      [&] { Borrow<dnnl::memory>(memory).set_data_handle(handle, Borrow<dnnl::stream>(stream)); },
      memory);
}

dnnl_status_t dnnl_memory_destroy(dnnl_memory_t memory) { return api::Destroy(memory); }

}  // extern "C"
