// Text of others, fit to be shown. A subject, its file's name and a results file may hold anything:
// what goes to a terminal, into a comment or into markup goes through here.
#ifndef DNNSPEC_CONFORMANCE_CASE_PRINTABLE_H_
#define DNNSPEC_CONFORMANCE_CASE_PRINTABLE_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace conformance {

// How many bytes at the front of `text`, which is not empty, are one character of UTF-8 that does
// nothing but show: no control (C0, DEL, C1), no end of a line, nothing that turns the direction of
// what follows, no byte order mark. 0 for all else, and for what is no UTF-8.
size_t HarmlessBytes(std::string_view text);

// `text` on one line and harmless to a terminal: "a\nb" for two lines, "\x1b", "\u202e" for what
// is no harmless character, a blank for a tab.
std::string Printable(std::string_view text);

// `text` for a shell: as it is, or in quotes.
std::string Quoted(const std::string& text);

// What is wrong with the name of a subject, or "". Messages, reports and names of files are made of
// it.
std::string WrongSubjectName(std::string_view name);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CASE_PRINTABLE_H_
