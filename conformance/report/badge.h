// Results as a small picture.
#ifndef DNNSPEC_CONFORMANCE_REPORT_BADGE_H_
#define DNNSPEC_CONFORMANCE_REPORT_BADGE_H_

#include <string>

#include "conformance/report/document.h"

namespace conformance {

// The share that passed of what was judged, as SVG. Red if something failed.
std::string ToBadge(const Document& document);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_BADGE_H_
