#include "conformance/report/document.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "conformance/case/printable.h"
#include "conformance/report/problems.h"
#include "nlohmann/json.hpp"

namespace conformance {
namespace {

using Json = nlohmann::json;

constexpr int kFormat = 1;

// From harmless to bad.
constexpr std::string_view kVerdicts[] = {
    "not_run", "pass", "expected_failure", "weak", "suite_error", "unexpected_pass", "fail"};

// Whether a number is one of those that T has.
template <class T>
bool Holds(const Json& number) {
  using Limits = std::numeric_limits<T>;
  if (number.is_number_unsigned())
    return number.get<uint64_t>() <= static_cast<uint64_t>(Limits::max());
  if (!number.is_number_integer()) return false;
  const int64_t value = number.get<int64_t>();
  return std::is_signed_v<T> && value >= static_cast<int64_t>(Limits::min()) &&
         value <= static_cast<int64_t>(Limits::max());
}

// A field that must be there, or one that may be missing or null. Both throw where the type is
// another.
template <class T>
T Need(const Json& json, const char* key) {
  const auto at = json.find(key);
  if (at == json.end()) throw std::runtime_error(std::string("'") + key + "' is missing");
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    // The library converts whatever is a number.
    if (at->is_number() && !Holds<T>(*at))
      throw std::runtime_error(std::string("'") + key + "' is " + at->dump() + ", which is no " +
                               (std::is_signed_v<T> ? "integer" : "natural number") + " of " +
                               std::to_string(8 * sizeof(T)) + " bits");
  }
  try {
    return at->get<T>();
  } catch (const Json::exception&) {
    throw std::runtime_error(std::string("'") + key + "' is a " + at->type_name());
  }
}

// A count that must be there.
int64_t NeedCount(const Json& json, const char* key) {
  const int64_t count = Need<int64_t>(json, key);
  if (count < 0)
    throw std::runtime_error(std::string("'") + key + "' is " + std::to_string(count) +
                             ", which is no count");
  return count;
}

double NeedSeconds(const Json& json) {
  const double seconds = Need<double>(json, "seconds");
  if (seconds >= 0 && std::isfinite(seconds)) return seconds;
  throw std::runtime_error("'seconds' is " + json["seconds"].dump() + ", which is no time");
}

template <class T>
T May(const Json& json, const char* key, T otherwise = T()) {
  const auto at = json.find(key);
  return at == json.end() || at->is_null() ? otherwise : Need<T>(json, key);
}

const Json& Array(const Json& json, const char* key) {
  static const Json* const none = new Json(Json::array());
  const auto at = json.find(key);
  if (at == json.end() || at->is_null()) return *none;
  if (!at->is_array())
    throw std::runtime_error(std::string("'") + key + "' is a " + at->type_name());
  return *at;
}

const Json& Object(const Json& json, const char* key) {
  const auto at = json.find(key);
  if (at == json.end() || !at->is_object())
    throw std::runtime_error(std::string("'") + key + "' is no object");
  return *at;
}

RecordedFailure ReadFailure(const Json& json) {
  RecordedFailure failure;
  failure.property = Need<std::string>(json, "property");
  failure.minimal = Need<std::string>(json, "minimal");
  failure.where = Need<std::string>(json, "where");
  failure.expected = Need<std::string>(json, "expected");
  failure.got = Need<std::string>(json, "got");
  failure.signal = May<std::string>(json, "signal");
  failure.replay = Need<std::string>(json, "replay");
  failure.reproducer = May<std::string>(json, "reproducer");
  failure.count = NeedCount(json, "count");
  failure.warning = May<bool>(json, "warning");
  return failure;
}

// A property without a name has its classes alone.
RecordedProperty ReadProperty(const Json& json) {
  RecordedProperty property;
  property.name = May<std::string>(json, "name");
  property.verdict = May<std::string>(json, "verdict", "not_run");
  if (!property.name.empty() && Severity(property.verdict) < 0)
    throw std::runtime_error(property.name + ": '" + property.verdict + "' is no verdict");
  if (property.verdict == "not_run") property.reason = May<std::string>(json, "not_run");
  const auto classes = json.find("classes");
  if (classes == json.end() || !classes->is_object()) return property;
  for (const auto& [name, count] : classes->items())
    property.classes[name] = {May<int64_t>(count, "run"), May<int64_t>(count, "refused"),
                              May<int64_t>(count, "failed")};
  return property;
}

RecordedRequirement ReadRequirement(const Json& json) {
  RecordedRequirement requirement;
  requirement.id = Need<std::string>(json, "id");
  requirement.level = Need<std::string>(json, "level");
  requirement.topic = Need<std::string>(json, "topic");
  requirement.text = Need<std::string>(json, "text");
  requirement.verdict = May<std::string>(json, "verdict", "not_run");
  if (Severity(requirement.verdict) < 0)
    throw std::runtime_error(requirement.id + ": '" + requirement.verdict + "' is no verdict");
  requirement.reason = requirement.verdict == "not_run" ? May<std::string>(json, "not_run")
                                                        : May<std::string>(json, "reason");
  requirement.cases = NeedCount(json, "cases");
  requirement.seconds = NeedSeconds(json);
  for (const Json& failure : Array(json, "failures"))
    requirement.failures.push_back(ReadFailure(failure));
  for (const Json& property : Array(json, "properties")) {
    requirement.properties.push_back(ReadProperty(property));
    for (const auto& [name, count] : requirement.properties.back().classes)
      if (count.run > 0) ++requirement.classes;
    if (requirement.properties.back().name.empty()) requirement.properties.pop_back();
  }
  return requirement;
}

RecordedRun ReadRun(const Json& json) {
  RecordedRun run;
  run.suite = Need<std::string>(json, "suite");
  run.subject = Need<std::string>(json, "subject");
  if (std::string wrong = WrongSubjectName(run.subject); !wrong.empty())
    throw std::runtime_error(std::move(wrong));
  run.version = Need<std::string>(json, "version");
  run.partial = May<bool>(json, "partial");
  const Json& how = Object(json, "run");
  run.engine = Need<std::string>(how, "engine");
  run.date = May<std::string>(how, "date");
  run.device = May<std::string>(how, "device");
  run.profile = Need<std::string>(how, "profile");
  run.command = Need<std::string>(how, "command");
  run.seed = Need<uint64_t>(how, "seed");
  run.asked = May<int64_t>(how, "cases");
  run.filter = May<std::string>(how, "filter");
  run.topic = May<std::string>(how, "topic");
  run.seconds = NeedSeconds(how);
  for (const Json& problem : Array(json, "problems"))
    if (problem.is_string())
      run.problems.push_back(problem.get<std::string>());
    else
      throw std::runtime_error(std::string("'problems' holds a ") + problem.type_name());
  std::set<std::string> ids;
  for (const Json& requirement : Array(json, "requirements")) {
    run.requirements.push_back(ReadRequirement(requirement));
    const std::string& id = run.requirements.back().id;
    if (!ids.insert(id).second) throw std::runtime_error(id + " stands twice in one run");
  }
  for (const RecordedRequirement& requirement : run.requirements)
    if (__builtin_add_overflow(run.cases, requirement.cases, &run.cases))
      throw std::runtime_error("the cases of all requirements are more than 63 bits count");
  const auto claims = json.find("claims");
  if (claims == json.end() || claims->is_null()) return run;
  run.claims_file = Need<std::string>(*claims, "file");
  for (const Json& claim : Array(*claims, "verdicts"))
    run.claims.push_back({Need<std::string>(claim, "topic"), May<std::string>(claim, "part"),
                          Need<std::string>(claim, "verdict")});
  return run;
}

}  // namespace

std::string RecordedRun::Title() const {
  return subject + (version.empty() || version == "unknown" ? "" : " " + version) + " (" + engine +
         ")";
}

int RecordedRun::Count(std::string_view verdict) const {
  return static_cast<int>(std::count_if(
      requirements.begin(), requirements.end(),
      [&](const RecordedRequirement& requirement) { return requirement.verdict == verdict; }));
}

const RecordedRequirement* RecordedRun::Find(std::string_view id) const {
  for (const RecordedRequirement& requirement : requirements)
    if (requirement.id == id) return &requirement;
  return nullptr;
}

Document ParseDocument(std::string_view text, std::string_view name) {
  Document document;
  try {
    const auto check = [](int depth, Json::parse_event_t, Json&) { return CheckDepth(depth); };
    const Json json = Json::parse(text.begin(), text.end(), check);
    if (!json.is_object()) throw std::runtime_error("the document is no object");
    const int format = Need<int>(json, "format");
    if (format != kFormat)
      throw std::runtime_error("'format' is " + std::to_string(format) + ", and known is " +
                               std::to_string(kFormat));
    if (json.contains("subjects")) {
      for (const Json& run : Array(json, "subjects")) document.runs.push_back(ReadRun(run));
    } else {
      document.runs.push_back(ReadRun(json));
    }
    if (document.runs.empty()) throw std::runtime_error("it has no subject");
  } catch (const Json::exception& e) {
    document.error = std::string(name) + ": no results of this suite: " + ProblemOf(e, text);
  } catch (const std::exception& e) {
    document.error = std::string(name) + ": no results of this suite: " + Printable(e.what());
  }
  return document;
}

int Severity(std::string_view verdict) {
  const auto at = std::find(std::begin(kVerdicts), std::end(kVerdicts), verdict);
  return at == std::end(kVerdicts) ? -1 : static_cast<int>(at - std::begin(kVerdicts));
}

std::string Words(std::string_view verdict) {
  std::string words(verdict);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

}  // namespace conformance
