#include "api/memory/checks.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "api/memory/layout.h"

namespace api {
namespace {

using Wide = __int128;
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

template <typename... Args>
absl::Status Invalid(const char* what, const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat(what, ": ", args...));
}

// A layout with inner blocks is a plain one of whole blocks, of which axis j has steps[j].
struct Blocks {
  int64_t steps[DNNL_MAX_NDIMS];
  int64_t size = 1;  // elements of a block
};

absl::Status CheckBlocks(const char* what, const dnnl_memory_desc_t& desc, Blocks* blocks) {
  const dnnl_blocking_desc_t& blocking = desc.format_desc.blocking;
  if (blocking.inner_nblks < 0 || blocking.inner_nblks > DNNL_MAX_NDIMS)
    return Invalid(what, "inner_nblks = ", blocking.inner_nblks, " is not in [0, 12] (MD-059)");
  int64_t block[DNNL_MAX_NDIMS];
  std::fill_n(block, DNNL_MAX_NDIMS, 1);
  int count = 0;
  for (int k = 0; k < blocking.inner_nblks; ++k) {
    const int64_t axis = blocking.inner_idxs[k], size = blocking.inner_blks[k];
    if (axis < 0 || axis >= desc.ndims || size < 1 ||
        __builtin_mul_overflow(block[axis], size, &block[axis]))
      return Invalid(what, "inner block ", k, " is ", size, " of axis ", axis, " (MD-059)");
    if (size > std::numeric_limits<int32_t>::max())
      return Invalid(what, "inner block ", k, " is ", size,
                     " elements, more than a layout of this library holds (MD-059)");
    if (size > 1 && ++count > spi::kMaxBlocks)
      return Invalid(what, "inner_nblks = ", blocking.inner_nblks, " with more than ",
                     spi::kMaxBlocks, " blocks of several elements is no layout of this library",
                     " (MD-059)");
  }
  for (int j = 0; j < desc.ndims; ++j) {
    const int64_t dim = desc.dims[j], padded = desc.padded_dims[j];
    const bool known = dim != DNNL_RUNTIME_DIM_VAL;
    if (block[j] == 1 || !known
            ? padded != dim
            : padded < dim || padded % block[j] != 0 || padded - dim >= block[j])
      return Invalid(what, "padded_dims[", j, "] = ", padded, " does not fit dims[", j, "] = ", dim,
                     " in blocks of ", block[j], " (MD-059)");
    blocks->steps[j] = block[j] == 1 ? padded : padded / block[j];
    if (__builtin_mul_overflow(blocks->size, block[j], &blocks->size))
      return Invalid(what, "the elements of a block do not fit 63 bits (MD-026)");
  }
  return absl::OkStatus();
}

// That no two elements share a place: axis j makes steps[j] steps, each at least `size` elements.
// `counts` names the steps in messages. Checks nothing while a value is known at execution only.
absl::Status CheckSteps(const char* what, int rank, const int64_t* dims, const int64_t* strides,
                        const int64_t* steps, int64_t size, const char* counts) {
  bool empty = false;
  for (int j = 0; j < rank; ++j) {
    if (dims[j] == DNNL_RUNTIME_DIM_VAL || strides[j] == DNNL_RUNTIME_DIM_VAL)
      return absl::OkStatus();
    empty |= dims[j] == 0;
  }
  for (int j = 0; j < rank; ++j)
    if (strides[j] < 0)
      return Invalid(what, "strides[", j, "] = ", strides[j], " is negative (MD-013)");
  if (empty) return absl::OkStatus();

  int order[DNNL_MAX_NDIMS];  // axes that move, inner to outer
  int count = 0;
  for (int j = 0; j < rank; ++j) {
    if (steps[j] == 1 || strides[j] == 0) continue;
    int k = count++;
    for (; k > 0 && strides[order[k - 1]] > strides[j]; --k) order[k] = order[k - 1];
    order[k] = j;
  }
  if (count > 0 && strides[order[0]] < size)
    return Invalid(what, "strides[", order[0], "] = ", strides[order[0]], " is below the ", size,
                   " elements of a block (MD-006)");
  for (int k = 1; k < count; ++k) {
    const int inner = order[k - 1], outer = order[k];
    const Wide need = Wide{strides[inner]} * steps[inner];
    if (strides[outer] >= need) continue;
    return Invalid(
        what, "strides[", outer, "] = ", strides[outer], " is below strides[", inner, "] * ",
        counts, "[", inner,
        "] = ", need > kMax ? "more than 64 bits hold" : absl::StrCat(static_cast<int64_t>(need)),
        " (MD-006)");
  }
  return absl::OkStatus();
}

// The extent of elements in memory, where axis j makes steps[j] steps; of `any`, their number.
absl::Status CheckReach(const char* what, const dnnl_memory_desc_t& desc, const int64_t* steps,
                        int64_t size) {
  if (HasRunTimeValues(desc)) return absl::OkStatus();
  Wide count = 1;
  for (int j = 0; j < desc.ndims; ++j)
    if (desc.dims[j] == 0) return absl::OkStatus();
  const int64_t most = kMax / BytesOf(desc.data_type);  // elements
  // Nobody reads the padded_dims of `any`, which may have been written by hand.
  const int64_t* const extents = desc.format_kind == dnnl_blocked ? desc.padded_dims : desc.dims;
  for (int j = 0; j < desc.ndims; ++j) {
    count *= extents[j];
    if (count > most)
      return Invalid(what, "the bytes of dims[0] to dims[", j, "] do not fit 63 bits (MD-026)");
  }
  if (desc.format_kind != dnnl_blocked) return absl::OkStatus();
  // Steps and strides have 63 bits, so a product has 126, and what is above 63 ends the loop.
  const int64_t* const strides = desc.format_desc.blocking.strides;
  Wide last = Wide{desc.offset0} + (size - 1), span = size;
  if (last > most - 1)
    return Invalid(what, "the bytes from offset0 = ", desc.offset0,
                   " on do not fit 63 bits (MD-026)");
  for (int j = 0; j < desc.ndims; ++j) {
    if (steps[j] == 1) continue;
    const Wide reach = Wide{steps[j]} * strides[j];
    span = std::max(span, reach);
    last += reach - strides[j];
    if (span > most || last > most - 1)
      return Invalid(what, "the bytes that dims[", j, "] = ", desc.dims[j], " and strides[", j,
                     "] = ", strides[j], " reach do not fit 63 bits (MD-026)");
  }
  return absl::OkStatus();
}

// Only queries give such descriptors, so what is wrong was written by hand.
absl::Status CheckOpaque(const char* what, const dnnl_memory_desc_t& desc) {
  static constexpr int64_t kMost = std::numeric_limits<uint16_t>::max();
  const int64_t* const fields = desc.format_desc.blocking.strides;
  for (const int field : {kOpaqueOwner, kOpaqueNumber})
    if (fields[field] < 1 || fields[field] > kMost)
      return Invalid(what, "field ", field, " = ", fields[field],
                     " of the opaque layout is not in [1, ", kMost, "] (MD-059)");
  if (fields[kOpaqueBytes] < 0)
    return Invalid(what, "the opaque layout has ", fields[kOpaqueBytes], " bytes (MD-059)");
  for (int j = 0; j < desc.ndims; ++j)
    if (desc.dims[j] == DNNL_RUNTIME_DIM_VAL)
      return Invalid(what, "dims[", j, "] is run-time, which opaque layouts do not allow (MD-059)");
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckRank(const char* what, std::size_t rank) {
  if (rank > DNNL_MAX_NDIMS)
    return Invalid(what, "rank = ", rank, " is above ", DNNL_MAX_NDIMS, " (MD-024)");
  return absl::OkStatus();
}

absl::Status CheckDims(const char* what, int rank, const int64_t* dims) {
  for (int j = 0; j < rank; ++j)
    if (dims[j] < 0 && dims[j] != DNNL_RUNTIME_DIM_VAL)
      return Invalid(what, "dims[", j, "] = ", dims[j], " is negative (MD-012)");
  return absl::OkStatus();
}

absl::Status CheckDataType(const char* what, dnnl_data_type_t type) {
  const int number = static_cast<int>(type);
  if (number == dnnl_data_type_undef)
    return Invalid(what, "data_type = undef is for the zero descriptor only (MD-020)");
  if (number < dnnl_f16 || number > dnnl_u8)
    return Invalid(what, "data_type = ", number, " is not in [1, 6] (PRIM-018)");
  return absl::OkStatus();
}

absl::Status CheckStrides(const char* what, int rank, const int64_t* dims, const int64_t* strides) {
  return CheckSteps(what, rank, dims, strides, dims, 1, "dims");
}

absl::Status CheckExtent(const char* what, const dnnl_memory_desc_t& desc) {
  return CheckReach(what, desc, desc.dims, 1);
}

absl::Status CheckDesc(const char* what, const dnnl_memory_desc_t& desc) {
  if (desc.ndims == 0) return absl::OkStatus();
  if (desc.ndims < 0) return Invalid(what, "ndims = ", desc.ndims, " is negative (MD-024)");
  absl::Status status = CheckRank(what, static_cast<std::size_t>(desc.ndims));
  if (status.ok()) status = CheckDataType(what, desc.data_type);
  if (status.ok()) status = CheckDims(what, desc.ndims, desc.dims);
  if (!status.ok()) return status;
  if (desc.format_kind == dnnl_format_kind_any) {
    for (int j = 0; j < desc.ndims; ++j)
      if (desc.dims[j] == DNNL_RUNTIME_DIM_VAL)
        return Invalid(what, "dims[", j, "] is run-time, which `any` does not allow (MD-028)");
    return CheckExtent(what, desc);
  }
  if (desc.format_kind == kOpaqueFormat) return CheckOpaque(what, desc);
  if (desc.format_kind != dnnl_blocked)
    return Invalid(what, "format_kind = ", static_cast<int>(desc.format_kind),
                   " is no layout of this library (MD-059)");
  if (desc.offset0 < 0) return Invalid(what, "offset0 = ", desc.offset0, " is negative (MD-072)");
  if (desc.extra.flags != 0)
    return Invalid(what, "extra.flags = ", desc.extra.flags,
                   " is no layout of this library (MD-059)");
  for (int j = 0; j < desc.ndims; ++j)
    if (desc.padded_offsets[j] != 0)
      return Invalid(what, "padded_offsets[", j, "] = ", desc.padded_offsets[j],
                     " is not 0 (MD-059)");
  Blocks blocks;
  status = CheckBlocks(what, desc, &blocks);
  if (!status.ok()) return status;
  const dnnl_blocking_desc_t& blocking = desc.format_desc.blocking;
  status = CheckSteps(what, desc.ndims, desc.dims, blocking.strides, blocks.steps, blocks.size,
                      blocking.inner_nblks == 0 ? "dims" : "blocks");
  if (status.ok()) status = CheckReach(what, desc, blocks.steps, blocks.size);
  return status;
}

}  // namespace api
