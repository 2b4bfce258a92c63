#include "tools/testing/command.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace tools {
namespace {

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void Become(std::vector<std::string> arguments, std::vector<std::string> environment,
                         const std::string& path, const std::string& folder, int out, int err) {
  const int nothing = open("/dev/null", O_RDONLY);
  if (dup2(nothing, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(127);
  if (!folder.empty() && chdir(folder.c_str()) != 0) _exit(127);
  const std::vector<char*> argv = Pointers(arguments), envp = Pointers(environment);
  if (arguments[0].find('/') != std::string::npos) {
    execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  std::istringstream folders(path);
  for (std::string one; std::getline(folders, one, ':');) {
    const std::string program = one + "/" + arguments[0];
    execve(program.c_str(), argv.data(), envp.data());
  }
  _exit(127);
}

}  // namespace

Outcome Run(const std::vector<std::string>& arguments,
            const std::map<std::string, std::string>& environment, const std::string& folder) {
  std::vector<std::string> variables;
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  const auto path = environment.find("PATH");
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child == 0) {
    Become(arguments, std::move(variables), path == environment.end() ? "" : path->second, folder,
           out[1], err[1]);
  }
  close(out[1]);
  close(err[1]);

  Outcome outcome;
  pollfd ends[] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  std::string* texts[] = {&outcome.out, &outcome.err};
  for (int open_ends = 2; open_ends > 0;) {
    if (poll(ends, 2, -1) < 0 && errno != EINTR) throw std::runtime_error("poll");
    for (int i = 0; i < 2; ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t got = read(ends[i].fd, buffer, sizeof buffer);
      if (got > 0) {
        texts[i]->append(buffer, static_cast<size_t>(got));
      } else {
        close(std::exchange(ends[i].fd, -1));
        --open_ends;
      }
    }
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error("waitpid");
  }
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

Scratch::Scratch() {
  const char* parent = std::getenv("TEST_TMPDIR");
  path_ = std::string(parent != nullptr ? parent : "/tmp") + "/scratch.XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("mkdtemp " + path_);
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Scratch::Write(std::string_view name, std::string_view text) const {
  std::string path = *this / name;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string Scratch::Script(std::string_view name, std::string_view text) const {
  std::string path = Write(name, "#!/bin/sh\n" + std::string(text));
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

std::string Scratch::Read(std::string_view name) const {
  std::ifstream file(*this / name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void LinkPrograms(const Scratch& scratch, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    for (const char* folder : {"/usr/bin/", "/bin/", "/usr/sbin/"}) {
      if (!std::filesystem::exists(folder + name)) continue;
      std::filesystem::create_symlink(folder + name, scratch / name);
      break;
    }
  }
}

}  // namespace tools
