// dnnl::engine: one computational device.
//
// Source: oneDNN introduction page; requirements ENG-001 to ENG-013.
#ifndef DNNSPEC_API_MODEL_ENGINE_HPP_
#define DNNSPEC_API_MODEL_ENGINE_HPP_

#include <cstddef>

#include "oneapi/dnnl/model/enums.hpp"
#include "oneapi/dnnl/model/error.hpp"
#include "oneapi/dnnl/model/handle.hpp"

namespace dnnl {
inline namespace dnnspec {

struct engine : public handle<const state::engine> {
  enum class kind {
    any = dnnl_any_engine,  // no engine is of this kind
    cpu = dnnl_cpu,
    gpu = dnnl_gpu,
  };

  // Empty.
  engine() = default;

  // The device number `index` of its kind; index < get_count(akind). Engines of one kind and index
  // denote one device, and their memories, streams and primitives may be mixed (ENG-009, A-10).
  engine(kind akind, std::size_t index);

  // How many there are; 0 for `any`. Never throws, and the answer is stable.
  static std::size_t get_count(kind akind);

  kind get_kind() const;
};

inline dnnl_engine_kind_t convert_to_c(engine::kind value) {
  return static_cast<dnnl_engine_kind_t>(value);
}

}  // namespace dnnspec
}  // namespace dnnl

#endif  // DNNSPEC_API_MODEL_ENGINE_HPP_
