#include "impl_vulkan/testing/compiler.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace impl_vulkan {
namespace testing {
namespace {

constexpr char kDriver[] = "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json";
constexpr char kFamily[] = "NAVI21";
// VK_MAKE_VERSION(22, 3, 6): another compiler counts otherwise.
constexpr uint32_t kDriverVersion = VK_MAKE_VERSION(22, 3, 6);

}  // namespace

std::string NameOf(const CompiledShader& shader) {
  std::ostringstream name;
  name << shader.name;
  for (const uint32_t constant : shader.constants) name << ' ' << constant;
  return name.str();
}

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

void Compiler::SetUp() {
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
}

void Compiler::Open(VkPhysicalDevice physical) {
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
VkPipelineLayout Compiler::LayoutOf(uint32_t buffers) {
  std::vector<VkDescriptorSetLayoutBinding> bindings(buffers + 1);
  for (uint32_t i = 0; i <= buffers; ++i) {
    bindings[i] = {
        i, i == buffers ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
        VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  }
  VkDescriptorSetLayoutCreateInfo set{};
  set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  set.bindingCount = buffers + 1;
  set.pBindings = bindings.data();
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  EXPECT_EQ(Of<PFN_vkCreateDescriptorSetLayout>("vkCreateDescriptorSetLayout")(
                device_, &set, nullptr, &set_layout),
            VK_SUCCESS);
  const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, 4 * (buffers + 2)};
  VkPipelineLayoutCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  create.setLayoutCount = 1;
  create.pSetLayouts = &set_layout;
  create.pushConstantRangeCount = 1;
  create.pPushConstantRanges = &push;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  EXPECT_EQ(
      Of<PFN_vkCreatePipelineLayout>("vkCreatePipelineLayout")(device_, &create, nullptr, &layout),
      VK_SUCCESS);
  return layout;
}

VkPipeline Compiler::Compile(const CompiledShader& shader) {
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
  create.layout = LayoutOf(shader.buffers);
  VkPipeline pipeline = VK_NULL_HANDLE;
  EXPECT_EQ(Of<PFN_vkCreateComputePipelines>("vkCreateComputePipelines")(
                device_, VK_NULL_HANDLE, 1, &create, nullptr, &pipeline),
            VK_SUCCESS);
  return pipeline;
}

std::map<std::string, int> Compiler::Statistics(VkPipeline pipeline) {
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

std::string Compiler::Assembly(VkPipeline pipeline) {
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

void Compiler::ExpectAsItWas(const CompiledShader& shader, int registers) {
  const VkPipeline pipeline = Compile(shader);
  ASSERT_NE(pipeline, static_cast<VkPipeline>(VK_NULL_HANDLE));
  std::map<std::string, int> statistics = Statistics(pipeline);
  ASSERT_GT(statistics["Instructions"], 0);
  EXPECT_EQ(statistics["Spilled SGPRs"], 0);
  EXPECT_EQ(statistics["Spilled VGPRs"], 0);
  EXPECT_LE(statistics["VGPRs"], registers);
  EXPECT_LE(std::abs(statistics["Instructions"] - shader.instructions), shader.instructions / 10)
      << statistics["Instructions"] << " instructions, " << shader.instructions << " expected";
}

}  // namespace testing
}  // namespace impl_vulkan
