#include "oneapi/dnnl/c_api/engine.h"

#include "api/engine/engine_state.h"
#include "api/model/c_guard.h"
#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/engine/stream.hpp"

using api::Borrow;
using api::StatusOf;

extern "C" {

size_t dnnl_engine_get_count(dnnl_engine_kind_t kind) {
  size_t count = 0;
  StatusOf([&] { count = dnnl::engine::get_count(static_cast<dnnl::engine::kind>(kind)); });
  return count;
}

dnnl_status_t dnnl_engine_create(dnnl_engine_t* engine, dnnl_engine_kind_t kind, size_t index) {
  return StatusOf(
      [&] { *engine = api::Give(dnnl::engine(static_cast<dnnl::engine::kind>(kind), index)); },
      engine);
}

dnnl_status_t dnnl_engine_get_kind(dnnl_engine_t engine, dnnl_engine_kind_t* kind) {
  return StatusOf([&] { *kind = convert_to_c(Borrow<dnnl::engine>(engine).get_kind()); }, engine,
                  kind);
}

dnnl_status_t dnnl_engine_destroy(dnnl_engine_t engine) { return api::Destroy(engine); }

dnnl_status_t dnnl_stream_create(dnnl_stream_t* stream, dnnl_engine_t engine, unsigned flags) {
  return StatusOf(
      [&] {
        *stream = api::Give(
            dnnl::stream(Borrow<dnnl::engine>(engine), static_cast<dnnl::stream::flags>(flags)));
      },
      stream, engine);
}

dnnl_status_t dnnl_stream_get_engine(const_dnnl_stream_t stream, dnnl_engine_t* engine) {
  return StatusOf([&] { *engine = const_cast<dnnl_engine_t>(stream->engine.get()); }, stream,
                  engine);
}

dnnl_status_t dnnl_stream_wait(dnnl_stream_t stream) {
  return StatusOf([&] { Borrow<dnnl::stream>(stream).wait(); }, stream);
}

dnnl_status_t dnnl_stream_destroy(dnnl_stream_t stream) { return api::Destroy(stream); }

}  // extern "C"
