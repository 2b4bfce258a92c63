// Makes and executes the shuffle that a case describes, on the subject.
#ifndef DNNSPEC_CONFORMANCE_SHUFFLE_RUN_H_
#define DNNSPEC_CONFORMANCE_SHUFFLE_RUN_H_

#include <optional>
#include <string>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/shuffle/cases.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

using ShuffleForward = dnnl::shuffle_forward;
using ShuffleBackward = dnnl::shuffle_backward;

// The constructor calls; may throw.
ShuffleForward::primitive_desc ForwardPd(const dnnl::memory::desc& data, int axis, int group,
                                         const dnnl::engine& engine,
                                         const dnnl::primitive_attr& attr = {});
// The hint is the forward descriptor with the same parameters.
ShuffleBackward::primitive_desc BackwardPd(const dnnl::memory::desc& data, int axis, int group,
                                           const dnnl::engine& engine,
                                           const dnnl::primitive_attr& attr = {});

Asked AskedOf(const ShuffleCase& c);

// Makes the primitive of a case. nullopt after recording the outcome in `trial` when it was
// refused: not run where "Unsupported is not wrong" (spec/reading.md) lets the subject refuse,
// otherwise a failure.
std::optional<dnnl::primitive> PrimitiveFor(const ShuffleCase& c, const dnnl::memory::desc& data,
                                            Device& device, Trial& trial);

// True when `any` must become the layout of the hint's descriptor, `data`. Portable: a dense one
// without a start, for a format "consistent" with it (S3) need not have its gaps.
bool TakesTheHintsLayout(const TensorSpec& data, const Trial& trial);

// Runs and waits. False, with a failure, if that throws.
bool Execute(const dnnl::primitive& shuffle, bool forward, Tensor& from, Tensor& to, Device& device,
             Trial& trial);

// A shuffle that has run.
struct Shuffled {
  Tensor from, to;
  std::vector<spec::Bits> source, result;  // row-major
};

// From descriptors to result. nullopt after recording the outcome in `trial` when something was
// refused or failed.
std::optional<Shuffled> RunShuffle(const ShuffleCase& c, const std::vector<spec::Bits>& source,
                                   Trial& trial);

// As RunShuffle with the case's own data; covers the classes of the case in `trial`.
std::optional<Shuffled> RunShuffle(const ShuffleCase& c, Trial& trial);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SHUFFLE_RUN_H_
