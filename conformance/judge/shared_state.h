// Keeps the results of one child process where a crash cannot take them: a page of shared memory in
// which it counts, and notes the case in flight before it begins.
//
// The child works next to the subject, which may write anywhere: a reader takes nothing here on
// trust (Text() stops at the end of the array, counts are clamped).
#ifndef DNNSPEC_CONFORMANCE_JUDGE_SHARED_STATE_H_
#define DNNSPEC_CONFORMANCE_JUDGE_SHARED_STATE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/case/printable.h"
#include "conformance/case/trial.h"

namespace conformance {

// Text of at most N - 1 bytes, in place.
template <size_t N>
class InlineText {
 public:
  // Cuts what is too long.
  void Set(std::string_view text);
  bool Is(std::string_view text) const;
  std::string Text() const;
  std::string Shown() const { return Printable(Text()); }

 private:
  char bytes_[N];
};

// How often each of some texts was met, in three columns. A text that finds no room is not counted,
// and full() says so.
class Tally {
 public:
  static constexpr int kRows = 160;
  struct Row {
    InlineText<112> text;
    InlineText<200> words;  // that came with it the first time
    int64_t counts[3];

    std::string Shown() const {
      const std::string said = words.Shown();
      return said.empty() ? text.Shown() : text.Shown() + ": " + said;
    }
  };

  void Add(std::string_view text, int column, std::string_view words = {});
  int size() const;
  bool full() const { return full_; }
  const Row& operator[](int row) const { return rows_[row]; }

 private:
  int32_t size_;
  bool full_;  // a text found no room
  Row rows_[kRows];
};

// The first case of each kind of failure, and how many there were.
struct FailureNote {
  uint64_t kind;  // FailureKind() of the texts
  int64_t index;
  int64_t count;
  bool deviation;
  int32_t status;  // Trial::status()
  InlineText<160> where;
  InlineText<400> expected, got;
};

struct SharedRunState {
  static constexpr int kFailures = 8;
  enum Stage : uint32_t { kStarting, kRunning, kLeaving };

  // Zeroed shared memory, never unmapped: a process has a handful.
  static SharedRunState* Map();

  // Forgets what the last child left.
  void Clear();

  // Called by the child.
  void Begin(int64_t index) { current.store(index, std::memory_order_release); }
  void Account(const Trial& trial);

  std::atomic<uint32_t> stage;
  std::atomic<int64_t> current;  // index of the case in flight
  std::atomic<int64_t> done;     // cases that ended
  int64_t results[5];            // by CaseResult
  Tally classes;   // column 0: in cases that were run, 1: in those that were not, 2: that failed
  Tally reasons;   // of cases not run
  Tally refusals;  // by Asked::Key()
  Tally records;   // "question\nanswer"
  int32_t failure_count;
  FailureNote failures[kFailures];

  // Kept over Clear(): for those who watch.
  std::atomic<int64_t> total_done;
};

// Failures that differ only in numbers, and in what stands in brackets, are of one kind.
uint64_t FailureKind(std::string_view where, std::string_view expected, std::string_view got);

// As much of the text as `room` bytes hold, but not through the middle of a UTF-8 sequence.
inline std::string_view Beginning(std::string_view text, size_t room) {
  if (text.size() <= room) return text;
  while (room > 0 && (static_cast<unsigned char>(text[room]) & 0xc0) == 0x80) --room;
  return text.substr(0, room);
}

template <size_t N>
void InlineText<N>::Set(std::string_view text) {
  text = Beginning(text, N - 1);
  text.copy(bytes_, text.size());
  bytes_[text.size()] = '\0';
}

template <size_t N>
bool InlineText<N>::Is(std::string_view text) const {
  text = Beginning(text, N - 1);
  return text.compare(0, text.size(), bytes_, text.size()) == 0 && bytes_[text.size()] == '\0';
}

template <size_t N>
std::string InlineText<N>::Text() const {
  const std::string_view all(bytes_, N);
  return std::string(all.substr(0, all.find('\0')));
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_JUDGE_SHARED_STATE_H_
