#include "conformance/mutants/owners.h"

#include <map>
#include <sstream>

#include "conformance/mutants/kills.h"
#include "tools/mutate/active.h"

namespace conformance {

std::vector<Owner> Owners(const std::vector<const Property*>& properties) {
  std::map<std::string, Owner> owners;
  for (const Property* property : properties)
    owners[property->requirement().id].requirement = &property->requirement();
  for (int number = 1; number <= mutants::kCount; ++number) {
    const mutants::Entry& entry = mutants::kEntries[number];
    const std::vector<std::string> ids = RequirementsIn(entry);
    for (const std::string& id : ids) {
      const auto owner = owners.find(id);
      if (owner == owners.end()) continue;
      (ids.size() == 1 ? owner->second.own : owner->second.shared).push_back(entry.name);
    }
  }
  std::vector<Owner> list;
  for (auto& [id, owner] : owners) list.push_back(std::move(owner));
  return list;
}

std::string ToText(const std::vector<Owner>& owners) {
  struct Count {
    int all = 0, without = 0, musts = 0, musts_without = 0;
  };
  std::map<std::string, Count> topics;
  std::ostringstream out;
  for (const Owner& owner : owners) {
    const bool must = owner.requirement->level == spec::Level::kMust;
    Count& count = topics[owner.requirement->topic];
    ++count.all;
    count.without += owner.own.empty();
    count.musts += must;
    count.musts_without += must && owner.own.empty();
    out << owner.requirement->id << " " << spec::NameOf(owner.requirement->level) << ": ";
    if (owner.own.empty()) {
      out << (owner.shared.empty() ? "none\n" : "none of its own,");
      for (const std::string& name : owner.shared) out << " " << name;
      if (!owner.shared.empty()) out << "\n";
      continue;
    }
    out << owner.own.size() << " of its own:";
    for (const std::string& name : owner.own) out << " " << name;
    out << "\n";
  }
  out << "\n";
  for (const auto& [topic, count] : topics)
    out << topic << ": " << count.without << " of " << count.all
        << " requirements have no mutant of their own, " << count.musts_without << " of "
        << count.musts << " that are MUST\n";
  return out.str();
}

}  // namespace conformance
