#include "conformance/reproduce/program.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "conformance/case/printable.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

// What a program needs to watch what a case does to its process, and stands in its place where
// nothing of that is to be shown.
constexpr char kWatched[] = R"dnnspec(
struct Process {
  conformance::ProcessState state;

  void Tell(conformance::Trial* trial) {
    if (const auto change = state.PutBack())
      trial->Deviate(change->where, change->expected, change->got);
  }
};
)dnnspec";
constexpr char kUnwatched[] = R"dnnspec(
struct Process {
  void Tell(conformance::Trial*) {}
};
)dnnspec";

// Follows the check. The names that begin with k, and Process, are written in front of it.
constexpr char kMain[] = R"dnnspec(
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

namespace {

// What the library printed, which no case may make it do.
std::string Printed(std::FILE* file) {
  std::fflush(nullptr);
  std::string text(4096, '\0');
  text.resize(std::max<ssize_t>(0, pread(fileno(file), &text[0], text.size(), 0)));
  return text;
}

void Guarded(const conformance::Property& property, const std::string& fields, long long index,
             conformance::Trial* trial) {
  try {
    if (index >= 0) {
      property.Run(kSeed, index, *trial);
    } else {
      const std::string problem = property.RunFields(conformance::Fields::Parse(fields), *trial);
      if (!problem.empty()) trial->Fail("the line of the case", "a case", problem);
    }
  } catch (const std::exception& e) {
    trial->Fail("exception", "none", e.what());
  } catch (...) {
    trial->Fail("exception", "none", "not a std::exception");
  }
}

int Report(const conformance::Trial& trial) {
  using conformance::CaseResult;
  switch (trial.result()) {
    case CaseResult::kHeld:
    case CaseResult::kVacuous:
      std::fprintf(kScreen, "held: the fault does not show\n");
      return 0;
    case CaseResult::kNotRun:
      std::fprintf(kScreen, "not run: %s\n", trial.reason().c_str());
      return 0;
    case CaseResult::kDeviated:
    case CaseResult::kFailed:
      break;
  }
  std::fprintf(kScreen, "at        %s\nexpected  %s\ngot       %s\n", trial.where().c_str(),
               trial.expected().c_str(), trial.got().c_str());
  return 1;
}

// The exit status.
int RunCase(std::FILE* output) {
  const std::string line = kLine;
  const std::string name = line.substr(0, line.find(' '));
  for (const conformance::Property* property : conformance::Properties()) {
    if (property->name() != name) continue;
    Process process;
    if (kBefore == 0) {
      conformance::Trial trial(kProfile, kEngine);
      Guarded(*property, line.substr(name.size()), -1, &trial);
      process.Tell(&trial);
      const std::string printed = Printed(output);
      if (!printed.empty()) trial.Deviate("stdout and stderr", "no output", printed);
      return Report(trial);
    }
    for (long long index = 0; index < kBefore; ++index) {
      conformance::Trial trial(kProfile, kEngine);
      Guarded(*property, "", index, &trial);
      process.Tell(&trial);
      if (trial.result() < conformance::CaseResult::kDeviated) continue;
      std::fprintf(kScreen, "case      %s\n", property->Line(kSeed, index).c_str());
      return Report(trial);
    }
    std::fprintf(kScreen, "all cases held: the fault does not show\n");
    return 0;
  }
  std::fprintf(kScreen, "no check is named %s\n", name.c_str());
  return 2;
}

}  // namespace

int main() {
  for (const char* const* variable = kEnvironment; *variable != nullptr; variable += 2)
    setenv(variable[0], variable[1], 1);
  std::printf("case      %s\n", kLine);
  std::fflush(nullptr);
  std::FILE* const output = std::tmpfile();
  kScreen = fdopen(dup(STDOUT_FILENO), "w");
  // A process of its own: a library may die of the case.
  const pid_t child = fork();
  if (child == 0) {
    setvbuf(stdout, nullptr, _IONBF, 0);
    dup2(fileno(output), STDOUT_FILENO);
    dup2(fileno(output), STDERR_FILENO);
    alarm(kBefore == 0 ? 60 : 3600);
    const int status = RunCase(output);
    std::fflush(kScreen);
    std::exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) <= 2) return WEXITSTATUS(status);
  const std::string printed = Printed(output);
  std::printf("at        process\nexpected  the process goes on\ngot       ");
  if (WIFEXITED(status)) {
    std::printf("it was ended by exit(%d)\n%s", WEXITSTATUS(status), printed.c_str());
  } else {
    std::printf("%s\n%s",
                WTERMSIG(status) == SIGALRM ? "no answer in time" : strsignal(WTERMSIG(status)),
                printed.c_str());
  }
  return 1;
}
)dnnspec";

// `text` as a C++ literal.
std::string Literal(std::string_view text) {
  std::string literal = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    if (c == '\n') {
      literal += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) {
      char octal[8];
      std::snprintf(octal, sizeof(octal), "\\%03o", static_cast<unsigned char>(c));
      literal += octal;
    } else {
      literal += c;
    }
  }
  return literal + "\"";
}

// As comment lines of at most a hundred columns, the first after `label`.
std::string Comment(const std::string& label, std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  text = Printable(text);
  const std::string indent(label.size(), ' ');
  std::string comment, line = "// " + label;
  while (!text.empty()) {
    const size_t room = 100 - std::min<size_t>(60, 3 + label.size());
    size_t end = text.size();
    if (end > room) {
      end = text.rfind(' ', room);
      if (end == std::string::npos || end == 0) end = text.find(' ');
      if (end == std::string::npos) end = text.size();
    }
    comment += line + text.substr(0, end) + "\n";
    text.erase(0, std::min(text.size(), end + 1));
    line = "// " + indent;
  }
  return comment.empty() ? line + "\n" : comment;
}

// The file of a property as the sources name it; "" if it is not there.
std::string RootOf(const Property& property, const SourceTexts& sources) {
  std::string_view file = property.file();
  while (sources.count(file) == 0) {
    const size_t slash = file.find('/');
    if (slash == std::string_view::npos) return "";
    file.remove_prefix(slash + 1);
  }
  return std::string(file);
}

std::string IdentifierOf(const spec::Requirement& requirement) {
  std::string identifier = requirement.id;
  std::replace(identifier.begin(), identifier.end(), '-', '_');
  return identifier;
}

const char* EnumeratorOf(spec::Level level) {
  switch (level) {
    case spec::Level::kMust:
      return "kMust";
    case spec::Level::kShould:
      return "kShould";
    case spec::Level::kMay:
      return "kMay";
    case spec::Level::kRule:
      return "kRule";
    case spec::Level::kOptionalType:
      return "kOptionalType";
  }
  return "kMust";
}

// The requirements that the sources name; all, for those that look them up.
std::string RequirementsFor(const std::string& root, const SourceTexts& sources) {
  const std::string& text = sources.find(root)->second;
  const bool looks_up = HasWord(text, "FindRequirement");
  std::string out = "namespace spec {\n";
  std::string table;
  for (size_t i = 0; i < spec::kRequirementCount; ++i) {
    const spec::Requirement& requirement = *spec::kRequirements[i];
    const std::string identifier = IdentifierOf(requirement);
    if (!looks_up && !HasWord(text, identifier)) continue;
    out += "static const Requirement " + identifier + " = {" + Literal(requirement.id) +
           ", Level::" + EnumeratorOf(requirement.level) + ", " + Literal(requirement.topic) +
           ", " + Literal(requirement.source) + ",\n    " + Literal(requirement.text) +
           ", \"\"};\n";
    table += "&" + identifier + ", ";
  }
  if (looks_up) {
    out +=
        "inline const Requirement* FindRequirement(const char* id) {\n"
        "  for (const Requirement* known : {" +
        table +
        "})\n"
        "    if (std::string_view(known->id) == id) return known;\n"
        "  return nullptr;\n}\n";
  }
  return out + "}  // namespace spec\n";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> SubjectEnvironment() {
  std::vector<std::pair<std::string, std::string>> variables;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry = *at;
    const size_t equals = entry.find('=');
    const bool read_by_it = entry.rfind("DNNL_", 0) == 0 || entry.rfind("ONEDNN_", 0) == 0;
    if (!read_by_it || equals == std::string_view::npos ||
        entry.substr(0, equals).find("VERBOSE") != std::string_view::npos)
      continue;
    variables.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  }
  std::sort(variables.begin(), variables.end());
  return variables;
}

std::string ProgramHead(const Property& property, const Failure& failure, const Origin& origin,
                        const std::string& what) {
  const spec::Requirement& requirement = property.requirement();
  std::string head;
  head += Comment("", property.name() + " fails on " + origin.subject + " " + origin.version +
                          ", " + NameOf(origin.engine) + " engine, " + NameOf(origin.profile) +
                          " profile. Written by " + origin.suite + ".");
  head += "//\n";
  head += Comment("", std::string(requirement.id) + " (" + spec::NameOf(requirement.level) + ", " +
                          requirement.source + "):");
  head += Comment("  ", requirement.text);
  head += "//\n";
  head += "// case      " + Printable(failure.minimal) + "\n";
  head += Comment("at        ", failure.where);
  head += Comment("expected  ", failure.expected);
  head += Comment("got       ", failure.got);
  head += "//\n" + Comment("", what);
  head +=
      "//\n// Compile it against the library and run it:\n"
      "//   g++ -std=c++17 -I INCLUDE THIS_FILE.cc -o reproducer -L LIB -ldnnl -pthread\n"
      "//   ./reproducer\n"
      "// Exit status 1: the fault shows. 0: it does not.\n";
  if (!origin.replay.empty()) head += "// Without this file: " + Printable(origin.replay) + "\n";
  return head;
}

std::string CheckProgram(const Property& property, const Failure& failure, int64_t cases,
                         const Origin& origin, const SourceTexts& sources) {
  const std::string root = RootOf(property, sources);
  if (root.empty()) return "";
  const SourceTexts inserts = {{"spec/requirement_ids.inc", RequirementsFor(root, sources)}};
  std::string text = ProgramHead(
      property, failure, origin,
      "The check of the suite with all that it stands on, in one file. It begins with " + root +
          " near the end.");
  const std::string watch = "conformance/judge/process_state.cc";
  const bool watched = failure.where.rfind("process: ", 0) == 0 && sources.count(watch) > 0;
  std::vector<std::string> roots = {root};
  if (watched) roots.insert(roots.begin(), watch);
  text += "\n#include <cstdio>\n#include <string_view>\n\n" + Amalgamate(sources, roots, inserts);
  text += "\nnamespace {\n";
  text += watched ? kWatched : kUnwatched;
  text += "\n";
  text += "const char kLine[] = " + Literal(failure.minimal) + ";\n";
  text += std::string("constexpr conformance::Profile kProfile = conformance::Profile::") +
          (origin.profile == Profile::kProject ? "kProject" : "kPortable") + ";\n";
  text += std::string("constexpr conformance::EngineChoice kEngine = conformance::EngineChoice::") +
          (origin.engine == EngineChoice::kGpu ? "kGpu" : "kCpu") + ";\n";
  text +=
      "// Cases of the property to run from its first on, until one fails; 0: the line alone.\n";
  text += "constexpr long long kBefore = " + std::to_string(failure.alone ? 0 : cases) + ";\n";
  text += "constexpr unsigned long long kSeed = " + std::to_string(origin.seed) + "u;\n";
  text += "const char* const kEnvironment[] = {";
  for (const auto& [name, value] : origin.environment)
    text += Literal(name) + ", " + Literal(value) + ", ";
  text += "nullptr};\nstd::FILE* kScreen = nullptr;\n\n}  // namespace\n";
  return text + kMain;
}

std::string CallsProgram(const Property& property, const Failure& failure, const Origin& origin) {
  std::string text =
      ProgramHead(property, failure, origin,
                  "The case as plain calls. Beside it lies the whole check that drew it (-check).");
  text +=
      "\n#include <cstdint>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n"
      "#include <exception>\n#include <vector>\n\n#include \"oneapi/dnnl/dnnl.hpp\"\n\n"
      "int main() try {\n";
  for (const auto& [name, value] : origin.environment)
    text += "  setenv(" + Literal(name) + ", " + Literal(value) + ", 1);\n";
  text += failure.statements;
  text +=
      "} catch (const std::exception& e) {\n"
      "  std::printf(\"expected  no error\\ngot       %s\\n\", e.what());\n"
      "  return 1;\n}\n";
  return text;
}

}  // namespace conformance
