// Declares the state behind dnnl::memory.
#ifndef DNNSPEC_API_MEMORY_MEMORY_STATE_H_
#define DNNSPEC_API_MEMORY_MEMORY_STATE_H_

#include <cstddef>
#include <memory>

#include "api/engine/engine_state.h"
#include "api/engine/handle_state.h"
#include "api/spi/implementation.h"
#include "api/spi/layout.h"
#include "oneapi/dnnl/memory/c_desc.h"

struct dnnl_memory : dnnl::state::shared<dnnl_memory> {
  std::shared_ptr<const dnnl_engine> engine;
  spi::Engine* spi_engine = nullptr;  // engine->spi_engine: one load less in execute
  spi::Layout layout;                 // rank 0 for the zero descriptor
  std::size_t bytes = 0;              // 0: no element exists, and there is never a buffer

  std::shared_ptr<spi::Buffer> buffer;  // null where there is none
  void* handle = nullptr;               // what get_data_handle returns

  void* mapped = nullptr;  // while map_count > 0
  int map_count = 0;

  // vulkan_interop: made for storage that the host sees. Says the kind while there is none.
  bool pointer_kind = false;

  // What get_desc returns: `layout` once more, with what the program wrote into extra.reserved.
  dnnl_memory_desc_t desc;
};

#endif  // DNNSPEC_API_MEMORY_MEMORY_STATE_H_
