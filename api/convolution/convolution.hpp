// dnnl::convolution_forward, convolution_backward_data, convolution_backward_weights: sums over the
// taps of a kernel that moves over one to three spatial axes, and over the channels of a group.
//
//   forward:           dst(n, g*OC+oc, o) = bias(g*OC+oc)
//                        + sum_{ic,k} src(n, g*IC+ic, o*S + k*(D+1) - PL) * weights(g, oc, ic, k)
//   backward data:     the gradient of the source, by those of the destination and the weights
//   backward weights:  the gradients of weights and bias, by that of the destination and the source
//
// Source {N, G*IC, I...} and destination {N, G*OC, O...} of rank 3 to 5; weights {OC, IC, K...}, or
// {G, OC, IC, K...} with groups; bias {G*OC}. Gradients have the dims of what they are gradients
// of. Strides S, dilations D (0: dense) and paddings PL, PR are as many as spatial axes, and on
// each O = floor((I - (K-1)*(D+1) - 1 + PL + PR) / S) + 1. Taps outside the source add nothing;
// PR below 0, but above -S, crops it. Batch, I and O may be 0, weights without elements are errors
// (CONV-020 to CONV-037).
//
//   using namespace dnnl;
//   const auto any = [](memory::dims dims) {
//     return memory::desc(dims, memory::data_type::f32, memory::format_tag::any);
//   };
//   convolution_forward::desc d(prop_kind::forward_inference, algorithm::convolution_direct,
//                               any({1, 64, 56, 56}), any({128, 64, 3, 3}), any({128}),
//                               any({1, 128, 28, 28}), {2, 2}, {1, 1}, {1, 1});
//   convolution_forward::primitive_desc pd(d, engine);
//   memory packed(pd.weights_desc(), engine);  // `weights` are reordered once, into what is fast
//   reorder(weights, packed).execute(stream, weights, packed);
//   convolution_forward(pd).execute(stream, {{DNNL_ARG_SRC, src}, {DNNL_ARG_WEIGHTS, packed},
//                                            {DNNL_ARG_BIAS, bias}, {DNNL_ARG_DST, dst}});
//
// Each tensor may be `any`: the implementation chooses, queries of the primitive descriptor tell
// what (CONV-060). In the place of a bias, or of its gradient, the zero descriptor says that there
// is none (CONV-009). Run-time dims are refused (CONV-042). What is written shares no byte with
// what is read (PRIM-050). convolution_direct keeps the bound of its sums; convolution_winograd and
// convolution_auto may lose more where Winograd's algorithm fits.
//
// Attributes of forward: output scales, one (mask 0) or one for each output channel (mask 2), also
// at run time; chains of sums and eltwise post-ops; an fpmath mode, which only permits; the
// scratchpad mode. Backward: the scratchpad mode only (CONV-104, CONV-116, CONV-130 to CONV-150).
//
// Source: oneDNN developer guide, "Convolution"; requirements CONV-001 to CONV-174.
#ifndef DNNSPEC_API_CONVOLUTION_CONVOLUTION_HPP_
#define DNNSPEC_API_CONVOLUTION_CONVOLUTION_HPP_

#include "oneapi/dnnl/convolution/c_desc.h"
#include "oneapi/dnnl/engine/engine.hpp"
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
struct convolution_forward : public primitive {
  // A plain value, good for every engine (OBJ-003 to OBJ-005).
  struct desc {
    dnnl_convolution_desc_t data;

    // `aprop_kind` is forward_training or forward_inference; both compute the same (CONV-044,
    // CONV-089).
    DNNSPEC_ABI desc(prop_kind aprop_kind, algorithm aalgorithm, const memory::desc& src_desc,
                     const memory::desc& weights_desc, const memory::desc& bias_desc,
                     const memory::desc& dst_desc, const memory::dims& strides,
                     const memory::dims& padding_l, const memory::dims& padding_r);

    // Dilated.
    DNNSPEC_ABI desc(prop_kind aprop_kind, algorithm aalgorithm, const memory::desc& src_desc,
                     const memory::desc& weights_desc, const memory::desc& bias_desc,
                     const memory::desc& dst_desc, const memory::dims& strides,
                     const memory::dims& dilates, const memory::dims& padding_l,
                     const memory::dims& padding_r);

    // Without bias.
    DNNSPEC_ABI desc(prop_kind aprop_kind, algorithm aalgorithm, const memory::desc& src_desc,
                     const memory::desc& weights_desc, const memory::desc& dst_desc,
                     const memory::dims& strides, const memory::dims& padding_l,
                     const memory::dims& padding_r);

    // Dilated, without bias.
    DNNSPEC_ABI desc(prop_kind aprop_kind, algorithm aalgorithm, const memory::desc& src_desc,
                     const memory::desc& weights_desc, const memory::desc& dst_desc,
                     const memory::dims& strides, const memory::dims& dilates,
                     const memory::dims& padding_l, const memory::dims& padding_r);
  };

  struct primitive_desc : public dnnl::primitive_desc {
    // Empty.
    primitive_desc() = default;

    // One more handle of a C handle's forward convolution; null gives an empty one.
    DNNSPEC_ABI primitive_desc(dnnl_primitive_desc_t from)
        : dnnl::primitive_desc(from, dnnl::primitive::kind::convolution, prop_kind::forward) {}

    DNNSPEC_ABI primitive_desc(const desc& adesc, const engine& aengine, bool allow_empty = false)
        : primitive_desc(adesc, primitive_attr(), aengine, allow_empty) {}

    DNNSPEC_ABI primitive_desc(const desc& adesc, const primitive_attr& attr, const engine& aengine,
                               bool allow_empty = false);

    // Zero where there is none.
    DNNSPEC_ABI memory::desc bias_desc() const { return base::weights_desc(1); }
  };

  // Empty.
  convolution_forward() = default;
  DNNSPEC_ABI convolution_forward(const primitive_desc& pd) : primitive(pd) {}
};

// Reads DNNL_ARG_WEIGHTS and DNNL_ARG_DIFF_DST, writes DNNL_ARG_DIFF_SRC.
struct convolution_backward_data : public primitive {
  struct desc {
    dnnl_convolution_desc_t data;

    DNNSPEC_ABI desc(algorithm aalgorithm, const memory::desc& diff_src_desc,
                     const memory::desc& weights_desc, const memory::desc& diff_dst_desc,
                     const memory::dims& strides, const memory::dims& padding_l,
                     const memory::dims& padding_r);

    // Dilated.
    DNNSPEC_ABI desc(algorithm aalgorithm, const memory::desc& diff_src_desc,
                     const memory::desc& weights_desc, const memory::desc& diff_dst_desc,
                     const memory::dims& strides, const memory::dims& dilates,
                     const memory::dims& padding_l, const memory::dims& padding_r);
  };

  struct primitive_desc : public dnnl::primitive_desc {
    // Empty.
    primitive_desc() = default;

    // One more handle of a C handle's; null gives an empty one.
    DNNSPEC_ABI primitive_desc(dnnl_primitive_desc_t from)
        : dnnl::primitive_desc(from, dnnl::primitive::kind::convolution, prop_kind::backward_data) {
    }

    // `hint_fwd_pd` describes a forward convolution, of any layouts, types and algorithm, with or
    // without bias. It changes no result, at most what `any` becomes, and that only if its dims,
    // strides, dilations and paddings are those of `adesc`. It may be gone afterwards (CONV-160 to
    // CONV-162).
    DNNSPEC_ABI primitive_desc(const desc& adesc, const engine& aengine,
                               const convolution_forward::primitive_desc& hint_fwd_pd,
                               bool allow_empty = false)
        : primitive_desc(adesc, primitive_attr(), aengine, hint_fwd_pd, allow_empty) {}

    DNNSPEC_ABI primitive_desc(const desc& adesc, const primitive_attr& attr, const engine& aengine,
                               const convolution_forward::primitive_desc& hint_fwd_pd,
                               bool allow_empty = false);
  };

  // Empty.
  convolution_backward_data() = default;
  DNNSPEC_ABI convolution_backward_data(const primitive_desc& pd) : primitive(pd) {}
};

// Reads DNNL_ARG_SRC and DNNL_ARG_DIFF_DST, writes DNNL_ARG_DIFF_WEIGHTS and DNNL_ARG_DIFF_BIAS.
struct convolution_backward_weights : public primitive {
  struct desc {
    dnnl_convolution_desc_t data;

    DNNSPEC_ABI desc(algorithm aalgorithm, const memory::desc& src_desc,
                     const memory::desc& diff_weights_desc, const memory::desc& diff_bias_desc,
                     const memory::desc& diff_dst_desc, const memory::dims& strides,
                     const memory::dims& padding_l, const memory::dims& padding_r);

    // Dilated.
    DNNSPEC_ABI desc(algorithm aalgorithm, const memory::desc& src_desc,
                     const memory::desc& diff_weights_desc, const memory::desc& diff_bias_desc,
                     const memory::desc& diff_dst_desc, const memory::dims& strides,
                     const memory::dims& dilates, const memory::dims& padding_l,
                     const memory::dims& padding_r);

    // Without the gradient of a bias.
    DNNSPEC_ABI desc(algorithm aalgorithm, const memory::desc& src_desc,
                     const memory::desc& diff_weights_desc, const memory::desc& diff_dst_desc,
                     const memory::dims& strides, const memory::dims& padding_l,
                     const memory::dims& padding_r);

    // Dilated, without the gradient of a bias.
    DNNSPEC_ABI desc(algorithm aalgorithm, const memory::desc& src_desc,
                     const memory::desc& diff_weights_desc, const memory::desc& diff_dst_desc,
                     const memory::dims& strides, const memory::dims& dilates,
                     const memory::dims& padding_l, const memory::dims& padding_r);
  };

  struct primitive_desc : public dnnl::primitive_desc {
    // Empty.
    primitive_desc() = default;

    // One more handle of a C handle's; null gives an empty one.
    DNNSPEC_ABI primitive_desc(dnnl_primitive_desc_t from)
        : dnnl::primitive_desc(from, dnnl::primitive::kind::convolution,
                               prop_kind::backward_weights) {}

    // As those of convolution_backward_data.
    DNNSPEC_ABI primitive_desc(const desc& adesc, const engine& aengine,
                               const convolution_forward::primitive_desc& hint_fwd_pd,
                               bool allow_empty = false)
        : primitive_desc(adesc, primitive_attr(), aengine, hint_fwd_pd, allow_empty) {}

    DNNSPEC_ABI primitive_desc(const desc& adesc, const primitive_attr& attr, const engine& aengine,
                               const convolution_forward::primitive_desc& hint_fwd_pd,
                               bool allow_empty = false);

    // Zero where there is none.
    DNNSPEC_ABI memory::desc diff_bias_desc() const { return base::diff_weights_desc(1); }
  };

  // Empty.
  convolution_backward_weights() = default;
  DNNSPEC_ABI convolution_backward_weights(const primitive_desc& pd) : primitive(pd) {}
};

}  // namespace dnnl

#endif  // DNNSPEC_API_CONVOLUTION_CONVOLUTION_HPP_
