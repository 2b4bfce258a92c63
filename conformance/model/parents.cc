// PRIM-033: an argument is a buffer that holds all that the primitive addresses, whatever the
// memory's own descriptor says.
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/tensor_cases.h"
#include "conformance/model/holder.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

// `tensor` becomes a region of a parent that is larger by up to two in each dim. The parent.
TensorSpec MoveIntoParent(Random& random, TensorSpec* tensor) {
  TensorSpec parent = *tensor;
  spec::Dims offsets;
  for (int64_t& dim : parent.dims) {
    const int64_t more = random.Between(0, 2);
    offsets.push_back(random.Between(0, more));
    dim += more;
  }
  parent.layout.strides = DrawStrides(random, parent.dims, random.Chance(50));
  tensor->layout.strides = parent.layout.strides;
  tensor->layout.parents = {{parent.dims, offsets}};
  return parent;
}

// A sample whose tensors are regions, and the descriptors of their parents.
struct Regions {
  SamplePlan plan;
  TensorSpec from_parent, to_parent;
};

Regions DrawRegions(const SamplePlan& drawn, Random& random) {
  Regions regions;
  SamplePlan& plan = regions.plan;
  plan = drawn;
  regions.from_parent = MoveIntoParent(random, &plan.from);
  if (plan.kind->has_own_layouts) {
    regions.to_parent = MoveIntoParent(random, &plan.to);
  } else {
    plan.to = plan.from;  // both have one descriptor
    regions.to_parent = regions.from_parent;
  }
  return regions;
}

// Of a memory that holds `tensor`, a region of `parent`: the parent's, or no descriptor of the
// tensor at all.
dnnl::memory::desc AnyHolderOf(const TensorSpec& tensor, const TensorSpec& parent, Random& random,
                               Trial& trial) {
  if (random.Chance(50)) {
    trial.Cover("parent");
    return MakeDesc(parent);
  }
  const int64_t more = random.Between(0, 3);
  trial.Cover(more == 0 ? "no byte more" : "longer");
  return Flat(tensor.type, Reach(tensor) + more);
}

void ParentsServe(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Random random(Mix(c.seed));
  const auto drawn = PlanFor(c, random, trial);
  if (!drawn) return;
  Device* const device = DeviceFor(trial);
  const Regions regions = DrawRegions(*drawn, random);
  const SamplePlan& plan = regions.plan;
  const auto sample = Attempt([&] { return MakeSample(plan, device->engine); });
  if (!sample) return SampleRefused(plan, sample.refusal, trial);
  Holder from(AnyHolderOf(plan.from, regions.from_parent, random, trial), *device, c.seed);
  Holder to(AnyHolderOf(plan.to, regions.to_parent, random, trial), *device, ~c.seed);
  const std::vector<spec::Bits> values = plan.Values(c.seed);
  from.Put(plan.from, values);
  from.Upload();
  const auto done = Attempt([&] {
    sample.value->primitive.execute(device->stream,
                                    {{plan.from_arg(), from.held}, {plan.to_arg(), to.held}});
    device->stream.wait();
  });
  if (!trial.Expect(static_cast<bool>(done), "execute with memories that hold the regions", "done",
                    done.refusal.ToString()))
    return;
  to.Put(plan.to, plan.Results({values}));
  if (to.Holds("destination", trial)) from.Holds("source", trial);
}

// The strides of one side come with its memory. The other side, of which all is known, is a region
// that the primitive addresses as it knows it, whatever that memory's descriptor says.
void ParentsServeBesideAnOpenSide(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Random random(Mix(c.seed));
  const auto drawn = PlanFor(c, random, trial);
  if (!drawn) return;
  Device* const device = DeviceFor(trial);
  SamplePlan plan = *drawn;
  const bool source_is_known = random.Chance(50);
  trial.Cover(source_is_known ? "known source" : "known destination");
  TensorSpec& known = source_is_known ? plan.from : plan.to;
  const TensorSpec& other = source_is_known ? plan.to : plan.from;
  const TensorSpec parent = MoveIntoParent(random, &known);
  spec::Dims strides = other.layout.strides;
  const auto open = static_cast<size_t>(random.Between(0, other.rank() - 1));
  for (size_t j = 0; j < strides.size(); ++j)
    if (j == open || random.Chance(50)) strides[j] = DNNL_RUNTIME_DIM_VAL;
  const auto made = Attempt([&] {
    const dnnl::memory::desc opened(other.dims, DataTypeOf(other.type), strides);
    return dnnl::reorder(
        dnnl::reorder::primitive_desc(device->engine, source_is_known ? MakeDesc(known) : opened,
                                      device->engine, source_is_known ? opened : MakeDesc(known)));
  });
  if (!made) return trial.LeftOpen(made.refusal, "a reorder with run-time strides on one side");
  const dnnl::memory::desc held = AnyHolderOf(known, parent, random, trial);
  Holder from(source_is_known ? held : MakeDesc(other), *device, c.seed);
  Holder to(source_is_known ? MakeDesc(other) : held, *device, ~c.seed);
  const std::vector<spec::Bits> values = plan.Values(c.seed);
  from.Put(plan.from, values);
  from.Upload();
  const auto done = Attempt([&] {
    made.value->execute(device->stream, {{DNNL_ARG_FROM, from.held}, {DNNL_ARG_TO, to.held}});
    device->stream.wait();
  });
  if (!trial.Expect(static_cast<bool>(done), "execute with a memory that holds the known side",
                    "done", done.refusal.ToString()))
    return;
  to.Put(plan.to, plan.Results({values}));
  if (to.Holds("destination", trial)) from.Holds("source", trial);
}

// Of elements that are moved from one layout into another.
Cases<SampleCase> Moved() {
  SampleDraws draws;
  draws.of = [](const SampleKind& kind) { return kind.has_own_layouts; };
  draws.shaped = false;
  return Samples(draws);
}

// One element is one byte here.
void OneByteTooFewIsRefused(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Random random(Mix(c.seed));
  const auto drawn = PlanFor(c, random, trial);
  if (!drawn) return;
  Device* const device = DeviceFor(trial);
  SamplePlan plan = DrawRegions(*drawn, random).plan;
  plan.from.type = plan.to.type = spec::Type::kU8;
  const auto sample = Attempt([&] { return MakeSample(plan, device->engine); });
  if (!sample)
    return trial.Refused(sample.refusal, {plan.kind->topic, "", {"u8"}, plan.from.rank(), {}});
  for (const bool source : {true, false}) {
    const int64_t missing_from = source ? 1 : 0, missing_to = source ? 0 : 1;
    Holder from(Flat(plan.from.type, Reach(plan.from) - missing_from), *device, c.seed);
    Holder to(Flat(plan.to.type, Reach(plan.to) - missing_to), *device, ~c.seed);
    const std::string what =
        std::string("execute with one byte too few in the ") + (source ? "source" : "destination");
    const bool refused = ExpectRefusedByExecute(
        what,
        [&] {
          // No wait: refused.
          sample.value->primitive.execute(device->stream,
                                          {{plan.from_arg(), from.held}, {plan.to_arg(), to.held}});
        },
        device->stream, trial);
    if (!refused || !to.Holds("destination after " + what, trial)) return;
  }
}

const std::vector<std::string> kHolders = {"parent", "no byte more", "longer"};

const bool defined[] = {
    Define(spec::PRIM_033, "fits", ReshapableSamples(), ParentsServe, kHolders),
    Define(spec::PRIM_033, "beside-open", Moved(), ParentsServeBesideAnOpenSide,
           {"parent", "no byte more", "longer", "known source", "known destination"}),
    Define(spec::PRIM_033, "byte", ReshapableSamples(), OneByteTooFewIsRefused),
};

}  // namespace
}  // namespace conformance
