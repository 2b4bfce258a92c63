#include "impl_vulkan/device/instance.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "impl_vulkan/device/failure.h"

namespace impl_vulkan {
namespace {

constexpr char kValidationLayer[] = "VK_LAYER_KHRONOS_validation";

bool HasLayer(const LibraryFunctions& library, const char* name) {
  uint32_t count = 0;
  library.vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  library.vkEnumerateInstanceLayerProperties(&count, layers.data());
  return std::any_of(layers.begin(), layers.end(), [&](const VkLayerProperties& layer) {
    return std::strcmp(layer.layerName, name) == 0;
  });
}

}  // namespace

absl::StatusOr<std::shared_ptr<Instance>> Instance::Create(const Preferences& preferences) {
  absl::StatusOr<LibraryFunctions> library = OpenLibrary(preferences.library);
  if (!library.ok()) return library.status();
  std::shared_ptr<Instance> instance(new Instance);
  instance->get_ = library->vkGetInstanceProcAddr;
  const absl::Status made = instance->Make(*library, preferences);
  if (!made.ok()) return made;
  return instance;
}

absl::StatusOr<std::shared_ptr<Instance>> Instance::Adopt(PFN_vkGetInstanceProcAddr get,
                                                          VkInstance handle) {
  std::shared_ptr<Instance> instance(new Instance);
  instance->get_ = get;
  absl::StatusOr<InstanceFunctions> functions = LoadInstanceFunctions(get, handle);
  if (!functions.ok()) return functions.status();
  instance->vk_ = *functions;
  instance->handle_ = handle;
  return instance;
}

VkDebugUtilsMessengerCreateInfoEXT Instance::Listener() {
  VkDebugUtilsMessengerCreateInfoEXT messages{};
  messages.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  messages.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                             VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messages.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  messages.pfnUserCallback = &Instance::OnMessage;
  messages.pUserData = this;
  return messages;
}

absl::Status Instance::Make(const LibraryFunctions& library, const Preferences& preferences) {
  uint32_t version = 0;
  const VkResult found = library.vkEnumerateInstanceVersion(&version);
  if (found != VK_SUCCESS) return Failure("vkEnumerateInstanceVersion", found);
  if (version < VK_API_VERSION_1_2) {
    return absl::NotFoundError("vulkan: the loader does not know Vulkan 1.2");
  }

  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pEngineName = "dnnspec";
  application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  create.pApplicationInfo = &application;

  const VkDebugUtilsMessengerCreateInfoEXT messages = Listener();
  const VkValidationFeatureEnableEXT synchronization =
      VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT validation{};
  validation.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
  validation.pNext = &messages;
  validation.enabledValidationFeatureCount = 1;
  validation.pEnabledValidationFeatures = &synchronization;
  const char* const layers[] = {kValidationLayer};
  const char* const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
  const bool validate = preferences.validate && HasLayer(library, kValidationLayer);
  layer_missing_ = preferences.validate && !validate;
  if (validate) {
    create.pNext = &validation;
    create.enabledLayerCount = 1;
    create.ppEnabledLayerNames = layers;
    create.enabledExtensionCount = 1;
    create.ppEnabledExtensionNames = extensions;
  }

  const VkResult created = library.vkCreateInstance(&create, nullptr, &handle_);
  if (created != VK_SUCCESS) {
    handle_ = VK_NULL_HANDLE;
    return created == VK_ERROR_INCOMPATIBLE_DRIVER ? absl::NotFoundError("vulkan: no driver")
                                                   : Failure("vkCreateInstance", created);
  }
  owned_ = true;
  absl::StatusOr<InstanceFunctions> functions = LoadInstanceFunctions(get_, handle_);
  if (!functions.ok()) return functions.status();
  vk_ = *functions;
  if (validate) {
    const auto make = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        get_(handle_, "vkCreateDebugUtilsMessengerEXT"));
    const VkResult heard = make == nullptr ? VK_ERROR_EXTENSION_NOT_PRESENT
                                           : make(handle_, &messages, nullptr, &messenger_);
    if (heard != VK_SUCCESS) return Failure("vkCreateDebugUtilsMessengerEXT", heard);
  }
  return absl::OkStatus();
}

Instance::~Instance() {
  if (!owned_ || !process_.is_this()) return;
  if (messenger_ != VK_NULL_HANDLE) {
    reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        get_(handle_, "vkDestroyDebugUtilsMessengerEXT"))(handle_, messenger_, nullptr);
  }
  if (vk_.vkDestroyInstance != nullptr) vk_.vkDestroyInstance(handle_, nullptr);
}

absl::StatusOr<std::vector<VkPhysicalDevice>> Instance::Devices() const {
  std::vector<VkPhysicalDevice> devices;
  uint32_t count = 0;
  VkResult result = vk_.vkEnumeratePhysicalDevices(handle_, &count, nullptr);
  if (result == VK_SUCCESS && count != 0) {
    devices.resize(count);
    result = vk_.vkEnumeratePhysicalDevices(handle_, &count, devices.data());
    devices.resize(count);
  }
  if (result != VK_SUCCESS && result != VK_INCOMPLETE) {
    return Failure("vkEnumeratePhysicalDevices", result);
  }
  return devices;
}

absl::Status Instance::Verdict() const {
  if (layer_missing_) {
    return absl::FailedPreconditionError(absl::StrCat(
        "vulkan: validation was asked for, but the layer ", kValidationLayer, " is not installed"));
  }
  if (messenger_ == VK_NULL_HANDLE) return absl::OkStatus();
  std::lock_guard<std::mutex> lock(mutex_);
  if (message_count_ == 0) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("vulkan: validation, ", message_count_, " message(s): ", first_message_));
}

VkBool32 Instance::OnMessage(VkDebugUtilsMessageSeverityFlagBitsEXT,
                             VkDebugUtilsMessageTypeFlagsEXT,
                             const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
  auto* const self = static_cast<Instance*>(user);
  std::lock_guard<std::mutex> lock(self->mutex_);
  if (self->message_count_++ == 0) self->first_message_ = data->pMessage;
  return VK_FALSE;
}

}  // namespace impl_vulkan
