// Makes and executes the eltwise that a case describes, on the subject.
#ifndef DNNSPEC_CONFORMANCE_ELTWISE_RUN_H_
#define DNNSPEC_CONFORMANCE_ELTWISE_RUN_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/eltwise/cases.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

using ForwardEltwise = dnnl::eltwise_forward;
using BackwardEltwise = dnnl::eltwise_backward;

// By its name in dnnl.hpp.
dnnl::algorithm AlgorithmOf(spec::EltwiseAlgorithm algorithm, bool use_dst = false);

// What is not in a case.
struct EltwiseMaking {
  dnnl::prop_kind kind = dnnl::prop_kind::forward_training;
  dnnl::primitive_attr attr;
  bool use_dst = false;  // forward: the algorithm's use-dst form
  // Source and destination, or both gradients, are one memory; in part tensors never overlap
  // (ELT-076).
  bool in_place = false;
  std::optional<ForwardEltwise::primitive_desc> hint;  // else a forward of the data
};

// The constructor calls; may throw.
ForwardEltwise::primitive_desc ForwardPd(const EltwiseCase& c, const dnnl::memory::desc& data,
                                         const dnnl::engine& engine,
                                         const EltwiseMaking& making = {});
BackwardEltwise::primitive_desc BackwardPd(const EltwiseCase& c, const dnnl::memory::desc& gradient,
                                           const dnnl::memory::desc& data,
                                           const dnnl::engine& engine,
                                           const EltwiseMaking& making = {});

// Whether "Unsupported is not wrong" (spec/reading.md) lets the subject refuse a primitive of `c`.
bool MayRefuse(const EltwiseCase& c, const Trial& trial, bool use_dst = false);
Asked AskedOf(const EltwiseCase& c);
// What a check of f32 alone asks for: "forward" or "backward".
inline Asked AskedOfF32(const char* direction) { return {"eltwise", direction, {"f32"}, 3, {}}; }
// What the documents leave open: whether `round` is of anything but f32 (ELT-047), which functions
// integers have (ELT-063), and in the portable profile use-dst forms forward.
Legality LegalityOf(const EltwiseCase& c, const Trial& trial, bool use_dst = false);

// The budgets and readings that the trial's profile has.
spec::EltwiseLimits LimitsOf(const Trial& trial);

struct EltwiseDescs {
  dnnl::memory::desc data, gradient;  // forward: the same
};
// nullopt after recording the outcome in `trial` where one was refused.
std::optional<EltwiseDescs> DescsOf(const EltwiseCase& c, Trial& trial);

// The same of the primitive: not run where it may be refused, otherwise a failure.
std::optional<dnnl::primitive> PrimitiveOf(const EltwiseCase& c, const EltwiseDescs& descs,
                                           Device& device, Trial& trial,
                                           const EltwiseMaking& making = {});

// The memory of one execution.
class EltwiseBench {
 public:
  // May throw.
  EltwiseBench(const EltwiseCase& c, const EltwiseDescs& descs, Device& device, bool in_place);

  // Stores inputs, and garbage in the output.
  void Fill(const std::vector<spec::Bits>& source, const std::vector<spec::Bits>& gradient);
  // What execute() gets.
  std::unordered_map<int, dnnl::memory> Arguments();
  // Executes and waits. False, with a failure, if that throws.
  bool Execute(const dnnl::primitive& primitive, Trial& trial);
  std::vector<spec::Bits> Result() { return output().Load(); }
  // Fails unless inputs are as Fill left them, and of the output all that is no element.
  bool ExpectFootprint(Trial& trial);

 private:
  Tensor& output();

  Device& device_;
  bool forward_, by_result_, in_place_;
  std::unique_ptr<Tensor> data_, gradient_, output_;  // forward has no gradient, in place no output
  std::vector<spec::Bits> source_, diff_dst_;
};

// One that has run.
struct EltwiseRan {
  dnnl::primitive primitive;
  std::unique_ptr<EltwiseBench> bench;
  std::vector<spec::Bits> source, gradient, result;  // row-major
};

// From descriptors to the result, of the case's own data or of other. nullopt after recording the
// outcome in `trial` when something was refused or failed.
std::optional<EltwiseRan> Run(const EltwiseCase& c, const std::vector<spec::Bits>& source,
                              const std::vector<spec::Bits>& gradient, Trial& trial,
                              const EltwiseMaking& making = {});
// Covers the classes of the case in `trial` first.
std::optional<EltwiseRan> Run(const EltwiseCase& c, Trial& trial, const EltwiseMaking& making = {});

// Calls `judge` with what every implementation of `c` but the first has made of the inputs of
// `first`, and with "of implementation 2" and so on, until it is false.
using EltwiseJudge = std::function<bool(const std::string& what, EltwiseBench& bench)>;
void ForOtherImplementations(const EltwiseCase& c, const EltwiseRan& first, Trial& trial,
                             const EltwiseJudge& judge);

// Trial::Cover for every class of `c`.
void Cover(Trial& trial, const EltwiseCase& c);

// "dst", "diff_src".
const char* OutputName(const EltwiseCase& c);

// The first element whose bits differ, but for the sign of zero and the bits of a NaN.
std::optional<size_t> FirstOther(spec::Type type, const std::vector<spec::Bits>& expected,
                                 const std::vector<spec::Bits>& result);

// Fails at the first element that ORC-ELT does not accept. True when there is none. `what` is said
// after the element's name.
bool ExpectOracle(const EltwiseCase& c, const std::vector<spec::Bits>& source,
                  const std::vector<spec::Bits>& gradient, const std::vector<spec::Bits>& result,
                  Trial& trial, const std::string& what = "");
// The result is what ORC-ELT says, in one case of four that of every implementation.
void ResultIsTheFunction(const EltwiseCase& c, Trial& trial);
// Fails at the first element where bits differ, but for the sign of zero and which NaN it
// is. `what` is said after the element's name.
bool ExpectSameResult(const EltwiseCase& c, const std::string& what,
                      const std::vector<spec::Bits>& expected,
                      const std::vector<spec::Bits>& result, Trial& trial);

// In the exact class of ORC-ELT.
bool IsExact(const EltwiseCase& c);
// Whether the same numbers give the same bits at other places of a tensor and at other addresses:
// portable wants that in the exact class alone.
bool AsksForBits(const EltwiseCase& c, const Trial& trial);
// The same inputs as those of `first` gave `result` elsewhere: the same bits where these are asked
// for, and otherwise these or what ORC-ELT accepts.
bool ExpectSameElsewhere(const EltwiseCase& c, const std::string& what, const EltwiseRan& first,
                         const std::vector<spec::Bits>& result, Trial& trial);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_ELTWISE_RUN_H_
