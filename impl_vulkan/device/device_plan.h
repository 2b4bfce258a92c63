// Decides what can be decided about devices before any is opened: pure functions over snapshots.
//
// Needed: Vulkan 1.2, a queue family with compute, timeline semaphores (core in 1.2) and the limits
// that every device guarantees. Whatever else a device has is used where it helps and may be
// switched off.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_DEVICE_PLAN_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_DEVICE_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "impl_vulkan/device/snapshot.h"

namespace impl_vulkan {

// A tile of a matrix: of an invocation, of a workgroup, and how many factors of a sum are held at a
// time. Multiples of 4, powers of two.
struct TileShape {
  uint32_t m = 0, n = 0, tile_m = 0, tile_n = 0, k = 0;

  uint32_t invocations() const { return tile_m / m * (tile_n / n); }
};

// What people may ask for. FromEnvironment reads
//   DNNSPEC_VULKAN_LIBRARY   path of the loader to open instead of libvulkan.so.1
//   DNNSPEC_VULKAN_FEATURES  "none": use no optional feature of a device
//   DNNSPEC_VULKAN_STAGING   "1": stage tiles in shared memory even on a software device, which
//                            makes shaders there what they are on a GPU
//   DNNSPEC_VULKAN_TILE      "8,8,128,128,8": the tile of matrix products, wherever the device can
//                            hold it, in the place of a choice by size (TileShape)
//   DNNSPEC_VULKAN_WINDOW    most bytes that one dispatch may span on a side, for tests
//   DNNSPEC_VULKAN_CACHE     folder for compiled pipelines; none by default. It must be private:
//                            what lies there becomes machine code (cache_file.h)
//   DNNSPEC_VULKAN_VALIDATE  "1": run under the Khronos validation layer, synchronization included;
//                            a message of the layer fails the call that finds it
// A tile, a window or features that mean nothing are not ignored: there is no engine then, and
// PlanDevice says why.
struct Preferences {
  std::string library;
  bool optional_features = true;
  bool staging = false;
  TileShape tile;             // all 0: as the product demands
  uint64_t window_bytes = 0;  // 0: as the device allows
  std::string cache_folder;
  bool validate = false;
  std::string wrong;  // what means nothing, and what would; "" if all is well

  static Preferences FromEnvironment();
};

// Decisions about one device. Sizes and alignments are bytes.
struct DevicePlan {
  uint32_t queue_family = 0;

  bool byte_stores = false;          // shaders may store single bytes
  bool hardware_arithmetic = false;  // the device claims IEEE f32; still to be probed
  int64_t rounds = 0;                // of the loops of an invocation, in all, at most
  int64_t terms = 0;                 // of all sums of a dispatch, at most, if these are many
  bool stages = true;                // tiles go through shared memory
  // Copy commands are as good as shaders wherever the memory lies. Discrete devices may give them
  // to an engine that is made for the bus to the host.
  bool copy_commands = true;
  TileShape tile;  // as Preferences::tile

  uint32_t invocations = 0;        // of a workgroup
  uint64_t shared_bytes = 0;       // of a workgroup, at most
  uint32_t groups = 0;             // of a dispatch in one dimension, at most
  uint64_t window_bytes = 0;       // a storage binding may span, at most
  uint64_t storage_alignment = 0;  // of a storage binding's offset; at least 4
  uint64_t uniform_alignment = 0;

  uint64_t region_alignment = 0;  // of sub-allocated memory
  uint64_t largest_region = 0;    // the heap that tensors are allocated in
  uint64_t largest_heap = 0;      // of any memory, that of external and host-visible tensors too
  uint64_t largest_block = 0;     // that small regions share
};

// kNotFound, with the reason, where the device cannot be used; kInvalidArgument where the
// preferences are wrong.
absl::StatusOr<DevicePlan> PlanDevice(const DeviceSnapshot& snapshot,
                                      const Preferences& preferences);

// The order of engines: indices into `snapshots`, usable devices only. Discrete ones first, then
// integrated and virtual ones; software devices only where there is no other.
std::vector<size_t> RankDevices(const std::vector<DeviceSnapshot>& snapshots,
                                const Preferences& preferences);

enum class Purpose {
  kTensor,      // what shaders work on; mapped only where that costs them nothing
  kHost,        // read and written by the host, coherent
  kParameters,  // written once by the host, read by every workgroup
};
constexpr size_t kPurposes = 3;

// The memory type for `purpose` among those in `type_bits`; kNotFound if there is none.
absl::StatusOr<uint32_t> ChooseMemoryType(const DeviceSnapshot& snapshot, uint32_t type_bits,
                                          Purpose purpose);

// Bytes of the heap that memory of `type` comes from.
uint64_t HeapOf(const DeviceSnapshot& snapshot, uint32_t type);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_DEVICE_PLAN_H_
