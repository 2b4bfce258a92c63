#include "conformance/judge/descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace conformance {
namespace {

// One system call for each of them and case; a launcher may leave hundreds open.
constexpr size_t kMost = 16;
// Copies lie above what a program opens, and above what one closes that closes a few too many.
constexpr int kCopiesFrom = 240;

std::vector<int> OpenNow() {
  std::vector<int> open;
  DIR* const folder = opendir("/proc/self/fd");
  if (folder == nullptr) return {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] == '.') continue;
    const int number = std::atoi(entry->d_name);
    if (number != dirfd(folder)) open.push_back(number);
  }
  closedir(folder);
  std::sort(open.begin(), open.end());
  return open;
}

std::string PathOf(int number) {
  char path[256];
  const std::string link = "/proc/self/fd/" + std::to_string(number);
  const ssize_t size = readlink(link.c_str(), path, sizeof(path));
  return size <= 0 ? "another file" : std::string(path, static_cast<size_t>(size));
}

void Append(const std::string& clause, std::string* text) {
  if (!text->empty()) *text += ", ";
  *text += clause;
}

}  // namespace

Descriptors::Descriptors() {
  for (int number : OpenNow()) {
    struct stat status;
    if (known_.size() == kMost) break;
    if (fstat(number, &status) == 0)
      known_.push_back(
          {number, status.st_dev, status.st_ino, fcntl(number, F_DUPFD_CLOEXEC, kCopiesFrom)});
  }
}

Descriptors::~Descriptors() {
  for (const Known& known : known_)
    if (known.copy >= 0) close(known.copy);
}

void Descriptors::PutBack(std::string* before, std::string* now) {
  for (size_t i = 0; i < known_.size();) {
    const Known known = known_[i];
    const auto is_it = [&known](int number) {
      struct stat status;
      return fstat(number, &status) == 0 && status.st_dev == known.device &&
             status.st_ino == known.inode;
    };
    if (is_it(known.number)) {
      ++i;
      continue;
    }
    const bool closed = fcntl(known.number, F_GETFD) < 0;
    Append(std::to_string(known.number) + (closed ? " open" : " unchanged"), before);
    Append(std::to_string(known.number) + (closed ? " closed" : " is " + PathOf(known.number)),
           now);
    // A copy may have met the same fate.
    if (known.copy >= 0 && is_it(known.copy) && dup2(known.copy, known.number) == known.number) {
      ++i;
    } else {
      known_.erase(known_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

}  // namespace conformance
