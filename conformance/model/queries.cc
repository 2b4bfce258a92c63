// Primitive descriptors and what they answer: PRIM-002 to PRIM-015.
#include <climits>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/model/attribute_text.h"
#include "conformance/model/sample_attributes.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::query;
using Desc = memory::desc;
using Forward = dnnl::shuffle_forward;

struct MdQuery {
  const char* name;
  query what;
};
constexpr MdQuery kMdQueries[] = {{"src_md", query::src_md},
                                  {"diff_src_md", query::diff_src_md},
                                  {"weights_md", query::weights_md},
                                  {"diff_weights_md", query::diff_weights_md},
                                  {"dst_md", query::dst_md},
                                  {"diff_dst_md", query::diff_dst_md},
                                  {"workspace_md", query::workspace_md},
                                  {"scratchpad_md", query::scratchpad_md}};

// The argument that a query speaks of; 0 where none of the samples has it.
int ArgumentAskedFor(query what) {
  switch (what) {
    case query::src_md:
      return DNNL_ARG_SRC;
    case query::diff_src_md:
      return DNNL_ARG_DIFF_SRC;
    case query::weights_md:
      return DNNL_ARG_WEIGHTS;
    case query::diff_weights_md:
      return DNNL_ARG_DIFF_WEIGHTS;
    case query::dst_md:
      return DNNL_ARG_DST;
    case query::diff_dst_md:
      return DNNL_ARG_DIFF_DST;
    default:
      return 0;
  }
}

// What a query gives for a sample without attributes: an argument that exists, or the zero
// descriptor.
Desc ExpectedMd(const Sample& sample, query what, int index) {
  if (what == query::weights_md && index == 1) return DescOf(sample.plan, DNNL_ARG_BIAS);
  const int arg = ArgumentAskedFor(what);
  return index != 0 || arg == 0 ? Desc() : DescOf(sample.plan, arg);
}

bool MdIs(const Desc& got, const Desc& expected, const std::string& where, Trial& trial) {
  return ExpectDescriptor(trial, where,
                          expected.is_zero() ? "the zero descriptor" : "the argument's descriptor",
                          expected, got);
}

void QueriesNeedNoPrimitive(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  const dnnl::primitive_desc_base pd = MakePd(sample->plan, DeviceFor(trial)->engine)->Base();
  const auto asked = Attempt([&] {
    pd.get_kind();
    pd.get_engine();
    pd.impl_info_str();
    pd.query_s64(query::memory_consumption_s64);
    pd.get_primitive_attr();
  });
  if (!trial.Expect(static_cast<bool>(asked), "queries", "answered", asked.refusal.ToString()))
    return;
  MdIs(pd.query_md(query::exec_arg_md, sample->plan.from_arg()), sample->from, "exec_arg_md",
       trial);
}

void KindsMatch(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  const auto kind = sample->plan.kind->primitive;
  trial.Expect(sample->pd.get_kind() == kind, "get_kind() of the descriptor", c.kind, "another");
  trial.Expect(sample->primitive.get_kind() == kind, "get_kind() of the primitive", c.kind,
               "another");
}

void InfoIsAConstantText(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  const char* const info = sample->pd.impl_info_str();
  if (!trial.Expect(info != nullptr && *info != '\0', "impl_info_str()", "a text", "nothing"))
    return;
  const std::string first = info;
  // Of the same kind, or of what everybody has.
  const auto another =
      SampleOf({c.seed % 2 == 0 ? "reorder" : c.kind, c.seed + 1, c.type, c.rank}, trial);
  if (!another) return;
  const char* const others = another->pd.impl_info_str();
  if (!trial.Expect(others != nullptr && info == first,
                    "the text of impl_info_str() after that of another descriptor was asked for",
                    first, info))
    return;
  const dnnl::primitive_desc_base copy = sample->pd;
  trial.Expect(sample->pd.impl_info_str() == first, "impl_info_str() later", first,
               sample->pd.impl_info_str());
  trial.Expect(copy.impl_info_str() == first, "impl_info_str() of a copy", first,
               copy.impl_info_str());
}

void ConsumptionIsNotNegative(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  const int64_t bytes = sample->pd.query_s64(query::memory_consumption_s64);
  trial.Expect(bytes >= 0, "query_s64(memory_consumption_s64)", "0 or more", std::to_string(bytes));
}

void OtherKindsOfNumber(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("what comes of it is unspecified");
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  for (const query what : {query::undef, query::impl_info_str, query::src_md}) {
    const auto asked = Attempt([&] { return sample->pd.query_s64(what); });
    trial.Expect(!asked && asked.refusal.is_error,
                 "query_s64(" + std::to_string(static_cast<int>(what)) + ")", "dnnl::error",
                 asked ? "a number" : asked.refusal.ToString());
  }
}

void QueriedDescriptorsAreTheArguments(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  for (const MdQuery& each : kMdQueries) {
    for (int index : {0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 100, 256, 65536, INT_MAX}) {
      const std::string where =
          std::string("query_md(") + each.name + ", " + std::to_string(index) + ")";
      const auto asked = Attempt([&] { return sample->pd.query_md(each.what, index); });
      if (!trial.Expect(static_cast<bool>(asked), where, "a descriptor", asked.refusal.ToString()))
        return;
      if (!MdIs(*asked.value, ExpectedMd(*sample, each.what, index), where, trial)) return;
    }
    if (trial.portable()) continue;
    const auto asked = Attempt([&] { return sample->pd.query_md(each.what, -1); });
    trial.Expect(asked ? asked.value->is_zero() : asked.refusal.is_error,
                 std::string("query_md(") + each.name + ", -1)", "the zero descriptor or an error",
                 asked ? "another (" + TextOf(*asked.value) + ")" : asked.refusal.ToString());
  }
}

void OtherQueriesForMdAreRefused(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  for (const query what : {query::undef, query::impl_info_str, query::memory_consumption_s64}) {
    const auto asked = Attempt([&] { return sample->pd.query_md(what); });
    trial.Expect(!asked && asked.refusal.is_error,
                 "query_md(" + std::to_string(static_cast<int>(what)) + ")", "dnnl::error",
                 asked ? "a descriptor" : asked.refusal.ToString());
  }
}

void GettersEqualQueries(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  const dnnl::primitive_desc_base& pd = sample->pd;
  for (int i : {0, 1, 5}) {
    const std::pair<Desc, query> indexed[] = {{pd.src_desc(i), query::src_md},
                                              {pd.dst_desc(i), query::dst_md},
                                              {pd.weights_desc(i), query::weights_md},
                                              {pd.diff_src_desc(i), query::diff_src_md},
                                              {pd.diff_dst_desc(i), query::diff_dst_md},
                                              {pd.diff_weights_desc(i), query::diff_weights_md}};
    for (const auto& [got, what] : indexed) {
      MdIs(got, pd.query_md(what, i),
           "getter " + std::to_string(static_cast<int>(what)) + "(" + std::to_string(i) + ")",
           trial);
    }
  }
  const std::pair<Desc, query> plain[] = {{pd.src_desc(), query::src_md},
                                          {pd.dst_desc(), query::dst_md},
                                          {pd.weights_desc(), query::weights_md},
                                          {pd.diff_src_desc(), query::diff_src_md},
                                          {pd.diff_dst_desc(), query::diff_dst_md},
                                          {pd.diff_weights_desc(), query::diff_weights_md},
                                          {pd.workspace_desc(), query::workspace_md},
                                          {pd.scratchpad_desc(), query::scratchpad_md}};
  for (const auto& [got, what] : plain)
    MdIs(got, pd.query_md(what), "getter " + std::to_string(static_cast<int>(what)), trial);
}

void ArgumentsAreFoundByIndex(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  for (const int arg :
       {DNNL_ARG_SRC, DNNL_ARG_DST, DNNL_ARG_DIFF_SRC, DNNL_ARG_DIFF_DST, DNNL_ARG_WEIGHTS,
        DNNL_ARG_BIAS, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_BIAS, DNNL_ARG_SRC_1, DNNL_ARG_DST_1,
        DNNL_ARG_SCRATCHPAD, DNNL_ARG_ATTR_OUTPUT_SCALES, DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC,
        DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST, DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DIFF_SRC,
        DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DIFF_DST}) {
    MdIs(sample->pd.query_md(query::exec_arg_md, arg), DescOf(sample->plan, arg),
         "query_md(exec_arg_md, " + NameOfArgument(arg) + ")", trial);
  }
}

// The same where attributes bring arguments: what they have is told by the project's reading alone.
void ArgumentsOfAttributesAreFound(const SampleCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const auto plan = PlanFor(c, random, trial);
  if (!plan) return;
  const int axes = plan->kind->scaled_axes & ((1 << plan->to.rank()) - 1);
  const int mask = random.Chance(50) ? 0 : axes;
  if (mask != 0) trial.Cover("mask");
  const Desc scale({CountOfScales(*plan, mask)}, memory::data_type::f32, memory::format_tag::x);
  const Desc point({1}, memory::data_type::s32, memory::format_tag::x);
  std::vector<std::pair<int, Desc>> expected;
  std::vector<std::string> features;
  const auto made = Attempt([&] {
    dnnl::primitive_attr attr;
    const bool scaled = random.Chance(50);
    if (scaled) features.emplace_back("run-time scales");
    if (scaled) attr.set_output_scales(mask, {DNNL_RUNTIME_F32_VAL});
    expected.emplace_back(DNNL_ARG_ATTR_OUTPUT_SCALES, scaled ? scale : Desc());
    for (const int arg : {DNNL_ARG_SRC, DNNL_ARG_DST}) {
      // At execution, in advance, or none.
      const int64_t dice = plan->kind->is_mandatory ? random.Between(0, 2) : 0;
      if (dice != 0) features.emplace_back(dice == 2 ? "run-time zero points" : "zero points");
      if (dice != 0) attr.set_zero_points(arg, 0, {dice == 2 ? DNNL_RUNTIME_S32_VAL : 3});
      expected.emplace_back(DNNL_ARG_ATTR_ZERO_POINTS | arg, dice == 2 ? point : Desc());
    }
    return MakeSample(*plan, DeviceFor(trial)->engine, attr);
  });
  if (!made) return SampleRefusedWith(*plan, std::move(features), made.refusal, trial);
  for (const int arg : ArgumentsOf(*plan)) expected.emplace_back(arg, DescOf(*plan, arg));
  for (const auto& [arg, desc] : expected) {
    const Desc got = made.value->pd.query_md(query::exec_arg_md, arg);
    const bool untold = trial.portable() && got.is_zero() && arg >= DNNL_ARG_ATTR_OUTPUT_SCALES;
    if (!untold) MdIs(got, desc, "query_md(exec_arg_md, " + NameOfArgument(arg) + ")", trial);
  }
}

// PRIM-008, PRIM-011: the scratchpad is an argument in mode user, and none in mode library.
void ScratchpadsAreFound(const SampleCase& c, Trial& trial) {
  for (const auto mode : {dnnl::scratchpad_mode::library, dnnl::scratchpad_mode::user}) {
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(mode);
    const auto sample = SampleOf(c, trial, attr);
    if (!sample) return;
    const Desc need = sample->pd.scratchpad_desc();
    MdIs(sample->pd.query_md(query::exec_arg_md, DNNL_ARG_SCRATCHPAD), need,
         "query_md(exec_arg_md, DNNL_ARG_SCRATCHPAD)", trial);
    for (const int index : {1, 2, INT_MAX})
      MdIs(sample->pd.query_md(query::scratchpad_md, index), Desc(),
           "query_md(scratchpad_md, " + std::to_string(index) + ")", trial);
  }
}

Cases<SampleCase> ScaledSamples() {
  SampleDraws draws;
  draws.of = [](const SampleKind& kind) { return kind.scaled_axes != 0; };
  return Samples(draws);
}

// Calls look(pd, plan, device) for the primitive descriptor of the case.
template <class Look>
void WithDescriptor(const SampleCase& c, const dnnl::primitive_attr& attr, Trial& trial,
                    Look look) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  Device& device = *DeviceFor(trial);
  auto pd = Attempt([&] { return MakePd(*plan, device.engine, attr); });
  if (!pd) return SampleRefused(*plan, pd.refusal, trial);
  look(**pd.value, *plan, device);
}

constexpr int kMostImplementations = 1000;

// In one of the two modes.
dnnl::primitive_attr AnyMode(uint64_t seed) {
  dnnl::primitive_attr attr;
  if (Mix(seed + 1) % 2 == 0) attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

// In mode user; with a scale and a sum in two of three cases of kinds that take these here.
dnnl::primitive_attr UserAndFused(const SampleCase& c, Trial& trial) {
  dnnl::primitive_attr user;
  user.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const auto plan = PlanFor(c, trial);
  if (!plan || plan->kind->scaled_axes == 0 || c.seed % 3 == 0) return user;
  dnnl::primitive_attr fused;
  fused.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  fused.set_output_scales(0, {0.5f});
  dnnl::post_ops ops;
  ops.append_sum(2);
  fused.set_post_ops(ops);
  return Attempt([&] { return MakePd(*plan, DeviceFor(trial)->engine, fused); }) ? fused : user;
}

void NextEndsAndLeavesTheLast(const SampleCase& c, Trial& trial) {
  WithDescriptor(
      c, c.seed % 2 == 0 ? UserAndFused(c, trial) : AnyMode(c.seed), trial,
      [&](SamplePd& pd, const SamplePlan& plan, Device&) {
        const auto info = [&pd] { return std::string(pd.Base().impl_info_str()); };
        int steps = 0;
        std::string last = StateOf(pd.Base());
        for (std::string name = info(); steps < kMostImplementations && pd.Next(); name = info()) {
          ++steps;
          last = StateOf(pd.Base());
          // Two implementations may be called alike; ours are not.
          if (name != info()) continue;
          trial.Record("impl_info_str() after next_impl() gave true", "as before");
          if (trial.project())
            return trial.Fail("impl_info_str() after next_impl() gave true", "another than " + name,
                              "the same");
        }
        trial.Record("implementations of " + plan.kind->name, std::to_string(steps + 1));
        if (!trial.Expect(steps < kMostImplementations, "next_impl()", "false in the end", "true"))
          return;
        for (int again = 0; again < 3; ++again) {
          trial.Expect(StateOf(pd.Base()) == last, "descriptor after next_impl() gave false", last,
                       StateOf(pd.Base()));
          trial.Expect(!pd.Next(), "next_impl() after false", "false", "true");
        }
      });
}

void AllImplementationsAgree(const SampleCase& c, Trial& trial) {
  WithDescriptor(c, {}, trial, [&](SamplePd& pd, const SamplePlan& plan, Device& device) {
    const Sample sample = MakeSample(plan, device.engine);
    for (int number = 0; number < kMostImplementations; ++number) {
      if (number > 0) trial.Cover("second implementation");
      Bench bench(sample, device, c.seed);
      if (!RunBench(pd.Primitive(), bench, device.stream, trial)) return;
      if (!bench.IsDone(std::string("implementation ") + pd.Base().impl_info_str(), trial)) return;
      if (!pd.Next()) return;
    }
  });
}

// What next_impl() changes is the implementation: engine, kind and attributes stay.
void NextKeepsTheRequest(const SampleCase& c, Trial& trial) {
  const dnnl::primitive_attr attr = UserAndFused(c, trial);
  WithDescriptor(c, attr, trial, [&](SamplePd& made, const SamplePlan& plan, Device& device) {
    const auto kind = made.Base().get_kind();
    const std::string attributes = TextOf(made.Base().get_primitive_attr());
    for (int number = 1; number < kMostImplementations && made.Next(); ++number) {
      const dnnl::primitive_desc_base pd = made.Base();
      trial.Cover("second implementation");
      const std::string which = "implementation " + std::to_string(number);
      trial.Expect(pd.get_kind() == kind, which + ", get_kind()", "as before", "another");
      trial.Expect(pd.get_engine().get_kind() == device.engine.get_kind(),
                   which + ", get_engine().get_kind()", "the engine's", "another");
      trial.Expect(TextOf(pd.get_primitive_attr()) == attributes, which + ", get_primitive_attr()",
                   attributes, TextOf(pd.get_primitive_attr()));
      trial.Expect(pd.query_s64(query::memory_consumption_s64) == 0,
                   which + ", memory_consumption_s64 in mode user", "0", "another");
      for (const int arg : ArgumentsOf(plan))
        ExpectDescriptor(trial, which + ", exec_arg_md of " + NameOfArgument(arg),
                         "the argument's descriptor", DescOf(plan, arg),
                         pd.query_md(query::exec_arg_md, arg));
    }
  });
}

// ENG-012 of every implementation.
void NextKeepsTheEngine(const SampleCase& c, Trial& trial) {
  WithDescriptor(c, {}, trial, [&](SamplePd& pd, const SamplePlan&, Device& device) {
    for (int number = 1; number < kMostImplementations && pd.Next(); ++number)
      trial.Expect(EqualIfComparable(pd.Base().get_engine(), device.engine),
                   "get_engine() of implementation " + std::to_string(number),
                   "equal to the engine", "unequal");
  });
}

void CopiesDoNotAdvance(const SampleCase& c, Trial& trial) {
  WithDescriptor(c, {}, trial, [&](SamplePd& pd, const SamplePlan&, Device&) {
    const auto copy = pd.Copy();
    const std::string before = StateOf(copy->Base());
    if (!pd.Next()) return trial.NotRun("the subject has one implementation");
    if (StateOf(copy->Base()) != before)
      trial.Deviate("a copy after next_impl() of the other", before, StateOf(copy->Base()));
  });
}

const bool defined[] = {
    Define(spec::ENG_012, "implementations", SamplesWithOperation(), NextKeepsTheEngine),
    Define(spec::PRIM_002, "", Samples(), QueriesNeedNoPrimitive,
           {"reorder", "forward", "backward"}),
    Define(spec::PRIM_004, "", Samples(), KindsMatch, {"reorder", "forward", "backward"}),
    Define(spec::PRIM_005, "", Samples(), InfoIsAConstantText),
    Define(spec::PRIM_006, "", Samples(), ConsumptionIsNotNegative),
    Define(spec::PRIM_007, "", Samples(), OtherKindsOfNumber),
    Define(spec::PRIM_008, "", Samples(), QueriedDescriptorsAreTheArguments,
           {"reorder", "forward", "backward"}),
    Define(spec::PRIM_009, "", Samples(), OtherQueriesForMdAreRefused),
    Define(spec::PRIM_010, "", Samples(), GettersEqualQueries),
    Define(spec::PRIM_011, "", Samples(), ArgumentsAreFoundByIndex),
    Define(spec::PRIM_011, "attributes", ScaledSamples(), ArgumentsOfAttributesAreFound, {"mask"}),
    Define(spec::PRIM_011, "scratchpad", Samples(), ScratchpadsAreFound),
    Define(spec::PRIM_012, "", SamplesWithOperation(), NextEndsAndLeavesTheLast,
           {"forward", "backward"}),
    Define(spec::PRIM_012, "request", SamplesWithOperation(), NextKeepsTheRequest),
    Define(spec::PRIM_013, "", SamplesWithOperation(), AllImplementationsAgree),
    Define(spec::PRIM_015, "", SamplesWithOperation(), CopiesDoNotAdvance),
};

}  // namespace
}  // namespace conformance
