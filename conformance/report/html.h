// Results as one page: no other file, no script that it needs to be read.
#ifndef DNNSPEC_CONFORMANCE_REPORT_HTML_H_
#define DNNSPEC_CONFORMANCE_REPORT_HTML_H_

#include <string>

#include "conformance/report/document.h"
#include "conformance/report/scores.h"

namespace conformance {

struct PageOptions {
  const Scores* scores = nullptr;  // a column of mutants; null: no such column
  std::string repository;          // where files of this repository are to be seen; "": no links
};

// A table of requirement by subject, worst first, with what a person needs to see each failure for
// himself, and each requirement's text and source.
std::string ToHtml(const Document& document, const PageOptions& options = {});

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_HTML_H_
