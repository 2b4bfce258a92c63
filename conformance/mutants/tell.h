// What a hunt found, for people, for programs and for build servers.
#ifndef DNNSPEC_CONFORMANCE_MUTANTS_TELL_H_
#define DNNSPEC_CONFORMANCE_MUTANTS_TELL_H_

#include <string>
#include <vector>

#include "conformance/mutants/hunt.h"

namespace conformance {

// One line, and for a mutant that was killed the case that did it.
std::string Line(const Fate& fate);

// The score of each area, and of all.
std::string Score(const std::vector<Fate>& fates);

std::string ToJson(const std::vector<Fate>& fates);

// In the XML form of JUnit: a test case for each mutant, failed if it lives.
std::string ToJunit(const std::vector<Fate>& fates);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MUTANTS_TELL_H_
