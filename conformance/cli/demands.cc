#include "conformance/cli/demands.h"

#include <algorithm>
#include <map>

#include "conformance/cli/pattern.h"

namespace conformance {
namespace {

// So many are told one by one.
constexpr size_t kTold = 10;

bool IsJudged(Verdict verdict) {
  return verdict != Verdict::kNotRun && verdict != Verdict::kSuiteError;
}

// The reason that most of `outcomes` give for having no verdict; of those that have properties, if
// some do.
std::string UsualReason(const std::vector<const RequirementOutcome*>& outcomes) {
  std::map<std::string, int> reasons;
  for (const RequirementOutcome* outcome : outcomes)
    if (!outcome->properties.empty()) ++reasons[outcome->reason];
  if (reasons.empty()) return outcomes.empty() ? "" : outcomes[0]->reason;
  const auto usual =
      std::max_element(reasons.begin(), reasons.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return usual->first;
}

// What --require names and has no verdict.
std::vector<std::string> Missing(const Pattern& required, const Results& results) {
  std::vector<std::string> lines;
  const auto add = [&lines](const std::string& name, const std::string& reason) {
    lines.push_back(name + " was not judged: " + reason);
  };
  for (const RequirementOutcome& outcome : results.requirements) {
    const std::string id = outcome.requirement->id;
    if (required.IsIn(id)) {
      if (!IsJudged(outcome.verdict)) add(id, outcome.reason);
      continue;
    }
    for (const PropertyOutcome& property : outcome.properties)
      if (required.IsIn(property.property->name()) && !IsJudged(property.verdict))
        add(property.property->name(), property.reason);
  }
  if (lines.size() > kTold) {
    const std::string more = std::to_string(lines.size() - kTold);
    lines.resize(kTold);
    lines.push_back("and " + more + " more that --require names");
  }
  return lines;
}

}  // namespace

std::string WrongRequire(const Options& options, const std::vector<Task>& tasks) {
  if (options.require.empty()) return "";
  const Pattern required(options.require);
  for (const Task& task : tasks) {
    if (required.IsIn(task.requirement->id)) return "";
    for (const Property* property : task.properties)
      if (required.IsIn(property->name())) return "";
  }
  return "--require: nothing that this run judges has '" + options.require + "' in its name";
}

std::vector<std::string> NotJudged(const Options& options, const Claims* claims,
                                   const Results& results) {
  if (results.partial) return {};
  std::vector<std::string> lines;
  if (!options.require.empty()) lines = Missing(Pattern(options.require), results);
  if (results.shards > 1) return lines;
  // By chapter, or all of them as one.
  std::map<std::string, std::vector<const RequirementOutcome*>> parts;
  for (const RequirementOutcome& outcome : results.requirements) {
    if (claims != nullptr && claims->Find(outcome.requirement->topic) == nullptr) continue;
    parts[claims != nullptr ? outcome.requirement->topic : ""].push_back(&outcome);
  }
  for (const auto& [topic, outcomes] : parts) {
    if (std::any_of(outcomes.begin(), outcomes.end(),
                    [](const auto* outcome) { return outcome->verdict != Verdict::kNotRun; }))
      continue;
    lines.push_back((topic.empty() ? "nothing" : "nothing of " + topic + ", which is claimed,") +
                    " was judged: " + UsualReason(outcomes));
  }
  return lines;
}

}  // namespace conformance
