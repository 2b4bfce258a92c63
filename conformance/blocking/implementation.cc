#include "conformance/blocking/implementation.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "conformance/blocking/layouts.h"

namespace blocking {
namespace {

class Engine : public spi::Engine {
 public:
  explicit Engine(std::shared_ptr<spi::Engine> inner) : inner_(std::move(inner)) {}

  absl::StatusOr<std::unique_ptr<spi::Stream>> MakeStream(unsigned flags) override {
    return inner_->MakeStream(flags);
  }
  absl::StatusOr<std::shared_ptr<spi::Buffer>> Allocate(size_t bytes) override {
    return inner_->Allocate(bytes);
  }
  absl::StatusOr<std::shared_ptr<spi::Buffer>> Wrap(void* handle, size_t bytes) override {
    return inner_->Wrap(handle, bytes);
  }

  absl::StatusOr<spi::Planned> MakePlan(const spi::Request& request) override;

  // Reorders have no `any`.
  absl::StatusOr<spi::Planned> MakeTransferPlan(const spi::Request& request, spi::Engine& src,
                                                spi::Engine& dst) override {
    return inner_->MakeTransferPlan(request, InnerOf(src), InnerOf(dst));
  }

 private:
  static spi::Engine& InnerOf(spi::Engine& engine) {
    auto* const ours = dynamic_cast<Engine*>(&engine);
    return ours == nullptr ? engine : *ours->inner_;
  }

  const std::shared_ptr<spi::Engine> inner_;
};

absl::StatusOr<spi::Planned> Engine::MakePlan(const spi::Request& request) {
  std::vector<spi::Layout> chosen = ChooseLayouts(request.operation);
  if (chosen.empty()) return inner_->MakePlan(request);
  spi::Operation blocked = request.operation;
  size_t next = 0;
  for (spi::TensorArg& tensor : blocked.tensors)
    if (tensor.layout.kind == spi::LayoutKind::kAny) tensor.layout = chosen[next++];
  const auto plan = [&](const spi::Operation& operation, int candidate) {
    return inner_->MakePlan({operation, request.forward, candidate});
  };
  absl::StatusOr<spi::Planned> planned = plan(blocked, request.candidate);
  if (planned.ok()) {
    planned->chosen = std::move(chosen);
    return planned;
  }
  if (planned.status().code() != absl::StatusCode::kUnimplemented) return planned;
  int candidates = 0;
  while (candidates < request.candidate && plan(blocked, candidates).ok()) ++candidates;
  return plan(request.operation, request.candidate - candidates);
}

class Implementation : public spi::Implementation {
 public:
  explicit Implementation(spi::Implementation& inner)
      : inner_(inner), name_(std::string("blocking_") + inner.name()) {}

  const char* name() const override { return name_.c_str(); }
  const char* version() const override { return inner_.version(); }
  spi::EngineKind kind() const override { return inner_.kind(); }
  size_t EngineCount() override { return inner_.EngineCount(); }
  absl::StatusOr<std::shared_ptr<spi::Engine>> MakeEngine(size_t index) override {
    absl::StatusOr<std::shared_ptr<spi::Engine>> engine = inner_.MakeEngine(index);
    if (!engine.ok()) return engine.status();
    return std::make_shared<Engine>(*std::move(engine));
  }

 private:
  spi::Implementation& inner_;
  const std::string name_;
};

}  // namespace

std::unique_ptr<spi::Implementation> InFrontOf(spi::Implementation& inner) {
  return std::make_unique<Implementation>(inner);
}

}  // namespace blocking
