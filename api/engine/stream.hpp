// dnnl::stream: an order of execution on one engine.
//
// Source: oneDNN introduction page; requirements STR-001 to STR-015; readings.
#ifndef DNNSPEC_API_ENGINE_STREAM_HPP_
#define DNNSPEC_API_ENGINE_STREAM_HPP_

#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/engine/handle.hpp"
#include "oneapi/dnnl/types/enums.hpp"

namespace dnnl {

// Used by one thread at a time. Results are visible to the host after wait() (STR-008).
struct stream : public handle<dnnl_stream_t> {
  enum class flags : unsigned {
    in_order = dnnl_stream_in_order,          // executions take effect in the order of submission
    out_of_order = dnnl_stream_out_of_order,  // independent ones may overtake each other
    default_flags = dnnl_stream_default_flags,
  };

  // Empty.
  stream() = default;

  // As handle::reset.
  DNNSPEC_ABI explicit stream(dnnl_stream_t from, bool weak = false) : handle(from, weak) {}

  // `aflags` is one or both bits; with both, the stream is in order. Other values are invalid.
  DNNSPEC_ABI stream(const engine& aengine, flags aflags = flags::default_flags);

  DNNSPEC_ABI engine get_engine() const;

  // Returns *this when everything that was submitted to this stream has finished. A device that
  // failed meanwhile is reported here as runtime_error; wrong calls never are (ERR-016).
  //
  // Destroying the last handle of a stream waits too, and reports nothing (STR-012).
  DNNSPEC_ABI stream& wait();
};

}  // namespace dnnl

namespace dnnspec {

template <>
struct is_bitmask<dnnl::stream::flags> : std::true_type {};

}  // namespace dnnspec

#endif  // DNNSPEC_API_ENGINE_STREAM_HPP_
