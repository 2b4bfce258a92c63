#include "conformance/verdict/verdict.h"

#include <algorithm>
#include <utility>

namespace conformance {
namespace {

// A property needs so many cases that count; where it had few, one in so many of them.
constexpr int64_t kEnough = 50;
constexpr int64_t kOneIn = 20;

std::string Join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

// The reason that was given most often.
std::string MainReason(const PropertyResult& result) {
  std::string reason = "refused";
  int64_t most = 0;
  for (const auto& [text, count] : result.reasons) {
    if (count <= most) continue;
    most = count;
    reason = text;
  }
  return reason;
}

std::vector<std::string> MissedClasses(const Property& property, const PropertyResult& result) {
  std::vector<std::string> missed;
  for (const std::string& name : property.must_cover()) {
    const auto found = result.classes.find(name);
    // A class that the subject may refuse, and did, was met.
    if (found == result.classes.end() || found->second.run + found->second.not_run == 0)
      missed.push_back(name);
  }
  return missed;
}

// In the portable profile a SHOULD is a warning, however its check reports it. A death never is.
bool OnlyWarns(const Property& property, const PropertyResult& result,
               const RunOptions& run_options) {
  return run_options.profile == Profile::kPortable &&
         property.requirement().level == spec::Level::kShould &&
         std::all_of(result.failures.begin(), result.failures.end(),
                     [](const Failure& failure) { return failure.signal.empty(); });
}

}  // namespace

const char* NameOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kNotRun:
      return "not_run";
    case Verdict::kPass:
      return "pass";
    case Verdict::kExpectedFailure:
      return "expected_failure";
    case Verdict::kWeak:
      return "weak";
    case Verdict::kUnexpectedPass:
      return "unexpected_pass";
    case Verdict::kSuiteError:
      return "suite_error";
    case Verdict::kFail:
      return "fail";
  }
  return "";
}

int64_t RequirementOutcome::cases() const {
  int64_t sum = 0;
  for (const PropertyOutcome& property : properties) sum += property.result.cases;
  return sum;
}

double RequirementOutcome::seconds() const {
  double sum = 0;
  for (const PropertyOutcome& property : properties) sum += property.result.seconds;
  return sum;
}

PropertyOutcome Decide(const Property& property, PropertyResult result,
                       const RunOptions& run_options) {
  PropertyOutcome outcome{&property, std::move(result), Verdict::kPass, ""};
  const PropertyResult& seen = outcome.result;
  const auto is = [&outcome](Verdict verdict, std::string reason) {
    outcome.verdict = verdict;
    outcome.reason = std::move(reason);
    return std::move(outcome);
  };
  if (!seen.problem.empty()) return is(Verdict::kSuiteError, seen.problem);
  const bool warns = OnlyWarns(property, seen, run_options);
  if (seen.of(CaseResult::kFailed) > 0 && !warns) return is(Verdict::kFail, "");

  const int64_t considered = seen.cases - seen.of(CaseResult::kNotRun);
  if (considered <= 0) return is(Verdict::kNotRun, MainReason(seen));
  // Claims may leave nothing but cases that say nothing.
  if (run_options.outside != nullptr && seen.counted() == 0 && considered < seen.cases)
    return is(Verdict::kNotRun, MainReason(seen));
  const bool listed = property.count() > 0;
  const std::string ran = std::to_string(seen.cases) + " cases";
  if (listed && seen.cases < property.count())
    return is(Verdict::kNotRun,
              "out of budget: " + ran + " of " + std::to_string(property.count()));
  std::string lack;
  // What is not claimed is not seen.
  const std::vector<std::string> missed =
      run_options.outside != nullptr ? std::vector<std::string>() : MissedClasses(property, seen);
  if (!missed.empty()) {
    lack = "never saw " + Join(missed) + " in " + ran;
  } else if (seen.counted() == 0 ||
             (!listed && seen.counted() < std::min(kEnough, considered / kOneIn))) {
    lack = "only " + std::to_string(seen.counted()) + " of " + ran + " count";
  }
  if (!lack.empty()) {
    // Too few cases is the reader's choice; too few in many is ours.
    if (!listed && seen.cases < DrawnCases(property))
      return is(Verdict::kNotRun, "out of budget: " + lack);
    return is(Verdict::kSuiteError, lack);
  }
  if (seen.of(CaseResult::kFailed) + seen.of(CaseResult::kDeviated) > 0)
    return is(Verdict::kWeak, "");
  return outcome;
}

std::vector<std::string> ApplyExpectations(const std::vector<Expectation>& entries,
                                           std::string_view subject, std::string_view version,
                                           std::string_view today,
                                           std::vector<PropertyOutcome>* outcomes) {
  std::vector<std::string> problems;
  for (const Expectation& entry : entries) {
    if (!entry.IsFor(subject, version)) continue;
    std::vector<PropertyOutcome*> meant;
    for (PropertyOutcome& outcome : *outcomes)
      if (entry.Matches(*outcome.property)) meant.push_back(&outcome);
    if (meant.empty()) continue;
    if (entry.Expired(today)) {
      problems.push_back(entry.place + ": the entry for " + entry.name + " expired on " +
                         entry.expires);
      continue;
    }
    bool failed = false, told = false;
    for (PropertyOutcome* outcome : meant) {
      if (outcome->verdict == Verdict::kFail || outcome->verdict == Verdict::kWeak) {
        outcome->verdict = Verdict::kExpectedFailure;
        outcome->reason = entry.reason + " (" + entry.link + ")";
      }
      failed |= outcome->verdict == Verdict::kExpectedFailure;
      // A fault that shows in some cases may show in none of those that a smaller run has.
      told |=
          outcome->verdict == Verdict::kPass || (entry.sometimes && outcome->result.counted() > 0);
    }
    if (failed) continue;
    if (!told) {
      problems.push_back(entry.place + ": " + entry.name +
                         " was not run, so the entry says nothing");
      continue;
    }
    if (entry.sometimes) continue;
    for (PropertyOutcome* outcome : meant) {
      if (outcome->verdict != Verdict::kPass) continue;
      outcome->verdict = Verdict::kUnexpectedPass;
      outcome->reason = entry.place + " expects a failure: " + entry.reason;
    }
  }
  return problems;
}

RequirementOutcome Merge(const spec::Requirement& requirement,
                         std::vector<PropertyOutcome> properties) {
  RequirementOutcome outcome;
  outcome.requirement = &requirement;
  outcome.properties = std::move(properties);
  if (outcome.properties.empty()) {
    outcome.reason =
        requirement.level == spec::Level::kRule ? "a rule for the suite" : "no property yet";
    return outcome;
  }
  outcome.verdict = outcome.properties.front().verdict;
  for (const PropertyOutcome& property : outcome.properties)
    outcome.verdict = std::max(outcome.verdict, property.verdict);
  for (const PropertyOutcome& property : outcome.properties)
    if (property.verdict == outcome.verdict && outcome.reason.empty())
      outcome.reason = property.reason;
  return outcome;
}

}  // namespace conformance
