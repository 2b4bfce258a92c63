// dnnl::engine: one computational device.
//
// Source: oneDNN introduction page; requirements ENG-001 to ENG-013.
#ifndef DNNSPEC_API_ENGINE_ENGINE_HPP_
#define DNNSPEC_API_ENGINE_ENGINE_HPP_

#include <cstddef>

#include "oneapi/dnnl/engine/error.hpp"
#include "oneapi/dnnl/engine/handle.hpp"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_handles.h"
#include "oneapi/dnnl/types/enums.hpp"

namespace dnnl {

struct engine : public handle<dnnl_engine_t> {
  enum class kind {
    any = dnnl_any_engine,  // no engine is of this kind
    cpu = dnnl_cpu,
    gpu = dnnl_gpu,
  };

  // Empty.
  engine() = default;

  // As handle::reset.
  DNNSPEC_ABI explicit engine(dnnl_engine_t from, bool weak = false) : handle(from, weak) {}

  // The device number `index` of its kind. An index from get_count(akind) on is invalid_arguments
  // (ENG-002); there are other errors where the device cannot be opened. Engines of one kind and
  // index denote one device, and their memories, streams and primitives may be mixed (ENG-009,
  //
  DNNSPEC_ABI engine(kind akind, std::size_t index);

  // Where what `pd` describes executes.
  DNNSPEC_ABI engine(const handle<dnnl_primitive_desc_t>& pd);

  // How many there are; 0 for `any`, and while there is no memory to look for them. The answer is
  // stable. Only a program whose engines come from a plug-in that cannot be loaded gets an error.
  DNNSPEC_ABI static std::size_t get_count(kind akind);

  DNNSPEC_ABI kind get_kind() const;

  // The same as pd.get_engine().
  template <typename PrimitiveDesc>
  DNNSPEC_ABI static engine query(const PrimitiveDesc& pd) {
    return pd.get_engine();
  }
};

inline dnnl_engine_kind_t convert_to_c(engine::kind value) {
  return static_cast<dnnl_engine_kind_t>(value);
}

}  // namespace dnnl

#endif  // DNNSPEC_API_ENGINE_ENGINE_HPP_
