// Results as text for a person.
#ifndef DNNSPEC_CONFORMANCE_REPORT_SUMMARY_H_
#define DNNSPEC_CONFORMANCE_REPORT_SUMMARY_H_

#include <string>
#include <string_view>
#include <vector>

#include "conformance/judge/schedule.h"
#include "conformance/report/results.h"

namespace conformance {

// How to write: plain into files and pipes, with colours on a terminal.
struct Style {
  bool color = false;
};

// "onednn 2.6.3: cpu engine, portable profile, seed 1".
std::string Headline(const Results& results);

// One line of the table each.
std::string TableHead();
std::string TableLine(std::string_view title, const Count& count, Style style);
// Instead, of an area that the subject has not.
std::string AbsentLine(std::string_view title);

// Every requirement that is red, with what a person needs to see it for himself; warnings in short.
// Then how many causes are behind that.
std::string Details(const Results& results, Style style);

// "214 requirements: 180 passed, 20 failed, ... in 12.3 s".
std::string Totals(const Results& results, Style style);

// The line of a run under way, at most `width` columns wide.
std::string ProgressLine(std::string_view subject, const Progress& progress, double seconds,
                         int width);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_SUMMARY_H_
