// Results as one page: no other file, no script that it needs to be read.
#ifndef DNNSPEC_CONFORMANCE_REPORT_HTML_H_
#define DNNSPEC_CONFORMANCE_REPORT_HTML_H_

#include <string>
#include <string_view>

#include "conformance/report/document.h"

namespace conformance {

// A table of requirement by subject, worst first, with what a person needs to see each failure for
// himself.
std::string ToHtml(const Document& document);

// The share that passed of what was judged, as a small picture (SVG). Red if something failed.
std::string ToBadge(const Document& document);

// `text` for an element or an attribute in quotes, of HTML and of XML.
std::string EscapedForMarkup(std::string_view text);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_HTML_H_
