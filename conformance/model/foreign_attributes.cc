// Attributes that a primitive need not know: ATTR-006, ATTR-062, ATTR-063, how they are refused
// (ERR-004), and what `allow_empty` makes of that (ERR-006, ERR-009).
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/values.h"
#include "conformance/model/calls.h"
#include "conformance/model/foreign.h"
#include "conformance/model/one_scale.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::primitive_attr;

int64_t ChannelsOf(const SamplePlan& plan) { return plan.to.rank() > 1 ? plan.to.dims[1] : 1; }

// Sums read small numbers, so that all is exact.
void HoldSmallNumbers(Bench* bench, uint64_t seed) {
  constexpr int64_t kLargest = 7;
  bench->old = SmallElements(bench->plan.to, kLargest, seed + 4);
  bench->Reset();
}

std::vector<spec::Bits> ResultsWith(const Foreign& foreign, Bench& bench) {
  std::vector<spec::Bits> expected = bench.Results();
  const spec::Type type = bench.plan.to.type;
  const spec::Dims& dims = bench.plan.to.dims;
  for (size_t k = 0; k < expected.size(); ++k) {
    const spec::Dims at = spec::Unravel(static_cast<int64_t>(k), dims);
    const spec::Bits old = bench.old[k];
    const float value = foreign.effect({spec::Widen(type, expected[k]), spec::Widen(type, old),
                                        at.size() > 1 ? at[1] : 0, old, type});
    // A zero of either sign is one.
    expected[k] = spec::Convert(type, value == 0 ? 0.f : value);
  }
  return expected;
}

// Executes and waits, with what the attribute leaves to the execution. False, with a failure, when
// that throws.
bool ExecuteWith(const Foreign& foreign, const std::string& where, const Sample& sample,
                 Bench& bench, Trial& trial) {
  Device& device = *DeviceFor(trial);
  Arguments arguments = bench.ArgumentsFor(sample, device);
  for (const auto& [arg, value] : foreign.scales)
    arguments[arg] =
        NumberIn(memory::desc({1}, memory::data_type::f32, memory::format_tag::x), value, device);
  for (const auto& [arg, value] : foreign.zero_points)
    arguments[arg] =
        NumberIn(memory::desc({1}, memory::data_type::s32, memory::format_tag::x), value, device);
  const auto done = Attempt([&] {
    sample.primitive.execute(device.stream, arguments);
    device.stream.wait();
  });
  return trial.Expect(static_cast<bool>(done), where + ", execute and wait", "done",
                      done.refusal.ToString());
}

void IsRight(const Foreign& foreign, const std::string& where, const Sample& sample, uint64_t seed,
             Trial& trial) {
  Bench bench(sample, *DeviceFor(trial), seed);
  HoldSmallNumbers(&bench, seed);
  const TensorSpec& to = bench.plan.to;
  if (ExecuteWith(foreign, where, sample, bench, trial))
    ExpectSameBits(trial, where, to.type, to.dims, ResultsWith(foreign, bench), bench.Holds());
}

void CheckForeign(const Foreign& foreign, const SamplePlan& plan, uint64_t seed, Trial& trial) {
  primitive_attr attr;
  const auto set = Attempt([&] { foreign.set(&attr, ChannelsOf(plan), plan.to.type); });
  if (!set) {
    trial.Expect(set.refusal.is_error, std::string("setting ") + foreign.name, "dnnl::error",
                 set.refusal.ToString());
    return;
  }
  const std::string where = plan.kind->name + " with " + foreign.name;
  const auto made = Attempt([&] { return MakeSample(plan, DeviceFor(trial)->engine, attr); });
  trial.Record(where, made ? "offered" : "refused");
  if (!made) {
    trial.Expect(made.refusal.is_error, where, "dnnl::error", made.refusal.ToString());
  } else if (foreign.effect) {
    IsRight(foreign, where, *made.value, seed, trial);
  } else if (trial.project() || !foreign.is_known_elsewhere) {
    // What the header lacks is no attribute.
    const bool none = foreign.is_known_elsewhere && attr.get_post_ops().len() == 0;
    if (!none || std::strstr(foreign.name, "scales") != nullptr)
      trial.Fail(where, "refused", "accepted");
  }
}

template <class Wanted>
void CheckAll(const std::vector<Foreign>& all, const SampleCase& c, Trial& trial, Wanted wanted) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  trial.Cover(spec::NameOf(plan->to.type));
  for (const Foreign& foreign : all) {
    if (!wanted(std::string(foreign.name))) continue;
    CheckForeign(foreign, *plan, c.seed, trial);
    if (trial.result() >= CaseResult::kNotRun) return;
  }
}

void NoAttributeIsIgnored(const SampleCase& c, Trial& trial) {
  CheckAll(WholeAttributes(), c, trial, [](const std::string&) { return true; });
}

// Those of single arguments: ATTR-063.
void NoPerArgumentValueIsIgnored(const SampleCase& c, Trial& trial) {
  CheckAll(ArgumentAttributes(), c, trial, [](const std::string&) { return true; });
}

// The same of primitives that compute: what a single argument's value makes of sums of products is
// another chapter's, but it makes something.
void NoPerArgumentValueIsForgotten(const SampleCase& c, Trial& trial) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  for (const Foreign& foreign : ArgumentAttributes()) {
    primitive_attr attr;
    if (!Attempt([&] { foreign.set(&attr, ChannelsOf(*plan), plan->to.type); })) continue;
    const auto made = Attempt([&] { return MakeSample(*plan, DeviceFor(trial)->engine, attr); });
    const std::string where = c.kind + " with " + foreign.name;
    trial.Record(where, made ? "offered" : "refused");
    if (!made) {
      if (!trial.Expect(made.refusal.is_error, where, "dnnl::error", made.refusal.ToString()))
        return;
      continue;
    }
    Bench bench(*made.value, *DeviceFor(trial), c.seed);
    if (!ExecuteWith(foreign, where, *made.value, bench, trial) ||
        !trial.Expect(bench.Holds() != bench.Results(), where, "refused, or another result",
                      "the result without"))
      return;
  }
}

void RnnValuesAreUnsupported(const SampleCase& c, Trial& trial) {
  CheckAll(WholeAttributes(), c, trial,
           [](const std::string& name) { return name.rfind("rnn", 0) == 0; });
}

// ATTR-051, of every type and shape.
void SumsAreNotHalfDone(const SampleCase& c, Trial& trial) {
  CheckAll(WholeAttributes(), c, trial, [](const std::string& name) {
    return name == "two sums" || name == "sum and eltwise" || name == "eltwise and sum";
  });
}

// Calls use(foreign attribute, attr) for each that can be set for `plan`, until that says false.
template <class Use>
void ForEachForeign(const SamplePlan& plan, Use use) {
  for (const auto* const all : {&WholeAttributes(), &ArgumentAttributes()}) {
    for (const Foreign& foreign : *all) {
      // A mask of axis 1 is malformed where there is none.
      if (plan.to.rank() < 2 && std::strstr(foreign.name, "by channel") != nullptr) continue;
      primitive_attr attr;
      if (!Attempt([&] { foreign.set(&attr, ChannelsOf(plan), plan.to.type); })) continue;
      if (!use(foreign, attr)) return;
    }
  }
}

// ERR-004: what is well formed and not served is unimplemented, whichever kind it is asked of.
void UnservedAttributesAreUnimplemented(const SampleCase& c, Trial& trial) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  ForEachForeign(*plan, [&](const Foreign& foreign, const primitive_attr& attr) {
    const auto made = Attempt([&] { return MakePd(*plan, DeviceFor(trial)->engine, attr); });
    if (made) return true;
    trial.Cover(foreign.name);
    // Whether others are malformed no document here says.
    if (foreign.is_known_elsewhere || made.refusal.MayBe(Refusal::kUnimplemented)) return true;
    trial.Deviate(c.kind + " with " + foreign.name + ", status",
                  std::to_string(Refusal::kUnimplemented), made.refusal.ToString());
    return false;
  });
}

// `make` takes allow_empty. False, with a failure, unless it gives an empty object with the flag
// where it throws without.
template <class Make>
bool FlagMakesItEmpty(const std::string& what, Make make, Trial& trial) {
  const auto without = Attempt([&] { return make(false); });
  const auto with = Attempt([&] { return make(true); });
  if (!with) {
    trial.Fail(what + " and allow_empty", "no exception", with.refusal);
    return false;
  }
  if (!without) trial.Cover("refused");
  return trial.Expect(
      (*with.value == Made::kEmpty) == !without, what + " and allow_empty",
      without ? "an object, since it does not throw" : "an empty object, since it throws",
      without ? "an empty object" : "an object");
}

// ERR-006, ERR-009: of each kind, with each attribute, of each type, and on no engine.
void FlagIsForEveryKind(const SampleCase& c, Trial& trial) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  const dnnl::engine& engine = DeviceFor(trial)->engine;
  const auto operation = plan->Operation();
  const auto on = [](const SampleOperation& of, const dnnl::engine& where,
                     const primitive_attr& attr,
                     bool allow_empty) { return Of(of.On(where, attr, allow_empty)->Base()); };
  bool held = true;
  ForEachForeign(*plan, [&](const Foreign& foreign, const primitive_attr& attr) {
    return held = FlagMakesItEmpty(
               c.kind + " with " + foreign.name,
               [&](bool flag) { return on(*operation, engine, attr, flag); }, trial);
  });
  if (!held) return;
  // A hint that is not served may be empty, which portable lets throw (ERR-018).
  const bool has_hint = plan->from_arg() != DNNL_ARG_SRC;
  for (const spec::Type type : spec::kTypes) {
    if (has_hint && trial.portable()) break;
    SamplePlan other = *plan;
    (c.seed % 2 == 0 ? other.from : other.to).type = type;
    const auto made = Attempt([&] { return other.Operation(); });
    // Which types an operation descriptor has is told there already.
    if (made && !FlagMakesItEmpty(
                    c.kind + " with " + spec::NameOf(type),
                    [&](bool flag) { return on(**made.value, engine, {}, flag); }, trial))
      return;
  }
  // Portable: A-02.
  if (trial.project())
    FlagMakesItEmpty(
        c.kind + " on an empty engine",
        [&](bool flag) { return on(*operation, dnnl::engine(), {}, flag); }, trial);
}

// What single arguments are scaled by or moved by, the result shows of elements that are only
// moved.
Cases<SampleCase> MovedElements() {
  SampleDraws draws;
  draws.of = [](const SampleKind& kind) { return kind.is_mandatory; };
  return Samples(draws);
}

Cases<SampleCase> Reordered() {
  SampleDraws draws;
  draws.of = [](const SampleKind& kind) { return kind.has_own_layouts; };
  Cases<SampleCase> some = Samples(draws);
  some.count = 300;
  return some;
}

Cases<SampleCase> ComputedElements() {
  SampleDraws draws;
  draws.of = [](const SampleKind& kind) { return !kind.is_mandatory; };
  Cases<SampleCase> some = Samples(draws);
  some.count = 200;
  return some;
}

// Few, for each is tried in many ways.
Cases<SampleCase> SomeSamples() {
  Cases<SampleCase> some = Samples();
  some.count = 300;
  return some;
}

const std::vector<std::string> kEveryKind = {"reorder", "forward", "backward"};

const bool defined[] = {
    Define(spec::ATTR_006, "", Samples(), NoAttributeIsIgnored, kEveryKind),
    Define(spec::ATTR_006, "arguments", ComputedElements(), NoPerArgumentValueIsForgotten),
    Define(spec::ATTR_051, "samples", Reordered(), SumsAreNotHalfDone),
    Define(spec::ERR_004, "attributes", Samples(), UnservedAttributesAreUnimplemented, kEveryKind),
    Define(spec::ERR_006, "kinds", SomeSamples(), FlagIsForEveryKind, {"refused"}),
    Define(spec::ERR_009, "kinds", SomeSamples(), FlagIsForEveryKind, {"refused"}),
    Define(spec::ATTR_062, "", Samples(), RnnValuesAreUnsupported, kEveryKind),
    Define(spec::ATTR_063, "", MovedElements(), NoPerArgumentValueIsIgnored, kEveryKind),
};

}  // namespace
}  // namespace conformance
