// results.json. docs/results.md describes the fields.
#ifndef DNNSPEC_CONFORMANCE_REPORT_JSON_H_
#define DNNSPEC_CONFORMANCE_REPORT_JSON_H_

#include <string>
#include <vector>

#include "conformance/report/results.h"

namespace conformance {

std::string ToJson(const Results& results);

// One document with a list `subjects` of what `documents`, each from ToJson, hold.
std::string MergeJson(const std::vector<std::string>& documents, const std::string& command);

// The totals of a document from ToJson, as a line for a person.
std::string SummaryOf(const std::string& document);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_JSON_H_
