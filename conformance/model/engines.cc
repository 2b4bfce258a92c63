// Engines: ENG-001 to ENG-013, but for what empty.cc says.
#include <dirent.h>

#include <array>
#include <atomic>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/heap.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::engine;
using Kind = engine::kind;

struct NamedKind {
  const char* name;
  Kind kind;
};
constexpr NamedKind kKinds[] = {{"any", Kind::any}, {"cpu", Kind::cpu}, {"gpu", Kind::gpu}};

void CountsAreStable(const NoParameters&, Trial& trial) {
  for (const NamedKind& named : kKinds) {
    const std::string call = std::string("get_count(") + named.name + ")";
    const auto first = Attempt([&] { return engine::get_count(named.kind); });
    if (!trial.Expect(static_cast<bool>(first), call, "a number", first.refusal.ToString())) return;
    std::atomic<int> other{0};
    std::array<std::thread, 4> threads;
    for (std::thread& thread : threads) {
      thread = std::thread([&] {
        for (int round = 0; round < 50; ++round) {
          const auto again = Attempt([&] { return engine::get_count(named.kind); });
          if (!again || *again.value != *first.value) ++other;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    trial.Expect(other == 0, call + ", 200 times from 4 threads", "the same each time",
                 std::to_string(other) + " others");
  }
}

void IndicesBelowTheCountWork(const Choice& c, Trial& trial) {
  const Kind kind = c.what == "gpu" ? Kind::gpu : Kind::cpu;
  const size_t count = engine::get_count(kind);
  trial.Cover(count == 0 ? "no engine" : "engine");
  std::vector<size_t> indices = {count, count + 1, count + 1000, ~size_t{0}};
  if (count > 0) indices.insert(indices.end(), {0, count - 1});
  // What an index of fewer bits would take for one of those.
  for (int bit = 4; bit < std::numeric_limits<size_t>::digits; ++bit) {
    const size_t beyond = size_t{1} << bit;
    if (beyond > count) indices.insert(indices.end(), {beyond - 1, beyond, beyond + count / 2});
  }
  for (size_t index : indices) {
    const auto made = Attempt([&] { return engine(kind, index); });
    const std::string call =
        "engine(" + c.what + ", " + std::to_string(index) + ") of " + std::to_string(count);
    if (index < count) {
      trial.Expect(static_cast<bool>(made), call, "created", made.refusal.ToString());
    } else {
      trial.Expect(!made && made.refusal.is_error, call, "refused",
                   made ? "created" : made.refusal.ToString());
    }
  }
}

void KindIsTheOneGiven(const NoParameters&, Trial& trial) {
  for (const Kind kind : {Kind::cpu, Kind::gpu}) {
    for (size_t index = 0; index < engine::get_count(kind); ++index) {
      const engine made(kind, index), copy(made);
      engine assigned;
      assigned = copy;
      trial.Expect(made.get_kind() == kind, "get_kind()", "the kind given", "another");
      trial.Expect(copy.get_kind() == kind, "get_kind() of a copy", "the kind given", "another");
      trial.Expect(assigned.get_kind() == kind, "get_kind() of an assigned copy", "the kind given",
                   "another");
    }
  }
}

void AnyKind(const NoParameters&, Trial& trial) {
  const size_t count = engine::get_count(Kind::any);
  trial.Record("get_count(any)", std::to_string(count));
  const size_t total = engine::get_count(Kind::cpu) + engine::get_count(Kind::gpu);
  trial.Expect(count == 0 || count == total, "get_count(any)", "0 or " + std::to_string(total),
               std::to_string(count));
  for (size_t index : {size_t{0}, count, count + 1}) {
    const auto made = Attempt([&] { return engine(Kind::any, index); });
    const std::string call = "engine(any, " + std::to_string(index) + ")";
    if (!made) {
      trial.Expect(made.refusal.is_error, call, "dnnl::error", made.refusal.ToString());
      continue;
    }
    trial.Expect(index < count, call, "refused", "created");
    trial.Expect(made.value->get_kind() != Kind::any, call + ".get_kind()", "cpu or gpu", "any");
  }
  if (trial.project()) trial.Expect(count == 0, "get_count(any)", "0", std::to_string(count));
}

void SomeEngineExists(const NoParameters&, Trial& trial) {
  const size_t cpus = engine::get_count(Kind::cpu), gpus = engine::get_count(Kind::gpu);
  trial.Record("engines", std::to_string(cpus) + " cpu, " + std::to_string(gpus) + " gpu");
  trial.Expect(cpus + gpus > 0, "engines of any kind", "at least 1", "0");
  if (trial.project()) trial.Expect(cpus > 0, "CPU engines", "at least 1", "0");
}

void MemoryAndPrimitivesMeet(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  if (RunBench(sample->primitive, bench, device.stream, trial)) bench.IsDone(c.kind, trial);
}

Device Another(const Device& device) {
  Device another = device;
  another.engine = engine(device.engine.get_kind(), 0);
  another.stream = dnnl::stream(another.engine);
  return another;
}

void EnginesWorkSideBySide(const SampleCase& c, Trial& trial) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  Device* const device = DeviceFor(trial);
  std::vector<Device> devices;
  std::vector<Sample> samples;
  std::vector<Bench> benches;
  for (uint64_t k = 0; k < 3; ++k) {
    devices.push_back(Another(*device));
    samples.push_back(MakeSample(*plan, devices[k].engine));
    benches.emplace_back(samples[k], devices[k], c.seed + 10 * k);
  }
  for (size_t round = 0; round < 2; ++round) {
    for (size_t k = 0; k < devices.size(); ++k) {
      benches[k].Reset();
      samples[k].primitive.execute(devices[k].stream, benches[k].arguments());
    }
    for (Device& each : devices) each.stream.wait();
    for (size_t k = 0; k < devices.size(); ++k)
      if (!benches[k].IsDone(c.kind + " on engine object " + std::to_string(k), trial)) return;
  }
}

// ENG-009: several engine objects are one device, whichever of primitive, stream and memories was
// made on which.
void ObjectsOfOneDeviceMix(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  const Device devices[] = {device, Another(device), Another(device)};
  Random random(Mix(c.seed + 1));
  // The same values in both.
  Bench from(*sample, random.Pick(devices), c.seed), to(*sample, random.Pick(devices), c.seed);
  Arguments arguments = to.arguments();
  arguments[sample->plan.from_arg()] = from.from.memory();
  const dnnl::stream stream = random.Pick(devices).stream;
  const auto done = Attempt([&] {
    sample->primitive.execute(stream, arguments);
    dnnl::stream(stream).wait();
  });
  if (trial.Expect(static_cast<bool>(done), "execute with objects of several engine objects",
                   "done", done.refusal.ToString()))
    to.IsDone(c.kind, trial);
}

// ENG-010: a memory of another device is a fault that execute reports.
void MemoryOfAnotherDeviceIsRefused(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  const Kind other = device.engine.get_kind() == Kind::cpu ? Kind::gpu : Kind::cpu;
  if (engine::get_count(other) == 0) return trial.NotRun("one device only");
  const engine elsewhere(other, 0);
  Bench bench(*sample, device, c.seed);
  Arguments arguments = bench.arguments();
  arguments[sample->plan.from_arg()] = dnnl::memory(sample->from, elsewhere);
  // No wait: refused.
  const auto done = Attempt([&] { sample->primitive.execute(device.stream, arguments); });
  ExpectRefused(trial, done, "execute with a source on another device");
}

int64_t EntriesOf(const char* folder) {
  DIR* const open = opendir(folder);
  if (open == nullptr) return 0;
  int64_t entries = 0;
  while (readdir(open) != nullptr) ++entries;
  closedir(open);
  return entries;
}

void EnginesLeaveNothingBehind(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const Kind kind = device->engine.get_kind();
  const auto cycles = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const engine made(kind, 0);
      dnnl::stream(made).wait();
    }
  };
  cycles(20);
  const int64_t files = EntriesOf("/proc/self/fd"), threads = EntriesOf("/proc/self/task");
  const int64_t bytes = ResidentBytes();
  cycles(200);
  const int64_t held = BytesLeftByEach(200, [&] { cycles(1); });
  constexpr int64_t kSlack = int64_t{2} << 20;
  const int64_t new_files = EntriesOf("/proc/self/fd") - files;
  const int64_t new_threads = EntriesOf("/proc/self/task") - threads;
  const int64_t new_bytes = ResidentBytes() - bytes;
  if (new_files > 0)
    trial.Deviate("files open after 200 engines", "none", std::to_string(new_files));
  if (new_threads > 0)
    trial.Deviate("threads left by 200 engines", "none", std::to_string(new_threads));
  if (new_bytes > kSlack)
    trial.Deviate("bytes left by 200 engines", "less than 2 MiB", std::to_string(new_bytes));
  if (held >= kLeastLeak)
    trial.Deviate("bytes of the heap left by each of 200 engines", "none", std::to_string(held));
}

void EveryoneKnowsItsEngine(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  const dnnl::memory m(sample->from, device.engine, DNNL_MEMORY_NONE);
  const std::pair<const char*, engine> all[] = {{"primitive descriptor", sample->pd.get_engine()},
                                                {"memory", m.get_engine()}};
  for (const auto& [name, got] : all) {
    trial.Expect(got.get_kind() == device.engine.get_kind(),
                 std::string(name) + ".get_engine().get_kind()", "the engine's", "another");
    trial.Expect(EqualIfComparable(got, device.engine), std::string(name) + ".get_engine()",
                 "equal to the engine", "unequal");
  }
}

void MissingGpuIsAnError(const NoParameters&, Trial& trial) {
  if (engine::get_count(Kind::gpu) > 0) return trial.NotRun("there is a GPU engine");
  const auto made = Attempt([] { return engine(Kind::gpu, 0); });
  ExpectRefused(trial, made, "engine(gpu, 0)");
}

const bool defined[] = {
    Define(spec::ENG_001, "", CountsAreStable),
    Define(spec::ENG_002, "", Choices({"cpu", "gpu"}), IndicesBelowTheCountWork, {"engine"}),
    Define(spec::ENG_003, "", KindIsTheOneGiven),
    Define(spec::ENG_004, "", AnyKind),
    Define(spec::ENG_005, "", SomeEngineExists),
    Define(spec::ENG_007, "", Samples(), MemoryAndPrimitivesMeet,
           {"reorder", "forward", "backward"}),
    Define(spec::ENG_008, "", Samples(), EnginesWorkSideBySide, {"reorder", "forward", "backward"}),
    Define(spec::ENG_009, "", Samples(), ObjectsOfOneDeviceMix),
    Define(spec::ENG_010, "", SamplesWithOperation(), MemoryOfAnotherDeviceIsRefused),
    Define(spec::ENG_011, "", EnginesLeaveNothingBehind),
    Define(spec::ENG_012, "", Samples(), EveryoneKnowsItsEngine,
           {"reorder", "forward", "backward"}),
    Define(spec::ENG_013, "", MissingGpuIsAnError),
};

}  // namespace
}  // namespace conformance
