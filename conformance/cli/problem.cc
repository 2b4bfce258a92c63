#include "conformance/cli/problem.h"

#include <algorithm>
#include <cstddef>

#include "conformance/cli/words.h"

namespace conformance {
namespace {

constexpr int64_t kMost = int64_t{1} << 20;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return c >= 'a' && c <= 'z'; }

// What `*text` begins with, which is taken away.
template <class Is>
std::string Take(std::string_view* text, Is is) {
  const auto end = std::find_if_not(text->begin(), text->end(), is);
  const std::string taken(text->begin(), end);
  text->remove_prefix(taken.size());
  return taken;
}

// Of digits alone; -1 where they say more than kMost.
int64_t NumberOf(const std::string& digits) {
  int64_t number = 0;
  for (const char c : digits) {
    number = number * 10 + (c - '0');
    if (number > kMost) return -1;
  }
  return number;
}

// `"name"` or `name`.
void ReadName(std::string_view text, Problem* problem) {
  const bool opened = !text.empty() && text.front() == '"';
  if (opened) text.remove_prefix(1);
  const bool closed = !text.empty() && text.back() == '"';
  if (closed) text.remove_suffix(1);
  if (text.empty()) problem->error = "n wants a name behind it";
  if (opened != closed || text.find('"') != text.npos)
    problem->error = "the name behind n has a quote too many or too few";
  problem->name = text;
}

}  // namespace

int64_t Problem::Get(const std::string& key, int64_t usual) const {
  const auto found = numbers.find(key);
  return found == numbers.end() ? usual : found->second;
}

Problem ReadProblem(std::string_view text, const std::vector<std::string>& keys) {
  Problem problem;
  while (!text.empty() && problem.error.empty()) {
    if (text.front() == '_') {
      text.remove_prefix(1);
      continue;
    }
    if (text.front() == 'n') {
      ReadName(text.substr(1), &problem);
      break;
    }
    const std::string rest(text);
    const std::string key = Take(&text, IsLetter);
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      problem.error = "'" + rest + "' begins with none of " + ListOf(keys) + ", n";
      break;
    }
    const std::string digits = Take(&text, IsDigit);
    const int64_t number = NumberOf(digits);
    if (digits.empty()) {
      problem.error = key + " wants a number behind it";
    } else if (number < 0) {
      problem.error = key + digits + " is beyond 2^20";
    } else if (!problem.numbers.emplace(key, number).second) {
      problem.error = key + " is there twice";
    }
  }
  return problem;
}

bool LooksLikeAProblem(std::string_view text, const std::vector<std::string>& keys) {
  const std::string key = Take(&text, IsLetter);
  return !text.empty() && IsDigit(text.front()) &&
         std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace conformance
