// Writes what a report page says of one run before its table of requirements.
#ifndef DNNSPEC_CONFORMANCE_REPORT_ABOUT_H_
#define DNNSPEC_CONFORMANCE_REPORT_ABOUT_H_

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/causes.h"
#include "conformance/report/document.h"

namespace conformance {

// A section with `name` as its heading: how many requirements got which verdict, how the run was
// asked, what is behind its failures (`causes` is CausesOf(run)), which types it converts, and its
// claims. `ids` are those that the page has rows of.
std::string AboutHtml(const RecordedRun& run, const std::string& name,
                      const std::vector<Cause>& causes,
                      const std::set<std::string, std::less<>>& ids);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_ABOUT_H_
