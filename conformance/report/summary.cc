#include "conformance/report/summary.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <set>

#include "conformance/case/printable.h"
#include "conformance/report/causes.h"
#include "conformance/report/numbers.h"

namespace conformance {
namespace {

constexpr size_t kTextColumns = 78;
constexpr size_t kKindsShown = 3;

std::string Format(const char* format, ...) __attribute__((format(printf, 1, 2)));

std::string Format(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  return text;
}

enum Color { kRed = 31, kGreen = 32, kYellow = 33 };

std::string Painted(const std::string& text, Color color, Style style) {
  return style.color ? Format("\033[%dm", color) + text + "\033[0m" : text;
}

// The beginning of a requirement's text, cut between words.
std::string FirstWords(std::string_view text) {
  std::string flat(text);
  std::replace(flat.begin(), flat.end(), '\n', ' ');
  if (flat.size() <= kTextColumns) return flat;
  const size_t blank = flat.rfind(' ', kTextColumns - 3);
  return flat.substr(0, blank == std::string::npos ? kTextColumns - 3 : blank) + "...";
}

std::string FailureText(const Results& results, const PropertyOutcome& property,
                        const Failure& failure) {
  std::string text;
  text += "    case      " + Printable(failure.minimal) + "\n";
  text += "    at        " + Printable(failure.where) + "\n";
  text += "    expected  " + Printable(failure.expected) + "\n";
  text += "    got       " + Printable(failure.got) + "\n";
  if (!failure.alone)
    text += "    (this case holds alone: it fails after those before it, or by chance)\n";
  text += "    replay    " + Printable(ReplayCommand(results, property, failure)) + "\n";
  if (!failure.reproducer.empty())
    text += "    program   " + Printable(ProgramPath(results, failure)) + "\n";
  return text;
}

std::string PropertyText(const Results& results, const PropertyOutcome& property) {
  const PropertyResult& result = property.result;
  std::string text;
  if (!property.reason.empty())
    text += "  " + property.property->name() + ": " + Printable(property.reason) + "\n";
  if (result.failures.empty()) return text;
  const int64_t wrong = result.of(CaseResult::kFailed) + result.of(CaseResult::kDeviated);
  text += "  " + property.property->name() + ": " + Grouped(wrong) + " of " +
          Grouped(result.cases) + " cases";
  if (result.failures.size() > 1) text += Format(", %zu kinds", result.failures.size());
  if (!result.stopped.empty()) text += "; " + Printable(result.stopped);
  text += "\n";
  for (size_t i = 0; i < result.failures.size() && i < kKindsShown; ++i)
    text += FailureText(results, property, result.failures[i]);
  return text;
}

std::string RequirementText(const Results& results, const RequirementOutcome& outcome,
                            const char* word, Color color, Style style) {
  std::string text = Painted(word, color, style) + "  " + outcome.requirement->id + "  " +
                     FirstWords(outcome.requirement->text) + "\n";
  for (const PropertyOutcome& property : outcome.properties)
    if (property.verdict == outcome.verdict) text += PropertyText(results, property);
  return text + "\n";
}

// How many causes are behind what is red; "" where each failure has its own.
std::string CausesText(const Results& results) {
  std::set<std::string> causes;
  size_t failures = 0;
  for (const RequirementOutcome& outcome : results.requirements) {
    for (const PropertyOutcome& property : outcome.properties) {
      if (property.verdict != Verdict::kFail) continue;
      for (const Failure& failure : property.result.failures) {
        if (failure.deviation) continue;
        ++failures;
        causes.insert(CauseOf({outcome.requirement->topic, failure.where, failure.expected,
                               failure.got, failure.signal}));
      }
    }
  }
  const std::string count = CauseCount(causes.size(), failures);
  return count.empty() ? "" : count + "\n";
}

}  // namespace

std::string Headline(const Results& results) {
  std::string text = Printable(results.subject);
  if (results.version != "unknown") text += " " + Printable(results.version);
  text += std::string(": ") + NameOf(results.engine) + " engine";
  if (!results.device.empty()) text += " on " + Printable(results.device);
  return text + Format(", %s profile, seed %llu\n", NameOf(results.profile),
                       static_cast<unsigned long long>(results.request.seed));
}

std::string TableHead() {
  return Format("  %-23s %6s %6s %8s %4s %7s %10s %8s %8s\n", "", "passed", "failed", "expected",
                "weak", "not run", "cases", "time", "cases/s");
}

std::string TableLine(std::string_view title, const Count& count, Style style) {
  std::string failed = Format("%6d", count.failed());
  if (count.failed() > 0) failed = Painted(failed, kRed, style);
  std::string line =
      Format("  %-23s %6d ", std::string(title).c_str(), count[Verdict::kPass]) + failed +
      Format(" %8d %4d %7d %10s", count[Verdict::kExpectedFailure], count[Verdict::kWeak],
             count[Verdict::kNotRun], Grouped(count.cases).c_str());
  if (count.cases > 0)
    line += Format(" %6.1f s %8s", count.seconds,
                   Grouped(static_cast<int64_t>(static_cast<double>(count.cases) /
                                                std::max(count.seconds, 1e-3)))
                       .c_str());
  if (const int errors = count[Verdict::kSuiteError]; errors > 0)
    line += Painted(Format("  %d suite error%s", errors, errors == 1 ? "" : "s"), kRed, style);
  return line + "\n";
}

std::string AbsentLine(std::string_view title) {
  return Format("  %-23s not in this subject\n", std::string(title).c_str());
}

std::string Details(const Results& results, Style style) {
  std::string text;
  for (const RequirementOutcome& outcome : results.requirements) {
    switch (outcome.verdict) {
      case Verdict::kFail:
        text += RequirementText(results, outcome, "FAIL", kRed, style);
        break;
      case Verdict::kUnexpectedPass:
        text += RequirementText(results, outcome, "UNEXPECTED PASS", kRed, style);
        break;
      case Verdict::kSuiteError:
        text += RequirementText(results, outcome, "SUITE ERROR", kRed, style);
        break;
      case Verdict::kWeak:
        text += RequirementText(results, outcome, "WEAK", kYellow, style);
        break;
      case Verdict::kNotRun:
      case Verdict::kPass:
      case Verdict::kExpectedFailure:
        break;
    }
  }
  for (const std::string& problem : results.problems)
    text += Painted("EXPECTATIONS", kRed, style) + "  " + Printable(problem) + "\n";
  for (const std::string& line : results.not_judged)
    text += Painted("NOT JUDGED", kRed, style) + "  " + Printable(line) + "\n";
  return text + CausesText(results);
}

std::string Totals(const Results& results, Style style) {
  const Count count = CountAll(results);
  std::string text = Printable(results.subject) + ": " + std::to_string(count.total()) +
                     (count.total() == 1 ? " requirement: " : " requirements: ") +
                     std::to_string(count[Verdict::kPass]) + " passed";
  const auto also = [&text](int number, const char* what) {
    if (number > 0) text += ", " + std::to_string(number) + " " + what;
  };
  also(count[Verdict::kFail], "failed");
  also(count[Verdict::kUnexpectedPass], "passed unexpectedly");
  also(count[Verdict::kExpectedFailure], "failed as expected");
  also(count[Verdict::kWeak], "weak");
  also(count[Verdict::kSuiteError],
       count[Verdict::kSuiteError] == 1 ? "suite error" : "suite errors");
  also(count[Verdict::kNotRun], "not run");
  also(count.absent, "not in this subject");
  text += "; " + Grouped(count.cases) + " cases in " + Format("%.1f s", results.seconds);
  if (results.partial) text += "; interrupted";
  return Painted(text, ExitStatus(results) == 0 ? kGreen : kRed, style) + "\n";
}

std::string ProgressLine(std::string_view subject, const Progress& progress, double seconds,
                         int width) {
  constexpr int kBar = 24;
  const double share = progress.total == 0 ? 1.0
                                           : static_cast<double>(progress.done) /
                                                 static_cast<double>(progress.total);
  const int filled = static_cast<int>(share * kBar);
  std::string text = Printable(subject);
  text += " [" + std::string(static_cast<size_t>(filled), '=') +
          std::string(static_cast<size_t>(kBar - filled), ' ') + "] ";
  text += Format("%3.0f%%  ", share * 100);
  if (progress.latest != nullptr)
    text += std::string(TitleOfArea(AreaOf(progress.latest->requirement()))) + "  ";
  text += Grouped(progress.cases) + " cases";
  if (seconds > 0.5) {
    text +=
        "  " + Grouped(static_cast<int64_t>(static_cast<double>(progress.cases) / seconds)) + "/s";
    if (progress.done > 0) {
      const auto left = static_cast<int>(seconds * (1 - share) / share + 0.5);
      text += Format("  %d:%02d left", left / 60, left % 60);
    }
  }
  if (static_cast<int>(text.size()) > width) text.resize(static_cast<size_t>(std::max(0, width)));
  return text;
}

}  // namespace conformance
