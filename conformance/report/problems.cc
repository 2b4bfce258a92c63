#include "conformance/report/problems.h"

#include <algorithm>
#include <stdexcept>

#include "conformance/case/printable.h"

namespace conformance {

std::string ProblemOf(const nlohmann::json::exception& error, std::string_view text) {
  if (const auto* const syntax = dynamic_cast<const nlohmann::json::parse_error*>(&error)) {
    const std::string_view read =
        text.substr(0, syntax->byte > 0 ? std::min(syntax->byte - 1, text.size()) : 0);
    const auto lines = std::count(read.begin(), read.end(), '\n');
    const size_t line_start = read.rfind('\n') + 1;  // 0 if there is none
    return "it is no JSON: line " + std::to_string(lines + 1) + ", column " +
           std::to_string(read.size() - line_start + 1);
  }
  // "[json.exception.type_error.302] type must be string, but is number": the name is the
  // library's.
  const std::string_view what = error.what();
  const size_t name = what.rfind('[', 0) == 0 ? what.find("] ") : std::string_view::npos;
  return Printable(name == std::string_view::npos ? what : what.substr(name + 2));
}

bool CheckDepth(int depth) {
  constexpr int kDeepest = 64;
  if (depth > kDeepest)
    throw std::runtime_error("values are nested deeper than " + std::to_string(kDeepest));
  return true;
}

}  // namespace conformance
