#include "conformance/verdict/expectations.h"

#include <algorithm>
#include <cctype>
#include <ctime>
#include <utility>

#include "conformance/case/numbered_lines.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

constexpr char kBlanks[] = " \t\r";

// Takes the next word off the front of *text.
std::string Word(std::string_view* text) {
  text->remove_prefix(std::min(text->find_first_not_of(kBlanks), text->size()));
  const std::string word(text->substr(0, text->find_first_of(kBlanks)));
  text->remove_prefix(word.size());
  return word;
}

std::string Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1));
}

bool IsDate(std::string_view text) {
  if (text.size() != 10) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : std::isdigit(static_cast<unsigned char>(text[i])) == 0)
      return false;
  }
  const auto number = [&](size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
  return number(5) >= 1 && number(5) <= 12 && number(8) >= 1 && number(8) <= 31;
}

// A runner of one topic knows no properties of others: there a requirement is enough.
bool IsKnown(const Expectation& entry, const std::vector<const Property*>& properties) {
  if (std::any_of(properties.begin(), properties.end(),
                  [&](const Property* property) { return entry.Matches(*property); }))
    return true;
  const std::string id = entry.name.substr(0, entry.name.find('/'));
  return spec::FindRequirement(id.c_str()) != nullptr &&
         std::none_of(properties.begin(), properties.end(),
                      [&](const Property* property) { return property->requirement().id == id; });
}

// What is wrong with an entry, or "".
std::string Problem(const Expectation& entry, const std::vector<const Property*>& properties) {
  if (entry.reason.empty())
    return "an entry is: subject version name link expires reason (six columns)";
  if (!entry.isa.error.empty()) return entry.isa.error;
  const size_t star = entry.version.find('*');
  if (star != std::string::npos && star + 1 != entry.version.size())
    return "version '" + entry.version + "': '*' stands at the end only";
  if (!IsKnown(entry, properties)) return "'" + entry.name + "' is no property, and no requirement";
  if (entry.expires == "never") {
    if (star != std::string::npos)
      return "an entry for version '" + entry.version + "' must expire: later ones may differ";
  } else if (!IsDate(entry.expires)) {
    return "expires '" + entry.expires + "' is neither YYYY-MM-DD nor never";
  }
  return "";
}

}  // namespace

bool Expectation::IsFor(std::string_view a_subject, std::string_view a_version) const {
  if (subject != a_subject) return false;
  if (version.back() != '*') return version == a_version;
  return a_version.substr(0, version.size() - 1) == version.substr(0, version.size() - 1);
}

bool Expectation::Matches(const Property& property) const {
  return name == property.name() || name == property.requirement().id;
}

Expectations ParseExpectations(std::string_view text, std::string_view file,
                               const std::vector<const Property*>& properties,
                               std::vector<Expectation> before) {
  Expectations result;
  result.entries = std::move(before);
  for (const NumberedLine& each : LinesOf(text, Comments::kWholeLines)) {
    std::string_view line = each.text;
    Expectation entry;
    entry.place = std::string(file) + ":" + std::to_string(each.number);
    for (std::string* column : {&entry.subject, &entry.version, &entry.name, &entry.link})
      *column = Word(&line);
    if (IsIsaCondition(entry.link)) {
      entry.isa = ParseIsaCondition(entry.link);
      entry.link = Word(&line);
    }
    entry.expires = Word(&line);
    entry.reason = Trimmed(line);
    if (!entry.name.empty() && entry.name.back() == '?') {
      entry.sometimes = true;
      entry.name.pop_back();
    }
    std::string problem = Problem(entry, properties);
    for (const Expectation& other : result.entries)
      if (other.subject == entry.subject && other.version == entry.version &&
          other.name == entry.name && other.isa.Overlaps(entry.isa))
        problem = "'" + entry.name + "' stands at " + other.place + " already";
    if (!problem.empty()) {
      result.error = entry.place + ": " + problem;
      return result;
    }
    result.entries.push_back(std::move(entry));
  }
  return result;
}

std::vector<Expectation> OnesFor(Isa isa, std::vector<Expectation> entries) {
  entries.erase(std::remove_if(entries.begin(), entries.end(),
                               [isa](const Expectation& entry) { return !entry.isa.Holds(isa); }),
                entries.end());
  return entries;
}

bool AnyFor(const std::vector<Expectation>& entries, std::string_view subject) {
  return std::any_of(entries.begin(), entries.end(),
                     [subject](const Expectation& entry) { return entry.subject == subject; });
}

std::string OtherVersionsOnly(const std::vector<Expectation>& entries, std::string_view subject,
                              std::string_view version) {
  const Expectation* other = nullptr;
  for (const Expectation& entry : entries) {
    if (entry.IsFor(subject, version)) return "";
    if (entry.subject == subject && other == nullptr) other = &entry;
  }
  if (other == nullptr) return "";
  return other->place + ": entries for " + other->subject + " " + other->version +
         ", none for the version that was judged, " + std::string(version);
}

std::string Today() {
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::tm parts;
  gmtime_r(&now, &parts);
  std::strftime(text, sizeof(text), "%Y-%m-%d", &parts);
  return text;
}

}  // namespace conformance
