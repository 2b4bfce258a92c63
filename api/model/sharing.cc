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

namespace dnnspec {
namespace state {

argument::argument(const spi::TensorArg& tensor, spi::Engine* a_spi_engine)
    : wants(1),
      index(tensor.argument),
      what(api::SortOf(tensor.argument, spi::Writes(tensor.access))),
      layout(&tensor.layout),
      spi_engine(a_spi_engine),
      written(spi::Writes(tensor.access)),
      open(api::HasRunTimeValues(tensor.layout)) {
  if (open) return;
  bytes = api::AddressedBytes(tensor.layout);
  wants = api::DeviceAndType(spi_engine, tensor.layout.type);
}

}  // namespace state
}  // namespace dnnspec

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
bool MayCoincide(const state::computation& what, std::size_t i, std::size_t k) {
  const auto read = static_cast<std::size_t>(what.in_place.read),
             written = static_cast<std::size_t>(what.in_place.written);
  return what.in_place.written >= 0 && i == std::min(read, written) && k == std::max(read, written);
}

bool Disturb(const Tensor& a, const Tensor& b, bool may_coincide) {
  if (a.argument.spi_engine != b.argument.spi_engine || a.place.space != b.place.space)
    return false;
  const auto distance = static_cast<int64_t>(b.place.byte - a.place.byte);
  if (may_coincide && Coincide(a.layout, b.layout, distance)) return false;
  return ShareBytes(a.layout, b.layout, distance);
}

}  // namespace

absl::Status CheckSharing(const state::computation& what, const state::memory* const* given) {
  const std::size_t count = what.arguments.size();
  for (std::size_t k = 1; k < count; ++k) {
    for (std::size_t i = 0; i < k; ++i) {
      const state::argument &first = what.arguments[i], &second = what.arguments[k];
      if (!first.written && !second.written) continue;
      const Tensor a = TensorOf(first, *given[i]), b = TensorOf(second, *given[k]);
      if (!Disturb(a, b, MayCoincide(what, i, k))) continue;
      return absl::InvalidArgumentError(
          absl::StrCat(NameOf(what), "::execute: ", NameOfArgument(first.index), ", ",
                       spi::ToString(a.layout), ", and ", NameOfArgument(second.index), ", ",
                       spi::ToString(b.layout), ", share bytes of one buffer", " (PRIM-050)"));
    }
  }
  return absl::OkStatus();
}

namespace {

// Whether one buffer may be arguments[0] and arguments[1], of which no value is open.
bool ServesOneBuffer(const state::computation& what) {
  const spi::Layout &from = *what.arguments[0].layout, &to = *what.arguments[1].layout;
  return (MayCoincide(what, 0, 1) && Coincide(from, to, 0)) || !ShareBytes(from, to, 0);
}

}  // namespace

void FindEncounters(state::computation* made) {
  const auto& listed = made->arguments;
  for (std::size_t i = 1; i < listed.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (!listed[i].written && !listed[k].written) continue;
      const ByteRange &first = listed[k].bytes, &second = listed[i].bytes;
      const bool empty = first.end == 0 || second.end == 0;
      if (empty || listed[k].spi_engine != listed[i].spi_engine) continue;
      // From where the last byte of the second is the first one of the first, to where it is the
      // other way round. Lengths of up to 2^63 - 1 bytes add up to less than 2^64.
      const auto least = static_cast<std::uintptr_t>(first.begin - second.end + 1);
      const auto count = static_cast<std::uintptr_t>(first.end - first.begin) +
                         static_cast<std::uintptr_t>(second.end - second.begin) - 1;
      made->encounters.push_back({k, i, least, count});
    }
  }
  made->serves_one_buffer =
      made->plan != nullptr && made->resolve == nullptr && ServesOneBuffer(*made);
}

}  // namespace api
