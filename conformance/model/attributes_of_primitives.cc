// Attributes that primitive descriptors keep: ATTR-001 to ATTR-004, ATTR-035.
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/values.h"
#include "conformance/model/attribute_text.h"
#include "conformance/model/sample_attributes.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/fpmath.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::primitive_attr;
using dnnl::scratchpad_mode;

void DefaultIsNone(const SampleCase& c, Trial& trial) {
  const auto without = SampleOf(c, trial);
  const auto with = SampleOf(c, trial, primitive_attr());
  if (!without || !with) return;
  Device& device = *DeviceFor(trial);
  trial.Expect(std::strcmp(without->pd.impl_info_str(), with->pd.impl_info_str()) == 0,
               "impl_info_str() with default attributes", without->pd.impl_info_str(),
               with->pd.impl_info_str());
  ExpectDescriptor(trial, "scratchpad_desc() with default attributes", "as without",
                   without->pd.scratchpad_desc(), with->pd.scratchpad_desc());
  Bench bench(*with, device, c.seed);
  if (RunBench(with->primitive, bench, device.stream, trial))
    bench.IsDone("with default attributes", trial);
}

void AttributesAreCopied(const SampleCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const auto planned = PlanFor(c, random, trial);
  if (!planned) return;
  const SamplePlan& plan = *planned;
  Device* const device = DeviceFor(trial);
  Random replay = random;
  auto attr = std::make_unique<primitive_attr>(AnyAttributesFor(plan, random));
  const std::string given = TextOf(*attr);
  const auto sample = Attempt([&] { return MakeSample(plan, device->engine, *attr); });
  if (!sample) return SampleWithAttributesRefused(plan, *attr, sample.refusal, trial);
  // The same requests again, with attributes that nobody touches.
  const Sample untouched = MakeSample(plan, device->engine, AnyAttributesFor(plan, replay));
  attr->set_output_scales(0, {77.f});
  attr->set_scratchpad_mode(scratchpad_mode::user);
  dnnl::post_ops ops;
  ops.append_sum(5.f);
  attr->set_post_ops(ops);
  Attempt([&] { attr->set_zero_points(DNNL_ARG_SRC, 0, {9}); });
  trial.Expect(TextOf(sample.value->pd.get_primitive_attr()) == given,
               "get_primitive_attr() after the attribute changed", given,
               TextOf(sample.value->pd.get_primitive_attr()));
  attr.reset();
  trial.Expect(TextOf(sample.value->pd.get_primitive_attr()) == given,
               "get_primitive_attr() after the attribute is gone", given,
               TextOf(sample.value->pd.get_primitive_attr()));
  Bench changed(*sample.value, *device, c.seed), same(untouched, *device, c.seed);
  const auto done = Attempt([&] {
    sample.value->primitive.execute(device->stream, changed.ArgumentsFor(*sample.value, *device));
    untouched.primitive.execute(device->stream, same.ArgumentsFor(untouched, *device));
    device->stream.wait();
  });
  if (!ExpectAccepted(trial, done, "execute with attributes")) return;
  ExpectSameBits(trial, "result", plan.to.type, plan.to.dims, same.to.Load(), changed.to.Load());
}

// The same with a mode of floating-point arithmetic, alone or beside others, where it is taken.
void ModeOfArithmeticComesBack(const SamplePlan& plan, const primitive_attr& others, Random& random,
                               Trial& trial) {
  primitive_attr attr;
  if (random.Chance(50)) attr = others;
  SetFpmathMode(&attr, random.Pick(kFpmathModes).number);
  const auto sample = Attempt([&] { return MakeSample(plan, DeviceFor(trial)->engine, attr); });
  if (!sample) {
    trial.Expect(sample.refusal.is_error, plan.kind->name + " with an fpmath mode", "a dnnl::error",
                 sample.refusal.ToString());
    return;
  }
  trial.Cover("fpmath mode");
  const primitive_attr got = sample.value->pd.get_primitive_attr();
  trial.Expect(FpmathModeOf(got) == FpmathModeOf(attr), "get_primitive_attr().get_fpmath_mode()",
               std::to_string(FpmathModeOf(attr)), std::to_string(FpmathModeOf(got)));
  trial.Expect(TextOf(got) == TextOf(attr), "get_primitive_attr() with an fpmath mode",
               TextOf(attr), TextOf(got));
}

// The same with a sum that names the type of the destination, where it is taken.
void TypedSumComesBack(const SamplePlan& plan, Random& random, Trial& trial) {
  primitive_attr attr;
  dnnl::post_ops ops;
  ops.append_sum(static_cast<float>(random.Between(1, 4)), DataTypeOf(plan.to.type));
  attr.set_post_ops(ops);
  const auto pd = Attempt([&] { return MakePd(plan, DeviceFor(trial)->engine, attr); });
  if (!pd) {
    trial.Expect(pd.refusal.is_error, plan.kind->name + " with a typed sum", "a dnnl::error",
                 pd.refusal.ToString());
    return;
  }
  trial.Cover("typed sum");
  const std::string got = TextOf((*pd.value)->Base().get_primitive_attr());
  trial.Expect(got == TextOf(attr), "get_primitive_attr() with a typed sum", TextOf(attr), got);
}

// The same of what next_impl() makes of the descriptor.
void AttributesStayWithTheNext(const SamplePlan& plan, const primitive_attr& attr, Trial& trial) {
  constexpr int kMostImplementations = 64;
  const auto pd = MakePd(plan, DeviceFor(trial)->engine, attr);
  for (int number = 1; number < kMostImplementations && pd->Next(); ++number) {
    trial.Cover("second implementation");
    const std::string got = TextOf(pd->Base().get_primitive_attr());
    if (!trial.Expect(got == TextOf(attr),
                      "get_primitive_attr() of implementation " + std::to_string(number),
                      TextOf(attr), got))
      return;
  }
}

void AttributesComeBack(const SampleCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const auto plan = PlanFor(c, random, trial);
  if (!plan) return;
  const primitive_attr attr = AnyAttributesFor(*plan, random, /*run_time=*/true);
  const auto sample = Attempt([&] { return MakeSample(*plan, DeviceFor(trial)->engine, attr); });
  if (!sample) return SampleWithAttributesRefused(*plan, attr, sample.refusal, trial);
  int mask = 0;
  std::vector<float> scales;
  attr.get_output_scales(mask, scales);
  if (mask != 0) trial.Cover("mask");
  trial.Expect(TextOf(sample.value->pd.get_primitive_attr()) == TextOf(attr),
               "get_primitive_attr()", TextOf(attr), TextOf(sample.value->pd.get_primitive_attr()));
  AttributesStayWithTheNext(*plan, attr, trial);
  TypedSumComesBack(*plan, random, trial);
  if (kHasFpmathMode) ModeOfArithmeticComesBack(*plan, attr, random, trial);
}

void ReturnedAttributesAreApart(const SampleCase& c, Trial& trial) {
  auto sample = SampleOf(c, trial);
  if (!sample) return;
  if (sample->plan.kind->scaled_axes != 0) {
    // With values of its own, so that there is something to share.
    primitive_attr attr;
    attr.set_output_scales(0, {0.5f});
    auto scaled = Attempt([&] { return MakeSample(sample->plan, DeviceFor(trial)->engine, attr); });
    if (scaled) sample = std::move(scaled.value);
  }
  const std::string before = TextOf(sample->pd.get_primitive_attr());
  primitive_attr got = sample->pd.get_primitive_attr();
  got.set_output_scales(0, {9.f});
  got.set_scratchpad_mode(scratchpad_mode::user);
  dnnl::post_ops ops;
  ops.append_sum(7.f);
  got.set_post_ops(ops);
  Attempt([&] { got.set_zero_points(DNNL_ARG_SRC, 0, {7}); });
  const std::string after = TextOf(sample->pd.get_primitive_attr());
  if (before != after)
    trial.Deviate("get_primitive_attr() after a change of what it gave", before, after);
}

const std::vector<std::string> kEveryKind = {"reorder", "forward", "backward"};

// ATTR-035: every primitive takes one output scale of 1, and gives what it gives without.
void ScaleOfOneIsNone(const SampleCase& c, Trial& trial) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  Device& device = *DeviceFor(trial);
  const auto made = [&](const primitive_attr& attr) {
    return Attempt([&] { return MakeSample(*plan, device.engine, attr); });
  };
  primitive_attr one;
  one.set_output_scales(0, {1.0f});
  auto plain = made({}), scaled = made(one);
  if (!plain) return SampleRefused(*plan, plain.refusal, trial);
  if (!scaled)
    return trial.Fail(plan->kind->name + " with a scale of 1", "created, as without",
                      scaled.refusal);
  Bench first(*plain.value, device, c.seed), second(*scaled.value, device, c.seed);
  if (RunBench(plain.value->primitive, first, device.stream, trial) &&
      RunBench(scaled.value->primitive, second, device.stream, trial))
    ExpectSameBits(trial, "with a scale of 1", plan->to.type, plan->to.dims, first.to.Load(),
                   second.to.Load());
}

const bool defined[] = {
    Define(spec::ATTR_035, "kinds", Samples(), ScaleOfOneIsNone),
    Define(spec::ATTR_001, "primitives", Samples(), DefaultIsNone, kEveryKind),
    Define(spec::ATTR_002, "", Samples(), AttributesAreCopied, kEveryKind),
    Define(spec::ATTR_003, "", Samples(), AttributesComeBack,
           {"reorder", "forward", "backward", "mask"}),
    Define(spec::ATTR_004, "", Samples(), ReturnedAttributesAreApart, kEveryKind),
};

}  // namespace
}  // namespace conformance
