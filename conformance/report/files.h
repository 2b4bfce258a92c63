// Files, whole or not at all. Every function returns what went wrong, with the file's name, or "".
#ifndef DNNSPEC_CONFORMANCE_REPORT_FILES_H_
#define DNNSPEC_CONFORMANCE_REPORT_FILES_H_

#include <string>
#include <string_view>

namespace conformance {

// A file of results, which may be large. What is larger than half a gibibyte is none: a device may
// never end.
std::string ReadResults(const std::string& path, std::string* text);

// A file that a person writes: claims, expectations, lines of cases. At most 16 MiB, and without
// the byte order mark that some editors put at its front.
std::string ReadLines(const std::string& path, std::string* text);

// Makes `folder` and those above it where they are missing, and tries whether it can be written to.
std::string PrepareFolder(const std::string& folder);

// Tries whether `path` can be a new file: nothing is there, and its folder can be written to. A
// device or a pipe that is there will do. Nothing is made.
std::string CheckNewFile(const std::string& path);

// Until this process ends, no other one can do the same. One folder in a process.
std::string LockFolder(const std::string& folder);

// Under another name first, then renamed: nobody sees half a file. The file's mode is what the
// umask leaves of 0666. What is no ordinary file (a device, a pipe) is written to, not replaced.
std::string WriteFile(const std::string& path, std::string_view text);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_FILES_H_
