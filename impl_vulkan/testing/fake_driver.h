// A driver that makes objects out of numbers and runs nothing: what becomes of objects when
// something fails between two calls can be counted, and no device is needed.
#ifndef DNNSPEC_IMPL_VULKAN_TESTING_FAKE_DRIVER_H_
#define DNNSPEC_IMPL_VULKAN_TESTING_FAKE_DRIVER_H_

#include <vulkan/vulkan.h>

#include <cstdint>
#include <memory>

#include "impl_vulkan/device/device.h"

namespace impl_vulkan {
namespace testing {
namespace fake_driver {

// An external device. It has semaphores, pipelines and command buffers, and no memory; a
// function beyond these ends the program. The driver itself allocates nothing.
std::shared_ptr<Device> Open();

// Objects that were made and not destroyed, over all devices.
int64_t Living();

// How often commands were recorded, and how often an idle queue was waited for.
int64_t Recorded();
int64_t IdleWaits();

// What vkWaitSemaphores gives from here on.
void SetWait(VkResult result);

}  // namespace fake_driver
}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_TESTING_FAKE_DRIVER_H_
