// Translates a VkResult into a status of api.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_FAILURE_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_FAILURE_H_

#include <vulkan/vulkan.h>

#include <string>

#include "absl/status/status.h"

namespace impl_vulkan {

// "VK_ERROR_DEVICE_LOST"; "VkResult -1000" for one without a name here.
std::string NameOf(VkResult result);

// The status of a failed `call`: kResourceExhausted where host or device ran out of something,
// kInternal otherwise. `result` is not VK_SUCCESS.
absl::Status Failure(const char* call, VkResult result);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_FAILURE_H_
