// Turns what the cases of a property showed into verdicts. docs/design/suite.md has the rules in
// prose.
#ifndef DNNSPEC_CONFORMANCE_VERDICT_VERDICT_H_
#define DNNSPEC_CONFORMANCE_VERDICT_VERDICT_H_

#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/judge/judge.h"
#include "conformance/verdict/expectations.h"
#include "spec/requirements.h"

namespace conformance {

// Of several, the last in this order is the verdict of the whole.
enum class Verdict {
  kNotRun,  // no verdict: it says why instead
  kPass,
  kExpectedFailure,  // failed, as the expectations say
  kWeak,             // a SHOULD that was not met, in the portable profile: a warning
  kUnexpectedPass,   // the expectations say that it fails
  kSuiteError,       // the suite's own fault: it proved too little
  kFail,
};

// "pass", "expected_failure", ...; "not_run".
const char* NameOf(Verdict verdict);

// What one property came to.
struct PropertyOutcome {
  const Property* property = nullptr;
  PropertyResult result;
  Verdict verdict = Verdict::kNotRun;
  std::string reason;  // of kNotRun, kSuiteError, kExpectedFailure and kUnexpectedPass
};

// What one requirement came to.
struct RequirementOutcome {
  const spec::Requirement* requirement = nullptr;
  std::vector<PropertyOutcome> properties;
  Verdict verdict = Verdict::kNotRun;
  std::string reason;  // of the first property that has the verdict; of kNotRun also without one
  // Its chapter is none of the subject's: what it is about is not there.
  bool absent = false;

  int64_t cases() const;
  double seconds() const;
};

// Without expectations.
PropertyOutcome Decide(const Property& property, PropertyResult result,
                       const RunOptions& run_options);

// Applies what is expected of `subject` at `version` to `outcomes`, and returns what is wrong with
// the entries themselves: one that has expired counts no more, one whose properties were all not
// run says nothing. Properties that are not in `outcomes` (filtered out) are no concern.
std::vector<std::string> ApplyExpectations(const std::vector<Expectation>& entries,
                                           std::string_view subject, std::string_view version,
                                           std::string_view today,
                                           std::vector<PropertyOutcome>* outcomes);

// The verdict of a requirement with these properties, which may be none.
RequirementOutcome Merge(const spec::Requirement& requirement,
                         std::vector<PropertyOutcome> properties);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_VERDICT_VERDICT_H_
