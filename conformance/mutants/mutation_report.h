// Writes mutation results for people, for programs and for build servers.
#ifndef DNNSPEC_CONFORMANCE_MUTANTS_MUTATION_REPORT_H_
#define DNNSPEC_CONFORMANCE_MUTANTS_MUTATION_REPORT_H_

#include <string>
#include <vector>

#include "conformance/mutants/mutation_run.h"

namespace conformance {

// One line, and for a mutant that was killed the case that did it.
std::string Line(const MutantResult& result);

// The score of each area, and of all.
std::string Score(const std::vector<MutantResult>& results);

std::string ToJson(const std::vector<MutantResult>& results);

// In the XML form of JUnit: a test case for each mutant, failed if it lives.
std::string ToJunit(const std::vector<MutantResult>& results);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MUTANTS_MUTATION_REPORT_H_
