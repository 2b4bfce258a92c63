#include "conformance/report/diff.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "conformance/case/printable.h"
#include "conformance/report/causes.h"

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

// The properties of a requirement whose verdict is the same that got worse, or better: one may take
// the place of another in failing.
struct Lines {
  std::string worse, better;
};

Lines CompareProperties(const RecordedRequirement& then, const RecordedRequirement& now) {
  Lines lines;
  for (const RecordedProperty& property : now.properties) {
    const auto earlier = std::find_if(
        then.properties.begin(), then.properties.end(),
        [&property](const RecordedProperty& known) { return known.name == property.name; });
    if (earlier == then.properties.end() || earlier->verdict == property.verdict) continue;
    const bool is_worse = Badness(property.verdict) > Badness(earlier->verdict);
    std::string change = Words(earlier->verdict) + " -> " + Words(property.verdict);
    const auto shown = std::find_if(
        now.failures.begin(), now.failures.end(),
        [&property](const RecordedFailure& failure) { return failure.property == property.name; });
    if (is_worse && shown != now.failures.end()) change += ": " + shown->minimal;
    (is_worse ? lines.worse : lines.better) +=
        Line(is_worse ? "worse" : "better", property.name, change);
  }
  return lines;
}

// In what the runs were asked differently; "" if in nothing that their files say.
std::string AskedDifferently(const RecordedRun& before, const RecordedRun& after) {
  std::string text;
  const auto add = [&text](const char* what, const std::string& then, const std::string& now) {
    if (then == now) return;
    const auto shown = [](const std::string& value) { return value.empty() ? "none" : value; };
    text +=
        (text.empty() ? "" : ", ") + std::string(what) + " " + shown(then) + " -> " + shown(now);
  };
  const auto number = [](auto value) { return value == 0 ? "" : std::to_string(value); };
  add("suite", before.suite, after.suite);
  add("device", before.device, after.device);
  add("seed", std::to_string(before.seed), std::to_string(after.seed));
  add("cases", number(before.asked), number(after.asked));
  add("filter", before.filter, after.filter);
  add("topic", before.topic, after.topic);
  add("claims", before.claims_file, after.claims_file);
  add("interrupted", before.partial ? "yes" : "no", after.partial ? "yes" : "no");
  return text;
}

// What is behind failures of one of the runs alone, each once.
std::string CompareCauses(const RecordedRun& before, const RecordedRun& after) {
  const std::vector<Cause> then = CausesOf(before), now = CausesOf(after);
  std::string text;
  const auto add = [&text](const char* what, const std::vector<Cause>& causes,
                           const std::vector<Cause>& others) {
    for (const Cause& cause : causes) {
      const auto same = [&cause](const Cause& other) { return other.text == cause.text; };
      if (std::any_of(others.begin(), others.end(), same)) continue;
      text += Line("cause", what, cause.text + ": " + IdsOf(cause, 5));
    }
  };
  add("new", now, then);
  add("gone", then, now);
  return text;
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
      const Lines lines = CompareProperties(*then, now);
      worse += lines.worse;
      better += lines.better;
      ++(lines.worse.empty() && lines.better.empty() ? same : changed);
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
  if (const std::string differs = AskedDifferently(before, after); !differs.empty())
    difference->text += "asked differently: " + Printable(differs) + "\n";
  difference->text += Printable(after.Title()) + ": " + std::to_string(changed) + " changed, " +
                      std::to_string(same) + " the same\n" + worse + gone + better + fresh +
                      claims + CompareCauses(before, after);
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
