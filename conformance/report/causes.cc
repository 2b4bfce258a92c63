#include "conformance/report/causes.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

namespace conformance {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// How many bytes at `at`, which is no end, are a number: "-12", "3.5e-08", "0x0d".
size_t NumberAt(std::string_view text, size_t at) {
  if (text.substr(at, 2) == "0x") {
    const size_t hex = text.find_first_not_of("0123456789abcdef", at + 2);
    return (hex == std::string_view::npos ? text.size() : hex) - at;
  }
  size_t end = at + (text[at] == '-' ? 1 : 0);
  const size_t digits = end;
  const auto skip = [&] {
    while (end < text.size() && IsDigit(text[end])) ++end;
  };
  skip();
  if (end == digits) return 0;
  if (end + 1 < text.size() && text[end] == '.' && IsDigit(text[end + 1])) {
    ++end;
    skip();
  }
  if (end + 2 < text.size() && text[end] == 'e' && (text[end + 1] == '-' || text[end + 1] == '+')) {
    end += 2;
    skip();
  }
  return end - at;
}

// How many bytes at `at` are bits of a value: " (0x7f)".
size_t BitsAt(std::string_view text, size_t at) {
  constexpr std::string_view kBegin = " (0x";
  if (text.substr(at, kBegin.size()) != kBegin) return 0;
  const size_t end = text.find_first_not_of("0123456789abcdef", at + kBegin.size());
  return end == std::string_view::npos || text[end] != ')' ? 0 : end + 1 - at;
}

// The same of a list of them, as dims have: "2x3x4", "2,3,4". 0 within a word.
size_t NumbersAt(std::string_view text, size_t at) {
  if (at > 0 && (IsWord(text[at - 1]) || text[at - 1] == '.')) return 0;
  const size_t begin = at;
  for (size_t number = NumberAt(text, at); number > 0;) {
    at += number;
    at += BitsAt(text, at);
    const bool more = at + 1 < text.size() && (text[at] == ',' || text[at] == 'x');
    number = more ? NumberAt(text, at + 1) : 0;
    if (number > 0) ++at;
  }
  return at - begin;
}

// How many bytes at `at` are a data type's name.
size_t TypeAt(std::string_view text, size_t at) {
  if (at > 0 && IsWord(text[at - 1])) return 0;
  for (const std::string_view type : {"bf16", "f16", "f32", "s32", "s8", "u8"})
    if (text.substr(at, type.size()) == type &&
        (at + type.size() == text.size() || !IsWord(text[at + type.size()])))
      return type.size();
  return 0;
}

// `text` with a '#' for each number, or list of them, and a T for each data type. The number of a
// status is a name.
std::string WithoutNumbers(std::string_view text) {
  constexpr std::string_view kStatus = "status ";
  std::string pattern;
  for (size_t at = 0; at < text.size();) {
    const bool named =
        at >= kStatus.size() && text.substr(at - kStatus.size(), kStatus.size()) == kStatus;
    if (const size_t type = TypeAt(text, at); type > 0) {
      pattern += 'T';
      at += type;
    } else if (const size_t numbers = named ? 0 : NumbersAt(text, at); numbers > 0) {
      pattern += '#';
      at += numbers;
    } else {
      pattern += text[at++];
    }
  }
  return pattern;
}

// A value with its bits, as "127 (0x7f)".
struct Value {
  std::string_view text;  // "127"
  double number = 0;
  uint64_t bits = 0;
  int digits = 0;  // of the bits
};

// The values with bits in `text`, in their order.
std::vector<Value> ValuesIn(std::string_view text) {
  std::vector<Value> values;
  for (size_t at = text.find(" (0x"); at != std::string_view::npos;
       at = text.find(" (0x", at + 1)) {
    const size_t bits = BitsAt(text, at);
    if (bits == 0) continue;
    const size_t blank = text.rfind(' ', at - 1);
    const size_t begin = at == 0 || blank == std::string_view::npos ? 0 : blank + 1;
    Value value;
    value.text = text.substr(begin, at - begin);
    value.number = std::strtod(std::string(value.text).c_str(), nullptr);
    value.bits = std::strtoull(std::string(text.substr(at + 4, bits - 5)).c_str(), nullptr, 16);
    value.digits = static_cast<int>(bits) - 5;
    values.push_back(value);
  }
  return values;
}

// "the largest" of its type, ... ; "" for a value like others. Integers of 32 bits may end where
// those of f32 do.
const char* Special(const Value& value) {
  if (std::isnan(value.number)) return "NaN";
  if (std::isinf(value.number)) return value.number > 0 ? "infinity" : "negative infinity";
  if (value.number == 0) return "zero";
  const bool integer = value.text.find_first_of(".e") == std::string_view::npos;
  if (!integer) return "";
  const double largest[] = {0x7f, 0xff, 0x7fffffff, 0x7fffff80};
  for (const double limit : largest)
    if (value.number == limit && static_cast<double>(value.bits) == limit) return "the largest";
  const bool least = (value.digits == 2 && value.number == -0x80 && value.bits == 0x80) ||
                     (value.digits == 8 && value.number == -2147483648.0 && value.bits >> 31 == 1);
  return least ? "the smallest" : "";
}

// Whether rounding another way makes one of the other.
bool AreNeighbours(const Value& a, const Value& b) {
  if (a.digits != b.digits) return false;
  const uint64_t apart = a.bits > b.bits ? a.bits - b.bits : b.bits - a.bits;
  return apart <= 1 || std::fabs(a.number - b.number) <= std::ldexp(std::fabs(a.number), -22);
}

// What came instead of `expected`, which is one value or the bounds of some. `source`: what was
// copied; null if that is not told.
std::string Relation(const std::vector<Value>& expected, const Value& got, const Value* source) {
  const std::string wanted = Special(expected[0]), came = Special(got);
  const bool unsigned_end = expected[0].digits == 2 && expected[0].bits == 0xff &&
                            expected[0].number == 255 && got.number == 0;
  if (unsigned_end) return "the smallest";
  if (wanted == "zero" && came == wanted) return "the zero of the other sign";
  if (source != nullptr && source->number == got.number) return "what was copied";
  if (!came.empty()) return came;
  for (const Value& value : expected)
    if (AreNeighbours(value, got)) return "the value beside it";
  return "another value";
}

// What a result was made with, of "dst[0] of src 3 (0x03), alpha 2, zero point of src 1, old dst
// 4": " (alpha, old dst, zero point)". `rest` is what stands behind the source.
std::string MadeWith(std::string_view rest) {
  std::set<std::string> parts;
  std::string text = WithoutNumbers(rest);
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(", ", at), text.size());
    std::string part = text.substr(at, end - at);
    at = end + 2;
    for (const std::string_view gone : {" #", " of src", " of dst"})
      if (const size_t place = part.find(gone); place != std::string::npos)
        part.erase(place, gone.size());
    if (part.find_first_not_of(' ') != std::string::npos)
      parts.insert(part.substr(part.find_first_not_of(' ')));
  }
  std::string with;
  for (const std::string& part : parts) with += (with.empty() ? " (" : ", ") + part;
  return with.empty() ? "" : with + ")";
}

// Of a value that came instead of another; "" for other failures.
std::string WrongValue(const Symptom& symptom) {
  const std::vector<Value> expected = ValuesIn(symptom.expected), got = ValuesIn(symptom.got);
  if (expected.empty() || got.empty() || symptom.got.substr(0, got[0].text.size()) != got[0].text)
    return "";
  constexpr std::string_view kSource = " of src ";
  const size_t copied = symptom.where.find(kSource);
  std::vector<Value> source;
  std::string place;
  if (copied == std::string_view::npos) {
    place = " at " + WithoutNumbers(symptom.where);
  } else {
    const std::string_view behind = symptom.where.substr(copied + kSource.size());
    source = ValuesIn(behind);
    const size_t end = behind.find(')');
    place = MadeWith(end == std::string_view::npos ? std::string_view() : behind.substr(end + 1));
  }
  const std::string wanted = Special(expected[0]);
  return "expected " + (wanted.empty() ? "a value" : wanted) + ", got " +
         Relation(expected, got[0], source.empty() ? nullptr : &source[0]) + place;
}

// Whether the property that a failure is of is red. A file need not name its properties.
bool IsRed(const RecordedRequirement& requirement, const RecordedFailure& failure) {
  if (failure.warning || requirement.verdict != "fail") return false;
  for (const RecordedProperty& property : requirement.properties)
    if (property.name == failure.property) return property.verdict == "fail";
  return true;
}

// Without descriptors, "(T #, strides #)".
std::string WithoutDescriptors(std::string_view text) {
  std::string words = WithoutNumbers(text);
  for (size_t at; (at = words.find(" (T ")) != std::string::npos;) {
    const size_t end = words.find(')', at);
    words.erase(at, end == std::string::npos ? end : end + 1 - at);
  }
  return words;
}

}  // namespace

std::string CauseOf(const Symptom& symptom) {
  // Where a process ended nobody was left to say what it did.
  if (!symptom.signal.empty())
    return WithoutNumbers(symptom.got) + " (" + std::string(symptom.topic) + ")";
  if (std::string value = WrongValue(symptom); !value.empty()) return value;
  return WithoutNumbers(symptom.where) + ": expected " + WithoutDescriptors(symptom.expected) +
         ", got " + WithoutDescriptors(symptom.got);
}

std::vector<Cause> CausesOf(const RecordedRun& run) {
  std::vector<Cause> causes;
  std::map<std::string, size_t> places;
  for (const RecordedRequirement& requirement : run.requirements) {
    for (const RecordedFailure& failure : requirement.failures) {
      if (!IsRed(requirement, failure)) continue;
      std::string text = CauseOf(
          {requirement.topic, failure.where, failure.expected, failure.got, failure.signal});
      const auto [at, added] = places.emplace(text, causes.size());
      if (added) causes.push_back({std::move(text), {}, {}, 0});
      Cause& cause = causes[at->second];
      if (cause.requirements.empty() || cause.requirements.back() != &requirement)
        cause.requirements.push_back(&requirement);
      cause.failures.push_back(&failure);
      cause.cases += std::min(failure.count, INT64_MAX - cause.cases);
    }
  }
  std::stable_sort(causes.begin(), causes.end(), [](const Cause& a, const Cause& b) {
    return a.requirements.size() != b.requirements.size()
               ? a.requirements.size() > b.requirements.size()
               : a.failures.size() > b.failures.size();
  });
  return causes;
}

std::string CauseCount(size_t causes, size_t failures) {
  if (causes >= failures) return "";
  return std::to_string(causes) + (causes == 1 ? " cause behind " : " causes behind ") +
         std::to_string(failures) + " failures";
}

std::string Shortened(const std::vector<std::string>& ids, size_t most) {
  std::string text;
  const size_t told = std::min(most, ids.size());
  for (size_t i = 0; i < told; ++i) text += (i == 0 ? "" : ", ") + ids[i];
  return ids.size() == told ? text : text + " and " + std::to_string(ids.size() - told) + " more";
}

std::string IdsOf(const Cause& cause, size_t most) {
  std::vector<std::string> ids;
  for (const RecordedRequirement* requirement : cause.requirements) ids.push_back(requirement->id);
  return Shortened(ids, most);
}

}  // namespace conformance
