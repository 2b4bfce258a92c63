#include "conformance/report/files.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace conformance {
namespace {

constexpr int64_t kMebi = int64_t{1} << 20;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string Problem(const char* what, const std::string& path, int error) {
  return std::string("cannot ") + what + " " + path + ": " + std::strerror(error);
}

// A new file beside `path`; its name in *name. -1 and errno if there can be none.
int CreateBeside(const std::string& path, std::string* name) {
  *name = path + ".XXXXXX";
  return mkostemp(name->data(), O_CLOEXEC);
}

// What open() would have given the file: mkstemp() gives it to its owner alone.
int ObeyUmask(int file) {
  const mode_t mask = umask(0);
  umask(mask);
  return fchmod(file, 0666 & ~mask) == 0 ? 0 : errno;
}

// Writes `text` to `stream` and closes it. Gives 0 or what errno was.
int WriteAndClose(std::FILE* stream, std::string_view text) {
  const int error = std::fwrite(text.data(), 1, text.size(), stream) == text.size() ? 0 : errno;
  const bool closed = std::fclose(stream) == 0;
  return error == 0 && !closed ? errno : error;
}

// To a device or a pipe, which stays what it is.
std::string WriteInPlace(const std::string& path, std::string_view text) {
  std::FILE* const stream = std::fopen(path.c_str(), "w");
  const int error = stream == nullptr ? errno : WriteAndClose(stream, text);
  return error == 0 ? "" : Problem("write", path, error);
}

// All of a file that holds no more than `most` bytes.
std::string ReadUpTo(int64_t most, const std::string& path, std::string* text) {
  text->clear();
  std::FILE* const stream = std::fopen(path.c_str(), "re");
  if (stream == nullptr) return Problem("read", path, errno);
  char bytes[1 << 16];
  size_t size = 0;
  while (static_cast<int64_t>(text->size()) <= most &&
         (size = std::fread(bytes, 1, sizeof(bytes), stream)) > 0)
    text->append(bytes, size);
  const int error = std::ferror(stream) != 0 ? errno : 0;
  std::fclose(stream);
  if (error != 0) return Problem("read", path, error);
  if (static_cast<int64_t>(text->size()) <= most) return "";
  text->clear();
  return "cannot read " + path + ": it holds more than " + std::to_string(most / kMebi) + " MiB";
}

// The folder that this process has locked.
int g_locked = -1;

}  // namespace

std::string ReadResults(const std::string& path, std::string* text) {
  return ReadUpTo(512 * kMebi, path, text);
}

std::string ReadLines(const std::string& path, std::string* text) {
  const std::string problem = ReadUpTo(16 * kMebi, path, text);
  if (text->compare(0, kByteOrderMark.size(), kByteOrderMark) == 0)
    text->erase(0, kByteOrderMark.size());
  return problem;
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

std::string CheckNewFile(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return path + " is a folder";
  if (std::filesystem::is_regular_file(path, ignored))
    return path + " is there already, and is not replaced";
  const std::string folder = std::filesystem::absolute(path, ignored).parent_path();
  if (!std::filesystem::exists(path, ignored) && access(folder.c_str(), W_OK) != 0)
    return Problem("write to folder", folder, errno);
  return "";
}

std::string LockFolder(const std::string& folder) {
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return Problem("open folder", folder, errno);
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    close(file);
    // File systems of other machines may have no locks for folders.
    return error == EWOULDBLOCK ? "another run writes to folder " + folder + " at this moment" : "";
  }
  // A lock lasts as long as any copy of the descriptor: what a subject leaves behind shall not
  // hold it.
  static const int once = pthread_atfork(nullptr, nullptr, [] {
    if (g_locked >= 0) close(g_locked);
    g_locked = -1;
  });
  static_cast<void>(once);
  g_locked = file;
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
    return WriteInPlace(path, text);
  std::string name;
  const int file = CreateBeside(path, &name);
  if (file < 0) return Problem("write", path, errno);
  int problem = ObeyUmask(file);
  const int written = WriteAndClose(fdopen(file, "w"), text);
  if (problem == 0) problem = written;
  if (problem == 0) {
    if (std::rename(name.c_str(), path.c_str()) == 0) return "";
    problem = errno;
  }
  unlink(name.c_str());
  return Problem("write", path, problem);
}

}  // namespace conformance
