// Finds what a run had to judge and did not: a green run that judged nothing proves nothing.
#ifndef DNNSPEC_CONFORMANCE_CLI_DEMANDS_H_
#define DNNSPEC_CONFORMANCE_CLI_DEMANDS_H_

#include <string>
#include <vector>

#include "conformance/cli/options.h"
#include "conformance/cli/tasks.h"
#include "conformance/report/results.h"
#include "conformance/verdict/claims.h"

namespace conformance {

// Why --require=RE can mean nothing in this run; "" if something has such a name.
std::string WrongRequire(const Options& options, const std::vector<Task>& tasks);

// Of a run that is over, a line for each:
//   - a requirement or property in whose name --require is found, and that has no verdict;
//   - a chapter that is claimed and of which no requirement has a verdict; without claims, all of
//     them together. Not of one shard among several, which may have got what cannot be run here.
// None of a run that was interrupted. `claims` may be null.
std::vector<std::string> NotJudged(const Options& options, const Claims* claims,
                                   const Results& results);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_DEMANDS_H_
