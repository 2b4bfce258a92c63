#include "oneapi/dnnl/engine/engine.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/engine/engine_state.h"
#include "api/engine/throw.h"

namespace api {
namespace {

using State = dnnl::state::engine;

// Devices in use, so that two engines for one device share it. Never destroyed: engines may outlive
// static storage.
struct OpenDevices {
  std::mutex mutex;
  std::map<std::pair<spi::Implementation*, std::size_t>, std::weak_ptr<spi::Engine>> devices;
};

absl::StatusOr<std::shared_ptr<spi::Engine>> OpenDevice(spi::Implementation* implementation,
                                                        std::size_t index) {
  static OpenDevices* const open = new OpenDevices;
  std::lock_guard<std::mutex> lock(open->mutex);
  std::weak_ptr<spi::Engine>& known = open->devices[{implementation, index}];
  if (std::shared_ptr<spi::Engine> device = known.lock()) return device;
  absl::StatusOr<std::shared_ptr<spi::Engine>> device = implementation->MakeEngine(index);
  if (device.ok()) known = *device;
  return device;
}

std::size_t Count(spi::EngineKind kind) {
  std::size_t count = 0;
  if (kind == spi::EngineKind::kAny) return count;
  for (spi::Implementation* implementation : spi::Implementations())
    if (implementation->kind() == kind) count += implementation->EngineCount();
  return count;
}

const char* NameOf(spi::EngineKind kind) {
  switch (kind) {
    case spi::EngineKind::kCpu:
      return "cpu";
    case spi::EngineKind::kGpu:
      return "gpu";
    case spi::EngineKind::kAny:
      return "any";
  }
  return "no kind";
}

}  // namespace

absl::StatusOr<std::shared_ptr<const State>> MakeEngine(spi::EngineKind kind, std::size_t index) {
  std::size_t local = index;
  if (kind != spi::EngineKind::kAny) {
    for (spi::Implementation* implementation : spi::Implementations()) {
      if (implementation->kind() != kind) continue;
      const std::size_t count = implementation->EngineCount();
      if (local >= count) {
        local -= count;
        continue;
      }
      absl::StatusOr<std::shared_ptr<spi::Engine>> device = OpenDevice(implementation, local);
      if (!device.ok()) return device.status();
      auto state = std::make_shared<State>();
      state->spi_engine = *std::move(device);
      state->implementation = implementation;
      return state;
    }
  }
  return absl::InvalidArgumentError(absl::StrCat("engine: index = ", index, " is not below ",
                                                 Count(kind), ", the number of engines of kind ",
                                                 NameOf(kind), " (ENG-002)"));
}

}  // namespace api

namespace dnnl {

template struct state::reference<const dnnl_engine>;

engine::engine(kind akind, std::size_t index) try {
  state_ = api::ValueOrThrow(api::MakeEngine(static_cast<spi::EngineKind>(akind), index));
} catch (...) {
  api::RethrowAsDnnlError();
}

std::size_t engine::get_count(kind akind) try {
  return api::Count(static_cast<spi::EngineKind>(akind));
} catch (...) {
  api::RethrowAsDnnlError();
}

engine::kind engine::get_kind() const try {
  if (state_ == nullptr)
    api::Throw(absl::InvalidArgumentError("engine::get_kind: the engine is empty (ERR-011)"));
  return static_cast<kind>(state_->implementation->kind());
} catch (...) {
  api::RethrowAsDnnlError();
}

}  // namespace dnnl
