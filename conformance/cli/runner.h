// A run of the suite against the subject that is linked into this program.
#ifndef DNNSPEC_CONFORMANCE_CLI_RUNNER_H_
#define DNNSPEC_CONFORMANCE_CLI_RUNNER_H_

#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/cli/options.h"

namespace conformance {

// Does what `options` ask for with those of `properties` that they choose, and returns the exit
// status. Says on stdout how it went; on stderr, in one line, what is wrong with the request.
//
// Understands the environment of a Bazel test: TEST_SHARD_INDEX, TEST_TOTAL_SHARDS,
// TEST_SHARD_STATUS_FILE, TESTBRIDGE_TEST_ONLY (as --filter), XML_OUTPUT_FILE.
int RunSuite(Options options, const std::vector<const Property*>& properties);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_RUNNER_H_
