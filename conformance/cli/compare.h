// The same cases on several subjects.
#ifndef DNNSPEC_CONFORMANCE_CLI_COMPARE_H_
#define DNNSPEC_CONFORMANCE_CLI_COMPARE_H_

#include <string>
#include <vector>

#include "conformance/cli/subjects.h"
#include "conformance/report/differential.h"

namespace conformance {

// The minimal cases of all failures in some results.json, each once, in order.
std::vector<std::string> FailingLines(const std::vector<std::string>& documents);

// Asks every subject for every line. `scratch` is a folder for what is in between.
// Returns what went wrong, or "".
std::string CompareSubjects(const std::vector<Subject>& subjects,
                            const std::vector<std::string>& lines, const std::string& scratch,
                            std::vector<Comparison>* comparisons);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_COMPARE_H_
