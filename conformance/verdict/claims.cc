#include "conformance/verdict/claims.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/case/numbered_lines.h"
#include "conformance/case/property.h"
#include "spec/topics.h"

namespace conformance {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr char kDirectives[] =
    "engines, profile, topic, types, ranks, layouts, directions, attributes, except, only, without";

std::string_view NextWord(std::string_view* text) {
  text->remove_prefix(std::min(text->find_first_not_of(kBlanks), text->size()));
  const std::string_view word = text->substr(0, text->find_first_of(kBlanks));
  text->remove_prefix(word.size());
  return word;
}

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  for (std::string_view word = NextWord(&text); !word.empty(); word = NextWord(&text))
    words.emplace_back(word);
  return words;
}

std::string Rest(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1));
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::vector<std::string> Chapters() {
  std::vector<std::string> chapters;
  for (size_t i = 0; i < spec::kRequirementCount; ++i)
    if (const char* const topic = spec::kRequirements[i]->topic;
        std::find(chapters.begin(), chapters.end(), topic) == chapters.end())
      chapters.emplace_back(topic);
  return chapters;
}

bool IsType(std::string_view word) {
  const auto& types = ClaimableTypes();
  return std::find(types.begin(), types.end(), word) != types.end();
}

std::string NotAType(std::string_view word) {
  return "'" + std::string(word) + "' is no data type; allowed: " + Joined(ClaimableTypes()) +
         ", all";
}

std::string NamedTwice(const std::string& word) { return "'" + word + "' is named twice"; }

bool ReadRank(std::string_view text, int* rank) {
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, *rank);
  return problem == std::errc() && stop == end && *rank >= 0 && *rank <= kHighestRank;
}

// Takes one line after the other. Each function returns what is wrong, or "".
class Reader {
 public:
  Reader(Claims* claims, const NamesByTopic& names) : claims_(*claims), names_(names) {}

  std::string Line(std::string_view line, const std::string& place) {
    const std::string directive(NextWord(&line));
    if (!versioned_) return Version(directive, line);
    if (directive == "engines") return Engines(line);
    if (directive == "profile") return SetProfile(line);
    if (directive == "topic") return Topic(line, place);
    static const std::set<std::string> inside = {"types",      "ranks",  "layouts", "directions",
                                                 "attributes", "except", "only",    "without"};
    if (inside.count(directive) == 0)
      return "unknown directive '" + directive + "'; allowed: " + std::string(kDirectives);
    if (claims_.topics.empty()) return "'" + directive + "' stands before the first 'topic'";
    TopicClaim* const topic = &claims_.topics.back();
    if (directive == "types") return Types(line, topic);
    if (directive == "ranks") return Ranks(line, topic);
    if (directive == "layouts") return OneOf(line, "layout", ClaimableLayouts(), &topic->layouts);
    if (directive == "directions")
      return OneOf(line, "direction", ClaimableDirections(), &topic->directions);
    if (directive == "attributes") return Attributes(line, topic);
    if (directive == "except") return Except(line, topic);
    return AddNames(directive, line, place, topic);
  }

  bool versioned() const { return versioned_; }

 private:
  std::string Version(const std::string& directive, std::string_view line) {
    const std::string version = Rest(line);
    if (directive != "dnnspec-claims")
      return "the first line is 'dnnspec-claims " + std::to_string(kClaimsVersion) + "', not '" +
             directive + "'";
    if (version != std::to_string(kClaimsVersion))
      return "version '" + version +
             "' of the format is unknown; allowed: " + std::to_string(kClaimsVersion);
    versioned_ = true;
    return "";
  }

  std::string Engines(std::string_view line) {
    if (!claims_.engines.empty()) return "'engines' is given twice";
    for (const std::string& word : Words(line)) {
      if (word != "cpu" && word != "gpu") return "'" + word + "' is no engine; allowed: cpu, gpu";
      const EngineChoice engine = word == "gpu" ? EngineChoice::kGpu : EngineChoice::kCpu;
      if (std::count(claims_.engines.begin(), claims_.engines.end(), engine) > 0)
        return NamedTwice(word);
      claims_.engines.push_back(engine);
    }
    return claims_.engines.empty() ? "'engines' names no engine; allowed: cpu, gpu" : "";
  }

  std::string SetProfile(std::string_view line) {
    const std::string word = Rest(line);
    if (claims_.profile) return "'profile' is given twice";
    if (word != "portable" && word != "project")
      return "'" + word + "' is no profile; allowed: portable, project";
    claims_.profile = word == "project" ? Profile::kProject : Profile::kPortable;
    return "";
  }

  std::string Topic(std::string_view line, const std::string& place) {
    const std::string word = Rest(line);
    const std::vector<std::string> chapters = Chapters();
    if (std::find(chapters.begin(), chapters.end(), word) == chapters.end())
      return "'" + word + "' is no topic; allowed: " + Joined(chapters);
    if (const TopicClaim* const other = claims_.Find(word))
      return "topic '" + word + "' stands at " + other->place + " already";
    claims_.topics.emplace_back();
    claims_.topics.back().topic = word;
    claims_.topics.back().place = place;
    has_types_ = has_ranks_ = false;
    return "";
  }

  std::string Types(std::string_view line, TopicClaim* topic) {
    if (has_types_) return "'types' is given twice for topic " + topic->topic;
    has_types_ = true;
    const std::vector<std::string> words = Words(line);
    if (words == std::vector<std::string>{"all"}) return "";
    if (words.empty()) return "'types' names no data type; allowed: " + Joined(ClaimableTypes());
    topic->types.clear();
    for (const std::string& word : words) {
      if (!IsType(word)) return NotAType(word);
      if (!topic->types.insert(word).second) return NamedTwice(word);
    }
    return "";
  }

  std::string Ranks(std::string_view line, TopicClaim* topic) {
    if (has_ranks_) return "'ranks' is given twice for topic " + topic->topic;
    has_ranks_ = true;
    const std::vector<std::string> words = Words(line);
    if (words == std::vector<std::string>{"all"}) return "";
    topic->ranks.reset();
    for (const std::string& word : words) {
      const size_t dash = word.find('-');
      int low = 0, high = 0;
      const bool read = dash == std::string::npos ? ReadRank(word, &low) && ReadRank(word, &high)
                                                  : ReadRank(word.substr(0, dash), &low) &&
                                                        ReadRank(word.substr(dash + 1), &high);
      if (!read || low > high)
        return "'" + word + "' is no rank; allowed: numbers and ranges from 0 to " +
               std::to_string(kHighestRank) + ", all";
      for (int rank = low; rank <= high; ++rank) topic->ranks.set(static_cast<size_t>(rank));
    }
    return topic->ranks.none() ? "'ranks' names no rank; allowed: numbers and ranges from 0 to " +
                                     std::to_string(kHighestRank) + ", all"
                               : "";
  }

  // A line of words out of `allowed`, each a `what`.
  static std::string OneOf(std::string_view line, const std::string& what,
                           const std::vector<std::string>& allowed,
                           std::optional<std::set<std::string>>* claimed) {
    if (*claimed) return "'" + what + "s' is given twice";
    const std::vector<std::string> words = Words(line);
    if (words.empty()) return "'" + what + "s' names nothing; allowed: " + Joined(allowed);
    claimed->emplace();
    for (const std::string& word : words) {
      if (std::find(allowed.begin(), allowed.end(), word) == allowed.end())
        return "'" + word + "' is no " + what + "; allowed: " + Joined(allowed);
      if (!(*claimed)->insert(word).second) return NamedTwice(word);
    }
    return "";
  }

  static std::string Attributes(std::string_view line, TopicClaim* topic) {
    if (Rest(line) != "none" || topic->attributes)
      return OneOf(line, "attribute", ClaimableAttributes(), &topic->attributes);
    topic->attributes.emplace();
    return "";
  }

  std::string Except(std::string_view line, TopicClaim* topic) {
    const std::vector<std::string> words = Words(line);
    if (words.empty()) return "'except' names no pair; allowed: TYPE->TYPE";
    for (const std::string& word : words) {
      const size_t arrow = word.find("->");
      if (arrow == std::string::npos) return "'" + word + "' is no pair; allowed: TYPE->TYPE";
      const std::string from = word.substr(0, arrow), to = word.substr(arrow + 2);
      if (!IsType(from)) return NotAType(from);
      if (!IsType(to)) return NotAType(to);
      if (!topic->except.emplace(from, to).second) return NamedTwice(word);
    }
    return "";
  }

  std::string AddNames(const std::string& directive, std::string_view line,
                       const std::string& place, TopicClaim* topic) {
    TopicClaim::Names names;
    names.pattern = std::string(NextWord(&line));
    names.reason = Rest(line);
    names.place = place;
    if (names.pattern.empty())
      return "'" + directive + "' names nothing; allowed: a requirement, a property, PREFIX*";
    if (directive == "without" && names.reason.empty())
      return "'without " + names.pattern + "' gives no reason";
    if (directive == "only" && !names.reason.empty())
      return "'only " + names.pattern + "' is followed by '" + names.reason +
             "'; allowed: one name on a line";
    const auto known = [&](const auto& name) {
      return name.second == topic->topic && names.Matches("", name.first);
    };
    // Of a topic that another runner judges the properties are not known.
    const std::string id = names.pattern.substr(0, names.pattern.find('/'));
    const auto variant = [&](const auto& name) {
      return name.second == topic->topic && name.first.find('/') != std::string::npos;
    };
    const auto found = names_.find(id);
    const bool elsewhere = found != names_.end() && found->second == topic->topic &&
                           std::none_of(names_.begin(), names_.end(), variant);
    if (!elsewhere && std::none_of(names_.begin(), names_.end(), known))
      return "'" + names.pattern + "' is no requirement and no property of topic " + topic->topic;
    (directive == "only" ? topic->only : topic->without).push_back(std::move(names));
    return "";
  }

  Claims& claims_;
  const NamesByTopic& names_;
  bool versioned_ = false, has_types_ = false, has_ranks_ = false;
};

std::string Unclaimed(std::string_view what) { return "not claimed: " + std::string(what); }

// What the first of `claims` says that leaves `asked` out: a line, or what was refused.
template <class What>
std::string FirstOutside(const std::vector<const TopicClaim*>& claims, const What& asked) {
  for (const TopicClaim* claim : claims) {
    const std::string why = OutsideOf(*claim, asked);
    if (!why.empty()) return why;
  }
  return "";
}

// A property of one chapter may ask a primitive of another, whose claims count then.
std::string OutsideOfItsTopic(const Claims& claims, const Asked& refused) {
  const bool is_topic = std::find(spec::kTopics, spec::kTopics + spec::kTopicCount,
                                  refused.topic) != spec::kTopics + spec::kTopicCount;
  if (!is_topic) return "";
  const TopicClaim* const claim = claims.Find(refused.topic);
  return claim == nullptr ? Unclaimed("topic " + refused.topic) : OutsideOf(*claim, refused);
}

}  // namespace

const std::vector<std::string>& ClaimableTypes() {
  static const auto* const types =
      new std::vector<std::string>{"f32", "bf16", "f16", "s32", "s8", "u8"};
  return *types;
}

const std::vector<std::string>& ClaimableLayouts() {
  static const auto* const layouts =
      new std::vector<std::string>{"dense", "strided", "regions", "blocked", "any"};
  return *layouts;
}

const std::vector<std::string>& ClaimableDirections() {
  static const auto* const directions =
      new std::vector<std::string>{"forward", "backward_data", "backward_weights"};
  return *directions;
}

const std::vector<std::string>& ClaimableAttributes() {
  static const auto* const attributes =
      new std::vector<std::string>{"scales", "masks", "run_time", "zero_points", "sum", "eltwise"};
  return *attributes;
}

TopicClaim::TopicClaim() : types(ClaimableTypes().begin(), ClaimableTypes().end()) { ranks.set(); }

bool TopicClaim::complete() const { return !by_case() && only.empty() && without.empty(); }

bool TopicClaim::by_case() const {
  return types.size() < ClaimableTypes().size() || !ranks.all() || !except.empty() || layouts ||
         directions || attributes;
}

bool TopicClaim::Names::Matches(std::string_view requirement, std::string_view property) const {
  if (pattern.back() != '*') return pattern == requirement || pattern == property;
  const std::string_view prefix = std::string_view(pattern).substr(0, pattern.size() - 1);
  return property.substr(0, prefix.size()) == prefix ||
         (!requirement.empty() && requirement.substr(0, prefix.size()) == prefix);
}

const TopicClaim* Claims::Find(std::string_view topic) const {
  for (const TopicClaim& claim : topics)
    if (claim.topic == topic) return &claim;
  return nullptr;
}

std::string Claims::Outside(EngineChoice engine, const spec::Requirement& requirement,
                            std::string_view property, std::string_view guest) const {
  if (std::find(engines.begin(), engines.end(), engine) == engines.end())
    return Unclaimed(engine == EngineChoice::kGpu ? "engine gpu" : "engine cpu");
  const TopicClaim* const claim = Find(requirement.topic);
  if (claim == nullptr) return Unclaimed("topic " + std::string(requirement.topic));
  if (!guest.empty() && Find(guest) == nullptr) return Unclaimed("topic " + std::string(guest));
  const auto matches = [&](const TopicClaim::Names& names) {
    return names.Matches(requirement.id, property);
  };
  if (!claim->only.empty() && std::none_of(claim->only.begin(), claim->only.end(), matches))
    return Unclaimed(requirement.id);
  const auto without = std::find_if(claim->without.begin(), claim->without.end(), matches);
  return without == claim->without.end() ? "" : Unclaimed(without->reason);
}

Claims ParseClaims(std::string_view text, std::string_view file, const NamesByTopic& names) {
  Claims claims;
  claims.file = std::string(file);
  Reader reader(&claims, names);
  for (const NumberedLine& line : LinesOf(text)) {
    const std::string place = claims.file + ":" + std::to_string(line.number);
    const std::string problem = reader.Line(line.text, place);
    if (problem.empty()) continue;
    claims.error = place + ": " + problem;
    return claims;
  }
  const bool torn = !text.empty() && text.back() != '\n';
  const auto lines = std::count(text.begin(), text.end(), '\n') + torn;
  const std::string end = claims.file + ":" + std::to_string(lines + 1);
  if (!reader.versioned()) {
    claims.error =
        end + ": the file ends before 'dnnspec-claims " + std::to_string(kClaimsVersion) + "'";
  } else if (claims.engines.empty()) {
    claims.error = end + ": the file ends without 'engines'; allowed: cpu, gpu";
  }
  return claims;
}

std::string GuestTopicOf(const Property& property) {
  constexpr std::string_view kSuite = "conformance/";
  const std::string_view file = property.file();
  const size_t at = file.rfind(kSuite);
  if (at == std::string_view::npos) return "";
  const std::string_view inside = file.substr(at + kSuite.size());
  const std::string topic(inside.substr(0, inside.find('/')));
  const bool known = std::find(spec::kTopics, spec::kTopics + spec::kTopicCount, topic) !=
                     spec::kTopics + spec::kTopicCount;
  if (!known || topic == "model" || topic == "memory") return "";
  return topic == property.requirement().topic ? "" : topic;
}

void ApplyClaims(const Claims* claims, const Property& property, RunOptions* run_options) {
  const std::string guest = GuestTopicOf(property);
  run_options->claimed = claims != nullptr &&
                         claims->Find(property.requirement().topic) != nullptr &&
                         (guest.empty() || claims->Find(guest) != nullptr);
  run_options->guest = guest;
  run_options->outside = nullptr;
  run_options->refused_outside = nullptr;
  if (!run_options->claimed) return;
  std::vector<const TopicClaim*> narrow;
  for (const std::string& topic : {std::string(property.requirement().topic), guest})
    if (const TopicClaim* const claim = claims->Find(topic); claim != nullptr && claim->by_case())
      narrow.push_back(claim);
  if (!narrow.empty())
    run_options->outside = [narrow](std::string_view line) { return FirstOutside(narrow, line); };
  run_options->refused_outside = [claims, narrow](const Asked& asked) {
    const std::string why = OutsideOfItsTopic(*claims, asked);
    return why.empty() ? FirstOutside(narrow, asked) : why;
  };
}

}  // namespace conformance
