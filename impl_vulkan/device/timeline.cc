#include "impl_vulkan/device/timeline.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/container/inlined_vector.h"

namespace impl_vulkan {
namespace {

// vkWaitSemaphores is not among the calls that must return when a device is lost, so it waits for a
// second at a time. After each the counter is read, which fails on a lost device.
constexpr uint64_t kPatienceNanoseconds = 1000000000;

// So many finished submissions may be kept before Submit lets go of them.
constexpr size_t kRetireEvery = 16;

}  // namespace

Timeline::Timeline(std::shared_ptr<Device> device, std::shared_ptr<Queue> queue)
    : device_(std::move(device)), queue_(std::move(queue)), kept_(64) {}

absl::StatusOr<std::shared_ptr<Timeline>> Timeline::Create(std::shared_ptr<Device> device,
                                                           std::shared_ptr<Queue> queue) {
  std::shared_ptr<Timeline> timeline(new Timeline(std::move(device), std::move(queue)));
  VkSemaphoreTypeCreateInfo type{};
  type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  create.pNext = &type;
  Device& owner = *timeline->device_;
  VkSemaphore semaphore = VK_NULL_HANDLE;
  const VkResult result =
      owner.vk().vkCreateSemaphore(owner.handle(), &create, nullptr, &semaphore);
  if (result != VK_SUCCESS) return owner.Check("vkCreateSemaphore", result);
  timeline->semaphore_ = semaphore;
  return timeline;
}

Timeline::~Timeline() {
  if (semaphore_ == VK_NULL_HANDLE || device_->forked()) return;
  Settle();
  kept_.clear();
  device_->vk().vkDestroySemaphore(device_->handle(), semaphore_, nullptr);
}

absl::StatusOr<uint64_t> Timeline::Submit(VkCommandBuffer commands, Keep keep,
                                          absl::Span<const SyncPoint> waits,
                                          absl::Span<const SyncPoint> signals) {
  const absl::Status alive = device_->Alive();
  if (!alive.ok()) return alive;

  const uint64_t value = last() + 1;
  absl::InlinedVector<VkSemaphore, 4> wait_semaphores, signal_semaphores;
  absl::InlinedVector<uint64_t, 4> wait_values, signal_values;
  absl::InlinedVector<VkPipelineStageFlags, 4> wait_stages;
  for (const SyncPoint& point : waits) {
    wait_semaphores.push_back(point.semaphore);
    wait_values.push_back(point.value);
    wait_stages.push_back(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  }
  for (const SyncPoint& point : signals) {
    signal_semaphores.push_back(point.semaphore);
    signal_values.push_back(point.value);
  }
  signal_semaphores.push_back(semaphore_);
  signal_values.push_back(value);

  VkTimelineSemaphoreSubmitInfo values{};
  values.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
  values.waitSemaphoreValueCount = static_cast<uint32_t>(wait_values.size());
  values.pWaitSemaphoreValues = wait_values.data();
  values.signalSemaphoreValueCount = static_cast<uint32_t>(signal_values.size());
  values.pSignalSemaphoreValues = signal_values.data();
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.pNext = &values;
  submit.waitSemaphoreCount = static_cast<uint32_t>(wait_semaphores.size());
  submit.pWaitSemaphores = wait_semaphores.data();
  submit.pWaitDstStageMask = wait_stages.data();
  submit.commandBufferCount = commands == VK_NULL_HANDLE ? 0 : 1;
  submit.pCommandBuffers = &commands;
  submit.signalSemaphoreCount = static_cast<uint32_t>(signal_semaphores.size());
  submit.pSignalSemaphores = signal_semaphores.data();
  // Nothing is allocated between the submission and the keeping of what it uses.
  MakeRoom();
  const absl::Status submitted = queue_->Submit(*device_, submit);
  if (!submitted.ok()) return submitted;

  bool retire = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    last_ = value;
    kept_[(kept_first_ + kept_count_) % kept_.size()] = {value, std::move(keep)};
    retire = ++kept_count_ % kRetireEvery == 0;
  }
  if (retire) Retire();
  return value;
}

void Timeline::MakeRoom() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (kept_count_ != kept_.size()) return;
  std::rotate(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(kept_first_), kept_.end());
  kept_first_ = 0;
  kept_.resize(2 * kept_.size());
}

uint64_t Timeline::last() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return last_;
}

absl::Status Timeline::WaitFor(uint64_t value) {
  if (device_->lost() || device_->forked()) return device_->Alive();
  const char* call = nullptr;
  const VkResult result = Await(value, &call);
  return result == VK_SUCCESS ? device_->Alive() : device_->Check(call, result);
}

void Timeline::Settle() {
  if (device_->forked()) return;
  const char* call = nullptr;
  if (Await(last(), &call) != VK_SUCCESS) queue_->Settle(*device_);
}

// Returns when the submission with this value is done; otherwise `*call` is what failed.
VkResult Timeline::Await(uint64_t value, const char** call) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (value <= done_) return VK_SUCCESS;
  }
  VkSemaphoreWaitInfo wait{};
  wait.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
  wait.semaphoreCount = 1;
  wait.pSemaphores = &semaphore_;
  wait.pValues = &value;
  for (;;) {
    *call = "vkWaitSemaphores";
    if (device_->lost()) return VK_ERROR_DEVICE_LOST;
    VkResult result =
        device_->vk().vkWaitSemaphores(device_->handle(), &wait, kPatienceNanoseconds);
    if (result == VK_TIMEOUT) {
      *call = "vkGetSemaphoreCounterValue";
      uint64_t reached = 0;
      result = device_->vk().vkGetSemaphoreCounterValue(device_->handle(), semaphore_, &reached);
      if (result == VK_SUCCESS && reached < value) continue;
    }
    device_->Note(*call, result);
    if (result != VK_SUCCESS) return result;
    Retire();
    return VK_SUCCESS;
  }
}

bool Timeline::Done(uint64_t value) {
  if (device_->forked()) return false;
  std::lock_guard<std::mutex> lock(mutex_);
  if (value <= done_) return true;
  uint64_t reached = 0;
  const VkResult result =
      device_->vk().vkGetSemaphoreCounterValue(device_->handle(), semaphore_, &reached);
  device_->Note("vkGetSemaphoreCounterValue", result);
  if (result == VK_SUCCESS) done_ = std::max(done_, reached);
  return value <= done_;
}

void Timeline::Retire() {
  if (device_->forked()) return;
  Done(UINT64_MAX);
  for (bool more = true; more;) {
    // What is let go may be the last owner of much: it goes after the lock.
    std::array<Keep, kRetireEvery> gone;
    size_t count = 0;
    std::lock_guard<std::mutex> lock(mutex_);
    for (; count < gone.size() && kept_count_ != 0 && kept_[kept_first_].value <= done_; ++count) {
      gone[count] = std::move(kept_[kept_first_].keep);
      kept_first_ = (kept_first_ + 1) % kept_.size();
      --kept_count_;
    }
    more = count == gone.size();
  }
}

}  // namespace impl_vulkan
