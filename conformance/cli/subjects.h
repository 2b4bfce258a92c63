// The subjects that come with the suite, and programs of others.
#ifndef DNNSPEC_CONFORMANCE_CLI_SUBJECTS_H_
#define DNNSPEC_CONFORMANCE_CLI_SUBJECTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/cli/options.h"

namespace conformance {

// One subject of a run.
struct Subject {
  std::string name;
  std::string runner;  // path of the program
  EngineChoice engine = EngineChoice::kCpu;
  std::optional<Profile> profile;  // nullopt: what its claims say, else portable
  std::string not_built;           // why there is no runner of it here, where that is known
  int64_t cases = 0;  // of each property, where the options do not say; 0: as many as is usual
};

struct Choice {
  std::vector<Subject> subjects;
  std::string error;  // one line
};

// What `options` ask for: the subject they name, or all that come with the suite and have the
// engine that they name. Runners of bundled subjects lie in `folder`.
Choice ChooseSubjects(const Options& options, const std::string& folder);

// Whether runners of bundled subjects lie in `folder`: in an archive they do not.
bool HasBundledSubjects(const std::string& folder);

// What can be judged from `folder`, for a person.
std::string SubjectsHelp(const std::string& folder);

// How the runner of a subject is started, before what it is asked for.
std::vector<std::string> CommonArguments(const Subject& subject);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_SUBJECTS_H_
