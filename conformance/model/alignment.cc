// MEM-028 and MEM-029 for every primitive: buffers of the caller are aligned as their elements are,
// and end where the tensors do.
#include <cstddef>
#include <string>

#include "conformance/case/property.h"
#include "conformance/gen/placement.h"
#include "conformance/model/samples.h"
#include "conformance/subject/device.h"
#include "conformance/subject/tensor.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

// Up to 15 elements behind a line of 64 bytes.
Placement AnyShift(Random& random) { return {Placement::Edge::kMiddle, random.Between(1, 15)}; }

// Before an inaccessible page, or behind one.
Placement AnyEdge(Random& random) {
  return {random.Pick({Placement::Edge::kEnd, Placement::Edge::kEnd, Placement::Edge::kStart}), 0};
}

void RunsOn(const SampleCase& c, Placement (*place)(Random& random), const std::string& where,
            Trial& trial) {
  auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device* const device = DeviceFor(trial);
  if (!device->on_host) return trial.NotRun("the engine takes no host pointers");
  trial.Cover(c.kind);
  Random random(Mix(c.seed) + 1);
  const SamplePlan& plan = sample->plan;
  Bench bench(*sample, *device, c.seed);
  bench.from = Tensor(plan.from, sample->from, *device, place(random), c.seed);
  bench.from.Store(bench.values);
  bench.to = Tensor(plan.to, sample->to, *device, place(random), ~c.seed);
  bench.to.Store(bench.old);
  for (size_t i = 0; i < plan.others.size(); ++i) {
    const TensorSpec& tensor = plan.others[i].tensor;
    bench.others[i] = Tensor(tensor, MakeDesc(tensor), *device, place(random), c.seed + 2);
    bench.others[i].Store(bench.other_values[i]);
  }
  if (RunBench(sample->primitive, bench, device->stream, trial))
    bench.IsDone(c.kind + " on buffers " + where, trial);
}

void ElementAlignmentIsEnough(const SampleCase& c, Trial& trial) {
  trial.Cover("misaligned");
  RunsOn(c, AnyShift, "that are aligned as elements", trial);
}

void NothingBesideIsTouched(const SampleCase& c, Trial& trial) {
  RunsOn(c, AnyEdge, "at the edge of what is accessible", trial);
}

const bool defined[] = {
    Define(spec::MEM_028, "primitives", Samples(), ElementAlignmentIsEnough, {"misaligned"}),
    Define(spec::MEM_029, "primitives", Samples(), NothingBesideIsTouched),
};

}  // namespace
}  // namespace conformance
