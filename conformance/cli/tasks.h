// Chooses the requirements and properties of the catalogue that a run judges.
#ifndef DNNSPEC_CONFORMANCE_CLI_TASKS_H_
#define DNNSPEC_CONFORMANCE_CLI_TASKS_H_

#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/cli/options.h"
#include "spec/requirements.h"

namespace conformance {

// One requirement of a run, with those of its properties that were chosen.
struct Task {
  const spec::Requirement* requirement;
  std::vector<const Property*> properties;
};

// Requirements in the order of the catalogue; with --topic those of a chapter, with --filter those
// only that it finds.
std::vector<Task> ChooseTasks(const std::vector<const Property*>& properties,
                              const Options& options);

// "model, memory, ...": what --topic may be.
std::string TopicNames();

// What --list says: a line for each requirement, indented ones for its properties, and how many
// there are.
std::string TasksText(const std::vector<Task>& tasks);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_TASKS_H_
