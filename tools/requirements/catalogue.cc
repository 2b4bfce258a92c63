#include "tools/requirements/catalogue.h"

#include <algorithm>
#include <cctype>
#include <functional>
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

// Reads one file, line by line. Each function gives the first fault, or "".
class FileReader {
 public:
  using CheckId = std::function<std::string(const std::string& id)>;

  FileReader(const std::string& topic, const std::string& file, const CheckId& check_id,
             std::vector<Entry>* entries)
      : topic_(topic), file_(file), check_id_(check_id), entries_(*entries) {}

  std::string Read(const std::string& line) {
    ++number_;
    if (line.empty()) {
      closed_ = true;
      return "";
    }
    if (StartsWith(line, "#")) {
      std::string fault = End();
      if (!fault.empty()) return fault;
      part_ = Part::kProse;
      return StartsWith(line, "# ") || StartsWith(line, "## ") ? "" : Begin(line);
    }
    return part_ == Part::kProse ? "" : Continue(line);
  }

  // Ends the entry in progress, if any.
  std::string End() {
    if (heading_line_ == 0) return "";
    if (entry_.text.empty()) return At(heading_line_, entry_.id + " has no text");
    if (!withdrawn_) {
      if (entry_.source.empty()) return At(heading_line_, entry_.id + " has no source");
      if (entry_.check.empty()) return At(heading_line_, entry_.id + " has no check");
      entries_.push_back(entry_);
    }
    heading_line_ = 0;
    return "";
  }

 private:
  enum class Part { kProse, kText, kSource, kCheck };

  std::string At(int line, const std::string& what) const {
    return file_ + ":" + std::to_string(line) + ": " + what;
  }

  static void Append(const std::string& words, std::string* paragraph) {
    if (!paragraph->empty() && !words.empty()) *paragraph += ' ';
    *paragraph += words;
  }

  std::string Begin(const std::string& line) {
    Heading heading;
    if (!ParseHeading(line, &heading))
      return At(number_, "malformed heading '" + line + "': want ### ID (level)");
    const std::string fault = check_id_(heading.id);
    if (!fault.empty()) return At(number_, fault);
    if (!IsLevel(heading.level))
      return At(number_, heading.id + " has the unknown level '" + heading.level + "'");
    entry_ = Entry{heading.id, heading.level, topic_, "", "", ""};
    withdrawn_ = heading.withdrawn;
    heading_line_ = number_;
    part_ = Part::kText;
    closed_ = false;
    return "";
  }

  std::string Continue(const std::string& line) {
    if (StartsWith(line, "Source:")) {
      if (part_ != Part::kText)
        return At(number_, entry_.id + " has a second source, or one too late");
      part_ = Part::kSource;
      Append(Trimmed(line.substr(7)), &entry_.source);
    } else if (StartsWith(line, "Check:")) {
      if (part_ != Part::kSource)
        return At(number_, entry_.id + " has a check without a source before");
      part_ = Part::kCheck;
      Append(Trimmed(line.substr(6)), &entry_.check);
    } else if (closed_ && (part_ != Part::kText || !entry_.text.empty())) {
      return At(number_, entry_.id + " has a paragraph that is neither Source: nor Check:");
    } else {
      Append(line, part_ == Part::kText     ? &entry_.text
                   : part_ == Part::kSource ? &entry_.source
                                            : &entry_.check);
    }
    closed_ = false;
    return "";
  }

  const std::string topic_, file_;
  const CheckId check_id_;
  std::vector<Entry>& entries_;
  Part part_ = Part::kProse;  // what a line of words would continue
  bool closed_ = false;       // a blank line ended the paragraph of `part_`
  bool withdrawn_ = false;
  Entry entry_;
  int heading_line_ = 0, number_ = 0;
};

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
  FileReader reader(
      topic, file, [&](const std::string& id) { return CheckId(id, topic); }, &entries_);
  std::istringstream lines(contents);
  for (std::string raw; std::getline(lines, raw);)
    if (std::string fault = reader.Read(Trimmed(raw)); !fault.empty()) return fault;
  return reader.End();
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
