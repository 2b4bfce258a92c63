// Where arguments of an execution lie in one buffer.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/memory/bytes.h"
#include "api/memory/layout.h"
#include "api/memory/memory_state.h"
#include "api/model/argument_names.h"
#include "api/model/argument_sorts.h"
#include "api/model/primitive_state.h"

namespace dnnl {
namespace state {

argument::argument(const spi::TensorArg& tensor, spi::Engine* a_spi_engine)
    : index(tensor.argument),
      what(api::SortOf(tensor.argument, spi::Writes(tensor.access))),
      layout(&tensor.layout),
      spi_engine(a_spi_engine),
      written(spi::Writes(tensor.access)),
      open(api::HasRunTimeValues(tensor.layout)) {
  if (!open) bytes = api::AddressedBytes(tensor.layout);
}

}  // namespace state
}  // namespace dnnl

namespace api {
namespace {

namespace state = dnnl::state;

// An argument where it lies.
struct Tensor {
  const state::argument& argument;
  const spi::Layout& layout;
  spi::Place place;
};

Tensor TensorOf(const state::argument& argument, const state::memory& given) {
  return {argument, argument.open ? given.layout : *argument.layout,
          given.buffer == nullptr ? spi::Place{} : given.buffer->place()};
}

// Whether two arguments, in the order of their indices, may lie exactly in one place.
bool MayCoincide(const state::primitive_desc& desc, std::size_t i, std::size_t k) {
  const auto read = static_cast<std::size_t>(desc.in_place.read),
             written = static_cast<std::size_t>(desc.in_place.written);
  return desc.in_place.written >= 0 && i == std::min(read, written) && k == std::max(read, written);
}

bool Disturb(const Tensor& a, const Tensor& b, bool may_coincide) {
  if (a.argument.spi_engine != b.argument.spi_engine || a.place.space != b.place.space)
    return false;
  const auto distance = static_cast<int64_t>(b.place.byte - a.place.byte);
  if (may_coincide && Coincide(a.layout, b.layout, distance)) return false;
  return ShareBytes(a.layout, b.layout, distance);
}

}  // namespace

absl::Status CheckSharing(const state::primitive_desc& desc, const state::memory* const* given) {
  const std::size_t count = desc.arguments.size();
  for (std::size_t k = 1; k < count; ++k) {
    for (std::size_t i = 0; i < k; ++i) {
      const state::argument &first = desc.arguments[i], &second = desc.arguments[k];
      if (!first.written && !second.written) continue;
      const Tensor a = TensorOf(first, *given[i]), b = TensorOf(second, *given[k]);
      if (!Disturb(a, b, MayCoincide(desc, i, k))) continue;
      return absl::InvalidArgumentError(
          absl::StrCat(NameOf(desc), "::execute: ", NameOfArgument(first.index), ", ",
                       spi::ToString(a.layout), ", and ", NameOfArgument(second.index), ", ",
                       spi::ToString(b.layout), ", share bytes of one buffer", " (PRIM-050)"));
    }
  }
  return absl::OkStatus();
}

bool ServesOneBuffer(const state::primitive_desc& desc) {
  const spi::Layout &from = *desc.arguments[0].layout, &to = *desc.arguments[1].layout;
  return (MayCoincide(desc, 0, 1) && Coincide(from, to, 0)) || !ShareBytes(from, to, 0);
}

}  // namespace api
