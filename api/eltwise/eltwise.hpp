// dnnl::eltwise_forward and dnnl::eltwise_backward: one function of every element of a tensor, and
// its derivative.
//
//   forward:   dst(x) = f(src(x))
//   backward:  diff_src(x) = diff_dst(x) * f'(src(x))
//
// Source and destination have one descriptor, of any rank, type and layout; so have their
// gradients, of the same dims and type, in a layout of their own if they like (ELT-073). Training
// and inference are the same. Some functions use alpha, some alpha and beta; the rest ignore them,
// whatever their value (ELT-020). Limits (ELT-021): bounded_relu has alpha >= 0, clip and clip_v2
// alpha <= beta, relu_use_dst_for_bwd and elu_use_dst_for_bwd alpha >= 0.
//
// An algorithm whose name ends in use_dst_for_bwd is the same function forward; its backward reads
// the destination in the place of the source. round has no backward (ELT-014).
//
//   using namespace dnnl;
//   eltwise_forward::desc d(prop_kind::forward_training, algorithm::eltwise_relu, md);
//   eltwise_forward::primitive_desc pd(d, engine);
//   eltwise_forward(pd).execute(stream, {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}});
//   memory::desc any(md.dims(), md.data_type(), memory::format_tag::any);
//   eltwise_backward::desc b(algorithm::eltwise_relu, any, md);
//   eltwise_backward::primitive_desc back(b, engine, pd);
//   eltwise_backward(back).execute(stream, {{DNNL_ARG_SRC, src}, {DNNL_ARG_DIFF_DST, diff_dst},
//                                           {DNNL_ARG_DIFF_SRC, diff_src}});
//
// The destination may be the source's memory, the gradient of the source that of the destination's
// (ELT-074, ELT-075); otherwise what is written shares no byte with what is read (PRIM-050).
//
// Attributes: the scratchpad mode only (ELT-081). Run-time dims are refused (ELT-013).
//
// Source: oneDNN developer guide, "Eltwise"; requirements ELT-001 to ELT-084.
#ifndef DNNSPEC_API_ELTWISE_ELTWISE_HPP_
#define DNNSPEC_API_ELTWISE_ELTWISE_HPP_

#include "oneapi/dnnl/eltwise/c_desc.h"
#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/memory/memory.hpp"
#include "oneapi/dnnl/model/attributes.hpp"
#include "oneapi/dnnl/model/primitive.hpp"
#include "oneapi/dnnl/model/primitive_desc.hpp"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_handles.h"
#include "oneapi/dnnl/types/enums.hpp"

namespace dnnl {

// Reads DNNL_ARG_SRC, writes DNNL_ARG_DST.
struct eltwise_forward : public primitive {
  // A plain value, good for every engine (OBJ-003 to OBJ-005).
  struct desc {
    dnnl_eltwise_desc_t data;

    // `aprop_kind` is forward_training or forward_inference; `aalgorithm` is one of eltwise's;
    // `data_desc` has a layout (ELT-006 to ELT-008).
    DNNSPEC_ABI desc(prop_kind aprop_kind, algorithm aalgorithm, const memory::desc& data_desc,
                     float alpha = 0, float beta = 0);
  };

  struct primitive_desc : public dnnl::primitive_desc {
    // Empty.
    primitive_desc() = default;

    // One more handle of a C handle's forward eltwise; null gives an empty one.
    DNNSPEC_ABI primitive_desc(dnnl_primitive_desc_t from)
        : dnnl::primitive_desc(from, dnnl::primitive::kind::eltwise, prop_kind::forward) {}

    DNNSPEC_ABI primitive_desc(const desc& adesc, const engine& aengine, bool allow_empty = false)
        : primitive_desc(adesc, primitive_attr(), aengine, allow_empty) {}

    DNNSPEC_ABI primitive_desc(const desc& adesc, const primitive_attr& attr, const engine& aengine,
                               bool allow_empty = false);
  };

  // Empty.
  eltwise_forward() = default;
  DNNSPEC_ABI eltwise_forward(const primitive_desc& pd) : primitive(pd) {}
};

// Reads DNNL_ARG_SRC, or DNNL_ARG_DST where the algorithm says so, and DNNL_ARG_DIFF_DST; writes
// DNNL_ARG_DIFF_SRC.
struct eltwise_backward : public primitive {
  struct desc {
    dnnl_eltwise_desc_t data;

    // `data_desc`, of source and destination, has a layout. `diff_data_desc`, of both gradients,
    // may be `any`, and becomes that layout when the primitive descriptor is created (ELT-009,
    // ELT-010).
    DNNSPEC_ABI desc(algorithm aalgorithm, const memory::desc& diff_data_desc,
                     const memory::desc& data_desc, float alpha = 0, float beta = 0);
  };

  struct primitive_desc : public dnnl::primitive_desc {
    // Empty.
    primitive_desc() = default;

    // One more handle of a C handle's backward eltwise; null gives an empty one.
    DNNSPEC_ABI primitive_desc(dnnl_primitive_desc_t from)
        : dnnl::primitive_desc(from, dnnl::primitive::kind::eltwise, prop_kind::backward_data) {}

    // `hint_fwd_pd` describes a forward eltwise, of whatever algorithm, parameters, dims and
    // layout: it changes nothing, and may be gone afterwards (ELT-015).
    DNNSPEC_ABI primitive_desc(const desc& adesc, const engine& aengine,
                               const eltwise_forward::primitive_desc& hint_fwd_pd,
                               bool allow_empty = false)
        : primitive_desc(adesc, primitive_attr(), aengine, hint_fwd_pd, allow_empty) {}

    DNNSPEC_ABI primitive_desc(const desc& adesc, const primitive_attr& attr, const engine& aengine,
                               const eltwise_forward::primitive_desc& hint_fwd_pd,
                               bool allow_empty = false);
  };

  // Empty.
  eltwise_backward() = default;
  DNNSPEC_ABI eltwise_backward(const primitive_desc& pd) : primitive(pd) {}
};

}  // namespace dnnl

#endif  // DNNSPEC_API_ELTWISE_ELTWISE_HPP_
