#include "conformance/report/elements.h"

#include <algorithm>
#include <cstdio>

#include "conformance/report/document.h"
#include "conformance/report/markup.h"

namespace conformance {

std::string Seconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), seconds < 0.1 ? "%.3f s" : "%.1f s", seconds);
  return text;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string Token(std::string_view text) {
  std::string token = Lower(text);
  for (char& c : token)
    if ((c < 'a' || c > 'z') && (c < '0' || c > '9')) c = '-';
  return token;
}

std::string Chip(std::string_view verdict) {
  return "<span class=\"chip " + Token(verdict) + "\">" + EscapedForMarkup(Words(verdict)) +
         "</span>";
}

std::string Copyable(std::string_view text) {
  std::string html;
  for (bool first = true; !text.empty(); first = false) {
    const std::string_view word = text.substr(0, text.find(' '));
    const bool flag = word.substr(0, 2) == "--";
    const std::string_view name = flag ? word.substr(0, word.find('=')) : std::string_view();
    if (!first) html += ' ';
    if (flag) html += "<span class=\"flag\">" + EscapedForMarkup(name) + "</span>";
    html += EscapedForMarkup(word.substr(name.size()));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return "<div class=\"copy\"><pre tabindex=\"0\">" + html + "</pre></div>";
}

std::string Pair(const char* name, const std::string& value) {
  return "<dt>" + std::string(name) + "</dt><dd>" + value + "</dd>";
}

}  // namespace conformance
