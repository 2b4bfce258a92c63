// Tells how the verdicts of a subject changed over several runs.
#ifndef DNNSPEC_CONFORMANCE_REPORT_HISTORY_H_
#define DNNSPEC_CONFORMANCE_REPORT_HISTORY_H_

#include <string>

#include "conformance/report/document.h"

namespace conformance {

// For a person: a line for each run, in the order of `document`; then, of each subject and engine
// that has several, a line for each requirement whose verdict changed, with the runs in which it
// did, those that are worst now first. A run that was not asked for a requirement changes nothing.
std::string HistoryText(const Document& document);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_HISTORY_H_
