// dnnl::inner_product_forward, inner_product_backward_data, inner_product_backward_weights: the
// product of two matrices, whose rows are a source and weights with all axes but the first
// flattened.
//
//   forward:           dst(n, oc) = bias(oc) + sum_inputs src(n, inputs) * weights(oc, inputs)
//   backward data:     diff_src(n, inputs) = sum_oc diff_dst(n, oc) * weights(oc, inputs)
//   backward weights:  diff_weights(oc, inputs) = sum_n diff_dst(n, oc) * src(n, inputs)
//                      diff_bias(oc) = sum_n diff_dst(n, oc)
//
// Source {N, IC}, or {N, IC, ...} with up to three spatial axes; weights {OC, IC} with the same
// spatial axes; bias {OC}; destination {N, OC}. Gradients have the dims of what they are gradients
// of. Inputs are paired by their coordinates: the layouts of source and weights need not agree. A
// batch of 0 is legal, weights without elements are not (IP-003 to IP-006).
//
//   using namespace dnnl;
//   const auto any = [](memory::dims dims) {
//     return memory::desc(dims, memory::data_type::f32, memory::format_tag::any);
//   };
//   inner_product_forward::desc d(prop_kind::forward_inference, any({32, 256, 6, 6}),
//                                 any({1000, 256, 6, 6}), any({1000}), any({32, 1000}));
//   inner_product_forward::primitive_desc pd(d, engine);
//   memory packed(pd.weights_desc(), engine);  // `weights` are reordered once, into what is fast
//   reorder(weights, packed).execute(stream, weights, packed);
//   inner_product_forward(pd).execute(stream, {{DNNL_ARG_SRC, src}, {DNNL_ARG_WEIGHTS, packed},
//                                              {DNNL_ARG_BIAS, bias}, {DNNL_ARG_DST, dst}});
//
// Each tensor may be `any`: the implementation chooses, queries of the primitive descriptor tell
// what (IP-030). In the place of a bias, or of its gradient, the zero descriptor says that there is
// none (IP-009). Run-time dims are refused (IP-007). What is written shares no byte with what is
// read (PRIM-050).
//
// Attributes of forward: output scales, one (mask 0) or one for each output channel (mask 2), also
// at run time; chains of sums and eltwise post-ops; an fpmath mode, which only permits; the
// scratchpad mode. Backward: the scratchpad mode only (IP-040 to IP-045).
//
// Source: oneDNN developer guide, "Inner Product"; requirements IP-001 to IP-057.
#ifndef DNNSPEC_API_INNER_PRODUCT_INNER_PRODUCT_HPP_
#define DNNSPEC_API_INNER_PRODUCT_INNER_PRODUCT_HPP_

#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/inner_product/c_desc.h"
#include "oneapi/dnnl/memory/memory.hpp"
#include "oneapi/dnnl/model/attributes.hpp"
#include "oneapi/dnnl/model/primitive.hpp"
#include "oneapi/dnnl/model/primitive_desc.hpp"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_handles.h"
#include "oneapi/dnnl/types/enums.hpp"

namespace dnnl {

// Reads DNNL_ARG_SRC, DNNL_ARG_WEIGHTS and DNNL_ARG_BIAS, writes DNNL_ARG_DST; with run-time scales
// also reads DNNL_ARG_ATTR_OUTPUT_SCALES.
struct inner_product_forward : public primitive {
  // A plain value, good for every engine (OBJ-003 to OBJ-005).
  struct desc {
    dnnl_inner_product_desc_t data;

    // `aprop_kind` is forward_training or forward_inference; both compute the same (IP-008).
    DNNSPEC_ABI desc(prop_kind aprop_kind, const memory::desc& src_desc,
                     const memory::desc& weights_desc, const memory::desc& bias_desc,
                     const memory::desc& dst_desc);

    // Without bias.
    DNNSPEC_ABI desc(prop_kind aprop_kind, const memory::desc& src_desc,
                     const memory::desc& weights_desc, const memory::desc& dst_desc);
  };

  struct primitive_desc : public dnnl::primitive_desc {
    // Empty.
    primitive_desc() = default;

    // One more handle of a C handle's forward inner product; null gives an empty one.
    DNNSPEC_ABI primitive_desc(dnnl_primitive_desc_t from)
        : dnnl::primitive_desc(from, dnnl::primitive::kind::inner_product, prop_kind::forward) {}

    DNNSPEC_ABI primitive_desc(const desc& adesc, const engine& aengine, bool allow_empty = false)
        : primitive_desc(adesc, primitive_attr(), aengine, allow_empty) {}

    DNNSPEC_ABI primitive_desc(const desc& adesc, const primitive_attr& attr, const engine& aengine,
                               bool allow_empty = false);

    // Zero where there is none.
    DNNSPEC_ABI memory::desc bias_desc() const { return base::weights_desc(1); }
  };

  // Empty.
  inner_product_forward() = default;
  DNNSPEC_ABI inner_product_forward(const primitive_desc& pd) : primitive(pd) {}
};

// Reads DNNL_ARG_WEIGHTS and DNNL_ARG_DIFF_DST, writes DNNL_ARG_DIFF_SRC.
struct inner_product_backward_data : public primitive {
  struct desc {
    dnnl_inner_product_desc_t data;

    DNNSPEC_ABI desc(const memory::desc& diff_src_desc, const memory::desc& weights_desc,
                     const memory::desc& diff_dst_desc);
  };

  struct primitive_desc : public dnnl::primitive_desc {
    // Empty.
    primitive_desc() = default;

    // One more handle of a C handle's; null gives an empty one.
    DNNSPEC_ABI primitive_desc(dnnl_primitive_desc_t from)
        : dnnl::primitive_desc(from, dnnl::primitive::kind::inner_product,
                               prop_kind::backward_data) {}

    // `hint_fwd_pd` describes a forward inner product, in any layouts and types, with or without
    // bias. It changes no result, at most what `any` becomes, and that only if its dims are those
    // of `adesc`. It may be gone afterwards (IP-051, IP-054).
    DNNSPEC_ABI primitive_desc(const desc& adesc, const engine& aengine,
                               const inner_product_forward::primitive_desc& hint_fwd_pd,
                               bool allow_empty = false)
        : primitive_desc(adesc, primitive_attr(), aengine, hint_fwd_pd, allow_empty) {}

    DNNSPEC_ABI primitive_desc(const desc& adesc, const primitive_attr& attr, const engine& aengine,
                               const inner_product_forward::primitive_desc& hint_fwd_pd,
                               bool allow_empty = false);
  };

  // Empty.
  inner_product_backward_data() = default;
  DNNSPEC_ABI inner_product_backward_data(const primitive_desc& pd) : primitive(pd) {}
};

// Reads DNNL_ARG_SRC and DNNL_ARG_DIFF_DST, writes DNNL_ARG_DIFF_WEIGHTS and DNNL_ARG_DIFF_BIAS.
struct inner_product_backward_weights : public primitive {
  struct desc {
    dnnl_inner_product_desc_t data;

    DNNSPEC_ABI desc(const memory::desc& src_desc, const memory::desc& diff_weights_desc,
                     const memory::desc& diff_bias_desc, const memory::desc& diff_dst_desc);

    // Without the gradient of a bias.
    DNNSPEC_ABI desc(const memory::desc& src_desc, const memory::desc& diff_weights_desc,
                     const memory::desc& diff_dst_desc);
  };

  struct primitive_desc : public dnnl::primitive_desc {
    // Empty.
    primitive_desc() = default;

    // One more handle of a C handle's; null gives an empty one.
    DNNSPEC_ABI primitive_desc(dnnl_primitive_desc_t from)
        : dnnl::primitive_desc(from, dnnl::primitive::kind::inner_product,
                               prop_kind::backward_weights) {}

    // As those of inner_product_backward_data.
    DNNSPEC_ABI primitive_desc(const desc& adesc, const engine& aengine,
                               const inner_product_forward::primitive_desc& hint_fwd_pd,
                               bool allow_empty = false)
        : primitive_desc(adesc, primitive_attr(), aengine, hint_fwd_pd, allow_empty) {}

    DNNSPEC_ABI primitive_desc(const desc& adesc, const primitive_attr& attr, const engine& aengine,
                               const inner_product_forward::primitive_desc& hint_fwd_pd,
                               bool allow_empty = false);

    // Zero where there is none.
    DNNSPEC_ABI memory::desc diff_bias_desc() const { return base::diff_weights_desc(1); }
  };

  // Empty.
  inner_product_backward_weights() = default;
  DNNSPEC_ABI inner_product_backward_weights(const primitive_desc& pd) : primitive(pd) {}
};

}  // namespace dnnl

#endif  // DNNSPEC_API_INNER_PRODUCT_INNER_PRODUCT_HPP_
