// Runs the properties against each mutant of the library that is linked in, and tells which
// property killed it.
//
//   mutants [--engine=cpu|gpu] [--profile=project|portable] [--only=kill|fair] [--mutant=NAME]
//           [--seed=N] [--cases=N] [--all] [--out=FOLDER]
//   mutants --owners
//
// A mutant is killed when a property of one of the requirements that it names fails, in cases that
// hold without the mutant. One that is allowed must also pass every property in the portable
// profile. One in code for other instruction sets than this machine has, or DNNSPEC_MAX_ISA allows,
// is out of reach and neither; one in code for lesser ones is judged under a cap. Exit status: 0
// all within reach were killed, or there is no such engine; 1 some live, or an allowed one fails in
// the portable profile; 2 wrong usage.
//
//   --engine  what is judged: cpu if nothing is said
//   --profile the profile that has to kill: project if nothing is said
//   --only    kill: whether those are killed whose first property is linked in (programs of one
//             topic each share them out so); fair: whether the portable profile lets be what is
//             allowed
//   --mutant  only this one, with its case shrunk and what came out of it; PREFIX*: all whose names
//             begin so; none: the library without a fault, which no property may find
//   --all     every property judges, and all that fail are told
//   --out     where mutants.json and mutants.txt go
//   --owners  judges nothing, and tells for each requirement which mutants are its own
//
// Under Bazel the mutants are split over the shards, the files go to the undeclared outputs, and
// each mutant is a test case.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/judge/environment.h"
#include "conformance/judge/isolate.h"
#include "conformance/judge/judge.h"
#include "conformance/mutants/mutation_report.h"
#include "conformance/mutants/mutation_run.h"
#include "conformance/mutants/owners.h"
#include "conformance/report/files.h"
#include "tools/mutate/active.h"

namespace conformance {
namespace {

int Complain(const std::string& what) {
  std::fprintf(stderr, "mutants: %s\n", what.c_str());
  return 2;
}

std::string Environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// `wanted`: "" for all, a name, or the beginning of names and '*'.
bool Chooses(const std::string& wanted, const std::string& name) {
  if (!wanted.empty() && wanted.back() == '*')
    return name.compare(0, wanted.size() - 1, wanted, 0, wanted.size() - 1) == 0;
  return wanted.empty() || wanted == name;
}

struct Options {
  RunOptions run;
  Question question = Question::kBoth;
  std::string wanted, out = Environment("TEST_UNDECLARED_OUTPUTS_DIR");
  bool all = false, owners = false;

  // One mutant, by its name.
  bool one() const { return !wanted.empty() && wanted.back() != '*'; }
};

// What is wrong with the arguments; "" if nothing is.
std::string Read(int argc, char** argv, Options* options) {
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    const std::string value = arg.substr(arg.find('=') + 1);
    if (arg == "--engine=cpu" || arg == "--engine=gpu") {
      options->run.engine = value == "gpu" ? EngineChoice::kGpu : EngineChoice::kCpu;
    } else if (arg == "--profile=project" || arg == "--profile=portable") {
      options->run.profile = value == "project" ? Profile::kProject : Profile::kPortable;
    } else if (arg == "--only=kill" || arg == "--only=fair") {
      options->question = value == "kill" ? Question::kKilled : Question::kFair;
    } else if (arg.rfind("--mutant=", 0) == 0) {
      options->wanted = value;
    } else if (arg.rfind("--seed=", 0) == 0) {
      options->run.seed = std::strtoull(value.c_str(), nullptr, 10);
    } else if (arg.rfind("--cases=", 0) == 0) {
      options->run.cases = std::atoll(value.c_str());
    } else if (arg.rfind("--out=", 0) == 0) {
      options->out = value;
    } else if (arg == "--all") {
      options->all = true;
    } else if (arg == "--owners") {
      options->owners = true;
    } else {
      return "unknown flag " + arg +
             "; known are --engine, --profile, --only, --mutant, --seed, --cases, --all, --out, "
             "--owners";
    }
  }
  return options->out.empty() ? "" : PrepareFolder(options->out);
}

// A problem in writing files; "" if there is none.
std::string Write(const std::vector<MutantResult>& results, const std::string& text,
                  const std::string& out) {
  std::string problem;
  if (!out.empty()) problem = WriteFile(out + "/mutants.json", ToJson(results));
  if (!out.empty() && problem.empty())
    problem = WriteFile(out + "/mutants.txt", text + "\n" + Score(results));
  if (const std::string xml = Environment("XML_OUTPUT_FILE"); !xml.empty() && problem.empty())
    problem = WriteFile(xml, ToJunit(results));
  return problem;
}

void Show(const MutantResult& result, bool one) {
  std::fputs(Line(result).c_str(), stdout);
  const Failure& failure = result.failure;
  if (one && result.beyond.empty())
    std::printf("        at        %s\n        expected  %s\n        got       %s\n",
                failure.where.c_str(), failure.expected.c_str(), failure.got.c_str());
  std::fflush(stdout);
}

int Main(int argc, char** argv) {
  Options options;
  options.run.profile = Profile::kProject;
  options.run.limits = DefaultLimits(1);
  options.run.shrink = std::chrono::milliseconds(0);
  if (const std::string problem = Read(argc, argv, &options); !problem.empty())
    return Complain(problem);
  if (options.owners) {
    std::fputs(ToText(Owners(Properties())).c_str(), stdout);
    return 0;
  }
  const int shards = std::max(1, std::atoi(Environment("TEST_TOTAL_SHARDS").c_str()));
  const int shard = std::atoi(Environment("TEST_SHARD_INDEX").c_str());
  if (const std::string status = Environment("TEST_SHARD_STATUS_FILE"); !status.empty())
    std::ofstream touch(status);

  // A device takes its time for the first execution of a kind.
  if (options.run.engine == EngineChoice::kCpu) options.run.limits.silence /= 2;
  if (options.one()) options.run.shrink = std::chrono::milliseconds(2000);
  MutationRun run(Properties(), options.run, options.question);
  if (!run.HasEngine()) {
    std::printf("skipped: no %s engine\n",
                options.run.engine == EngineChoice::kGpu ? "GPU" : "CPU");
    return 0;
  }
  std::vector<MutantResult> results;
  std::string text;
  bool green = true;
  int taken = 0;
  for (int number = options.one() ? 0 : 1; number <= mutants::kCount; ++number) {
    if (!Chooses(options.wanted, mutants::kEntries[number].name) || !run.Takes(number)) continue;
    if (taken++ % shards != shard && !options.one()) continue;
    results.push_back(run.Run(number, options.all || number == 0));
    green = green && (results.back().good() || !results.back().beyond.empty());
    text += Line(results.back());
    Show(results.back(), options.one());
  }
  if (taken == 0) return Complain("no mutant " + options.wanted);
  if (options.wanted == "none") return results[0].good() ? 1 : 0;
  std::printf("\n%s", Score(results).c_str());
  if (const std::string problem = Write(results, text, options.out); !problem.empty())
    return Complain(problem);
  return green ? 0 : 1;
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::ArrangeEnvironment(argv);
  return conformance::Main(argc, argv);
}
