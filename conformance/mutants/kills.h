// Reads what a mutant's `kills` names: "OPT-045/long REO-010" a property of OPT-045, and REO-010.
#ifndef DNNSPEC_CONFORMANCE_MUTANTS_KILLS_H_
#define DNNSPEC_CONFORMANCE_MUTANTS_KILLS_H_

#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "tools/mutate/active.h"

namespace conformance {

// The names, in their order.
std::vector<std::string> NamesIn(const mutants::Entry& entry);

// The requirements of these, each once: "OPT-045", "REO-010".
std::vector<std::string> RequirementsIn(const mutants::Entry& entry);

// Whether `property` is of one of the requirements.
bool Names(const mutants::Entry& entry, const Property& property);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MUTANTS_KILLS_H_
