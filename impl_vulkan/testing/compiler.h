// Compiles shaders with a real compiler of a real GPU: AMD's, by way of Mesa's RADV, which compiles
// for a device that is not there when told to.
#ifndef DNNSPEC_IMPL_VULKAN_TESTING_COMPILER_H_
#define DNNSPEC_IMPL_VULKAN_TESTING_COMPILER_H_

#include <gtest/gtest.h>
#include <vulkan/vulkan.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace impl_vulkan {
namespace testing {

// As in pipelines.h, with what is known of its machine code.
struct CompiledShader {
  const char* name;
  const uint32_t* words;
  size_t bytes;
  uint32_t buffers;
  std::vector<uint32_t> constants;
  int instructions;  // within a tenth
};

#define IMPL_VULKAN_SHADER(module) #module, shaders::module, sizeof shaders::module

std::string NameOf(const CompiledShader& shader);

// The most loads from buffers between two waits for such a load.
int LoadsTogether(const std::string& assembly);

// A device that compiles and does nothing else. Skipped where RADV is not installed, or is of
// another version than the figures.
class Compiler : public ::testing::Test {
 protected:
  void SetUp() override;

  VkPipeline Compile(const CompiledShader& shader);

  // By the compiler's names: "Instructions", "VGPRs", "Spilled VGPRs".
  std::map<std::string, int> Statistics(VkPipeline pipeline);

  // What the compiler wrote, as text.
  std::string Assembly(VkPipeline pipeline);

  // Fails where registers are spilt, there are more than `registers`, or the number of instructions
  // is another than it was.
  void ExpectAsItWas(const CompiledShader& shader, int registers);

 private:
  template <typename Function>
  Function Of(const char* name) const {
    return reinterpret_cast<Function>(get_(instance_, name));
  }

  void Open(VkPhysicalDevice physical);
  VkPipelineLayout LayoutOf(uint32_t buffers);

  PFN_vkGetInstanceProcAddr get_ = nullptr;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
};

}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_TESTING_COMPILER_H_
