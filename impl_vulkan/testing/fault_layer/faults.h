// Holds what the fault layer was told, and what it counted.
#ifndef DNNSPEC_IMPL_VULKAN_TESTING_FAULT_LAYER_FAULTS_H_
#define DNNSPEC_IMPL_VULKAN_TESTING_FAULT_LAYER_FAULTS_H_

#include <vulkan/vulkan.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace fault_layer {

// Thread-safe.
class Faults {
 public:
  static Faults& Get();

  void Pretend(const char* words);
  void Arm(const char* function, int nth, bool onwards, VkResult result);
  void Disarm();
  int Calls(const char* function);

  // Counts a call of `function`; VK_SUCCESS if it is to go on.
  VkResult Next(const char* function);

  bool Pretends(const char* word);
  std::optional<uint64_t> Value(const char* name);

 private:
  Faults();

  std::mutex mutex_;
  std::map<std::string, std::string> words_;
  std::map<std::string, int> calls_;
  std::string armed_;  // empty: nothing fails
  int nth_ = 0;
  bool onwards_ = false;
  VkResult result_ = VK_SUCCESS;
};

}  // namespace fault_layer

#endif  // DNNSPEC_IMPL_VULKAN_TESTING_FAULT_LAYER_FAULTS_H_
