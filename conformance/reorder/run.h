// Makes and executes the reorder that a case describes, on the subject.
#ifndef DNNSPEC_CONFORMANCE_REORDER_RUN_H_
#define DNNSPEC_CONFORMANCE_REORDER_RUN_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/reorder/cases.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

using ReorderPd = dnnl::reorder::primitive_desc;

// Of the tensor's type and rank, all else known at execution only; may throw.
dnnl::memory::desc OpenDesc(const TensorSpec& tensor);

// The attributes of a case; may throw.
dnnl::primitive_attr AttrOf(const ReorderCase& c);

// True where "Unsupported is not wrong" (spec/reading.md) lets the subject refuse the case when the
// primitive descriptor is made.
bool MayRefuse(const ReorderCase& c, const Trial& trial);
// Open where zero points are, in the portable profile.
Legality LegalityOf(const ReorderCase& c, const Trial& trial);
// What it asks: reorder "f32 -> s8 with mask, run-time scales, sum".
Asked AskedOf(const ReorderCase& c);

// Which results of a case the trial accepts. A device may flush what it narrows besides
// (IsFlushed).
spec::Strictness StrictnessOf(const ReorderCase& c, const Trial& trial);

// The run-time scales and zero points of a case as the subject sees them: what the oracle uses is
// out of its reach.
class RunTimeArguments {
 public:
  // None, if the case has none. May throw.
  RunTimeArguments(const ReorderCase& c, const dnnl::engine& engine, bool on_host);
  RunTimeArguments(const RunTimeArguments&) = delete;
  RunTimeArguments& operator=(const RunTimeArguments&) = delete;

  bool none() const { return given_.empty(); }
  void AddTo(std::unordered_map<int, dnnl::memory>* arguments) const;
  // After the work is done: false, with a failure, if they are others than before. May throw.
  bool ExpectUnchanged(Trial& trial) const;

 private:
  struct Given {
    int index;
    std::string name;                // "scale"
    std::vector<spec::Bits> values;  // of f32 or s32
    std::vector<spec::Bits> host;    // the memory's buffer, where it takes host pointers
    dnnl::memory memory;
  };
  void Add(int index, const char* name, spec::Type type, const std::vector<spec::Bits>& values,
           const dnnl::engine& engine, bool on_host);

  std::vector<std::unique_ptr<Given>> given_;
};

// What a case needs to run: descriptors, the primitive, and memories that are filled.
struct ReorderSetUp {
  Device* device;
  ReorderPd pd;
  dnnl::reorder primitive;
  Tensor from, to;
  std::vector<spec::Bits> source, old;  // row-major
  std::vector<float> scales;            // as ScaleValues
};

// nullopt after recording the outcome in `trial` when something was refused: not run where the
// subject may refuse, otherwise a failure. Covers the classes of the case in `trial`.
std::optional<ReorderSetUp> SetUp(const ReorderCase& c, Trial& trial);
// With these values for source and destination.
std::optional<ReorderSetUp> SetUp(const ReorderCase& c, const std::vector<spec::Bits>& source,
                                  const std::vector<spec::Bits>& old, Trial& trial);

// Runs and waits. False, with a failure, if that throws.
bool Execute(const ReorderCase& c, ReorderSetUp& set_up, Trial& trial);

// A reorder that has run.
struct Reordered {
  ReorderSetUp set_up;
  std::vector<spec::Bits> result;  // row-major
};

std::optional<Reordered> RunReorder(const ReorderCase& c, Trial& trial);
std::optional<Reordered> RunReorder(const ReorderCase& c, const std::vector<spec::Bits>& source,
                                    const std::vector<spec::Bits>& old, Trial& trial);

// Fails the trial at the first element of `result` that the oracle does not accept. `name` is the
// result's in the failure: "dst" means that nothing but the case as it stands was executed, so that
// ReorderCase::Statements shows the same.
bool ExpectReordered(const ReorderCase& c, const std::vector<spec::Bits>& source,
                     const std::vector<spec::Bits>& old, const std::vector<float>& scales,
                     const std::vector<spec::Bits>& result, Trial& trial,
                     std::string_view name = "the result");

// The whole check of values: runs the case and compares with the oracle.
void ValuesAreRight(const ReorderCase& c, Trial& trial);

// REO-050 to REO-052: the same, where a common scale known at creation and a sum are for every pair
// that is supported. In the portable profile too they may be refused only together
// with the same descriptors without them, or above rank 6.
void ValuesAreRightOnEveryPair(const ReorderCase& c, Trial& trial);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REORDER_RUN_H_
