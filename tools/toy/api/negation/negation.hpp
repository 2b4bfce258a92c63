// dnnl::negation: dst(x) = -src(x), in f32.
//
//   dnnl::negation negation({engine, src.get_desc(), dst.get_desc()});
//   negation.execute(stream, {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}});
//
// Source and destination have the same dims, and may be one buffer with one layout. Attributes: the
// scratchpad mode only.
#ifndef DNNSPEC_API_NEGATION_NEGATION_HPP_
#define DNNSPEC_API_NEGATION_NEGATION_HPP_

#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/memory/memory.hpp"
#include "oneapi/dnnl/model/attributes.hpp"
#include "oneapi/dnnl/model/primitive.hpp"
#include "oneapi/dnnl/model/primitive_desc.hpp"
#include "oneapi/dnnl/types/abi.h"

namespace dnnl {

// Reads DNNL_ARG_SRC, writes DNNL_ARG_DST.
struct negation : public primitive {
  struct primitive_desc : public dnnl::primitive_desc {
    // Empty.
    primitive_desc() = default;

    DNNSPEC_ABI primitive_desc(const engine& aengine, const memory::desc& src,
                               const memory::desc& dst,
                               const primitive_attr& attr = primitive_attr(),
                               bool allow_empty = false);
  };

  // Empty.
  negation() = default;
  DNNSPEC_ABI negation(const primitive_desc& pd) : primitive(pd) {}
};

}  // namespace dnnl

#endif  // DNNSPEC_API_NEGATION_NEGATION_HPP_
