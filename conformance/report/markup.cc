#include "conformance/report/markup.h"

#include <cstddef>

namespace conformance {
namespace {

// How many bytes at the front of `text` are one character of UTF-8 that XML has a place for, after
// ASCII; 0 if none are.
size_t CharacterBytes(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const size_t count = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < count) return 0;
  unsigned code = byte(0) & (0xffu >> (count + 1));
  for (size_t i = 1; i < count; ++i) {
    if (byte(i) >> 6 != 2) return 0;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr unsigned kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  const bool none = code == 0xfffe || code == 0xffff;
  const bool control = code < 0xa0;
  return code < kLeast[count] || code > 0x10ffff || surrogate || none || control ? 0 : count;
}

}  // namespace

std::string EscapedForMarkup(std::string_view text) {
  std::string escaped;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
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
    } else if (c == '\t' || (byte >= 0x20 && byte < 0x7f)) {
      escaped += c;
    } else if (const size_t count = byte < 0x80 ? 0 : CharacterBytes(text.substr(i)); count > 0) {
      escaped += text.substr(i, count);
      i += count - 1;
    } else {
      escaped += '?';
    }
  }
  return escaped;
}

}  // namespace conformance
