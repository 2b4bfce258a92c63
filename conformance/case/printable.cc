#include "conformance/case/printable.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace conformance {
namespace {

// A character of UTF-8: `bytes` of them, 0 if there is none.
struct Character {
  size_t bytes = 0;
  uint32_t code = 0;
};

Character First(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {1, byte(0)};
  const size_t count = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < count) return {};
  uint32_t code = byte(0) & (0xffu >> (count + 1));
  for (size_t i = 1; i < count; ++i) {
    if (byte(i) >> 6 != 2) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[count] || code > 0x10ffff || surrogate) return {};
  return {count, code};
}

struct Range {
  uint32_t first, last;
};

// Controls; marks, embeddings, overrides and isolates of direction; ends of lines and paragraphs;
// the byte order mark; what is no character.
constexpr Range kHarmful[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c},   {0x200e, 0x200f},
    {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff}, {0xfffe, 0xffff},
};

bool IsHarmful(uint32_t code) {
  return std::any_of(std::begin(kHarmful), std::end(kHarmful), [code](const Range& range) {
    return range.first <= code && code <= range.last;
  });
}

}  // namespace

size_t HarmlessBytes(std::string_view text) {
  const Character character = First(text);
  return IsHarmful(character.code) ? 0 : character.bytes;
}

std::string Printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const Character character = First(text);
    const size_t bytes = std::max<size_t>(1, character.bytes);
    if (character.bytes > 0 && !IsHarmful(character.code)) {
      shown += text.substr(0, bytes);
    } else if (text[0] == '\n') {
      shown += "\\n";
    } else if (text[0] == '\t') {
      shown += ' ';
    } else {
      char escape[12];
      const auto byte = static_cast<unsigned char>(text[0]);
      if (bytes > 1) {
        std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(character.code));
      } else {
        std::snprintf(escape, sizeof(escape), "\\x%02x", byte);
      }
      shown += escape;
    }
    text.remove_prefix(bytes);
  }
  return shown;
}

std::string WrongSubjectName(std::string_view name) {
  const bool plain = std::all_of(name.begin(), name.end(),
                                 [](char c) { return c >= ' ' && c <= '~' && c != '/'; });
  if (plain && !name.empty() && name != "." && name != "..") return "";
  return "'" + Printable(name) +
         "' is no name of a subject: that is printable ASCII without '/', and neither '.' nor '..'";
}

std::string Quoted(const std::string& text) {
  constexpr char kPlain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace conformance
