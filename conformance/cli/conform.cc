// tools/conform: judges the subjects that come with the suite, or others.
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <string>
#include <vector>

#include "conformance/cli/complain.h"
#include "conformance/cli/driver.h"
#include "conformance/cli/options.h"
#include "conformance/cli/subjects.h"
#include "conformance/report/results.h"

namespace {

// Where this program lies, with the runners beside it.
std::string OwnFolder(const std::string& program) {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof(path));
  const std::string own = size > 0 ? std::string(path, static_cast<size_t>(size)) : program;
  return own.substr(0, own.rfind('/'));
}

}  // namespace

int main(int argc, char** argv) {
  const conformance::Options options =
      conformance::ParseOptions(std::vector<std::string>(argv + 1, argv + argc));
  if (options.help) {
    std::printf("usage: %s [flags]\n%s%s",
                options.command.empty() ? "tools/conform" : options.command.c_str(),
                conformance::SubjectsHelp(OwnFolder(argv[0])).c_str(),
                conformance::OptionsHelp(conformance::Judges::kAnySubject).c_str());
    return 0;
  }
  if (options.version) {
    std::printf("dnnspec %s\n", conformance::kSuiteVersion);
    return 0;
  }
  if (!options.error.empty()) return conformance::Complain(options.error);
  return conformance::Drive(options, OwnFolder(argv[0]));
}
