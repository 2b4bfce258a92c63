// What is wrong with a file of JSON, in words that a terminal can show.
#ifndef DNNSPEC_CONFORMANCE_REPORT_PROBLEMS_H_
#define DNNSPEC_CONFORMANCE_REPORT_PROBLEMS_H_

#include <string>
#include <string_view>

#include "nlohmann/json.hpp"

namespace conformance {

// What reading `text` as JSON ran into: a place if it is no JSON, else what does not fit.
std::string ProblemOf(const nlohmann::json::exception& error, std::string_view text);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_PROBLEMS_H_
