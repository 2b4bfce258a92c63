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

}  // namespace

std::string ParseMutants(const std::string& origin, const std::string& text,
                         std::vector<Mutant>* mutants) {
  std::istringstream in(text);
  std::set<std::string> names;
  for (const Mutant& m : *mutants) names.insert(m.name);
  int last = mutants->empty() ? 0 : mutants->back().number;
  std::string* continued = nullptr;
  Mutant* current = nullptr;
  std::string area;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string here = origin + ":" + std::to_string(number);
    if (!line.empty() && line[0] == '|') {
      if (continued == nullptr) return here + ": '|' continues nothing";
      *continued += "\n" + line.substr(1);
      continue;
    }
    continued = nullptr;
    if (line.empty() || line[0] == '#') continue;
    const size_t blank = line.find(' ');
    const std::string key = line.substr(0, blank);
    const std::string value = blank == std::string::npos ? "" : line.substr(blank + 1);
    if (key == "mutant") {
      if (current != nullptr) {
        if (std::string wrong = Check(*current); !wrong.empty()) return wrong;
      }
      if (!names.insert(value).second) return here + ": mutant " + value + " is there already";
      mutants->emplace_back();
      current = &mutants->back();
      current->name = value;
      current->origin = here;
      current->area = area;
      current->number = ++last;
      continue;
    }
    if (key == "and" && current != nullptr) {
      if (std::string wrong = Check(*current); !wrong.empty()) return wrong;
      mutants->push_back(*current);
      current = &mutants->back();
      current->further = true;
      current->statements = false;
      for (std::string* each : {&current->when, &current->near, &current->find, &current->make})
        each->clear();
      continue;
    }
    if (key == "area") {
      area = value;
      continue;
    }
    if (current == nullptr) return here + ": `" + key + "` before the first `mutant`";
    if (key == "kills") {
      current->kills = Words(value);
    } else if (key == "file") {
      current->file = value;
    } else if (key == "why") {
      current->why = value;
    } else if (key == "near") {
      current->near = value;
      continued = &current->near;
    } else if (key == "when") {
      current->when = value;
      continued = &current->when;
    } else if (key == "allowed") {
      if (value.empty()) return here + ": `allowed` names nothing that allows it";
      current->allowed = value;
    } else if (key == "isa") {
      if (!IsIsaRange(value))
        return here + ": `isa` wants >=NAME, <=NAME or >=NAME <=NAME, not '" + value + "'";
      current->isa = value;
    } else if (key == "statements") {
      current->statements = true;
    } else if (key == "find") {
      current->find = value;
      continued = &current->find;
    } else if (key == "make") {
      current->make = value;
      continued = &current->make;
    } else {
      return here + ": unknown word `" + key +
             "`; known are area, mutant, kills, allowed, isa, file, why, when, near, find, "
             "make, statements, and";
    }
  }
  return current == nullptr ? "" : Check(*current);
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
