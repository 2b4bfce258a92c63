#include "conformance/cli/lines.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

#include "conformance/case/numbered_lines.h"
#include "conformance/case/printable.h"
#include "conformance/cli/complain.h"
#include "conformance/cli/shapes.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/replay.h"
#include "conformance/report/differential.h"
#include "conformance/report/files.h"
#include "conformance/report/summary.h"
#include "conformance/reproduce/write.h"
#include "conformance/subject/facts.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

std::string NameIn(const std::string& line) { return line.substr(0, line.find(' ')); }

// The property that a line names; null if there is none of that name.
const Property* PropertyOf(const std::string& line,
                           const std::vector<const Property*>& properties) {
  const std::string name = NameIn(line);
  const auto property =
      std::find_if(properties.begin(), properties.end(),
                   [&name](const Property* known) { return known->name() == name; });
  return property == properties.end() ? nullptr : *property;
}

// For `line`, a case of `property`.
RunOptions OptionsFor(const Options& options, const Results& results, const Property& property,
                      const std::string& line) {
  RunOptions run_options;
  run_options.profile = results.profile;
  run_options.engine = results.engine;
  run_options.limits = LimitsOf(options, 1, property.Products(FieldsOf(line)));
  return run_options;
}

// A case of a batch.
struct BatchLine {
  int number = 0;
  std::string text;
  std::string comment = "";  // to be shown behind it
  std::string problem = "";  // what is wrong with it, as far as that is known
};

// Those of a file, with the cases of each shape in its place.
std::vector<BatchLine> CasesOf(std::string_view text) {
  std::vector<BatchLine> cases;
  for (const NumberedLine& line : LinesOf(text)) {
    const std::string written(line.text);
    if (!IsShape(written)) {
      cases.push_back({line.number, written});
      continue;
    }
    const ShapeCases shape = CasesOfShape(written);
    if (!shape.error.empty()) {
      cases.push_back({line.number, written, "", shape.error});
      continue;
    }
    for (const std::string& one : shape.cases)
      cases.push_back({line.number, one, "  # " + shape.name});
  }
  return cases;
}

Answer WithProblem(const std::string& problem) {
  Answer answer;
  answer.problem = problem;
  return answer;
}

// `claims` may be null.
Answer AnswerTo(const std::string& line, const Options& options,
                const std::vector<const Property*>& properties, const Claims* claims,
                const Results& results, SharedRunState* state) {
  const std::string name = NameIn(line);
  const Property* const property = PropertyOf(line, properties);
  if (property == nullptr) {
    const spec::Requirement* const requirement =
        spec::FindRequirement(name.substr(0, name.find('/')).c_str());
    if (requirement == nullptr || !SubjectLacks(requirement->topic))
      return WithProblem("no property is named '" + name + "'");
    Answer answer;
    answer.result = CaseResult::kNotRun;
    answer.reason = "not in this subject";
    return answer;
  }
  RunOptions run_options = OptionsFor(options, results, *property, line);
  ApplyClaims(claims, *property, &run_options);
  return Replay(*property, line.substr(name.size()), run_options, state);
}

}  // namespace

int AnswerCase(const Options& options, const std::vector<const Property*>& properties,
               const Claims* claims, const Results& results, SharedRunState* state) {
  const std::string& line = options.replay;
  const std::string name = NameIn(line);
  const Property* const property = PropertyOf(line, properties);
  if (property == nullptr) return Complain("--case: no property is named '" + name + "'");
  RunOptions run_options = OptionsFor(options, results, *property, line);
  ApplyClaims(claims, *property, &run_options);
  const Answer answer = Replay(*property, line.substr(name.size()), run_options, state);
  if (!answer.problem.empty()) return Complain("--case: " + answer.problem);
  std::string program;
  if (!ProgramFolder(options).empty()) {
    Failure failure;
    failure.line = failure.minimal = line;
    failure.where = answer.where;
    failure.expected = answer.expected;
    failure.got = answer.got;
    failure.signal = answer.signal;
    if (answer.failed() && answer.signal.empty() && run_options.engine == EngineChoice::kCpu)
      failure.statements =
          property->Statements(FieldsOf(line), run_options.profile, answer.where, answer.expected);
    const std::string problem =
        WriteReproducer(ProgramFolder(options), results, *property, &failure);
    if (!problem.empty()) return Complain("--out: " + problem);
    program = ProgramPath(results, failure);
  }
  std::printf("%s%s\n", Headline(results).c_str(), Printable(line).c_str());
  if (!program.empty()) std::printf("program   %s\n", Printable(program).c_str());
  switch (answer.result) {
    case CaseResult::kHeld:
      std::printf("held\n");
      return 0;
    case CaseResult::kVacuous:
      std::printf("held, and would hold whatever was done\n");
      return 0;
    case CaseResult::kNotRun:
      std::printf("not run: %s\n", answer.reason.c_str());
      return 0;
    case CaseResult::kDeviated:
    case CaseResult::kFailed:
      break;
  }
  std::printf("at        %s\nexpected  %s\ngot       %s\n", answer.where.c_str(),
              answer.expected.c_str(), answer.got.c_str());
  if (answer.result == CaseResult::kFailed) return 1;
  std::printf("(a warning in the portable profile)\n");
  return 0;
}

int AnswerBatch(const Options& options, const std::vector<const Property*>& properties,
                const Claims* claims, const Results& results, SharedRunState* state) {
  std::string text;
  const std::string problem = ReadLines(options.batch, &text);
  if (!problem.empty()) return Complain("--batch: " + problem);
  std::printf("%s", Headline(results).c_str());
  int held = 0, failed = 0, not_run = 0, wrong = 0;
  std::string complained;  // of a shape, which may have several cases that are wrong in one way
  for (const BatchLine& line : CasesOf(text)) {
    const Answer answer = line.problem.empty()
                              ? AnswerTo(line.text, options, properties, claims, results, state)
                              : WithProblem(line.problem);
    const std::string shown = Printable(line.text + line.comment);
    if (!answer.problem.empty()) {
      ++wrong;
      const std::string complaint =
          options.batch + ":" + std::to_string(line.number) + ": " + answer.problem;
      if (complaint != complained) Complain("--batch: " + complaint);
      complained = complaint;
    } else if (answer.failed()) {
      ++failed;
      std::printf("failed    %s\n  at        %s\n  expected  %s\n  got       %s\n", shown.c_str(),
                  answer.where.c_str(), answer.expected.c_str(), answer.got.c_str());
    } else if (answer.result == CaseResult::kNotRun) {
      ++not_run;
      std::printf("not run   %s (%s)\n", shown.c_str(), answer.reason.c_str());
    } else {
      ++held;
      std::printf("held      %s\n", shown.c_str());
    }
  }
  const int cases = held + failed + not_run;
  std::printf("%s: %d %s: %d held, %d failed, %d not run\n", Printable(results.subject).c_str(),
              cases, cases == 1 ? "case" : "cases", held, failed, not_run);
  if (std::fflush(stdout) != 0) return Complain("cannot write to standard output");
  if (failed > 0) return 1;
  if (wrong > 0) return 2;
  return held == 0 ? Complain("--batch: nothing was judged") : 0;
}

int AnswerLines(const Options& options, const std::vector<const Property*>& properties,
                const Results& results, SharedRunState* state) {
  std::string lines;
  const std::string problem = ReadLines(options.answers, &lines);
  if (!problem.empty()) return Complain("--answers: " + problem);
  Reply reply;
  reply.subject = results.subject + " " + results.version;
  for (size_t begin = 0; begin < lines.size();) {
    const std::string line = lines.substr(begin, lines.find('\n', begin) - begin);
    begin += line.size() + 1;
    const std::string name = NameIn(line);
    const Property* const property = PropertyOf(line, properties);
    Answer answer;
    if (property == nullptr) {
      answer.problem = "no property is named '" + name + "'";
    } else {
      answer = Replay(*property, line.substr(name.size()),
                      OptionsFor(options, results, *property, line), state);
    }
    reply.kind = answer.failed() ? Reply::kFailed : Reply::kHeld;
    reply.where = answer.where;
    reply.expected = answer.expected;
    reply.got = answer.got;
    if (!answer.problem.empty() || answer.result == CaseResult::kNotRun) {
      reply.kind = Reply::kNotRun;
      reply.got = answer.problem.empty() ? answer.reason : answer.problem;
    }
    std::printf("%s\n", ReplyLine(reply).c_str());
  }
  return 0;
}

}  // namespace conformance
