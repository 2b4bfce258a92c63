#include "conformance/report/sources.h"

#include <algorithm>
#include <cctype>

#include "conformance/report/markup.h"

namespace conformance {
namespace {

// As in spec/reading.md. A code that takes the name of an entity stands alone too.
struct Source {
  const char* code;
  const char* meaning;
  bool named;  // "H:shuffle_forward"
};
constexpr Source kSources[] = {
    {"S1", "shuffle page of the developer guide", false},
    {"S2", "reorder page of the developer guide", false},
    {"S3", "specification, page Memory Formats, with the list of format tags", false},
    {"S4", "specification, page Introduction", false},
    {"V", "oneAPI specification v1.1 rev 1, element oneDNN; after the colon its page", true},
    {"H", "header of the same revision, dnnl.hpp; after the colon the entity", true},
    {"T", "types header of the same revision, dnnl_types.h; after the colon the macro", true},
    {"I", "interop header of the same revision, dnnl_sycl.hpp; after the colon the entity", true},
    {"R", "header shipped with oneDNN 2.6.3; after the colon the entity", true},
    {"D", "developer guide of oneDNN 2.6; after the colon its page", true},
    {"B", "behaviour of the 2.6.3 binary: evidence for a reading, never a requirement", false},
    {"README", "spec/reading.md, section Unsupported is not wrong", false},
    {"A",
     "a reading of a silent or contradictory sentence: spec/decisions/0002-readings.md, "
     "spec/TOPIC/readings.md",
     true},
    {"ORC", "an oracle, the definition of a formula: spec/oracles.md, spec/TOPIC/oracle.md", true},
};

bool IsWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

// The code that `word` is or begins with; null if it is no source. `next` stands behind it.
const Source* SourceOf(std::string_view word, char next) {
  for (const Source& source : kSources) {
    const std::string_view code = source.code;
    if (word == code && (source.named || next != ':')) return &source;
    if (source.named && word.size() > code.size() && word.substr(0, code.size()) == code &&
        word[code.size()] == '-')
      return &source;
  }
  return nullptr;
}

std::string Link(const std::string& to, std::string_view text) {
  return "<a href=\"#" + to + "\">" + EscapedForMarkup(text) + "</a>";
}

// Which abbreviations are links. A letter may be a word of a sentence; "A-40" is none.
enum class Abbreviations { kNone, kNumbered, kAll };

std::string Linked(std::string_view text, const std::set<std::string, std::less<>>& ids,
                   Abbreviations linked) {
  std::string html;
  for (size_t at = 0; at < text.size();) {
    const bool word = IsWord(text[at]);
    const auto end = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(),
                                  [word](char c) { return IsWord(c) != word; });
    const auto to = static_cast<size_t>(end - text.begin());
    const std::string_view part = text.substr(at, to - at);
    at = to;
    const bool may_link =
        word && (linked == Abbreviations::kAll ||
                 (linked == Abbreviations::kNumbered && part.find('-') != std::string_view::npos));
    const Source* const source =
        may_link ? SourceOf(part, at < text.size() ? text[at] : '\0') : nullptr;
    if (word && ids.count(part) > 0) {
      html += Link(std::string(part), part);
    } else if (source != nullptr) {
      html += Link("source-" + std::string(source->code), part);
    } else {
      html += EscapedForMarkup(part);
    }
  }
  return html;
}

// Every second piece between backquotes is code; one that nothing closes is itself.
std::string WithCode(std::string_view text, const std::set<std::string, std::less<>>& ids,
                     Abbreviations linked) {
  std::string html;
  while (!text.empty()) {
    const size_t open = text.find('`');
    const size_t close = open == std::string_view::npos ? open : text.find('`', open + 1);
    if (close == std::string_view::npos) return html + Linked(text, ids, linked);
    html += Linked(text.substr(0, open), ids, linked) + "<code>" +
            Linked(text.substr(open + 1, close - open - 1), ids, linked) + "</code>";
    text.remove_prefix(close + 1);
  }
  return html;
}

}  // namespace

std::string WithLinks(std::string_view text, const std::set<std::string, std::less<>>& ids) {
  return Linked(text, ids, Abbreviations::kNone);
}

std::string SentenceWithLinks(std::string_view text,
                              const std::set<std::string, std::less<>>& ids) {
  return WithCode(text, ids, Abbreviations::kNumbered);
}

std::string Sentence(std::string_view text) { return WithCode(text, {}, Abbreviations::kNone); }

std::string SourceWithLinks(std::string_view text, const std::set<std::string, std::less<>>& ids) {
  return Linked(text, ids, Abbreviations::kAll);
}

std::string SourcesHtml() {
  std::string html = "<section aria-labelledby=\"sources\"><h2 id=\"sources\">Sources</h2><dl>";
  for (const Source& source : kSources)
    html += "<dt id=\"source-" + std::string(source.code) + "\">" + source.code + "</dt><dd>" +
            source.meaning + "</dd>";
  return html + "</dl></section>\n";
}

}  // namespace conformance
