#include "conformance/report/html.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "conformance/report/markup.h"
#include "conformance/report/numbers.h"
#include "conformance/report/page.h"
#include "conformance/report/sources.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

constexpr const char* kVerdicts[] = {
    "fail", "unexpected_pass", "suite_error", "weak", "expected_failure", "pass", "not_run"};

std::string Classes(int count) {
  return std::to_string(count) + (count == 1 ? " class" : " classes");
}

std::string Seconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), seconds < 0.1 ? "%.3f s" : "%.1f s", seconds);
  return text;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// What a class name may be made of.
std::string Token(std::string_view text) {
  std::string token = Lower(text);
  for (char& c : token)
    if ((c < 'a' || c > 'z') && (c < '0' || c > '9')) c = '-';
  return token;
}

// What every row is made with.
struct Page {
  const Document& document;
  const PageOptions& options;
  std::set<std::string, std::less<>> ids;  // of the rows
};

// A requirement and what each subject got for it; null where a subject was not asked.
struct Row {
  const RecordedRequirement* any = nullptr;
  std::vector<const RecordedRequirement*> of;
  int severity = -1;
  size_t place = 0;  // in the order of the documents
};

std::vector<Row> RowsOf(const Document& document) {
  std::vector<Row> rows;
  std::map<std::string, size_t> places;
  for (size_t s = 0; s < document.runs.size(); ++s) {
    for (const RecordedRequirement& requirement : document.runs[s].requirements) {
      const auto [at, added] = places.emplace(requirement.id, rows.size());
      if (added) {
        rows.emplace_back();
        rows.back().any = &requirement;
        rows.back().of.resize(document.runs.size());
        rows.back().place = rows.size();
      }
      Row& row = rows[at->second];
      row.of[s] = &requirement;
      row.severity = std::max(row.severity, Severity(requirement.verdict));
    }
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.severity != b.severity ? a.severity > b.severity : a.place < b.place;
  });
  return rows;
}

std::string Chip(std::string_view verdict) {
  return "<span class=\"chip " + Token(verdict) + "\">" + EscapedForMarkup(Words(verdict)) +
         "</span>";
}

// A command. Its flags are kept in one piece where the line is too short.
std::string Copyable(std::string_view text) {
  std::string html;
  for (bool first = true; !text.empty(); first = false) {
    const std::string_view word = text.substr(0, text.find(' '));
    const bool flag = word.substr(0, 2) == "--";
    const std::string_view name = flag ? word.substr(0, word.find('=')) : std::string_view();
    if (!first) html += ' ';
    if (flag) html += "<span class=\"flag\">" + EscapedForMarkup(name) + "</span>";
    html += EscapedForMarkup(word.substr(name.size()));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return "<div class=\"copy\"><pre tabindex=\"0\">" + html + "</pre></div>";
}

std::string Pair(const char* name, const std::string& value) {
  return "<dt>" + std::string(name) + "</dt><dd>" + value + "</dd>";
}

// Where the requirement stands in the repository: a link if it is known where that is.
std::string PlaceHtml(const Page& page, const spec::Requirement& requirement) {
  const std::string path = "spec/" + std::string(requirement.topic) + "/requirements.md";
  const std::string code = "<code>" + path + "</code>";
  if (page.options.repository.empty()) return code;
  const std::string heading = Token(requirement.id) + "-" + Token(spec::NameOf(requirement.level));
  return "<a href=\"" + EscapedForMarkup(page.options.repository + "/" + path + "#" + heading) +
         "\">" + code + "</a>";
}

std::vector<ScoredMutant> MutantsOf(const Page& page, std::string_view id) {
  if (page.options.scores == nullptr) return {};
  const auto at = page.options.scores->find(id);
  return at == page.options.scores->end() ? std::vector<ScoredMutant>() : at->second;
}

std::string MutantsHtml(const std::vector<ScoredMutant>& mutants) {
  if (mutants.empty()) return "";
  std::string html = "<h3>Mutants of the bundled library</h3><ul>";
  for (const ScoredMutant& mutant : mutants)
    html += "<li>" + Chip(mutant.killed ? "killed" : "alive") + " <code>" +
            EscapedForMarkup(mutant.name) + "</code>: " + EscapedForMarkup(mutant.why) +
            (mutant.killers.empty() ? "" : " (by " + EscapedForMarkup(mutant.killers) + ")") +
            "</li>";
  return html + "</ul>";
}

std::string FailureHtml(const RecordedFailure& failure) {
  std::string html = "<section class=\"failure\"><dl>";
  html += Pair("case", "<code>" + EscapedForMarkup(failure.minimal) + "</code>");
  html += Pair("at", EscapedForMarkup(failure.where));
  html += Pair("expected", "<code>" + EscapedForMarkup(failure.expected) + "</code>");
  html += Pair("got", "<code>" + EscapedForMarkup(failure.got) + "</code>");
  if (!failure.signal.empty()) html += Pair("ended by", EscapedForMarkup(failure.signal));
  html += Pair("cases", Grouped(failure.count) + (failure.warning ? " (a warning)" : ""));
  html += "</dl><p>Replay:</p>" + Copyable(failure.replay);
  if (!failure.reproducer.empty())
    html += "<p>As a program: <code>" + EscapedForMarkup(failure.reproducer) + "</code></p>";
  return html + "</section>";
}

// What is shown of a requirement when it is opened.
std::string Inside(const Page& page, const Row& row, const std::vector<ScoredMutant>& mutants) {
  std::string html = "<p>" + SentenceWithLinks(row.any->text, page.ids) + "</p>";
  if (const spec::Requirement* const known = spec::FindRequirement(row.any->id.c_str())) {
    html += "<p class=\"source\">Source: " + SourceWithLinks(known->source, page.ids) + "; " +
            PlaceHtml(page, *known) + "</p>";
    if (*known->check != '\0')
      html += "<p class=\"source\">Seen by: " + SentenceWithLinks(known->check, page.ids) + "</p>";
  }
  for (size_t s = 0; s < row.of.size(); ++s) {
    const RecordedRequirement* const got = row.of[s];
    if (got == nullptr) continue;
    html += "<h3>" + EscapedForMarkup(page.document.runs[s].Title()) + ": " + Words(got->verdict) +
            "</h3>";
    if (!got->reason.empty()) html += "<p>" + WithLinks(got->reason, page.ids) + "</p>";
    html += "<p class=\"source\">" + Grouped(got->cases) + " cases, " + Seconds(got->seconds) +
            ", " + Classes(got->classes) + " of input seen</p>";
    for (const RecordedFailure& failure : got->failures) html += FailureHtml(failure);
  }
  return html + MutantsHtml(mutants);
}

std::string RowHtml(const Page& page, const Row& row) {
  const RecordedRequirement& any = *row.any;
  const std::vector<ScoredMutant> mutants = MutantsOf(page, any.id);
  const std::string worst(row.severity < 0 ? "not_run" : [&row] {
    for (const char* verdict : kVerdicts)
      if (Severity(verdict) == row.severity) return verdict;
    return "not_run";
  }());
  const std::string id = EscapedForMarkup(any.id);
  std::string html = "<tr id=\"" + id + "\" class=\"v-" + Token(worst) + " t-" + Token(any.topic) +
                     " l-" + Token(any.level) + "\"><th scope=\"row\"><details" +
                     (row.severity >= Severity("suite_error") ? " open" : "") +
                     "><summary><a href=\"#" + id + "\">" + id + "</a> <small>" +
                     EscapedForMarkup(Lower(any.level)) + "</small> <span class=\"text\">" +
                     Sentence(any.text) + "</span></summary>" + Inside(page, row, mutants) +
                     "</details></th>";
  for (size_t s = 0; s < row.of.size(); ++s) {
    html += "<td data-subject=\"" + EscapedForMarkup(page.document.runs[s].Title()) + "\">";
    if (row.of[s] == nullptr) {
      html += "<span class=\"chip none\">not asked</span>";
    } else {
      html += Chip(row.of[s]->verdict);
      if (row.of[s]->cases > 0)
        html += "<small>" + Grouped(row.of[s]->cases) + " cases, " + Classes(row.of[s]->classes) +
                ", " + Seconds(row.of[s]->seconds) + "</small>";
    }
    html += "</td>";
  }
  if (page.options.scores != nullptr) {
    const auto killed = std::count_if(mutants.begin(), mutants.end(),
                                      [](const ScoredMutant& mutant) { return mutant.killed; });
    const bool all = killed == static_cast<std::ptrdiff_t>(mutants.size());
    html += "<td data-subject=\"mutants killed\">";
    html += mutants.empty()
                ? "<small>none</small>"
                : "<span class=\"chip " + std::string(all ? "killed" : "alive") + "\">" +
                      std::to_string(killed) + " of " + std::to_string(mutants.size()) + "</span>";
    html += "</td>";
  }
  return html + "</tr>\n";
}

// A group of boxes that hide rows of a class when they are not ticked.
std::string FilterHtml(const char* legend, const char* prefix,
                       const std::vector<std::string>& values, std::string* style) {
  std::string html = "<fieldset><legend>" + std::string(legend) + "</legend>";
  for (const std::string& value : values) {
    const std::string name = prefix + Token(value);
    html += "<label><input type=\"checkbox\" id=\"f-" + name + "\" checked> " +
            EscapedForMarkup(Lower(Words(value))) + "</label> ";
    *style += "body:has(#f-" + name + ":not(:checked)) tr." + name + "{display:none}\n";
  }
  return html + "</fieldset>";
}

std::vector<std::string> Distinct(const std::vector<Row>& rows,
                                  std::string RecordedRequirement::*member) {
  std::vector<std::string> values;
  for (const Row& row : rows)
    if (std::find(values.begin(), values.end(), row.any->*member) == values.end())
      values.push_back(row.any->*member);
  std::sort(values.begin(), values.end());
  return values;
}

std::string SubjectHtml(const RecordedRun& run) {
  std::string html = "<section class=\"subject\"><h2>" + EscapedForMarkup(run.Title()) + "</h2><p>";
  for (const char* verdict : kVerdicts)
    if (const int count = run.Count(verdict); count > 0)
      html += Chip(verdict) + " " + std::to_string(count) + " &nbsp;";
  const std::string on = run.device.empty() ? "" : "on " + EscapedForMarkup(run.device) + ", ";
  html += "</p><p class=\"source\">" + EscapedForMarkup(run.suite) + ", " + on +
          EscapedForMarkup(run.profile) + " profile, seed " + std::to_string(run.seed) + ", " +
          Grouped(run.cases) + " cases in " + Seconds(run.seconds) +
          (run.partial ? ". <strong>Partial: the run was cut short.</strong>" : "") + "</p>" +
          Copyable(run.command);
  for (const std::string& problem : run.problems)
    html += "<p class=\"problem\">" + EscapedForMarkup(problem) + "</p>";
  if (run.claims_file.empty()) return html + "</section>\n";
  html += "<table class=\"claims\"><caption>Claims of " + EscapedForMarkup(run.claims_file) +
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
  return html + "</tbody></table></section>\n";
}

}  // namespace

std::string ToHtml(const Document& document, const PageOptions& options) {
  const std::vector<Row> rows = RowsOf(document);
  Page page{document, options, {}};
  for (const Row& row : rows) page.ids.insert(row.any->id);
  std::string style, filters, heads, body, subjects;
  std::vector<std::string> verdicts(std::begin(kVerdicts), std::end(kVerdicts));
  filters += FilterHtml("Verdict", "v-", verdicts, &style);
  filters += FilterHtml("Topic", "t-", Distinct(rows, &RecordedRequirement::topic), &style);
  filters += FilterHtml("Level", "l-", Distinct(rows, &RecordedRequirement::level), &style);
  std::string title = "Conformance";
  for (const RecordedRun& run : document.runs) {
    title += (&run == &document.runs.front() ? ": " : ", ") + run.Title();
    heads += "<th scope=\"col\">" + EscapedForMarkup(run.Title()) + "</th>";
    subjects += SubjectHtml(run);
  }
  if (options.scores != nullptr) heads += "<th scope=\"col\">mutants killed</th>";
  for (const Row& row : rows) body += RowHtml(page, row);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
         "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         EscapedForMarkup(title) + "</title>\n<style>\n" + kPageStyle + style +
         "</style>\n</head>\n<body>\n<header><h1>" + EscapedForMarkup(title) +
         "</h1></header>\n<main>\n" + subjects +
         "<form class=\"filters\" aria-label=\"Show only\">" + filters +
         "</form>\n<table class=\"matrix\"><caption>Requirements, worst first</caption>\n"
         "<thead><tr><th scope=\"col\">requirement</th>" +
         heads + "</tr></thead>\n<tbody>\n" + body + "</tbody></table>\n" + SourcesHtml() +
         "</main>\n<script>\n" + kPageScript + "</script>\n</body>\n</html>\n";
}

}  // namespace conformance
