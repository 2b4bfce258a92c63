#include "impl_cpu/memory/buffer.h"

#include <cstdlib>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/spi/implementation.h"

namespace impl_cpu {
namespace {

class HostBuffer : public spi::Buffer {
 public:
  explicit HostBuffer(void* handle) : spi::Buffer(handle) {}
  absl::StatusOr<void*> Map() override { return handle(); }
  absl::Status Unmap(void*) override { return absl::OkStatus(); }
};

class OwnedBuffer : public HostBuffer {
 public:
  explicit OwnedBuffer(void* handle) : HostBuffer(handle) {}
  ~OwnedBuffer() override { std::free(handle()); }
};

}  // namespace

absl::StatusOr<std::shared_ptr<spi::Buffer>> AllocateBuffer(size_t bytes) {
  void* storage = nullptr;
  if (posix_memalign(&storage, kBufferAlignment, bytes) != 0)
    return absl::ResourceExhaustedError(absl::StrCat("cpu: no host memory for ", bytes, " bytes"));
  return std::shared_ptr<spi::Buffer>(std::make_shared<OwnedBuffer>(storage));
}

std::shared_ptr<spi::Buffer> WrapBuffer(void* handle) {
  return std::make_shared<HostBuffer>(handle);
}

}  // namespace impl_cpu
