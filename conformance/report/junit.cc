#include "conformance/report/junit.h"

#include <cstdio>
#include <string_view>

#include "conformance/report/markup.h"

namespace conformance {
namespace {

std::string Attribute(const char* name, std::string_view value) {
  return std::string(" ") + name + "=\"" + EscapedForMarkup(value) + "\"";
}

std::string Seconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6f", seconds);
  return text;
}

bool IsError(const RecordedRequirement& requirement) {
  return requirement.verdict == "suite_error";
}

std::string FailureXml(const RecordedRequirement& requirement) {
  std::string message = requirement.reason, details;
  for (const RecordedFailure& failure : requirement.failures) {
    if (message.empty())
      message = failure.where + ": expected " + failure.expected + ", got " + failure.got;
    details += "case " + failure.minimal + "\nat " + failure.where + "\nexpected " +
               failure.expected + "\ngot " + failure.got + "\nreplay " + failure.replay + "\n";
  }
  const std::string element = IsError(requirement) ? "error" : "failure";
  return "   <" + element + Attribute("type", requirement.verdict) + Attribute("message", message) +
         ">" + EscapedForMarkup(details) + "</" + element + ">\n";
}

bool IsRed(const RecordedRequirement& requirement) {
  return Severity(requirement.verdict) >= Severity("suite_error");
}

std::string CaseXml(const RecordedRun& run, const RecordedRequirement& requirement) {
  const bool ran = requirement.verdict != "not_run";
  std::string body;
  if (!ran) body = "   <skipped" + Attribute("message", requirement.reason) + "/>\n";
  if (IsRed(requirement)) body = FailureXml(requirement);
  const std::string area = requirement.id.substr(0, requirement.id.find('-'));
  const std::string open = "  <testcase" + Attribute("name", requirement.id) +
                           Attribute("classname", run.subject + "." + area) +
                           Attribute("status", ran ? "run" : "notrun") +
                           Attribute("time", Seconds(requirement.seconds));
  return body.empty() ? open + "/>\n" : open + ">\n" + body + "  </testcase>\n";
}

// Of one run or of several.
struct Numbers {
  size_t tests = 0, failures = 0, errors = 0, skipped = 0;

  void Add(const RecordedRun& run) {
    tests += run.requirements.size() + run.problems.size();
    failures += run.problems.size();
    for (const RecordedRequirement& requirement : run.requirements) {
      if (IsRed(requirement)) ++(IsError(requirement) ? errors : failures);
      if (requirement.verdict == "not_run") ++skipped;
    }
  }

  std::string Xml() const {
    return Attribute("tests", std::to_string(tests)) +
           Attribute("failures", std::to_string(failures)) +
           (errors > 0 ? Attribute("errors", std::to_string(errors)) : "") +
           Attribute("skipped", std::to_string(skipped));
  }
};

std::string RunXml(const RecordedRun& run) {
  Numbers numbers;
  numbers.Add(run);
  std::string xml = " <testsuite" + Attribute("name", "conformance." + run.subject) +
                    numbers.Xml() + Attribute("time", Seconds(run.seconds)) + ">\n";
  for (const RecordedRequirement& requirement : run.requirements) xml += CaseXml(run, requirement);
  for (const std::string& problem : run.problems)
    xml += "  <testcase" + Attribute("name", problem) +
           Attribute("classname", run.subject + ".expectations") + ">\n   <failure" +
           Attribute("message", problem) + "/>\n  </testcase>\n";
  return xml + " </testsuite>\n";
}

}  // namespace

std::string ToJunit(const Document& document) {
  Numbers numbers;
  std::string runs;
  for (const RecordedRun& run : document.runs) {
    numbers.Add(run);
    runs += RunXml(run);
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + numbers.Xml() + ">\n" + runs +
         "</testsuites>\n";
}

}  // namespace conformance
