#include "impl_vulkan/device/process.h"

#include <unistd.h>

#include <atomic>

#include "absl/strings/str_cat.h"

namespace impl_vulkan {
namespace {

std::atomic<pid_t> opened_in{0};

absl::Status Check(pid_t parent, const char* what) {
  const pid_t here = getpid();
  if (parent == 0 || parent == here) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("vulkan: process ", here, " is a fork of process ",
                                          parent, ", which ", what,
                                          ": no GPU engine works here. "
                                          "Fork before the first one is made, or "
                                          "start a program of its own (exec)"));
}

absl::Status CheckOpened(pid_t opened) { return Check(opened, "had opened a device"); }

}  // namespace

Process::Process() : id_(getpid()) {}

bool Process::is_this() const { return getpid() == id_; }

absl::Status CheckProcess() { return CheckOpened(opened_in.load(std::memory_order_relaxed)); }

absl::Status CheckLooking(pid_t looking) { return Check(looking, "was looking for devices"); }

absl::Status EnterProcess() {
  pid_t opened = 0;
  if (opened_in.compare_exchange_strong(opened, getpid())) return absl::OkStatus();
  return CheckOpened(opened);
}

}  // namespace impl_vulkan
