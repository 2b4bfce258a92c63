// Fails unless the suite covers the catalogue (coverage.h), judged by a short run over the subject
// that is linked, in the project profile: the bundled CPU engine. Chapters of which no property is
// linked are another subject's, and named.
//
//   coverage [--cases=N] [--jobs=N] [--profile=portable]
//
// Prints a table of the areas, and each gap in a line. Exit status: 0 none, 1 some, 2 wrong usage.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/coverage/coverage.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/schedule.h"
#include "conformance/verdict/verdict.h"
#include "spec/requirements.h"
#include "spec/topics.h"

namespace conformance {
namespace {

bool Read(const std::string& path, std::string* text) {
  std::ifstream file(path);
  text->assign(std::istreambuf_iterator<char>(file), {});
  return static_cast<bool>(file);
}

int Complain(const std::string& what) {
  std::fprintf(stderr, "coverage: %s\n", what.c_str());
  return 2;
}

std::string AreaOf(const std::string& id) { return id.substr(0, id.find('-')); }

// The chapters of which a property is linked.
std::set<std::string> LinkedTopics() {
  std::set<std::string> topics;
  for (const Property* property : Properties()) topics.insert(property->requirement().topic);
  return topics;
}

// The chapter of an id or an area; "" if no chapter has it.
std::string TopicOf(const std::string& id) {
  for (size_t i = 0; i < spec::kAreaCount; ++i)
    if (AreaOf(id) == spec::kAreas[i].prefix) return spec::kAreas[i].topic;
  return "";
}

using Classes = std::map<std::string, std::vector<std::string>>;

// Adds what a chapter has in conformance/TOPIC: classes.txt, and waivers.txt unless nothing is
// waived. Returns what is wrong with them, or "".
std::string AddLists(const std::string& topic, std::vector<Waiver>* waivers, Classes* classes) {
  const std::string folder = "conformance/" + topic + "/";
  std::string text, error;
  if (!Read(folder + "classes.txt", &text)) return "no " + folder + "classes.txt";
  for (auto& [area, names] : ParseClasses(text, folder + "classes.txt", &error)) {
    if (TopicOf(area) != topic) return folder + "classes.txt: " + area + " is no area of " + topic;
    (*classes)[area] = std::move(names);
  }
  if (!error.empty() || !Read(folder + "waivers.txt", &text)) return error;
  for (Waiver& one : ParseWaivers(text, folder + "waivers.txt", &error)) {
    if (TopicOf(one.id) != topic) return one.place + ": " + one.id + " is not of " + topic;
    waivers->push_back(std::move(one));
  }
  return error;
}

std::vector<Seen> Look(const RunOptions& run_options, int jobs) {
  const std::vector<const Property*> properties = Properties();
  std::vector<Seen> seen(properties.size());
  Watcher watcher;
  watcher.looked = [](const Progress&) {};
  watcher.ended = [&](size_t index, PropertyResult result) {
    const Property& property = *properties[index];
    Seen& one = seen[index];
    one.property = property.name();
    one.requirement = property.requirement().id;
    one.listed = property.count() > 0;
    one.counted = result.counted();
    for (const auto& [name, count] : result.classes) one.classes[name] = count.run;
    const PropertyOutcome outcome = Decide(property, std::move(result), run_options);
    const bool none_ran = outcome.result.cases == outcome.result.of(CaseResult::kNotRun);
    if (none_ran) one.not_run = outcome.reason.empty() ? "no case" : outcome.reason;
  };
  JudgeAll(properties, std::vector<RunOptions>(properties.size(), run_options), jobs, watcher);
  return seen;
}

// Gives what is wrong with the arguments, or "".
std::string ReadArguments(int argc, char** argv, RunOptions* run_options, int* jobs) {
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    const long long value = std::atoll(arg.substr(std::min(arg.size(), arg.find('=') + 1)).c_str());
    if (arg == "--profile=portable") {
      run_options->profile = Profile::kPortable;
    } else if (arg.rfind("--cases=", 0) == 0 && value > 0) {
      run_options->cases = value;
    } else if (arg.rfind("--jobs=", 0) == 0 && value > 0) {
      *jobs = static_cast<int>(value);
    } else {
      return "'" + arg + "' is none of --cases=N, --jobs=N, --profile=portable";
    }
  }
  return "";
}

// Prints a table: requirements of each area, how many have properties that ran, how many are
// excused.
void PrintTable(const std::vector<Requirement>& requirements, const std::vector<Waiver>& waivers,
                const std::vector<Seen>& seen) {
  struct Row {
    int requirements = 0, run = 0, waivers = 0, properties = 0;
    long long cases = 0;
    std::map<std::string, int64_t> classes;
  };
  std::map<std::string, Row> rows;
  std::map<std::string, bool> ran;
  for (const Requirement& one : requirements) ++rows[one.area].requirements;
  for (const Waiver& one : waivers) ++rows[AreaOf(one.id)].waivers;
  for (const Seen& one : seen) {
    Row& row = rows[AreaOf(one.requirement)];
    ++row.properties;
    row.cases += one.counted;
    for (const auto& [name, count] : one.classes) row.classes[name] += count;
    if (one.not_run.empty() && !std::exchange(ran[one.requirement], true)) ++row.run;
  }
  std::printf("%-8s %12s %5s %9s %10s %9s %8s\n", "area", "requirements", "run", "waivers",
              "properties", "cases", "classes");
  for (const auto& [area, row] : rows) {
    std::printf("%-8s %12d %5d %9d %10d %9lld %8zu\n", area.c_str(), row.requirements, row.run,
                row.waivers, row.properties, row.cases, row.classes.size());
  }
}

int Main(int argc, char** argv) {
  RunOptions run_options;
  run_options.profile = Profile::kProject;
  run_options.cases = 400;
  run_options.shrink = std::chrono::milliseconds(0);
  int jobs = 2;
  std::string error = ReadArguments(argc, argv, &run_options, &jobs);
  if (!error.empty()) return Complain(error);
  run_options.limits = DefaultLimits(jobs);

  const std::set<std::string> topics = LinkedTopics();
  std::vector<Waiver> waivers;
  Classes classes;
  for (const std::string& topic : topics) {
    error = AddLists(topic, &waivers, &classes);
    if (!error.empty()) return Complain(error);
  }
  std::vector<Requirement> requirements;
  for (size_t i = 0; i < spec::kRequirementCount; ++i) {
    const spec::Requirement& one = *spec::kRequirements[i];
    if (topics.count(one.topic) > 0)
      requirements.push_back({one.id, AreaOf(one.id), one.level == spec::Level::kRule});
  }
  for (size_t i = 0; i < spec::kTopicCount; ++i)
    if (topics.count(spec::kTopics[i]) == 0)
      std::printf("not in this subject: %s\n", spec::kTopics[i]);
  const std::vector<Seen> seen = Look(run_options, jobs);
  PrintTable(requirements, waivers, seen);
  for (const Waiver& one : waivers) {
    if (one.kind == Waiver::Kind::kWaits)
      std::printf("waits: %s %s\n", one.id.c_str(), one.reason.c_str());
  }

  const std::vector<std::string> gaps = Gaps(
      requirements, waivers, classes, seen, [](const std::string& file, const std::string& id) {
        std::string contents;
        return Read(file, &contents) && contents.find(id) != std::string::npos;
      });
  for (const std::string& gap : gaps) std::printf("GAP  %s\n", gap.c_str());
  std::printf("%zu requirements, %zu waivers, %zu gaps\n", requirements.size(), waivers.size(),
              gaps.size());
  return gaps.empty() ? 0 : 1;
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) { return conformance::Main(argc, argv); }
