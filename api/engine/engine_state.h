// Declares the states behind dnnl::engine and dnnl::stream.
#ifndef DNNSPEC_API_ENGINE_ENGINE_STATE_H_
#define DNNSPEC_API_ENGINE_ENGINE_STATE_H_

#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"
#include "api/engine/handle_state.h"
#include "api/spi/implementation.h"

namespace dnnspec {
namespace state {

// What an engine denotes.
struct device {
  // One for each device as long as anything uses it, however many engines denote the device: so
  // equal pointers mean one device.
  std::shared_ptr<spi::Engine> spi_engine;
  spi::Implementation* implementation = nullptr;
};

}  // namespace state
}  // namespace dnnspec

struct dnnl_engine : dnnl::state::shared<dnnl_engine>, dnnl::state::device {};

struct dnnl_stream : dnnl::state::shared<dnnl_stream> {
  ~dnnl_stream();  // waits (STR-012)

  std::shared_ptr<const dnnl_engine> engine;
  spi::Engine* spi_engine = nullptr;  // engine->spi_engine: one load less in execute
  // Of the largest that a primitive in scratchpad mode library has wanted here. Work in flight
  // keeps a smaller one that it uses. Touched by executions, of which there is one at a time.
  mutable std::shared_ptr<spi::Buffer> scratchpad;
  mutable std::size_t scratchpad_bytes = 0;
  std::unique_ptr<spi::Stream> spi_stream;  // gone before the scratchpad is
};

namespace api {

// Engine number `index` of a kind, counted through the implementations in their order (ENG-002).
absl::StatusOr<std::shared_ptr<const dnnl::state::engine>> MakeEngine(spi::EngineKind kind,
                                                                      std::size_t index);

}  // namespace api

#endif  // DNNSPEC_API_ENGINE_ENGINE_STATE_H_
