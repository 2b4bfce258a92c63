#include "conformance/cli/subjects.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <istream>
#include <iterator>
#include <sstream>
#include <system_error>

#include "conformance/case/printable.h"

namespace conformance {
namespace {

struct Bundled {
  const char* name;
  const char* runner;
  std::optional<EngineChoice> engine;  // nullopt: any, the CPU's when not told
  Profile profile;
  int64_t cases;
};

// A case on Vulkan is most often a pipeline more, and drivers compile for tens of milliseconds.
constexpr Bundled kBundled[] = {
    {"cpu", "dnnspec_runner", EngineChoice::kCpu, Profile::kProject, 0},
    {"vulkan", "dnnspec_runner", EngineChoice::kGpu, Profile::kProject, 100},
    {"onednn", "onednn_runner", std::nullopt, Profile::kPortable, 0},
};

// "vendor" of "build/vendor_runner".
std::string NameOfRunner(std::string path) {
  path.erase(0, path.rfind('/') + 1);
  const size_t suffix = path.rfind("_runner");
  return suffix == std::string::npos || suffix == 0 ? path : path.substr(0, suffix);
}

// "vendor" of "build/libvendor.so.2".
std::string NameOfPlugin(std::string path) {
  path.erase(0, path.rfind('/') + 1);
  const size_t suffix = path.find(".so");
  if (suffix != std::string::npos && suffix > 0) path.erase(suffix);
  if (path.size() > 3 && path.rfind("lib", 0) == 0) path.erase(0, 3);
  return path;
}

// What is wrong with the file of a subject, and with the name that it gives it; or "". That there
// is none is found out later.
std::string WrongFile(const char* flag, const std::string& path, const char* wanted,
                      const std::string& name) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  const std::string given = flag + path;
  if (std::filesystem::is_directory(status)) return given + " is a folder, not " + wanted;
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return given + " is no file, and so not " + wanted;
  const std::string wrong = WrongSubjectName(name);
  return wrong.empty() ? "" : given + ": " + wrong;
}

// The reason in the line "NAME: REASON" of a subject; empty if there is none.
std::string ReasonIn(std::istream& lines, const std::string& name) {
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(name + ": ", 0) == 0) return line.substr(name.size() + 2);
  }
  return "";
}

// Why a bundled subject was not built: because of what the machine has, which the build writes down
// beside the runners, or because it does not compile, which tools/conform sees. A runner of an
// earlier build may still lie there.
std::string WhyNotBuilt(const std::string& name, const std::string& folder) {
  std::ifstream file(folder + "/not_built.txt");
  const std::string reason = ReasonIn(file, name);
  if (!reason.empty()) return reason;
  const char* const seen = std::getenv("DNNSPEC_NOT_BUILT");
  std::istringstream lines(seen == nullptr ? "" : seen);
  return ReasonIn(lines, name);
}

Subject Fill(const Bundled& bundled, const Options& options, const std::string& folder) {
  return {bundled.name,
          folder + "/" + bundled.runner,
          bundled.engine.value_or(options.engine.value_or(EngineChoice::kCpu)),
          options.profile.value_or(bundled.profile),
          WhyNotBuilt(bundled.name, folder),
          bundled.cases};
}

}  // namespace

bool HasBundledSubjects(const std::string& folder) {
  return std::any_of(std::begin(kBundled), std::end(kBundled), [&folder](const Bundled& bundled) {
    return access((folder + "/" + bundled.runner).c_str(), F_OK) == 0;
  });
}

std::string SubjectsHelp(const std::string& folder) {
  if (!HasBundledSubjects(folder)) {
    return "Judges oneDNN implementations against the specification: a shared object (--plugin), "
           "or\n"
           "any runner (--subject, a path).\n";
  }
  return "Judges oneDNN implementations against the specification. Subjects: cpu and vulkan, the\n"
         "bundled engines (project profile); onednn, the distribution's library (portable "
         "profile);\n"
         "a path: any runner. Without --subject all of the named ones that can run here.\n";
}

std::vector<std::string> CommonArguments(const Subject& subject) {
  std::vector<std::string> arguments = {subject.runner, "--subject=" + subject.name,
                                        std::string("--engine=") + NameOf(subject.engine)};
  if (subject.profile) arguments.push_back(std::string("--profile=") + NameOf(*subject.profile));
  return arguments;
}

Choice ChooseSubjects(const Options& options, const std::string& folder) {
  Choice choice;
  if (!options.plugin.empty()) {
    const std::string name = NameOfPlugin(options.plugin);
    choice.error = WrongFile("--plugin=", options.plugin, "a shared object", name);
    choice.subjects.push_back({name, folder + "/plugin_runner",
                               options.engine.value_or(EngineChoice::kCpu), options.profile, "",
                               0});
    return choice;
  }
  if (options.subject.find('/') != std::string::npos) {
    const std::string name = NameOfRunner(options.subject);
    choice.error = WrongFile("--subject=", options.subject, "a runner", name);
    choice.subjects.push_back({name, options.subject, options.engine.value_or(EngineChoice::kCpu),
                               options.profile, "", 0});
    return choice;
  }
  std::string names;
  for (const Bundled& bundled : kBundled) {
    names += std::string(bundled.name) + ", ";
    const bool has_engine =
        !options.engine || !bundled.engine || *options.engine == *bundled.engine;
    if (options.subject == bundled.name) {
      if (!has_engine)
        choice.error = std::string("--subject=") + bundled.name + " is an engine of kind " +
                       NameOf(*bundled.engine) + ", not " + NameOf(*options.engine);
      choice.subjects.push_back(Fill(bundled, options, folder));
      return choice;
    }
    if (options.subject.empty() && has_engine)
      choice.subjects.push_back(Fill(bundled, options, folder));
  }
  if (choice.subjects.empty())
    choice.error =
        "--subject wants " + names + "or the path of a runner, not '" + options.subject + "'";
  return choice;
}

}  // namespace conformance
