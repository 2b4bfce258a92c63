#include "oneapi/dnnl/engine/stream.hpp"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/engine/engine_state.h"
#include "api/engine/throw.h"

namespace api {
namespace {

using State = dnnl::state::stream;

absl::StatusOr<std::shared_ptr<State>> MakeStream(const dnnl::engine& on, unsigned flags) {
  const auto& engine = dnnl::state::access::of(on);
  if (engine == nullptr) return absl::InvalidArgumentError("stream: the engine is empty (ERR-011)");
  if (flags == 0 || flags > (spi::kInOrder | spi::kOutOfOrder))
    return absl::InvalidArgumentError(
        absl::StrCat("stream: flags = ", flags, " is not in [1, 3] (STR-004)"));
  if (flags & spi::kInOrder) flags = spi::kInOrder;  // in order satisfies both
  absl::StatusOr<std::unique_ptr<spi::Stream>> queue = engine->spi_engine->MakeStream(flags);
  if (!queue.ok()) return queue.status();
  auto state = std::make_shared<State>();
  state->engine = engine;
  state->spi_engine = engine->spi_engine.get();
  state->spi_stream = *std::move(queue);
  return state;
}

absl::Status Empty(const char* what) {
  return absl::InvalidArgumentError(absl::StrCat(what, ": the stream is empty (ERR-011)"));
}

}  // namespace
}  // namespace api

dnnl_stream::~dnnl_stream() {
  if (spi_stream != nullptr) api::WithMemory([this] { return spi_stream->Wait(); }).IgnoreError();
}

template struct dnnspec::state::reference<dnnl_stream>;

namespace dnnl {

stream::stream(const engine& aengine, flags aflags) try {
  state_ = api::ValueOrThrow(api::MakeStream(aengine, static_cast<unsigned>(aflags)));
} catch (...) {
  api::RethrowAsDnnlError();
}

engine stream::get_engine() const try {
  if (state_ == nullptr) api::Throw(api::Empty("stream::get_engine"));
  return state::access::make<engine>(state_->engine);
} catch (...) {
  api::RethrowAsDnnlError();
}

stream& stream::wait() try {
  if (state_ == nullptr) api::Throw(api::Empty("stream::wait"));
  api::ThrowUnlessOk(state_->spi_stream->Wait());
  return *this;
} catch (...) {
  api::RethrowAsDnnlError();
}

}  // namespace dnnl
