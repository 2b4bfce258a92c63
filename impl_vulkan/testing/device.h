// A device for tests, and the shortest way to run an operation on it.
#ifndef DNNSPEC_IMPL_VULKAN_TESTING_DEVICE_H_
#define DNNSPEC_IMPL_VULKAN_TESTING_DEVICE_H_

#include <vulkan/vulkan.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "api/testing/interpreter.h"
#include "impl_vulkan/device/device_plan.h"
#include "impl_vulkan/device/instance.h"
#include "impl_vulkan/implementation.h"

namespace impl_vulkan {
namespace testing {

using spi::Bytes;

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

// What executing `operation` on fresh memory leaves in its buffers, which held `before`.
absl::StatusOr<std::vector<Bytes>> Execute(spi::Engine& engine, const spi::Operation& operation,
                                           const std::vector<Bytes>& before, int candidate = 0);

// The elements of a dense tensor of f32, and back.
Bytes BytesOf(const std::vector<float>& floats);
std::vector<float> FloatsOf(const Bytes& bytes);
// `count` times `value`, as s32.
Bytes Integers(size_t count, uint8_t value);

// Execute() with dense tensors of f32: what the last one holds then. Fails the test where it fails.
std::vector<float> ExecuteFloats(spi::Engine& engine, const spi::Operation& operation,
                                 const std::vector<std::vector<float>>& before, int candidate = 0);

// "" if they then hold what they may: of moves the interpreter's bits, those of NaN too.
std::string Run(spi::Engine& engine, const spi::Interpretation& right, int candidate = 0);

// One random operation with its data and the right answer; there is room behind each tensor.
spi::Interpretation RandomReorder(uint32_t seed, int64_t most_elements);
spi::Interpretation RandomShuffle(uint32_t seed, int64_t most_elements);

// "byte 12 is 3f, 40 expected"; empty if they agree.
std::string Difference(const Bytes& got, const Bytes& expected);

}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_TESTING_DEVICE_H_
