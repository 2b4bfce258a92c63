// Small primitives of each kind that the suite knows, with what they need to run and what they must
// give: for checks of the programming model, to which the computation matters little.
#ifndef DNNSPEC_CONFORMANCE_MODEL_SAMPLES_H_
#define DNNSPEC_CONFORMANCE_MODEL_SAMPLES_H_

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "conformance/gen/tensors.h"
#include "conformance/model/cases.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/numeric/convert.h"

namespace conformance {

using Arguments = std::unordered_map<int, dnnl::memory>;

// What a sample is made of; all f32, so that no subject may refuse it. A product has weights, a
// matrix that puts the source's rows into another order: which one follows from the values. It
// takes three arguments and, as a rule, a scratchpad.
struct SamplePlan {
  std::string kind;  // "reorder", "forward", "backward", "product"
  TensorSpec from, to;
  TensorSpec weights;       // of a product
  int axis = 0, group = 1;  // of a shuffle

  int from_arg() const { return kind == "backward" ? DNNL_ARG_DIFF_DST : DNNL_ARG_SRC; }
  int to_arg() const { return kind == "backward" ? DNNL_ARG_DIFF_SRC : DNNL_ARG_DST; }
  std::vector<spec::Bits> Values(uint64_t seed) const;
  std::vector<spec::Bits> Results(const std::vector<spec::Bits>& values) const;
  std::vector<spec::Bits> Weights(const std::vector<spec::Bits>& values) const;
};

SamplePlan DrawSample(const std::string& kind, Random& random);
// The same with some 10^5 elements, which libraries share among threads of their own.
SamplePlan DrawLargeSample(const std::string& kind, Random& random);

struct Sample {
  SamplePlan plan;
  dnnl::memory::desc from, to;
  dnnl::primitive_desc_base pd;  // cut down to its base
  dnnl::primitive primitive;     // likewise
};

// May throw.
Sample MakeSample(const SamplePlan& plan, const dnnl::engine& engine,
                  const dnnl::primitive_attr& attr = {});

// Its primitive descriptor, of which no primitive is made. May throw.
dnnl::primitive_desc_base MakePdAlone(const SamplePlan& plan, const dnnl::engine& engine);

// The outcome of a sample that was refused: only a product need not be offered.
void SampleRefused(const std::string& kind, const Refusal& refusal, Trial& trial);

// Several primitives of one primitive descriptor. May throw.
std::vector<dnnl::primitive> MakePrimitives(const SamplePlan& plan, const dnnl::engine& engine,
                                            int count);

// The sample of a case on the trial's device; nullopt after recording the outcome in `trial` when
// there is none.
std::optional<Sample> SampleOf(const SampleCase& c, Trial& trial,
                               const dnnl::primitive_attr& attr = {});

// Memories for a sample, filled: the source with values, the destination with others.
struct Bench {
  Bench(const Sample& sample, const Device& device, uint64_t seed);

  Arguments arguments();
  // Whether the destination holds what the sample makes of the source, the source is as it was, and
  // nothing else was written.
  bool IsDone(const std::string& where, Trial& trial);
  // Puts the destination back to what it held first.
  void Reset();

  SamplePlan plan;
  std::vector<spec::Bits> values, old;
  Tensor from, to;
  std::optional<Tensor> weights;
};

// Executes and waits. False, with a failure, when that throws.
bool RunBench(const dnnl::primitive& primitive, Bench& bench, const dnnl::stream& stream,
              Trial& trial);

// Executes with these arguments, which must be refused before the destination of `bench` is
// touched: "execute " and `what`.
void RefusedUntouched(const Sample& sample, const Arguments& arguments, Bench& bench,
                      Device& device, const std::string& what, Trial& trial);

// Cases of the kinds with two arguments in turn, of all kinds, and of some.
Cases<SampleCase> Samples();
Cases<SampleCase> AllSamples();
Cases<SampleCase> Samples(const std::vector<std::string>& kinds);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MODEL_SAMPLES_H_
