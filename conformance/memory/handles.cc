// Mapping and sharing buffers: MEM-017 to MEM-029.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <unordered_map>

#include "conformance/case/property.h"
#include "conformance/gen/shapes.h"
#include "conformance/gen/values.h"
#include "conformance/memory/cases.h"
#include "conformance/memory/descriptors.h"
#include "conformance/memory/tensor_cases.h"
#include "conformance/memory/transfer.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/buffer.h"
#include "conformance/subject/device.h"
#include "conformance/subject/reorder_io.h"
#include "conformance/subject/same_copy.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;

// A page that nothing may touch.
void* ProtectedPage() {
  static void* const page =
      mmap(nullptr, sysconf(_SC_PAGESIZE), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page;
}

// Memories on a handle that nothing may look behind.
struct Blind {
  Device& device;
  void* handle;
  std::string name;  // of the handle

  memory On(const Desc& desc) const { return memory(desc, device.engine, handle); }
};

// Executes what `make` returns, which is of `kind`, where the subject offers it.
template <class Make>
void ExecuteEmpty(const char* kind, const Blind& blind, Make make,
                  const std::unordered_map<int, memory>& arguments, Trial& trial) {
  const auto primitive = Attempt([&] { return dnnl::primitive(make()); });
  if (!primitive || trial.failed()) return;
  trial.Cover(kind);
  const auto done = Attempt([&] {
    primitive.value->execute(blind.device.stream, arguments);
    blind.device.stream.wait();
  });
  trial.Expect(static_cast<bool>(done), kind + (" on " + blind.name), "executed",
               done.refusal.ToString());
}

// A shuffle along an axis that is not empty itself, and a function of each element.
void MapEmpty(const Desc& desc, const Blind& blind, Trial& trial) {
  const dnnl::engine& engine = blind.device.engine;
  const std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, blind.On(desc)},
                                                  {DNNL_ARG_DST, blind.On(desc)}};
  const spec::Dims dims = desc.dims();
  const auto axis = std::find_if(dims.begin(), dims.end(), [](int64_t dim) { return dim > 0; });
  const auto shuffle = [&] {
    const dnnl::shuffle_forward::desc op(dnnl::prop_kind::forward_training, desc,
                                         static_cast<int>(axis - dims.begin()),
                                         static_cast<int>(*axis));
    return dnnl::shuffle_forward({op, engine});
  };
  if (axis != dims.end()) ExecuteEmpty("shuffle", blind, shuffle, arguments, trial);
  const auto eltwise = [&] {
    const dnnl::eltwise_forward::desc op(dnnl::prop_kind::forward_training,
                                         dnnl::algorithm::eltwise_relu, desc, 0.5f, 0.f);
    return dnnl::eltwise_forward({op, engine});
  };
  ExecuteEmpty("eltwise", blind, eltwise, arguments, trial);
}

// The weights have elements, the batch has none.
void MultiplyEmpty(int64_t inputs, const Blind& blind, Trial& trial) {
  const dnnl::engine& engine = blind.device.engine;
  const auto f32 = [](const spec::Dims& dims) {
    return Desc(dims, memory::data_type::f32, FormatTag::ab);
  };
  const Desc src = f32({0, inputs}), weights = f32({2, inputs}), dst = f32({0, 2});
  const auto product = [&] {
    const dnnl::inner_product_forward::desc op(dnnl::prop_kind::forward_training, src, weights,
                                               dst);
    return dnnl::inner_product_forward({op, engine});
  };
  ExecuteEmpty("inner product", blind, product,
               {{DNNL_ARG_SRC, blind.On(src)},
                {DNNL_ARG_WEIGHTS, memory(weights, engine)},
                {DNNL_ARG_DST, blind.On(dst)}},
               trial);
}

// Made before the dims and strides are known.
void ReorderOpen(const TensorCase& c, const Desc& desc, const Blind& blind, Trial& trial) {
  const dnnl::engine& engine = blind.device.engine;
  const spec::Dims unknown(c.tensor.dims.size(), spec::kRunTimeDim);
  const auto reorder = [&] {
    const Desc open = WithStrides({c.tensor.type, unknown, unknown, {}});
    return dnnl::reorder({engine, open, engine, open});
  };
  ExecuteEmpty("reorder of run-time dims", blind, reorder,
               {{DNNL_ARG_FROM, blind.On(desc)}, {DNNL_ARG_TO, blind.On(desc)}}, trial);
}

void EmptyHandlesAreNeverUsed(const TensorCase& c, Trial& trial) {
  if (!spec::IsEmpty(c.tensor.dims)) return trial.Vacuous();
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!device->on_host) return trial.NotRun("the engine takes no host pointers");
  const auto desc = DescFor(c.tensor, trial);
  if (!desc) return;
  SawTensor(trial, c.tensor);
  const std::pair<const char*, void*> handles[] = {
      {"null", nullptr}, {"1", reinterpret_cast<void*>(1)}, {"a protected page", ProtectedPage()}};
  for (const auto& [name, handle] : handles) {
    const auto made = Accepted(trial, std::string("memory on ") + name,
                               [&, at = handle] { return memory(*desc, device->engine, at); });
    if (!made) return;
    memory from = *made, to(*desc, device->engine, handle);
    const auto reorder = Attempt([&] { return dnnl::reorder(from, to); });
    if (!reorder) continue;
    trial.Cover("executed");
    const auto done = Attempt([&] {
      reorder.value->execute(device->stream, from, to);
      device->stream.wait();
    });
    if (!trial.Expect(static_cast<bool>(done), std::string("reorder on ") + name, "executed",
                      done.refusal.ToString()))
      return;
    const Blind blind{*device, handle, name};
    MapEmpty(*desc, blind, trial);
    MultiplyEmpty(c.tensor.rank(), blind, trial);
    ReorderOpen(c, *desc, blind, trial);
    if (trial.failed()) return;
  }
}

// What a reorder makes of two layouts without elements is its own chapter's business (REO-019).
Cases<TensorCase> EmptyTensors() {
  return {0, [](int64_t index, Random& random) {
            DescriptorCase view = DrawDescriptor(index, random, {});
            view.dims[random.Between(0, static_cast<int64_t>(view.dims.size()) - 1)] = 0;
            view.strides = DrawStrides(random, view.dims, /*gaps=*/false);
            return TensorCase{SpecOf(view), {}, 0};
          }};
}

// A tensor in memory that the subject owns, seen only through map_data.
struct Mapped {
  Device* device;
  Desc desc;
  memory owned;
  Footprint footprint;
};

std::optional<Mapped> OwnedTensor(const TensorCase& c, Trial& trial) {
  const spec::Plain layout = PlainOf(c.tensor);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return std::nullopt;
  const auto desc = DescFor(c.tensor, trial);
  if (!desc) return std::nullopt;
  const int element_bytes = spec::BytesOf(c.tensor.type);
  const auto bytes = static_cast<int64_t>(desc->get_size());
  if (spec::IsEmpty(c.tensor.dims) || bytes < spec::LeastSizeInBytes(layout, element_bytes)) {
    trial.Vacuous();  // MD-031
    return std::nullopt;
  }
  return Mapped{device, *desc, memory(*desc, device->engine),
                Footprint(OffsetsOf(layout), element_bytes, 0, bytes, c.seed)};
}

void Store(const Mapped& mapped, const std::vector<Bits>& values) {
  auto* const bytes = mapped.owned.map_data<std::byte>();
  mapped.footprint.Store(bytes, values);
  mapped.owned.unmap_data(bytes);
}

std::vector<Bits> Load(const Mapped& mapped) {
  auto* const bytes = mapped.owned.map_data<std::byte>();
  std::vector<Bits> values = mapped.footprint.Load(bytes);
  mapped.owned.unmap_data(bytes);
  return values;
}

void MappingShowsTheContents(const TensorCase& c, Trial& trial) {
  const auto mapped = OwnedTensor(c, trial);
  if (!mapped) return;
  SawTensor(trial, c.tensor);
  const std::vector<Bits> values = c.Values();
  if (!WriteViaReorder(values, c.tensor.type, c.tensor.dims, mapped->owned, *mapped->device, trial))
    return;
  ExpectSameBits(trial, "mapped", c.tensor.type, c.tensor.dims, values, Load(*mapped));
}

void ChangesAreVisibleAfterUnmapping(const TensorCase& c, Trial& trial) {
  const auto mapped = OwnedTensor(c, trial);
  if (!mapped) return;
  for (const std::vector<Bits>& values : {c.Values(), OtherValues(c)}) {
    Store(*mapped, values);
    const auto read =
        ReadViaReorder(mapped->owned, c.tensor.type, c.tensor.dims, *mapped->device, trial);
    if (!read) return;
    if (!ExpectSameBits(trial, "read", c.tensor.type, c.tensor.dims, values, *read)) return;
  }
}

void MappingAloneChangesNothing(const TensorCase& c, Trial& trial) {
  const auto mapped = OwnedTensor(c, trial);
  if (!mapped) return;
  const std::vector<Bits> values = c.Values();
  Store(*mapped, values);
  mapped->owned.unmap_data(mapped->owned.map_data());
  auto* const bytes = mapped->owned.map_data<std::byte>();
  const std::string changed = mapped->footprint.ChangedByte(bytes, values);
  mapped->owned.unmap_data(bytes);
  trial.Expect(changed.empty(), "after map_data and unmap_data", "untouched", changed);
}

void MapDataGivesVoid(const NoParameters&, Trial& trial) {
  using Plain = decltype(std::declval<const memory&>().map_data());
  using Typed = decltype(std::declval<const memory&>().map_data<float>());
  trial.Expect(std::is_same_v<Plain, void*>, "map_data()", "void *", "another type");
  trial.Expect(std::is_same_v<Typed, float*>, "map_data<float>()", "float *", "another type");
}

void MappingEmptyTouchesNothing(const TensorCase& c, Trial& trial) {
  if (!spec::IsEmpty(c.tensor.dims)) return trial.Vacuous();
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.tensor, trial);
  if (!desc) return;
  const std::pair<const char*, void*> handles[] = {{"a handle of its own", DNNL_MEMORY_ALLOCATE},
                                                   {"null", DNNL_MEMORY_NONE},
                                                   {"handle 1", reinterpret_cast<void*>(1)},
                                                   {"a protected page", ProtectedPage()}};
  for (const auto& [name, handle] : handles) {
    const bool given = handle != DNNL_MEMORY_ALLOCATE && handle != DNNL_MEMORY_NONE;
    if (given && !device->on_host) continue;
    const memory m(*desc, device->engine, handle);
    // A second time too: nothing is left of the first.
    for (const char* time : {"", ", again"}) {
      const auto done = Attempt([&] { m.unmap_data(m.map_data()); });
      trial.Expect(static_cast<bool>(done), std::string("map and unmap on ") + name + time, "done",
                   done.refusal.ToString());
    }
  }
}

void ForeignPointersAreNotUnmapped(const TensorCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  const auto mapped = OwnedTensor(c, trial);
  if (!mapped) return;
  std::byte foreign[64];
  auto* const pointer = mapped->owned.map_data<std::byte>();
  const auto is_refused = [&](void* other, const char* what) {
    const bool refused = IsRefused([&] {
      mapped->owned.unmap_data(other);
      return true;
    });
    if (!refused) trial.Deviate(std::string("unmap_data of ") + what, "refused", "accepted");
    return refused;
  };
  if (!is_refused(foreign, "another pointer")) return;
  if (!is_refused(nullptr, "null, while it is mapped")) return;
  if (!is_refused(pointer + 1, "the byte behind")) return;
  mapped->owned.unmap_data(pointer);
  if (!spec::IsEmpty(c.tensor.dims)) is_refused(pointer, "a pointer for the second time");
}

void HandleAndMappingAreTheSameBytes(const TensorCase& c, Trial& trial) {
  auto filled = Fill(c, trial);
  if (!filled || spec::IsEmpty(c.tensor.dims)) return trial.Vacuous();
  if (filled->device->engine.get_kind() != dnnl::engine::kind::cpu)
    return trial.NotRun("not a CPU engine");
  const memory& m = filled->tensor.memory();
  // Written by plain stores to the handle, read through the mapping, and the other way round: every
  // byte that the elements span.
  auto* const handle = static_cast<uint8_t*>(m.get_data_handle());
  const int element_bytes = spec::BytesOf(c.tensor.type);
  const spec::Plain layout = PlainOf(c.tensor);
  const int64_t begin = layout.offset * element_bytes;
  const int64_t end = spec::LeastSizeInBytes(layout, element_bytes);
  if (end - begin > 4096) trial.Cover("more than a page");
  const auto differs = [&](const uint8_t* at, uint8_t value) {
    return std::find_if(at + begin, at + end, [&](uint8_t byte) { return byte != value; }) - at;
  };
  for (const uint8_t value : {uint8_t{0x3c}, uint8_t{0xc3}}) {
    const auto other = static_cast<uint8_t>(~value);
    std::fill(handle + begin, handle + end, value);
    auto* const mapped = m.map_data<uint8_t>();
    const int64_t seen = differs(mapped, value);
    std::fill(mapped + begin, mapped + end, other);
    m.unmap_data(mapped);
    if (!trial.Expect(seen == end, "byte " + std::to_string(seen) + ", written to the handle",
                      "mapped as it is", "another"))
      return;
    const int64_t written = differs(handle, other);
    if (!trial.Expect(written == end,
                      "byte " + std::to_string(written) + ", written to the mapping",
                      "seen through the handle", "another"))
      return;
  }
}

// MEM-027: the same bytes as another type of the same size.
void TwoTypesShareOneBuffer(const TensorCase& c, Trial& trial) {
  auto filled = Fill(c, trial);
  if (!filled || spec::IsEmpty(c.tensor.dims)) return trial.Vacuous();
  TensorSpec twin = c.tensor;
  twin.type = TypeOfTheSameSize(c.tensor.type);
  const auto desc = DescFor(twin, trial);
  if (!desc) return;
  trial.Cover(spec::NameOf(twin.type));
  const memory other(*desc, filled->device->engine, filled->tensor.memory().get_data_handle());
  const auto read = ReadViaReorder(other, twin.type, twin.dims, *filled->device, trial);
  if (read) ExpectSameCopy(trial, "as the other type", twin.type, twin.dims, filled->values, *read);
}

void TwoLayoutsShareOneBuffer(const TensorCase& c, Trial& trial) {
  if (c.tensor.rank() < 2 || spec::IsEmpty(c.tensor.dims) || c.tensor.layout.is_region())
    return trial.Vacuous();
  auto filled = Fill(c, trial);
  if (!filled) return;
  void* const handle = filled->tensor.memory().get_data_handle();
  // Transposed: the axes in the opposite order.
  spec::Dims dims(c.tensor.dims.rbegin(), c.tensor.dims.rend());
  const spec::Dims& strides = c.tensor.layout.strides;
  const auto transposed =
      Built(DescriptorCase{c.tensor.type, dims, {strides.rbegin(), strides.rend()}, {}}, trial);
  // A region: all but the first index of the longest axis.
  const auto longest = static_cast<size_t>(
      std::max_element(c.tensor.dims.begin(), c.tensor.dims.end()) - c.tensor.dims.begin());
  Region rest{c.tensor.dims, spec::Dims(dims.size(), 0)};
  if (rest.dims[longest] < 2) return trial.Vacuous();
  --rest.dims[longest];
  rest.offsets[longest] = 1;
  if (!transposed) return;
  const auto region = SubmemoryOf(filled->desc, rest);

  const memory turned(*transposed, filled->device->engine, handle);
  const memory part(region, filled->device->engine, handle);
  const auto all = ReadViaReorder(turned, c.tensor.type, dims, *filled->device, trial);
  const auto some = ReadViaReorder(part, c.tensor.type, rest.dims, *filled->device, trial);
  if (!all || !some) return;
  std::vector<Bits> wanted(filled->values.size()), wanted_part(some->size());
  for (size_t k = 0; k < wanted.size(); ++k) {
    spec::Dims x = spec::Unravel(static_cast<int64_t>(k), c.tensor.dims);
    if (x[longest] > 0) {
      --x[longest];
      wanted_part[spec::Ravel(x, rest.dims)] = filled->values[k];
      ++x[longest];
    }
    std::reverse(x.begin(), x.end());
    wanted[spec::Ravel(x, dims)] = filled->values[k];
  }
  ExpectSameBits(trial, "transposed", c.tensor.type, dims, wanted, *all);
  ExpectSameBits(trial, "region", c.tensor.type, rest.dims, wanted_part, *some);
}

void ElementAlignmentIsEnough(const TensorCase& c, Trial& trial) {
  if (c.at.shift == 0 || spec::IsEmpty(c.tensor.dims)) return trial.Vacuous();
  auto filled = Fill(c, trial);
  if (!filled) return;
  if (!filled->device->on_host) return trial.NotRun("the engine takes no host pointers");
  SawTensor(trial, c.tensor);
  const std::vector<Bits> others = OtherValues(c);
  ReadsAndWrites(filled->tensor.memory(), c.tensor.dims,
                 {filled->values, filled->values, others, others}, *filled, trial);
}

Cases<TensorCase> Shifted() {
  return {0, [](int64_t index, Random& random) {
            TensorCase c = Tensors({}).at(index, random);
            c.at = {Placement::Edge::kMiddle, index % 3 == 0 ? 1 : random.Between(1, 15)};
            return c;
          }};
}

// Reads `m` and writes other values; changed_byte(those) is Footprint::ChangedByte of its bytes.
template <class ChangedByte>
void ReadThenWrite(const TensorCase& c, const memory& m, Device& device, ChangedByte changed_byte,
                   Trial& trial) {
  const spec::Type type = c.tensor.type;
  const auto read = ReadViaReorder(m, type, c.tensor.dims, device, trial);
  if (!read || !ExpectSameBits(trial, "read", type, c.tensor.dims, c.Values(), *read)) return;
  const std::vector<Bits> others = OtherValues(c);
  if (!WriteViaReorder(others, type, c.tensor.dims, m, device, trial)) return;
  const std::string changed = changed_byte(others);
  trial.Expect(changed.empty(), "outside the elements", "untouched", changed);
}

// Portable: in a buffer of get_size() bytes, where what is read beside the elements does not show.
// Project: the buffer ends with the last element, before an inaccessible page.
void OnlyElementsAreTouched(const TensorCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr || spec::IsEmpty(c.tensor.dims)) return trial.Vacuous();
  if (!device->on_host) return trial.NotRun("the engine takes no host pointers");
  const auto desc = DescFor(c.tensor, trial);
  if (!desc) return;
  const spec::Plain layout = PlainOf(c.tensor);
  const int element_bytes = spec::BytesOf(c.tensor.type);
  const int64_t bytes = spec::LeastSizeInBytes(layout, element_bytes);
  if (spec::SizeInBytes(layout, element_bytes) > bytes) trial.Cover("padded at the end");
  SawTensor(trial, c.tensor);
  if (trial.portable()) {
    auto filled = Fill(c, trial);
    if (!filled) return;
    const auto changed_byte = [&](const std::vector<Bits>& values) {
      return filled->tensor.ChangedByte(values);
    };
    return ReadThenWrite(c, filled->tensor.memory(), *device, changed_byte, trial);
  }
  const Buffer buffer(bytes, element_bytes, {Placement::Edge::kEnd, 0});
  const Footprint footprint(OffsetsOf(layout), element_bytes, buffer.zone_before(),
                            buffer.zone_bytes(), c.seed);
  footprint.Store(buffer.data(), c.Values());
  const auto changed_byte = [&](const std::vector<Bits>& values) {
    return footprint.ChangedByte(buffer.data(), values);
  };
  ReadThenWrite(c, memory(*desc, device->engine, buffer.data()), *device, changed_byte, trial);
}

DescriptorOptions Plain() {
  DescriptorOptions options;
  options.loose_ones = options.far_ones = true;
  options.regions = 1;
  return options;
}

DescriptorOptions WithRegions() {
  DescriptorOptions options;
  options.regions = 1;
  return options;
}

const bool defined[] = {
    Define(spec::MEM_017, "", EmptyTensors(), EmptyHandlesAreNeverUsed, {"executed"}),
    Define(spec::MEM_018, "", Tensors(Plain()), MappingShowsTheContents, {"gapped", "permuted"}),
    Define(spec::MEM_019, "", Tensors(Plain()), ChangesAreVisibleAfterUnmapping),
    Define(spec::MEM_020, "", Tensors(Plain()), MappingAloneChangesNothing),
    Define(spec::MEM_021, "", MapDataGivesVoid),
    Define(spec::MEM_023, "", EmptyTensors(), MappingEmptyTouchesNothing),
    Define(spec::MEM_025, "", Tensors({}), ForeignPointersAreNotUnmapped),
    Define(spec::MEM_026, "", Tensors(WithRegions()), HandleAndMappingAreTheSameBytes,
           {"more than a page"}),
    Define(spec::MEM_027, "types", Tensors(WithRegions()), TwoTypesShareOneBuffer, {"u8", "s8"}),
    Define(spec::MEM_027, "layouts", Tensors({}), TwoLayoutsShareOneBuffer),
    Define(spec::MEM_028, "", Shifted(), ElementAlignmentIsEnough, {"gapped", "permuted"}),
    Define(spec::MEM_029, "", Tensors(WithRegions()), OnlyElementsAreTouched,
           {"padded at the end", "region"}),
};

}  // namespace
}  // namespace conformance
