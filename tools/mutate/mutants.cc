#include "tools/mutate/mutants.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <sstream>
#include <utility>

namespace mutate {
namespace {

std::vector<std::string> Words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// Whether `text` would be two expressions, or the comma operator.
bool HasFreeComma(const std::string& text) {
  int depth = 0;
  for (char c : text) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) return true;
  }
  return false;
}

// Whether `text` is ">=NAME", "<=NAME" or both in this order.
bool IsIsaRange(const std::string& text) {
  const std::vector<std::string> words = Words(text);
  if (words.empty() || words.size() > 2) return false;
  if (words.size() == 2 && (words[0][0] != '>' || words[1][0] != '<')) return false;
  return std::all_of(words.begin(), words.end(), [](const std::string& word) {
    return word.size() > 2 && (word[0] == '<' || word[0] == '>') && word[1] == '=';
  });
}

std::string Check(const Mutant& m) {
  const std::string where = m.origin + ": mutant " + m.name + ": ";
  if (m.area.empty()) return where + "no `area` line above it";
  if (m.kills.empty()) return where + "no `kills` line names a requirement";
  for (const std::string& id : m.kills)
    if (id.find(',') != std::string::npos)
      return where + "'" + id + "' is no requirement; what it kills is separated by blanks";
  if (m.file.empty()) return where + "no `file` line";
  if (m.why.empty()) return where + "no `why` line";
  if (m.find.empty()) return where + "no `find` line";
  if (m.find == m.make) return where + "`make` equals `find`";
  if (!m.statements && (HasFreeComma(m.find) || HasFreeComma(m.make)))
    return where + "a list with commas is no expression";
  return "";
}

size_t Count(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

// All mutants of one place in the source.
struct Place {
  size_t begin, end;
  std::vector<size_t> numbers;  // indices into mutants
};

std::string Locate(const Mutant& m, const std::string& source, size_t* at) {
  const std::string where = m.origin + ": mutant " + m.name + ": ";
  if (m.near.empty()) {
    const size_t count = Count(source, m.find);
    if (count != 1) {
      return where + "`find` occurs " + std::to_string(count) + " times in " + m.file +
             ", wanted is 1: " + m.find;
    }
    *at = source.find(m.find);
    return "";
  }
  const size_t count = Count(source, m.near);
  if (count != 1) {
    return where + "`near` occurs " + std::to_string(count) + " times in " + m.file +
           ", wanted is 1: " + m.near;
  }
  *at = source.find(m.find, source.find(m.near) + m.near.size());
  if (*at == std::string::npos) return where + "`find` does not follow `near`: " + m.find;
  return "";
}

// Whether the place of a mutant is to be wrong.
std::string Condition(const Mutant& m) {
  const std::string number = "(" + std::to_string(m.number) + ")";
  if (m.allowed.empty())
    return "::mutants::On" + number + (m.when.empty() ? "" : " && (" + m.when + ")");
  return (m.when.empty() ? "" : "::mutants::Asks" + number + " && (" + m.when + ") && ") +
         "::mutants::Comes" + number;
}

// Where a line names a file in quotes that the preprocessor reads.
bool Names(const std::string& line, size_t* begin, size_t* end) {
  if (line.rfind("#include \"", 0) != 0 && line.rfind("#define HWY_TARGET_INCLUDE", 0) != 0)
    return false;
  *begin = line.find('"');
  if (*begin == std::string::npos) return false;
  *end = line.find('"', ++*begin);
  return *end != std::string::npos;
}

// Reads the lines of one file. Each function gives what is wrong with a line, or "".
class Parser {
 public:
  Parser(const std::string& origin, std::vector<Mutant>* mutants)
      : origin_(origin), mutants_(*mutants) {
    for (const Mutant& m : mutants_) names_.insert(m.name);
    last_ = mutants_.empty() ? 0 : mutants_.back().number;
  }

  std::string Read(const std::string& line) {
    here_ = origin_ + ":" + std::to_string(++number_);
    if (!line.empty() && line[0] == '|') {
      if (continued_ == nullptr) return here_ + ": '|' continues nothing";
      *continued_ += "\n" + line.substr(1);
      return "";
    }
    continued_ = nullptr;
    if (line.empty() || line[0] == '#') return "";
    const size_t blank = line.find(' ');
    const std::string key = line.substr(0, blank);
    const std::string value = blank == std::string::npos ? "" : line.substr(blank + 1);
    if (key == "mutant") return Begin(value);
    if (key == "and" && current_ != nullptr) return Repeat();
    if (key == "area") {
      area_ = value;
      return "";
    }
    if (current_ == nullptr) return here_ + ": `" + key + "` before the first `mutant`";
    return Set(key, value);
  }

  std::string End() const { return current_ == nullptr ? "" : Check(*current_); }

 private:
  std::string Begin(const std::string& name) {
    if (std::string wrong = End(); !wrong.empty()) return wrong;
    if (!names_.insert(name).second) return here_ + ": mutant " + name + " is there already";
    mutants_.emplace_back();
    current_ = &mutants_.back();
    current_->name = name;
    current_->origin = here_;
    current_->area = area_;
    current_->number = ++last_;
    return "";
  }

  // A further place of the same mutant.
  std::string Repeat() {
    if (std::string wrong = End(); !wrong.empty()) return wrong;
    mutants_.push_back(*current_);
    current_ = &mutants_.back();
    current_->further = true;
    current_->statements = false;
    for (std::string* each : {&current_->when, &current_->near, &current_->find, &current_->make})
      each->clear();
    return "";
  }

  std::string Set(const std::string& key, const std::string& value) {
    Mutant& m = *current_;
    const std::pair<const char*, std::string*> texts[] = {
        {"near", &m.near}, {"when", &m.when}, {"find", &m.find}, {"make", &m.make}};
    for (const auto& [name, text] : texts) {
      if (key != name) continue;
      *text = value;
      continued_ = text;
      return "";
    }
    if (key == "kills") {
      m.kills = Words(value);
    } else if (key == "file") {
      m.file = value;
    } else if (key == "why") {
      m.why = value;
    } else if (key == "allowed") {
      if (value.empty()) return here_ + ": `allowed` names nothing that allows it";
      m.allowed = value;
    } else if (key == "isa") {
      if (!IsIsaRange(value))
        return here_ + ": `isa` wants >=NAME, <=NAME or >=NAME <=NAME, not '" + value + "'";
      m.isa = value;
    } else if (key == "statements") {
      m.statements = true;
    } else {
      return here_ + ": unknown word `" + key +
             "`; known are area, mutant, kills, allowed, isa, file, why, when, near, find, "
             "make, statements, and";
    }
    return "";
  }

  const std::string origin_;
  std::vector<Mutant>& mutants_;
  std::set<std::string> names_;
  int last_ = 0;    // number of the last mutant
  int number_ = 0;  // of the line
  std::string here_, area_;
  std::string* continued_ = nullptr;  // what a line that begins with '|' continues
  Mutant* current_ = nullptr;
};

}  // namespace

std::string ParseMutants(const std::string& origin, const std::string& text,
                         std::vector<Mutant>* mutants) {
  std::istringstream in(text);
  Parser parser(origin, mutants);
  for (std::string line; std::getline(in, line);)
    if (std::string wrong = parser.Read(line); !wrong.empty()) return wrong;
  return parser.End();
}

std::string Apply(const std::vector<Mutant>& mutants, const std::string& file, std::string source,
                  std::string* mutated) {
  std::vector<Place> places;
  std::string misfits;
  for (size_t i = 0; i < mutants.size(); ++i) {
    const Mutant& m = mutants[i];
    if (m.file != file) continue;
    size_t at = 0;
    if (const std::string wrong = Locate(m, source, &at); !wrong.empty()) {
      misfits += (misfits.empty() ? "" : "\n") + wrong;
      continue;
    }
    const size_t end = at + m.find.size();
    auto same = std::find_if(places.begin(), places.end(),
                             [&](const Place& p) { return p.begin == at && p.end == end; });
    if (same == places.end()) {
      places.push_back({at, end, {i}});
    } else if (mutants[same->numbers[0]].statements != m.statements) {
      return m.origin + ": mutant " + m.name + ": the same text is an expression and statements";
    } else {
      same->numbers.push_back(i);
    }
  }
  if (!misfits.empty()) return misfits;
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return a.begin < b.begin; });
  for (size_t p = 1; p < places.size(); ++p) {
    if (places[p].begin < places[p - 1].end) {
      return mutants[places[p].numbers[0]].origin + ": mutant " +
             mutants[places[p].numbers[0]].name + " overlaps mutant " +
             mutants[places[p - 1].numbers[0]].name + ": give both the same `find`";
    }
  }
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const std::string original = source.substr(place->begin, place->end - place->begin);
    std::string text;
    const bool statements = mutants[place->numbers[0]].statements;
    for (size_t i : place->numbers) {
      const std::string on = Condition(mutants[i]);
      text += statements ? "if (" + on + ") {\n" + mutants[i].make + "\n} else "
                         : "(" + on + " ? (" + mutants[i].make + ") : ";
    }
    text += statements ? "{\n" + original + "\n}" : "(" + original + ")";
    if (!statements) text += std::string(place->numbers.size(), ')');
    source.replace(place->begin, place->end - place->begin, text);
  }
  *mutated = std::move(source);
  return "";
}

std::string Settle(const std::map<std::string, std::string>& texts, std::vector<Mutant>* mutants) {
  std::string misfits;
  for (Mutant& m : *mutants) {
    if (m.file.empty() || m.file.back() != '/') continue;
    std::vector<std::string> found;
    for (const auto& [name, text] : texts) {
      size_t at = 0;
      if (name.rfind(m.file, 0) == 0 && Locate(m, text, &at).empty()) found.push_back(name);
    }
    if (found.size() == 1) {
      m.file = found[0];
      continue;
    }
    misfits += (misfits.empty() ? "" : "\n") + m.origin + ": mutant " + m.name +
               ": its text is in " + std::to_string(found.size()) + " files of " + m.file +
               ", wanted is 1: " + m.find;
  }
  return misfits;
}

std::set<std::string> Affected(const std::vector<Mutant>& mutants,
                               const std::map<std::string, std::string>& texts) {
  std::map<std::string, std::vector<std::string>> includers;
  for (const auto& [name, text] : texts) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      size_t begin, end;
      if (Names(line, &begin, &end)) includers[line.substr(begin, end - begin)].push_back(name);
    }
  }
  std::set<std::string> affected;
  std::vector<std::string> next;
  for (const Mutant& m : mutants) next.push_back(m.file);
  while (!next.empty()) {
    const std::string name = std::move(next.back());
    next.pop_back();
    if (texts.count(name) == 0 || !affected.insert(name).second) continue;
    // The same file under its other names.
    for (const auto& [other, text] : texts)
      if (text == texts.at(name)) next.push_back(other);
    for (const std::string& includer : includers[name]) next.push_back(includer);
  }
  return affected;
}

std::string Redirect(const std::string& source,
                     const std::map<std::string, std::string>& mirrored) {
  std::istringstream in(source);
  std::string out;
  for (std::string line; std::getline(in, line);) {
    size_t begin, end;
    if (Names(line, &begin, &end)) {
      const auto copy = mirrored.find(line.substr(begin, end - begin));
      if (copy != mirrored.end()) line.replace(begin, end - begin, copy->second);
    }
    out += line + "\n";
  }
  return out;
}

}  // namespace mutate
