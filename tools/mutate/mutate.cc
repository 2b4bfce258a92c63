// mutate: copies source files, with all mutants compiled in and switched by a number.
//
//   mutate --table=OUT.cc [--mutants=FILE]... [--alias=NAME=COPY]... SOURCE=NAME=COPY ...
//
// SOURCE is read, NAME is what others include it as, COPY is written; an alias is a further NAME of
// a COPY. What no mutant affects is left to the original: its copy is a comment. The table defines
// mutants::active and lists the mutants. Exit status: 0 done, 1 a mutant does not fit, 2 usage.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/mutate/mutants.h"

namespace {

bool Read(const std::string& path, std::string* text) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return false;
  text->assign(std::istreambuf_iterator<char>(in), {});
  return true;
}

int Die(int status, const std::string& message) {
  std::fprintf(stderr, "mutate: %s\n", message.c_str());
  return status;
}

std::string Quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string Table(const std::vector<mutate::Mutant>& mutants) {
  std::string out =
      "// Written by the build from mutant files.\n#include \"tools/mutate/active.h\"\n\n"
      "namespace mutants {\n\nint active = 0;\n\nconst Entry kEntries[] = {\n"
      "    {\"none\", \"\", \"\", \"\", \"\", \"\", \"\"},\n";
  for (const mutate::Mutant& m : mutants) {
    if (m.further) continue;
    std::string kills;
    for (const std::string& id : m.kills) kills += (kills.empty() ? "" : " ") + id;
    out += "    {" + Quoted(m.name) + ", " + Quoted(m.area) + ", " + Quoted(kills) + ", " +
           Quoted(m.allowed) + ", " + Quoted(m.isa) + ", " + Quoted(m.file) + ", " + Quoted(m.why) +
           "},\n";
  }
  const int count = mutants.empty() ? 0 : mutants.back().number;
  return out + "};\nconst int kCount = " + std::to_string(count) + ";\n\n}  // namespace mutants\n";
}

// What a copy is included as: its path below the output root, which is on the include path.
std::string Included(const std::string& copy) {
  const size_t bin = copy.find("/bin/");
  return bin == std::string::npos ? copy : copy.substr(bin + 5);
}

struct File {
  std::string source, name, copy, text;
};

}  // namespace

int main(int argc, char** argv) {
  std::string table;
  std::vector<mutate::Mutant> mutants;
  std::vector<File> files;
  std::map<std::string, std::string> aliases;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    std::string text;
    if (arg.rfind("--table=", 0) == 0) {
      table = arg.substr(8);
    } else if (arg.rfind("--mutants=", 0) == 0) {
      const std::string path = arg.substr(10);
      if (!Read(path, &text)) return Die(2, "cannot read " + path);
      const std::string wrong = mutate::ParseMutants(path, text, &mutants);
      if (!wrong.empty()) return Die(1, wrong);
    } else if (arg.rfind("--alias=", 0) == 0) {
      const size_t equals = arg.find('=', 8);
      if (equals == std::string::npos) return Die(2, "want --alias=NAME=COPY, got " + arg);
      aliases[arg.substr(8, equals - 8)] = arg.substr(equals + 1);
    } else {
      const size_t first = arg.find('='), second = arg.find('=', first + 1);
      if (first == std::string::npos || second == std::string::npos) {
        return Die(2, "want SOURCE=NAME=COPY, got " + arg);
      }
      files.push_back({arg.substr(0, first), arg.substr(first + 1, second - first - 1),
                       arg.substr(second + 1), ""});
    }
  }
  if (table.empty()) return Die(2, "--table=OUT.cc is missing");
  std::map<std::string, std::string> texts;  // by everything a file is included as
  for (File& f : files) {
    if (!Read(f.source, &f.text)) return Die(2, "cannot read " + f.source);
    texts[f.name] = f.text;
    for (const auto& [alias, copy] : aliases)
      if (copy == f.copy) texts[alias] = f.text;
  }
  std::map<std::string, std::string> by_name;
  for (const File& f : files) by_name[f.name] = f.text;
  if (const std::string wrong = mutate::Settle(by_name, &mutants); !wrong.empty())
    return Die(1, wrong);
  for (const mutate::Mutant& m : mutants) {
    if (texts.count(m.file) == 0) {
      return Die(1, m.origin + ": mutant " + m.name + ": no such source file: " + m.file);
    }
  }
  const std::set<std::string> affected = mutate::Affected(mutants, texts);
  std::map<std::string, std::string> mirrored;
  for (const File& f : files)
    if (affected.count(f.name) != 0) mirrored[f.name] = Included(f.copy);
  for (const auto& [alias, copy] : aliases)
    if (affected.count(alias) != 0) mirrored[alias] = Included(copy);
  std::set<std::string> misfits;
  for (const File& f : files) {
    std::string mutated;
    const std::string wrong = mutate::Apply(mutants, f.name, f.text, &mutated);
    if (!wrong.empty()) misfits.insert(wrong);
    if (mutated != f.text) mutated = "#include \"tools/mutate/active.h\"\n" + mutated;
    std::ofstream out(f.copy, std::ios::binary);
    out << (affected.count(f.name) != 0 ? mutate::Redirect(mutated, mirrored)
                                        : "// No mutant affects " + f.name + ".\n");
    if (!out.flush()) return Die(2, "cannot write " + f.copy);
  }
  for (const std::string& wrong : misfits) Die(1, wrong);
  if (!misfits.empty()) return 1;
  std::ofstream out(table, std::ios::binary);
  out << Table(mutants);
  return out.flush() ? 0 : Die(2, "cannot write " + table);
}
