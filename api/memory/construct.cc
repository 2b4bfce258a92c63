#include "api/memory/construct.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/memory/checks.h"
#include "api/memory/tags.h"

namespace api {
namespace {

constexpr char kWhat[] = "memory::desc";

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat(kWhat, ": ", args...));
}

// Dims and type, checked, without a layout yet.
absl::StatusOr<dnnl_memory_desc_t> Shape(const std::vector<int64_t>& dims, dnnl_data_type_t type) {
  absl::Status status = CheckRank(kWhat, dims.size());
  if (status.ok()) status = CheckDataType(kWhat, type);
  if (status.ok()) status = CheckDims(kWhat, static_cast<int>(dims.size()), dims.data());
  if (!status.ok()) return status;
  dnnl_memory_desc_t desc{};
  desc.ndims = static_cast<int>(dims.size());
  desc.data_type = type;
  std::copy(dims.begin(), dims.end(), desc.dims);
  std::copy(dims.begin(), dims.end(), desc.padded_dims);
  return desc;
}

absl::StatusOr<dnnl_memory_desc_t> WithinExtent(const dnnl_memory_desc_t& desc) {
  absl::Status status = CheckExtent(kWhat, desc);
  if (!status.ok()) return status;
  return desc;
}

}  // namespace

absl::StatusOr<dnnl_memory_desc_t> DescOfTag(const std::vector<int64_t>& dims,
                                             dnnl_data_type_t type, int tag) {
  const char* const word = WordOf(static_cast<dnnl_format_tag_t>(tag));
  if (word == nullptr && tag != dnnl_format_tag_undef && tag != dnnl_format_tag_any)
    return Invalid("format_tag = ", tag, " is no plain tag (MD-059)");
  if (dims.empty()) return dnnl_memory_desc_t{};
  absl::StatusOr<dnnl_memory_desc_t> shape = Shape(dims, type);
  if (!shape.ok()) return shape;
  dnnl_memory_desc_t& desc = *shape;

  if (tag == dnnl_format_tag_undef)
    return Invalid("format_tag = undef with ", dims.size(), " dims has no layout (MD-022)");
  if (tag == dnnl_format_tag_any) {
    desc.format_kind = dnnl_format_kind_any;
    absl::Status status = CheckDesc(kWhat, desc);
    if (!status.ok()) return status;
    return desc;
  }
  if (std::strlen(word) != dims.size()) {
    // One number has several names: the caller's is among them.
    const std::string aliases = AliasesOf(static_cast<dnnl_format_tag_t>(tag));
    return Invalid("format_tag = ", word, aliases.empty() ? "" : " (" + aliases + ")", " has ",
                   std::strlen(word), " letters for ", dims.size(), " dims (MD-004)");
  }
  desc.format_kind = dnnl_blocked;
  absl::Status status = StridesOf(word, desc.ndims, desc.dims, desc.format_desc.blocking.strides);
  if (!status.ok()) return status;
  return WithinExtent(desc);
}

absl::StatusOr<dnnl_memory_desc_t> DescOfStrides(const std::vector<int64_t>& dims,
                                                 dnnl_data_type_t type,
                                                 const std::vector<int64_t>& strides) {
  if (!strides.empty() && strides.size() != dims.size())
    return Invalid("strides has ", strides.size(), " entries for ", dims.size(), " dims (MD-010)");
  if (dims.empty()) return dnnl_memory_desc_t{};
  absl::StatusOr<dnnl_memory_desc_t> shape = Shape(dims, type);
  if (!shape.ok()) return shape;
  dnnl_memory_desc_t& desc = *shape;
  desc.format_kind = dnnl_blocked;
  int64_t* const to = desc.format_desc.blocking.strides;
  absl::Status status;
  if (strides.empty()) {
    status = RowMajorStrides(desc.ndims, desc.dims, to);
  } else {
    std::copy(strides.begin(), strides.end(), to);
    status = CheckStrides(kWhat, desc.ndims, desc.dims, to);
  }
  if (!status.ok()) return status;
  return WithinExtent(desc);
}

}  // namespace api
