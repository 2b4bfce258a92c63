#include "conformance/cli/driver.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "conformance/case/printable.h"
#include "conformance/cli/compare.h"
#include "conformance/cli/complain.h"
#include "conformance/cli/program.h"
#include "conformance/cli/subjects.h"
#include "conformance/report/differential.h"
#include "conformance/report/files.h"
#include "conformance/report/json.h"

namespace conformance {
namespace {

// Without the name that this program, or a runner, puts before what it complains about.
std::string FirstLine(const std::string& text) {
  constexpr char kName[] = "conform: ";
  const size_t begin = text.rfind(kName, 0) == 0 ? sizeof(kName) - 1 : 0;
  return text.substr(begin, text.find('\n') - begin);
}

// How a person names the subject.
std::string SubjectFlag(const Subject& subject, const Options& options) {
  if (!options.plugin.empty()) return " --plugin=" + Quoted(options.plugin);
  return " --subject=" + Quoted(options.subject.empty() ? subject.name : options.subject);
}

// A folder for results that nobody asked for.
class Scratch {
 public:
  Scratch() {
    const char* const base = std::getenv("TMPDIR");
    path_ = std::string(base == nullptr || *base == '\0' ? "/tmp" : base) + "/conform.XXXXXX";
    if (mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Whether a subject can be judged here; else why not. An error is worse: its runner is broken.
struct Readiness {
  bool built = true;
  bool ready = false;
  std::string why;
  std::string error;
};

Readiness Look(const Subject& subject) {
  Readiness readiness;
  readiness.built = subject.not_built.empty() && access(subject.runner.c_str(), F_OK) == 0;
  if (!readiness.built) {
    readiness.why = !subject.not_built.empty()
                        ? subject.not_built
                        : "there is no " + subject.runner.substr(subject.runner.rfind('/') + 1);
    return readiness;
  }
  std::vector<std::string> arguments = CommonArguments(subject);
  arguments.push_back("--probe");
  const Ended ended = AskProgram(arguments);
  const bool answered =
      ended.out.find_first_not_of("0123456789") + 1 == ended.out.size() && ended.out.size() > 1;
  if (ended.status != 0 || !answered) {
    readiness.error =
        "subject '" + subject.name + "' does not start: " +
        (ended.out.empty() ? subject.runner + " ended with status " + std::to_string(ended.status)
                           : FirstLine(ended.out));
  } else if (ended.out == "0\n") {
    readiness.why = std::string("no ") + NameOf(subject.engine) + " engine on this machine";
  } else {
    readiness.ready = true;
  }
  return readiness;
}

std::vector<std::string> RunArguments(const Subject& subject, const Options& options,
                                      const std::string& out) {
  std::vector<std::string> arguments = CommonArguments(subject);
  arguments.push_back("--command=" + options.command + SubjectFlag(subject, options) +
                      JudgingFlags(options));
  // Without a folder of the reader's there is no place for programs.
  arguments.push_back("--reproducers=" + (options.out.empty() ? "-" : options.out));
  if (!options.claims.empty()) arguments.push_back("--claims=" + options.claims);
  if (options.case_time.count() > 0)
    arguments.push_back("--case-time=" + std::to_string(options.case_time.count() / 1000) + "us");
  if (!options.subject_version.empty())
    arguments.push_back("--subject-version=" + options.subject_version);
  if (!options.replay.empty() || !options.batch.empty()) {
    arguments.push_back(options.batch.empty() ? "--case=" + options.replay
                                              : "--batch=" + options.batch);
    return arguments;
  }
  arguments.push_back("--seed=" + std::to_string(options.seed));
  if (!options.filter.empty()) arguments.push_back("--filter=" + options.filter);
  if (!options.require.empty()) arguments.push_back("--require=" + options.require);
  if (!options.topic.empty()) arguments.push_back("--topic=" + options.topic);
  const int64_t usual = options.budget.count() > 0 ? 0 : subject.cases;
  const int64_t cases = options.cases > 0 ? options.cases : usual;
  if (cases > 0) arguments.push_back("--cases=" + std::to_string(cases));
  if (options.budget.count() > 0)
    arguments.push_back("--budget=" + std::to_string(options.budget.count() / 1000) + "us");
  if (options.jobs > 0) arguments.push_back("--jobs=" + std::to_string(options.jobs));
  for (const std::string& file : options.expect) arguments.push_back("--expect=" + file);
  if (!options.write_claims.empty()) arguments.push_back("--write-claims=" + options.write_claims);
  arguments.push_back("--out=" + out);
  return arguments;
}

// Which file lies at `path`: another one after each run that wrote it.
std::pair<dev_t, ino_t> IdentityOf(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 ? std::make_pair(status.st_dev, status.st_ino)
                                          : std::pair<dev_t, ino_t>();
}

// --list: any runner that lies there knows the catalogue.
int List(const std::vector<Subject>& subjects, const Options& options, const std::string& folder) {
  std::vector<std::string> runners;
  for (const Subject& subject : subjects) runners.push_back(subject.runner);
  runners.push_back(folder + "/plugin_runner");
  const auto there = [](const std::string& runner) { return access(runner.c_str(), X_OK) == 0; };
  const auto runner = std::find_if(runners.begin(), runners.end(), there);
  if (runner == runners.end()) return Complain("--list: there is no runner in " + folder);
  std::vector<std::string> arguments = {*runner, "--list"};
  if (!options.filter.empty()) arguments.push_back("--filter=" + options.filter);
  if (!options.topic.empty()) arguments.push_back("--topic=" + options.topic);
  const Ended ended = RunProgram(arguments);
  return ended.status <= 3 ? ended.status
                           : Complain("--list: " + *runner + " ended with status " +
                                      std::to_string(ended.status));
}

// Failures outweigh faults of the suite: they are real all the same. An interrupted run is neither.
int Worse(int a, int b) {
  if (a == 3 || b == 3) return 3;
  if (a == 1 || b == 1) return 1;
  return std::max(a, b);
}

// One subject was asked for: its table goes to the folder itself.
bool AsksForOne(const Options& options) {
  return !options.subject.empty() || !options.plugin.empty();
}

// Of single cases there are no results.
bool AsksForCases(const Options& options) {
  return !options.replay.empty() || !options.batch.empty();
}

// The subjects that are run, and a line for each that is not.
struct Chosen {
  std::vector<Subject> subjects;
  std::vector<std::string> left_out;
};

// Why the request cannot be served; "" if it can.
std::string ChooseReady(const std::vector<Subject>& candidates, const Options& options,
                        const std::string& folder, Chosen* chosen) {
  const bool one = AsksForOne(options);
  for (const Subject& subject : candidates) {
    const Readiness readiness = Look(subject);
    if (!readiness.error.empty()) return readiness.error;
    if (!readiness.ready) {
      if (one && !readiness.built) return "subject '" + subject.name + "': " + readiness.why;
      // There is a library, and it cannot do what it was given for.
      if (!options.plugin.empty())
        return "--plugin=" + options.plugin + ": " + readiness.why +
               " (--engine=cpu or gpu chooses)";
      chosen->left_out.push_back(
          subject.name + (readiness.built ? ": not run: " : ": not judged: ") + readiness.why);
      // Asked for by name, it gets its table, and every requirement the reason.
      if (!one) continue;
    }
    chosen->subjects.push_back(subject);
  }
  if (!one && !HasBundledSubjects(folder))
    return "--plugin=FILE is missing: nothing but shared objects can be judged here";
  if (chosen->subjects.empty()) return "nothing to judge: " + chosen->left_out.front();
  if (options.differential && chosen->subjects.size() < 2)
    return "--differential wants two subjects: " + chosen->left_out.front();
  return "";
}

// Makes ready what the run writes to. Gives why it cannot, or "".
std::string PrepareToWrite(const Options& options, const std::string& out) {
  if (AsksForCases(options)) return "";
  std::string problem = out.empty() ? "cannot make a temporary folder" : PrepareFolder(out);
  // Of one subject it is the runner's.
  if (problem.empty() && !AsksForOne(options)) problem = LockFolder(out);
  if (!problem.empty()) return "--out: " + problem;
  if (!options.write_claims.empty()) problem = CheckNewFile(options.write_claims);
  return problem.empty() ? "" : "--write-claims: " + problem;
}

// What the runners left. `over`: nothing is to be done after them.
struct Runs {
  int status = 0;
  bool over = false;
  bool unwritten = false;
  std::vector<std::string> documents;
};

Runs RunSubjects(const std::vector<Subject>& subjects, const Options& options,
                 const std::string& out) {
  const bool one = AsksForOne(options), single = AsksForCases(options);
  Runs runs;
  const auto end_with = [&runs](int status) {
    runs.status = status;
    runs.over = true;
    return runs;
  };
  for (const Subject& subject : subjects) {
    const std::string results = one ? out : out + "/" + subject.name;
    const auto earlier = IdentityOf(results + "/results.json");
    const Ended ended = RunProgram(RunArguments(subject, options, results));
    if (Stopped() && ended.status > 3) {
      Complain("stopped before there were results of '" + subject.name + "'");
      runs.status = 3;
      break;
    }
    if (ended.status == 128 + SIGPIPE)
      return end_with(
          Complain("nobody reads standard output any more: no results of '" + subject.name + "'"));
    // 3: interrupted, with results that say so.
    if (ended.status > 3)
      return end_with(Complain("the runner of '" + subject.name + "' ended with status " +
                               std::to_string(ended.status) + ": no results"));
    runs.status = Worse(runs.status, ended.status);
    // A line that means nothing means nothing to the others either.
    if (single && ended.status == 2) return end_with(2);
    if (single || one) continue;
    std::string document;
    // It has said itself why there are none of this run.
    runs.unwritten = IdentityOf(results + "/results.json") == earlier ||
                     !ReadResults(results + "/results.json", &document).empty();
    if (runs.unwritten) break;
    runs.documents.push_back(std::move(document));
    std::printf("\n");
    if (ended.status == 3) break;
  }
  return runs;
}

// Asks every subject for what failed on any, and writes what comes of it. Gives what is wrong, or
// "".
std::string WriteDifferential(const std::vector<Subject>& subjects,
                              const std::vector<std::string>& documents, const Options& options,
                              const std::string& scratch, const std::string& out) {
  std::vector<Comparison> comparisons;
  const std::string problem =
      CompareSubjects(subjects, FailingLines(documents), scratch, &comparisons);
  if (!problem.empty()) return "--differential: " + problem;
  std::printf("\n%s", DifferentialText(comparisons).c_str());
  const std::string command = options.command + " --differential" + CaseFlags(options);
  return WriteFile(out + "/differential.json", DifferentialJson(comparisons, command));
}

}  // namespace

int Drive(const Options& given, const std::string& folder) {
  // A run ends with what there is; this program ends when that has.
  PassSignalsOn();
  // A file that may not grow is an error of writing, as a full disk is.
  signal(SIGXFSZ, SIG_IGN);
  Options options = given;
  // One referee for all.
  if (options.differential && !options.profile) options.profile = Profile::kPortable;
  if (options.command.empty()) options.command = "tools/conform";
  const Choice choice = ChooseSubjects(options, folder);
  if (!choice.error.empty()) return Complain(choice.error);
  if (options.list) return List(choice.subjects, options, folder);
  if (!AsksForOne(options) && !options.write_claims.empty())
    return Complain("--write-claims wants one subject: --subject or --plugin");
  if (!options.plugin.empty() && options.plugin.find('/') == std::string::npos)
    return Complain("--plugin wants a path with a '/' in it, not '" + options.plugin + "'");
  // Runners read it, and from nowhere else does a path come.
  if (!options.plugin.empty())
    setenv("DNNSPEC_PLUGIN", std::filesystem::absolute(options.plugin).lexically_normal().c_str(),
           1);

  Chosen chosen;
  std::string problem = ChooseReady(choice.subjects, options, folder, &chosen);
  if (!problem.empty()) return Complain(problem);
  Scratch scratch;
  const std::string out = options.out.empty() ? scratch.path() : options.out;
  problem = PrepareToWrite(options, out);
  if (!problem.empty()) return Complain(problem);

  const Runs runs = RunSubjects(chosen.subjects, options, out);
  if (runs.over) return runs.status;
  for (const std::string& document : runs.documents) std::printf("%s", SummaryOf(document).c_str());
  for (const std::string& line : chosen.left_out) std::printf("%s\n", Printable(line).c_str());
  if (!runs.documents.empty()) {
    problem = WriteFile(out + "/results.json",
                        MergeJson(runs.documents, options.command + CaseFlags(options)));
    if (!problem.empty() && !runs.unwritten) return Complain("--out: " + problem);
  }
  if (runs.unwritten) return 2;
  if (options.differential) {
    problem = WriteDifferential(chosen.subjects, runs.documents, options, scratch.path(), out);
    if (!problem.empty()) return Complain(problem);
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    return Complain("cannot write to standard output");
  return runs.status;
}

}  // namespace conformance
