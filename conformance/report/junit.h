// Results in the XML form of JUnit, one test case for each requirement: what Bazel and build
// servers read. A requirement that was not run is "skipped".
#ifndef DNNSPEC_CONFORMANCE_REPORT_JUNIT_H_
#define DNNSPEC_CONFORMANCE_REPORT_JUNIT_H_

#include <string>

#include "conformance/report/document.h"

namespace conformance {

std::string ToJunit(const Document& document);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_JUNIT_H_
