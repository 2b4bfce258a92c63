// Values and shared handles: OBJ-001 to OBJ-011, OBJ-014, OBJ-019, OBJ-026.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/blocks.h"
#include "conformance/gen/choice.h"
#include "conformance/gen/shapes.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/reshape_cases.h"
#include "conformance/model/sample_attributes.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/blocked.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/device.h"
#include "conformance/subject/fpmath.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using Desc = memory::desc;
using DataType = memory::data_type;
using FormatTag = memory::format_tag;

std::optional<Desc> DescOf(const DescriptorCase& view, Trial& trial) {
  if (view.Verdict(trial.profile()) == spec::Validity::kMustReject) {
    trial.Vacuous();
    return std::nullopt;
  }
  auto made = Attempt([&] {
    Desc desc(view.dims, DataTypeOf(view.type), view.strides);
    for (const Region& region : view.regions)
      desc = desc.submemory_desc(region.dims, region.offsets);
    return desc;
  });
  if (!made) trial.LeftOpen(made.refusal, "the descriptor");
  return made.value;
}

void DescriptorsAreValues(const DescriptorCase& view, Trial& trial) {
  const auto rebuilt = DescOf(view, trial);
  if (!rebuilt) return;
  SeeLayout(view, trial);
  auto original = std::make_unique<Desc>(*DescOf(view, trial));
  const Desc copy = *original;
  Desc assigned;
  assigned = *original;
  *original = Desc({7, 7}, DataType::u8, FormatTag::ba);
  ExpectDescriptor(trial, "a copy after the original is overwritten", "as the original was",
                   *rebuilt, copy);
  ExpectDescriptor(trial, "an assigned copy after the original is overwritten",
                   "as the original was", *rebuilt, assigned);
  original.reset();
  ExpectDescriptor(
      trial,
      copy == *rebuilt && copy.dims() == rebuilt->dims() && copy.get_size() == rebuilt->get_size(),
      "a copy after the original is gone", "as the original was", *rebuilt, copy);
  assigned = Desc();
  ExpectDescriptor(trial, "a copy after another copy is overwritten", "as it was", *rebuilt, copy);
}

// An operation descriptor, copied, its original overwritten and destroyed, gives what the original
// gives.
void OperationDescriptorsAreValues(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  const SamplePlan& plan = sample->plan;
  SampleCase smallest = c;
  smallest.seed = c.seed + 1;
  const auto other = PlanFor(smallest, trial);
  if (!other) return;
  auto original = plan.Operation();
  const auto copy = original->Copy();
  original->Assign(*other->Operation());
  original.reset();
  const auto pd = copy->On(device.engine, {});
  trial.Expect(StateOf(pd->Base()) == StateOf(sample->pd), "queries of the copy's descriptor",
               StateOf(sample->pd), StateOf(pd->Base()));
  ExpectDescriptor(trial, "the source's descriptor", "the descriptor given", sample->from,
                   pd->Base().query_md(dnnl::query::exec_arg_md, plan.from_arg()));
  Bench bench(*sample, device, c.seed);
  if (RunBench(pd->Primitive(), bench, device.stream, trial)) bench.IsDone("copied op desc", trial);
}

// The same tensors of other types.
SamplePlan Retyped(SamplePlan plan) {
  const auto retype = [](TensorSpec* tensor) {
    tensor->type = tensor->type == spec::Type::kU8 ? spec::Type::kS8 : spec::Type::kU8;
  };
  retype(&plan.from);
  retype(&plan.to);
  for (SamplePlan::Input& input : plan.others) retype(&input.tensor);
  return plan;
}

// The memory descriptors that it was made of become others, and then are gone.
void OperationDescriptorsCaptureByValue(const SampleCase& c, Trial& trial) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  auto given = std::make_unique<SampleDescs>(*plan);
  const auto operation = plan->kind->operation(*plan, *given);
  const auto expect_captured = [&](const std::string& when) {
    const auto made = Attempt([&] { return operation->On(DeviceFor(trial)->engine, {})->Base(); });
    if (!made) return trial.Fail("a primitive descriptor" + when, "created", made.refusal);
    for (const int arg : ArgumentsOf(*plan))
      ExpectDescriptor(trial, "the descriptor of " + NameOfArgument(arg) + when,
                       "as it was when captured", DescOf(*plan, arg),
                       made.value->query_md(dnnl::query::exec_arg_md, arg));
  };
  const SampleDescs others(Retyped(*plan));
  *given = others;
  expect_captured(" after the memory descriptors became others");
  given.reset();
  expect_captured(" after they are gone");
}

void OperationDescriptorsKnowNoEngine(const SampleCase& c, Trial& trial) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  const auto operation = plan->Operation();
  using Kind = dnnl::engine::kind;
  for (const Kind kind : {Kind::cpu, Kind::gpu}) {
    if (kind == Kind::gpu && trial.engine() == EngineChoice::kCpu) continue;
    for (size_t index = 0; index < dnnl::engine::get_count(kind); ++index) {
      const dnnl::engine engine(kind, index);
      if (!IsServed(*plan, engine)) continue;
      for (const auto mode : {dnnl::scratchpad_mode::library, dnnl::scratchpad_mode::user}) {
        dnnl::primitive_attr attr;
        attr.set_scratchpad_mode(mode);
        const dnnl::primitive_desc_base pd = operation->On(engine, attr)->Base();
        ExpectDescriptor(trial, "the source's descriptor", "the op desc's",
                         DescOf(*plan, plan->from_arg()),
                         pd.query_md(dnnl::query::exec_arg_md, plan->from_arg()));
        trial.Expect(pd.get_engine().get_kind() == kind, "get_engine().get_kind()", "the engine's",
                     "another");
      }
    }
  }
}

// One operation descriptor with several sets of attributes, each beside a descriptor of its own.
void AttributesAreNotTheOperations(const SampleCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const auto plan = PlanFor(c, random, trial);
  if (!plan) return;
  Device& device = *DeviceFor(trial);
  const auto operation = plan->Operation();
  const auto run = [&](const SamplePd& pd, std::string* state) {
    const Sample sample{*plan, MakeDesc(plan->from), MakeDesc(plan->to), pd.Base(), pd.Primitive()};
    *state = StateOf(sample.pd);
    Bench bench(sample, device, c.seed);
    sample.primitive.execute(device.stream, bench.ArgumentsFor(sample, device));
    device.stream.wait();
    return bench.Holds();
  };
  // All of the one operation first: what it keeps of one shows in the next.
  constexpr size_t kSets = 4;
  std::vector<dnnl::primitive_attr> sets;
  std::vector<std::unique_ptr<SamplePd>> made;
  while (sets.size() < kSets) {
    sets.push_back(sets.size() == 1 ? dnnl::primitive_attr() : AnyAttributesFor(*plan, random));
    auto pd = Attempt([&] { return operation->On(device.engine, sets.back()); });
    if (!pd) return SampleWithAttributesRefused(*plan, sets.back(), pd.refusal, trial);
    made.push_back(std::move(*pd.value));
  }
  for (size_t set = 0; set < kSets; ++set) {
    std::string expected, got;
    const auto results = run(*MakePd(*plan, device.engine, sets[set]), &expected);
    const auto again = run(*made[set], &got);
    const std::string what = "attributes " + std::to_string(set) + " of one operation";
    if (!trial.Expect(got == expected, what, expected, got) ||
        !ExpectSameBits(trial, what + ", result", plan->to.type, plan->to.dims, results, again))
      return;
  }
}

void CopiesOfPrimitivesExecuteAlike(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  const dnnl::primitive copy(sample->primitive);
  dnnl::primitive assigned;
  assigned = copy;
  Bench bench(*sample, device, c.seed);
  for (const dnnl::primitive* each : {&sample->primitive, &copy, &std::as_const(assigned)}) {
    bench.Reset();
    if (!RunBench(*each, bench, device.stream, trial)) return;
    if (!bench.IsDone(c.kind + " through a copy", trial)) return;
  }
}

// In the portable profile these two are wanted, not demanded.
void Share(bool held, const std::string& what, Trial& trial) {
  if (held) return;
  if (trial.portable())
    trial.Deviate(what, "visible through the other copy", "not visible");
  else
    trial.Fail(what, "visible through the other copy", "not visible");
}

void AttributesAreShared(const NoParameters&, Trial& trial) {
  const dnnl::primitive_attr a;
  dnnl::primitive_attr b = a, c;
  c = b;
  b.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  Share(a.get_scratchpad_mode() == dnnl::scratchpad_mode::user, "set_scratchpad_mode", trial);
  c.set_output_scales(2, {3.f, 4.f});
  int mask = 0;
  std::vector<float> scales;
  a.get_output_scales(mask, scales);
  Share(mask == 2 && scales == std::vector<float>({3.f, 4.f}), "set_output_scales", trial);
  dnnl::post_ops ops;
  ops.append_sum(2.f);
  b.set_post_ops(ops);
  Share(a.get_post_ops().len() == 1, "set_post_ops", trial);
  SetFpmathMode(&b, kFpmathModes[0].number);
  Share(!kHasFpmathMode || FpmathModeOf(a) == kFpmathModes[0].number, "set_fpmath_mode", trial);
  // These getters of oneDNN's header are not const.
  dnnl::primitive_attr told = a;
  float scale = 0, shift = 0;
  c.set_rnn_data_qparams(2.f, 3.f);
  told.get_rnn_data_qparams(scale, shift);
  Share(scale == 2.f && shift == 3.f, "set_rnn_data_qparams", trial);
  c.set_rnn_weights_qparams(1, {5.f, 6.f});
  told.get_rnn_weights_qparams(mask, scales);
  Share(mask == 1 && scales == std::vector<float>({5.f, 6.f}), "set_rnn_weights_qparams", trial);
  // What the subject does not take it may refuse here already (ATTR-060).
  if (Attempt([&] { c.set_scales(DNNL_ARG_SRC, 0, {7.f}); })) {
    a.get_scales(DNNL_ARG_SRC, mask, scales);
    Share(scales == std::vector<float>({7.f}), "set_scales", trial);
  }
  const auto set = Attempt([&] { b.set_zero_points(DNNL_ARG_SRC, 0, {5}); });
  if (!set) {
    if (trial.project() || !set.refusal.is_error)
      trial.Fail("set_zero_points", "accepted", set.refusal);
    return;
  }
  std::vector<int32_t> zero_points;
  a.get_zero_points(DNNL_ARG_SRC, mask, zero_points);
  Share(zero_points == std::vector<int32_t>({5}), "set_zero_points", trial);
}

void PostOpsAreShared(const SeedCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  std::vector<dnnl::post_ops> copies(1);
  for (int k = 0; k < 4; ++k) copies.push_back(random.Pick(copies));
  const int appends = static_cast<int>(random.Between(1, 6));
  for (int k = 0; k < appends; ++k) {
    dnnl::post_ops& one = copies[random.Between(0, 4)];
    const bool sum = random.Chance(50);
    if (!sum) {
      one.append_eltwise(1.f, dnnl::algorithm::eltwise_relu, static_cast<float>(k), 0.f);
    } else if (random.Chance(50)) {
      one.append_sum(static_cast<float>(k));
    } else {
      one.append_sum(static_cast<float>(k), DataType::s8);
    }
    for (const dnnl::post_ops& copy : copies)
      Share(copy.len() == k + 1, sum ? "append_sum" : "append_eltwise", trial);
    if (trial.result() >= CaseResult::kDeviated) return;
  }
}

void CopiesOfStreamsAreOneContext(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  dnnl::engine engine = device.engine, engine_copy;
  engine_copy = engine;
  trial.Expect(engine_copy.get_kind() == engine.get_kind(), "kind of an engine's copy",
               "the engine's", "another");
  dnnl::stream one(engine_copy), other = one;
  Bench bench(*sample, device, c.seed);
  sample->primitive.execute(one, bench.arguments());
  other.wait();
  if (!bench.IsDone("submitted through one copy, waited for through another", trial)) return;
  bench.Reset();
  sample->primitive.execute(other, bench.arguments());
  one.wait();
  bench.IsDone("the other way round", trial);
}

// OBJ-014, over three near-equal descriptors. `forms` has a letter for each: s for the strides
// constructor, a for `any`, z for the zero descriptor. Strides and dims may be open.
struct TripleCase {
  DescriptorCase a, b, c;
  std::string forms = "sss";

  void Print(Fields* fields) const {
    a.Print(fields);
    b.Print(fields, "2");
    c.Print(fields, "3");
    if (forms != "sss") fields->Set("forms", forms);
  }
  static TripleCase Parse(const Fields& fields) {
    TripleCase triple{DescriptorCase::Parse(fields), DescriptorCase::Parse(fields, "2"),
                      DescriptorCase::Parse(fields, "3"),
                      fields.Has("forms") ? fields.Text("forms") : "sss"};
    if (triple.forms.size() == 3 && triple.forms.find_first_not_of("saz") == std::string::npos)
      return triple;
    fields.Reject("forms", "is not of three letters s, a or z");
    triple.forms = "sss";
    return triple;
  }
  std::vector<TripleCase> Simpler() const {
    std::vector<TripleCase> cases;
    for (const DescriptorCase& view : a.Simpler()) cases.push_back({view, b, c, forms});
    for (const DescriptorCase& view : b.Simpler()) cases.push_back({a, view, c, forms});
    for (const DescriptorCase& view : c.Simpler()) cases.push_back({a, b, view, forms});
    return cases;
  }
};

void EqualityIsAnEquivalence(const TripleCase& triple, Trial& trial) {
  const auto make = [&](int i, const DescriptorCase& view) -> std::optional<Desc> {
    if (triple.forms[i] == 'z') return Desc();
    if (triple.forms[i] == 's' && !view.HasWildcard()) return DescOf(view, trial);
    if (view.dims.size() > 6 && !RankIsOffered(trial, view.dims.size())) return std::nullopt;
    const bool any = triple.forms[i] == 'a';
    auto made = Attempt([&] {
      return any ? WithAny(view.type, view.FinalDims())
                 : Desc(view.dims, DataTypeOf(view.type), view.strides);
    });
    if (!made) trial.LeftOpen(made.refusal, "a descriptor without known values");
    if (made) trial.Cover(any ? "any" : "run-time values");
    return made.value;
  };
  const auto a = make(0, triple.a), b = make(1, triple.b), c = make(2, triple.c);
  if (!a || !b || !c) return;
  if (triple.forms.find('z') != std::string::npos) trial.Cover("zero");
  for (const Desc* desc : {&*a, &*b, &*c})
    trial.Expect(*desc == *desc && !(*desc != *desc), "d == d");
  trial.Expect((*a == *b) == (*b == *a), "a == b", "as b == a", "otherwise");
  trial.Expect((*a == *b) != (*a != *b), "a != b", "!(a == b)", "otherwise");
  if (*a == *b && *b == *c) {
    trial.Cover("all equal");
    trial.Expect(*a == *c, "a == c, since a == b and b == c");
  }
  if (*a != *b) trial.Cover("different");
}

Cases<TripleCase> Triples() {
  return {0, [](int64_t index, Random& random) {
            DescriptorOptions options;
            options.regions = 1;
            options.empty = true;
            const DescriptorCase view = DrawDescriptor(index, random, options);
            TripleCase triple{view, view, view, "sss"};
            for (DescriptorCase* each : {&triple.a, &triple.b, &triple.c}) {
              const auto j = random.Between(0, static_cast<int64_t>(view.dims.size()) - 1);
              if (each->dims[j] == 1) each->strides[j] = random.Between(0, 9);
              if (random.Chance(25)) each->type = random.Pick(spec::kTypes);
            }
            if (index % 3 == 1) {
              for (char& form : triple.forms) form = random.Pick({'s', 's', 'a', 'a', 'z'});
            } else if (index % 3 == 2) {
              const auto j = random.Between(0, static_cast<int64_t>(view.dims.size()) - 1);
              const bool dim = random.Chance(50);
              for (DescriptorCase* each : {&triple.a, &triple.b, &triple.c}) {
                each->regions.clear();
                if (random.Chance(60)) (dim ? each->dims : each->strides)[j] = spec::kRunTimeDim;
              }
            }
            return triple;
          }};
}

// OBJ-014 of hand-written blocks, where the subject's descriptors show any: those of one element
// split nothing, and whether they count is open, but for both sides alike.
void EqualityIsOfBothSides(const SeedCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const int rank = static_cast<int>(random.Between(1, 5));
  const spec::Dims dims = AnyShape(random, {rank, rank, 512, /*may_be_empty=*/false});
  const std::vector<spec::Block> blocks = AnyBlocks(random, rank);
  const BlockedTensor without = AnyBlockedTensor(random, AnyType(random), dims, blocks);
  BlockedTensor with = without;
  for (int64_t more = random.Between(1, 3); more > 0; --more) {
    const int64_t at = random.Between(0, static_cast<int64_t>(with.layout.blocks.size()));
    const int axis = static_cast<int>(random.Between(0, rank - 1));
    with.layout.blocks.insert(with.layout.blocks.begin() + at, {axis, 1});
  }
  // Or the last of them is missing, which splits less.
  if (random.Chance(30) && !blocks.empty()) {
    with = without;
    with.layout.blocks.pop_back();
  }
  const auto a = BlockedDesc(without, /*run_time=*/false, trial);
  const auto b = BlockedDesc(with, /*run_time=*/false, trial);
  if (!a || !b) return;
  for (const Desc* desc : {&*a, &*b}) {
    const Desc copy = *desc;
    trial.Expect(*desc == copy && !(*desc != copy), "d == d in blocks " + ToString(with));
  }
  trial.Expect((*a == *b) == (*b == *a), "a == b in blocks " + ToString(with), "as b == a",
               "otherwise");
  trial.Expect((*a == *b) != (*a != *b), "a != b in blocks " + ToString(with), "!(a == b)",
               "otherwise");
}

void SlicedObjectsWork(const SampleCase& c, Trial& trial) {
  // Samples hold what they are made of as dnnl::primitive and primitive_desc_base.
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  const bool forward = sample->plan.from_arg() == DNNL_ARG_SRC;
  const dnnl::query source = forward ? dnnl::query::src_md : dnnl::query::diff_dst_md;
  ExpectDescriptor(trial, "query through the base", "the descriptor given", sample->from,
                   sample->pd.query_md(source));
  if (RunBench(sample->primitive, bench, device.stream, trial))
    bench.IsDone("execution through the base", trial);
}

void DescriptorsServeAllEngines(const SampleCase& c, Trial& trial) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  using Kind = dnnl::engine::kind;
  for (const Kind kind : {Kind::cpu, Kind::gpu}) {
    if (kind == Kind::gpu && trial.engine() == EngineChoice::kCpu) continue;
    for (size_t index = 0; index < dnnl::engine::get_count(kind); ++index) {
      const dnnl::engine engine(kind, index);
      if (!IsServed(*plan, engine)) continue;
      Device on{engine, dnnl::stream(engine), kind == Kind::cpu};
      const Sample sample = MakeSample(*plan, engine);
      Bench bench(sample, on, c.seed);
      if (!RunBench(sample.primitive, bench, on.stream, trial)) return;
      if (!bench.IsDone(kind == Kind::cpu ? "on the CPU" : "on the GPU", trial)) return;
    }
  }
}

DescriptorOptions Everything() {
  DescriptorOptions options;
  options.empty = options.broadcast = options.loose_ones = true;
  options.regions = 2;
  return options;
}

const bool defined[] = {
    Define(spec::OBJ_001, "", DescriptorCases(Everything()), DescriptorsAreValues,
           {"gapped", "region"}),
    Define(spec::OBJ_003, "", SamplesWithOperation(), OperationDescriptorsAreValues,
           {"forward", "backward"}),
    Define(spec::OBJ_004, "", SamplesWithOperation(), OperationDescriptorsCaptureByValue,
           {"forward", "backward"}),
    Define(spec::OBJ_005, "", SamplesWithOperation(), OperationDescriptorsKnowNoEngine,
           {"forward", "backward"}),
    Define(spec::OBJ_005, "attributes", SamplesWithOperation(), AttributesAreNotTheOperations,
           {"forward", "backward"}),
    Define(spec::OBJ_008, "", Samples(), CopiesOfPrimitivesExecuteAlike,
           {"reorder", "forward", "backward"}),
    Define(spec::OBJ_009, "", AttributesAreShared),
    Define(spec::OBJ_010, "", Seeds(), PostOpsAreShared),
    Define(spec::OBJ_011, "", Samples(), CopiesOfStreamsAreOneContext),
    Define(spec::OBJ_014, "", Triples(), EqualityIsAnEquivalence,
           {"all equal", "different", "any", "zero", "run-time values"}),
    Define(spec::OBJ_014, "blocks", Seeds(), EqualityIsOfBothSides),
    Define(spec::OBJ_019, "", Samples(), SlicedObjectsWork, {"reorder", "forward", "backward"}),
    Define(spec::OBJ_026, "", Samples(), DescriptorsServeAllEngines),
};

}  // namespace
}  // namespace conformance
