// What a real compiler of a real GPU makes of the shaders: AMD's, by way of Mesa's RADV, which
// compiles for a device that is not there when told to. No register is spilt, loads are issued
// together, and the number of instructions stays within a tenth of what it was.
//
// Skipped where RADV is not installed, or is of another version than the figures.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <vulkan/vulkan.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "impl_vulkan/strided/kernels.h"

namespace impl_vulkan {
namespace {

constexpr char kDriver[] = "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json";
constexpr char kFamily[] = "NAVI21";
// VK_MAKE_VERSION(22, 3, 6): another compiler counts otherwise.
constexpr uint32_t kDriverVersion = VK_MAKE_VERSION(22, 3, 6);

constexpr uint32_t kF16 = 1, kBf16 = 2, kF32 = 3, kS32 = 4, kS8 = 5, kU8 = 6;

struct Shader {
  const char* name;
  const uint32_t* words;
  size_t bytes;
  // From, to, scales, invocations, old; outer and inner nodes; the kernel's own.
  std::vector<uint32_t> constants;
  int instructions;
  int together;  // loads before the first wait, at least
};

#define CODE(module) #module, shaders::module, sizeof shaders::module

std::vector<Shader> Shaders() {
  return {
      {CODE(row_moves_rich), {kS32, kS32, 0, 256, 0, 1, 1, 128}, 120, 4},
      {CODE(row_converts_rich), {kF32, kF16, 0, 256, 0, 1, 1, 128}, 391, 4},
      {CODE(row_converts_rich), {kF32, kS8, 0, 256, 0, 1, 1, 128}, 424, 4},
      {CODE(row_converts), {kF32, kBf16, 0, 256, 0, 1, 1, 128}, 255, 4},
      {CODE(row_moves), {kU8, kU8, 0, 256, 0, 1, 1, 128}, 254, 4},
      {CODE(row_computes_hardware), {kF32, kS8, 1, 256, 0, 1, 1, 128}, 494, 4},
      {CODE(tile_moves_rich), {kS32, kS32, 0, 256, 0, 1, 2, 32, 32, 1}, 207, 4},
      {CODE(tile_moves_rich), {kF16, kF16, 0, 256, 0, 1, 2, 64, 64, 1}, 331, 4},
      {CODE(tile_moves_rich), {kU8, kU8, 0, 256, 0, 1, 2, 128, 128, 1}, 480, 4},
      {CODE(tile_moves), {kU8, kU8, 0, 256, 0, 1, 2, 128, 128, 0}, 361, 4},
      {CODE(tile_computes_hardware), {kF32, kS8, 1, 256, 0, 1, 2, 32, 128, 0}, 435, 4},
      {CODE(packed_moves_rich), {kS32, kS32, 0, 256, 0, 1, 2, 2048}, 124, 4},
      {CODE(packed_moves), {kU8, kU8, 0, 256, 0, 1, 2, 2048}, 256, 4},
      {CODE(generic_computes), {kF32, kF32, 1, 256, 3}, 431, 1},
  };
}

// A device that compiles and does nothing else.
class Compiler : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::ifstream(kDriver)) GTEST_SKIP() << "no " << kDriver;
    void* const library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) GTEST_SKIP() << "no Vulkan loader";
    setenv("VK_ICD_FILENAMES", kDriver, 1);
    setenv("RADV_FORCE_FAMILY", kFamily, 1);
    setenv("NODEVICE_SELECT", "1", 1);
    get_ = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
    VkApplicationInfo application{};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_2;
    VkInstanceCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    create.pApplicationInfo = &application;
    if (Of<PFN_vkCreateInstance>("vkCreateInstance")(&create, nullptr, &instance_) != VK_SUCCESS) {
      GTEST_SKIP() << "the driver does not start";
    }
    uint32_t count = 1;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    Of<PFN_vkEnumeratePhysicalDevices>("vkEnumeratePhysicalDevices")(instance_, &count, &physical);
    if (count == 0) GTEST_SKIP() << "the driver has no device that is not there";
    VkPhysicalDeviceProperties properties;
    Of<PFN_vkGetPhysicalDeviceProperties>("vkGetPhysicalDeviceProperties")(physical, &properties);
    if (properties.driverVersion != kDriverVersion) {
      GTEST_SKIP() << "the figures are of another version than " << properties.driverVersion;
    }
    Open(physical);
    MakeLayout();
  }

  template <typename Function>
  Function Of(const char* name) const {
    return reinterpret_cast<Function>(get_(instance_, name));
  }

  void Open(VkPhysicalDevice physical) {
    const float priority = 1;
    VkDeviceQueueCreateInfo queues{};
    queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queues.queueCount = 1;
    queues.pQueuePriorities = &priority;
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR tells{};
    tells.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR;
    tells.pipelineExecutableInfo = VK_TRUE;
    VkPhysicalDeviceVulkan12Features features{};
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    features.pNext = &tells;
    features.storageBuffer8BitAccess = features.shaderInt8 = VK_TRUE;
    const char* const extension = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
    VkDeviceCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    create.pNext = &features;
    create.queueCreateInfoCount = 1;
    create.pQueueCreateInfos = &queues;
    create.enabledExtensionCount = 1;
    create.ppEnabledExtensionNames = &extension;
    ASSERT_EQ(Of<PFN_vkCreateDevice>("vkCreateDevice")(physical, &create, nullptr, &device_),
              VK_SUCCESS);
  }

  // As impl_vulkan/device/pipelines.h says.
  void MakeLayout() {
    std::vector<VkDescriptorSetLayoutBinding> bindings(4);
    for (uint32_t i = 0; i < 4; ++i) {
      bindings[i] = {i,
                     i == 3 ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                     1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
    }
    VkDescriptorSetLayoutCreateInfo set{};
    set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    set.bindingCount = 4;
    set.pBindings = bindings.data();
    VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
    ASSERT_EQ(Of<PFN_vkCreateDescriptorSetLayout>("vkCreateDescriptorSetLayout")(
                  device_, &set, nullptr, &set_layout),
              VK_SUCCESS);
    const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, 16};
    VkPipelineLayoutCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    create.setLayoutCount = 1;
    create.pSetLayouts = &set_layout;
    create.pushConstantRangeCount = 1;
    create.pPushConstantRanges = &push;
    ASSERT_EQ(Of<PFN_vkCreatePipelineLayout>("vkCreatePipelineLayout")(device_, &create, nullptr,
                                                                       &layout_),
              VK_SUCCESS);
  }

  VkPipeline Compile(const Shader& shader) {
    VkShaderModuleCreateInfo module_create{};
    module_create.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    module_create.codeSize = shader.bytes;
    module_create.pCode = shader.words;
    VkShaderModule module = VK_NULL_HANDLE;
    EXPECT_EQ(Of<PFN_vkCreateShaderModule>("vkCreateShaderModule")(device_, &module_create, nullptr,
                                                                   &module),
              VK_SUCCESS);
    std::vector<VkSpecializationMapEntry> entries;
    for (uint32_t i = 0; i < shader.constants.size(); ++i) entries.push_back({i, 4 * i, 4});
    VkSpecializationInfo specialization{};
    specialization.mapEntryCount = static_cast<uint32_t>(entries.size());
    specialization.pMapEntries = entries.data();
    specialization.dataSize = 4 * entries.size();
    specialization.pData = shader.constants.data();
    VkComputePipelineCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    create.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
                   VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
    create.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    create.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    create.stage.module = module;
    create.stage.pName = "main";
    create.stage.pSpecializationInfo = &specialization;
    create.layout = layout_;
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(Of<PFN_vkCreateComputePipelines>("vkCreateComputePipelines")(
                  device_, VK_NULL_HANDLE, 1, &create, nullptr, &pipeline),
              VK_SUCCESS);
    return pipeline;
  }

  std::map<std::string, int> Statistics(VkPipeline pipeline) {
    const auto ask =
        Of<PFN_vkGetPipelineExecutableStatisticsKHR>("vkGetPipelineExecutableStatisticsKHR");
    VkPipelineExecutableInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR;
    info.pipeline = pipeline;
    uint32_t count = 0;
    ask(device_, &info, &count, nullptr);
    VkPipelineExecutableStatisticKHR empty{};
    empty.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
    std::vector<VkPipelineExecutableStatisticKHR> found(count, empty);
    ask(device_, &info, &count, found.data());
    std::map<std::string, int> statistics;
    for (const auto& one : found) statistics[one.name] = static_cast<int>(one.value.u64);
    return statistics;
  }

  // What the compiler wrote, as text.
  std::string Assembly(VkPipeline pipeline) {
    const auto ask = Of<PFN_vkGetPipelineExecutableInternalRepresentationsKHR>(
        "vkGetPipelineExecutableInternalRepresentationsKHR");
    VkPipelineExecutableInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR;
    info.pipeline = pipeline;
    uint32_t count = 0;
    ask(device_, &info, &count, nullptr);
    VkPipelineExecutableInternalRepresentationKHR empty{};
    empty.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
    std::vector<VkPipelineExecutableInternalRepresentationKHR> found(count, empty);
    ask(device_, &info, &count, found.data());
    std::vector<std::string> texts(count);
    for (uint32_t i = 0; i < count; ++i) {
      texts[i].resize(found[i].dataSize);
      found[i].pData = texts[i].data();
    }
    ask(device_, &info, &count, found.data());
    for (uint32_t i = 0; i < count; ++i) {
      if (std::strstr(found[i].name, "ssembly") != nullptr) return texts[i];
    }
    return "";
  }

  PFN_vkGetInstanceProcAddr get_ = nullptr;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
};

std::string NameOf(const Shader& shader) {
  std::ostringstream name;
  name << shader.name;
  for (const uint32_t constant : shader.constants) name << ' ' << constant;
  return name.str();
}

// The most loads from buffers between two waits for such a load.
int LoadsTogether(const std::string& assembly) {
  std::istringstream lines(assembly);
  int most = 0, count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("s_waitcnt") != std::string::npos && line.find("vmcnt") != std::string::npos) {
      count = 0;
    }
    if (line.find("buffer_load") != std::string::npos) most = std::max(most, ++count);
  }
  return most;
}

TEST_F(Compiler, SpillsNothingAndNeedsAsManyInstructionsAsItDid) {
  for (const Shader& shader : Shaders()) {
    SCOPED_TRACE(NameOf(shader));
    const VkPipeline pipeline = Compile(shader);
    ASSERT_NE(pipeline, static_cast<VkPipeline>(VK_NULL_HANDLE));
    std::map<std::string, int> statistics = Statistics(pipeline);
    ASSERT_GT(statistics["Instructions"], 0);
    EXPECT_EQ(statistics["Spilled SGPRs"], 0);
    EXPECT_EQ(statistics["Spilled VGPRs"], 0);
    EXPECT_LE(statistics["VGPRs"], 64);
    EXPECT_LE(std::abs(statistics["Instructions"] - shader.instructions), shader.instructions / 10)
        << statistics["Instructions"] << " instructions, " << shader.instructions << " expected";
  }
}

TEST_F(Compiler, IssuesLoadsTogether) {
  for (const Shader& shader : Shaders()) {
    SCOPED_TRACE(NameOf(shader));
    const std::string assembly = Assembly(Compile(shader));
    ASSERT_NE(assembly.find("buffer_load"), std::string::npos);
    EXPECT_GE(LoadsTogether(assembly), shader.together);
  }
}

}  // namespace
}  // namespace impl_vulkan
