// Judges the subject that is linked in.
#include <cstdio>
#include <string>
#include <vector>

#include "conformance/case/printable.h"
#include "conformance/case/property.h"
#include "conformance/cli/options.h"
#include "conformance/cli/runner.h"
#include "conformance/judge/environment.h"
#include "conformance/report/results.h"

namespace {

// "onednn" of "/some/where/onednn_runner".
std::string SubjectOf(std::string program) {
  program.erase(0, program.rfind('/') + 1);
  const size_t suffix = program.rfind("_runner");
  return suffix == std::string::npos || suffix == 0 ? program : program.substr(0, suffix);
}

int Refuse(const char* program, const std::string& why) {
  std::fprintf(stderr, "%s\n", conformance::Printable(program + (": " + why)).c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  conformance::ArrangeEnvironment(argv);
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
