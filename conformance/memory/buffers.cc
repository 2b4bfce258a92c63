// Memory objects and their buffers: who owns one, and which may have none. MEM-001 to MEM-008,
// MEM-013, MEM-015, MEM-016, MEM-024, MEM-030, MEM-031.
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>

#include "conformance/case/property.h"
#include "conformance/gen/shapes.h"
#include "conformance/memory/cases.h"
#include "conformance/memory/descriptors.h"
#include "conformance/memory/tensor_cases.h"
#include "conformance/memory/transfer.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/reorder_io.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;

// Writes a pattern of its own to all bytes, through map_data.
void WritePattern(const memory& m, size_t bytes, uint64_t seed) {
  auto* const mapped = m.map_data<uint8_t>();
  for (size_t i = 0; i < bytes; ++i) mapped[i] = static_cast<uint8_t>(Mix(seed + i));
  m.unmap_data(mapped);
}

bool HoldsPattern(const memory& m, size_t bytes, uint64_t seed, std::string_view name,
                  Trial& trial) {
  auto* const mapped = m.map_data<uint8_t>();
  size_t i = 0;
  while (i < bytes && mapped[i] == static_cast<uint8_t>(Mix(seed + i))) ++i;
  const int got = i < bytes ? mapped[i] : 0;
  m.unmap_data(mapped);
  return trial.Expect(i == bytes, std::string(name) + ", byte " + std::to_string(i),
                      std::to_string(static_cast<uint8_t>(Mix(seed + i))), std::to_string(got));
}

// A descriptor that is not empty, and the trial's engine.
struct Ground {
  Device* device;
  Desc desc;
};

std::optional<Ground> GroundOf(const TensorCase& c, Trial& trial) {
  if (spec::IsEmpty(c.tensor.dims)) {
    trial.Vacuous();
    return std::nullopt;
  }
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return std::nullopt;
  const auto desc = DescFor(c.tensor, trial);
  if (!desc) return std::nullopt;
  return Ground{device, *desc};
}

void OwnsAllItsBytes(const TensorCase& c, Trial& trial) {
  const auto ground = GroundOf(c, trial);
  if (!ground) return;
  const size_t bytes = ground->desc.get_size();
  if (bytes == 0) return trial.Vacuous();
  SawTensor(trial, c.tensor);
  const memory first(ground->desc, ground->device->engine);
  const memory second(ground->desc, ground->device->engine);
  WritePattern(first, bytes, c.seed);
  WritePattern(second, bytes, ~c.seed);
  HoldsPattern(first, bytes, c.seed, "first memory", trial);
  HoldsPattern(second, bytes, ~c.seed, "second memory", trial);
}

void AllocateIsTheShortForm(const TensorCase& c, Trial& trial) {
  const auto ground = GroundOf(c, trial);
  if (!ground) return;
  const size_t bytes = ground->desc.get_size();
  if (bytes == 0) return trial.Vacuous();
  const memory asked(ground->desc, ground->device->engine, DNNL_MEMORY_ALLOCATE);
  const memory shorter(ground->desc, ground->device->engine);
  const bool own = trial.Expect(asked.get_data_handle() != nullptr,
                                "handle with DNNL_MEMORY_ALLOCATE", "not null", "null") &&
                   trial.Expect(shorter.get_data_handle() != nullptr, "handle of the short form",
                                "not null", "null") &&
                   trial.Expect(asked.get_data_handle() != shorter.get_data_handle(),
                                "the two handles", "distinct", "equal");
  if (!own) return;
  WritePattern(shorter, bytes, ~c.seed);
  WritePattern(asked, bytes, c.seed);
  HoldsPattern(asked, bytes, c.seed, "memory with DNNL_MEMORY_ALLOCATE", trial);
  HoldsPattern(shorter, bytes, ~c.seed, "memory of the short form", trial);
}

void NoneIsNull(const TensorCase& c, Trial& trial) {
  const auto ground = GroundOf(c, trial);
  if (!ground) return;
  void* const none = DNNL_MEMORY_NONE;
  trial.Expect(none == nullptr, "DNNL_MEMORY_NONE", "null", "another pointer");
  const auto made = Accepted(trial, "memory(md, engine, DNNL_MEMORY_NONE)", [&] {
    return memory(ground->desc, ground->device->engine, DNNL_MEMORY_NONE);
  });
  if (made)
    trial.Expect(made->get_data_handle() == nullptr, "get_data_handle()", "null", "not null");
}

void AllocateIsAllOnes(const NoParameters&, Trial& trial) {
  trial.Expect(DNNL_MEMORY_ALLOCATE == reinterpret_cast<void*>(~uintptr_t{0}),
               "DNNL_MEMORY_ALLOCATE", "all ones", "another value");
}

// `buffer` is used by a memory that then goes; what the memory wrote must be in it.
void UsesTheCallersBuffer(const TensorCase& c, const Ground& ground, std::byte* buffer,
                          const char* kind, Trial& trial) {
  const spec::Plain layout = PlainOf(c.tensor);
  const int element_bytes = spec::BytesOf(c.tensor.type);
  const std::vector<spec::Bits> values = c.Values();
  {
    const memory m(ground.desc, ground.device->engine, buffer);
    if (!trial.Expect(m.get_data_handle() == buffer, std::string("handle on the ") + kind,
                      "the pointer given", "another"))
      return;
    if (!WriteViaReorder(values, c.tensor.type, c.tensor.dims, m, *ground.device, trial)) return;
  }
  std::vector<spec::Bits> left(values.size());
  const std::vector<int64_t> offsets = OffsetsOf(layout);
  for (size_t k = 0; k < left.size(); ++k)
    std::memcpy(&left[k], buffer + offsets[k] * element_bytes, element_bytes);
  ExpectSameBits(trial, kind, c.tensor.type, c.tensor.dims, values, left);
}

void CallersBufferIsUsedAndKept(const TensorCase& c, Trial& trial) {
  const auto ground = GroundOf(c, trial);
  if (!ground) return;
  if (!ground->device->on_host) return trial.NotRun("the engine takes no host pointers");
  const int64_t bytes =
      std::max<int64_t>(static_cast<int64_t>(ground->desc.get_size()),
                        spec::LeastSizeInBytes(PlainOf(c.tensor), spec::BytesOf(c.tensor.type)));
  constexpr int64_t kStackBytes = 16384;
  if (bytes <= kStackBytes) {
    trial.Cover("stack");
    alignas(64) std::byte stack[kStackBytes];
    UsesTheCallersBuffer(c, *ground, stack, "stack", trial);
  }
  const auto heap = std::make_unique<std::byte[]>(bytes);
  UsesTheCallersBuffer(c, *ground, heap.get(), "heap", trial);
  void* const mapped =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return;
  UsesTheCallersBuffer(c, *ground, static_cast<std::byte*>(mapped), "mapping", trial);
  munmap(mapped, bytes);
}

// Copies of one memory, dropped in an order; the last one still has the contents.
struct CopiesCase {
  TensorCase base;
  std::vector<int> order;

  void Print(Fields* fields) const {
    base.Print(fields);
    fields->SetInts("drop", {order.begin(), order.end()});
  }
  static CopiesCase Parse(const Fields& fields) {
    CopiesCase c{TensorCase::Parse(fields), {}};
    for (int64_t copy : fields.Ints("drop")) c.order.push_back(static_cast<int>(copy));
    if (!IsPermutation(c.order, c.order.size())) fields.Reject("drop", "is no permutation");
    return c;
  }
  std::vector<CopiesCase> Simpler() const {
    std::vector<CopiesCase> cases;
    for (const TensorCase& simpler : base.Simpler()) cases.push_back({simpler, order});
    if (order.size() > 1) {
      cases.push_back(*this);
      auto& fewer = cases.back().order;
      fewer.erase(std::max_element(fewer.begin(), fewer.end()));
    }
    return cases;
  }
};

void BufferLivesAsLongAsACopy(const CopiesCase& c, Trial& trial) {
  const auto ground = GroundOf(c.base, trial);
  if (!ground || c.order.empty()) return;
  const size_t bytes = ground->desc.get_size();
  if (bytes == 0) return trial.Vacuous();
  std::vector<memory> copies(1, memory(ground->desc, ground->device->engine));
  while (copies.size() < c.order.size()) copies.push_back(copies[copies.size() / 2]);
  WritePattern(copies[0], bytes, c.base.seed);
  for (size_t dropped = 0; dropped + 1 < c.order.size(); ++dropped) {
    copies[c.order[dropped]] = memory();
    // Whatever was freed too early is handed out again here.
    const memory other(ground->desc, ground->device->engine);
    WritePattern(other, bytes, ~c.base.seed);
    const memory& last = copies[c.order.back()];
    if (!HoldsPattern(last, bytes, c.base.seed,
                      "the last copy after " + std::to_string(dropped + 1) + " are gone", trial))
      return;
  }
  if (c.order.size() == 1) trial.Vacuous();
}

Cases<CopiesCase> Copies() {
  return {0, [](int64_t index, Random& random) {
            CopiesCase c{Tensors({}).at(index, random), {}};
            c.order = AnyPermutation(random, static_cast<int>(random.Between(2, 6)));
            return c;
          }};
}

constexpr size_t kMostAllocated = 1 << 20;

void DescIsTheOneGiven(const DescriptorCase& view, Trial& trial) {
  Device* const device = DeviceFor(trial);
  const auto desc = Built(view, trial);
  if (device == nullptr || !desc) return;
  SeeLayout(view, trial);
  const auto is_given = [&](const memory& of, const std::string& when) {
    return ExpectSame(trial, "get_desc() " + when, "the descriptor given", *desc, of.get_desc());
  };
  const memory m(*desc, device->engine, DNNL_MEMORY_NONE);
  if (!is_given(m, "without a buffer") || desc->get_size() > kMostAllocated) return;
  const memory owner(*desc, device->engine), copy = owner;
  if (!is_given(owner, "of an owner")) return;
  owner.set_data_handle(DNNL_MEMORY_NONE);
  if (!is_given(owner, "of what was detached") || !device->on_host) return;
  std::byte mine[64];
  owner.set_data_handle(mine);
  is_given(copy, "of a copy, of what was attached") &&
      is_given(memory(*desc, device->engine, mine), "on a buffer of the caller");
}

// Whether the two compare equal, where the subject offers a comparison.
template <class T>
auto ComparesEqual(const T& a, const T& b, int) -> decltype(a == b) {
  return a == b;
}
template <class T>
bool ComparesEqual(const T&, const T&, long) {
  return true;
}

void EngineIsTheOneGiven(const DescriptorCase& view, Trial& trial) {
  Device* const device = DeviceFor(trial);
  const auto desc = Built(view, trial);
  if (device == nullptr || !desc) return;
  SeeLayout(view, trial);
  void* const handles[] = {DNNL_MEMORY_NONE, DNNL_MEMORY_ALLOCATE};
  for (void* const handle : handles) {
    if (handle == DNNL_MEMORY_ALLOCATE && desc->get_size() > kMostAllocated) continue;
    const memory m(*desc, device->engine, handle);
    const std::string with = handle == DNNL_MEMORY_NONE ? " without a buffer" : " of an owner";
    trial.Expect(m.get_engine().get_kind() == device->engine.get_kind(),
                 "get_engine().get_kind()" + with, "the engine's", "another");
    trial.Expect(ComparesEqual(m.get_engine(), device->engine, 0), "get_engine()" + with,
                 "equal to the engine given", "unequal");
  }
}

void NoneDetaches(const TensorCase& c, Trial& trial) {
  const auto ground = GroundOf(c, trial);
  if (!ground) return;
  const memory owned(ground->desc, ground->device->engine);
  if (ground->desc.get_size() > 0 && owned.get_data_handle() == nullptr) return trial.Vacuous();
  const memory copy = owned;
  owned.set_data_handle(DNNL_MEMORY_NONE);
  trial.Expect(owned.get_data_handle() == nullptr, "get_data_handle()", "null", "not null");
  trial.Expect(copy.get_data_handle() == nullptr, "get_data_handle() of a copy", "null",
               "not null");
  // Nothing shows what was there, as if there never had been a buffer (MEM-024).
  for (const memory* detached : {&owned, &copy}) {
    const auto mapped = Attempt([&] { return detached->map_data(); });
    if (!mapped && mapped.refusal.is_error) continue;
    trial.Expect(mapped && *mapped.value == nullptr, "map_data() of what was detached",
                 "null or a dnnl::error", mapped ? "a pointer" : mapped.refusal.ToString());
  }
}

void LayoutlessMemoriesAreRefused(const TensorCase& c, Trial& trial) {
  const auto ground = GroundOf(c, trial);
  if (!ground || c.tensor.layout.is_region()) return;
  std::vector<std::byte> buffer(4096 + static_cast<size_t>(spec::LeastSizeInBytes(
                                           PlainOf(c.tensor), spec::BytesOf(c.tensor.type))));
  const DescriptorCase view{c.tensor.type, c.tensor.dims, c.tensor.layout.strides, {}};
  DescriptorCase dim = view, stride = view, empty_dim = view, empty_stride = view;
  const size_t rank = view.dims.size(), open = c.seed % rank, none = c.seed / 7 % rank;
  dim.dims[open] = stride.strides[open] = spec::kRunTimeDim;
  spec::Dims empty = view.dims;
  empty_dim.dims[none] = empty_stride.dims[none] = empty[none] = 0;
  empty_dim.dims[open] = empty_stride.strides[open] = spec::kRunTimeDim;
  struct Layoutless {
    const char* name;
    std::optional<Desc> desc;
  };
  Refusal refusal;
  const Layoutless all[] = {
      {"any", Try([&] { return WithAny(view.type, view.dims); }, &refusal)},
      {"a run-time dim", Try([&] { return WithStrides(dim); }, &refusal)},
      {"a run-time stride", Try([&] { return WithStrides(stride); }, &refusal)},
      {"any beside a dim of 0", Try([&] { return WithAny(view.type, empty); }, &refusal)},
      {"a run-time dim beside a dim of 0", Try([&] { return WithStrides(empty_dim); }, &refusal)},
      {"a run-time stride beside a dim of 0",
       Try([&] { return WithStrides(empty_stride); }, &refusal)}};
  struct Handle {
    const char* name;
    void* pointer;
  };
  const Handle handles[] = {{"none", DNNL_MEMORY_NONE},
                            {"allocate", DNNL_MEMORY_ALLOCATE},
                            {"a buffer", ground->device->on_host ? buffer.data() : nullptr}};
  for (const Handle& handle : handles) {
    const auto make = [&](const Desc& desc) {
      return memory(desc, ground->device->engine, handle.pointer);
    };
    const std::string rest = std::string(" with handle ") + handle.name;
    if (!Accepted(trial, "memory of a plain descriptor" + rest, [&] { return make(ground->desc); }))
      return;
    for (const Layoutless& layoutless : all) {
      if (!layoutless.desc) continue;
      trial.Cover(layoutless.name);
      if (!Refused(trial, "memory of " + (layoutless.name + rest),
                   [&] { return make(*layoutless.desc); }))
        return;
    }
  }
}

void MemoryOfZero(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto made = Attempt([&] { return memory(Desc(), device->engine); });
  trial.Record("memory of the zero descriptor", made ? "created" : "refused");
  if (!made) {
    trial.Expect(trial.portable() && made.refusal.is_error, "memory(desc(), engine)", "created",
                 made.refusal.ToString());
    return;
  }
  const memory& m = *made.value;
  trial.Expect(m.get_desc().is_zero(), "get_desc().is_zero()");
  if (trial.portable()) return;
  trial.Expect(m.get_data_handle() == nullptr, "get_data_handle()", "null", "not null");
  trial.Expect(m.get_desc().get_size() == 0, "get_desc().get_size()", "0", "more");
}

void MappingNothing(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const Desc desc({2, 3}, memory::data_type::f32, FormatTag::ab);
  const memory m(desc, device->engine, DNNL_MEMORY_NONE);
  const auto mapped = Attempt([&] { return m.map_data(); });
  trial.Record("map_data of a memory without buffer", !mapped                    ? "refused"
                                                      : *mapped.value == nullptr ? "null"
                                                                                 : "a pointer");
  if (mapped) {
    trial.Expect(*mapped.value == nullptr, "map_data()", "null or refused", "a pointer");
  } else {
    trial.Expect(mapped.refusal.is_error, "map_data()", "dnnl::error", mapped.refusal.ToString());
  }
}

// A memory that never had a buffer, or one whose buffer was taken away.
template <bool kDetached>
void ExecutingWithoutBufferIsRefused(const TensorCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  auto filled = Fill(c, trial);
  if (!filled || spec::IsEmpty(c.tensor.dims)) return trial.Vacuous();
  dnnl::engine& engine = filled->device->engine;
  auto twin = Fill(c, trial);
  if (!twin) return;
  const auto made =
      Attempt([&] { return dnnl::reorder(filled->tensor.memory(), twin->tensor.memory()); });
  if (!made)
    return trial.Refused(made.refusal,
                         {"reorder", "", {spec::NameOf(c.tensor.type)}, c.tensor.rank(), {}});
  // The same made before dims and strides are known, where that is served (MEM-030 alone).
  const auto open = Attempt([&] {
    const spec::Dims unknown(c.tensor.dims.size(), spec::kRunTimeDim);
    const Desc desc = WithStrides({c.tensor.type, unknown, unknown, {}});
    return dnnl::reorder({engine, desc, engine, desc});
  });
  const bool is_open = open && c.seed % 2 == 0 && !c.tensor.layout.is_region();
  if (is_open) trial.Cover("run-time dims");
  const dnnl::reorder& reorder = is_open ? *open.value : *made.value;
  for (bool source : {true, false}) {
    memory none(filled->desc, engine, kDetached ? DNNL_MEMORY_ALLOCATE : DNNL_MEMORY_NONE);
    if (kDetached) none.set_data_handle(DNNL_MEMORY_NONE);
    memory& from = source ? none : filled->tensor.memory();
    memory& to = source ? twin->tensor.memory() : none;
    const char* name = source ? "execute with a source without buffer"
                              : "execute with a destination without buffer";
    dnnl::stream& stream = filled->device->stream;
    if (!ExpectRefusedByExecute(
            // No wait: refused.
            name, [&] { reorder.execute(stream, from, to); }, stream, trial))
      return;
    const std::string changed = twin->tensor.ChangedByte(twin->values);
    trial.Expect(changed.empty(), "the destination", "untouched", changed);
  }
}

// More bytes than any machine has.
void AllocationFailureThrows(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const Desc desc({int64_t{1} << 30, int64_t{1} << 30}, memory::data_type::u8, FormatTag::ab);
  const auto made = Attempt([&] { return memory(desc, device->engine); });
  if (made) {
    trial.Deviate("memory of 2^60 bytes", "dnnl::error", "created");
  } else if (!made.refusal.is_error) {
    trial.Deviate("memory of 2^60 bytes", "dnnl::error", made.refusal.ToString());
  }
}

void AllocationFailureHasItsStatus(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const Desc desc({int64_t{1} << 30, int64_t{1} << 30}, memory::data_type::u8, FormatTag::ab);
  const auto made = Attempt([&] { return memory(desc, device->engine); });
  if (made || !made.refusal.is_error) return trial.Vacuous();  // MEM-031
  if (!made.refusal.MayBe(Refusal::kOutOfMemory))
    trial.Deviate("memory of 2^60 bytes, status", std::to_string(Refusal::kOutOfMemory),
                  std::to_string(made.refusal.status));
}

DescriptorOptions Everything() {
  DescriptorOptions options;
  options.empty = options.broadcast = options.loose_ones = true;
  options.far_ones = options.long_dims = true;
  options.regions = 2;
  return options;
}

DescriptorOptions WithRegions() {
  DescriptorOptions options;
  options.regions = 1;
  return options;
}

const bool defined[] = {
    Define(spec::MEM_001, "", Tensors(WithRegions()), OwnsAllItsBytes, {"gapped", "permuted"}),
    Define(spec::MEM_002, "", Tensors({}), AllocateIsTheShortForm),
    Define(spec::MEM_003, "", Tensors(WithRegions()), NoneIsNull),
    Define(spec::MEM_004, "", AllocateIsAllOnes),
    Define(spec::MEM_005, "", Tensors(WithRegions()), CallersBufferIsUsedAndKept, {"stack"}),
    Define(spec::MEM_006, "", Copies(), BufferLivesAsLongAsACopy),
    Define(spec::MEM_007, "", DescriptorCases(Everything()), DescIsTheOneGiven,
           {"gapped", "region", "empty", "rank 12"}),
    Define(spec::MEM_008, "", DescriptorCases(Everything()), EngineIsTheOneGiven),
    Define(spec::MEM_013, "", Tensors(WithRegions()), NoneDetaches),
    Define(spec::MEM_013, "executed", Tensors(WithRegions()),
           ExecutingWithoutBufferIsRefused</*kDetached=*/true>),
    Define(spec::MEM_015, "", Tensors({}), LayoutlessMemoriesAreRefused,
           {"any", "any beside a dim of 0"}),
    Define(spec::MEM_016, "", MemoryOfZero),
    Define(spec::MEM_024, "", MappingNothing),
    Define(spec::MEM_030, "", Tensors(WithRegions()),
           ExecutingWithoutBufferIsRefused</*kDetached=*/false>),
    Define(spec::ERR_004, "allocation", AllocationFailureHasItsStatus),
    Define(spec::MEM_031, "", AllocationFailureThrows),
};

}  // namespace
}  // namespace conformance
