// Writes files into a C++ source as text: embed @ARGUMENTS, a file with the name of the output in
// its first line and PATH=FILE in each other.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

namespace {

// A literal may be 64 KiB long where compilers keep to the standard's advice; pieces are joined.
constexpr size_t kPiece = 16 << 10;

int Complain(const std::string& text) {
  std::cerr << "embed: " << text << "\n";
  return 1;
}

void Write(const std::string& text, std::ofstream* out) {
  for (size_t at = 0; at == 0 || at < text.size(); at += kPiece)
    *out << "\n    R\"dnnspec_text(" << text.substr(at, kPiece) << ")dnnspec_text\"";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] != '@') return Complain("wants one argument, @FILE");
  std::ifstream arguments(argv[1] + 1);
  std::string line;
  if (!std::getline(arguments, line)) return Complain(std::string("cannot read ") + (argv[1] + 1));
  std::ofstream out(line);
  const std::string name = line;
  out << "#include \"conformance/reproduce/sources.h\"\n\nnamespace conformance {\n\n"
         "const SourceFile kSources[] = {\n";
  size_t count = 0;
  for (; std::getline(arguments, line); ++count) {
    const size_t equals = line.find('=');
    std::ifstream file(line.substr(equals + 1), std::ios::binary);
    if (equals == std::string::npos || !file) return Complain("cannot read '" + line + "'");
    out << "    {\"" << line.substr(0, equals) << "\",";
    Write(std::string(std::istreambuf_iterator<char>(file), {}), &out);
    out << "},\n";
  }
  if (count == 0) return Complain("no files");
  out << "};\n\nconst size_t kSourceCount = " << count << ";\n\n}  // namespace conformance\n";
  out.close();
  return out ? 0 : Complain("cannot write " + name);
}
