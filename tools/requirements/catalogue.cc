#include "tools/requirements/catalogue.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace tools {
namespace {

bool StartsWith(const std::string& s, const std::string& prefix) {
  return s.compare(0, prefix.size(), prefix) == 0;
}

std::string Trimmed(const std::string& s) {
  const size_t first = s.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

bool AllOf(const std::string& s, int (*is)(int)) {
  return !s.empty() && std::all_of(s.begin(), s.end(), [is](unsigned char c) { return is(c); });
}

// "REO-010" is area "REO" and number 10; "REO-ZP-001" is area "REO-ZP" and number 1; "MD-T-nchw" is
// area "MD-T" without a number.
bool SplitId(const std::string& id, std::string* area, int* number) {
  const size_t dash = id.rfind('-');
  if (dash == std::string::npos) return false;
  *area = id.substr(0, dash);
  const std::string last = id.substr(dash + 1);
  if (*area == "MD-T") {
    *number = -1;
    return AllOf(last, std::islower);
  }
  // Up to two words of capitals.
  const std::string first = area->substr(0, area->find('-'));
  const bool capitals =
      AllOf(first, std::isupper) &&
      (first.size() == area->size() || AllOf(area->substr(first.size() + 1), std::isupper));
  if (!capitals || last.size() != 3 || !AllOf(last, std::isdigit)) return false;
  *number = std::stoi(last);
  return true;
}

struct Heading {
  std::string id, level;
  bool withdrawn = false;
};

// "### REO-010 (must)" or "### ~~REO-010~~ (must)".
bool ParseHeading(const std::string& line, Heading* heading) {
  std::istringstream words(line);
  std::string hashes, id, level, rest;
  words >> hashes >> id >> level;
  if (hashes != "###" || words >> rest) return false;
  if (level.size() < 3 || level.front() != '(' || level.back() != ')') return false;
  heading->level = level.substr(1, level.size() - 2);
  heading->withdrawn = id.size() > 4 && StartsWith(id, "~~") && id.substr(id.size() - 2) == "~~";
  heading->id = heading->withdrawn ? id.substr(2, id.size() - 4) : id;
  return true;
}

bool IsLevel(const std::string& level) {
  static const std::set<std::string> levels = {"must", "should", "may", "rule", "optional-type"};
  return levels.count(level) != 0;
}

std::string Quoted(const std::string& s) {
  std::string out = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string EnumeratorOf(const std::string& level) {
  if (level == "must") return "kMust";
  if (level == "should") return "kShould";
  if (level == "may") return "kMay";
  if (level == "rule") return "kRule";
  return "kOptionalType";
}

constexpr char kBanner[] = "// Written by //tools/requirements from spec/*/requirements.md.\n";

}  // namespace

std::string Catalogue::CheckId(const std::string& id, const std::string& topic) {
  std::string area;
  int number = 0;
  if (!SplitId(id, &area, &number)) {
    return "malformed id '" + id + "': want AREA-nnn or MD-T-tag";
  }
  if (!seen_.insert(id).second) return id + " is there twice";
  Last& last = areas_.insert({area, {topic, -1}}).first->second;
  if (last.topic != topic) return "area " + area + " belongs to topic " + last.topic;
  if (number >= 0 && number < last.number) {
    return id + " comes after a higher number of its area";
  }
  last.number = number;
  return "";
}

std::string Catalogue::Add(const std::string& topic, const std::string& file,
                           const std::string& contents) {
  enum class Part { kProse, kText, kSource, kCheck };
  Part part = Part::kProse;  // what a line of words would continue
  bool closed = false;       // a blank line ended the paragraph of `part`
  bool withdrawn = false;
  Entry entry;
  int heading_line = 0, number = 0;

  const auto at = [&file](int line, const std::string& what) {
    return file + ":" + std::to_string(line) + ": " + what;
  };
  // Ends the entry in progress, if any.
  const auto finish = [&]() -> std::string {
    if (heading_line == 0) return "";
    if (entry.text.empty()) return at(heading_line, entry.id + " has no text");
    if (!withdrawn) {
      if (entry.source.empty()) return at(heading_line, entry.id + " has no source");
      if (entry.check.empty()) return at(heading_line, entry.id + " has no check");
      entries_.push_back(entry);
    }
    heading_line = 0;
    return "";
  };
  const auto append = [](const std::string& words, std::string* paragraph) {
    if (!paragraph->empty() && !words.empty()) *paragraph += ' ';
    *paragraph += words;
  };

  std::istringstream lines(contents);
  for (std::string raw; std::getline(lines, raw);) {
    ++number;
    const std::string line = Trimmed(raw);
    if (line.empty()) {
      closed = true;
      continue;
    }
    if (StartsWith(line, "#")) {
      std::string fault = finish();
      if (!fault.empty()) return fault;
      part = Part::kProse;
      if (StartsWith(line, "# ") || StartsWith(line, "## ")) continue;
      Heading heading;
      if (!ParseHeading(line, &heading)) {
        return at(number, "malformed heading '" + line + "': want ### ID (level)");
      }
      fault = CheckId(heading.id, topic);
      if (!fault.empty()) return at(number, fault);
      if (!IsLevel(heading.level)) {
        return at(number, heading.id + " has the unknown level '" + heading.level + "'");
      }
      entry = Entry{heading.id, heading.level, topic, "", "", ""};
      withdrawn = heading.withdrawn;
      heading_line = number;
      part = Part::kText;
      closed = false;
      continue;
    }
    if (part == Part::kProse) continue;
    if (StartsWith(line, "Source:")) {
      if (part != Part::kText)
        return at(number, entry.id + " has a second source, or one too late");
      part = Part::kSource;
      append(Trimmed(line.substr(7)), &entry.source);
    } else if (StartsWith(line, "Check:")) {
      if (part != Part::kSource)
        return at(number, entry.id + " has a check without a source before");
      part = Part::kCheck;
      append(Trimmed(line.substr(6)), &entry.check);
    } else if (closed && (part != Part::kText || !entry.text.empty())) {
      return at(number, entry.id + " has a paragraph that is neither Source: nor Check:");
    } else {
      append(line, part == Part::kText     ? &entry.text
                   : part == Part::kSource ? &entry.source
                                           : &entry.check);
    }
    closed = false;
  }
  return finish();
}

std::string IdentifierOf(const std::string& id) {
  std::string name = id;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string WriteIdentifiers(const std::vector<Entry>& entries) {
  std::string out = std::string(kBanner) + "namespace spec {\n";
  for (const Entry& entry : entries) {
    out += "extern const Requirement " + IdentifierOf(entry.id) + ";\n";
  }
  return out + "}  // namespace spec\n";
}

std::string WriteData(const std::vector<Entry>& entries) {
  std::string out = std::string(kBanner) + "#include \"spec/requirements.h\"\n\nnamespace spec {\n";
  for (const Entry& entry : entries) {
    out += "const Requirement " + IdentifierOf(entry.id) + " = {" + Quoted(entry.id) +
           ", Level::" + EnumeratorOf(entry.level) + ", " + Quoted(entry.topic) + ",\n    " +
           Quoted(entry.source) + ",\n    " + Quoted(entry.text) + ",\n    " + Quoted(entry.check) +
           "};\n";
  }
  out += "namespace {\nconst Requirement* const kAll[] = {\n";
  for (const Entry& entry : entries) out += "    &" + IdentifierOf(entry.id) + ",\n";
  out += "};\n}  // namespace\nconst Requirement* const* const kRequirements = kAll;\n";
  out += "const size_t kRequirementCount = " + std::to_string(entries.size()) + ";\n";
  return out + "}  // namespace spec\n";
}

}  // namespace tools
