// Attributes that primitive descriptors keep and primitives honour: ATTR-001 to ATTR-004, ATTR-006,
// ATTR-062, ATTR-063, and the status of their refusal (ERR-004).
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/values.h"
#include "conformance/model/attribute_text.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
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
  trial.Expect(without->pd.scratchpad_desc() == with->pd.scratchpad_desc(),
               "scratchpad_desc() with default attributes", "as without", "another");
  Bench bench(*with, device, c.seed);
  if (RunBench(with->primitive, bench, device.stream, trial))
    bench.IsDone("with default attributes", trial);
}

// Attributes that a sample of the plan may take: some kinds take none but the mode. Where nothing
// is executed, scales may be for the execution to bring.
primitive_attr AnyAttributesFor(const SamplePlan& plan, Random& random, bool run_time = false) {
  primitive_attr attr;
  attr.set_scratchpad_mode(random.Chance(50) ? scratchpad_mode::user : scratchpad_mode::library);
  const int axes = plan.kind->scaled_axes & ((1 << plan.to.rank()) - 1);
  if (axes == 0) return attr;
  if (random.Chance(60)) {
    const int mask = random.Chance(50) ? 0 : static_cast<int>(random.Between(1, axes)) & axes;
    int64_t count = 1;
    for (int axis = 0; axis < plan.to.rank(); ++axis)
      if ((mask >> axis & 1) != 0) count *= plan.to.dims[static_cast<size_t>(axis)];
    std::vector<float> scales(static_cast<size_t>(count));
    for (float& scale : scales) scale = static_cast<float>(random.Between(2, 9));
    if (run_time && random.Chance(30)) scales = {DNNL_RUNTIME_F32_VAL};
    attr.set_output_scales(mask, scales);
  }
  if (random.Chance(60)) {
    dnnl::post_ops ops;
    ops.append_sum(static_cast<float>(random.Between(1, 4)));
    attr.set_post_ops(ops);
  }
  if (random.Chance(20)) Attempt([&] { attr.set_zero_points(DNNL_ARG_SRC, 0, {3}); });
  return attr;
}

// Tells `trial` that a sample was refused with attributes. The mode of the scratchpad alone is no
// reason to refuse.
void SampleWithAttributesRefused(const SamplePlan& plan, const primitive_attr& attr,
                                 const Refusal& refusal, Trial& trial) {
  std::vector<std::string> features;
  int mask = 0;
  std::vector<float> scales;
  attr.get_output_scales(mask, scales);
  if (scales.size() == 1 && WordOf(scales[0]) == WordOf(DNNL_RUNTIME_F32_VAL)) {
    features.emplace_back("run-time scales");
  } else if (mask != 0 || scales != std::vector<float>{1.f}) {
    features.emplace_back(mask == 0 ? "scale" : "mask");
  }
  if (attr.get_post_ops().len() > 0) features.emplace_back("sum");
  std::vector<int32_t> zero_points;
  attr.get_zero_points(DNNL_ARG_SRC, mask, zero_points);
  if (zero_points == std::vector<int32_t>{3}) features.emplace_back("zero points");
  if (features.empty()) return SampleRefused(plan, refusal, trial);
  SampleRefusedWith(plan, std::move(features), refusal, trial);
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

// ATTR-006 and ATTR-063: attributes that a primitive need not know, and what they must do if it
// does.
struct Foreign {
  const char* name;
  // For a tensor of so many channels, axis 1.
  std::function<void(primitive_attr*, int64_t)> set;
  // dst of src; null where nothing but a refusal is right.
  std::function<float(float)> effect;
};

// Of the whole primitive.
const std::vector<Foreign>& WholeAttributes() {
  static const auto* const all = new std::vector<Foreign>{
      {"eltwise",
       [](primitive_attr* attr, int64_t) {
         dnnl::post_ops ops;
         ops.append_eltwise(1.f, dnnl::algorithm::eltwise_square, 0.f, 0.f);
         attr->set_post_ops(ops);
       },
       [](float x) { return x * x; }},
      {"output scales", [](primitive_attr* attr, int64_t) { attr->set_output_scales(0, {2.f}); },
       [](float x) { return 2 * x; }},
      {"rnn data", [](primitive_attr* attr, int64_t) { attr->set_rnn_data_qparams(2.f, 3.f); },
       nullptr},
      {"rnn shift", [](primitive_attr* attr, int64_t) { attr->set_rnn_data_qparams(1.f, 3.f); },
       nullptr},
      {"rnn weights",
       [](primitive_attr* attr, int64_t) { attr->set_rnn_weights_qparams(0, {2.f}); }, nullptr},
      {"rnn weights by channel",
       [](primitive_attr* attr, int64_t channels) {
         attr->set_rnn_weights_qparams(2, std::vector<float>(channels, 2.f));
       },
       nullptr},
  };
  return *all;
}

// The default for each argument, and then 3 for one of them.
std::function<void(primitive_attr*, int64_t)> ZeroPointBesideZeros(int of) {
  return [of](primitive_attr* attr, int64_t) {
    for (const int arg : {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST})
      attr->set_zero_points(arg, 0, {0});
    attr->set_zero_points(of, 0, {3});
  };
}

// Of single arguments.
const std::vector<Foreign>& ArgumentAttributes() {
  static const auto* const all = new std::vector<Foreign>{
      {"scales of the source",
       [](primitive_attr* attr, int64_t) { attr->set_scales(DNNL_ARG_SRC, 0, {2.f}); },
       [](float x) { return 2 * x; }},
      {"scales of the source by channel",
       [](primitive_attr* attr, int64_t channels) {
         attr->set_scales(DNNL_ARG_SRC, 2, std::vector<float>(channels, 2.f));
       },
       [](float x) { return 2 * x; }},
      // What is divided by it, or multiplied, no document says of these primitives.
      {"scales of the destination",
       [](primitive_attr* attr, int64_t) { attr->set_scales(DNNL_ARG_DST, 0, {2.f}); }, nullptr},
      {"zero point of the source",
       [](primitive_attr* attr, int64_t) { attr->set_zero_points(DNNL_ARG_SRC, 0, {3}); },
       [](float x) { return x - 3; }},
      {"zero point of the source by channel",
       [](primitive_attr* attr, int64_t channels) {
         attr->set_zero_points(DNNL_ARG_SRC, 2, std::vector<int32_t>(channels, 3));
       },
       [](float x) { return x - 3; }},
      {"zero point of the destination",
       [](primitive_attr* attr, int64_t) { attr->set_zero_points(DNNL_ARG_DST, 0, {3}); },
       [](float x) { return x + 3; }},
      {"zero point of the source beside its scale",
       [](primitive_attr* attr, int64_t) {
         attr->set_scales(DNNL_ARG_SRC, 0, {2.f});
         attr->set_zero_points(DNNL_ARG_SRC, 0, {3});
       },
       [](float x) { return 2 * (x - 3); }},
      {"zero points of both sides",
       [](primitive_attr* attr, int64_t) {
         attr->set_zero_points(DNNL_ARG_SRC, 0, {3});
         attr->set_zero_points(DNNL_ARG_DST, 0, {5});
       },
       [](float x) { return x + 2; }},
      {"zero point of the source beside explicit zeros", ZeroPointBesideZeros(DNNL_ARG_SRC),
       [](float x) { return x - 3; }},
      {"zero point of the destination beside explicit zeros", ZeroPointBesideZeros(DNNL_ARG_DST),
       [](float x) { return x + 3; }},
      {"zero point of the weights beside explicit zeros", ZeroPointBesideZeros(DNNL_ARG_WEIGHTS),
       nullptr},
      {"scale of the destination beside an explicit 1 of the source",
       [](primitive_attr* attr, int64_t) {
         attr->set_scales(DNNL_ARG_SRC, 0, {1.f});
         attr->set_scales(DNNL_ARG_DST, 0, {2.f});
       },
       nullptr},
      {"zero point of the weights",
       [](primitive_attr* attr, int64_t) { attr->set_zero_points(DNNL_ARG_WEIGHTS, 0, {3}); },
       nullptr},
  };
  return *all;
}

void CheckForeign(const Foreign& foreign, const SampleCase& c, Trial& trial) {
  const auto planned = PlanFor(c, trial);
  if (!planned) return;
  const SamplePlan& plan = *planned;
  Device* const device = DeviceFor(trial);
  trial.Cover(spec::NameOf(plan.to.type));
  primitive_attr attr;
  const int64_t channels = plan.to.rank() > 1 ? plan.to.dims[1] : 1;
  const auto set = Attempt([&] { foreign.set(&attr, channels); });
  if (!set) {
    trial.Expect(set.refusal.is_error, std::string("setting ") + foreign.name, "dnnl::error",
                 set.refusal.ToString());
    return;
  }
  const std::string where = c.kind + " with " + foreign.name;
  const auto made = Attempt([&] { return MakeSample(plan, device->engine, attr); });
  trial.Record(where, made ? "offered" : "refused");
  if (!made) {
    trial.Expect(made.refusal.is_error, where, "dnnl::error", made.refusal.ToString());
    return;
  }
  if (!foreign.effect) return trial.Fail(where, "refused", "accepted");
  Bench bench(*made.value, *device, c.seed);
  if (!RunBench(made.value->primitive, bench, device->stream, trial)) return;
  std::vector<spec::Bits> expected = bench.Results();
  const spec::Type type = plan.to.type;
  for (spec::Bits& bits : expected)
    bits = spec::Convert(type, foreign.effect(spec::Widen(type, bits)));
  ExpectSameBits(trial, where, plan.to.type, plan.to.dims, expected, bench.to.Load());
}

void NoAttributeIsIgnored(const SampleCase& c, Trial& trial) {
  for (const Foreign& foreign : WholeAttributes()) {
    CheckForeign(foreign, c, trial);
    if (trial.result() >= CaseResult::kNotRun) return;
  }
}

// Those of single arguments: ATTR-063.
void NoPerArgumentValueIsIgnored(const SampleCase& c, Trial& trial) {
  for (const Foreign& foreign : ArgumentAttributes()) {
    CheckForeign(foreign, c, trial);
    if (trial.result() >= CaseResult::kNotRun) return;
  }
}

// ERR-004: what is well formed and not served is unimplemented, whichever kind it is asked of.
void UnservedAttributesAreUnimplemented(const SampleCase& c, Trial& trial) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  const int64_t channels = plan->to.rank() > 1 ? plan->to.dims[1] : 1;
  for (const auto* const all : {&WholeAttributes(), &ArgumentAttributes()}) {
    for (const Foreign& foreign : *all) {
      // A mask of axis 1 is malformed where there is none.
      if (plan->to.rank() < 2 && std::strstr(foreign.name, "by channel") != nullptr) continue;
      primitive_attr attr;
      if (!Attempt([&] { foreign.set(&attr, channels); })) continue;
      const auto made = Attempt([&] { return MakePd(*plan, DeviceFor(trial)->engine, attr); });
      if (made) continue;
      trial.Cover(foreign.name);
      if (!made.refusal.MayBe(Refusal::kUnimplemented))
        return trial.Deviate(c.kind + " with " + foreign.name + ", status",
                             std::to_string(Refusal::kUnimplemented), made.refusal.ToString());
    }
  }
}

void RnnValuesAreUnsupported(const SampleCase& c, Trial& trial) {
  for (const Foreign& foreign : WholeAttributes()) {
    if (std::string(foreign.name).rfind("rnn", 0) != 0) continue;
    CheckForeign(foreign, c, trial);
    if (trial.result() >= CaseResult::kNotRun) return;
  }
}

// What single arguments are scaled by or moved by, the result shows of elements that are only
// moved.
Cases<SampleCase> MovedElements() {
  SampleDraws draws;
  draws.of = [](const SampleKind& kind) { return kind.is_mandatory; };
  return Samples(draws);
}

const std::vector<std::string> kEveryKind = {"reorder", "forward", "backward"};

const bool defined[] = {
    Define(spec::ATTR_001, "primitives", Samples(), DefaultIsNone, kEveryKind),
    Define(spec::ATTR_002, "", Samples(), AttributesAreCopied, kEveryKind),
    Define(spec::ATTR_003, "", Samples(), AttributesComeBack,
           {"reorder", "forward", "backward", "mask"}),
    Define(spec::ATTR_004, "", Samples(), ReturnedAttributesAreApart, kEveryKind),
    Define(spec::ATTR_006, "", Samples(), NoAttributeIsIgnored, kEveryKind),
    Define(spec::ERR_004, "attributes", Samples(), UnservedAttributesAreUnimplemented, kEveryKind),
    Define(spec::ATTR_062, "", Samples(), RnnValuesAreUnsupported, kEveryKind),
    Define(spec::ATTR_063, "", MovedElements(), NoPerArgumentValueIsIgnored, kEveryKind),
};

}  // namespace
}  // namespace conformance
