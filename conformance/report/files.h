// Files, whole or not at all. Every function returns what went wrong, with the file's name, or "".
#ifndef DNNSPEC_CONFORMANCE_REPORT_FILES_H_
#define DNNSPEC_CONFORMANCE_REPORT_FILES_H_

#include <string>
#include <string_view>

namespace conformance {

std::string ReadFile(const std::string& path, std::string* text);

// Makes `folder` and those above it where they are missing, and tries whether it can be written to.
std::string PrepareFolder(const std::string& folder);

// Under another name first, then renamed: nobody sees half a file. What is no ordinary file (a
// device, a pipe) is written to, not replaced.
std::string WriteFile(const std::string& path, std::string_view text);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_FILES_H_
