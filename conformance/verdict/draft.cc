#include "conformance/verdict/draft.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "conformance/case/printable.h"
#include "conformance/case/refusal.h"
#include "conformance/judge/judge.h"
#include "conformance/verdict/claims.h"

namespace conformance {
namespace {

using Pair = std::pair<std::string, std::string>;

// What a refusal leaves to be claimed.
struct Refused {
  std::optional<Pair> pair;         // of a conversion
  std::optional<std::string> type;  // of tensors that are all alike
  bool high_rank = false;
  bool more = false;  // with attributes, or between engines
};

Refused Read(const Asked& asked) {
  Refused refused;
  if (asked.types.size() == 2) refused.pair = Pair(asked.types[0], asked.types[1]);
  if (asked.types.size() == 1) refused.type = asked.types[0];
  refused.high_rank = asked.high_rank();
  refused.more = !asked.features.empty();
  return refused;
}

bool OnlyUnimplemented(const PropertyResult& result) {
  return !result.failures.empty() &&
         std::all_of(result.failures.begin(), result.failures.end(), [](const Failure& failure) {
           return failure.status == Refusal::kUnimplemented;
         });
}

// With what the subject said, where it said something.
std::string WithWords(const std::string& what, const std::string& words) {
  return words.empty() ? what : what + ": " + words;
}

// The lines of one chapter.
class Chapter {
 public:
  void Add(const RequirementOutcome& outcome) {
    for (const PropertyOutcome& property : outcome.properties) Add(property);
  }

  std::string Text(const std::string& topic) const {
    std::set<std::string> types(ClaimableTypes().begin(), ClaimableTypes().end());
    bool seen_types = false;
    for (const std::string& type : ClaimableTypes()) {
      const auto count = classes_.find(type);
      if (count == classes_.end()) continue;
      seen_types = true;
      if (count->second.run - count->second.failed <= 0 || own_refused_.count(type) > 0)
        types.erase(type);
    }
    for (const std::string& type : ClaimableTypes())
      if (IsInNoPair(type)) types.erase(type);
    if (answered_ == 0 || (seen_types && types.empty()))
      return "# topic " + topic + ": nothing of it was answered\n";
    std::string text = "topic " + topic + "\n";
    if (types.size() < ClaimableTypes().size()) {
      text += "  types ";
      for (const std::string& type : ClaimableTypes())
        if (types.count(type) > 0) text += " " + type;
      text += "\n";
      for (const auto& [type, words] : type_words_)
        if (types.count(type) == 0) text += "  # " + type + " is refused: " + words + "\n";
    }
    // A refusal that its types explain says nothing of ranks or attributes.
    const auto explained = [&](const Refused& refused) {
      if (refused.type && types.count(*refused.type) == 0) return true;
      return refused.pair &&
             (pairs_.count(*refused.pair) > 0 || types.count(refused.pair->first) == 0 ||
              types.count(refused.pair->second) == 0);
    };
    const bool high_ranks_refused =
        std::any_of(others_.begin(), others_.end(), [&explained](const Other& other) {
          return other.refused.high_rank && !other.refused.more && !explained(other.refused);
        });
    if (high_ranks_refused) text += "  ranks  0-6\n";
    std::string except, comments;
    for (const auto& [pair, words] : pairs_) {
      if (types.count(pair.first) == 0 || types.count(pair.second) == 0) continue;
      const std::string name = pair.first + "->" + pair.second;
      except += " " + name;
      if (!words.empty()) comments += "  # " + name + " is refused: " + words + "\n";
    }
    if (!except.empty()) text += "  except" + except + "\n" + comments;
    std::map<std::string, std::string> without = unimplemented_;
    for (const Other& other : others_) {
      if (explained(other.refused) || (other.refused.high_rank && high_ranks_refused)) continue;
      without.emplace(other.name, other.reason);
    }
    for (const auto& [name, why] : without)
      text += "  without " + name + " " + Printable(why) + "\n";
    for (const auto& [name, where] : wrong_)
      text += "  # fails today: " + name + ", " + Printable(where) + "\n";
    return text;
  }

 private:
  // A refusal of more than a type or a pair of types.
  struct Other {
    std::string name;  // of the property
    Refused refused;
    std::string reason;
  };

  // No conversion from or to it is served.
  bool IsInNoPair(const std::string& type) const {
    const auto& all = ClaimableTypes();
    return std::all_of(all.begin(), all.end(), [&](const std::string& other) {
      return pairs_.count({type, other}) > 0 && pairs_.count({other, type}) > 0;
    });
  }

  void Add(const PropertyOutcome& property) {
    const PropertyResult& result = property.result;
    const std::string& name = property.property->name();
    for (const auto& [type, count] : result.classes) {
      ClassCount& sum = classes_[type];
      sum.run += count.run;
      sum.failed += count.failed;
    }
    if (property.verdict == Verdict::kPass || property.verdict == Verdict::kWeak) ++answered_;
    for (const auto& [asked, count] : result.refusals) {
      const Refused refused = Read(asked);
      const auto found = result.refusal_words.find(asked);
      const std::string words = found == result.refusal_words.end() ? "" : found->second;
      if (refused.high_rank || refused.more || !(refused.pair || refused.type)) {
        others_.push_back({name, refused, WithWords("refused: " + asked.ToString(), words)});
        continue;
      }
      if (refused.pair) {
        pairs_.emplace(*refused.pair, words);
      } else {
        own_refused_.insert(*refused.type);
      }
      if (!words.empty())
        for (const std::string& type : asked.types) type_words_.emplace(type, words);
    }
    if (property.verdict != Verdict::kFail && property.verdict != Verdict::kExpectedFailure) return;
    if (OnlyUnimplemented(result)) {
      const Failure& failure = result.failures.front();
      unimplemented_.emplace(name, WithWords("refused: " + failure.where, failure.got));
    } else if (!result.failures.empty()) {
      const Failure& failure = result.failures.front();
      const bool refused = failure.status != Refusal::kNone;
      wrong_.emplace(name, WithWords(failure.where, refused ? failure.got : ""));
    }
  }

  int answered_ = 0;
  std::map<std::string, ClassCount> classes_;
  std::map<Pair, std::string> pairs_;  // refused, and what the subject said
  std::map<std::string, std::string> type_words_;
  std::set<std::string> own_refused_;  // types that are not even copied
  std::vector<Other> others_;
  std::map<std::string, std::string> unimplemented_;  // property, what was refused
  std::map<std::string, std::string> wrong_;
};

}  // namespace

std::string DraftClaims(std::string_view subject, EngineChoice engine, Profile profile,
                        const std::vector<RequirementOutcome>& outcomes) {
  std::string text = "# What " + Printable(subject) +
                     " answered when this was drafted. Its maker decides what is claimed.\n";
  text += "dnnspec-claims " + std::to_string(kClaimsVersion) + "\nengines " + NameOf(engine) +
          "\nprofile " + NameOf(profile) + "\n";
  std::vector<std::pair<std::string, Chapter>> chapters;
  for (const RequirementOutcome& outcome : outcomes) {
    const std::string topic = outcome.requirement->topic;
    if (chapters.empty() || chapters.back().first != topic) chapters.emplace_back(topic, Chapter());
    chapters.back().second.Add(outcome);
  }
  for (const auto& [topic, chapter] : chapters) text += "\n" + chapter.Text(topic);
  return text;
}

}  // namespace conformance
