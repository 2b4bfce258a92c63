// A device for tests, and the shortest way to run an operation on it.
#ifndef DNNSPEC_IMPL_VULKAN_TESTING_DEVICE_H_
#define DNNSPEC_IMPL_VULKAN_TESTING_DEVICE_H_

#include <vulkan/vulkan.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "api/spi/implementation.h"
#include "api/testing/operations.h"
#include "impl_vulkan/device/device_plan.h"
#include "impl_vulkan/device/instance.h"
#include "impl_vulkan/implementation.h"
#include "impl_vulkan/testing/reference.h"

namespace impl_vulkan {
namespace testing {

// Keeps what drivers and layers cache inside the test's own folder. Call before the first instance.
void KeepCachesHere();

// An implementation that is never destroyed: unloading a driver would make what it leaks nameless.
Implementation& Keep(const Preferences& preferences);

// What Implementation opens first: the best of the devices that can be used. Null if there is none.
VkPhysicalDevice BestDevice(const Instance& instance, const Preferences& preferences);

// GTEST_SKIP() where `implementation` has no engine.
#define SKIP_WITHOUT_DEVICE(implementation) \
  if ((implementation).EngineCount() == 0) GTEST_SKIP() << (implementation).Reason()

// Storage on `engine` filled with `bytes`, by map and unmap.
std::shared_ptr<spi::Buffer> Upload(spi::Engine& engine, const Bytes& bytes);

// The first `size` bytes of `buffer`, by map and unmap.
Bytes Download(spi::Buffer& buffer, size_t size);

// Runs `operation` once on fresh memory and returns the destination's bytes; `destination` is what
// they were before. Fails the test on any status but Ok.
Bytes RunOn(spi::Engine& engine, const spi::AnyOperation& operation, const Bytes& source,
            const Bytes& destination, const std::vector<float>& run_time_scales, int candidate = 0);

// What an execution brings as zero points, by argument: the values that the operation holds.
std::vector<std::pair<int, spi::ZeroPoint>> ZeroPointsOf(const spi::ReorderOperation& operation);

// Those in memory of `engine`, appended to `arguments`; the result owns them.
std::vector<std::shared_ptr<spi::Buffer>> AddZeroPoints(spi::Engine& engine,
                                                        const spi::AnyOperation& operation,
                                                        std::vector<spi::Argument>* arguments);

// One random operation with its data and the right answer.
struct Trial {
  spi::AnyOperation operation;
  Bytes source, before, after;
  std::vector<float> scales;  // run-time ones
};
Trial RandomReorder(uint32_t seed, int64_t most_elements);
Trial RandomShuffle(uint32_t seed, int64_t most_elements);

// "byte 12 is 3f, 40 expected"; empty if they agree.
std::string Difference(const Bytes& got, const Bytes& expected);

}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_TESTING_DEVICE_H_
