// `any` resolved by a backward shuffle, and memory for what it became. Nothing asks whether that is
// plain: a layout may be opaque, its elements are written and read by reorder, and of its bytes
// only their number is known (OPT-013).
#ifndef DNNSPEC_CONFORMANCE_MODEL_RESOLVE_H_
#define DNNSPEC_CONFORMANCE_MODEL_RESOLVE_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/gen/placement.h"
#include "conformance/shuffle/cases.h"
#include "conformance/shuffle/run.h"
#include "conformance/subject/device.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

// A backward shuffle made with `any`.
struct Resolved {
  Device* device;
  dnnl::memory::desc plain;  // of the case
  // Of the hint: the plain one, or what an inner product or a convolution chose for a source or for
  // weights of such dims, which may be opaque.
  dnnl::memory::desc given;
  bool chosen;             // by one of these
  dnnl::memory::desc any;  // of the operation descriptor
  ShuffleForward::primitive_desc hint;
  ShuffleBackward::primitive_desc pd;
  dnnl::memory::desc diff_dst, diff_src;  // what `any` became
};

// nullopt after recording the outcome in `trial` when a descriptor was refused; when there is no
// backward shuffle of the plain tensor; and where the portable profile leaves open how large that
// is (MD-031). Covers "chosen" where an inner product or a convolution chose.
std::optional<Resolved> Resolve(const ShuffleCase& c, Trial& trial);

// The same shuffle in another layout, without regions.
ShuffleCase InOtherLayout(const ShuffleCase& c);

// Values that every reorder between equal types keeps, whatever is said of special values.
std::vector<spec::Bits> PlainValues(const ShuffleCase& c);

// A memory of exactly get_size() bytes, filled with a pattern, between guards. The elements of this
// Tensor are its bytes.
Tensor OpaqueTensor(const dnnl::memory::desc& desc, const ShuffleCase& c,
                    const Placement& placement, Device& device);

// The same with `values` in it. nullopt after recording the outcome in `trial` when the reorder is
// refused or fails.
std::optional<Tensor> Holding(const std::vector<spec::Bits>& values, const dnnl::memory::desc& desc,
                              const ShuffleCase& c, Device& device, Trial& trial);

// Reads the elements through a reorder and compares; then looks at the guards. False after
// recording the failure in `trial`, unless all is right.
bool ExpectHolds(Trial& trial, const std::string& name, const std::vector<spec::Bits>& expected,
                 Tensor& tensor, const ShuffleCase& c, Device& device);

// Runs the resolved shuffle on opaque memories. The elements of the result, row-major; nullopt,
// after recording the outcome in `trial` when something was refused, or failed, or touched a guard.
std::optional<std::vector<spec::Bits>> RunResolved(const ShuffleCase& c, const Resolved& resolved,
                                                   const std::vector<spec::Bits>& source,
                                                   Trial& trial);

// As above, and compares with the oracle.
void ExpectRunsRight(const ShuffleCase& c, const Resolved& resolved, Trial& trial);

// Backward cases over all layouts.
Cases<ShuffleCase> AnyResolvedShuffle();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MODEL_RESOLVE_H_
