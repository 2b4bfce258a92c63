#include "conformance/model/samples.h"

#include <algorithm>
#include <utility>

#include "conformance/gen/placement.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/expect.h"

namespace conformance {
namespace {

bool MustBeOffered(const SamplePlan& plan) {
  return plan.kind->is_mandatory && plan.from.type == spec::Type::kF32 &&
         plan.to.type == spec::Type::kF32;
}

// Why the plan is left out on the engine, if it may be; creation decides about others.
std::optional<Refusal> LeftOut(const SamplePlan& plan, const dnnl::engine& engine) {
  if (MustBeOffered(plan)) return std::nullopt;
  const auto pd = Attempt([&] { return MakePd(plan, engine); });
  if (pd || !pd.refusal.IsUnsupported()) return std::nullopt;
  return pd.refusal;
}

// A primitive descriptor and what it was made of, hints included: few checks ask whether it can do
// without.
class PdWithOperation final : public SamplePd {
 public:
  PdWithOperation(std::shared_ptr<const SampleOperation> operation, std::unique_ptr<SamplePd> pd)
      : operation_(std::move(operation)), pd_(std::move(pd)) {}

  dnnl::primitive_desc_base Base() const override { return pd_->Base(); }
  dnnl::primitive Primitive() const override { return pd_->Primitive(); }
  std::unique_ptr<SamplePd> Copy() const override {
    return std::make_unique<PdWithOperation>(operation_, pd_->Copy());
  }
  bool Next() override { return pd_->Next(); }

 private:
  std::shared_ptr<const SampleOperation> operation_;
  std::unique_ptr<SamplePd> pd_;
};

SamplePlan DrawPlan(const SampleKind& kind, const SampleCase& c, Random& random) {
  SampleCase served = c;
  served.rank = std::clamp(c.rank, kind.min_rank, kind.max_rank);
  SamplePlan plan = kind.draw(served, random);
  plan.kind = &kind;
  return plan;
}

void CoverSample(const SampleKind& kind, const SampleCase& c, const SamplePlan& plan,
                 Trial& trial) {
  trial.Cover(kind.name);
  trial.Cover(kind.name + " of " + spec::NameOf(plan.from.type));
  trial.Cover(std::string("sample of rank ") + std::to_string(plan.from.rank()));
  if (c.size != SampleSize::kSmall) trial.Cover(std::string(NameOf(c.size)) + " sample");
}

// Differs from `bits` in value, and is no NaN if `bits` is a small integer.
spec::Bits Another(spec::Type type, spec::Bits bits) {
  switch (type) {
    case spec::Type::kF32:
    case spec::Type::kS32:
      return bits ^ 0x00400000;
    case spec::Type::kF16:
      return bits ^ 0x0200;
    case spec::Type::kBF16:
    case spec::Type::kS8:
    case spec::Type::kU8:
      break;
  }
  return bits ^ 0x40;
}

// What is computed may be a zero of either sign.
void DropSignsOfZeros(spec::Type type, std::vector<spec::Bits>* elements) {
  if (!spec::IsFloat(type)) return;
  const spec::Bits negative = spec::Bits{1} << (8 * spec::BytesOf(type) - 1);
  for (spec::Bits& bits : *elements)
    if (bits == negative) bits = 0;
}

}  // namespace

std::optional<SamplePlan> PlanFor(const SampleCase& c, Random& random, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return std::nullopt;
  const SampleKind* const kind = SampleKindOf(c.kind);
  if (kind == nullptr) {
    trial.NotRun("the subject has no sample of kind " + c.kind);
    return std::nullopt;
  }
  SampleCase served = c;
  if (std::find(kind->types.begin(), kind->types.end(), c.type) == kind->types.end())
    served.type = spec::Type::kF32;
  const Random before = random;
  SamplePlan plan = DrawPlan(*kind, served, random);
  auto refusal = LeftOut(plan, device->engine);
  if (refusal && served.type != spec::Type::kF32) {
    served.type = spec::Type::kF32;
    random = before;
    plan = DrawPlan(*kind, served, random);
    refusal = LeftOut(plan, device->engine);
  }
  if (refusal) {
    SampleRefused(plan, *refusal, trial);
    return std::nullopt;
  }
  CoverSample(*kind, c, plan, trial);
  return plan;
}

std::optional<SamplePlan> PlanFor(const SampleCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  return PlanFor(c, random, trial);
}

SamplePlan AnyServedPlan(Random& random, const dnnl::engine& engine,
                         bool (*fits)(const SampleKind& kind)) {
  const SampleKind* const kind = random.Pick(SampleKinds());
  if (fits == nullptr || fits(*kind)) {
    SamplePlan plan = DrawPlan(*kind, {kind->name}, random);
    if (!LeftOut(plan, engine)) return plan;
  }
  return DrawPlan(*SampleKindOf("reorder"), {"reorder"}, random);
}

std::unique_ptr<SamplePd> MakePd(const SamplePlan& plan, const dnnl::engine& engine,
                                 const dnnl::primitive_attr& attr) {
  const std::shared_ptr<const SampleOperation> operation = plan.Operation();
  return std::make_unique<PdWithOperation>(operation, operation->On(engine, attr));
}

Sample MakeSample(const SamplePlan& plan, const dnnl::engine& engine,
                  const dnnl::primitive_attr& attr) {
  const auto pd = MakePd(plan, engine, attr);
  return {plan, MakeDesc(plan.from), MakeDesc(plan.to), pd->Base(), pd->Primitive()};
}

void SampleRefused(const SamplePlan& plan, const Refusal& refusal, Trial& trial) {
  if (!MustBeOffered(plan) && refusal.IsUnsupported())
    return trial.NotRun("no " + plan.kind->name + " of " + spec::NameOf(plan.from.type));
  trial.Fail(plan.kind->name, "created", refusal);
}

void SampleRefusedWith(const SamplePlan& plan, std::vector<std::string> features,
                       const Refusal& refusal, Trial& trial) {
  const bool zero_points =
      std::any_of(features.begin(), features.end(), [](const std::string& feature) {
        return feature == "zero points" || feature == "run-time zero points";
      });
  trial.Refused(refusal,
                {plan.kind->topic,
                 "",
                 {spec::NameOf(plan.from.type), spec::NameOf(plan.to.type)},
                 plan.from.rank(),
                 std::move(features)},
                LegalityOfZeroPoints(zero_points, trial));
}

std::optional<Sample> SampleOf(const SampleCase& c, Trial& trial,
                               const dnnl::primitive_attr& attr) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return std::nullopt;
  auto sample = Attempt([&] { return MakeSample(*plan, DeviceFor(trial)->engine, attr); });
  if (!sample) SampleRefused(*plan, sample.refusal, trial);
  return std::move(sample.value);
}

bool IsServed(const SamplePlan& plan, const dnnl::engine& engine) { return !LeftOut(plan, engine); }

std::vector<int> ArgumentsOf(const SamplePlan& plan) {
  std::vector<int> args = {plan.from_arg(), plan.to_arg()};
  for (const SamplePlan::Input& input : plan.others) args.push_back(input.arg);
  return args;
}

dnnl::memory::desc DescOf(const SamplePlan& plan, int arg) {
  const TensorSpec* const tensor = plan.TensorOf(arg);
  return tensor == nullptr ? dnnl::memory::desc() : MakeDesc(*tensor);
}

Bench::Bench(const Sample& sample, const Device& device, uint64_t seed)
    : plan(sample.plan),
      values(plan.Values(seed)),
      old(DifferentElements(plan.to, plan.to.type, seed + 1)),
      from(plan.from, sample.from, device, Placement(), seed),
      to(plan.to, sample.to, device, Placement(), ~seed) {
  for (spec::Bits& bits : old) bits = Another(plan.to.type, bits);
  from.Store(values);
  to.Store(old);
  for (const SamplePlan::Input& input : plan.others) {
    others.emplace_back(input.tensor, MakeDesc(input.tensor), device, Placement(), seed + 2);
    other_values.push_back(plan.ValuesOf(input, seed));
    others.back().Store(other_values.back());
  }
}

Arguments Bench::arguments() {
  Arguments all = {{plan.from_arg(), from.memory()}, {plan.to_arg(), to.memory()}};
  for (size_t i = 0; i < others.size(); ++i) all.emplace(plan.others[i].arg, others[i].memory());
  return all;
}

Arguments Bench::ArgumentsFor(const Sample& sample, const Device& device) {
  Arguments all = arguments();
  const dnnl::memory::desc need = sample.pd.scratchpad_desc();
  if (need.get_size() > 0) all[DNNL_ARG_SCRATCHPAD] = dnnl::memory(need, device.engine);
  return all;
}

const std::vector<spec::Bits>& Bench::Results() {
  if (results_of == values) return results;
  std::vector<std::vector<spec::Bits>> inputs = {values};
  inputs.insert(inputs.end(), other_values.begin(), other_values.end());
  results = plan.Results(inputs);
  results_of = values;
  return results;
}

bool Bench::IsDone(const std::string& where, Trial& trial) {
  if (!ExpectSameBits(trial, where, plan.to.type, plan.to.dims, Results(), Holds())) return false;
  const std::string source = from.ChangedByte(values), target = to.ChangedGap();
  for (size_t i = 0; i < others.size(); ++i) {
    const std::string changed = others[i].ChangedByte(other_values[i]);
    if (!trial.Expect(changed.empty(), where + ", " + NameOfArgument(plan.others[i].arg),
                      "untouched", changed))
      return false;
  }
  return trial.Expect(source.empty(), where + ", source", "untouched", source) &&
         trial.Expect(target.empty(), where + ", outside the destination", "untouched", target);
}

std::vector<spec::Bits> Bench::Holds() {
  std::vector<spec::Bits> got = to.Load();
  // What nobody may refuse moves elements, signs and all.
  if (!plan.kind->is_mandatory) DropSignsOfZeros(plan.to.type, &got);
  return got;
}

void Bench::Reset() { to.Store(old); }

bool RunBench(const dnnl::primitive& primitive, Bench& bench, const dnnl::stream& stream,
              Trial& trial) {
  const auto done = Attempt([&] {
    primitive.execute(stream, bench.arguments());
    dnnl::stream(stream).wait();
  });
  return trial.Expect(static_cast<bool>(done), "execute and wait", "done", done.refusal.ToString());
}

void RefusedUntouched(const Sample& sample, const Arguments& arguments, Bench& bench,
                      Device& device, const std::string& what, Trial& trial) {
  if (!ExpectRefusedByExecute(
          // No wait: refused.
          "execute " + what, [&] { sample.primitive.execute(device.stream, arguments); },
          device.stream, trial))
    return;
  const std::string changed = bench.to.ChangedByte(bench.old);
  trial.Expect(changed.empty(), "destination after execute " + what, "untouched", changed);
}

namespace {

// Each kind as often as its share says, evenly spread.
std::vector<const SampleKind*> CycleOf(const SampleDraws& draws) {
  std::vector<std::pair<double, const SampleKind*>> places;
  for (const SampleKind* kind : SampleKinds()) {
    if (draws.of != nullptr && !draws.of(*kind)) continue;
    for (int i = 0; i < kind->share; ++i) places.emplace_back((i + 0.5) / kind->share, kind);
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const SampleKind*> cycle;
  for (const auto& [place, kind] : places) cycle.push_back(kind);
  return cycle;
}

SampleCase DrawCase(const SampleKind& kind, const SampleDraws& draws, Random& random) {
  SampleCase c{kind.name, static_cast<uint64_t>(random.Between(0, 99999))};
  if (random.Chance(50)) c.type = random.Pick(kind.types);
  if (!draws.shaped) return c;
  if (random.Chance(50)) c.rank = static_cast<int>(random.Between(kind.min_rank, kind.max_rank));
  if (random.Between(1, draws.one_large_in) == 1) {
    c.size = SampleSize::kLarge;
  } else if (random.Chance(3)) {
    c.size = SampleSize::kMedium;
  }
  return c;
}

}  // namespace

Cases<SampleCase> Samples(const SampleDraws& draws) {
  // Not before the first case: by then all topics have added theirs.
  const auto cycle = std::make_shared<std::vector<const SampleKind*>>();
  return {0,
          [draws, cycle](int64_t index, Random& random) {
            if (cycle->empty()) *cycle = CycleOf(draws);
            if (cycle->empty()) return SampleCase{"reorder"};
            const auto at = static_cast<size_t>(index) % cycle->size();
            return DrawCase(*(*cycle)[at], draws, random);
          },
          [draws](const SampleCase& c) {
            const SampleKind* const kind = SampleKindOf(c.kind);
            if (!draws.shaped && (c.rank != 3 || c.size != SampleSize::kSmall)) return false;
            return kind != nullptr && (draws.of == nullptr || draws.of(*kind));
          }};
}

Cases<SampleCase> ReshapableSamples() {
  SampleDraws draws;
  draws.of = [](const SampleKind& kind) { return kind.is_reshapable; };
  draws.shaped = false;
  return Samples(draws);
}

Cases<SampleCase> SamplesWithOperation() {
  SampleDraws draws;
  draws.of = [](const SampleKind& kind) { return kind.has_operation; };
  return Samples(draws);
}

}  // namespace conformance
