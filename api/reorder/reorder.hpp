// dnnl::reorder: copies a tensor into another layout, data type, or engine.
//
//   dst(x) = cvt(scale(x) * (src(x) - src_zero) + beta * dst(x) + dst_zero)
//
// with output scales, zero points and the sum post-op as attributes, and f32 arithmetic if there
// are any.
// Without them it is a copy: exact between equal types and between integers, saturating into
// integers, rounded to nearest even into floats.
//
//   dnnl::reorder(src_memory, dst_memory).execute(stream, src_memory, dst_memory);
//
// Arguments: DNNL_ARG_FROM, DNNL_ARG_TO; with run-time scales also DNNL_ARG_ATTR_OUTPUT_SCALES, a
// dense one-dimensional f32 tensor on the primitive's engine (ATTR-032); with a run-time zero point
// of DNNL_ARG_SRC or DNNL_ARG_DST also DNNL_ARG_ATTR_ZERO_POINTS | that argument, one s32 element
// in a one-dimensional tensor on the same engine (REO-ZP-011). Source and destination
// share no byte, except that each element may be replaced in place (PRIM-050).
//
// Source: oneDNN developer guide, "Reorder"; requirements REO-001 to REO-064, REO-ZP-001 to
// REO-ZP-022, XENG-001 to XENG-016.
#ifndef DNNSPEC_API_REORDER_REORDER_HPP_
#define DNNSPEC_API_REORDER_REORDER_HPP_

#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/engine/stream.hpp"
#include "oneapi/dnnl/memory/memory.hpp"
#include "oneapi/dnnl/model/attributes.hpp"
#include "oneapi/dnnl/model/primitive.hpp"
#include "oneapi/dnnl/model/primitive_desc.hpp"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_handles.h"

namespace dnnl {

struct reorder : public primitive {
  struct primitive_desc : public primitive_desc_base {
    // Empty.
    primitive_desc() = default;

    // One more handle of a C handle's reorder; null gives an empty one.
    DNNSPEC_ABI primitive_desc(dnnl_primitive_desc_t from)
        : primitive_desc_base(from, dnnl::primitive::kind::reorder) {}

    // Both descriptors have equal dims and a layout; `any` and the zero descriptor are refused, and
    // so is a destination with a stride of 0. Attributes served: output scales of every mask, also
    // at run time; one zero point of each side (mask 0), also at run time; one sum without zero
    // point, of any finite scale, reading dst as any type of its size; the scratchpad mode.
    //
    // Run-time dims and strides are allowed. Then each execution makes its plan anew from the
    // memories it gets, which costs about as much as creating this descriptor, and reports here
    // what is wrong with their shapes (PRIM-034).
    //
    // The engines may differ. The primitive's engine is then the side that is not a CPU, and
    // streams of either side are accepted (A-45, XENG-007).
    DNNSPEC_ABI primitive_desc(const engine& src_engine, const memory::desc& src_md,
                               const engine& dst_engine, const memory::desc& dst_md,
                               const primitive_attr& attr = primitive_attr(),
                               bool allow_empty = false);

    // Of the descriptors and engines of two memories.
    DNNSPEC_ABI primitive_desc(const memory& src, const memory& dst,
                               const primitive_attr& attr = primitive_attr(),
                               bool allow_empty = false);

    DNNSPEC_ABI engine get_src_engine() const;
    DNNSPEC_ABI engine get_dst_engine() const;
  };

  // Empty.
  reorder() = default;

  DNNSPEC_ABI reorder(const primitive_desc& pd) : primitive(pd) {}
  DNNSPEC_ABI reorder(const memory& src, const memory& dst,
                      const primitive_attr& attr = primitive_attr())
      : primitive(primitive_desc(src, dst, attr)) {}

  // As with the map {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}}, without making one.
  DNNSPEC_ABI void execute(const stream& astream, memory& src, memory& dst) const;
  using primitive::execute;
};

}  // namespace dnnl

#endif  // DNNSPEC_API_REORDER_REORDER_HPP_
