// MEM-022: a memory that is mapped and used otherwise. Whatever the subject makes of it, nothing is
// lost.
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "conformance/case/property.h"
#include "conformance/model/cases.h"
#include "conformance/model/holder.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

// Through each mapping every other byte is written.
void SecondMappingLosesNothing(const SeedCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  Holder whole(Flat(spec::Type::kU8, random.Between(1, 300)), *device, c.seed);
  const auto write = [&](uint8_t* mapped, size_t from) {
    for (size_t i = from; i < whole.bytes.size(); i += 2)
      mapped[i] = whole.bytes[i] = static_cast<uint8_t>(Mix(~c.seed + i));
  };
  const dnnl::memory copy = whole.held;
  auto* const first = whole.held.map_data<uint8_t>();
  const auto second = Attempt([&] { return copy.map_data<uint8_t>(); });
  trial.Record("map_data of what is mapped", second ? "mapped again" : "refused");
  if (!second) {
    if (!trial.Expect(second.refusal.is_error, "map_data of what is mapped", "dnnl::error",
                      second.refusal.ToString()))
      return;
    write(first, 0);
    whole.held.unmap_data(first);
    whole.Holds("after a second mapping was refused", trial);
    return;
  }
  if (!trial.Expect(*second.value != nullptr, "map_data of what is mapped", "an address", "null"))
    return;
  if (!trial.Expect(std::memcmp(*second.value, whole.bytes.data(), whole.bytes.size()) == 0,
                    "contents through the second mapping", "those of the memory", "others"))
    return;
  uint8_t *one = first, *last = *second.value;
  if (random.Chance(50)) std::swap(one, last);
  write(one, 0);
  write(last, 1);
  const auto done = Attempt([&] {
    copy.unmap_data(one);
    write(last, 1);
    whole.held.unmap_data(last);
  });
  if (!trial.Expect(static_cast<bool>(done), "unmap_data of two mappings", "done",
                    done.refusal.ToString()) ||
      !whole.Holds("after two mappings", trial) || !device->on_host)
    return;
  // Nothing is mapped any more.
  Holder other(Flat(spec::Type::kU8, static_cast<int64_t>(whole.bytes.size())), *device, ~c.seed);
  const auto moved = Attempt([&] { whole.held.set_data_handle(other.held.get_data_handle()); });
  trial.Expect(static_cast<bool>(moved), "set_data_handle after two mappings", "done",
               moved.refusal.ToString());
}

void ExecutingWhileMappedLosesNothing(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  for (const bool source : {true, false}) {
    Bench bench(*sample, device, c.seed);
    const dnnl::memory mapped = source ? bench.from.memory() : bench.to.memory();
    void* const address = mapped.map_data();
    const auto done = Attempt([&] {
      sample->primitive.execute(device.stream, bench.arguments());
      device.stream.wait();
    });
    mapped.unmap_data(address);
    const std::string what = source ? "execute on a mapped source" : "execute on a mapped target";
    trial.Record(what, done ? "done" : "refused");
    if (done) {
      if (!bench.IsDone(what, trial)) return;
      continue;
    }
    const std::string changed = bench.to.ChangedByte(bench.old);
    if (!trial.Expect(done.refusal.is_error, what, "dnnl::error", done.refusal.ToString()) ||
        !trial.Expect(changed.empty(), "destination after a refusal", "untouched", changed))
      return;
  }
}

const bool defined[] = {
    Define(spec::MEM_022, "", Seeds(), SecondMappingLosesNothing),
    Define(spec::MEM_022, "executed", Samples(), ExecutingWhileMappedLosesNothing),
};

}  // namespace
}  // namespace conformance
