// Attaching buffers to memories: MEM-001 of 4 GiB, MEM-005 without elements, MEM-009 to MEM-011,
// MEM-014, MEM-026.
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/memory/descriptors.h"
#include "conformance/memory/tensor_cases.h"
#include "conformance/memory/transfer.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/heap.h"
#include "conformance/subject/reorder_io.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;

// Two buffers for one memory, which starts on the first.
struct Switch {
  Filled first, second;
};

std::optional<Switch> TwoBuffers(const TensorCase& c, Trial& trial) {
  if (spec::IsEmpty(c.tensor.dims)) {
    trial.Vacuous();
    return std::nullopt;
  }
  auto first = Fill(c, trial), second = Fill(c, trial);
  if (!first || !second) return std::nullopt;
  if (!first->device->on_host) {
    trial.NotRun("the engine takes no host pointers");
    return std::nullopt;
  }
  return Switch{std::move(*first), std::move(*second)};
}

// Attaches the second buffer by `attach` and writes through a copy of the memory made before: the
// second buffer must have the values, and the first must be as it was.
template <class Attach>
void WritesGoToTheNewBuffer(const TensorCase& c, const char* how, Attach attach, Trial& trial) {
  auto both = TwoBuffers(c, trial);
  if (!both) return;
  memory& m = both->first.tensor.memory();
  const memory copy = m;
  void* const next = both->second.tensor.memory().get_data_handle();
  attach(m, next, *both->first.device);
  if (!trial.Expect(m.get_data_handle() == next && copy.get_data_handle() == next,
                    std::string("get_data_handle() after ") + how, "the pointer given", "another"))
    return;
  const std::vector<Bits> others = OtherValues(c);
  if (!WriteViaReorder(others, c.tensor.type, c.tensor.dims, copy, *both->first.device, trial))
    return;
  ExpectSameBits(trial, "new buffer", c.tensor.type, c.tensor.dims, others,
                 both->second.tensor.Load());
  const std::string changed = both->first.tensor.ChangedByte(both->first.values);
  trial.Expect(changed.empty(), std::string("old buffer after ") + how, "untouched", changed);
  if (trial.failed()) return;
  const auto read = ReadViaReorder(m, c.tensor.type, c.tensor.dims, *both->first.device, trial);
  if (read)
    ExpectSameBits(trial, "read from the new buffer", c.tensor.type, c.tensor.dims, others, *read);
}

void HandleOfAllCopiesIsReplaced(const TensorCase& c, Trial& trial) {
  WritesGoToTheNewBuffer(
      c, "set_data_handle(p)", [](memory& m, void* p, Device&) { m.set_data_handle(p); }, trial);
  if (trial.failed()) return;
  WritesGoToTheNewBuffer(
      c, "set_data_handle(p, stream)",
      [](memory& m, void* p, Device& device) { m.set_data_handle(p, device.stream); }, trial);
}

// One primitive, executed before another buffer is attached, afterwards, and when the first one is
// back: on the memory as its source, and as its destination.
void LaterExecutionsUseTheBuffer(const TensorCase& c, Trial& trial) {
  auto both = TwoBuffers(c, trial);
  if (!both) return;
  SawTensor(trial, c.tensor);
  auto rows = Fill({{c.tensor.type, c.tensor.dims, RowMajor(c.tensor.dims)}, {}, c.seed}, trial);
  if (!rows) return;
  dnnl::stream& stream = rows->device->stream;
  const memory m = both->first.tensor.memory(), other = rows->tensor.memory();
  Filled* const buffers[] = {&both->first, &both->second};
  void* const handles[] = {m.get_data_handle(), both->second.tensor.memory().get_data_handle()};
  for (const bool source : {true, false}) {
    memory from = source ? m : other, to = source ? other : m;
    const auto made = Attempt([&] { return dnnl::reorder(from, to); });
    if (!made) return trial.LeftOpen(made.refusal, "reorder");  // REO says which must be there
    uint64_t salt = 1;
    for (const int turn : {0, 1, 0}) {
      const std::vector<Bits> values = c.Values(++salt), old = c.Values(++salt);
      Filled& used = *buffers[turn];
      Filled& unused = *buffers[1 - turn];
      (source ? used : *rows).tensor.Store(values);
      (source ? *rows : used).tensor.Store(old);
      unused.tensor.Store(old);
      m.set_data_handle(handles[turn]);
      const auto done = Attempt([&] {
        made.value->execute(stream, from, to);
        stream.wait();
      });
      const std::string name = std::string(source ? "from" : "to") + " buffer " +
                               std::to_string(turn) + ", execution " + std::to_string(salt / 2);
      if (!trial.Expect(static_cast<bool>(done), name, "executed", done.refusal.ToString()) ||
          !ExpectSameBits(trial, name, c.tensor.type, c.tensor.dims, values,
                          (source ? *rows : used).tensor.Load()))
        return;
      const std::string changed = unused.tensor.ChangedByte(old);
      if (!trial.Expect(changed.empty(), "the other buffer, " + name, "untouched", changed)) return;
    }
  }
}

void StreamIsOnlyAHint(const TensorCase& c, Trial& trial) {
  WritesGoToTheNewBuffer(
      c, "set_data_handle(p, another stream)",
      [](memory& m, void* p, Device& device) {
        dnnl::stream another(device.engine);
        m.set_data_handle(p, another);
      },
      trial);
  if (trial.failed()) return;
  WritesGoToTheNewBuffer(
      c, "set_data_handle(p, stream())",
      [](memory& m, void* p, Device&) { m.set_data_handle(p, dnnl::stream()); }, trial);
}

// Null detaches, whatever the hint: a buffer that the memory owns, and the caller's.
void StreamIsNoHintOfABuffer(const TensorCase& c, Trial& trial) {
  if (spec::IsEmpty(c.tensor.dims)) return trial.Vacuous();
  auto filled = Fill(c, trial);
  if (!filled) return;
  const Device& device = *filled->device;
  const dnnl::stream another(device.engine), none;
  struct Hint {
    const char* name;
    const dnnl::stream& stream;
  };
  for (const Hint& hint :
       {Hint{"stream", device.stream}, Hint{"another stream", another}, Hint{"stream()", none}}) {
    for (const bool own : {true, false}) {
      if (!own && !device.on_host) continue;
      const memory m =
          own ? memory(filled->desc, device.engine)
              : memory(filled->desc, device.engine, filled->tensor.memory().get_data_handle());
      const memory copy = m;
      m.set_data_handle(DNNL_MEMORY_NONE, hint.stream);
      trial.Expect(m.get_data_handle() == nullptr && copy.get_data_handle() == nullptr,
                   std::string("get_data_handle() after set_data_handle(DNNL_MEMORY_NONE, ") +
                       hint.name + ")",
                   "null", "not null");
    }
  }
  const std::string changed = filled->tensor.ChangedByte(filled->values);
  trial.Expect(changed.empty(), "the buffer that was detached", "untouched", changed);
}

// A mapping shows the buffer that is attached, not one of before.
void MappingFollowsTheHandle(const TensorCase& c, Trial& trial) {
  auto both = TwoBuffers(c, trial);
  if (!both) return;
  if (both->first.device->engine.get_kind() != dnnl::engine::kind::cpu)
    return trial.NotRun("not a CPU engine");
  const memory m = both->first.tensor.memory();
  void* const buffers[] = {m.get_data_handle(), both->second.tensor.memory().get_data_handle()};
  const int64_t at = PlainOf(c.tensor).offset * spec::BytesOf(c.tensor.type);
  for (const int turn : {0, 1, 0, 1}) {
    m.set_data_handle(buffers[turn]);
    static_cast<uint8_t*>(buffers[turn])[at] = static_cast<uint8_t>(7 + turn);
    auto* const mapped = m.map_data<uint8_t>();
    const uint8_t seen = mapped[at];
    mapped[at] = static_cast<uint8_t>(70 + turn);
    m.unmap_data(mapped);
    const std::string name = "buffer " + std::to_string(turn);
    if (!trial.Expect(seen == 7 + turn, name + ", mapped after set_data_handle",
                      std::to_string(7 + turn), std::to_string(seen)))
      return;
    const uint8_t written = static_cast<uint8_t*>(buffers[turn])[at];
    if (!trial.Expect(written == 70 + turn, name + ", written through the mapping",
                      std::to_string(70 + turn), std::to_string(written)))
      return;
  }
}

// What was submitted before belongs to the buffer of before, whenever it is done. Portable waits
// before it attaches another, as before it destroys.
void EarlierWorkKeepsItsBuffer(const TensorCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  auto both = TwoBuffers(c, trial);
  if (!both) return;
  auto source = Fill(c, trial);
  if (!source) return;
  Device& device = *source->device;
  const memory m = both->first.tensor.memory();
  void* const second = both->second.tensor.memory().get_data_handle();
  const std::vector<Bits> others = OtherValues(c);
  source->tensor.Store(others);
  const auto copy = Attempt([&] { return dnnl::reorder(source->tensor.memory(), m); });
  if (!copy) return trial.LeftOpen(copy.refusal, "reorder");  // REO says which must be there
  const auto done = Attempt([&] {
    memory from = source->tensor.memory(), to = m;
    copy.value->execute(device.stream, from, to);
    m.set_data_handle(second);
    device.stream.wait();
  });
  if (!trial.Expect(static_cast<bool>(done), "execute, set_data_handle, wait", "done",
                    done.refusal.ToString()))
    return;
  ExpectSameBits(trial, "the buffer attached when it was submitted", c.tensor.type, c.tensor.dims,
                 others, both->first.tensor.Load());
  const std::string changed = both->second.tensor.ChangedByte(both->second.values);
  trial.Expect(changed.empty(), "the buffer attached afterwards", "untouched", changed);
}

void AttachingWritesNothing(const TensorCase& c, Trial& trial) {
  auto filled = Fill(c, trial);
  if (!filled) return;
  if (!filled->device->on_host) return trial.NotRun("the engine takes no host pointers");
  SawTensor(trial, c.tensor);
  const auto untouched = [&](const char* when) {
    const std::string changed = filled->tensor.ChangedByte(filled->values);
    return trial.Expect(changed.empty(), std::string("buffer after ") + when, "untouched", changed);
  };
  void* const p = filled->tensor.memory().get_data_handle();
  const memory m(filled->desc, filled->device->engine, p);
  if (!untouched("construction")) return;
  m.set_data_handle(DNNL_MEMORY_NONE);
  m.set_data_handle(p);
  if (!untouched("set_data_handle(p)")) return;
  m.set_data_handle(p, filled->device->stream);
  untouched("set_data_handle(p, stream)");
}

// The handle that a memory without elements was given, by its constructor or later, is the one that
// it gives, with all its copies.
void EmptyMemoriesKeepTheirHandles(const TensorCase& c, Trial& trial) {
  if (!spec::IsEmpty(c.tensor.dims)) return trial.Vacuous();
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!device->on_host) return trial.NotRun("the engine takes no host pointers");
  const auto desc = DescFor(c.tensor, trial);
  if (!desc) return;
  SawTensor(trial, c.tensor);
  std::byte mine[64];
  void* const handles[] = {DNNL_MEMORY_NONE, mine, reinterpret_cast<void*>(1), mine + 1};
  for (void* const first : handles) {
    const auto made = Attempt([&] { return memory(*desc, device->engine, first); });
    if (!trial.Expect(static_cast<bool>(made), "memory without elements", "created",
                      made.refusal.ToString()))
      return;
    const memory copy = *made.value;
    const auto keeps = [&](void* given, const char* when) {
      return trial.Expect(made.value->get_data_handle() == given && copy.get_data_handle() == given,
                          std::string("get_data_handle() after ") + when, "the pointer given",
                          "another");
    };
    if (!keeps(first, "construction")) return;
    for (void* const next : handles) {
      made.value->set_data_handle(next);
      if (!keeps(next, "set_data_handle(p)")) return;
      made.value->set_data_handle(first, device->stream);
      if (!keeps(first, "set_data_handle(p, stream)")) return;
    }
  }
}

// A little more than 32 bits count, of which a few are touched.
void OwnsMoreThan32BitsCount(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!device->on_host) return trial.NotRun("needs host memory that is reserved, not committed");
  constexpr int64_t kBytes = (int64_t{1} << 32) + 4096;
  const Desc desc({kBytes}, memory::data_type::u8, FormatTag::a);
  const auto made = Attempt([&] { return memory(desc, device->engine); });
  if (!made) return trial.NotRun("no memory of 4 GiB");
  auto* const bytes = static_cast<uint8_t*>(made.value->get_data_handle());
  const int64_t places[] = {0, kBytes / 2, kBytes - 4096, kBytes - 1};
  for (const int64_t at : places) bytes[at] = static_cast<uint8_t>(Mix(at));
  for (const int64_t at : places)
    trial.Expect(bytes[at] == static_cast<uint8_t>(Mix(at)), "byte " + std::to_string(at),
                 "what was written", "another");
}

// Buffers given up by attaching another one: together they would not go unnoticed. Each is larger
// than what a C library keeps for itself when it is freed (glibc: 32 MiB).
void AttachingReleasesTheOwnedBuffer(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!device->on_host) return trial.NotRun("the engine takes no host pointers");
  constexpr int64_t kBytes = int64_t{40} << 20;
  constexpr int kRounds = 6;
  const Desc desc({kBytes}, memory::data_type::u8, FormatTag::a);
  std::byte mine[64];
  std::vector<memory> kept;
  const int64_t before = ResidentBytes(), page = sysconf(_SC_PAGESIZE);
  for (int round = 0; round < kRounds; ++round) {
    kept.emplace_back(desc, device->engine);
    auto* const owned = static_cast<std::byte*>(kept.back().get_data_handle());
    for (int64_t at = 0; at < kBytes; at += page) owned[at] = std::byte{1};
    if (round % 2 == 0)
      kept.back().set_data_handle(mine);
    else
      kept.back().set_data_handle(mine, device->stream);
    if (!trial.Expect(kept.back().get_data_handle() == mine, "get_data_handle()",
                      "the pointer given", "another"))
      return;
  }
  const int64_t grown = ResidentBytes() - before;
  trial.Expect(grown < kBytes * kRounds / 2, "resident bytes after 6 owned buffers of 40 MiB",
               "no more than half of them", std::to_string(grown));
}

// One or two of the dims are 0.
Cases<TensorCase> EmptyTensors() {
  return {0, [](int64_t index, Random& random) {
            DescriptorCase view = DrawDescriptor(index, random, {});
            const auto last = static_cast<int64_t>(view.dims.size()) - 1;
            view.dims[random.Between(0, last)] = 0;
            if (random.Chance(20)) view.dims[random.Between(0, last)] = 0;
            return TensorCase{SpecOf(view), {}, 0};
          }};
}

DescriptorOptions WithRegions() {
  DescriptorOptions options;
  options.regions = 1;
  return options;
}

const bool defined[] = {
    Define(spec::MEM_001, "long", OwnsMoreThan32BitsCount),
    Define(spec::MEM_005, "empty", EmptyTensors(), EmptyMemoriesKeepTheirHandles,
           {"empty", "rank 1", "rank 6"}),
    Define(spec::MEM_009, "", Tensors(WithRegions()), HandleOfAllCopiesIsReplaced),
    Define(spec::MEM_009, "executed", Tensors(WithRegions()), LaterExecutionsUseTheBuffer,
           {"gapped", "region"}),
    Define(spec::MEM_009, "mapped", Tensors(WithRegions()), MappingFollowsTheHandle),
    Define(spec::MEM_009, "earlier", Tensors({}), EarlierWorkKeepsItsBuffer),
    Define(spec::MEM_010, "", Tensors(WithRegions()), StreamIsOnlyAHint),
    Define(spec::MEM_010, "none", Tensors({}), StreamIsNoHintOfABuffer),
    Define(spec::MEM_014, "", AttachingReleasesTheOwnedBuffer),
    Define(spec::MEM_026, "replaced", Tensors(WithRegions()), MappingFollowsTheHandle),
    Define(spec::MEM_011, "", Tensors(WithRegions()), AttachingWritesNothing, {"gapped", "region"}),
};

}  // namespace
}  // namespace conformance
