// Behind dnnl::engine and dnnl::stream, and the way from a handle to what is behind it.
#ifndef DNNSPEC_API_MODEL_ENGINE_STATE_H_
#define DNNSPEC_API_MODEL_ENGINE_STATE_H_

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "oneapi/dnnl/model/handle.hpp"

namespace dnnl {
inline namespace dnnspec {
namespace state {

struct access {
  // Null for an empty handle.
  template <typename State>
  static const std::shared_ptr<State>& of(const handle<State>& from) {
    return from.state_;
  }

  template <typename Handle, typename State>
  static Handle make(std::shared_ptr<State> state) {
    Handle made;
    static_cast<handle<State>&>(made).state_ = std::move(state);
    return made;
  }
};

struct engine {
  // One for each device as long as anything uses it, however many engines denote the device: so
  // equal pointers mean one device.
  std::shared_ptr<spi::Engine> device;
  spi::Implementation* implementation = nullptr;
};

struct stream {
  ~stream();  // waits (STR-012)

  std::shared_ptr<const engine> on;
  spi::Engine* device = nullptr;  // on->device: one load less in execute
  std::unique_ptr<spi::Stream> queue;
};

}  // namespace state
}  // namespace dnnspec
}  // namespace dnnl

namespace api {

// Engine number `index` of a kind, counted through the implementations in their order (ENG-002).
absl::StatusOr<std::shared_ptr<const dnnl::state::engine>> MakeEngine(spi::EngineKind kind,
                                                                      std::size_t index);

}  // namespace api

#endif  // DNNSPEC_API_MODEL_ENGINE_STATE_H_
