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

  absl::Status Execute(spi::Stream& stream, spi::Arguments arguments) const override {
    ++counts().executions;
    auto* const own = dynamic_cast<Stream*>(&stream);
    if (own == nullptr || own->pending != pending_) return absl::InternalError("another's stream");
    std::vector<std::pair<int, std::shared_ptr<spi::Buffer>>> kept;
    for (const spi::Argument& argument : arguments)
      kept.emplace_back(argument.index, argument.buffer->shared_from_this());
    pending_->work.push_back([this, keep = shared_from_this(), kept] {
      Compute([&](int index) -> void* {
        for (const auto& [position, buffer] : kept) {
          if (position != index) continue;
          auto* const device = dynamic_cast<Buffer*>(buffer.get());
          return device != nullptr ? device->contents() : buffer->handle();
        }
        return nullptr;
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
    return static_cast<Buffer*>(handle)->shared_from_this();
  }
  absl::StatusOr<std::shared_ptr<const spi::Plan>> MakePlan(const spi::Operation& operation,
                                                            int candidate) override {
    absl::Status status = fake::PlanStatus(candidate);
    if (!status.ok()) return status;
    return std::make_shared<const Plan>(operation, candidate, pending_);
  }
  absl::StatusOr<std::shared_ptr<const spi::Plan>> MakeTransferPlan(const spi::Operation& operation,
                                                                    spi::Engine& src,
                                                                    spi::Engine& dst,
                                                                    int candidate) override {
    if (!controls().gpu_transfers)
      return spi::Engine::MakeTransferPlan(operation, src, dst, candidate);
    ++counts().transfers;
    return MakePlan(operation, candidate);
  }

 private:
  const std::shared_ptr<Pending> pending_ = std::make_shared<Pending>();
  fake::Alive alive_{&Counts::live_engines};
};

class Implementation final : public spi::Implementation {
 public:
  const char* name() const override { return "gpu"; }
  spi::EngineKind kind() const override { return spi::EngineKind::kGpu; }
  size_t EngineCount() override { return 2; }
  absl::StatusOr<std::shared_ptr<spi::Engine>> MakeEngine(size_t) override {
    return std::make_shared<Engine>();
  }
};

}  // namespace

spi::Implementation& GetImplementation() {
  static Implementation* const implementation = new Implementation;
  return *implementation;
}

}  // namespace fake_gpu
