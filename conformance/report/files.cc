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

// To a device or a pipe, which stays what it is.
std::string WriteThrough(const std::string& path, std::string_view text) {
  std::FILE* const stream = std::fopen(path.c_str(), "w");
  if (stream == nullptr) return Problem("write", path, errno);
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  const int write_error = errno;
  const bool closed = std::fclose(stream) == 0;
  if (written && closed) return "";
  return Problem("write", path, written ? errno : write_error);
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
  std::FILE* const stream = fdopen(file, "w");
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  const int write_error = errno;
  const bool closed = std::fclose(stream) == 0;
  std::error_code error;
  if (written && closed) {
    std::filesystem::permissions(name, static_cast<std::filesystem::perms>(0644), error);
    if (std::rename(name.c_str(), path.c_str()) == 0) return "";
  }
  const int problem = written ? errno : write_error;
  unlink(name.c_str());
  return Problem("write", path, problem);
}

}  // namespace conformance
