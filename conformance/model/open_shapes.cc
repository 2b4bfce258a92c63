// Reorders whose shapes come with the execution: PRIM-034, ATTR-024.
#include <algorithm>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/layouts.h"
#include "conformance/gen/shapes.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using Desc = memory::desc;

// What is known at execution only: bit j stands for axis j.
struct Open {
  int64_t dims = 0, from_strides = 0, to_strides = 0;

  bool none() const { return dims == 0 && from_strides == 0 && to_strides == 0; }
};

bool Has(int64_t bits, size_t axis) { return (bits >> axis & 1) != 0; }

// Any of the dims, the same on both sides, and any of the strides of each side.
Open DrawOpen(Random& random) {
  Open open;
  while (open.none()) {
    if (random.Chance(70)) open.dims = random.Between(0, 7);
    if (random.Chance(50)) open.from_strides = random.Pick<int64_t>({7, random.Between(0, 7)});
    if (random.Chance(50)) open.to_strides = random.Pick<int64_t>({7, random.Between(0, 7)});
  }
  return open;
}

Desc Opened(const TensorSpec& tensor, int64_t open_dims, int64_t open_strides) {
  memory::dims dims = tensor.dims, strides = tensor.layout.strides;
  for (size_t j = 0; j < dims.size(); ++j) {
    if (Has(open_dims, j)) dims[j] = DNNL_RUNTIME_DIM_VAL;
    if (Has(open_strides, j)) strides[j] = DNNL_RUNTIME_DIM_VAL;
  }
  return Desc(dims, DataTypeOf(tensor.type), strides);
}

dnnl::reorder MakeOpened(const SamplePlan& plan, const Open& open, const Device& device,
                         const dnnl::primitive_attr& attr = {}) {
  return dnnl::reorder(dnnl::reorder::primitive_desc(
      device.engine, Opened(plan.from, open.dims, open.from_strides), device.engine,
      Opened(plan.to, open.dims, open.to_strides), attr));
}

void CoverOpen(const Open& open, Trial& trial) {
  if (open.dims != 0) trial.Cover("run-time dim");
  if (open.from_strides != 0 || open.to_strides != 0) trial.Cover("run-time stride");
}

// The axis whose stride is the largest of those that count: a larger one there moves no element
// onto another. -1 if there is none.
int OutermostOf(const TensorSpec& tensor) {
  int outermost = -1;
  for (int j = 0; j < 3; ++j) {
    if (tensor.dims[j] <= 1) continue;
    if (outermost < 0 || tensor.layout.strides[j] > tensor.layout.strides[outermost]) outermost = j;
  }
  return outermost;
}

// Open strides of `tensor`, as the bits say, that differ from what they are.
void RedrawStrides(TensorSpec* tensor, int64_t open, Random& random) {
  if (open == 7) {
    tensor->layout.strides = DrawStrides(random, tensor->dims, /*gaps=*/random.Chance(30));
    return;
  }
  const int outermost = OutermostOf(*tensor);
  if (outermost >= 0 && Has(open, static_cast<size_t>(outermost)))
    tensor->layout.strides[static_cast<size_t>(outermost)] += random.Between(1, 9);
}

// The same request with other values for what is open: other strides, and other dims half of the
// time.
SamplePlan Redrawn(const SamplePlan& plan, const Open& open, Random& random) {
  SamplePlan other = plan;
  // Known strides are those of the dims there are: no larger ones.
  const bool any_dims = open.from_strides == 7 && open.to_strides == 7;
  const bool dims_stay = random.Chance(50);
  for (size_t j = 0; j < 3; ++j) {
    if (dims_stay || !Has(open.dims, j)) continue;
    const int64_t most = any_dims ? 9 : plan.from.dims[j];
    other.from.dims[j] = other.to.dims[j] = random.Between(std::min<int64_t>(2, most), most);
  }
  RedrawStrides(&other.from, open.from_strides, random);
  RedrawStrides(&other.to, open.to_strides, random);
  return other;
}

// One primitive executes on memories of one shape, then of others, then on the first again.
void RunTimeShapesMatch(const SampleCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const auto drawn = PlanFor(c, random, trial);
  if (!drawn) return;
  Device* const device = DeviceFor(trial);
  const SamplePlan& plan = *drawn;
  const Open open = DrawOpen(random);
  const auto made = Attempt([&] { return MakeOpened(plan, open, *device); });
  trial.Record("reorder with run-time shapes", made ? "offered" : "refused");
  if (!made) return trial.LeftOpen(made.refusal, "a reorder with run-time shapes");
  CoverOpen(open, trial);
  std::vector<Bench> benches;
  for (uint64_t k = 0; k < 3; ++k) {
    const SamplePlan now = k == 0 ? plan : Redrawn(plan, open, random);
    const Sample sample{now, MakeDesc(now.from), MakeDesc(now.to), {}, {}};
    benches.emplace_back(sample, *device, c.seed + 5 * k);
    if (now.from.dims == plan.from.dims && sample.from != benches[0].from.memory().get_desc())
      trial.Cover("other strides of the same dims");
    if (now.from.dims != plan.from.dims) trial.Cover("other dims");
  }
  for (const size_t k : {0, 1, 2, 0}) {
    benches[k].Reset();
    if (!RunBench(*made.value, benches[k], device->stream, trial)) return;
    if (!benches[k].IsDone("reorder on run-time shapes " + std::to_string(k), trial)) return;
  }
}

// What the memories of an execution are wrong in, where a reorder has open values.
struct Misfit {
  const char* what;
  SamplePlan plan;
};

// Memories that do not fit the known parts of `plan`, or are at odds in an open one.
std::vector<Misfit> MisfitsOf(const SamplePlan& plan, const Open& open, Random& random) {
  std::vector<Misfit> misfits;
  const auto axis = static_cast<size_t>(random.Between(0, 2));
  misfits.push_back({Has(open.dims, axis) ? "an open dim that differs between the sides"
                                          : "another dim beside an open one",
                     plan});
  SamplePlan& other_dim = misfits.back().plan;
  // A known one on both sides alike, so that nothing but the descriptor is against it.
  const bool source = random.Chance(50);
  for (TensorSpec* tensor : {&other_dim.from, &other_dim.to}) {
    if (!Has(open.dims, axis) || source == (tensor == &other_dim.from)) ++tensor->dims[axis];
    tensor->layout.strides = RowMajorStrides(tensor->dims);
  }
  for (const bool from : {true, false}) {
    const int64_t open_strides = from ? open.from_strides : open.to_strides;
    // A side of which all is known is addressed as the primitive knows it (PRIM-033).
    if (open.dims == 0 && open_strides == 0) continue;
    const TensorSpec& tensor = from ? plan.from : plan.to;
    const int outermost = OutermostOf(tensor);
    if (outermost < 0) continue;
    const auto at = static_cast<size_t>(outermost);
    if (Has(open_strides, at)) continue;
    misfits.push_back(
        {Has(open.dims, at) ? "another stride of an open dim" : "another stride beside an open one",
         plan});
    SamplePlan& wrong = misfits.back().plan;
    (from ? wrong.from : wrong.to).layout.strides[at] += random.Between(1, 9);
  }
  misfits.push_back({"another type beside an open value", plan});
  SamplePlan& wrong = misfits.back().plan;
  spec::Type& type = (random.Chance(50) ? wrong.from : wrong.to).type;
  const spec::Type right = type;
  while (type == right) type = random.Pick({spec::Type::kS32, spec::Type::kS8, spec::Type::kBF16});
  return misfits;
}

// With run-time values in some places, the others are still to be matched, and what is open must
// agree.
void KnownPartsMustMatch(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Random random(Mix(c.seed));
  const auto drawn = PlanFor(c, random, trial);
  if (!drawn) return;
  Device* const device = DeviceFor(trial);
  const SamplePlan& plan = *drawn;
  const Open open = DrawOpen(random);
  const auto made = Attempt([&] { return MakeOpened(plan, open, *device); });
  if (!made) return trial.LeftOpen(made.refusal, "a reorder with run-time shapes");
  CoverOpen(open, trial);
  Sample sample{plan, MakeDesc(plan.from), MakeDesc(plan.to), {}, *made.value};
  Bench bench(sample, *device, c.seed);
  for (const Misfit& misfit : MisfitsOf(plan, open, random)) {
    trial.Cover(misfit.what);
    RefusedUntouched(sample,
                     {{DNNL_ARG_FROM, memory(MakeDesc(misfit.plan.from), device->engine)},
                      {DNNL_ARG_TO, memory(MakeDesc(misfit.plan.to), device->engine)}},
                     bench, *device, std::string("with ") + misfit.what, trial);
    if (trial.failed()) return;
  }
}

// ATTR-024: where the masked dims are known, so is the number of scales, whatever else comes with
// the execution.
void CountsAreKnownBeforeShapes(const SampleCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const auto plan = PlanFor(c, random, trial);
  if (!plan) return;
  Device* const device = DeviceFor(trial);
  const Open open = DrawOpen(random);
  const int mask = static_cast<int>(random.Between(0, 7) & ~open.dims);
  int64_t count = 1;
  for (size_t j = 0; j < plan->to.dims.size(); ++j)
    if (Has(mask, j)) count *= plan->to.dims[j];
  const auto with = [&](int64_t scales) {
    dnnl::primitive_attr attr;
    attr.set_output_scales(mask, std::vector<float>(static_cast<size_t>(scales), 2.f));
    return Attempt([&] { return MakeOpened(*plan, open, *device, attr); });
  };
  const auto right = with(count);
  if (!right) return trial.LeftOpen(right.refusal, "a scaled reorder with run-time shapes");
  CoverOpen(open, trial);
  trial.Cover(mask == 0 ? "common scale" : "mask");
  for (const int64_t wrong : {count + 1, count - 1, 2 * count}) {
    if (wrong < 1) continue;
    if (!ExpectRefused(trial, with(wrong),
                       "a reorder with run-time shapes and " + std::to_string(wrong) +
                           " scales, of " + std::to_string(count)))
      return;
  }
}

// Of elements that are moved from one layout into another.
Cases<SampleCase> OpenSamples() {
  SampleDraws draws;
  draws.of = [](const SampleKind& kind) { return kind.has_own_layouts; };
  draws.shaped = false;
  return Samples(draws);
}

const bool defined[] = {
    Define(spec::ATTR_024, "open", OpenSamples(), CountsAreKnownBeforeShapes,
           {"run-time dim", "run-time stride", "mask", "common scale"}),
    Define(spec::PRIM_034, "", OpenSamples(), RunTimeShapesMatch,
           {"other strides of the same dims", "other dims"}),
    Define(spec::PRIM_034, "others", OpenSamples(), KnownPartsMustMatch,
           {"run-time dim", "run-time stride", "an open dim that differs between the sides",
            "another dim beside an open one", "another stride beside an open one",
            "another stride of an open dim"}),
};

}  // namespace
}  // namespace conformance
