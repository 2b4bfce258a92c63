// Runs a program as a person would, and a folder to do it in: for tests of the scripts in tools.
#ifndef DNNSPEC_TOOLS_TESTING_COMMAND_H_
#define DNNSPEC_TOOLS_TESTING_COMMAND_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

struct Outcome {
  int status = -1;  // exit status; 128 + signal if a signal ended it; 127 if it did not start
  std::string out;  // standard output
  std::string err;  // standard error
};

// Waits for arguments[0], found in PATH of `environment`, with nothing on standard input. The
// program's environment is `environment` and nothing else. An empty folder means the current one.
Outcome Run(const std::vector<std::string>& arguments,
            const std::map<std::string, std::string>& environment, const std::string& folder = "");

// A new empty folder that goes away with the test.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

  // Writes a file; folders in `name` are made. Returns its path.
  std::string Write(std::string_view name, std::string_view text) const;
  // The same, executable, with a line "#!/bin/sh" first.
  std::string Script(std::string_view name, std::string_view text) const;
  // The contents of a file, or nothing if there is none.
  std::string Read(std::string_view name) const;

 private:
  std::string path_;
};

// A folder of programs that serves as a whole PATH: links to those of this machine that exist.
void LinkPrograms(const Scratch& scratch, const std::vector<std::string>& names);

}  // namespace tools

#endif  // DNNSPEC_TOOLS_TESTING_COMMAND_H_
