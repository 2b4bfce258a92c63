#include "conformance/cli/pattern.h"

#include <regex.h>

namespace conformance {

struct Pattern::Compiled {
  explicit Compiled(const std::string& text)
      : problem(regcomp(&regex, text.c_str(), REG_EXTENDED | REG_NOSUB)) {}
  ~Compiled() {
    if (problem == 0) regfree(&regex);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  regex_t regex;
  const int problem;
};

Pattern::Pattern(const std::string& text) {
  if (text.empty()) return;
  auto compiled = std::make_shared<Compiled>(text);
  if (compiled->problem != 0) {
    char message[128];
    regerror(compiled->problem, &compiled->regex, message, sizeof(message));
    error_ = message;
    return;
  }
  compiled_ = std::move(compiled);
}

bool Pattern::IsIn(const std::string& text) const {
  return compiled_ == nullptr || regexec(&compiled_->regex, text.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace conformance
