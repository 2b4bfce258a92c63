// Text inside HTML and XML.
#ifndef DNNSPEC_CONFORMANCE_REPORT_MARKUP_H_
#define DNNSPEC_CONFORMANCE_REPORT_MARKUP_H_

#include <string>
#include <string_view>

namespace conformance {

// `text` for an element or an attribute in double quotes, of HTML and of XML 1.0. Ends of lines are
// kept, in attributes too. What has no place there is '?': other control characters but tabs, and
// each byte that is not part of UTF-8.
std::string EscapedForMarkup(std::string_view text);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_MARKUP_H_
