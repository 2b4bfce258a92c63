#include "conformance/mutants/kills.h"

#include <algorithm>
#include <sstream>

namespace conformance {

std::vector<std::string> NamesIn(const mutants::Entry& entry) {
  std::istringstream in(entry.kills);
  std::vector<std::string> names;
  for (std::string name; in >> name;) names.push_back(name);
  return names;
}

std::vector<std::string> RequirementsIn(const mutants::Entry& entry) {
  std::vector<std::string> ids;
  for (const std::string& name : NamesIn(entry)) {
    const std::string id = name.substr(0, name.find('/'));
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }
  return ids;
}

bool Names(const mutants::Entry& entry, const Property& property) {
  const std::vector<std::string> ids = RequirementsIn(entry);
  return std::find(ids.begin(), ids.end(), property.requirement().id) != ids.end();
}

}  // namespace conformance
