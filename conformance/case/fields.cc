#include "conformance/case/fields.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace conformance {
namespace {

constexpr char kNanPrefix[] = "nan:";

uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

// True if all of `text` is a T.
template <class T>
bool Read(std::string_view text, T* value, int base = 10) {
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, *value, base);
  return problem == std::errc() && stop == end;
}

bool ReadFloat(std::string_view text, float* value) {
  if (text.substr(0, std::strlen(kNanPrefix)) == kNanPrefix) {
    uint32_t bits = 0;
    if (!Read(text.substr(std::strlen(kNanPrefix)), &bits, 16)) return false;
    std::memcpy(value, &bits, sizeof(bits));
    return std::isnan(*value);
  }
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, *value);
  return problem == std::errc() && stop == end && !std::isnan(*value);
}

bool HoldsBlank(std::string_view text) {
  return text.find_first_of(" \t\r\n") != std::string_view::npos;
}

}  // namespace

void Fields::Set(std::string_view key, std::string_view value) {
  if (key.empty() || HoldsBlank(key) || key.find('=') != std::string_view::npos)
    return Reject(key, "is not a key");
  if (HoldsBlank(value)) return Reject(key, "has a value with a blank in it");
  for (const auto& [name, unused] : items_)
    if (name == key) return Reject(key, "is given twice");
  items_.emplace_back(key, value);
  read_.push_back(false);
}

void Fields::SetInt(std::string_view key, int64_t value) { Set(key, std::to_string(value)); }

void Fields::SetInts(std::string_view key, const std::vector<int64_t>& values) {
  std::string text;
  for (int64_t value : values) {
    if (!text.empty()) text += ',';
    text += std::to_string(value);
  }
  Set(key, values.empty() ? "-" : text);
}

void Fields::SetFloat(std::string_view key, float value) {
  char text[32];
  if (std::isnan(value)) {
    std::snprintf(text, sizeof(text), "%s%08x", kNanPrefix, BitsOf(value));
    return Set(key, text);
  }
  const auto [end, problem] = std::to_chars(text, text + sizeof(text), value);
  Set(key, std::string_view(text, static_cast<size_t>(end - text)));
}

bool Fields::Has(std::string_view key) const {
  for (const auto& [name, unused] : items_)
    if (name == key) return true;
  return false;
}

const std::string* Fields::Find(std::string_view key) const {
  for (size_t i = 0; i < items_.size(); ++i) {
    if (items_[i].first != key) continue;
    read_[i] = true;
    return &items_[i].second;
  }
  Reject(key, "is missing");
  return nullptr;
}

std::string Fields::Text(std::string_view key) const {
  const std::string* const value = Find(key);
  return value == nullptr ? "" : *value;
}

int64_t Fields::Int(std::string_view key) const {
  const std::string* const text = Find(key);
  int64_t value = 0;
  if (text == nullptr) return 0;
  if (Read(*text, &value)) return value;
  Reject(key, "is not an integer");
  return 0;
}

std::vector<int64_t> Fields::Ints(std::string_view key) const {
  const std::string* const text = Find(key);
  std::vector<int64_t> values;
  if (text == nullptr || *text == "-") return values;
  std::string_view rest = *text;
  while (true) {
    const size_t comma = rest.find(',');
    if (!Read(rest.substr(0, comma), &values.emplace_back())) {
      Reject(key, "is not a list of integers");
      return {};
    }
    if (comma == std::string_view::npos) return values;
    rest.remove_prefix(comma + 1);
  }
}

float Fields::Float(std::string_view key) const {
  const std::string* const text = Find(key);
  float value = 0;
  if (text == nullptr) return 0;
  if (ReadFloat(*text, &value)) return value;
  Reject(key, "is not a number");
  return 0;
}

void Fields::Reject(std::string_view key, std::string_view why) const {
  if (!error_.empty()) return;
  error_ = "field '" + std::string(key) + "' " + std::string(why);
  for (const auto& [name, value] : items_)
    if (name == key) error_ += ": '" + value + "'";
}

std::string Fields::error() const {
  if (!error_.empty()) return error_;
  for (size_t i = 0; i < items_.size(); ++i)
    if (!read_[i]) return "field '" + items_[i].first + "' means nothing here";
  return "";
}

std::string Fields::ToString() const {
  std::string text;
  for (const auto& [key, value] : items_) {
    if (!text.empty()) text += ' ';
    text += key + '=' + value;
  }
  return text;
}

Fields Fields::Parse(std::string_view text) {
  Fields fields;
  while (true) {
    const size_t start = text.find_first_not_of(' ');
    if (start == std::string_view::npos) return fields;
    text.remove_prefix(start);
    const std::string_view item = text.substr(0, text.find(' '));
    text.remove_prefix(item.size());
    const size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      fields.Reject(item, "has no value (a field is key=value)");
    } else {
      fields.Set(item.substr(0, equals), item.substr(equals + 1));
    }
  }
}

}  // namespace conformance
