// Calls that must be refused, each beside the nearest one that must not.
#ifndef DNNSPEC_CONFORMANCE_MODEL_CALLS_H_
#define DNNSPEC_CONFORMANCE_MODEL_CALLS_H_

#include <functional>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "conformance/model/cases.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

// What a call makes: nothing of it, or an object that may be empty.
enum class Made { kObject, kEmpty };

// Arguments drawn for one fault. Both calls may throw; those of functions without allow_empty are
// called with false only.
struct CallPair {
  std::function<Made(bool allow_empty)> wrong, right;
};

struct FaultyCall {
  const char* name;        // "reshape-product"
  Refusal::Status status;  // of the refusal, where there is a status
  bool allow_empty;        // the function has the parameter
  // False where the portable profile leaves it open whether the flag covers the fault (ERR-009).
  bool portable_empty;
  // True where only the project's reading demands the refusal.
  bool project_only;
  CallPair (*draw)(Random& random, const Device& device);

  // Whether the call is an execution, by its name.
  bool executes() const;
};

const std::vector<FaultyCall>& FaultyCalls();
const FaultyCall* FindFaultyCall(const std::string& name);

// All calls in turn, with arguments drawn from a seed.
Cases<FaultCase> EveryFault();

// The call of a case, with the classes told to the trial; null after recording the outcome in
// `trial` when the profile does not demand the refusal or the case names no call.
const FaultyCall* DemandedFault(const FaultCase& c, Trial& trial);

// For the tables of single areas.
std::vector<FaultyCall> DescriptorFaults();
std::vector<FaultyCall> ObjectFaults();
std::vector<FaultyCall> PrimitiveFaults();
// Of primitives of every kind that the subject has samples of.
std::vector<FaultyCall> SampleFaults();

// kEmpty for the zero descriptor.
Made Of(const dnnl::memory::desc& desc);
// kEmpty for a descriptor that answers no query.
Made Of(const dnnl::primitive_desc_base& pd);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MODEL_CALLS_H_
