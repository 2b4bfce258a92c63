// Small pieces of a report page. Text of others is escaped in all of them.
#ifndef DNNSPEC_CONFORMANCE_REPORT_ELEMENTS_H_
#define DNNSPEC_CONFORMANCE_REPORT_ELEMENTS_H_

#include <string>
#include <string_view>

namespace conformance {

// From bad to harmless.
inline constexpr const char* kVerdictsWorstFirst[] = {
    "fail", "unexpected_pass", "suite_error", "weak", "expected_failure", "pass", "not_run"};

// "12.5 s".
std::string Seconds(double seconds);

std::string Lower(std::string_view text);

// What a class name may be made of.
std::string Token(std::string_view text);

// A word in a frame, in the colour of a verdict.
std::string Chip(std::string_view verdict);

// A command. Its flags are kept in one piece where the line is too short.
std::string Copyable(std::string_view text);

// Of a list of names and values. `value` is markup.
std::string Pair(const char* name, const std::string& value);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_ELEMENTS_H_
