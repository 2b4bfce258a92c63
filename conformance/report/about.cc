#include "conformance/report/about.h"

#include "conformance/report/conversions.h"
#include "conformance/report/elements.h"
#include "conformance/report/markup.h"
#include "conformance/report/numbers.h"
#include "conformance/report/sources.h"

namespace conformance {
namespace {

constexpr size_t kIdsShown = 12;

// What is behind more than one failure.
std::string CausesHtml(const std::vector<Cause>& causes,
                       const std::set<std::string, std::less<>>& ids) {
  std::string rows;
  size_t failures = 0;
  for (const Cause& cause : causes) {
    failures += cause.failures.size();
    if (cause.failures.size() > 1)
      rows += "<tr><th scope=\"row\">" + EscapedForMarkup(cause.text) + "</th><td>" +
              std::to_string(cause.failures.size()) + " failures, " + Grouped(cause.cases) +
              " cases</td><td>" + WithLinks(IdsOf(cause, kIdsShown), ids) + "</td></tr>";
  }
  const std::string count = CauseCount(causes.size(), failures);
  if (count.empty()) return "";
  return "<table class=\"causes flat\"><caption>" + count +
         "; those of more than one</caption><thead><tr><th scope=\"col\">cause</th>"
         "<th scope=\"col\">how often</th><th scope=\"col\">requirements</th></tr></thead><tbody>" +
         rows + "</tbody></table>\n";
}

// Where the cells are wider than the screen they scroll, and the page does not.
std::string ConversionsHtml(const RecordedRun& run, const std::set<std::string, std::less<>>& ids) {
  const Conversions conversions = ConversionsOf(run);
  if (conversions.empty) return "";
  constexpr size_t kMost = 2;
  std::string html =
      "<div class=\"wide\" tabindex=\"0\"><table class=\"conversions\"><caption>Conversions: from "
      "the type of a row to that of a column</caption><thead><tr><th scope=\"col\">from</th>";
  for (const char* to : kConvertedTypes) html += "<th scope=\"col\">" + std::string(to) + "</th>";
  html += "</tr></thead><tbody>";
  for (size_t from = 0; from < kConvertedTypeCount; ++from) {
    html += "<tr><th scope=\"row\">" + std::string(kConvertedTypes[from]) + "</th>";
    for (const Conversion& conversion : conversions.of[from]) {
      html += "<td>" + Chip(conversion.verdict);
      if (!conversion.ids.empty())
        html += "<small>" + WithLinks(Shortened(conversion.ids, kMost), ids) + "</small>";
      if (!conversion.with_attributes.empty())
        html += "<small>with attributes " + Chip("fail") + " " +
                WithLinks(Shortened(conversion.with_attributes, kMost), ids) + "</small>";
      html += "</td>";
    }
    html += "</tr>";
  }
  return html + "</tbody></table></div>\n";
}

std::string ClaimsHtml(const RecordedRun& run) {
  if (run.claims_file.empty()) return "";
  std::string html =
      "<table class=\"claims flat\"><caption>Claims of " + EscapedForMarkup(run.claims_file) +
      "</caption><thead><tr><th scope=\"col\">topic</th><th scope=\"col\">verdict</th>"
      "<th scope=\"col\">data types and ranks</th></tr></thead><tbody>";
  std::string parts, verdict, topic;
  const auto flush = [&] {
    if (!topic.empty())
      html += "<tr><th scope=\"row\">" + EscapedForMarkup(topic) + "</th><td>" + Chip(verdict) +
              "</td><td>" + parts + "</td></tr>";
    parts.clear();
  };
  for (const RecordedClaim& claim : run.claims) {
    if (claim.part.empty()) {
      flush();
      topic = claim.topic;
      verdict = claim.verdict;
    } else {
      const bool mark = claim.verdict != "conformant";
      parts += "<span class=\"part " + Token(claim.verdict) + "\">" + EscapedForMarkup(claim.part) +
               (mark ? ": " + EscapedForMarkup(claim.verdict) : "") + "</span> ";
    }
  }
  flush();
  return html + "</tbody></table>\n";
}

}  // namespace

std::string AboutHtml(const RecordedRun& run, const std::string& name,
                      const std::vector<Cause>& causes,
                      const std::set<std::string, std::less<>>& ids) {
  std::string html = "<section class=\"subject\"><h2>" + EscapedForMarkup(name) + "</h2><p>";
  for (const char* verdict : kVerdictsWorstFirst)
    if (const int count = run.Count(verdict); count > 0)
      html += Chip(verdict) + " " + std::to_string(count) + " &nbsp;";
  const std::string date = run.date.empty() ? "" : EscapedForMarkup(run.date) + ", ";
  const std::string on = run.device.empty() ? "" : "on " + EscapedForMarkup(run.device) + ", ";
  html += "</p><p class=\"source\">" + EscapedForMarkup(run.suite) + ", " + date + on +
          EscapedForMarkup(run.profile) + " profile, seed " + std::to_string(run.seed) + ", " +
          Grouped(run.cases) + " cases in " + Seconds(run.seconds) +
          (run.partial ? ". <strong>Partial: the run was cut short.</strong>" : "") + "</p>" +
          Copyable(run.command);
  for (const std::string& problem : run.problems)
    html += "<p class=\"problem\">" + EscapedForMarkup(problem) + "</p>";
  return html + CausesHtml(causes, ids) + ConversionsHtml(run, ids) + ClaimsHtml(run) +
         "</section>\n";
}

}  // namespace conformance
