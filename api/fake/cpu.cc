#include <cstdlib>
#include <cstring>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/fake/fake.h"
#include "api/fake/plan.h"
#include "api/spi/implementation.h"

namespace fake_cpu {
namespace {

using fake::controls;
using fake::Counts;
using fake::counts;

class Buffer final : public spi::Buffer {
 public:
  Buffer(void* handle, bool owned) : spi::Buffer(handle), owned_(owned) {}
  ~Buffer() override {
    if (owned_) std::free(handle());
  }
  absl::StatusOr<void*> Map() override { return handle(); }
  absl::Status Unmap(void*) override { return absl::OkStatus(); }

 private:
  const bool owned_;
  fake::Alive alive_{&Counts::live_buffers};
};

class Stream final : public spi::Stream {
 public:
  absl::Status Wait() override { return absl::OkStatus(); }
};

class Plan final : public fake::Plan {
 public:
  using fake::Plan::Plan;

  absl::Status Execute(spi::Stream& stream, spi::Buffers buffers) const override {
    ++counts().executions;
    if (dynamic_cast<Stream*>(&stream) == nullptr) return absl::InternalError("not a cpu stream");
    if (!controls().execution_status.ok()) return controls().execution_status;
    if (buffers.size() != tensors()) return absl::InternalError("not as many buffers as tensors");
    if (scratchpad_bytes() > 0 && controls().overwrite_scratchpad)
      std::memset(buffers.back()->handle(), 0xa5, scratchpad_bytes());
    Compute([&](int position) { return buffers[static_cast<size_t>(position)]->handle(); });
    return absl::OkStatus();
  }
};

class Engine final : public spi::Engine {
 public:
  absl::StatusOr<std::unique_ptr<spi::Stream>> MakeStream(unsigned) override {
    return std::make_unique<Stream>();
  }
  absl::StatusOr<std::shared_ptr<spi::Buffer>> Allocate(size_t bytes) override {
    ++counts().allocations;
    if (!controls().allocation_status.ok()) return controls().allocation_status;
    std::unique_ptr<void, decltype(&std::free)> storage(
        bytes > (size_t{1} << 40) ? nullptr : std::malloc(bytes), &std::free);
    if (storage == nullptr) return absl::ResourceExhaustedError("no host memory");
    auto buffer = std::make_shared<Buffer>(storage.get(), true);
    static_cast<void>(storage.release());
    return buffer;
  }
  absl::StatusOr<std::shared_ptr<spi::Buffer>> Wrap(void* handle, size_t) override {
    ++counts().wraps;
    return std::make_shared<Buffer>(handle, false);
  }
  absl::StatusOr<spi::Planned> MakePlan(const spi::Request& request) override {
    absl::Status status = fake::PlanStatus(request.candidate);
    if (!status.ok()) return status;
    return fake::Answer(std::make_shared<const Plan>("cpu", request.operation, request.candidate),
                        request);
  }
  bool PlansMayBeKept() const override { return controls().plans_may_be_kept; }

 private:
  fake::Alive alive_{&Counts::live_engines};
};

class Implementation final : public spi::Implementation {
 public:
  const char* name() const override { return "cpu"; }
  spi::EngineKind kind() const override { return spi::EngineKind::kCpu; }
  spi::CpuIsa isa() const override { return controls().isa; }
  size_t EngineCount() override {
    if (controls().on_engine_count) controls().on_engine_count();
    return 1;
  }
  absl::StatusOr<std::shared_ptr<spi::Engine>> MakeEngine(size_t) override {
    if (controls().on_make_engine) controls().on_make_engine();
    if (!controls().engine_status.ok()) return controls().engine_status;
    return std::make_shared<Engine>();
  }
};

}  // namespace

spi::Implementation& GetImplementation() {
  static Implementation* const implementation = new Implementation;
  return *implementation;
}

}  // namespace fake_cpu
