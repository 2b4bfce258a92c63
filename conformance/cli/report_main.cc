// report: what a results file says, for people and for build servers.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/printable.h"
#include "conformance/cli/nearest.h"
#include "conformance/report/badge.h"
#include "conformance/report/diff.h"
#include "conformance/report/document.h"
#include "conformance/report/files.h"
#include "conformance/report/history.h"
#include "conformance/report/html.h"
#include "conformance/report/junit.h"
#include "conformance/report/merge.h"
#include "conformance/report/results.h"
#include "conformance/report/scores.h"
#include "conformance/report/text.h"

namespace {

// tools/report answers --help with the same words, without a build: tools/documented_commands_test.
constexpr char kUsage[] =
    R"(usage: report COMMAND RESULTS.json... [--out=FILE] [--mutants=FILE] [--repository=URL]
  text    a summary, and every failure
  html    one page that needs no other file
  junit   XML, a test case for each requirement
  badge   a small picture (SVG)
  merge   the files of all shards, or chapters, of one run as one
  diff    BEFORE.json AFTER.json: what changed
  history the runs in the order given: which verdicts changed when
Several files are one report. Of html alone: --mutants=mutants.json, which may be given several
times, adds a column of the mutants that the suite killed; with --repository=URL each requirement
links to URL/spec/TOPIC/requirements.md. Writes to standard output, or to FILE, whole or not at all.
--version says which suite this is. Exit status: 0; of diff 1 when something got worse; 2 wrong
usage or a file that is none.
)";

int Complain(const std::string& text) {
  std::fprintf(stderr, "report: %s\n", conformance::Printable(text).c_str());
  return 2;
}

// What a flag that stands without "=" wants behind it; null if `argument` is no such flag.
const char* ValueOf(const std::string& argument) {
  if (argument == "--repository") return "URL";
  return argument == "--out" || argument == "--mutants" ? "FILE" : nullptr;
}

// A page links there, so it is no script and no file of this machine.
bool IsAddress(const std::string& text) {
  for (const char* scheme : {"http://", "https://"})
    if (text.rfind(scheme, 0) == 0 && text.size() > std::string(scheme).size()) return true;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  using conformance::Document;
  std::string command, out;
  std::vector<Document> documents;
  conformance::Scores scores;
  conformance::PageOptions page;
  std::vector<std::string> texts, names;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      std::fputs(kUsage, stdout);
      return 0;
    }
    if (argument == "--version") {
      std::printf("dnnspec %s\n", conformance::kSuiteVersion);
      return 0;
    }
    if (argument.rfind("--mutants=", 0) == 0) {
      std::string text;
      const std::string file = argument.substr(10);
      std::string problem = conformance::ReadResults(file, &text);
      if (problem.empty()) problem = conformance::AddScores(text, file, &scores);
      if (!problem.empty()) return Complain(problem);
      page.scores = &scores;
    } else if (argument.rfind("--repository=", 0) == 0) {
      page.repository = argument.substr(13);
      while (!page.repository.empty() && page.repository.back() == '/') page.repository.pop_back();
      if (!IsAddress(page.repository))
        return Complain("--repository wants the address of a folder, http://... or https://...");
    } else if (argument.rfind("--out=", 0) == 0) {
      out = argument.substr(6);
      if (out.empty()) return Complain("--out wants a file");
    } else if (const char* const value = ValueOf(argument); value != nullptr) {
      return Complain(argument + " wants =" + value + " in the same word");
    } else if (argument.size() > 1 && argument[0] == '-') {
      return Complain(
          conformance::UnknownFlag(argument.substr(0, argument.find('=')),
                                   {"--out", "--mutants", "--repository", "--help", "--version"}));
    } else if (command.empty()) {
      command = argument;
    } else {
      std::string text;
      const std::string problem = conformance::ReadResults(argument, &text);
      if (!problem.empty()) return Complain(problem);
      documents.push_back(conformance::ParseDocument(text, argument));
      texts.push_back(std::move(text));
      names.push_back(argument);
      if (!documents.back().error.empty()) return Complain(documents.back().error);
    }
  }
  const bool diff = command == "diff";
  const char* const known[] = {"text", "html", "junit", "badge", "merge", "diff", "history"};
  if (std::find(std::begin(known), std::end(known), command) == std::end(known))
    return Complain((command.empty() ? "no command" : "unknown command '" + command + "'") +
                    std::string("; there are text, html, junit, badge, merge, diff and history"));
  if (command != "html" && (page.scores != nullptr || !page.repository.empty()))
    return Complain("--mutants and --repository are of html alone");
  if (diff ? documents.size() != 2 : documents.empty())
    return Complain(command + (diff ? " wants two results files" : " wants a results file"));

  int status = 0;
  std::string text;
  if (diff) {
    const conformance::Difference difference = conformance::Compare(documents[0], documents[1]);
    text = difference.text;
    status = difference.worse ? 1 : 0;
  } else if (command == "merge") {
    conformance::Merged merged = conformance::MergeShards(texts, names);
    if (!merged.problem.empty()) return Complain("merge: " + merged.problem);
    text = std::move(merged.document);
  } else {
    Document all;
    for (Document& document : documents)
      for (conformance::RecordedRun& run : document.runs) all.runs.push_back(std::move(run));
    text = command == "html"      ? conformance::ToHtml(all, page)
           : command == "junit"   ? conformance::ToJunit(all)
           : command == "badge"   ? conformance::ToBadge(all)
           : command == "history" ? conformance::HistoryText(all)
                                  : conformance::ToText(all);
  }
  if (!out.empty()) {
    const std::string problem = conformance::WriteFile(out, text);
    return problem.empty() ? status : Complain("--out: " + problem);
  }
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    return Complain("cannot write to standard output");
  return status;
}
