#include "conformance/cli/tasks.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

#include "conformance/cli/pattern.h"
#include "conformance/cli/words.h"
#include "conformance/report/numbers.h"
#include "spec/topics.h"

namespace conformance {
namespace {

// The beginning of a text that may have several lines.
std::string FirstWords(std::string_view text) {
  constexpr size_t kRoom = 76;
  std::string flat(text);
  std::replace(flat.begin(), flat.end(), '\n', ' ');
  if (flat.size() <= kRoom) return flat;
  return flat.substr(0, flat.rfind(' ', kRoom - 3)) + "...";
}

std::string Counted(size_t number, const char* one, const char* many) {
  return Grouped(static_cast<int64_t>(number)) + " " + (number == 1 ? one : many);
}

}  // namespace

std::vector<Task> ChooseTasks(const std::vector<const Property*>& properties,
                              const Options& options) {
  const Pattern wanted(options.filter);
  const auto in_topic = [&options](const spec::Requirement& requirement) {
    return options.topic.empty() || options.topic == requirement.topic;
  };
  std::vector<Task> tasks;
  std::map<std::string_view, size_t> place;
  const auto add = [&](const spec::Requirement& requirement) -> Task& {
    const auto [at, added] = place.emplace(requirement.id, tasks.size());
    if (added) tasks.push_back({&requirement, {}});
    return tasks[at->second];
  };
  for (size_t i = 0; i < spec::kRequirementCount; ++i) {
    const spec::Requirement& requirement = *spec::kRequirements[i];
    const auto owns = [&](const Property* property) {
      return std::strcmp(property->requirement().id, requirement.id) == 0 &&
             wanted.IsIn(property->name());
    };
    const bool linked = std::any_of(properties.begin(), properties.end(), owns);
    if (in_topic(requirement) ? linked || wanted.IsIn(requirement.id) : linked && options.linked)
      add(requirement);
  }
  for (const Property* property : properties)
    if ((options.linked || in_topic(property->requirement())) && wanted.IsIn(property->name()))
      add(property->requirement()).properties.push_back(property);
  return tasks;
}

std::string TopicNames() { return ListOf({spec::kTopics, spec::kTopics + spec::kTopicCount}); }

std::string TasksText(const std::vector<Task>& tasks) {
  std::string text;
  size_t properties = 0;
  for (const Task& task : tasks) {
    const spec::Requirement& requirement = *task.requirement;
    text += std::string(requirement.id) + "  " + spec::NameOf(requirement.level) + "  " +
            FirstWords(requirement.text) + "\n";
    for (const Property* property : task.properties) {
      const auto count = static_cast<size_t>(property->count());
      text += "  " + property->name() + "  " +
              (count == 0 ? "drawn" : Counted(count, "case", "cases")) + "\n";
    }
    properties += task.properties.size();
  }
  return text + Counted(tasks.size(), "requirement", "requirements") + ", " +
         Counted(properties, "property", "properties") + "\n";
}

}  // namespace conformance
