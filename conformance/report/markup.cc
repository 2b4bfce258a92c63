#include "conformance/report/markup.h"

#include <cstddef>

#include "conformance/case/printable.h"

namespace conformance {

std::string EscapedForMarkup(std::string_view text) {
  std::string escaped;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else if (c == '\n') {
      escaped += "&#10;";
    } else if (c == '\t') {
      escaped += c;
    } else if (const size_t count = HarmlessBytes(text.substr(i)); count > 0) {
      escaped += text.substr(i, count);
      i += count - 1;
    } else {
      escaped += '?';
    }
  }
  return escaped;
}

}  // namespace conformance
