// The fault layer: a Vulkan layer that fails calls and pretends that a device is smaller than it
// is.
//
// Two ways to tell it what to do. A test that opens the layer itself, before the first instance,
// uses Control. A test that knows nothing of it is given an environment:
//
//   VK_LAYER_PATH=<this folder>  VK_INSTANCE_LAYERS=VK_LAYER_DNNSPEC_fault
//   FAULT_LAYER=discrete,maxStorageBufferRange=4096,shaderInt8=0
//
// Words: `discrete` (memory of the device cannot be mapped), `no_device`, `stuck` (whoever waits
// for a semaphore is told VK_TIMEOUT), and name=value for the limits and features in
// fault_layer.cc. With `discrete`, `local_heap` and `window_heap` are bytes: of the device's
// memory, and of a part of it that the host sees.
#ifndef DNNSPEC_IMPL_VULKAN_TESTING_FAULT_LAYER_CONTROL_H_
#define DNNSPEC_IMPL_VULKAN_TESTING_FAULT_LAYER_CONTROL_H_

#include <vulkan/vulkan.h>

namespace fault_layer {

// How a test and the layer, which are linked apart, talk. Thread-safe.
struct Control {
  // As FAULT_LAYER; replaces what was said before. For instances made from now on.
  void (*pretend)(const char* words);

  // Call number `nth`, from 1, of `function` returns `result` and does nothing; with `onwards`, so
  // do all later ones. Starts counting anew. A device that returned VK_ERROR_DEVICE_LOST stays
  // lost.
  void (*arm)(const char* function, int nth, bool onwards, VkResult result);
  void (*disarm)();

  // Calls of `function` since the last arm or disarm.
  int (*calls)(const char* function);

  // The functions that can fail: name number `index`, null past the end.
  const char* (*function)(int index);
};

// The name of the symbol `const Control dnnspec_fault_layer`.
constexpr char kControlSymbol[] = "dnnspec_fault_layer";

}  // namespace fault_layer

#endif  // DNNSPEC_IMPL_VULKAN_TESTING_FAULT_LAYER_CONTROL_H_
