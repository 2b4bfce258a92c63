#include "oneapi/dnnl/engine/engine.hpp"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/engine/engine_state.h"
#include "api/engine/fork.h"
#include "api/engine/throw.h"

namespace api {
namespace {

using State = dnnl::state::engine;

struct OpenDevice {
  bool being_made = false;  // by a thread that does not hold the mutex
  std::weak_ptr<spi::Engine> engine;
};

// Devices in use, so that two engines for one device share it. Never destroyed: engines may outlive
// static storage.
struct OpenDevices {
  std::mutex mutex;
  std::condition_variable made;
  std::map<std::pair<spi::Implementation*, std::size_t>, OpenDevice> devices;
};

OpenDevices& TheDevices();
std::mutex& MutexOfDevices() { return TheDevices().mutex; }

// The threads that make devices, and those that wait for them, are not there.
void ForgetThreads() {
  new (&TheDevices().made) std::condition_variable;
  for (auto& [index, device] : TheDevices().devices) device.being_made = false;
}

OpenDevices& TheDevices() {
  static OpenDevices* const devices = [] {
    auto* const made = new OpenDevices;
    KeepThroughForks<&MutexOfDevices, &ForgetThreads>();
    return made;
  }();
  return *devices;
}

absl::StatusOr<std::shared_ptr<spi::Engine>> OpenOnce(spi::Implementation* implementation,
                                                      std::size_t index) {
  OpenDevices& all = TheDevices();
  std::unique_lock<std::mutex> lock(all.mutex);
  OpenDevice& known = all.devices[{implementation, index}];
  all.made.wait(lock, [&known] { return !known.being_made; });
  if (std::shared_ptr<spi::Engine> device = known.engine.lock()) return device;
  known.being_made = true;
  lock.unlock();
  absl::StatusOr<std::shared_ptr<spi::Engine>> device =
      WithMemory([&] { return implementation->MakeEngine(index); });
  lock.lock();
  known.being_made = false;
  if (device.ok()) known.engine = *device;
  all.made.notify_all();
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
      absl::StatusOr<std::shared_ptr<spi::Engine>> device = OpenOnce(implementation, local);
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

template struct dnnspec::state::reference<const dnnl_engine>;

namespace dnnl {

engine::engine(kind akind, std::size_t index) try {
  state_ = api::ValueOrThrow(api::MakeEngine(static_cast<spi::EngineKind>(akind), index));
} catch (...) {
  api::RethrowAsDnnlError();
}

std::size_t engine::get_count(kind akind) try {
  return api::Count(static_cast<spi::EngineKind>(akind));
} catch (const std::bad_alloc&) {  // to look for devices
  return 0;
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
