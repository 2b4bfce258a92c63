#include "conformance/judge/replay.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <set>

#include "conformance/case/printable.h"

namespace conformance {
namespace {

using Clock = std::chrono::steady_clock;

// A candidate must fail as the original does: die like it, or report a failure of its kind.
bool FailsAlike(const Failure& failure, const Answer& answer) {
  if (!answer.problem.empty() || !answer.failed()) return false;
  if (failure.signal != answer.signal) return false;
  if (!failure.signal.empty()) return true;
  if (failure.deviation != (answer.result == CaseResult::kDeviated)) return false;
  if (failure.status != answer.status) return false;
  return FailureKind(failure.where, failure.expected, failure.got) ==
         FailureKind(answer.where, answer.expected, answer.got);
}

// For a few cases, of which it matters what each of them does.
Limits Paced(Limits limits) {
  limits.paced = true;
  return limits;
}

Answer DeathAnswer(const End& end) {
  Answer answer;
  answer.result = CaseResult::kFailed;
  answer.where = "process";
  answer.expected = "the process goes on";
  answer.got = end.Describe();
  answer.signal = end.Signal();
  return answer;
}

bool IsOutside(const RunOptions& run_options, const Asked& refused) {
  return run_options.refused_outside != nullptr && !run_options.refused_outside(refused).empty();
}

// Runs `lines` in order until one fails like `failure`. Its place in *at, or lines.size().
Answer FirstAlike(const Property& property, const std::vector<std::string>& lines,
                  const RunOptions& run_options, SharedRunState* state, const Failure& failure,
                  Clock::time_point deadline, size_t* at) {
  for (size_t next = 0; next < lines.size() && Clock::now() < deadline;) {
    state->Clear();
    const End end = Isolate(Paced(run_options.limits), state, [&](const Captured& captured) {
      ProcessState process;
      for (size_t i = next; i < lines.size() && Clock::now() < deadline; ++i) {
        state->Begin(static_cast<int64_t>(i));
        const Fields fields = FieldsOf(lines[i]);
        Answer answer;
        const Trial trial = RunGuarded(
            run_options, captured, &process, [&] { return lines[i]; },
            [&](Trial& t) { answer.problem = property.RunFields(fields, t); });
        answer.result = trial.result();
        answer.where = Printable(trial.where());
        answer.expected = Printable(trial.expected());
        answer.got = Printable(trial.got());
        answer.status = trial.status();
        if (!FailsAlike(failure, answer)) continue;
        state->Account(trial);
        return;
      }
      state->Begin(static_cast<int64_t>(lines.size()));
    });
    const int64_t current = state->current;
    *at = current < static_cast<int64_t>(next) ? next : static_cast<size_t>(current);
    if (end.finished()) {
      if (state->failure_count == 0) break;
      const FailureNote& note = state->failures[0];
      return {note.deviation ? CaseResult::kDeviated : CaseResult::kFailed,
              note.where.Shown(),
              note.expected.Shown(),
              note.got.Shown(),
              note.status,
              "",
              "",
              ""};
    }
    if (*at >= lines.size()) break;  // died at exit, after the last one
    const Answer answer = DeathAnswer(end);
    if (FailsAlike(failure, answer)) return answer;
    next = *at + 1;
  }
  *at = lines.size();
  return {};
}

// Whether a guest failed for no other reason than that the subject lacks the guest's primitive.
bool LacksGuest(const RunOptions& run_options, const Trial& trial) {
  return !run_options.guest.empty() && !run_options.claimed && trial.failed() &&
         trial.status() == Refusal::kUnimplemented;
}

}  // namespace

Fields FieldsOf(const std::string& line) {
  const size_t blank = line.find(' ');
  return Fields::Parse(blank == std::string::npos ? "" : line.substr(blank + 1));
}

Trial RunGuarded(const RunOptions& run_options, const Captured& captured, ProcessState* process,
                 const std::function<std::string()>& line, const std::function<void(Trial&)>& run) {
  Trial trial(run_options.profile, run_options.engine);
  if (run_options.outside != nullptr) {
    const std::string outside = run_options.outside(line());
    if (!outside.empty()) {
      trial.NotRun(outside);
      return trial;
    }
  }
  try {
    run(trial);
    if (run_options.claimed && trial.result() == CaseResult::kNotRun && trial.refused() &&
        !IsOutside(run_options, *trial.refused()))
      trial.Fail("claims", "served, as the subject claims", trial.reason());
    if (trial.denied() && IsOutside(run_options, *trial.denied())) {
      const std::string what = trial.denied()->ToString();
      trial = Trial(run_options.profile, run_options.engine);
      trial.NotRun("refused: " + what);
    }
  } catch (const std::exception& e) {
    trial.Fail("exception", "none", e.what());
  } catch (...) {
    trial.Fail("exception", "none", "not a std::exception");
  }
  if (LacksGuest(run_options, trial)) {
    trial = Trial(run_options.profile, run_options.engine);
    trial.NotRun("refused: " + run_options.guest);
  }
  // First, since what was closed may be where the output goes.
  const std::optional<ProcessChange> change = process->PutBack();
  captured.AwaitParent();
  std::string output = captured.Take();
  if (!output.empty()) {
    output.erase(output.find_last_not_of("\n") + 1);
    trial.Deviate("stdout and stderr", "no output", std::move(output));
  }
  if (change) trial.Deviate(change->where, change->expected, change->got);
  return trial;
}

Answer Replay(const Property& property, const std::string& fields, const RunOptions& run_options,
              SharedRunState* state) {
  Answer answer;
  // What means nothing is found out by the child too, for it may run the subject.
  state->Clear();
  const End end = Isolate(Paced(run_options.limits), state, [&](const Captured& captured) {
    ProcessState process;
    state->Begin(0);
    std::string problem;
    const Trial trial = RunGuarded(
        run_options, captured, &process, [&] { return fields; },
        [&](Trial& t) { problem = property.RunFields(Fields::Parse(fields), t); });
    if (!problem.empty()) {
      state->reasons.Add(problem, 1);
    } else {
      state->Account(trial);
    }
  });
  if (!end.finished()) return DeathAnswer(end);
  if (state->reasons.size() > 0 && state->reasons[0].counts[1] > 0) {
    answer.problem = state->reasons[0].text.Shown();
    return answer;
  }
  for (int i = 0; i < 5; ++i)
    if (state->results[i] > 0) answer.result = static_cast<CaseResult>(i);
  if (state->reasons.size() > 0) answer.reason = state->reasons[0].Shown();
  if (state->failure_count > 0) {
    const FailureNote& note = state->failures[0];
    answer.where = note.where.Shown();
    answer.expected = note.expected.Shown();
    answer.got = note.got.Shown();
  }
  return answer;
}

namespace {

void Take(const std::string& line, const Answer& answer, Failure* failure) {
  failure->minimal = line;
  failure->where = answer.where;
  failure->expected = answer.expected;
  failure->got = answer.got;
  failure->signal = answer.signal;
}

// The simplest line that is found by `deadline` and fails like `failure`.
void FindSimpler(const Property& property, const RunOptions& run_options, SharedRunState* state,
                 Clock::time_point deadline, Failure* failure) {
  std::set<std::string> tried = {failure->line};
  while (Clock::now() < deadline) {
    std::vector<std::string> lines;
    for (std::string& line : property.Simpler(FieldsOf(failure->minimal)))
      if (tried.insert(line).second) lines.push_back(std::move(line));
    if (lines.empty()) return;
    size_t at = 0;
    const Answer answer = FirstAlike(property, lines, run_options, state, *failure, deadline, &at);
    if (at == lines.size()) return;
    Take(lines[at], answer, failure);
  }
}

}  // namespace

void Shrink(const Property& property, const RunOptions& run_options, SharedRunState* state,
            Failure* failure) {
  failure->minimal = failure->line;
  // Does it fail with the whole time to itself?
  const auto fails = [&](const std::string& line, Answer* answer) {
    size_t at = 1;
    *answer =
        FirstAlike(property, {line}, run_options, state, *failure, Clock::time_point::max(), &at);
    return at == 0;
  };
  Answer drawn;
  failure->alone = fails(failure->line, &drawn);
  if (!failure->alone) return;
  Take(failure->line, drawn, failure);
  RunOptions quick = run_options;
  // Time for several candidates, each of which may hang.
  quick.limits.silence =
      std::min(run_options.limits.silence,
               failure->signal == "hang" ? run_options.shrink / 8 : run_options.shrink);
  FindSimpler(property, quick, state, Clock::now() + run_options.shrink, failure);
  if (failure->minimal == failure->line) return;
  // What was slow, or failed by chance, is not the case to show.
  Answer again;
  if (fails(failure->minimal, &again)) {
    Take(failure->minimal, again, failure);
  } else {
    Take(failure->line, drawn, failure);
  }
}

}  // namespace conformance
