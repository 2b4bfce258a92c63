// Declares the state behind dnnl::memory.
#ifndef DNNSPEC_API_MEMORY_MEMORY_STATE_H_
#define DNNSPEC_API_MEMORY_MEMORY_STATE_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "api/engine/engine_state.h"
#include "api/engine/handle_state.h"
#include "api/spi/implementation.h"
#include "api/spi/layout.h"
#include "oneapi/dnnl/memory/c_desc.h"

namespace api {

// A device and a data type in one word, which no other two give, and which is never 0 or 1.
inline std::uintptr_t DeviceAndType(const spi::Engine* spi_engine, spi::DataType type) {
  constexpr auto kMostType = static_cast<std::uintptr_t>(spi::DataType::kU8);
  static_assert(kMostType < alignof(spi::Engine), "the lowest bits of an address are free");
  return reinterpret_cast<std::uintptr_t>(spi_engine) + static_cast<std::uintptr_t>(type);
}

}  // namespace api

struct dnnl_memory : dnnl::state::shared<dnnl_memory> {
  std::shared_ptr<const dnnl_engine> engine;
  spi::Engine* spi_engine = nullptr;  // engine->spi_engine: one load less in execute
  spi::Layout layout;                 // rank 0 for the zero descriptor
  std::size_t bytes = 0;              // 0: no element exists, and there is never a buffer

  std::shared_ptr<spi::Buffer> buffer;  // null where there is none
  void* handle = nullptr;               // what get_data_handle returns

  void* mapped = nullptr;  // while map_count > 0
  int map_count = 0;

  // What an execution compares first: DeviceAndType while there is a buffer, and that is not mapped
  // to something else; 0 otherwise.
  std::uintptr_t usable_as = 0;

  // After a change of buffer, handle or mapping.
  void UpdateUsable() {
    const bool is_here = map_count == 0 || mapped == handle;
    usable_as = buffer != nullptr && is_here ? api::DeviceAndType(spi_engine, layout.type) : 0;
  }

  // vulkan_interop: made for storage that the host sees. Says the kind while there is none.
  bool pointer_kind = false;

  // What get_desc returns: `layout` once more, with what the program wrote into extra.reserved.
  dnnl_memory_desc_t desc;
};

#endif  // DNNSPEC_API_MEMORY_MEMORY_STATE_H_
