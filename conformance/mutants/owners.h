// Finds the requirements that have mutants of their own: those that name no other requirement, so
// that its properties alone have to kill them.
#ifndef DNNSPEC_CONFORMANCE_MUTANTS_OWNERS_H_
#define DNNSPEC_CONFORMANCE_MUTANTS_OWNERS_H_

#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "spec/requirements.h"

namespace conformance {

// A requirement that properties check.
struct Owner {
  const spec::Requirement* requirement;
  std::vector<std::string> own;     // its own mutants
  std::vector<std::string> shared;  // that name it and others
};

// Of all mutants that are linked. By id.
std::vector<Owner> Owners(const std::vector<const Property*>& properties);

// A line for each, "SHU-020 MUST: 3 of its own: NAME NAME NAME", and for each topic how many have
// none.
std::string ToText(const std::vector<Owner>& owners);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MUTANTS_OWNERS_H_
