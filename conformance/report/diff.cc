#include "conformance/report/diff.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "conformance/case/printable.h"

namespace conformance {
namespace {

// A verdict that was lost to "not run" is no improvement on a pass.
int Badness(const std::string& verdict) {
  return verdict == "not_run" ? 2 * Severity("pass") + 1 : 2 * Severity(verdict);
}

// Worse than a pass on some cases: what is new may not bring it.
bool Fails(const std::string& verdict) { return Severity(verdict) > Severity("weak"); }

// Of several runs of one subject on one engine, the first is compared with the first, and so on.
// `run` is one of `own`.
const RecordedRun* Counterpart(const RecordedRun& run, const Document& own,
                               const Document& document) {
  const bool one_each = own.runs.size() == 1 && document.runs.size() == 1;
  const auto alike = [&run, one_each](const RecordedRun& other) {
    return (one_each || other.subject == run.subject) && other.engine == run.engine;
  };
  auto earlier = std::count_if(own.runs.data(), &run, alike);
  for (const RecordedRun& other : document.runs)
    if (alike(other) && earlier-- == 0) return &other;
  return nullptr;
}

std::string Line(const char* what, const std::string& id, const std::string& change) {
  return "  " + std::string(what) + std::string(8 - std::string_view(what).size(), ' ') +
         Printable(id + "  " + change) + "\n";
}

void CompareRuns(const RecordedRun& before, const RecordedRun& after, Difference* difference) {
  std::string worse, better, fresh, gone;
  int same = 0, changed = 0;
  for (const RecordedRequirement& now : after.requirements) {
    const RecordedRequirement* const then = before.Find(now.id);
    if (then == nullptr) {
      fresh += Line("new", now.id, Words(now.verdict));
      difference->worse |= Fails(now.verdict);
      ++changed;
    } else if (then->verdict == now.verdict) {
      ++same;
    } else {
      const bool is_worse = Badness(now.verdict) > Badness(then->verdict);
      std::string change = Words(then->verdict) + " -> " + Words(now.verdict);
      if (is_worse && !now.failures.empty()) change += ": " + now.failures.front().minimal;
      if (is_worse && now.verdict == "not_run") change += ": " + now.reason;
      (is_worse ? worse : better) += Line(is_worse ? "worse" : "better", now.id, change);
      ++changed;
    }
  }
  for (const RecordedRequirement& then : before.requirements) {
    if (after.Find(then.id) != nullptr) continue;
    gone += Line("gone", then.id, "was " + Words(then.verdict));
    ++changed;
  }
  std::string claims;
  for (const RecordedClaim& now : after.claims) {
    for (const RecordedClaim& then : before.claims) {
      if (then.topic != now.topic || then.part != now.part || then.verdict == now.verdict) continue;
      claims += Line("claim", now.topic + (now.part.empty() ? "" : " " + now.part),
                     then.verdict + " -> " + now.verdict);
    }
  }
  const auto named = [](const RecordedRun& run) { return run.Title() + ", " + run.profile; };
  if (before.subject != after.subject || before.profile != after.profile)
    difference->text +=
        "not alike: " + Printable(named(before) + " against " + named(after)) + "\n";
  difference->text += Printable(after.Title()) + ": " + std::to_string(changed) + " changed, " +
                      std::to_string(same) + " the same\n" + worse + gone + better + fresh + claims;
  difference->worse |= !worse.empty() || !gone.empty();
}

}  // namespace

Difference Compare(const Document& before, const Document& after) {
  Difference difference;
  for (const RecordedRun& run : after.runs) {
    if (const RecordedRun* const then = Counterpart(run, after, before)) {
      CompareRuns(*then, run, &difference);
    } else {
      difference.text += Printable(run.Title()) + ": new\n";
      for (const RecordedRequirement& now : run.requirements)
        difference.worse |= Fails(now.verdict);
    }
  }
  for (const RecordedRun& run : before.runs) {
    if (Counterpart(run, before, after) != nullptr) continue;
    difference.text += Printable(run.Title()) + ": gone\n";
    difference.worse = true;
  }
  return difference;
}

}  // namespace conformance
