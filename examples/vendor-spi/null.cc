// The least that an implementation is: one CPU engine that serves nothing. Copy it, rename it, and
// let MakePlan answer one operation after the other; scalar.cc is where that leads.
#include <cstdlib>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/spi/implementation.h"

namespace null {
namespace {

// Host memory: the caller's, or our own.
class HostBuffer final : public spi::Buffer {
 public:
  HostBuffer(void* data, bool owned) : spi::Buffer(data), owned_(owned) {}
  ~HostBuffer() override {
    if (owned_) std::free(handle());
  }
  absl::StatusOr<void*> Map() override { return handle(); }
  absl::Status Unmap(void*) override { return absl::OkStatus(); }

 private:
  const bool owned_;
};

// Whatever is submitted has finished by then: there is nothing to wait for.
class HostStream final : public spi::Stream {
 public:
  absl::Status Wait() override { return absl::OkStatus(); }
};

class NullEngine final : public spi::Engine {
 public:
  absl::StatusOr<std::unique_ptr<spi::Stream>> MakeStream(unsigned) override {
    return std::unique_ptr<spi::Stream>(std::make_unique<HostStream>());
  }

  absl::StatusOr<std::shared_ptr<spi::Buffer>> Allocate(size_t bytes) override {
    void* const data = std::malloc(bytes);
    if (data == nullptr) return absl::ResourceExhaustedError("null: no memory");
    return std::shared_ptr<spi::Buffer>(std::make_shared<HostBuffer>(data, true));
  }

  absl::StatusOr<std::shared_ptr<spi::Buffer>> Wrap(void* handle, size_t) override {
    return std::shared_ptr<spi::Buffer>(std::make_shared<HostBuffer>(handle, false));
  }

  absl::StatusOr<spi::Planned> MakePlan(const spi::Request&) override {
    return absl::UnimplementedError("null: serves nothing");
  }
};

class Null final : public spi::Implementation {
 public:
  const char* name() const override { return "null"; }
  spi::EngineKind kind() const override { return spi::EngineKind::kCpu; }
  size_t EngineCount() override { return 1; }
  absl::StatusOr<std::shared_ptr<spi::Engine>> MakeEngine(size_t) override {
    return std::shared_ptr<spi::Engine>(std::make_shared<NullEngine>());
  }
};

}  // namespace

spi::Implementation& GetImplementation() {
  static Null* const implementation = new Null;
  return *implementation;
}

}  // namespace null
