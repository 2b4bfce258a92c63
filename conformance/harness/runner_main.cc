// Judges the subject that is linked in.
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <string>

#include "conformance/harness/judge.h"
#include "conformance/harness/property.h"
#include "conformance/harness/replay.h"

int main(int argc, char** argv) {
  using namespace conformance;
  Conduct conduct;
  conduct.limits = DefaultLimits(1);
  std::string filter, line;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    const std::string value = arg.substr(arg.find('=') + 1);
    if (arg.rfind("--filter=", 0) == 0)
      filter = value;
    else if (arg.rfind("--case=", 0) == 0)
      line = value;
    else if (arg.rfind("--seed=", 0) == 0)
      conduct.seed = std::stoull(value);
    else if (arg.rfind("--cases=", 0) == 0)
      conduct.cases = std::stoll(value);
    else if (arg == "--profile=project")
      conduct.profile = Profile::kProject;
    else if (arg == "--profile=portable")
      conduct.profile = Profile::kPortable;
    else if (arg == "--engine=gpu")
      conduct.engine = EngineChoice::kGpu;
    else if (arg == "--engine=cpu")
      conduct.engine = EngineChoice::kCpu;
    else
      return std::fprintf(stderr, "bad flag %s\n", argv[i]), 2;
  }
  Sheet* const sheet = Sheet::Map();
  if (!line.empty()) {
    const std::string name = line.substr(0, line.find(' '));
    for (const Property* property : Properties()) {
      if (property->name() != name) continue;
      const Answer answer =
          Replay(*property, line.substr(std::min(line.size(), name.size() + 1)), conduct, sheet);
      if (!answer.problem.empty()) return std::fprintf(stderr, "%s\n", answer.problem.c_str()), 2;
      if (!answer.failed()) return std::printf("held %s\n", answer.reason.c_str()), 0;
      std::printf("at        %s\nexpected  %s\ngot       %s\n", answer.where.c_str(),
                  answer.expected.c_str(), answer.got.c_str());
      return 1;
    }
    return std::fprintf(stderr, "no property %s\n", name.c_str()), 2;
  }
  bool failed = false;
  const std::regex wanted(filter);
  for (const Property* property : Properties()) {
    if (!std::regex_search(property->name(), wanted)) continue;
    const PropertyResult result = Judge(*property, conduct, sheet);
    std::printf(
        "%-24s %7lld cases: %lld held, %lld vacuous, %lld not run, %lld deviated, %lld failed; "
        "%.0f ns/case\n",
        result.name.c_str(), (long long)result.cases, (long long)result.results[0],
        (long long)result.results[1], (long long)result.results[2], (long long)result.results[3],
        (long long)result.results[4],
        1e9 * result.seconds / (double)std::max<int64_t>(1, result.cases));
    for (const auto& [reason, count] : result.reasons)
      std::printf("    not run (%lld): %s\n", (long long)count, reason.c_str());
    for (const std::string& name : property->must_see())
      if (result.classes.count(name) == 0) std::printf("    missed class: %s\n", name.c_str());
    for (const Failure& failure : result.failures) {
      failed = true;
      std::printf(
          "    %s %s(%lld like this%s)\n      at        %s\n      expected  %s\n      got       "
          "%s\n",
          failure.deviation ? "WEAK" : "FAIL", failure.minimal.c_str(), (long long)failure.count,
          failure.alone ? "" : "; holds alone", failure.where.c_str(), failure.expected.c_str(),
          failure.got.c_str());
    }
    if (!result.stopped.empty()) std::printf("    %s\n", result.stopped.c_str());
  }
  return failed ? 1 : 0;
}
