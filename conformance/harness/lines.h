// What a runner says to single cases: --case and --answers. Both give the exit status.
#ifndef DNNSPEC_CONFORMANCE_HARNESS_LINES_H_
#define DNNSPEC_CONFORMANCE_HARNESS_LINES_H_

#include <vector>

#include "conformance/claims/claims.h"
#include "conformance/harness/options.h"
#include "conformance/harness/property.h"
#include "conformance/harness/sheet.h"
#include "conformance/report/results.h"

namespace conformance {

// The case of --case, for a person. `claims` may be null; `results` has the subject and how it is
// judged.
int AnswerCase(const Options& options, const std::vector<const Property*>& properties,
               const Claims* claims, const Results& results, Sheet* sheet);

// The file of --answers: one line of JSON for each line of it.
int AnswerLines(const Options& options, const std::vector<const Property*>& properties,
                const Results& results, Sheet* sheet);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_HARNESS_LINES_H_
