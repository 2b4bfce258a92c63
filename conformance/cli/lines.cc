#include "conformance/cli/lines.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "conformance/case/printable.h"
#include "conformance/cli/complain.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/replay.h"
#include "conformance/report/differential.h"
#include "conformance/report/files.h"
#include "conformance/report/summary.h"
#include "conformance/reproduce/write.h"

namespace conformance {
int AnswerCase(const Options& options, const std::vector<const Property*>& properties,
               const Claims* claims, const Results& results, SharedRunState* state) {
  const std::string& line = options.replay;
  const std::string name = line.substr(0, line.find(' '));
  const auto property =
      std::find_if(properties.begin(), properties.end(),
                   [&name](const Property* known) { return known->name() == name; });
  if (property == properties.end()) return Complain("--case: no property is named '" + name + "'");
  RunOptions run_options;
  run_options.profile = results.profile;
  run_options.engine = results.engine;
  run_options.limits = LimitsOf(options, 1);
  if (claims != nullptr) ApplyClaim(claims->Find((*property)->requirement().topic), &run_options);
  const Answer answer = Replay(**property, line.substr(name.size()), run_options, state);
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
      failure.statements = (*property)->Statements(FieldsOf(line), run_options.profile,
                                                   answer.where, answer.expected);
    const std::string problem =
        WriteReproducer(ProgramFolder(options), results, **property, &failure);
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

int AnswerLines(const Options& options, const std::vector<const Property*>& properties,
                const Results& results, SharedRunState* state) {
  std::string lines;
  const std::string problem = ReadLines(options.answers, &lines);
  if (!problem.empty()) return Complain("--answers: " + problem);
  RunOptions run_options;
  run_options.profile = results.profile;
  run_options.engine = results.engine;
  run_options.limits = LimitsOf(options, 1);
  Reply reply;
  reply.subject = results.subject + " " + results.version;
  for (size_t begin = 0; begin < lines.size();) {
    const std::string line = lines.substr(begin, lines.find('\n', begin) - begin);
    begin += line.size() + 1;
    const std::string name = line.substr(0, line.find(' '));
    const auto property =
        std::find_if(properties.begin(), properties.end(),
                     [&name](const Property* known) { return known->name() == name; });
    Answer answer;
    if (property == properties.end()) {
      answer.problem = "no property is named '" + name + "'";
    } else {
      answer = Replay(**property, line.substr(name.size()), run_options, state);
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
