// Compares what several subjects made of the same cases, with the oracle as referee.
#ifndef DNNSPEC_CONFORMANCE_REPORT_DIFFERENTIAL_H_
#define DNNSPEC_CONFORMANCE_REPORT_DIFFERENTIAL_H_

#include <string>
#include <string_view>
#include <vector>

namespace conformance {

// What one subject made of a case.
struct Reply {
  enum Kind { kHeld, kFailed, kNotRun };
  std::string subject;  // "onednn 2.6.3"
  Kind kind = kNotRun;
  std::string where, expected, got;  // of a failure; `got` of a case not run says why
};

// One case, and what every subject made of it.
struct Comparison {
  std::string line;
  std::vector<Reply> replies;
};

// What a comparison comes to.
enum class Finding {
  kNothing,       // nobody failed, or fewer than two ran it
  kDisagreement,  // some do as the oracle says and some do not, or all fail in several ways
  kQuestion,      // all that ran it agree with each other, and not with the oracle: it may be wrong
};
Finding FindingOf(const Comparison& comparison);

// "disagreement", "question to the specification", "none".
const char* NameOf(Finding finding);

// One answer as a line of JSON, from a runner to conform; and back.
std::string ReplyLine(const Reply& reply);
std::string ParseReply(std::string_view line, Reply* reply);  // what is wrong, or ""

// For a person: every disagreement and question, and a line with totals.
std::string DifferentialText(const std::vector<Comparison>& comparisons);
// For a program: {suite, run: {command}, comparisons: [{case, finding, subjects: [...]}]}.
std::string DifferentialJson(const std::vector<Comparison>& comparisons,
                             const std::string& command);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_DIFFERENTIAL_H_
