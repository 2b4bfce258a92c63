#include "conformance/reproduce/amalgamate.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

namespace conformance {
namespace {

using Names = std::set<std::string, std::less<>>;

bool IsWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool StartsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.size(), lines.back().size() + 1));
  }
  return lines;
}

// The file that a line includes by quotes, or nothing.
std::string_view Included(std::string_view line) {
  constexpr std::string_view kStart = "#include \"";
  if (!StartsWith(line, kStart)) return {};
  line.remove_prefix(kStart.size());
  return line.substr(0, line.find('"'));
}

std::string Folder(std::string_view path) { return std::string(path.substr(0, path.rfind('/'))); }

std::string HeaderOf(std::string_view path) {
  return std::string(path.substr(0, path.size() - 3)) + ".h";
}

// The name that a declaration in column 0 gives: of a type, an alias, a function, a variable.
std::string DeclaredName(std::string_view line) {
  for (std::string_view skipped : {"template", "namespace", "using namespace", "}", "#", "/", ")",
                                   "extern", "static_assert", "public", "private"})
    if (StartsWith(line, skipped)) return "";
  if (line.empty() || !IsWordPart(line[0])) return "";
  const auto word_at = [&line](size_t begin) {
    size_t end = begin;
    while (end < line.size() && IsWordPart(line[end])) ++end;
    return std::string(line.substr(begin, end - begin));
  };
  for (std::string_view kind : {"struct ", "class ", "enum class ", "enum ", "using "})
    if (StartsWith(line, kind)) {
      const std::string name = word_at(kind.size());
      // "using a::b;" may be said twice.
      const bool alias = kind != "using " || line.find(" =") != std::string_view::npos;
      return alias ? name : "";
    }
  int depth = 0;
  for (size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '<') ++depth;
    if (line[i] == '>') --depth;
    if (depth > 0) continue;
    const bool ends =
        line[i] == '(' || line[i] == '[' || line[i] == '{' || line[i] == ';' ||
        (line[i] == ' ' && i + 1 < line.size() && (line[i + 1] == '=' || line[i + 1] == '{'));
    if (!ends || !IsWordPart(line[i - 1])) continue;
    size_t begin = i;
    while (begin > 0 && IsWordPart(line[begin - 1])) --begin;
    if (begin == 0 || line[begin - 1] == ':') return "";
    return word_at(begin);
  }
  return "";
}

struct Declared {
  Names hidden, open;  // in unnamed namespaces, and in others
};

Declared DeclaredIn(std::string_view text) {
  Declared declared;
  bool hidden = false;
  for (std::string_view line : LinesOf(text)) {
    if (line == "namespace {") hidden = true;
    if (line == "}  // namespace") hidden = false;
    std::string name = DeclaredName(line);
    if (!name.empty()) (hidden ? declared.hidden : declared.open).insert(std::move(name));
  }
  return declared;
}

class Amalgam {
 public:
  Amalgam(const SourceTexts& sources, const SourceTexts& inserts)
      : sources_(sources), inserts_(inserts) {
    for (const auto& [path, text] : sources) declared_[path] = DeclaredIn(text);
  }

  std::string Make(const std::vector<std::string>& roots) {
    for (const std::string& root : roots) Collect(root);
    std::string text;
    for (const std::string& unit : units_) Expand(unit, &text);
    return text;
  }

 private:
  // Adds the units that `unit` needs, then itself.
  void Collect(const std::string& unit) {
    if (!collected_.insert(unit).second) return;
    for (const std::string& header : HeadersOf(unit))
      for (const auto& [path, text] : sources_)
        if (Implements(path, text, header)) Collect(path);
    units_.push_back(unit);
  }

  // All headers that `path` includes, directly or not.
  const Names& HeadersOf(const std::string& path) {
    const auto [at, added] = headers_.emplace(path, Names());
    if (!added) return at->second;
    Names found;
    for (std::string_view line : LinesOf(sources_.find(path)->second)) {
      const std::string header(Included(line));
      if (sources_.count(header) == 0) continue;
      found.insert(header);
      const Names& more = HeadersOf(header);
      found.insert(more.begin(), more.end());
    }
    return headers_[path] = std::move(found);
  }

  bool Implements(const std::string& path, std::string_view text, const std::string& header) const {
    if (!EndsWith(path, ".cc")) return false;
    if (EndsWith(path, "/sample.cc") && EndsWith(header, "/sample.h") &&
        text.find("#include \"" + header + "\"") != std::string_view::npos)
      return true;
    if (Folder(path) != Folder(header)) return false;
    const std::string own = HeaderOf(path);
    if (own == header) return true;
    return sources_.count(own) == 0 && !HasWord(text, "Define") &&
           text.find("#include \"" + header + "\"") != std::string_view::npos;
  }

  // Names of an unnamed namespace of `unit` that another file of the program has too.
  Names Meeting(const std::string& unit) {
    Names meeting;
    const Names& own = HeadersOf(unit);
    for (const std::string& name : declared_[unit].hidden) {
      bool meets = false, has_it_already = false;
      for (const auto& [path, declared] : declared_) {
        if (path == unit) continue;
        if (EndsWith(path, ".cc") && collected_.count(path) == 0) continue;
        if (own.count(path) > 0) {
          has_it_already |= declared.open.count(name) > 0;
        } else {
          meets |= declared.hidden.count(name) > 0 || declared.open.count(name) > 0;
        }
      }
      if (meets && !has_it_already) meeting.insert(name);
    }
    return meeting;
  }

  void Expand(const std::string& path, std::string* out) {
    if (!expanded_.insert(path).second) return;
    const bool unit = EndsWith(path, ".cc");
    const std::string guard = "DNNSPEC_" + Shouted(path) + "_";
    Names renamed;
    if (unit) renamed = Meeting(path);
    bool begun = false;
    int conditions = 0;
    for (std::string_view line : LinesOf(sources_.find(path)->second)) {
      if (HasWord(line, guard)) continue;  // of its include guard
      if (StartsWith(line, "#if")) ++conditions;
      if (StartsWith(line, "#endif")) --conditions;
      if (StartsWith(line, "#include")) {
        Include(line, conditions, out);
        continue;
      }
      if (!begun && StartsWith(line, "namespace")) {
        begun = true;
        *out += "\n// " + path + "\n";
        for (const std::string& name : renamed)
          *out += "#define " + name + " " + name + "_of_" + Lowered(path) + "\n";
      }
      out->append(line).append("\n");
    }
    for (const std::string& name : renamed) *out += "#undef " + name + "\n";
  }

  void Include(std::string_view line, int conditions, std::string* out) {
    const std::string path(Included(line));
    if (const auto insert = inserts_.find(path); insert != inserts_.end()) {
      *out += insert->second;
    } else if (sources_.count(path) > 0) {
      Expand(path, out);
    } else if (conditions > 0 || included_.insert(std::string(line)).second) {
      out->append(line).append("\n");
    }
  }

  static std::string Shouted(std::string_view path) {
    std::string text;
    for (char c : path)
      text += IsWordPart(c) ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : '_';
    return text;
  }

  static std::string Lowered(std::string_view path) {
    std::string text;
    for (char c : path.substr(0, path.rfind('.'))) text += IsWordPart(c) ? c : '_';
    return text;
  }

  const SourceTexts& sources_;
  const SourceTexts& inserts_;
  std::map<std::string, Declared> declared_;
  std::map<std::string, Names> headers_;
  std::vector<std::string> units_;
  Names collected_, expanded_, included_;
};

}  // namespace

bool HasWord(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !IsWordPart(text[at - 1])) && (end == text.size() || !IsWordPart(text[end])))
      return true;
  }
  return false;
}

std::string Amalgamate(const SourceTexts& sources, const std::vector<std::string>& roots,
                       const SourceTexts& inserts) {
  return Amalgam(sources, inserts).Make(roots);
}

}  // namespace conformance
