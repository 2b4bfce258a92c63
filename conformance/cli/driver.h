// One request, several subjects: each in a program of its own, since two libraries that define
// dnnl:: cannot share one.
#ifndef DNNSPEC_CONFORMANCE_CLI_DRIVER_H_
#define DNNSPEC_CONFORMANCE_CLI_DRIVER_H_

#include <string>

#include "conformance/cli/options.h"

namespace conformance {

// Runs what `options` ask for, one subject after the other, with the runners in `folder`, and
// returns the exit status. With --out: DIR/results.json for a subject that was named; otherwise
// DIR/SUBJECT/results.json for each, and DIR/results.json with all of them.
int Drive(const Options& options, const std::string& folder);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_DRIVER_H_
