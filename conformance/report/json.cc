#include "conformance/report/json.h"

#include <algorithm>
#include <utility>

#include "conformance/case/printable.h"
#include "nlohmann/json.hpp"

namespace conformance {
namespace {

// Keeps the order in which fields are written, for people who read the file.
using Json = nlohmann::ordered_json;

constexpr char kSuite[] = "dnnspec";
constexpr int kFormat = 1;  // of the file: docs/results.md

std::string Dump(const Json& json) {
  // What a subject prints or throws need not be UTF-8.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json SuiteJson() { return std::string(kSuite) + " " + kSuiteVersion; }

Json FailureJson(const Results& results, const PropertyOutcome& property, const Failure& failure) {
  return {{"property", property.property->name()},
          {"case", failure.line},
          {"minimal", failure.minimal},
          {"where", failure.where},
          {"expected", failure.expected},
          {"got", failure.got},
          {"signal", TextOrNull(failure.signal)},
          {"count", failure.count},
          {"warning", failure.deviation},
          {"alone", failure.alone},
          {"reproducer", TextOrNull(failure.reproducer)},
          {"replay", ReplayCommand(results, property, failure)}};
}

Json PropertyJson(const PropertyOutcome& outcome) {
  const PropertyResult& result = outcome.result;
  Json json = {{"name", outcome.property->name()}};
  if (outcome.verdict != Verdict::kNotRun) json["verdict"] = NameOf(outcome.verdict);
  json["not_run"] = outcome.verdict == Verdict::kNotRun ? Json(outcome.reason) : Json();
  if (outcome.verdict != Verdict::kNotRun && !outcome.reason.empty())
    json["reason"] = outcome.reason;
  json["cases"] = result.cases;
  json["held"] = result.of(CaseResult::kHeld);
  json["vacuous"] = result.of(CaseResult::kVacuous);
  json["refused"] = result.of(CaseResult::kNotRun);
  json["deviated"] = result.of(CaseResult::kDeviated);
  json["failed"] = result.of(CaseResult::kFailed);
  json["seconds"] = result.seconds;
  if (!result.stopped.empty()) json["stopped"] = result.stopped;
  Json classes = Json::object();
  for (const auto& [name, count] : result.classes)
    classes[name] = {{"run", count.run}, {"refused", count.not_run}, {"failed", count.failed}};
  json["classes"] = std::move(classes);
  Json reasons = Json::object();
  for (const auto& [reason, count] : result.reasons) reasons[reason] = count;
  json["reasons"] = std::move(reasons);
  return json;
}

Json RequirementJson(const Results& results, const RequirementOutcome& outcome) {
  const spec::Requirement& requirement = *outcome.requirement;
  Json json = {{"id", requirement.id},
               {"level", spec::NameOf(requirement.level)},
               {"topic", requirement.topic},
               {"text", requirement.text}};
  if (outcome.verdict != Verdict::kNotRun) json["verdict"] = NameOf(outcome.verdict);
  json["not_run"] = outcome.verdict == Verdict::kNotRun ? Json(outcome.reason) : Json();
  if (outcome.verdict != Verdict::kNotRun && !outcome.reason.empty())
    json["reason"] = outcome.reason;
  json["cases"] = outcome.cases();
  json["seconds"] = outcome.seconds();
  Json failures = Json::array(), properties = Json::array(), records = Json::object();
  for (const PropertyOutcome& property : outcome.properties) {
    for (const Failure& failure : property.result.failures)
      failures.push_back(FailureJson(results, property, failure));
    for (const auto& [record, count] : property.result.records)
      records[record.first][record.second] = count;
    properties.push_back(PropertyJson(property));
  }
  json["failures"] = std::move(failures);
  json["records"] = std::move(records);
  json["properties"] = std::move(properties);
  return json;
}

Json ClaimsJson(const Results& results) {
  if (results.claims.empty()) return Json();
  Json verdicts = Json::array();
  for (const Judgement& judgement : results.judgements) {
    Json json = {{"topic", judgement.topic},
                 {"part", TextOrNull(judgement.part)},
                 {"verdict", NameOf(judgement.verdict)}};
    if (judgement.part.empty()) {
      json["held"] = judgement.held;
      json["failed"] = judgement.failed;
      json["expected_failures"] = judgement.known;
      json["not_claimed"] = judgement.not_claimed;
      json["not_run"] = judgement.not_run;
    } else {
      json["cases"] = judgement.cases;
      json["failed"] = judgement.failed_cases;
    }
    verdicts.push_back(std::move(json));
  }
  return {{"file", results.claims}, {"verdicts", std::move(verdicts)}};
}

Json RunJson(const Results& results) {
  const RunRequest& request = results.request;
  Json run = {{"seed", request.seed},
              {"budget", request.budget.count() == 0
                             ? Json()
                             : Json(static_cast<double>(request.budget.count()) * 1e-9)},
              {"cases", request.cases == 0 ? kDefaultCases : request.cases},
              {"command", request.command + CaseFlags(request)},
              {"profile", NameOf(results.profile)},
              {"engine", NameOf(results.engine)},
              {"device", TextOrNull(results.device)},
              {"filter", request.filter},
              {"topic", request.topic},
              {"jobs", request.jobs},
              {"date", TextOrNull(results.date)},
              {"seconds", results.seconds}};
  if (results.shards > 1) run["shard"] = {{"index", results.shard}, {"count", results.shards}};
  return run;
}

}  // namespace

std::string ToJson(const Results& results) {
  const Count count = CountAll(results);
  Json summary = Json::object();
  for (int i = 0; i < 7; ++i) summary[NameOf(static_cast<Verdict>(i))] = count.of[i];
  summary["cases"] = count.cases;
  Json requirements = Json::array();
  for (const RequirementOutcome& outcome : results.requirements)
    requirements.push_back(RequirementJson(results, outcome));
  Json problems = results.problems;
  for (const std::string& line : results.not_judged) problems.push_back("not judged: " + line);
  return Dump({{"format", kFormat},
               {"suite", SuiteJson()},
               {"subject", results.subject},
               {"version", results.version},
               {"partial", results.partial},
               {"run", RunJson(results)},
               {"summary", std::move(summary)},
               {"claims", ClaimsJson(results)},
               {"problems", std::move(problems)},
               {"requirements", std::move(requirements)}});
}

std::string MergeJson(const std::vector<std::string>& documents, const std::string& command) {
  Json subjects = Json::array();
  for (const std::string& document : documents) subjects.push_back(Json::parse(document));
  return Dump({{"format", kFormat},
               {"suite", SuiteJson()},
               {"run", {{"command", command}}},
               {"subjects", std::move(subjects)}});
}

std::string SummaryOf(const std::string& document) {
  const Json json = Json::parse(document);
  std::string text = Printable(json["subject"].get<std::string>()) + ":";
  for (const auto& [name, count] : json["summary"].items()) {
    if (count == 0) continue;
    std::string words = Printable(name);
    std::replace(words.begin(), words.end(), '_', ' ');
    text += (text.back() == ':' ? " " : ", ") + words + " " + std::to_string(count.get<int64_t>());
  }
  return text + "\n";
}

}  // namespace conformance
