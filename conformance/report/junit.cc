#include "conformance/report/junit.h"

#include <cstdio>
#include <string_view>

namespace conformance {
namespace {

// For an attribute or a text. XML 1.0 has no place for most control characters, nor for what is not
// UTF-8.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\n':
        escaped += "&#10;";
        break;
      default:
        escaped += byte < 0x20 || byte >= 0x7f ? '?' : c;
    }
  }
  return escaped;
}

std::string Attribute(const char* name, std::string_view value) {
  return std::string(" ") + name + "=\"" + Escaped(value) + "\"";
}

std::string Seconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6f", seconds);
  return text;
}

std::string FailureXml(const Results& results, const RequirementOutcome& outcome) {
  std::string message = outcome.reason, details;
  for (const PropertyOutcome& property : outcome.properties) {
    if (property.verdict != outcome.verdict) continue;
    for (const Failure& failure : property.result.failures) {
      if (message.empty())
        message = failure.where + ": expected " + failure.expected + ", got " + failure.got;
      details += "case " + failure.minimal + "\nat " + failure.where + "\nexpected " +
                 failure.expected + "\ngot " + failure.got + "\nreplay " +
                 ReplayCommand(results, property, failure) + "\n";
    }
  }
  return "   <failure" + Attribute("type", NameOf(outcome.verdict)) +
         Attribute("message", message) + ">" + Escaped(details) + "</failure>\n";
}

std::string CaseXml(const Results& results, const RequirementOutcome& outcome) {
  std::string body;
  switch (outcome.verdict) {
    case Verdict::kNotRun:
      body = "   <skipped" + Attribute("message", outcome.reason) + "/>\n";
      break;
    case Verdict::kPass:
    case Verdict::kWeak:
    case Verdict::kExpectedFailure:
      break;
    case Verdict::kUnexpectedPass:
    case Verdict::kSuiteError:
    case Verdict::kFail:
      body = FailureXml(results, outcome);
      break;
  }
  const std::string open =
      "  <testcase" + Attribute("name", outcome.requirement->id) +
      Attribute("classname", results.subject + "." + std::string(AreaOf(*outcome.requirement))) +
      Attribute("status", outcome.verdict == Verdict::kNotRun ? "notrun" : "run") +
      Attribute("time", Seconds(outcome.seconds()));
  return body.empty() ? open + "/>\n" : open + ">\n" + body + "  </testcase>\n";
}

}  // namespace

std::string ToJunit(const Results& results) {
  const Count count = CountAll(results);
  const auto numbers = [&count](size_t more) {
    return Attribute("tests", std::to_string(count.total() + static_cast<int>(more))) +
           Attribute("failures", std::to_string(count.failed() + count[Verdict::kSuiteError] +
                                                static_cast<int>(more))) +
           Attribute("skipped", std::to_string(count[Verdict::kNotRun]));
  };
  const size_t problems = results.problems.size();
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + numbers(problems) +
                    ">\n <testsuite" + Attribute("name", "conformance." + results.subject) +
                    numbers(problems) + Attribute("time", Seconds(results.seconds)) + ">\n";
  for (const RequirementOutcome& outcome : results.requirements) xml += CaseXml(results, outcome);
  for (const std::string& problem : results.problems)
    xml += "  <testcase" + Attribute("name", problem) +
           Attribute("classname", results.subject + ".expectations") + ">\n   <failure" +
           Attribute("message", problem) + "/>\n  </testcase>\n";
  return xml + " </testsuite>\n</testsuites>\n";
}

}  // namespace conformance
