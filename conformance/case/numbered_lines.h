// The lines of a file that a person writes: cases, claims, expectations, waivers.
#ifndef DNNSPEC_CONFORMANCE_CASE_NUMBERED_LINES_H_
#define DNNSPEC_CONFORMANCE_CASE_NUMBERED_LINES_H_

#include <string_view>
#include <vector>

namespace conformance {

// Where '#' begins a comment: anywhere, or as the first character of a line that is not blank.
enum class Comments { kAnywhere, kWholeLines };

struct NumberedLine {
  int number = 0;         // from 1
  std::string_view text;  // without a comment and the blanks around it; never empty
};

// The lines of `text`, into which they point, that say something.
std::vector<NumberedLine> LinesOf(std::string_view text, Comments comments = Comments::kAnywhere);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CASE_NUMBERED_LINES_H_
