// Writes the failures of a run as programs.
#ifndef DNNSPEC_CONFORMANCE_REPRODUCE_WRITE_H_
#define DNNSPEC_CONFORMANCE_REPRODUCE_WRITE_H_

#include <string>

#include "conformance/case/property.h"
#include "conformance/judge/judge.h"
#include "conformance/report/results.h"

namespace conformance {

// FOLDER/reproducers/SUBJECT/REQUIREMENT-N.cc for every failure in `results`, which is then told
// its name below FOLDER; programs of an earlier run are removed, and nothing else that lies there.
// Where a failure can be shown by plain calls, that is the program, and REQUIREMENT-N-check.cc is
// the whole check. All programs are written, or none.
// Returns what went wrong, or "".
std::string WriteReproducers(const std::string& folder, Results* results);

// The same for one case, whatever came of it: REQUIREMENT-1.cc.
std::string WriteReproducer(const std::string& folder, const Results& results,
                            const Property& property, Failure* failure);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPRODUCE_WRITE_H_
