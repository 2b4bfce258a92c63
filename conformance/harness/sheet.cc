#include "conformance/harness/sheet.h"

#include <sys/mman.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "conformance/gen/random.h"

namespace conformance {
namespace {

bool IsNumberPart(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '+';
}

// `text` with numbers replaced by '#', brackets emptied, and no longer than matters.
std::string Shape(std::string_view text) {
  std::string shape;
  int depth = 0;
  for (size_t i = 0; i < text.size() && shape.size() < 60; ++i) {
    const char c = text[i];
    if (c == ']' || c == ')') --depth;
    if (depth > 0) continue;
    if (c == '[' || c == '(') ++depth;
    if (IsNumberPart(c)) {
      if (shape.empty() || shape.back() != '#') shape += '#';
    } else {
      shape += c;
    }
  }
  for (const char* number : {"nan", "inf"})
    for (size_t at; (at = shape.find(number)) != std::string::npos;) shape.replace(at, 3, "#");
  return shape;
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string shown;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      shown += "\\n";
    } else if (c == '\t') {
      shown += ' ';
    } else if (byte < 0x20 || byte == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\x%02x", byte);
      shown += escape;
    } else {
      shown += c;
    }
  }
  return shown;
}

uint64_t FailureKind(std::string_view where, std::string_view expected, std::string_view got) {
  return Mix(Shape(where) + '\n' + Shape(expected) + '\n' + Shape(got));
}

void Tally::Add(std::string_view text, int column) {
  int row = 0;
  while (row < size_ && !rows_[row].text.Is(text)) ++row;
  if (row == size_) {
    if (size_ == kRows) return;
    rows_[row].text.Set(text);
    rows_[row].counts[0] = rows_[row].counts[1] = 0;
    ++size_;
  }
  ++rows_[row].counts[column];
}

int Tally::size() const { return std::clamp<int>(size_, 0, kRows); }

Sheet* Sheet::Map() {
  void* const memory =
      mmap(nullptr, sizeof(Sheet), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("conformance: mmap");
    std::_Exit(2);
  }
  return new (memory) Sheet();
}

void Sheet::Clear() {
  const int64_t total = total_done.load();
  new (this) Sheet();
  total_done = total;
  current = -1;
}

void Sheet::Account(const Trial& trial) {
  const CaseResult result = trial.result();
  ++results[static_cast<int>(result)];
  if (result != CaseResult::kVacuous) {
    const int column = result == CaseResult::kNotRun ? 1 : 0;
    for (const std::string& name : trial.classes()) classes.Add(name, column);
  }
  if (result == CaseResult::kNotRun) reasons.Add(trial.reason(), 0);
  for (const auto& [question, answer] : trial.records()) records.Add(question + '\n' + answer, 0);
  if (result >= CaseResult::kDeviated) {
    const uint64_t kind = FailureKind(trial.where(), trial.expected(), trial.got());
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
