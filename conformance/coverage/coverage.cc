#include "conformance/coverage/coverage.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "conformance/case/numbered_lines.h"

namespace conformance {
namespace {

// A property needs so many cases that count, unless it is a list.
constexpr int64_t kFewest = 10;
// An area needs so many cases of each class that it declares.
constexpr int64_t kFewestOfClass = 5;

std::string Rest(std::istringstream& line) {
  std::string rest;
  std::getline(line >> std::ws, rest);
  return rest;
}

// Calls use(line, place) for each line that says something; stops at the first that returns a
// complaint, and puts it into *error.
void ForEachLine(std::string_view text, std::string_view name, std::string* error,
                 const std::function<std::string(std::istringstream&, const std::string&)>& use) {
  for (const NumberedLine& line : LinesOf(text)) {
    const std::string place = std::string(name) + ":" + std::to_string(line.number);
    std::istringstream words{std::string(line.text)};
    const std::string complaint = use(words, place);
    if (complaint.empty()) continue;
    *error = place + ": " + complaint;
    return;
  }
}

}  // namespace

std::vector<Waiver> ParseWaivers(std::string_view text, std::string_view name, std::string* error) {
  std::vector<Waiver> entries;
  ForEachLine(text, name, error, [&](std::istringstream& words, const std::string& place) {
    Waiver entry;
    entry.place = place;
    std::string kind;
    words >> entry.id >> kind;
    if (kind == "waits" || kind == "machine") {
      entry.kind = kind == "waits" ? Waiver::Kind::kWaits : Waiver::Kind::kMachine;
    } else if (kind == "suite" || kind == "test") {
      entry.kind = kind == "test" ? Waiver::Kind::kTest : Waiver::Kind::kSuite;
      words >> entry.file;
      if (entry.file.empty()) return std::string("names no file");
    } else {
      return "'" + kind + "' is none of suite, test, waits, machine";
    }
    entry.reason = Rest(words);
    if (entry.reason.empty()) return std::string("gives no reason");
    entries.push_back(entry);
    return std::string();
  });
  return entries;
}

std::map<std::string, std::vector<std::string>> ParseClasses(std::string_view text,
                                                             std::string_view name,
                                                             std::string* error) {
  std::map<std::string, std::vector<std::string>> classes;
  ForEachLine(text, name, error, [&](std::istringstream& words, const std::string&) {
    std::string area;
    words >> area;
    std::istringstream names(Rest(words));
    size_t added = 0;
    for (std::string one; std::getline(names >> std::ws, one, ','); ++added) {
      one.erase(one.find_last_not_of(" \t") + 1);
      classes[area].push_back(one);
    }
    return added == 0 ? "names no class" : std::string();
  });
  return classes;
}

std::vector<std::string> Gaps(
    const std::vector<Requirement>& requirements, const std::vector<Waiver>& waivers,
    const std::map<std::string, std::vector<std::string>>& classes, const std::vector<Seen>& seen,
    const std::function<bool(const std::string& file, const std::string& id)>& cites) {
  std::vector<std::string> gaps;
  std::map<std::string, std::string> area_of;
  for (const Requirement& requirement : requirements) area_of[requirement.id] = requirement.area;

  std::map<std::string, const Waiver*> excused;
  for (const Waiver& entry : waivers) {
    if (area_of.count(entry.id) == 0) {
      gaps.push_back(entry.place + ": there is no requirement " + entry.id);
    } else if (!excused.emplace(entry.id, &entry).second) {
      gaps.push_back(entry.place + ": " + entry.id + " is listed twice");
    } else if (!entry.file.empty() && !cites(entry.file, entry.id)) {
      gaps.push_back(entry.place + ": " + entry.file + " does not cite " + entry.id);
    }
  }

  std::set<std::string> run, defined;
  std::map<std::string, std::string> why_not;
  std::map<std::string, std::map<std::string, int64_t>> drawn;
  for (const Seen& one : seen) {
    defined.insert(one.requirement);
    if (!one.not_run.empty()) {
      why_not[one.requirement] = one.not_run;
      continue;
    }
    run.insert(one.requirement);
    if (one.counted == 0 || (!one.listed && one.counted < kFewest)) {
      gaps.push_back(one.property + ": only " + std::to_string(one.counted) +
                     " cases say something about the subject");
    }
    for (const auto& [name, cases] : one.classes) drawn[area_of[one.requirement]][name] += cases;
  }
  for (const Requirement& requirement : requirements) {
    const bool has = run.count(requirement.id) > 0;
    const auto excuse = excused.find(requirement.id);
    if (excuse != excused.end() && excuse->second->kind == Waiver::Kind::kMachine) {
      if (defined.count(requirement.id) == 0)
        gaps.push_back(excuse->second->place + ": " + requirement.id + " has no property");
    } else if (has && excuse != excused.end()) {
      gaps.push_back(excuse->second->place + ": " + requirement.id +
                     " has a property that runs; the entry is stale");
    } else if (!has && excuse == excused.end()) {
      const auto reason = why_not.find(requirement.id);
      gaps.push_back(requirement.id + (reason == why_not.end()
                                           ? ": no property names it"
                                           : ": no case was run: " + reason->second));
    } else if (excuse != excused.end() &&
               (excuse->second->kind == Waiver::Kind::kSuite) != requirement.rule) {
      gaps.push_back(excuse->second->place + ": " + requirement.id +
                     (requirement.rule ? " is a RULE: the suite must look after it"
                                       : " is no RULE: the suite cannot excuse it"));
    }
  }
  for (const auto& [area, names] : classes) {
    for (const std::string& name : names) {
      const int64_t cases = drawn[area][name];
      if (cases >= kFewestOfClass) continue;
      gaps.push_back(area + ": the class '" + name + "' was drawn " + std::to_string(cases) +
                     " times, at least " + std::to_string(kFewestOfClass) + " are needed");
    }
  }
  return gaps;
}

}  // namespace conformance
