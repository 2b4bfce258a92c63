// Streams: STR-001 to STR-013, but for what empty.cc says.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/heap.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::stream;
using Flags = stream::flags;

void StreamsAreMade(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  for (size_t index = 0; index < dnnl::engine::get_count(device->engine.get_kind()); ++index) {
    float got = 0;
    const auto made = Attempt([&] {
      const dnnl::engine engine(device->engine.get_kind(), index);
      stream plain(engine), explicit_one(engine, Flags::default_flags);
      plain.wait();
      explicit_one.wait();
      // They serve the engine's work: 8 goes through both.
      const memory::desc one({1}, memory::data_type::f32, memory::format_tag::a);
      memory first(one, engine), second(one, engine), third(one, engine);
      float* const source = first.map_data<float>();
      *source = 8;
      first.unmap_data(source);
      dnnl::reorder(first, second).execute(plain, first, second);
      plain.wait();
      dnnl::reorder(second, third).execute(explicit_one, second, third);
      explicit_one.wait();
      float* const result = third.map_data<float>();
      got = *result;
      third.unmap_data(result);
    });
    trial.Expect(static_cast<bool>(made), "stream(engine)", "created, and serves that engine",
                 made.refusal.ToString()) &&
        trial.Expect(got == 8, "what went through two streams of the engine", "8",
                     std::to_string(got));
  }
}

// A pool of vectors of floats, copied about by reorders, whole or a part of them, and what must
// come of it.
class Pool {
 public:
  Pool(const CopiesInOrder& c, const Device& device)
      : on_host_(device.on_host),
        case_(c),
        desc_({c.size}, memory::data_type::f32, memory::format_tag::a),
        copy_(CopyOf(desc_, device)) {
    const bool parts = !c.partly.empty();
    const memory::desc part = parts ? desc_.submemory_desc({c.length}, {c.begin}) : desc_;
    if (parts) copy_part_ = CopyOf(part, device);
    for (int64_t b = 0; b < c.buffers; ++b) {
      buffers_.emplace_back(desc_, device.engine);
      if (parts) parts_.emplace_back(part, device.engine, buffers_[b].get_data_handle());
      expected_.push_back({b, b});
      float* const mapped = buffers_.back().map_data<float>();
      for (int64_t i = 0; i < c.size; ++i) mapped[i] = ValueOf(b, i);
      buffers_.back().unmap_data(mapped);
    }
  }

  // The case's copy of that number.
  void Copy(int64_t number, stream& on) {
    const int64_t from = case_.copies[2 * number], to = case_.copies[2 * number + 1];
    const bool part = case_.IsPart(number);
    std::vector<memory>& memories = part ? parts_ : buffers_;
    // No wait: a step of a sequence that ends with one.
    (part ? copy_part_ : copy_).execute(on, memories[from], memories[to]);
    expected_[to].part = expected_[from].part;
    if (!part) expected_[to].rest = expected_[from].rest;
  }

  // The buffer that was written last comes first: what is not finished yet would show there. On
  // the host no call of the subject comes before the look, for that might wait.
  void IsAsExpected(Trial& trial) {
    const int64_t last = case_.copies.empty() ? 0 : case_.copies.back();
    for (int64_t k = 0; k < case_.buffers; ++k) {
      const int64_t b = (last + k) % case_.buffers;
      auto* const values = on_host_ ? static_cast<const float*>(buffers_[b].get_data_handle())
                                    : buffers_[b].map_data<float>();
      int64_t i = case_.size - 1;
      while (i >= 0 && values[i] == ExpectedAt(b, i)) --i;
      const float got = i >= 0 ? values[i] : 0;
      if (!on_host_) buffers_[b].unmap_data(const_cast<float*>(values));
      if (!trial.Expect(i < 0, "buffer " + std::to_string(b) + "[" + std::to_string(i) + "]",
                        std::to_string(i < 0 ? 0 : ExpectedAt(b, i)), std::to_string(got)))
        return;
    }
  }

 private:
  static float ValueOf(int64_t buffer, int64_t i) {
    return static_cast<float>(buffer * 100000 + i % 99991);
  }

  static dnnl::reorder CopyOf(const memory::desc& desc, const Device& device) {
    return dnnl::reorder(dnnl::reorder::primitive_desc(device.engine, desc, device.engine, desc));
  }

  float ExpectedAt(int64_t buffer, int64_t i) const {
    const bool part = i >= case_.begin && i < case_.begin + case_.length;
    return ValueOf(part ? expected_[buffer].part : expected_[buffer].rest, i);
  }

  // The buffers whose first values are there: in the part, and in the rest.
  struct Origins {
    int64_t part, rest;
  };

  bool on_host_;
  CopiesInOrder case_;
  memory::desc desc_;
  dnnl::reorder copy_, copy_part_;
  std::vector<memory> buffers_, parts_;  // the latter on the handles of the former
  std::vector<Origins> expected_;
};

// All copies on one stream, one wait at the end.
void TakeEffectInOrder(const CopiesInOrder& c, Flags flags, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (c.copies.size() < 4) trial.Vacuous();
  Pool pool(c, *device);
  stream on(device->engine, flags);
  for (int64_t number = 0; number < c.count(); ++number) pool.Copy(number, on);
  if (!c.partly.empty()) trial.Cover("parts");
  on.wait();
  pool.IsAsExpected(trial);
}

void DefaultIsInOrder(const CopiesInOrder& c, Trial& trial) {
  TakeEffectInOrder(c, Flags::default_flags, trial);
}
void InOrderIsInOrder(const CopiesInOrder& c, Trial& trial) {
  TakeEffectInOrder(c, Flags::in_order, trial);
}

// Copies of tens of thousands of elements each: a wait() that returns at once is noticed.
Cases<CopiesInOrder> LargeHazards() {
  constexpr int64_t kCases = 200, kEachLarge = 8;  // one of Hazards() in eight is large
  return {kCases, [hazards = Hazards()](int64_t index, Random& random) {
            return hazards.at(kEachLarge * index, random);
          }};
}

// STR-004: dependent copies are kept apart by a wait.
void OutOfOrderIsCompleteAfterWait(const CopiesInOrder& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  auto made = Attempt([&] { return stream(device->engine, Flags::out_of_order); });
  trial.Record("out_of_order", made ? "accepted" : "refused");
  if (!made) return trial.LeftOpen(made.refusal, "stream(engine, out_of_order)");
  stream& on = *made.value;
  Pool pool(c, *device);
  std::vector<int64_t> busy;
  for (int64_t number = 0; number < c.count(); ++number) {
    const int64_t from = c.copies[2 * number], to = c.copies[2 * number + 1];
    if (std::count(busy.begin(), busy.end(), from) + std::count(busy.begin(), busy.end(), to) > 0) {
      on.wait();
      busy.clear();
    } else if (!busy.empty()) {
      trial.Cover("independent");
    }
    pool.Copy(number, on);
    busy.insert(busy.end(), {from, to});
  }
  on.wait();
  pool.IsAsExpected(trial);
}

// What later headers name besides: accepted or refused, it is no unknown value there.
template <class Named>
auto Names(unsigned bit, int) -> decltype(static_cast<unsigned>(Named::profiling), true) {
  return bit == static_cast<unsigned>(Named::profiling);
}
template <class Named>
bool Names(unsigned, long) {
  return false;
}

void UnknownFlagsAreRefused(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const unsigned bit = 1u << (2 + c.seed % 29);
  if (trial.portable() && Names<Flags>(bit, 0)) return trial.Vacuous();
  // By itself, beside a flag that there is, and none at all.
  const unsigned in_order = static_cast<unsigned>(Flags::in_order);
  for (const unsigned flags : {bit, bit | in_order, 0u}) {
    const auto made = Attempt([&] { return stream(device->engine, static_cast<Flags>(flags)); });
    ExpectRefused(trial, made, "stream(engine, flags " + std::to_string(flags) + ")");
    if (trial.failed()) return;
  }
}

void BothOrders(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto both = static_cast<Flags>(static_cast<unsigned>(Flags::in_order) |
                                       static_cast<unsigned>(Flags::out_of_order));
  const auto made = Attempt([&] { stream(device->engine, both).wait(); });
  trial.Record("in_order | out_of_order", made ? "accepted" : "refused");
  trial.Expect(made || made.refusal.is_error, "stream(engine, in_order | out_of_order)",
               "accepted or refused", made.refusal.ToString());
}

void WaitReturnsItsStream(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  stream on(device.engine);
  Bench bench(*sample, device, c.seed);
  sample->primitive.execute(on, bench.arguments());
  stream& same = on.wait();
  trial.Expect(&same == &on, "&stream.wait()", "&stream", "another address");
  bench.IsDone(c.kind, trial);
}

void IdleWaitsAreHarmless(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  const auto done = Attempt([&] {
    stream on(device.engine);
    on.wait();
    on.wait().wait();
    sample->primitive.execute(on, bench.arguments());
    on.wait();
    on.wait();
    stream(device.engine).wait();
  });
  if (!trial.Expect(static_cast<bool>(done), "waits before and after work", "done",
                    done.refusal.ToString()))
    return;
  bench.IsDone(c.kind, trial);
}

void StreamOfAnotherDeviceIsRefused(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  using Kind = dnnl::engine::kind;
  const Kind other = device.engine.get_kind() == Kind::cpu ? Kind::gpu : Kind::cpu;
  if (dnnl::engine::get_count(other) == 0) return trial.NotRun("one device only");
  const stream elsewhere(dnnl::engine(other, 0));
  Bench bench(*sample, device, c.seed);
  const auto done = Attempt([&] { sample->primitive.execute(elsewhere, bench.arguments()); });
  ExpectRefused(trial, done, "execute on a stream of another device");
}

void StreamsAreEphemeral(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  for (int cycle = 0; cycle < 10; ++cycle) {
    bench.Reset();
    {
      stream on(device.engine);
      sample->primitive.execute(on, bench.arguments());
      on.wait();
    }
    if (!bench.IsDone(c.kind + " in cycle " + std::to_string(cycle), trial)) return;
  }
}

// Any number over the life of an engine: none may keep what it used.
void StreamsLeaveNothingBehind(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const int64_t left = BytesLeftByEach(20000, [&] { stream(device->engine).wait(); });
  trial.Expect(left < kLeastLeak, "bytes left by each of 20000 streams", "none",
               std::to_string(left));
}

void WorkOutlivesItsStream(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  { sample->primitive.execute(stream(device.engine), bench.arguments()); }
  stream(device.engine).wait();
  bench.IsDone(c.kind + " on a stream that is gone", trial);
}

// Small memories with other contents, as many as free lists hold: whatever was freed too early is
// theirs now.
std::vector<memory> Overwrite(const memory::desc& desc, const Device& device) {
  std::vector<memory> others;
  for (int i = 0; i < 16; ++i) {
    others.emplace_back(desc, device.engine);
    auto* const mapped = others.back().map_data<unsigned char>();
    std::memset(mapped, 0xa5, desc.get_size());
    others.back().unmap_data(mapped);
    // A view of the same bytes: what stands for a caller's buffer is allocated too.
    if (device.on_host) others.emplace_back(desc, device.engine, others.back().get_data_handle());
  }
  return others;
}

// STR-013: only the destination is left when the work is waited for.
void ArgumentsMayGoBeforeWait(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  const memory::desc from = sample->from;
  stream on(device.engine);
  {
    Arguments arguments = bench.arguments();
    // A memory of its own for the source, which the library owns: dropped with the map.
    memory source(from, device.engine);
    dnnl::reorder(bench.from.memory(), source).execute(on, bench.from.memory(), source);
    on.wait();
    arguments[sample->plan.from_arg()] = source;
    sample->primitive.execute(on, arguments);
    sample.reset();
  }
  const std::vector<memory> others = Overwrite(from, device);
  on.wait();
  bench.IsDone(c.kind + " whose handles are gone", trial);
}

const bool defined[] = {
    Define(spec::STR_001, "", StreamsAreMade),
    Define(spec::STR_002, "", Hazards(), DefaultIsInOrder, {"parts"}),
    Define(spec::STR_003, "", Hazards(), InOrderIsInOrder, {"parts"}),
    Define(spec::STR_004, "", Hazards(), OutOfOrderIsCompleteAfterWait),
    Define(spec::STR_004, "flags", Seeds(), UnknownFlagsAreRefused),
    Define(spec::STR_005, "", BothOrders),
    Define(spec::STR_006, "", Samples(), WaitReturnsItsStream, {"reorder", "forward", "backward"}),
    Define(spec::STR_006, "large", LargeHazards(), DefaultIsInOrder),
    Define(spec::STR_007, "", Samples(), IdleWaitsAreHarmless),
    Define(spec::STR_009, "", SamplesWithOperation(), StreamOfAnotherDeviceIsRefused),
    Define(spec::STR_011, "", Samples(), StreamsAreEphemeral),
    Define(spec::STR_011, "held", StreamsLeaveNothingBehind),
    Define(spec::STR_012, "", Samples(), WorkOutlivesItsStream),
    Define(spec::STR_013, "", Samples(), ArgumentsMayGoBeforeWait),
};

}  // namespace
}  // namespace conformance
