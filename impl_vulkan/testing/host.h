// A host engine for tests of transfers: memory that is just memory, and nothing else.
#ifndef DNNSPEC_IMPL_VULKAN_TESTING_HOST_H_
#define DNNSPEC_IMPL_VULKAN_TESTING_HOST_H_

#include <memory>

#include "api/spi/implementation.h"
#include "api/testing/interpreter.h"

namespace impl_vulkan {
namespace testing {

class HostBuffer final : public spi::Buffer {
 public:
  explicit HostBuffer(spi::Bytes* bytes) : spi::Buffer(bytes->data()) {}

  absl::StatusOr<void*> Map() override { return handle(); }
  absl::Status Unmap(void*) override { return absl::OkStatus(); }
};

class HostEngine final : public spi::Engine {
 public:
  absl::StatusOr<std::unique_ptr<spi::Stream>> MakeStream(unsigned) override {
    return absl::UnimplementedError("a host for tests");
  }
  absl::StatusOr<std::shared_ptr<spi::Buffer>> Allocate(size_t) override {
    return absl::UnimplementedError("a host for tests");
  }
  absl::StatusOr<std::shared_ptr<spi::Buffer>> Wrap(void*, size_t) override {
    return absl::UnimplementedError("a host for tests");
  }
  absl::StatusOr<spi::Planned> MakePlan(const spi::Request&) override {
    return absl::UnimplementedError("a host for tests");
  }
};

}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_TESTING_HOST_H_
