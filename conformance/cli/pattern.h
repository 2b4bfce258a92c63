// A regular expression, as in `grep -E`.
#ifndef DNNSPEC_CONFORMANCE_CLI_PATTERN_H_
#define DNNSPEC_CONFORMANCE_CLI_PATTERN_H_

#include <memory>
#include <string>

namespace conformance {

class Pattern {
 public:
  // Any text is a pattern; error() says why some mean nothing. The empty one is found everywhere.
  explicit Pattern(const std::string& text);

  const std::string& error() const { return error_; }
  // True if some part of `text` matches. Call only when there is no error.
  bool IsIn(const std::string& text) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
  std::string error_;
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_PATTERN_H_
