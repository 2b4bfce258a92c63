#include "impl_cpu/memory/buffer.h"

#include <cstdlib>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/spi/implementation.h"

namespace impl_cpu {
namespace {

class HostBuffer : public spi::Buffer {
 public:
  explicit HostBuffer(void* handle) : spi::Buffer(handle) {}
  absl::StatusOr<void*> Map() override { return handle(); }
  absl::Status Unmap(void*) override { return absl::OkStatus(); }
};

struct Free {
  void operator()(void* storage) const { std::free(storage); }
};
using Storage = std::unique_ptr<void, Free>;

class OwnedBuffer : public HostBuffer {
 public:
  explicit OwnedBuffer(Storage storage) : HostBuffer(storage.get()), storage_(std::move(storage)) {}

 private:
  const Storage storage_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<spi::Buffer>> AllocateBuffer(size_t bytes) {
  void* storage = nullptr;
  if (posix_memalign(&storage, kBufferAlignment, bytes) != 0)
    return absl::ResourceExhaustedError("cpu: no host memory");
  // Owned before there is a buffer, for which there may be no memory.
  Storage owned(storage);
  return std::shared_ptr<spi::Buffer>(std::make_shared<OwnedBuffer>(std::move(owned)));
}

std::shared_ptr<spi::Buffer> WrapBuffer(void* handle) {
  return std::make_shared<HostBuffer>(handle);
}

}  // namespace impl_cpu
