// Links inside a report page: from the source of a requirement to what its abbreviation means, and
// from the id of a requirement to its row.
#ifndef DNNSPEC_CONFORMANCE_REPORT_SOURCES_H_
#define DNNSPEC_CONFORMANCE_REPORT_SOURCES_H_

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace conformance {

// `text` as markup, with a link where a word is one of `ids`, to the element of that id.
std::string WithLinks(std::string_view text, const std::set<std::string, std::less<>>& ids);

// The same of what the catalogue says: what stands between backquotes is code, and a word that
// names an oracle or a reading ("ORC-CVT") leads to SourcesHtml().
std::string SentenceWithLinks(std::string_view text, const std::set<std::string, std::less<>>& ids);

// The same without links.
std::string Sentence(std::string_view text);

// A requirement's source, with links to SourcesHtml() for all its abbreviations.
std::string SourceWithLinks(std::string_view text, const std::set<std::string, std::less<>>& ids);

// What the abbreviations mean: a section with an element for each.
std::string SourcesHtml();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_SOURCES_H_
