// Lists what changed between two runs.
#ifndef DNNSPEC_CONFORMANCE_REPORT_DIFF_H_
#define DNNSPEC_CONFORMANCE_REPORT_DIFF_H_

#include <string>

#include "conformance/report/document.h"

namespace conformance {

struct Difference {
  // For a person: what got worse first, and which causes are of one run alone; never empty.
  std::string text;
  // A verdict got worse, a requirement or a subject is gone, or what is new fails.
  bool worse = false;
};

// Runs are compared that have the same subject and engine; where each document has one run, those
// two, whatever the subjects are called.
Difference Compare(const Document& before, const Document& after);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_DIFF_H_
