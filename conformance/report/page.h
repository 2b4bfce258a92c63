// Holds what every report page has in common: how it looks, and its small script.
#ifndef DNNSPEC_CONFORMANCE_REPORT_PAGE_H_
#define DNNSPEC_CONFORMANCE_REPORT_PAGE_H_

namespace conformance {

// CSS. Colours follow the reader's choice of light or dark; a narrow window gets a list in the
// place of the table.
extern const char kPageStyle[];

// JavaScript that adds what can be done without: buttons that copy.
extern const char kPageScript[];

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_PAGE_H_
