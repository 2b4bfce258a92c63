#include "conformance/judge/judge.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "conformance/case/printable.h"
#include "conformance/judge/process_state.h"
#include "conformance/judge/replay.h"

namespace conformance {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kKinds = 5;  // kinds of failure kept for a property

// Which cases to run.
struct Plan {
  int64_t end;   // one past the last
  int64_t sure;  // these are run however long they take
  Clock::time_point deadline;
};

Plan Prepare(const Property& property, const RunOptions& run_options) {
  Plan plan = {property.count(), 0, Clock::time_point::max()};
  const bool listed = plan.end > 0;
  if (!listed)
    plan.end =
        run_options.budget.count() > 0 ? std::numeric_limits<int64_t>::max() : DrawnCases(property);
  if (run_options.cases > 0) {
    plan.end =
        listed ? std::min(plan.end, run_options.cases) : DrawnCases(property, run_options.cases);
  }
  plan.sure = plan.end;
  if (!listed && run_options.budget.count() > 0) {
    plan.sure = std::min(plan.end, kFewestCases);
    plan.deadline = Clock::now() + run_options.budget;
  }
  return plan;
}

void RunCases(const Property& property, const RunOptions& run_options, const Plan& plan,
              int64_t begin, const Captured& captured, SharedRunState* state) {
  ProcessState process;
  for (int64_t index = begin; index < plan.end; ++index) {
    if (index >= plan.sure && Clock::now() >= plan.deadline) return;
    state->Begin(index);
    state->Account(RunGuarded(
        run_options, captured, &process, [&] { return property.Line(run_options.seed, index); },
        [&](Trial& trial) { property.Run(run_options.seed, index, trial); }));
    if (run_options.enough > 0 &&
        state->results[static_cast<int>(CaseResult::kFailed)] >= run_options.enough)
      return;
  }
}

Failure* FindKind(PropertyResult* result, std::vector<uint64_t>* kinds, uint64_t kind) {
  for (size_t i = 0; i < kinds->size(); ++i)
    if ((*kinds)[i] == kind) return &result->failures[i];
  if (kinds->size() == kKinds) return nullptr;
  kinds->push_back(kind);
  return &result->failures.emplace_back();
}

// Adds what the child counted.
void Merge(const Property& property, const RunOptions& run_options, const SharedRunState& state,
           PropertyResult* result, std::vector<uint64_t>* kinds) {
  for (int i = 0; i < 5; ++i) {
    result->results[i] += std::max<int64_t>(0, state.results[i]);
    result->cases += std::max<int64_t>(0, state.results[i]);
  }
  for (int i = 0; i < state.classes.size(); ++i) {
    ClassCount& count = result->classes[state.classes[i].text.Shown()];
    count.run += state.classes[i].counts[0];
    count.not_run += state.classes[i].counts[1];
    count.failed += state.classes[i].counts[2];
  }
  for (int i = 0; i < state.reasons.size(); ++i)
    result->reasons[state.reasons[i].Shown()] += state.reasons[i].counts[0];
  for (int i = 0; i < state.refusals.size(); ++i) {
    const Asked asked = Asked::Parse(state.refusals[i].text.Text());
    result->refusals[asked] += state.refusals[i].counts[0];
    result->refusal_words.emplace(asked, state.refusals[i].words.Shown());
  }
  for (int i = 0; i < state.records.size(); ++i) {
    const std::string text = state.records[i].text.Text();
    const size_t split = std::min(text.find('\n'), text.size() - 1);
    result->records[{Printable(text.substr(0, split)), Printable(text.substr(split + 1))}] +=
        state.records[i].counts[0];
  }
  for (int i = 0; i < std::clamp<int>(state.failure_count, 0, SharedRunState::kFailures); ++i) {
    const FailureNote& note = state.failures[i];
    Failure* const failure = FindKind(result, kinds, note.kind + (note.deviation ? 1 : 0));
    if (failure == nullptr) continue;
    if (failure->count == 0) {
      failure->line = property.Line(run_options.seed, std::max<int64_t>(0, note.index));
      failure->where = note.where.Shown();
      failure->expected = note.expected.Shown();
      failure->got = note.got.Shown();
      failure->deviation = note.deviation;
      failure->status = note.status;
    }
    failure->count += note.count;
  }
}

void AddDeath(const Property& property, const RunOptions& run_options, const End& end,
              int64_t index, PropertyResult* result, std::vector<uint64_t>* kinds) {
  ++result->results[static_cast<int>(CaseResult::kFailed)];
  if (!end.leaving) ++result->cases;
  Failure* const failure =
      FindKind(result, kinds, FailureKind("process", end.Signal(), end.Describe()));
  if (failure == nullptr) return;
  if (failure->count++ > 0) return;
  failure->line = property.Line(run_options.seed, index);
  failure->where = "process";
  failure->expected = "the process goes on";
  failure->got = end.Describe();
  failure->signal = end.Signal();
}

// Runs one case, alone, with twice the time.
End Again(const Property& property, const RunOptions& run_options, const Plan& plan, int64_t index,
          SharedRunState* state) {
  Plan one = plan;
  one.end = one.sure = index + 1;
  Limits limits = run_options.limits;
  limits.silence *= 2;
  limits.paced = true;
  state->Clear();
  return Isolate(limits, state, [&](const Captured& captured) {
    RunCases(property, run_options, one, index, captured, state);
  });
}

}  // namespace

int64_t DrawnCases(const Property& property, int64_t cases) {
  constexpr int64_t kFirst = 20;
  return std::max(std::min(cases, kFirst), cases / property.cost());
}

PropertyResult Judge(const Property& property, const RunOptions& run_options,
                     SharedRunState* state) {
  const Clock::time_point begin = Clock::now();
  const Plan plan = Prepare(property, run_options);
  PropertyResult result;
  result.name = property.name();
  if (plan.sure == plan.end) result.planned = plan.end;
  std::vector<uint64_t> kinds;
  int deaths = 0, hangs = 0;
  Limits limits = run_options.limits;
  // A parent that was ended before it was known by which case.
  std::optional<std::pair<End, int64_t>> ended_parent;
  for (int64_t next = 0; next < plan.end && result.stopped.empty();) {
    state->Clear();
    End end = Isolate(limits, state, [&](const Captured& captured) {
      RunCases(property, run_options, plan, next, captured, state);
    });
    const int64_t index = std::clamp<int64_t>(state->current, next, plan.end - 1);
    if (end.kind == End::kParent && !limits.paced) {
      // It was this case or one before it. The same again, one step at a time.
      limits.paced = true;
      ended_parent.emplace(end, index);
      continue;
    }
    Merge(property, run_options, *state, &result, &kinds);
    if (end.kind == End::kHang && hangs == 0 && !end.leaving) {
      end = Again(property, run_options, plan, index, state);
      if (end.finished()) {
        Merge(property, run_options, *state, &result, &kinds);
        next = index + 1;
        continue;
      }
    }
    if (ended_parent && end.kind != End::kParent)
      AddDeath(property, run_options, ended_parent->first, ended_parent->second, &result, &kinds);
    ended_parent.reset();
    // Classes are the suite's own words: where some are lost, nobody knows what was covered. (A
    // child that died may have written anything here.)
    if (end.finished() && state->classes.full())
      result.problem = "more than " + std::to_string(Tally::kRows) + " classes of input";
    if (end.finished()) break;
    AddDeath(property, run_options, end, index, &result, &kinds);
    if (end.leaving) break;
    next = index + 1;
    if (end.kind == End::kHang && ++hangs >= run_options.hangs)
      result.stopped = "given up after " + std::to_string(hangs) + " cases without an answer";
    if (++deaths >= run_options.deaths)
      result.stopped = "given up after " + std::to_string(deaths) + " dead processes";
  }
  for (Failure& failure : result.failures) {
    Shrink(property, run_options, state, &failure);
    const bool on_host = run_options.engine == EngineChoice::kCpu;
    if (!on_host || !failure.alone || !failure.signal.empty()) continue;
    failure.statements = property.Statements(FieldsOf(failure.minimal), run_options.profile,
                                             failure.where, failure.expected);
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

}  // namespace conformance
