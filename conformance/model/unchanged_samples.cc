// What must not change, of primitives of every kind: the outcome of a good construction with
// allow_empty (ERR-008), and all that exists when a call fails (ERR-014).
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/model/calls.h"
#include "conformance/model/holder.h"
#include "conformance/model/sample_attributes.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::primitive_attr;

// With attributes and without, executed once each.
void FlagIsIdle(const SampleCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const auto plan = PlanFor(c, random, trial);
  if (!plan) return;
  Device& device = *DeviceFor(trial);
  const primitive_attr attr = AnyAttributesFor(*plan, random);
  const auto operation = plan->Operation();
  const auto without = Attempt([&] { return operation->On(device.engine, attr, false); });
  if (!without) return SampleWithAttributesRefused(*plan, attr, without.refusal, trial);
  const auto with = Attempt([&] { return operation->On(device.engine, attr, true); });
  const std::string where = c.kind + " with allow_empty";
  if (!with) return trial.Fail(where, "created", with.refusal);
  const dnnl::primitive_desc_base one = (*without.value)->Base(), other = (*with.value)->Base();
  if (!trial.Expect(Of(other) == Made::kObject, where, "an object", "an empty object")) return;
  trial.Expect(StateOf(other) == StateOf(one), where, StateOf(one), StateOf(other));
  for (const int arg : ArgumentsOf(*plan))
    ExpectDescriptor(trial, where + ", exec_arg_md of " + NameOfArgument(arg),
                     "the argument's descriptor", DescOf(*plan, arg),
                     other.query_md(dnnl::query::exec_arg_md, arg));
  std::vector<std::vector<spec::Bits>> results;
  for (const SamplePd* pd : {without.value->get(), with.value->get()}) {
    const Sample sample{*plan, MakeDesc(plan->from), MakeDesc(plan->to), pd->Base(),
                        pd->Primitive()};
    Bench bench(sample, device, c.seed);
    sample.primitive.execute(device.stream, bench.ArgumentsFor(sample, device));
    device.stream.wait();
    results.push_back(bench.Holds());
  }
  ExpectSameBits(trial, where + ", executed", plan->to.type, plan->to.dims, results[0], results[1]);
}

// A call that fails beside a sample, and one that the requirement leaves to the project's reading.
struct Failure {
  const char* name;
  std::function<void()> call;
  bool project_only = false;
};

std::vector<Failure> FailuresOf(const Sample& sample, SamplePd& pd, const Arguments& all,
                                Random& random, Device& device) {
  const int arg = random.Pick(ArgumentsOf(sample.plan));
  Arguments missing = all, foreign = all;
  missing.erase(arg);
  const int64_t reach = Reach(*sample.plan.TensorOf(arg));
  foreign[arg] = memory(Flat(sample.plan.TensorOf(arg)->type, reach - 1), device.engine);
  primitive_attr of_rnn;
  of_rnn.set_rnn_data_qparams(2, 3);
  const dnnl::primitive& primitive = sample.primitive;
  return {
      {"an execution without an argument",
       [=, &device] {
         // No wait: refused.
         primitive.execute(device.stream, missing);
       }},
      {"an execution with too short a memory",
       [=, &device] {
         // No wait: refused.
         primitive.execute(device.stream, foreign);
       },
       true},
      {"an execution on an empty stream",
       [=] {
         // No wait: refused.
         primitive.execute(dnnl::stream(), all);
       }},
      {"a query for no descriptor", [&sample] { sample.pd.query_md(dnnl::query::undef); }},
      {"a creation with parameters of RNN",
       [&sample, &device, of_rnn] { MakePd(sample.plan, device.engine, of_rnn); }},
      {"a creation on no engine", [&sample] { MakePd(sample.plan, dnnl::engine()); }},
      {"next_impl() after the last",
       [&pd] {
         while (pd.Next()) continue;
       }},
  };
}

// Descriptor, memories and what the primitive computes are as before, whatever failed.
void FailuresChangeNothing(const SampleCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const auto plan = PlanFor(c, random, trial);
  if (!plan) return;
  Device& device = *DeviceFor(trial);
  const primitive_attr attr = AnyAttributesFor(*plan, random);
  const auto sample = Attempt([&] { return MakeSample(*plan, device.engine, attr); });
  if (!sample) return SampleWithAttributesRefused(*plan, attr, sample.refusal, trial);
  const auto pd = MakePd(*plan, device.engine, attr);
  Bench bench(*sample.value, device, c.seed);
  const Arguments all = bench.ArgumentsFor(*sample.value, device);
  const auto run = [&] {
    bench.Reset();
    sample.value->primitive.execute(device.stream, all);
    device.stream.wait();
    return bench.Holds();
  };
  const std::vector<spec::Bits> results = run();
  const std::string before = StateOf(sample.value->pd);
  for (const Failure& failure : FailuresOf(*sample.value, *pd, all, random, device)) {
    if (failure.project_only && trial.portable()) continue;
    bench.Reset();
    Attempt(failure.call);
    const std::string after = StateOf(sample.value->pd), what = failure.name;
    const std::string source = bench.from.ChangedByte(bench.values);
    const std::string target = bench.to.ChangedByte(bench.old);
    if (!trial.Expect(after == before, "descriptor after " + what, before, after) ||
        !trial.Expect(source.empty(), "source after " + what, "untouched", source) ||
        !trial.Expect(target.empty(), "destination after " + what, "untouched", target) ||
        !ExpectSameBits(trial, "result after " + what, plan->to.type, plan->to.dims, results,
                        run()))
      return;
  }
}

const std::vector<std::string> kEveryKind = {"reorder", "forward", "backward"};

const bool defined[] = {
    Define(spec::ERR_008, "kinds", Samples(), FlagIsIdle, kEveryKind),
    Define(spec::ERR_014, "kinds", Samples(), FailuresChangeNothing, kEveryKind),
};

}  // namespace
}  // namespace conformance
