// Puts the results of a run's parts together.
#ifndef DNNSPEC_CONFORMANCE_REPORT_MERGE_H_
#define DNNSPEC_CONFORMANCE_REPORT_MERGE_H_

#include <string>
#include <vector>

namespace conformance {

struct Merged {
  std::string document;  // results.json of the whole
  std::string problem;   // one line that begins with the document's name; then there is no document
};

// `documents` are results.json of all shards of one run, or of several chapters of one, in any
// order. The result is that of the run in one piece, but for the times and the order of problems.
// Refused: what is not of one subject, version, suite and choice of cases; a shard that is missing;
// a requirement that two have; parts that were judged by other claims. Of claims the numbers are
// added up. `names` are for messages, one for each document; without them, "document 1" and so on.
Merged MergeShards(const std::vector<std::string>& documents,
                   const std::vector<std::string>& names = {});

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_MERGE_H_
