#include "conformance/judge/shared_state.h"

#include <sys/mman.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "conformance/case/random.h"
#include "conformance/case/refusal.h"

namespace conformance {
namespace {

bool IsWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// How long the number at the front of `text` is: "-1.5e-3", "0x4a92e9c5", "nan", "inf".
size_t NumberLength(std::string_view text) {
  const auto digits = [&text](size_t from, auto is_part) {
    while (from < text.size() && is_part(static_cast<unsigned char>(text[from]))) ++from;
    return from;
  };
  const size_t sign = text.empty() || (text[0] != '-' && text[0] != '+') ? 0 : 1;
  for (std::string_view word : {"nan", "inf"}) {
    const size_t end = sign + word.size();
    if (text.substr(sign, word.size()) == word && (end >= text.size() || !IsWordPart(text[end])))
      return end;
  }
  if (text.substr(sign, 2) == "0x") return digits(sign + 2, [](int c) { return std::isxdigit(c); });
  const auto is_part = [](int c) { return std::isdigit(c) || c == '.'; };
  size_t end = digits(sign, is_part);
  if (end == sign || !std::isdigit(static_cast<unsigned char>(text[sign]))) return 0;
  if (end + 1 < text.size() && text[end] == 'e') {
    const size_t exponent = end + (text[end + 1] == '-' || text[end + 1] == '+' ? 2 : 1);
    end = std::max(end, digits(exponent, is_part) > exponent ? digits(exponent, is_part) : end);
  }
  return end;
}

// Adds a '#', which also stands for a list of numbers ("2x3x4", "1, 2") and its length.
void AddNumber(std::string* shape) {
  for (std::string_view between : {"#", "#x", "#,", "#, "}) {
    if (shape->size() < between.size() ||
        shape->compare(shape->size() - between.size(), between.size(), between) != 0)
      continue;
    shape->resize(shape->size() - between.size());
    break;
  }
  *shape += '#';
}

// `text` with numbers replaced by '#', brackets emptied, and no longer than matters.
std::string Shape(std::string_view text) {
  std::string shape;
  int depth = 0;
  while (!text.empty() && shape.size() < 60) {
    const char c = text[0];
    if ((c == ']' || c == ')') && depth > 0) --depth;
    size_t taken = 1;
    if (depth == 0) {
      const bool in_word = !shape.empty() && IsWordPart(shape.back());
      const size_t number =
          in_word && !std::isdigit(static_cast<unsigned char>(c)) ? 0 : NumberLength(text);
      if (number > 0) {
        taken = number;
        AddNumber(&shape);
      } else {
        shape += c;
      }
    }
    if (c == '[' || c == '(') ++depth;
    text.remove_prefix(taken);
  }
  return shape;
}

}  // namespace

uint64_t FailureKind(std::string_view where, std::string_view expected, std::string_view got) {
  return Mix(Shape(where) + '\n' + Shape(expected) + '\n' + Shape(got));
}

void Tally::Add(std::string_view text, int column, std::string_view words) {
  int row = 0;
  while (row < size_ && !rows_[row].text.Is(text)) ++row;
  if (row == size_) {
    if (size_ == kRows) {
      full_ = true;
      return;
    }
    rows_[row].text.Set(text);
    rows_[row].words.Set(words);
    for (int64_t& count : rows_[row].counts) count = 0;
    ++size_;
  }
  ++rows_[row].counts[column];
}

int Tally::size() const { return std::clamp<int>(size_, 0, kRows); }

SharedRunState* SharedRunState::Map() {
  void* const memory = mmap(nullptr, sizeof(SharedRunState), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("conformance: mmap");
    std::_Exit(2);
  }
  return new (memory) SharedRunState();
}

void SharedRunState::Clear() {
  const int64_t total = total_done.load();
  new (this) SharedRunState();
  total_done = total;
  current = -1;
}

void SharedRunState::Account(const Trial& trial) {
  const CaseResult result = trial.result();
  ++results[static_cast<int>(result)];
  const int column = result == CaseResult::kNotRun ? 1 : 0;
  for (const std::string& name : trial.classes()) {
    classes.Add(name, column);
    if (result == CaseResult::kFailed) classes.Add(name, 2);
  }
  if (result == CaseResult::kNotRun) reasons.Add(trial.bare_reason(), 0, trial.words());
  if (result == CaseResult::kNotRun && trial.refused())
    refusals.Add(trial.refused()->Key(), 0, trial.words());
  for (const auto& [question, answer] : trial.records()) records.Add(question + '\n' + answer, 0);
  if (result >= CaseResult::kDeviated) {
    // What is answered with another status fails in another way.
    const uint64_t kind = FailureKind(trial.where(), trial.expected(), trial.got()) +
                          static_cast<uint64_t>(trial.status() - Refusal::kNone);
    const bool deviation = result == CaseResult::kDeviated;
    int at = 0;
    while (at < failure_count && (failures[at].kind != kind || failures[at].deviation != deviation))
      ++at;
    if (at == failure_count && at < kFailures) {
      FailureNote& note = failures[failure_count++];
      note.kind = kind;
      note.index = current;
      note.count = 0;
      note.deviation = deviation;
      note.status = trial.status();
      note.where.Set(trial.where());
      note.expected.Set(trial.expected());
      note.got.Set(trial.got());
    }
    if (at < kFailures) ++failures[at].count;
  }
  done.fetch_add(1, std::memory_order_relaxed);
  total_done.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace conformance
