// Judges the subject that is linked in.
#include <pwd.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "conformance/case/printable.h"
#include "conformance/case/property.h"
#include "conformance/cli/options.h"
#include "conformance/cli/runner.h"
#include "conformance/report/results.h"

namespace {

// "onednn" of "/some/where/onednn_runner".
std::string SubjectOf(std::string program) {
  program.erase(0, program.rfind('/') + 1);
  const size_t suffix = program.rfind("_runner");
  return suffix == std::string::npos || suffix == 0 ? program : program.substr(0, suffix);
}

// Threads of a subject that wait for work must sleep. Spinning, which OpenMP runtimes prefer, makes
// a small case twenty times slower where processes share processors. The runtimes read this when
// they are loaded, so before main: hence the program starts itself once more.
void LetThreadsSleep(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  setenv("OMP_WAIT_POLICY", "PASSIVE", 1);
  setenv("KMP_BLOCKTIME", "0", 0);
  execv("/proc/self/exe", argv);
  // Slower, then.
}

// Whether a driver can keep what it compiled where Mesa keeps it: it says so in the middle of a
// case when it cannot. With it a run is three times faster.
bool HasRoomForCaches() {
  const char* const chosen = std::getenv("XDG_CACHE_HOME");
  const passwd* const user = getpwuid(getuid());
  std::string folder = chosen != nullptr ? chosen
                       : user != nullptr ? std::string(user->pw_dir) + "/.cache"
                                         : "";
  // It makes the folders that are missing.
  while (!folder.empty() && access(folder.c_str(), F_OK) != 0)
    folder.erase(folder.find('/') == std::string::npos ? 0 : folder.rfind('/'));
  std::string probe = folder + "/.dnnspec.XXXXXX";
  return mkdtemp(probe.data()) != nullptr && rmdir(probe.c_str()) == 0;
}

int Refuse(const char* program, const std::string& why) {
  std::fprintf(stderr, "%s\n", conformance::Printable(program + (": " + why)).c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  LetThreadsSleep(argv);
  if (!HasRoomForCaches()) setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
  conformance::Options options =
      conformance::ParseOptions(std::vector<std::string>(argv + 1, argv + argc));
  if (options.help) {
    std::printf("usage: %s [flags]\nJudges the library that is linked into it.\n%s",
                conformance::Printable(argv[0]).c_str(),
                conformance::OptionsHelp(conformance::Judges::kOneSubject).c_str());
    return 0;
  }
  if (options.version) {
    std::printf("dnnspec %s\n", conformance::kSuiteVersion);
    return 0;
  }
  if (!options.error.empty()) return Refuse(argv[0], options.error);
  if (options.differential)
    return Refuse(argv[0], "--differential wants several subjects: tools/conform has them");
  if (!options.plugin.empty())
    return Refuse(argv[0], "--plugin is a flag of conform; plugin_runner reads DNNSPEC_PLUGIN");
  if (options.subject.empty()) options.subject = SubjectOf(argv[0]);
  if (options.command.empty())
    options.command = conformance::Quoted(argv[0]) + JudgingFlags(options);
  return conformance::RunSuite(std::move(options), conformance::Properties());
}
