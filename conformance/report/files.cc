#include "conformance/report/files.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace conformance {
namespace {

std::string Problem(const char* what, const std::string& path, int error) {
  return std::string("cannot ") + what + " " + path + ": " + std::strerror(error);
}

// A new file beside `path`; its name in *name. -1 and errno if there can be none.
int CreateBeside(const std::string& path, std::string* name) {
  *name = path + ".XXXXXX";
  return mkstemp(name->data());
}

// Writes `text` to `stream` and closes it. Gives 0 or what errno was.
int WriteAndClose(std::FILE* stream, std::string_view text) {
  const int error = std::fwrite(text.data(), 1, text.size(), stream) == text.size() ? 0 : errno;
  const bool closed = std::fclose(stream) == 0;
  return error == 0 && !closed ? errno : error;
}

// To a device or a pipe, which stays what it is.
std::string WriteThrough(const std::string& path, std::string_view text) {
  std::FILE* const stream = std::fopen(path.c_str(), "w");
  const int error = stream == nullptr ? errno : WriteAndClose(stream, text);
  return error == 0 ? "" : Problem("write", path, error);
}

}  // namespace

std::string ReadFile(const std::string& path, std::string* text) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return Problem("read", path, EISDIR);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return Problem("read", path, errno);
  std::ostringstream contents;
  contents << file.rdbuf();
  *text = contents.str();
  return "";
}

std::string PrepareFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return Problem("make folder", folder, error.value());
  std::string name;
  const int file = CreateBeside(folder + "/.try", &name);
  if (file < 0) return Problem("write to folder", folder, errno);
  close(file);
  unlink(name.c_str());
  return "";
}

std::string WriteFile(const std::string& given, std::string_view text) {
  // What a link leads to is replaced, not the link.
  std::error_code ignored;
  std::string path = given;
  if (std::filesystem::is_symlink(given, ignored)) {
    const std::filesystem::path target = std::filesystem::weakly_canonical(given, ignored);
    if (!ignored) path = target;
  }
  if (std::filesystem::is_directory(path, ignored)) return Problem("write", given, EISDIR);
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    return WriteThrough(path, text);
  std::string name;
  const int file = CreateBeside(path, &name);
  if (file < 0) return Problem("write", path, errno);
  int problem = WriteAndClose(fdopen(file, "w"), text);
  if (problem == 0) {
    std::filesystem::permissions(name, static_cast<std::filesystem::perms>(0644), ignored);
    if (std::rename(name.c_str(), path.c_str()) == 0) return "";
    problem = errno;
  }
  unlink(name.c_str());
  return Problem("write", path, problem);
}

}  // namespace conformance
