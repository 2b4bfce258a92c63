#include "impl_vulkan/device/program.h"

#include <atomic>

namespace impl_vulkan {

uint64_t Program::NextSerial() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace impl_vulkan
