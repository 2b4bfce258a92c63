#include <algorithm>

#include "api/engine/throw.h"
#include "api/memory/checks.h"
#include "api/memory/construct.h"
#include "api/memory/layout.h"
#include "api/memory/views.h"
#include "oneapi/dnnl/memory/memory.hpp"

namespace dnnl {

std::size_t memory::data_type_size(data_type type) {
  return static_cast<std::size_t>(api::BytesOf(convert_to_c(type)));
}

memory::desc::desc(const memory::dims& adims, memory::data_type type, memory::format_tag tag,
                   bool allow_empty)
    : data(api::ValueOrEmpty(
          [&] { return api::DescOfTag(adims, memory::convert_to_c(type), static_cast<int>(tag)); },
          allow_empty)) {}

memory::desc::desc(const memory::dims& adims, memory::data_type type, const memory::dims& strides,
                   bool allow_empty)
    : data(api::ValueOrEmpty(
          [&] { return api::DescOfStrides(adims, memory::convert_to_c(type), strides); },
          allow_empty)) {}

memory::desc memory::desc::submemory_desc(const memory::dims& adims, const memory::dims& offsets,
                                          bool allow_empty) const {
  return api::ValueOrEmpty([&] { return api::Submemory(data, adims, offsets); }, allow_empty);
}

memory::desc memory::desc::reshape(const memory::dims& adims, bool allow_empty) const {
  return api::ValueOrEmpty([&] { return api::Reshape(data, adims); }, allow_empty);
}

memory::desc memory::desc::permute_axes(const std::vector<int>& permutation,
                                        bool allow_empty) const {
  return api::ValueOrEmpty([&] { return api::PermuteAxes(data, permutation); }, allow_empty);
}

memory::dims memory::desc::dims() const try {
  const int rank = std::max(0, std::min(data.ndims, DNNL_MAX_NDIMS));
  return memory::dims(data.dims, data.dims + rank);
} catch (...) {
  api::RethrowAsDnnlError();
}

std::size_t memory::desc::get_size() const try {
  if (data.format_kind == dnnl_format_kind_any || !api::CheckDesc("memory::desc", data).ok())
    return 0;
  return api::SizeInBytes(api::LayoutOf(data));
} catch (...) {
  api::RethrowAsDnnlError();
}

bool memory::desc::operator==(const desc& other) const { return api::SameDesc(data, other.data); }

}  // namespace dnnl
