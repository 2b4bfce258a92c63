// Says what is wrong with a file of JSON, in words that a terminal can show.
#ifndef DNNSPEC_CONFORMANCE_REPORT_PROBLEMS_H_
#define DNNSPEC_CONFORMANCE_REPORT_PROBLEMS_H_

#include <string>
#include <string_view>

#include "nlohmann/json.hpp"

namespace conformance {

// What reading `text` as JSON ran into: a place if it is no JSON, else what does not fit.
std::string ProblemOf(const nlohmann::json::exception& error, std::string_view text);

// For the parser: true, or throws std::runtime_error where values are nested deeper than those of a
// results file ever are. Copying and writing them would take a stack as deep.
bool CheckDepth(int depth);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_PROBLEMS_H_
