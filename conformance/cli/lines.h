// Answers single cases for a runner: --case, --batch and --answers. All give the exit status.
#ifndef DNNSPEC_CONFORMANCE_CLI_LINES_H_
#define DNNSPEC_CONFORMANCE_CLI_LINES_H_

#include <vector>

#include "conformance/case/property.h"
#include "conformance/cli/options.h"
#include "conformance/judge/shared_state.h"
#include "conformance/report/results.h"
#include "conformance/verdict/claims.h"

namespace conformance {

// The case of --case, for a person. `claims` may be null; `results` has the subject and how it is
// judged.
int AnswerCase(const Options& options, const std::vector<const Property*>& properties,
               const Claims* claims, const Results& results, SharedRunState* state);

// The cases of --batch, those of shapes among them, one after another: a line for each, and what
// was expected and what came for those that fail. A line that is no case ends nothing: the status
// is 2 then.
int AnswerBatch(const Options& options, const std::vector<const Property*>& properties,
                const Claims* claims, const Results& results, SharedRunState* state);

// The file of --answers: one line of JSON for each line of it.
int AnswerLines(const Options& options, const std::vector<const Property*>& properties,
                const Results& results, SharedRunState* state);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_LINES_H_
