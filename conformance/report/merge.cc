#include "conformance/report/merge.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "conformance/case/printable.h"
#include "conformance/report/problems.h"
#include "conformance/verdict/claims.h"
#include "nlohmann/json.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using Json = nlohmann::ordered_json;

size_t PlaceInCatalogue(const std::string& id) {
  static const auto* const places = [] {
    auto* const map = new std::map<std::string, size_t>;
    for (size_t i = 0; i < spec::kRequirementCount; ++i) (*map)[spec::kRequirements[i]->id] = i;
    return map;
  }();
  const auto at = places->find(id);
  // What a newer suite has stands behind all others.
  return at == places->end() ? spec::kRequirementCount : at->second;
}

// What parts of one run have in common.
Json CommonOf(const Json& document) {
  const Json& run = document["run"];
  return {{"suite", document["suite"]},
          {"subject", document["subject"]},
          {"version", document["version"]},
          {"seed", run["seed"]},
          {"budget", run["budget"]},
          {"cases", run["cases"]},
          {"profile", run["profile"]},
          {"engine", run["engine"]},
          {"device", run.value("device", Json())},
          {"filter", run["filter"]},
          {"claims", document.contains("claims") && document["claims"].is_object()
                         ? document["claims"].value("file", Json())
                         : Json()}};
}

// What is wrong with a document that is read as results of one run, or "".
std::string ShapeProblem(const Json& document) {
  if (document.is_discarded()) return "is no JSON";
  if (!document.is_object() || !document.contains("run") || !document.contains("requirements"))
    return document.is_object() && document.contains("subjects")
               ? "holds several subjects: merge the files of one"
               : "is no results.json of one subject";
  for (const char* key : {"seed", "budget", "cases", "command", "profile", "engine", "filter",
                          "topic", "jobs", "seconds"})
    if (!document["run"].contains(key)) return std::string("has no run.") + key;
  for (const char* key : {"suite", "subject", "version", "summary", "problems"})
    if (!document.contains(key)) return std::string("has no ") + key;
  for (const Json& requirement : document["requirements"])
    if (!requirement.contains("id")) return "has a requirement without id";
  return WrongSubjectName(document["subject"].get<std::string>());
}

// An integer of an object, or `otherwise` where there is none.
int64_t Integer(const Json& object, const std::string& key, int64_t otherwise) {
  const auto at = object.find(key);
  return at != object.end() && at->is_number_integer() ? at->get<int64_t>() : otherwise;
}

// Of counts that were read: as much as there is room for.
int64_t Sum(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

// Shards seen of each chapter, and how many there should be.
class Shards {
 public:
  std::string Add(const Json& run) {
    const std::string topic = run["topic"].get<std::string>();
    const Json shard = run.value("shard", Json{{"index", 0}, {"count", 1}});
    const int64_t count = Integer(shard, "count", 0), index = Integer(shard, "index", -1);
    if (count < 1 || index < 0 || index >= count) return "has a shard that makes no sense";
    auto& [total, seen] = of_[topic];
    if (total != 0 && total != count) return "was cut into another number of shards";
    total = count;
    if (!seen.insert(index).second) return "this shard was given already";
    return "";
  }

  // The first shard that nobody had; "" if all are there.
  std::string Missing() const {
    for (const auto& [topic, shards] : of_)
      for (int64_t index = 0; index < shards.first; ++index)
        if (shards.second.count(index) == 0)
          return "shard " + std::to_string(index + 1) + " of " + std::to_string(shards.first) +
                 (topic.empty() ? "" : " of " + topic) + " is missing";
    return "";
  }

  size_t topics() const { return of_.size(); }

 private:
  std::map<std::string, std::pair<int64_t, std::set<int64_t>>> of_;
};

Json SummaryOver(const Json& requirements, const Json& like) {
  Json summary = Json::object();
  for (const auto& [name, count] : like.items()) summary[name] = 0;
  int64_t cases = 0;
  for (const Json& requirement : requirements) {
    const std::string verdict = requirement.value("verdict", std::string("not_run"));
    summary[verdict] = summary.value(verdict, 0) + 1;
    cases = Sum(cases, Integer(requirement, "cases", 0));
  }
  summary["cases"] = cases;
  return summary;
}

// From what says least of a whole to what says most: a part's verdict is one about the whole.
int Weight(const std::string& verdict) {
  constexpr const char* kVerdicts[] = {"not claimed", "not judged", "conformant", "partial",
                                       "non-conformant"};
  int weight = -1;
  for (int i = 0; i < 5; ++i)
    if (verdict == kVerdicts[i]) weight = i;
  return weight;
}

// The chapter itself, its data types, its ranks.
size_t PlaceOfPart(const Json& part) {
  if (!part.is_string()) return 0;
  const std::string name = part.get<std::string>();
  const auto& types = ClaimableTypes();
  const auto at = std::find(types.begin(), types.end(), name);
  if (at != types.end()) return 1 + static_cast<size_t>(at - types.begin());
  return 100 + std::strtoul(name.c_str() + std::min<size_t>(name.size(), 5), nullptr, 10);
}

// Of one claim each, with the numbers of all parts added up.
Json ClaimsOfAll(const std::vector<Json>& parts) {
  if (!parts.front().contains("claims") || !parts.front()["claims"].is_object()) return Json();
  Json rows = Json::array();
  std::vector<std::string> topics;
  for (const Json& part : parts) {
    for (const Json& row : part["claims"].value("verdicts", Json::array())) {
      const std::string topic = row.value("topic", "");
      if (std::find(topics.begin(), topics.end(), topic) == topics.end()) topics.push_back(topic);
      const auto same = std::find_if(rows.begin(), rows.end(), [&row](const Json& other) {
        return other["topic"] == row["topic"] && other["part"] == row["part"];
      });
      if (same == rows.end()) {
        rows.push_back(row);
        continue;
      }
      for (const auto& [key, value] : row.items())
        if (value.is_number_integer())
          (*same)[key] = Sum(Integer(*same, key, 0), value.get<int64_t>());
      const std::string verdict = row.value("verdict", "");
      if (Weight(verdict) > Weight(same->value("verdict", ""))) (*same)["verdict"] = verdict;
    }
  }
  const auto place = [&topics](const Json& row) {
    const auto topic = std::find(topics.begin(), topics.end(), row.value("topic", ""));
    return std::make_pair(topic - topics.begin(), PlaceOfPart(row["part"]));
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&place](const Json& a, const Json& b) { return place(a) < place(b); });
  return {{"file", parts.front()["claims"].value("file", "")}, {"verdicts", std::move(rows)}};
}

Json RunOfAll(const std::vector<Json>& parts, size_t topics) {
  Json run = parts.front()["run"];
  run.erase("shard");
  double seconds = 0;
  for (const Json& part : parts) seconds += part["run"]["seconds"].get<double>();
  run["seconds"] = seconds;
  // It began when its first part did: dates are in the order of their letters.
  for (const Json& part : parts)
    if (const Json date = part["run"].value("date", Json()); date.is_string() && date < run["date"])
      run["date"] = date;
  if (topics == 1) return run;
  std::string command = run["command"].get<std::string>();
  const std::string flag = " --topic=" + run["topic"].get<std::string>();
  if (const size_t at = command.find(flag); at != std::string::npos) command.erase(at, flag.size());
  run["command"] = command;
  run["topic"] = "";
  return run;
}

// What is called document `i` in messages.
std::string NameOf(const std::vector<std::string>& names, size_t i) {
  return i < names.size() ? names[i] : "document " + std::to_string(i + 1);
}

// *at_document: the document that is being read, for whoever catches what its fields throw; their
// number when all were.
Merged MergeParts(const std::vector<std::string>& documents, const std::vector<std::string>& names,
                  size_t* at_document) {
  std::vector<Json> parts;
  Shards shards;
  std::map<std::string, size_t> owners;
  Json requirements = Json::array(), problems = Json::array();
  for (size_t i = 0; i < documents.size(); ++i) {
    *at_document = i;
    const auto check = [](int depth, Json::parse_event_t, Json&) { return CheckDepth(depth); };
    Json part = Json::parse(documents[i], check, /*allow_exceptions=*/false);
    std::string problem = ShapeProblem(part);
    if (problem.empty() && i > 0) {
      const Json common = CommonOf(part), first = CommonOf(parts.front());
      for (const auto& [key, value] : common.items())
        if (problem.empty() && value != first[key])
          problem = "has another " + key + " than the first: " + value.dump() + ", not " +
                    first[key].dump();
    }
    if (problem.empty()) problem = shards.Add(part["run"]);
    if (problem.empty())
      for (const Json& requirement : part["requirements"]) {
        const std::string id = requirement["id"].get<std::string>();
        const auto [at, added] = owners.emplace(id, i);
        if (!added) {
          problem = "has " + id + ", and so has " + NameOf(names, at->second);
          break;
        }
        requirements.push_back(requirement);
      }
    if (!problem.empty()) return {"", NameOf(names, i) + ": " + problem};
    for (const Json& line : part["problems"])
      if (std::find(problems.begin(), problems.end(), line) == problems.end())
        problems.push_back(line);
    parts.push_back(std::move(part));
  }
  *at_document = documents.size();
  if (std::string missing = shards.Missing(); !missing.empty()) return {"", std::move(missing)};
  std::stable_sort(requirements.begin(), requirements.end(), [](const Json& a, const Json& b) {
    return PlaceInCatalogue(a["id"].get<std::string>()) <
           PlaceInCatalogue(b["id"].get<std::string>());
  });
  Json whole = parts.front();
  whole["run"] = RunOfAll(parts, shards.topics());
  whole["summary"] = SummaryOver(requirements, parts.front()["summary"]);
  if (whole.contains("partial"))
    whole["partial"] = std::any_of(parts.begin(), parts.end(), [](const Json& part) {
      return part.contains("partial") && part["partial"] == true;
    });
  if (whole.contains("claims")) whole["claims"] = ClaimsOfAll(parts);
  whole["problems"] = std::move(problems);
  whole["requirements"] = std::move(requirements);
  return {whole.dump(1, ' ', false, Json::error_handler_t::replace) + "\n", ""};
}

}  // namespace

Merged MergeShards(const std::vector<std::string>& documents,
                   const std::vector<std::string>& names) {
  if (documents.empty()) return {"", "nothing to merge"};
  size_t at = 0;
  try {
    return MergeParts(documents, names, &at);
  } catch (const nlohmann::json::exception& error) {
    return {"", (at < documents.size() ? NameOf(names, at) + ": " : "") + ProblemOf(error, "")};
  } catch (const std::runtime_error& error) {
    return {"", NameOf(names, at) + ": " + error.what()};
  }
}

}  // namespace conformance
