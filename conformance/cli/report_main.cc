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
usage or a file that is not a results file.
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

struct Request {
  std::string command, out;
  std::vector<conformance::Document> documents;
  std::vector<std::string> texts, names;  // of the documents
  conformance::Scores scores;
  bool has_scores = false;
  std::string repository;
};

// Takes one argument. Gives what is wrong with it, or "".
std::string Take(const std::string& argument, Request* request) {
  if (argument.rfind("--mutants=", 0) == 0) {
    std::string text;
    const std::string file = argument.substr(10);
    const std::string problem = conformance::ReadResults(file, &text);
    request->has_scores = true;
    return problem.empty() ? conformance::AddScores(text, file, &request->scores) : problem;
  }
  if (argument.rfind("--repository=", 0) == 0) {
    std::string& address = request->repository = argument.substr(13);
    while (!address.empty() && address.back() == '/') address.pop_back();
    return IsAddress(address)
               ? ""
               : "--repository wants the address of a folder, http://... or https://...";
  }
  if (argument.rfind("--out=", 0) == 0) {
    request->out = argument.substr(6);
    return request->out.empty() ? "--out wants a file" : "";
  }
  if (const char* const value = ValueOf(argument); value != nullptr)
    return argument + " wants =" + value + " in the same word";
  if (argument.size() > 1 && argument[0] == '-')
    return conformance::UnknownFlag(argument.substr(0, argument.find('=')),
                                    {"--out", "--mutants", "--repository", "--help", "--version"});
  if (request->command.empty()) {
    request->command = argument;
    return "";
  }
  std::string text;
  const std::string problem = conformance::ReadResults(argument, &text);
  if (!problem.empty()) return problem;
  request->documents.push_back(conformance::ParseDocument(text, argument));
  request->texts.push_back(std::move(text));
  request->names.push_back(argument);
  return request->documents.back().error;
}

// What is wrong with the request as a whole, or "".
std::string Check(const Request& request) {
  const std::string& command = request.command;
  const char* const known[] = {"text", "html", "junit", "badge", "merge", "diff", "history"};
  if (std::find(std::begin(known), std::end(known), command) == std::end(known))
    return (command.empty() ? "no command" : "unknown command '" + command + "'") +
           std::string("; there are text, html, junit, badge, merge, diff and history");
  if (command != "html" && (request.has_scores || !request.repository.empty()))
    return "--mutants and --repository are of html alone";
  const bool diff = command == "diff";
  if (diff ? request.documents.size() != 2 : request.documents.empty())
    return command + (diff ? " wants two results files" : " wants a results file");
  return "";
}

// What the command makes of the documents; `status` is 1 where a diff is for the worse. Gives what
// is wrong, or "".
std::string Render(Request request, std::string* text, int* status) {
  const std::string& command = request.command;
  if (command == "diff") {
    const conformance::Difference difference =
        conformance::Compare(request.documents[0], request.documents[1]);
    *text = difference.text;
    *status = difference.worse ? 1 : 0;
    return "";
  }
  if (command == "merge") {
    conformance::Merged merged = conformance::MergeShards(request.texts, request.names);
    if (!merged.problem.empty()) return "merge: " + merged.problem;
    *text = std::move(merged.document);
    return "";
  }
  conformance::Document all;
  for (conformance::Document& document : request.documents)
    for (conformance::RecordedRun& run : document.runs) all.runs.push_back(std::move(run));
  conformance::PageOptions page;
  if (request.has_scores) page.scores = &request.scores;
  page.repository = request.repository;
  *text = command == "html"      ? conformance::ToHtml(all, page)
          : command == "junit"   ? conformance::ToJunit(all)
          : command == "badge"   ? conformance::ToBadge(all)
          : command == "history" ? conformance::HistoryText(all)
                                 : conformance::ToText(all);
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
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
    const std::string problem = Take(argument, &request);
    if (!problem.empty()) return Complain(problem);
  }
  std::string problem = Check(request);
  if (!problem.empty()) return Complain(problem);

  const std::string out = request.out;
  int status = 0;
  std::string text;
  problem = Render(std::move(request), &text, &status);
  if (!problem.empty()) return Complain(problem);
  if (!out.empty()) {
    problem = conformance::WriteFile(out, text);
    return problem.empty() ? status : Complain("--out: " + problem);
  }
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    return Complain("cannot write to standard output");
  return status;
}
