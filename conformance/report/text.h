// A results file as text for a terminal.
#ifndef DNNSPEC_CONFORMANCE_REPORT_TEXT_H_
#define DNNSPEC_CONFORMANCE_REPORT_TEXT_H_

#include <string>

#include "conformance/report/document.h"

namespace conformance {

// For each subject a line of totals, its claims, and what is red, worst first.
std::string ToText(const Document& document);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_TEXT_H_
