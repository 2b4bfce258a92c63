#include "conformance/verdict/judgement.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string_view>

#include "conformance/case/printable.h"

namespace conformance {
namespace {

bool OutOfBudget(std::string_view reason) { return reason.substr(0, 13) == "out of budget"; }

struct Chapter {
  std::string topic;
  std::vector<const RequirementOutcome*> outcomes;
};

std::vector<Chapter> ChaptersOf(const std::vector<RequirementOutcome>& outcomes) {
  std::vector<Chapter> chapters;
  for (const RequirementOutcome& outcome : outcomes) {
    const std::string topic = outcome.requirement->topic;
    auto at = std::find_if(chapters.begin(), chapters.end(),
                           [&topic](const Chapter& chapter) { return chapter.topic == topic; });
    if (at == chapters.end()) at = chapters.insert(at, {topic, {}});
    at->outcomes.push_back(&outcome);
  }
  return chapters;
}

Judgement JudgeChapter(const Chapter& chapter, const TopicClaim* claim, bool narrowed) {
  Judgement judgement;
  judgement.topic = chapter.topic;
  bool cut = narrowed, faults = false;
  for (const RequirementOutcome* outcome : chapter.outcomes) {
    switch (outcome->verdict) {
      case Verdict::kNotRun:
        ++(IsNotClaimed(outcome->reason) ? judgement.not_claimed : judgement.not_run);
        cut |= OutOfBudget(outcome->reason);
        break;
      case Verdict::kPass:
      case Verdict::kWeak:
        ++judgement.held;
        break;
      case Verdict::kExpectedFailure:
        ++judgement.known;
        break;
      case Verdict::kSuiteError:
        ++judgement.not_run;
        faults = true;
        break;
      case Verdict::kUnexpectedPass:
      case Verdict::kFail:
        ++judgement.failed;
        break;
    }
  }
  const bool whole = claim != nullptr && claim->complete() && judgement.known == 0 &&
                     judgement.not_claimed == 0 && !cut && !faults;
  judgement.verdict = claim == nullptr       ? ClaimVerdict::kNotClaimed
                      : judgement.failed > 0 ? ClaimVerdict::kNonConformant
                      : judgement.held == 0  ? ClaimVerdict::kNotJudged
                      : whole                ? ClaimVerdict::kConformant
                                             : ClaimVerdict::kPartial;
  return judgement;
}

// Cases by class of input, over a whole chapter.
struct Seen {
  std::map<std::string, ClassCount> classes;
  std::set<std::string>
      died;  // data types of cases in which the process died: those have no classes

  explicit Seen(const Chapter& chapter) {
    for (const RequirementOutcome* outcome : chapter.outcomes) {
      for (const PropertyOutcome& property : outcome->properties) {
        for (const auto& [name, count] : property.result.classes) {
          ClassCount& sum = classes[name];
          sum.run += count.run;
          sum.failed += count.failed;
        }
        for (const Failure& failure : property.result.failures)
          if (!failure.signal.empty()) died.merge(TypesIn(failure.line));
      }
    }
  }
};

Judgement JudgePart(const Chapter& chapter, const Seen& seen, const std::string& part,
                    bool claimed) {
  Judgement judgement;
  judgement.topic = chapter.topic;
  judgement.part = part;
  if (const auto count = seen.classes.find(part); count != seen.classes.end()) {
    judgement.cases = count->second.run;
    judgement.failed_cases = count->second.failed;
  }
  const bool failed = judgement.failed_cases > 0 || seen.died.count(part) > 0;
  judgement.verdict = !claimed               ? ClaimVerdict::kNotClaimed
                      : failed               ? ClaimVerdict::kNonConformant
                      : judgement.cases == 0 ? ClaimVerdict::kNotJudged
                                             : ClaimVerdict::kConformant;
  return judgement;
}

bool ClaimsEngine(const Claims& claims, EngineChoice engine) {
  return std::find(claims.engines.begin(), claims.engines.end(), engine) != claims.engines.end();
}

std::string Line(const char* name, const char* verdict, const std::string& counts) {
  char text[256];
  std::snprintf(text, sizeof(text), "  %-23s %-14s %s\n", name, verdict, counts.c_str());
  return text;
}

}  // namespace

bool IsNotClaimed(std::string_view reason) { return reason.substr(0, 12) == "not claimed:"; }

const char* NameOf(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::kNotClaimed:
      return "not claimed";
    case ClaimVerdict::kNotJudged:
      return "not judged";
    case ClaimVerdict::kConformant:
      return "conformant";
    case ClaimVerdict::kPartial:
      return "partial";
    case ClaimVerdict::kNonConformant:
      return "non-conformant";
  }
  return "";
}

std::vector<Judgement> JudgeClaims(const Claims& claims, EngineChoice engine,
                                   const std::vector<RequirementOutcome>& outcomes, bool narrowed) {
  const bool judged = ClaimsEngine(claims, engine);
  std::vector<Judgement> judgements;
  for (const Chapter& chapter : ChaptersOf(outcomes)) {
    const TopicClaim* const claim = judged ? claims.Find(chapter.topic) : nullptr;
    judgements.push_back(JudgeChapter(chapter, claim, narrowed));
    const Seen seen(chapter);
    for (const std::string& type : ClaimableTypes()) {
      if (claim != nullptr || seen.classes.count(type) > 0)
        judgements.push_back(
            JudgePart(chapter, seen, type, claim != nullptr && claim->types.count(type) > 0));
    }
    for (int rank = 0; rank <= kHighestRank; ++rank) {
      const std::string name = "rank " + std::to_string(rank);
      const bool claimed = claim != nullptr && claim->ranks.test(static_cast<size_t>(rank));
      if (seen.classes.count(name) > 0)
        judgements.push_back(JudgePart(chapter, seen, name, claimed));
    }
  }
  return judgements;
}

std::string ClaimsText(const Claims& claims, EngineChoice engine,
                       const std::vector<Judgement>& judgements) {
  std::string text = "claims of " + Printable(claims.file) + ":\n";
  if (!ClaimsEngine(claims, engine))
    text += std::string("  nothing is claimed of the ") + NameOf(engine) +
            " engine, so nothing was judged (--engine chooses another)\n";
  for (const Judgement& judgement : judgements) {
    if (!judgement.part.empty()) {
      if (judgement.verdict != ClaimVerdict::kNonConformant) continue;
      if (judgement.part.rfind("rank ", 0) == 0) continue;
      text +=
          Line(("  " + judgement.topic + " " + judgement.part).c_str(), NameOf(judgement.verdict),
               std::to_string(judgement.failed_cases) + " of " + std::to_string(judgement.cases) +
                   " cases fail");
      continue;
    }
    std::string counts;
    const auto add = [&counts](int count, const char* what) {
      if (count > 0) counts += (counts.empty() ? "" : ", ") + std::to_string(count) + " " + what;
    };
    add(judgement.held, "hold");
    add(judgement.failed, "fail");
    add(judgement.known, "fail as expected");
    add(judgement.not_claimed, "not claimed");
    add(judgement.not_run, "not run");
    text += Line(judgement.topic.c_str(), NameOf(judgement.verdict), counts);
  }
  return text;
}

}  // namespace conformance
