// Samples of every kind that the subject's topics add (conformance/subject/sample.h): made, given
// memories and looked at.
#ifndef DNNSPEC_CONFORMANCE_MODEL_SAMPLES_H_
#define DNNSPEC_CONFORMANCE_MODEL_SAMPLES_H_

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "conformance/gen/sample_case.h"
#include "conformance/gen/tensors.h"
#include "conformance/model/cases.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/sample.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/numeric/convert.h"

namespace conformance {

using Arguments = std::unordered_map<int, dnnl::memory>;

// What `c` draws, for the trial's engine: in f32 where the subject leaves the case's type
// unimplemented. nullopt after recording the outcome in `trial` when there is no device, no such
// kind, or none of it on this engine.
std::optional<SamplePlan> PlanFor(const SampleCase& c, Random& random, Trial& trial);
// The same from the case's own seed.
std::optional<SamplePlan> PlanFor(const SampleCase& c, Trial& trial);

// In f32, of any kind that the engine serves and of which `fits` is true, where that is not null;
// of reorder otherwise.
SamplePlan AnyServedPlan(Random& random, const dnnl::engine& engine,
                         bool (*fits)(const SampleKind& kind) = nullptr);

// The primitive descriptor alone. May throw.
std::unique_ptr<SamplePd> MakePd(const SamplePlan& plan, const dnnl::engine& engine,
                                 const dnnl::primitive_attr& attr = {});

struct Sample {
  SamplePlan plan;
  dnnl::memory::desc from, to;
  dnnl::primitive_desc_base pd;  // cut down to its base
  dnnl::primitive primitive;     // likewise
};

// May throw.
Sample MakeSample(const SamplePlan& plan, const dnnl::engine& engine,
                  const dnnl::primitive_attr& attr = {});

// The outcome of a plan that was refused: only in f32, and of kinds that are mandatory, that is a
// failure for sure.
void SampleRefused(const SamplePlan& plan, const Refusal& refusal, Trial& trial);
// The same where attributes were asked for, which nobody has to offer: `features` are the words
// that claims have for them ("run-time scales", "zero points").
void SampleRefusedWith(const SamplePlan& plan, std::vector<std::string> features,
                       const Refusal& refusal, Trial& trial);

// The sample of a case on the trial's device; nullopt after recording the outcome in `trial` when
// there is none.
std::optional<Sample> SampleOf(const SampleCase& c, Trial& trial,
                               const dnnl::primitive_attr& attr = {});

// Whether the engine offers it; creation decides about what nobody may refuse.
bool IsServed(const SamplePlan& plan, const dnnl::engine& engine);

// Of the source, the destination and the others.
std::vector<int> ArgumentsOf(const SamplePlan& plan);
// The descriptor of an argument: the zero descriptor where the sample has none.
dnnl::memory::desc DescOf(const SamplePlan& plan, int arg);

// Memories for a sample, filled: inputs with values, the destination with others.
struct Bench {
  Bench(const Sample& sample, const Device& device, uint64_t seed);

  Arguments arguments();
  // And a scratchpad, where the sample's descriptor asks for one.
  Arguments ArgumentsFor(const Sample& sample, const Device& device);
  // What the destination must hold after an execution on the present values.
  const std::vector<spec::Bits>& Results();
  // Whether the destination holds what the sample makes of the source, inputs are as they were, and
  // nothing else was written.
  bool IsDone(const std::string& where, Trial& trial);
  // What it holds; of sums without the signs of zeros.
  std::vector<spec::Bits> Holds();
  // Puts the destination back to what it held first.
  void Reset();

  SamplePlan plan;
  std::vector<spec::Bits> values, old;
  Tensor from, to;
  std::vector<Tensor> others;
  std::vector<std::vector<spec::Bits>> other_values;
  // Worked out once for values that stay.
  std::vector<spec::Bits> results, results_of;
};

// Executes and waits. False, with a failure, when that throws.
bool RunBench(const dnnl::primitive& primitive, Bench& bench, const dnnl::stream& stream,
              Trial& trial);

// Executes with these arguments, which must be refused before the destination of `bench` is
// touched: "execute " and `what`.
void RefusedUntouched(const Sample& sample, const Arguments& arguments, Bench& bench,
                      Device& device, const std::string& what, Trial& trial);

// Which samples a property draws.
struct SampleDraws {
  bool (*of)(const SampleKind& kind) = nullptr;  // all kinds
  bool shaped = true;                            // of other ranks and sizes than 3 and small
  int64_t one_large_in = 1000;
};

Cases<SampleCase> Samples(const SampleDraws& draws = {});

// Of kinds whose extents and layouts a check may change, with three axes of which number 1 stays.
Cases<SampleCase> ReshapableSamples();
// Of kinds that have an operation descriptor.
Cases<SampleCase> SamplesWithOperation();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MODEL_SAMPLES_H_
