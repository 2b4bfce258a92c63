#include "conformance/report/html.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "conformance/report/about.h"
#include "conformance/report/causes.h"
#include "conformance/report/elements.h"
#include "conformance/report/markup.h"
#include "conformance/report/numbers.h"
#include "conformance/report/page.h"
#include "conformance/report/sources.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

std::string Classes(int count) {
  return std::to_string(count) + (count == 1 ? " class" : " classes");
}

// What every row is made with.
struct Page {
  const Document& document;
  const PageOptions& options;
  std::set<std::string, std::less<>> ids;  // of the rows
  std::vector<std::string> names;          // of the runs, in its headings
  std::vector<std::vector<Cause>> causes;  // of each run
  // Of a failure whose cause is told in full elsewhere: by the requirement of that id.
  std::map<const RecordedFailure*, std::string> told_by;
};

// A requirement and what each subject got for it; null where a subject was not asked.
struct Row {
  const RecordedRequirement* any = nullptr;
  std::vector<const RecordedRequirement*> of;
  int severity = -1;
  size_t place = 0;  // in the order of the documents

  bool alike() const {
    return of.size() > 1 &&
           std::all_of(of.begin(), of.end(), [this](const RecordedRequirement* one) {
             return one != nullptr && one->verdict == any->verdict;
           });
  }
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

// With `told_by`, the id of a requirement whose failure has the same cause, it is closed.
std::string FailureHtml(const RecordedFailure& failure, const std::string* told_by) {
  std::string html = told_by == nullptr
                         ? std::string("<div class=\"failure\">")
                         : "<details class=\"failure\"><summary>of one cause with " +
                               EscapedForMarkup(*told_by) + ": <code>" +
                               EscapedForMarkup(failure.minimal) + "</code></summary>";
  html += "<dl>";
  html += Pair("case", "<code>" + EscapedForMarkup(failure.minimal) + "</code>");
  html += Pair("at", EscapedForMarkup(failure.where));
  html += Pair("expected", "<code>" + EscapedForMarkup(failure.expected) + "</code>");
  html += Pair("got", "<code>" + EscapedForMarkup(failure.got) + "</code>");
  if (!failure.signal.empty()) html += Pair("ended by", EscapedForMarkup(failure.signal));
  html += Pair("cases", Grouped(failure.count) + (failure.warning ? " (a warning)" : ""));
  html += "</dl><p>Replay:</p>" + Copyable(failure.replay);
  if (!failure.reproducer.empty())
    html += "<p>As a program: <code>" + EscapedForMarkup(failure.reproducer) + "</code></p>";
  return html + (told_by == nullptr ? "</div>" : "</details>");
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
    html += "<h3>" + EscapedForMarkup(page.names[s]) + ": " + Words(got->verdict) + "</h3>";
    if (!got->reason.empty()) html += "<p>" + WithLinks(got->reason, page.ids) + "</p>";
    html += "<p class=\"source\">" + Grouped(got->cases) + " cases, " + Seconds(got->seconds) +
            ", " + Classes(got->classes) + " of input seen</p>";
    for (const RecordedFailure& failure : got->failures) {
      const auto at = page.told_by.find(&failure);
      html += FailureHtml(failure, at == page.told_by.end() ? nullptr : &at->second);
    }
  }
  return html + MutantsHtml(mutants);
}

std::string RowHtml(const Page& page, const Row& row) {
  const RecordedRequirement& any = *row.any;
  const std::vector<ScoredMutant> mutants = MutantsOf(page, any.id);
  const std::string worst(row.severity < 0 ? "not_run" : [&row] {
    for (const char* verdict : kVerdictsWorstFirst)
      if (Severity(verdict) == row.severity) return verdict;
    return "not_run";
  }());
  const std::string id = EscapedForMarkup(any.id);
  std::string html =
      "<tr id=\"" + id + "\" class=\"v-" + Token(worst) + " t-" + Token(any.topic) + " l-" +
      Token(any.level) + (row.alike() ? " alike" : "") + "\"><th scope=\"row\"><details" +
      (row.severity >= Severity("suite_error") ? " open" : "") + "><summary><a href=\"#" + id +
      "\">" + id + "</a> <small>" + EscapedForMarkup(Lower(any.level)) +
      "</small> <span class=\"text\">" + Sentence(any.text) + "</span></summary>" +
      Inside(page, row, mutants) + "</details></th>";
  for (size_t s = 0; s < row.of.size(); ++s) {
    html += "<td data-subject=\"" + EscapedForMarkup(page.names[s]) + "\">";
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

// With the date, where several runs have one title.
std::vector<std::string> NamesOf(const Document& document) {
  std::vector<std::string> names;
  for (const RecordedRun& run : document.runs) {
    const auto same =
        std::count_if(document.runs.begin(), document.runs.end(),
                      [&run](const RecordedRun& other) { return other.Title() == run.Title(); });
    names.push_back(run.Title() + (same > 1 && !run.date.empty() ? ", " + run.date : ""));
  }
  return names;
}

Page PageOf(const Document& document, const PageOptions& options, const std::vector<Row>& rows) {
  Page page{document, options, {}, NamesOf(document), {}, {}};
  for (const Row& row : rows) page.ids.insert(row.any->id);
  for (const RecordedRun& run : document.runs) {
    page.causes.push_back(CausesOf(run));
    for (const Cause& cause : page.causes.back())
      for (const RecordedFailure* failure : cause.failures)
        if (failure != cause.failures.front())
          page.told_by[failure] = cause.requirements.front()->id;
  }
  return page;
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

// What a script has to be there for is hidden until it is.
constexpr char kSearch[] =
    "<fieldset hidden><legend>Search</legend><label>words <input type=\"search\" id=\"f-text\">"
    "</label> <output id=\"f-count\"></output></fieldset>";
constexpr char kDiffer[] =
    "<fieldset><legend>Subjects</legend><label><input type=\"checkbox\" id=\"f-differ\"> only "
    "where they differ</label></fieldset>";
constexpr char kDifferStyle[] = "body:has(#f-differ:checked) tr.alike{display:none}\n";

std::vector<std::string> Distinct(const std::vector<Row>& rows,
                                  std::string RecordedRequirement::*member) {
  std::vector<std::string> values;
  for (const Row& row : rows)
    if (std::find(values.begin(), values.end(), row.any->*member) == values.end())
      values.push_back(row.any->*member);
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

std::string ToHtml(const Document& document, const PageOptions& options) {
  const std::vector<Row> rows = RowsOf(document);
  const Page page = PageOf(document, options, rows);
  std::string style, filters, heads, body, subjects;
  std::vector<std::string> verdicts(std::begin(kVerdictsWorstFirst), std::end(kVerdictsWorstFirst));
  filters += FilterHtml("Verdict", "v-", verdicts, &style);
  filters += FilterHtml("Topic", "t-", Distinct(rows, &RecordedRequirement::topic), &style);
  filters += FilterHtml("Level", "l-", Distinct(rows, &RecordedRequirement::level), &style);
  filters += kSearch;
  if (document.runs.size() > 1) {
    filters += kDiffer;
    style += kDifferStyle;
  }
  std::string title = "Conformance";
  for (size_t r = 0; r < document.runs.size(); ++r) {
    title += (r == 0 ? ": " : ", ") + page.names[r];
    heads += "<th scope=\"col\">" + EscapedForMarkup(page.names[r]) + "</th>";
    subjects += AboutHtml(document.runs[r], page.names[r], page.causes[r], page.ids);
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
