// Turns the requirement files into C++.
//
//   requirements IDS.inc DATA.cc model=spec/model/requirements.md memory=...
//
// Writes nothing when a file is at fault.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "tools/requirements/catalogue.h"

namespace {

bool Write(const std::string& path, const std::string& contents) {
  std::ofstream out(path, std::ios::binary);
  out << contents;
  out.close();
  if (!out) std::cerr << path << ": cannot be written\n";
  return static_cast<bool>(out);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: requirements IDS.inc DATA.cc TOPIC=FILE...\n";
    return 2;
  }
  tools::Catalogue catalogue;
  for (int i = 3; i < argc; ++i) {
    const std::string argument = argv[i];
    const size_t equals = argument.find('=');
    if (equals == std::string::npos) {
      std::cerr << "'" << argument << "': want TOPIC=FILE\n";
      return 2;
    }
    const std::string file = argument.substr(equals + 1);
    std::ifstream in(file, std::ios::binary);
    if (!in) {
      std::cerr << file << ": cannot be read\n";
      return 1;
    }
    const std::string contents{std::istreambuf_iterator<char>(in), {}};
    const std::string fault = catalogue.Add(argument.substr(0, equals), file, contents);
    if (!fault.empty()) {
      std::cerr << fault << "\n";
      return 1;
    }
  }
  if (!Write(argv[1], tools::WriteIdentifiers(catalogue.entries()))) return 1;
  if (!Write(argv[2], tools::WriteData(catalogue.entries()))) return 1;
  return 0;
}
