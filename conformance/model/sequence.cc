#include "conformance/model/sequence.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace conformance {
namespace {

// How a verb is written, and what separates its numbers: '\0' none, ' ' one number only.
struct Spelling {
  const char* word;
  char between;
};
constexpr Spelling kSpellings[Step::kVerbs] = {
    {"new", ' '},   {"wrap", ':'},  {"copy", '>'},   {"move", '>'},   {"drop", ' '},
    {"write", ':'}, {"read", ' '},  {"attach", ':'}, {"detach", ' '}, {"execute", '>'},
    {"store", ' '}, {"fetch", ' '}, {"mix", '\0'},   {"renew", ' '}};

std::string Written(const Step& step) {
  const Spelling& spelling = kSpellings[step.verb];
  std::string text = spelling.word;
  if (spelling.between != '\0') text += std::to_string(step.a);
  if (spelling.between != '\0' && spelling.between != ' ')
    text += spelling.between + std::to_string(step.b);
  return text;
}

bool ReadNumber(std::string_view* text, int64_t* number) {
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), *number);
  if (error != std::errc()) return false;
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return true;
}

bool IsInRange(const Step& step) {
  const bool a = step.a >= 0 && step.a < Step::kHandles;
  switch (step.verb) {
    case Step::kWrap:
    case Step::kAttach:
      return a && step.b >= 0 && step.b < Step::kBuffers;
    case Step::kCopy:
      return a && step.b >= 0 && step.b < Step::kHandles;
    case Step::kMove:
    case Step::kExecute:
      return a && step.b >= 0 && step.b < Step::kHandles && step.a != step.b;
    case Step::kWrite:
      return a && step.b >= 0 && step.b < 1000;
    default:
      return a;
  }
}

bool ReadStep(std::string_view text, Step* step) {
  for (int verb = 0; verb < Step::kVerbs; ++verb) {
    const Spelling& spelling = kSpellings[verb];
    const std::string_view word = spelling.word;
    if (text.substr(0, word.size()) != word) continue;
    std::string_view rest = text.substr(word.size());
    *step = {static_cast<Step::Verb>(verb), 0, 0};
    if (spelling.between != '\0' && !ReadNumber(&rest, &step->a)) continue;
    if (spelling.between != '\0' && spelling.between != ' ') {
      if (rest.empty() || rest.front() != spelling.between) continue;
      rest.remove_prefix(1);
      if (!ReadNumber(&rest, &step->b)) continue;
    }
    if (rest.empty()) return IsInRange(*step);
  }
  return false;
}

Step DrawStep(Random& random, Step::Verb verb) {
  Step step{verb, random.Between(0, Step::kHandles - 1), 0};
  if (verb == Step::kWrap || verb == Step::kAttach) step.b = random.Between(0, Step::kBuffers - 1);
  if (verb == Step::kWrite) step.b = random.Between(0, 999);
  if (verb == Step::kCopy) step.b = random.Between(0, Step::kHandles - 1);
  if (verb == Step::kMove || verb == Step::kExecute) {
    step.b = random.Between(0, Step::kHandles - 2);
    if (step.b >= step.a) ++step.b;
  }
  if (verb == Step::kShuffle) step.a = 0;
  if (verb == Step::kRenew) step.a = random.Between(0, 2);
  return step;
}

}  // namespace

void Sequence::Print(Fields* fields) const {
  std::string text;
  for (const Step& step : steps) {
    if (!text.empty()) text += ',';
    text += Written(step);
  }
  fields->Set("steps", text.empty() ? "-" : text);
}

Sequence Sequence::Parse(const Fields& fields) {
  const std::string text = fields.Text("steps");
  Sequence sequence;
  if (text == "-") return sequence;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    Step step;
    if (!ReadStep(std::string_view(text).substr(at, end - at), &step)) {
      fields.Reject("steps", "holds something that is no step");
      return {};
    }
    sequence.steps.push_back(step);
    at = end + 1;
  }
  return sequence;
}

std::vector<Sequence> Sequence::Simpler() const {
  std::vector<Sequence> shorter;
  const auto size = static_cast<std::ptrdiff_t>(steps.size());
  for (std::ptrdiff_t length = size / 2; length >= 1; length /= 2) {
    for (std::ptrdiff_t at = 0; at < size; at += length) {
      Sequence rest = *this;
      rest.steps.erase(rest.steps.begin() + at, rest.steps.begin() + std::min(at + length, size));
      shorter.push_back(std::move(rest));
    }
  }
  return shorter;
}

Cases<Sequence> Sequences(std::vector<Step::Verb> often) {
  return {0, [often = std::move(often)](int64_t, Random& random) {
            Sequence sequence;
            // Something to work on first.
            for (int handle = 0; handle < 3; ++handle) {
              sequence.steps.push_back({Step::kNew, handle, 0});
              sequence.steps.push_back({Step::kWrite, handle, random.Between(0, 999)});
            }
            for (int64_t steps = random.Between(5, 60); steps-- > 0;) {
              const auto verb = random.Chance(50)
                                    ? random.Pick(often)
                                    : static_cast<Step::Verb>(random.Between(0, Step::kVerbs - 1));
              sequence.steps.push_back(DrawStep(random, verb));
              // What was done shows only when somebody looks.
              if (random.Chance(30)) sequence.steps.push_back(DrawStep(random, Step::kRead));
            }
            for (int handle = 0; handle < Step::kHandles; ++handle)
              sequence.steps.push_back({Step::kRead, handle, 0});
            return sequence;
          }};
}

bool Model::HasBuffer(int64_t handle) const {
  return IsLive(handle) && !memories_[handles_[handle]].detached;
}

int64_t Model::Holds(int64_t handle) const {
  const Memory& memory = memories_[handles_[handle]];
  return memory.wrapped >= 0 ? buffers_[memory.wrapped] : memory.number;
}

int64_t& Model::NumberOf(int64_t handle) {
  Memory& memory = memories_[handles_[handle]];
  return memory.wrapped >= 0 ? buffers_[memory.wrapped] : memory.number;
}

int64_t Model::Sharers(int64_t handle) const {
  return std::count(handles_.begin(), handles_.end(), handles_[handle]) +
         std::count(stored_.begin(), stored_.end(), handles_[handle]);
}

bool Model::Applies(const Step& step) const {
  switch (step.verb) {
    case Step::kCopy:
    case Step::kMove:
    case Step::kStore:
      return handles_[step.a] != kMoved;
    case Step::kWrite:
      return HasBuffer(step.a);
    case Step::kRead:
      return HoldsSomething(step.a);
    case Step::kAttach:
    case Step::kDetach:
      return IsLive(step.a);
    case Step::kExecute: {
      // Two memories with buffers that are not one.
      if (!HasBuffer(step.a) || !HasBuffer(step.b)) return false;
      const int from = handles_[step.a], to = handles_[step.b];
      const int64_t wrapped = memories_[from].wrapped;
      return from != to && (wrapped < 0 || wrapped != memories_[to].wrapped);
    }
    case Step::kFetch:
      return !stored_.empty();
    default:
      return true;
  }
}

void Model::Apply(const Step& step) {
  switch (step.verb) {
    case Step::kNew:
      handles_[step.a] = static_cast<int>(memories_.size());
      memories_.push_back({});
      break;
    case Step::kWrap:
      handles_[step.a] = static_cast<int>(memories_.size());
      memories_.push_back({kUnknown, step.b, false});
      break;
    case Step::kCopy:
      handles_[step.b] = handles_[step.a];
      break;
    case Step::kMove:
      handles_[step.b] = handles_[step.a];
      handles_[step.a] = kMoved;
      break;
    case Step::kDrop:
      handles_[step.a] = kEmpty;
      break;
    case Step::kWrite:
      NumberOf(step.a) = step.b;
      break;
    case Step::kAttach:
      memories_[handles_[step.a]] = {kUnknown, step.b, false};
      break;
    case Step::kDetach:
      memories_[handles_[step.a]] = {kUnknown, -1, true};
      break;
    case Step::kExecute:
      NumberOf(step.b) = Holds(step.a);
      break;
    case Step::kStore:
      stored_.push_back(handles_[step.a]);
      break;
    case Step::kFetch:
      handles_[step.a] = stored_.front();
      break;
    default:
      break;
  }
}

}  // namespace conformance
