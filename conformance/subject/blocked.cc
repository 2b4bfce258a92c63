#include "conformance/subject/blocked.h"

#include <algorithm>
#include <string>

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;

// False where `Desc` has no such members.
template <class Desc>
auto Fill(const spec::Blocked& layout, bool run_time, Desc* desc, int)
    -> decltype(desc->data.format_desc.blocking.inner_nblks, desc->data.padded_dims[0],
                desc->data.offset0, bool()) {
  const spec::Dims padded = spec::PaddedDims(layout);
  auto& blocking = desc->data.format_desc.blocking;
  for (size_t j = 0; j < padded.size(); ++j) {
    desc->data.padded_dims[j] = padded[j];
    blocking.strides[j] = run_time ? DNNL_RUNTIME_DIM_VAL : layout.strides[j];
  }
  blocking.inner_nblks = static_cast<int>(layout.blocks.size());
  for (size_t k = 0; k < layout.blocks.size(); ++k) {
    blocking.inner_idxs[k] = layout.blocks[k].axis;
    blocking.inner_blks[k] = layout.blocks[k].size;
  }
  desc->data.offset0 = layout.offset;
  return true;
}

template <class Desc>
bool Fill(const spec::Blocked&, bool, Desc*, long) {
  return false;
}

TensorSpec BytesOf(const memory::desc& desc) {
  const auto bytes = static_cast<int64_t>(desc.get_size());
  return {spec::Type::kU8, {bytes}, RowMajor({bytes})};
}

// Handles are aligned for the type.
Placement AlignedFor(const BlockedTensor& tensor, const memory::desc& desc, Placement at) {
  const int element_bytes = spec::BytesOf(tensor.type);
  at.shift *= element_bytes;
  const bool whole = static_cast<int64_t>(desc.get_size()) % element_bytes == 0;
  return at.edge == Placement::Edge::kEnd && !whole ? Placement() : at;
}

}  // namespace

std::optional<memory::desc> BlockedDesc(const BlockedTensor& tensor, bool run_time, Trial& trial) {
  memory::desc desc(tensor.dims(), DataTypeOf(tensor.type), RowMajor(tensor.dims()).strides);
  if (Fill(tensor.layout, run_time, &desc, 0)) return desc;
  trial.NotRun("the subject's descriptors show no blocks");
  return std::nullopt;
}

BlockedMemory::BlockedMemory(const BlockedTensor& tensor, const memory::desc& desc,
                             const Device& device, const Placement& placement, uint64_t seed)
    : type_(tensor.type),
      places_(spec::PlacesOf(tensor.layout)),
      bytes_(BytesOf(desc), desc, device, AlignedFor(tensor, desc, placement), seed),
      before_(static_cast<size_t>(desc.get_size())) {
  for (size_t i = 0; i < before_.size(); ++i) before_[i] = (Mix(seed + i) & 0xff) | 1;
}

void BlockedMemory::Put(const std::vector<int64_t>& places, const std::vector<Bits>& values) {
  const auto size = static_cast<size_t>(spec::BytesOf(type_));
  for (size_t k = 0; k < values.size(); ++k) {
    const auto first = static_cast<size_t>(places[k]) * size;
    for (size_t b = 0; b < size; ++b) before_[first + b] = values[k] >> (8 * b) & 0xff;
  }
}

void BlockedMemory::Store(const std::vector<Bits>& values) {
  Put(places_.elements, values);
  bytes_.Store(before_);
}

void BlockedMemory::Store(const std::vector<Bits>& values, const spec::Blocked& other,
                          const std::vector<Bits>& others) {
  Put(places_.elements, values);
  Put(spec::PlacesOf(other).elements, others);
  bytes_.Store(before_);
}

std::vector<Bits> BlockedMemory::Load() {
  const std::vector<Bits> bytes = bytes_.Load();
  const auto size = static_cast<size_t>(spec::BytesOf(type_));
  std::vector<Bits> values(places_.elements.size(), 0);
  for (size_t k = 0; k < values.size(); ++k) {
    const auto first = static_cast<size_t>(places_.elements[k]) * size;
    for (size_t b = 0; b < size; ++b) values[k] |= bytes[first + b] << (8 * b);
  }
  return values;
}

bool BlockedMemory::ExpectZeroPadding(std::string_view name, Trial& trial) {
  const std::vector<Bits> now = bytes_.Load();
  const auto size = static_cast<size_t>(spec::BytesOf(type_));
  std::vector<Bits> wanted = before_;
  std::vector<bool> padded(now.size(), false);
  const auto each = [&](const std::vector<int64_t>& places, auto use) {
    for (const int64_t place : places)
      for (size_t b = 0; b < size; ++b) use(static_cast<size_t>(place) * size + b);
  };
  each(places_.elements, [&](size_t at) { wanted[at] = now[at]; });
  each(places_.padding, [&](size_t at) {
    wanted[at] = 0;
    padded[at] = true;
  });
  for (size_t at = 0; at < now.size(); ++at) {
    if (now[at] == wanted[at]) continue;
    trial.Fail(std::string(name) + (padded[at] ? ", byte " : " outside its blocks, byte ") +
                   std::to_string(at) + (padded[at] ? ", padding" : ""),
               std::to_string(wanted[at]), std::to_string(now[at]));
    return false;
  }
  const std::string changed = bytes_.ChangedGap();
  return trial.Expect(changed.empty(), std::string(name) + " beyond get_size()", "untouched",
                      changed);
}

bool BlockedMemory::ExpectUntouched(std::string_view name, Trial& trial) {
  const std::string changed = bytes_.ChangedByte(before_);
  return trial.Expect(changed.empty(), name, "untouched", changed);
}

int64_t Reach(const spec::Blocked& layout) {
  const spec::Places places = spec::PlacesOf(layout);
  int64_t last = -1;
  for (const auto* list : {&places.elements, &places.padding})
    for (const int64_t place : *list) last = std::max(last, place);
  return last + 1;
}

void SawBlocks(Trial& trial, const BlockedTensor& tensor) {
  for (const std::string& name : ClassesOf(tensor)) trial.Cover(name);
}

}  // namespace conformance
