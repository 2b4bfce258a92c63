#include "conformance/cli/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "conformance/case/printable.h"
#include "conformance/cli/nearest.h"
#include "conformance/cli/pattern.h"

namespace conformance {
namespace {

// Takes a flag's value, or says what it wants instead.
using Setter = std::function<std::string(Options*, const std::string&)>;

template <class T>
bool Read(const std::string& text, T* value) {
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, *value);
  return problem == std::errc() && stop == end && !text.empty();
}

std::string SetProfile(Options* options, const std::string& value) {
  if (value == "portable") return options->profile = Profile::kPortable, "";
  if (value == "project") return options->profile = Profile::kProject, "";
  return "portable or project";
}

std::string SetEngine(Options* options, const std::string& value) {
  if (value == "cpu") return options->engine = EngineChoice::kCpu, "";
  if (value == "gpu") return options->engine = EngineChoice::kGpu, "";
  return "cpu or gpu";
}

// `kMember` is a Pattern of Options or of what it inherits.
template <auto kMember>
std::string SetPattern(Options* options, const std::string& value) {
  if (value.empty()) return "a value";
  const Pattern pattern(value);
  if (!pattern.error().empty()) return "a regular expression (" + pattern.error() + ")";
  options->*kMember = value;
  return "";
}

std::string SetVersion(Options* options, const std::string& value) {
  if (value.empty() || value.size() > 64 ||
      value.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                              "0123456789.+~_-") != std::string::npos)
    return "a version such as 1.4.2-rc1, of at most 64 letters, digits and .+~_-";
  options->subject_version = value;
  return "";
}

std::string SetBudget(Options* options, const std::string& value) {
  const auto time = ParseTime(value);
  if (!time) return "a time such as 50ms, 1.5s, 10m or 1h";
  options->budget = *time;
  return "";
}

std::string SetCaseTime(Options* options, const std::string& value) {
  const auto time = ParseTime(value);
  if (!time) return "a time such as 500ms, 30s or 10m";
  options->case_time = *time;
  return "";
}

std::string SetSeed(Options* options, const std::string& value) {
  return Read(value, &options->seed) ? "" : "a whole number, not negative";
}

std::string SetCases(Options* options, const std::string& value) {
  return Read(value, &options->cases) && options->cases > 0 ? "" : "a whole number above 0";
}

std::string SetJobs(Options* options, const std::string& value) {
  return Read(value, &options->jobs) && options->jobs > 0 && options->jobs <= 1024
             ? ""
             : "a whole number from 1 to 1024";
}

// `kMember` is a text of Options or of what it inherits.
template <auto kMember>
std::string SetText(Options* options, const std::string& value) {
  if (value.empty()) return "a value";
  options->*kMember = value;
  return "";
}

std::string AddExpect(Options* options, const std::string& value) {
  if (value.empty()) return "a value";
  options->expect.push_back(value);
  return "";
}

const std::vector<std::pair<std::string_view, Setter>>& Flags() {
  static const auto* const flags = new std::vector<std::pair<std::string_view, Setter>>{
      {"--subject", SetText<&Options::subject>},
      {"--profile", SetProfile},
      {"--engine", SetEngine},
      {"--subject-version", SetVersion},
      {"--filter", SetPattern<&Options::filter>},
      {"--require", SetPattern<&Options::require>},
      {"--topic", SetText<&Options::topic>},
      {"--seed", SetSeed},
      {"--budget", SetBudget},
      {"--case-time", SetCaseTime},
      {"--cases", SetCases},
      {"--case", SetText<&Options::replay>},
      {"--batch", SetText<&Options::batch>},
      {"--out", SetText<&Options::out>},
      {"--expect", AddExpect},
      {"--jobs", SetJobs},
      {"--claims", SetText<&Options::claims>},
      {"--write-claims", SetText<&Options::write_claims>},
      {"--plugin", SetText<&Options::plugin>},
      {"--command", SetText<&Options::command>},
      {"--reproducers", SetText<&Options::reproducers>},
      {"--answers", SetText<&Options::answers>},
  };
  return *flags;
}

// Those that a person gives.
std::vector<std::string> KnownFlags() {
  std::vector<std::string> known;
  const std::string help = OptionsHelp(Judges::kAnySubject);
  for (size_t at = 0; (at = help.find("  --", at)) != std::string::npos; ++at)
    known.push_back(help.substr(at + 2, help.find_first_of("= ", at + 2) - at - 2));
  return known;
}

}  // namespace

std::string OptionsHelp(Judges judges) {
  std::string help =
      "  --subject=NAME      what to judge\n"
      "  --subject-version=V its version, if the subject reports none or a wrong one\n"
      "  --profile=PROFILE   portable: all that the documents allow; project: our readings too\n"
      "  --engine=ENGINE     cpu or gpu\n"
      "  --filter=RE         only properties in whose name the regular expression is found\n"
      "  --require=RE        what has to be judged, else the exit status is 2\n"
      "  --topic=TOPIC       only one chapter: model, memory, or a primitive such as reorder\n"
      "  --seed=N            other cases (1)\n"
      "  --cases=N           at most so many cases of each property (2000, of costly ones fewer; "
      "all of a list)\n"
      "  --budget=TIME       draw cases for so long for each requirement instead (50ms, 2s, 1h)\n"
      "  --case-time=TIME    processor time after which a case counts as a hang (10s, large ones "
      "longer)\n"
      "  --case=LINE         only this case; says what was expected and what came\n"
      "  --batch=FILE        cases and shapes of a file, a line each (conformance/batches)\n"
      "  --out=DIR           write DIR/results.json, and failures as programs: DIR/reproducers/\n"
      "  --expect=FILE       failures that are known; may be repeated\n"
      "  --claims=FILE       what the subject claims; the rest is not judged\n"
      "  --write-claims=FILE draft claims from what the subject answers\n"
      "  --jobs=N            processes at a time (one for each processor)\n";
  if (judges == Judges::kAnySubject) {
    help +=
        "  --differential      all subjects in one profile: what some do and others do not\n"
        "  --plugin=FILE       judge this shared object (api/spi/plugin_abi.h)\n";
  }
  return help +
         "  --list              name the requirements and their properties, and judge nothing\n"
         "  --version           say which suite this is\n"
         "Exit status: 0 no failure, 1 failures, 2 wrong usage, the suite's own fault or nothing "
         "judged, 3 interrupted.\n";
}

std::optional<std::chrono::nanoseconds> ParseTime(const std::string& text) {
  const size_t unit = text.find_first_not_of("0123456789.");
  double value = 0;
  if (unit == std::string::npos || !Read(text.substr(0, unit), &value)) return std::nullopt;
  const std::string_view name = std::string_view(text).substr(unit);
  for (const auto& [known, seconds] : std::initializer_list<std::pair<std::string_view, double>>{
           {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}}) {
    if (name != known) continue;
    const double nanoseconds = value * seconds * 1e9;
    if (!(nanoseconds >= 1) || nanoseconds > 1e18) return std::nullopt;
    return std::chrono::nanoseconds(static_cast<int64_t>(nanoseconds));
  }
  return std::nullopt;
}

Options ParseOptions(const std::vector<std::string>& arguments) {
  Options options;
  std::set<std::string_view> given;
  const auto wrong = [&options](std::string text) {
    options.error = std::move(text);
    return options;
  };
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      options.help = true;
      return options;
    }
    if (argument == "--version") {
      options.version = true;
      return options;
    }
    if (argument == "--list") {
      options.list = true;
      continue;
    }
    if (argument == "--linked") {
      options.linked = true;
      continue;
    }
    if (argument == "--probe") {
      options.probe = true;
      continue;
    }
    if (argument == "--differential") {
      options.differential = true;
      continue;
    }
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const auto& flags = Flags();
    const auto flag = std::find_if(flags.begin(), flags.end(),
                                   [&name](const auto& known) { return known.first == name; });
    if (flag == flags.end())
      return wrong(argument[0] == '-'
                       ? UnknownFlag(name, KnownFlags())
                       : "unexpected argument '" + name + "' (--help lists the flags)");
    if (!given.insert(flag->first).second && name != "--expect")
      return wrong(name + " is given twice");
    if (equals == std::string::npos && i + 1 == arguments.size())
      return wrong(name + " wants a value");
    const std::string value =
        equals == std::string::npos ? arguments[++i] : argument.substr(equals + 1);
    const std::string wanted = flag->second(&options, value);
    if (!wanted.empty()) return wrong(name + " wants " + wanted + ", not '" + value + "'");
  }
  if (options.list)
    for (std::string_view flag : given)
      if (flag != "--subject" && flag != "--plugin" && flag != "--filter" && flag != "--topic")
        return wrong("--list judges nothing: " + std::string(flag) + " means nothing beside it");
  if (options.differential)
    for (std::string_view other : {"--subject", "--plugin", "--subject-version", "--case",
                                   "--batch", "--expect", "--write-claims"})
      if (given.count(other) > 0)
        return wrong("--differential compares all subjects: " + std::string(other) +
                     " means nothing beside it");
  if (!options.plugin.empty() && !options.subject.empty())
    return wrong("--plugin is the subject: --subject means nothing beside it");
  if (!options.claims.empty() && !options.write_claims.empty())
    return wrong("--write-claims drafts from a run without --claims");
  if (!options.batch.empty())
    for (std::string_view other : {"--case", "--filter", "--require", "--topic", "--cases",
                                   "--budget", "--out", "--expect", "--write-claims"})
      if (given.count(other) > 0)
        return wrong("--batch runs the cases of a file: " + std::string(other) +
                     " means nothing beside it");
  if (!options.replay.empty())
    for (std::string_view other :
         {"--filter", "--require", "--topic", "--cases", "--budget", "--expect", "--write-claims"})
      if (given.count(other) > 0)
        return wrong("--case runs one case: " + std::string(other) + " means nothing beside it");
  return options;
}

std::string JudgingFlags(const Options& options) {
  std::string text;
  if (options.profile) text += std::string(" --profile=") + NameOf(*options.profile);
  if (options.engine) text += std::string(" --engine=") + NameOf(*options.engine);
  if (!options.claims.empty()) text += " --claims=" + Quoted(options.claims);
  if (options.case_time.count() > 0)
    text += " --case-time=" + std::to_string(options.case_time.count() / 1000000) + "ms";
  return text;
}

Limits LimitsOf(const Options& options, int jobs, int64_t products) {
  Limits limits = DefaultLimits(jobs);
  // Some 40 ns for each: a plain loop takes 25, the referee 10.
  limits.silence *= 1 + products / (int64_t{1} << 28);
  if (options.case_time.count() > 0)
    limits.silence =
        std::max(std::chrono::milliseconds(1),
                 std::chrono::duration_cast<std::chrono::milliseconds>(options.case_time));
  return limits;
}

}  // namespace conformance
