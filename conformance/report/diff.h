// What changed between two runs.
#ifndef DNNSPEC_CONFORMANCE_REPORT_DIFF_H_
#define DNNSPEC_CONFORMANCE_REPORT_DIFF_H_

#include <string>

#include "conformance/report/document.h"

namespace conformance {

struct Difference {
  std::string text;    // for a person: what got worse first; never empty
  bool worse = false;  // a verdict got worse, or a requirement or a subject is gone
};

// Runs are compared that have the same subject and engine.
Difference Compare(const Document& before, const Document& after);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_DIFF_H_
