#include "api/memory/views.h"

#include <algorithm>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "api/memory/checks.h"
#include "api/memory/layout.h"
#include "api/memory/tags.h"

namespace api {
namespace {

using Wide = __int128;

template <typename... Args>
absl::Status Invalid(const char* what, const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat(what, ": ", args...));
}

// A descriptor that a view can be taken of: it has a tensor, fixed in shape and layout.
absl::Status CheckParent(const char* what, const dnnl_memory_desc_t& desc, const char* id) {
  if (desc.ndims == 0) return Invalid(what, "the descriptor is zero (", id, ")");
  absl::Status status = CheckDesc(what, desc);
  if (!status.ok()) return status;
  if (HasRunTimeValues(desc)) return Invalid(what, "the descriptor has run-time values (", id, ")");
  if (desc.format_kind == kOpaqueFormat ||
      (desc.format_kind == dnnl_blocked && desc.format_desc.blocking.inner_nblks > 0))
    return absl::UnimplementedError(
        absl::StrCat(what, ": the descriptor's layout is opaque (OPT-011)"));
  return absl::OkStatus();
}

absl::Status CheckLength(const char* what, const char* name, std::size_t length, int rank,
                         const char* id) {
  if (length != static_cast<std::size_t>(rank))
    return Invalid(what, name, " has ", length, " entries for ", rank, " dims (", id, ")");
  return absl::OkStatus();
}

// The axes of a layout that count: without those of size 1, outermost first.
struct Axes {
  int count = 0;
  int64_t dims[DNNL_MAX_NDIMS];
  int64_t padded[DNNL_MAX_NDIMS];
  int64_t strides[DNNL_MAX_NDIMS];
  int position[DNNL_MAX_NDIMS];
};

Axes DropOnes(const dnnl_memory_desc_t& desc) {
  Axes axes;
  for (int j = 0; j < desc.ndims; ++j) {
    if (desc.dims[j] == 1 && desc.padded_dims[j] == 1) continue;
    axes.dims[axes.count] = desc.dims[j];
    axes.padded[axes.count] = desc.padded_dims[j];
    axes.strides[axes.count] = desc.format_desc.blocking.strides[j];
    axes.position[axes.count++] = j;
  }
  return axes;
}

// Strides and padding for `to` over the elements of `from`, both without ones and of equal product.
// Axes are matched in the smallest groups of equal product; a group of several old axes must be one
// run, and an axis with padding stays by itself. Returns the first old axis that cannot be joined
// with the next one, or split, or -1.
int MatchGroups(const Axes& from, Axes* to) {
  for (int i = 0, j = 0; i < from.count;) {
    if (j == to->count) return from.position[i];  // a dim of 1 with padding
    int i_end = i + 1, j_end = j + 1;
    Wide old_product = from.dims[i], new_product = to->dims[j];
    while (old_product != new_product) {
      if (old_product < new_product)
        old_product *= from.dims[i_end++];
      else
        new_product *= to->dims[j_end++];
    }
    for (int k = i; k < i_end; ++k)
      if (from.padded[k] != from.dims[k] && (i_end > i + 1 || j_end > j + 1))
        return from.position[k];
    to->padded[j] = from.padded[i] == from.dims[i] ? to->dims[j] : from.padded[i];
    for (int k = i; k + 1 < i_end; ++k)
      if (Wide{from.strides[k]} != Wide{from.strides[k + 1]} * from.dims[k + 1])
        return from.position[k];
    int64_t stride = from.strides[i_end - 1];
    for (int k = j_end - 1; k >= j; --k) {
      to->strides[k] = stride;
      stride *= to->dims[k];
    }
    i = i_end;
    j = j_end;
  }
  return -1;
}

// Why the axis that MatchGroups returned is not joined or split.
absl::Status Torn(const char* what, const dnnl_memory_desc_t& from, int axis) {
  if (from.padded_dims[axis] != from.dims[axis])
    return Invalid(what, "dims[", axis, "] = ", from.dims[axis], " is padded to ",
                   from.padded_dims[axis], ", so it is neither joined nor split (MD-092)");
  return Invalid(what, "strides[", axis, "] = ", from.format_desc.blocking.strides[axis],
                 " does not continue the dims after it, so dims[", axis,
                 "] cannot be joined (MD-092)");
}

// Those of `axes`. A dim of 1 gets the stride at which it would continue the dims after it.
void SetStrides(const Axes& axes, dnnl_memory_desc_t* to) {
  int64_t* const strides = to->format_desc.blocking.strides;
  int64_t next = 1;
  for (int j = to->ndims - 1, k = axes.count - 1; j >= 0; --j) {
    const bool moves = k >= 0 && axes.position[k] == j;
    strides[j] = moves ? axes.strides[k--] : next;
    if (__builtin_mul_overflow(strides[j], std::max<int64_t>(1, to->dims[j]), &next)) next = 1;
  }
}

// CheckParent for what keeps hand-written padding (padded_dims above dims without inner blocks) as
// it is: then the padded tensor has to be legal.
absl::Status CheckPaddedParent(const char* what, const dnnl_memory_desc_t& desc, const char* id) {
  const bool plain = desc.ndims > 0 && desc.ndims <= DNNL_MAX_NDIMS &&
                     desc.format_kind == dnnl_blocked && desc.format_desc.blocking.inner_nblks == 0;
  dnnl_memory_desc_t whole = desc;
  for (int j = 0; plain && j < desc.ndims; ++j) {
    if (desc.padded_dims[j] < desc.dims[j] || desc.dims[j] < 0) return CheckParent(what, desc, id);
    whole.dims[j] = desc.padded_dims[j];
  }
  return CheckParent(what, whole, id);
}

bool HasZero(const int64_t* dims, int rank) { return std::count(dims, dims + rank, 0) > 0; }

}  // namespace

absl::StatusOr<dnnl_memory_desc_t> Submemory(const dnnl_memory_desc_t& parent,
                                             const std::vector<int64_t>& dims,
                                             const std::vector<int64_t>& offsets) {
  constexpr char kWhat[] = "memory::desc::submemory_desc";
  absl::Status status = CheckParent(kWhat, parent, "MD-079");
  if (!status.ok()) return status;
  if (parent.format_kind == dnnl_format_kind_any)
    return Invalid(kWhat, "the descriptor is `any` and has no layout (MD-079)");
  status = CheckLength(kWhat, "dims", dims.size(), parent.ndims, "MD-075");
  if (status.ok()) status = CheckLength(kWhat, "offsets", offsets.size(), parent.ndims, "MD-075");
  if (!status.ok()) return status;

  dnnl_memory_desc_t region = parent;
  Wide start = parent.offset0;
  for (int j = 0; j < parent.ndims; ++j) {
    if (dims[j] < 0) return Invalid(kWhat, "dims[", j, "] = ", dims[j], " is negative (MD-075)");
    if (offsets[j] < 0)
      return Invalid(kWhat, "offsets[", j, "] = ", offsets[j], " is negative (MD-075)");
    if (offsets[j] > parent.dims[j] || dims[j] > parent.dims[j] - offsets[j])
      return Invalid(kWhat, "offsets[", j, "] = ", offsets[j], " plus dims[", j, "] = ", dims[j],
                     " is above ", parent.dims[j], " of the parent (MD-075)");
    region.dims[j] = region.padded_dims[j] = dims[j];
    start += Wide{offsets[j]} * parent.format_desc.blocking.strides[j];
    if (start > std::numeric_limits<int64_t>::max())
      return Invalid(kWhat, "the start of the region does not fit 63 bits (MD-026)");
  }
  region.offset0 = static_cast<int64_t>(start);
  return region;
}

absl::StatusOr<dnnl_memory_desc_t> Reshape(const dnnl_memory_desc_t& from,
                                           const std::vector<int64_t>& dims) {
  constexpr char kWhat[] = "memory::desc::reshape";
  absl::Status status = CheckPaddedParent(kWhat, from, "MD-098");
  if (status.ok()) status = CheckRank(kWhat, dims.size());
  if (!status.ok()) return status;
  if (dims.empty()) return Invalid(kWhat, "dims is empty (MD-098)");
  const int rank = static_cast<int>(dims.size());
  for (int j = 0; j < rank; ++j)
    if (dims[j] < 0) return Invalid(kWhat, "dims[", j, "] = ", dims[j], " is negative (MD-098)");

  const bool empty = HasZero(from.dims, from.ndims);
  Wide old_product = empty ? 0 : 1, new_product = HasZero(dims.data(), rank) ? 0 : 1;
  for (int j = 0; j < from.ndims && !empty; ++j) old_product *= from.dims[j];
  for (int j = 0; j < rank && new_product <= old_product; ++j) new_product *= dims[j];
  if (new_product != old_product)
    return Invalid(kWhat, "dims = ", absl::StrJoin(dims, "x"), " have ",
                   new_product < old_product ? "fewer" : "more", " elements than the ",
                   static_cast<int64_t>(old_product), " of the descriptor (MD-087)");

  dnnl_memory_desc_t to = from;
  to.ndims = rank;
  std::fill_n(to.dims, DNNL_MAX_NDIMS, 0);
  std::copy(dims.begin(), dims.end(), to.dims);
  std::copy_n(to.dims, DNNL_MAX_NDIMS, to.padded_dims);
  std::fill_n(to.padded_offsets, DNNL_MAX_NDIMS, 0);
  if (from.format_kind == dnnl_format_kind_any) return to;
  const bool padded = !std::equal(from.dims, from.dims + from.ndims, from.padded_dims);
  if (padded && rank == from.ndims && std::equal(dims.begin(), dims.end(), from.dims)) return from;

  int64_t* const strides = to.format_desc.blocking.strides;
  std::fill_n(strides, DNNL_MAX_NDIMS, 0);
  const Axes old_axes = DropOnes(from);
  Axes new_axes = DropOnes(to);
  if (empty && !(old_axes.count == new_axes.count &&
                 std::equal(old_axes.dims, old_axes.dims + old_axes.count, new_axes.dims))) {
    // No element exists, so every layout is right.
    status = RowMajorStrides(rank, to.dims, strides);
    if (!status.ok()) return status;
    return to;
  }
  if (empty) {
    std::copy_n(old_axes.strides, old_axes.count, new_axes.strides);
  } else {
    const int torn = MatchGroups(old_axes, &new_axes);
    if (torn >= 0) return Torn(kWhat, from, torn);
    for (int k = 0; k < new_axes.count; ++k)
      to.padded_dims[new_axes.position[k]] = new_axes.padded[k];
  }
  SetStrides(new_axes, &to);
  return to;
}

absl::StatusOr<dnnl_memory_desc_t> PermuteAxes(const dnnl_memory_desc_t& from,
                                               const std::vector<int>& permutation) {
  constexpr char kWhat[] = "memory::desc::permute_axes";
  absl::Status status = CheckPaddedParent(kWhat, from, "MD-112");
  if (status.ok())
    status = CheckLength(kWhat, "permutation", permutation.size(), from.ndims, "MD-109");
  if (!status.ok()) return status;
  dnnl_memory_desc_t to = from;
  unsigned seen = 0;
  for (int i = 0; i < from.ndims; ++i) {
    const int j = permutation[i];
    if (j < 0 || j >= from.ndims)
      return Invalid(kWhat, "permutation[", i, "] = ", j, " is not in [0, ", from.ndims,
                     ") (MD-109)");
    if (seen >> j & 1)
      return Invalid(kWhat, "permutation[", i, "] = ", j, " occurs before (MD-109)");
    seen |= 1u << j;
    to.dims[j] = from.dims[i];
    to.padded_dims[j] = from.padded_dims[i];
    to.format_desc.blocking.strides[j] = from.format_desc.blocking.strides[i];
  }
  return to;
}

}  // namespace api
