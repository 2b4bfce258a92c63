// Judges the subject that is linked in.
#include <cstdio>
#include <string>
#include <vector>

#include "conformance/harness/options.h"
#include "conformance/harness/property.h"
#include "conformance/harness/runner.h"

namespace {

// "onednn" of "/some/where/onednn_runner".
std::string SubjectOf(std::string program) {
  program.erase(0, program.rfind('/') + 1);
  const size_t suffix = program.rfind("_runner");
  return suffix == std::string::npos || suffix == 0 ? program : program.substr(0, suffix);
}

}  // namespace

int main(int argc, char** argv) {
  conformance::Options options =
      conformance::ParseOptions(std::vector<std::string>(argv + 1, argv + argc));
  if (options.help) {
    std::printf("usage: %s [flags]\nJudges the library that is linked into it.\n%s", argv[0],
                conformance::kOptionsHelp);
    return 0;
  }
  if (!options.error.empty()) {
    std::fprintf(stderr, "%s: %s\n", argv[0], options.error.c_str());
    return 2;
  }
  if (options.subject.empty()) options.subject = SubjectOf(argv[0]);
  if (options.command.empty()) options.command = argv[0];
  return conformance::RunSuite(std::move(options), conformance::Properties());
}
