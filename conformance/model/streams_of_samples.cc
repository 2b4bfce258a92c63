// Streams with primitives of every kind: STR-002 to STR-004, STR-011.
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/placement.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/heap.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::stream;
using Flags = stream::flags;

// A tensor that a reorder copies to or from one of a sample's.
struct Staged {
  Staged(const TensorSpec& tensor, const memory::desc& desc, const std::vector<spec::Bits>& values,
         const Device& device, uint64_t seed)
      : held(tensor, desc, device, Placement(), seed) {
    held.Store(values);
  }

  Tensor held;
};

// Without waits: the source arrives, the sample executes, its result is carried away, and both
// tensors are overwritten. Each step wants the one before.
void TakesItsTurn(const SampleCase& c, Flags flags, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  const SamplePlan& plan = sample->plan;
  const auto copy_of = [&](const memory::desc& desc) {
    return Attempt([&] {
      return dnnl::reorder(dnnl::reorder::primitive_desc(device.engine, desc, device.engine, desc));
    });
  };
  const auto copy_from = copy_of(sample->from), copy_to = copy_of(sample->to);
  for (const auto* copy : {&copy_from, &copy_to})
    if (!*copy) return trial.LeftOpen(copy->refusal, "a copy of the sample's tensors");
  Bench bench(*sample, device, c.seed);
  const std::vector<spec::Bits> later = plan.Values(c.seed + 9);
  Staged arriving(plan.from, sample->from, bench.values, device, c.seed + 11);
  Staged following(plan.from, sample->from, later, device, c.seed + 12);
  Staged result(plan.to, sample->to, bench.old, device, c.seed + 13);
  Staged garbage(plan.to, sample->to, bench.old, device, c.seed + 14);
  bench.from.Store(later);
  stream on(device.engine, flags);
  const auto copy = [&](const dnnl::reorder& by, Tensor& from, Tensor& to) {
    by.execute(on, {{DNNL_ARG_FROM, from.memory()}, {DNNL_ARG_TO, to.memory()}});
  };
  const auto done = Attempt([&] {
    copy(*copy_from.value, arriving.held, bench.from);
    sample->primitive.execute(on, bench.arguments());
    copy(*copy_to.value, bench.to, result.held);
    copy(*copy_from.value, following.held, bench.from);
    copy(*copy_to.value, garbage.held, bench.to);
    on.wait();
  });
  if (!trial.Expect(static_cast<bool>(done), c.kind + " between copies, without waits", "done",
                    done.refusal.ToString()))
    return;
  const std::string source = bench.from.ChangedByte(later);
  const std::string target = bench.to.ChangedByte(bench.old);
  if (!trial.Expect(source.empty(), "source after a later copy", "what was copied", source) ||
      !trial.Expect(target.empty(), "destination after a later copy", "what was copied", target))
    return;
  bench.to.Store(result.held.Load());
  ExpectSameBits(trial, c.kind + " between copies", plan.to.type, plan.to.dims, bench.Results(),
                 bench.Holds());
}

void DefaultIsInOrder(const SampleCase& c, Trial& trial) {
  TakesItsTurn(c, Flags::default_flags, trial);
}
void InOrderIsInOrder(const SampleCase& c, Trial& trial) {
  TakesItsTurn(c, Flags::in_order, trial);
}

// STR-004: independent executions, of several sizes, and one wait.
void IndependentWorkIsComplete(const SampleCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  auto on = Attempt([&] { return stream(device->engine, Flags::out_of_order); });
  if (!on) return trial.LeftOpen(on.refusal, "stream(engine, out_of_order)");
  std::vector<Sample> samples;
  std::vector<Bench> benches;
  Random random(Mix(c.seed));
  constexpr uint64_t kSamples = 3;
  for (uint64_t k = 0; k < kSamples; ++k) {
    const auto plan = PlanFor(c, random, trial);
    if (!plan) return;
    samples.push_back(MakeSample(*plan, device->engine));
    benches.emplace_back(samples.back(), *device, c.seed + 10 * k);
  }
  const auto done = Attempt([&] {
    for (size_t k = 0; k < samples.size(); ++k)
      samples[k].primitive.execute(*on.value, benches[k].arguments());
    on.value->wait();
  });
  if (!trial.Expect(static_cast<bool>(done), "executions on an out-of-order stream", "done",
                    done.refusal.ToString()))
    return;
  for (Bench& bench : benches)
    if (!bench.IsDone(c.kind + " on an out-of-order stream", trial)) return;
}

// STR-011: neither a stream nor what ran on it stays behind.
void StreamsWithWorkLeaveNothingBehind(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  const Arguments arguments = bench.arguments();
  constexpr int kStreams = 100;
  const int64_t left = BytesLeftByEach(kStreams, [&] {
    stream on(device.engine);
    sample->primitive.execute(on, arguments);
    on.wait();
  });
  trial.Expect(left < kLeastLeak, "bytes left by each of 100 streams on which " + c.kind + " ran",
               "none", std::to_string(left));
}

Cases<SampleCase> FewOfEachKind() {
  constexpr int64_t kCases = 40;
  SampleDraws draws;
  draws.shaped = false;
  Cases<SampleCase> few = Samples(draws);
  few.count = kCases;
  return few;
}

const std::vector<std::string> kEveryKind = {"reorder", "forward", "backward"};

const bool defined[] = {
    Define(spec::STR_002, "kinds", Samples(), DefaultIsInOrder, kEveryKind),
    Define(spec::STR_003, "kinds", Samples(), InOrderIsInOrder, kEveryKind),
    Define(spec::STR_004, "kinds", Samples(), IndependentWorkIsComplete),
    Define(spec::STR_011, "kinds", FewOfEachKind(), StreamsWithWorkLeaveNothingBehind),
};

}  // namespace
}  // namespace conformance
