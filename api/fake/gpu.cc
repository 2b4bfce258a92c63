#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/fake/fake.h"
#include "api/fake/plan.h"
#include "api/spi/implementation.h"

namespace fake_gpu {
namespace {

using fake::controls;
using fake::Counts;
using fake::counts;

class Engine;

// Work that was submitted and not yet done, of all streams of one engine.
struct Pending {
  std::vector<std::function<void()>> work;

  void Finish() {
    std::vector<std::function<void()>> now = std::move(work);
    work.clear();
    for (const std::function<void()>& item : now) item();
  }
};

// Its contents are behind a handle that is no address of them.
class Buffer final : public spi::Buffer {
 public:
  Buffer(std::shared_ptr<Pending> pending, size_t bytes)
      : spi::Buffer(this, spi::Place{this, 0}), pending_(std::move(pending)), contents_(bytes) {}

  absl::StatusOr<void*> Map() override {
    pending_->Finish();
    if (!staging_.empty()) return absl::InternalError("mapped already");
    staging_ = contents_;
    return staging_.data();
  }
  absl::Status Unmap(void* mapped) override {
    if (staging_.empty() || mapped != staging_.data()) return absl::InternalError("not mapped");
    contents_ = std::exchange(staging_, {});
    return absl::OkStatus();
  }
  void* contents() { return contents_.data(); }

 private:
  const std::shared_ptr<Pending> pending_;
  std::vector<char> contents_, staging_;
  fake::Alive alive_{&Counts::live_buffers};
};

class Stream final : public spi::Stream {
 public:
  explicit Stream(std::shared_ptr<Pending> of_engine) : pending(std::move(of_engine)) {}
  absl::Status Wait() override {
    pending->Finish();
    return controls().execution_status;
  }
  const std::shared_ptr<Pending> pending;
};

// Of one engine, or between it and another: then a buffer may be of the host.
class Plan final : public fake::Plan {
 public:
  Plan(const spi::Operation& operation, int candidate, std::shared_ptr<Pending> pending)
      : fake::Plan("gpu", operation, candidate), pending_(std::move(pending)) {}

  absl::Status Execute(spi::Stream& stream, spi::Buffers buffers) const override {
    ++counts().executions;
    auto* const own = dynamic_cast<Stream*>(&stream);
    if (own == nullptr || own->pending != pending_) return absl::InternalError("another's stream");
    if (buffers.size() != tensors()) return absl::InternalError("not as many buffers as tensors");
    std::vector<std::shared_ptr<spi::Buffer>> kept;
    for (spi::Buffer* const buffer : buffers) kept.push_back(buffer->shared_from_this());
    pending_->work.push_back([this, keep = shared_from_this(), kept] {
      Compute([&](int position) {
        spi::Buffer* const buffer = kept[static_cast<size_t>(position)].get();
        auto* const device = dynamic_cast<Buffer*>(buffer);
        return device != nullptr ? device->contents() : buffer->handle();
      });
    });
    return absl::OkStatus();
  }

 private:
  const std::shared_ptr<Pending> pending_;
};

class Engine final : public spi::Engine {
 public:
  absl::StatusOr<std::unique_ptr<spi::Stream>> MakeStream(unsigned) override {
    return std::make_unique<Stream>(pending_);
  }
  absl::StatusOr<std::shared_ptr<spi::Buffer>> Allocate(size_t bytes) override {
    ++counts().allocations;
    if (!controls().allocation_status.ok()) return controls().allocation_status;
    return std::make_shared<Buffer>(pending_, bytes);
  }
  absl::StatusOr<std::shared_ptr<spi::Buffer>> Wrap(void* handle, size_t) override {
    ++counts().wraps;
    if (handle == nullptr) return std::make_shared<Buffer>(pending_, 0);
    return static_cast<Buffer*>(handle)->shared_from_this();
  }
  absl::StatusOr<spi::Planned> MakePlan(const spi::Request& request) override {
    absl::Status status = fake::PlanStatus(request.candidate);
    if (!status.ok()) return status;
    return fake::Answer(
        std::make_shared<const Plan>(request.operation, request.candidate, pending_), request);
  }
  absl::StatusOr<spi::Planned> MakeTransferPlan(const spi::Request& request, spi::Engine& src,
                                                spi::Engine& dst) override {
    if (!controls().gpu_transfers) return spi::Engine::MakeTransferPlan(request, src, dst);
    ++counts().transfers;
    return MakePlan(request);
  }
  bool PlansMayBeKept() const override { return controls().gpu_plans_may_be_kept; }

 private:
  const std::shared_ptr<Pending> pending_ = std::make_shared<Pending>();
  fake::Alive alive_{&Counts::live_engines};
};

class Implementation final : public spi::Implementation {
 public:
  const char* name() const override { return "gpu"; }
  spi::EngineKind kind() const override { return spi::EngineKind::kGpu; }
  size_t EngineCount() override {
    if (controls().on_engine_count) controls().on_engine_count();
    return 2;
  }
  absl::StatusOr<std::shared_ptr<spi::Engine>> MakeEngine(size_t) override {
    if (controls().on_make_engine) controls().on_make_engine();
    return std::make_shared<Engine>();
  }
};

}  // namespace

spi::Implementation& GetImplementation() {
  static Implementation* const implementation = new Implementation;
  return *implementation;
}

}  // namespace fake_gpu
