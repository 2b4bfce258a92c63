// How a child process ended, in words.
#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

#include "conformance/case/printable.h"
#include "conformance/judge/isolate.h"
#include "conformance/judge/signal_names.h"

namespace conformance {
namespace {

bool Stops(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

// The line that says most about what went wrong.
std::string TellingLine(std::string_view output) {
  std::string last;
  while (!output.empty()) {
    const std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(output.size(), line.size() + 1));
    for (std::string_view mark : {"ERROR: ", "WARNING: ThreadSanitizer", "runtime error: "})
      if (line.find(mark) != std::string_view::npos) return std::string(line);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) last = line;
  }
  return last;
}

// "10 s", "0.5 s".
std::string Seconds(std::chrono::milliseconds time) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g s", static_cast<double>(time.count()) / 1000);
  return text;
}

}  // namespace

std::string End::Signal() const {
  const std::string name = NameOfSignal(number);
  switch (kind) {
    case kFinished:
      return "";
    case kExit:
      return "exit " + std::to_string(number);
    case kHang:
      return "hang";
    case kMemory:
      return "memory";
    case kOutput:
      return "output";
    case kParent:
      return "parent " + name;
    case kSignal:
      break;
  }
  return name;
}

std::string End::Describe() const {
  std::string text;
  switch (kind) {
    case kFinished:
      return "";
    case kExit:
      text = "the process was ended by exit(" + std::to_string(number) + ")";
      break;
    case kHang:
      text = "no answer in " + Seconds(limit) + (asleep ? ", asleep" : " of processor time");
      break;
    case kMemory:
      text = "memory without end";
      break;
    case kOutput:
      text = "output without end";
      break;
    case kParent:
      text = std::string("its parent process was ") + (Stops(number) ? "stopped" : "ended") +
             " by " + Signal().substr(sizeof("parent"));
      break;
    case kSignal:
      text = "the process was ended by " + Signal();
      break;
  }
  if (leaving) text += ", at exit";
  const std::string line = TellingLine(output);
  return line.empty() ? text : text + ": " + Printable(line);
}

}  // namespace conformance
