#include "impl_vulkan/testing/fault_layer/faults.h"

#include <cstdlib>
#include <sstream>

namespace fault_layer {

Faults& Faults::Get() {
  static Faults* const faults = new Faults;
  return *faults;
}

Faults::Faults() {
  if (const char* words = std::getenv("FAULT_LAYER")) Pretend(words);
}

void Faults::Pretend(const char* words) {
  std::lock_guard<std::mutex> lock(mutex_);
  words_.clear();
  std::istringstream list(words);
  for (std::string word; std::getline(list, word, ',');) {
    const size_t equals = word.find('=');
    words_[word.substr(0, equals)] = equals == std::string::npos ? "1" : word.substr(equals + 1);
  }
}

void Faults::Arm(const char* function, int nth, bool onwards, VkResult result) {
  std::lock_guard<std::mutex> lock(mutex_);
  calls_.clear();
  armed_ = function;
  nth_ = nth;
  onwards_ = onwards;
  result_ = result;
}

void Faults::Disarm() {
  std::lock_guard<std::mutex> lock(mutex_);
  calls_.clear();
  armed_.clear();
}

int Faults::Calls(const char* function) {
  std::lock_guard<std::mutex> lock(mutex_);
  return calls_[function];
}

VkResult Faults::Next(const char* function) {
  std::lock_guard<std::mutex> lock(mutex_);
  const int count = ++calls_[function];
  if (armed_ != function) return VK_SUCCESS;
  return count == nth_ || (onwards_ && count > nth_) ? result_ : VK_SUCCESS;
}

bool Faults::Pretends(const char* word) {
  std::lock_guard<std::mutex> lock(mutex_);
  return words_.count(word) != 0;
}

std::optional<uint64_t> Faults::Value(const char* name) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = words_.find(name);
  if (found == words_.end()) return std::nullopt;
  return std::strtoull(found->second.c_str(), nullptr, 0);
}

}  // namespace fault_layer
