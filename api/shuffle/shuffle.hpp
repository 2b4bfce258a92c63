// dnnl::shuffle_forward and dnnl::shuffle_backward: permute the indices of one axis, read as a
// row-major (C / G) x G matrix, by transposing that matrix.
//
//   forward:   dst(u + v * C/G) = src(u * G + v)             0 <= u < C/G, 0 <= v < G
//   backward:  diff_src(u * G + v) = diff_dst(u + v * C/G)   the inverse
//
// C is the size of the axis, G the group size: the length of a group, not the number of groups
// . No arithmetic: every type moves bit for bit. Training and inference are the same. Source
// and destination have one descriptor, and share no byte unless nothing moves (PRIM-050).
//
//   using namespace dnnl;
//   shuffle_forward::desc d(prop_kind::forward_training, md, /*axis=*/1, /*group_size=*/4);
//   shuffle_forward shuffle(shuffle_forward::primitive_desc(d, engine));
//   shuffle.execute(stream, {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}});
//
// Attributes: the scratchpad mode only. Run-time dims are refused.
//
// Source: oneDNN developer guide, "Shuffle"; requirements SHU-001 to SHU-058.
#ifndef DNNSPEC_API_SHUFFLE_SHUFFLE_HPP_
#define DNNSPEC_API_SHUFFLE_SHUFFLE_HPP_

#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/memory/memory.hpp"
#include "oneapi/dnnl/model/attributes.hpp"
#include "oneapi/dnnl/model/primitive.hpp"
#include "oneapi/dnnl/model/primitive_desc.hpp"
#include "oneapi/dnnl/shuffle/c_desc.h"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_handles.h"
#include "oneapi/dnnl/types/enums.hpp"

namespace dnnl {

// Reads DNNL_ARG_SRC, writes DNNL_ARG_DST.
struct shuffle_forward : public primitive {
  // A plain value, good for every engine (OBJ-003 to OBJ-005).
  struct desc {
    dnnl_shuffle_desc_t data;

    // `aprop_kind` is forward_training or forward_inference; `data_desc` has a layout; `axis` is in
    // [0, rank); `group_size` is at least 1 and divides the axis.
    DNNSPEC_ABI desc(prop_kind aprop_kind, const memory::desc& data_desc, int axis, int group_size);
  };

  struct primitive_desc : public dnnl::primitive_desc {
    // Empty.
    primitive_desc() = default;

    // One more handle of a C handle's forward shuffle; null gives an empty one.
    DNNSPEC_ABI primitive_desc(dnnl_primitive_desc_t from)
        : dnnl::primitive_desc(from, dnnl::primitive::kind::shuffle, prop_kind::forward) {}

    DNNSPEC_ABI primitive_desc(const desc& adesc, const engine& aengine,
                               const primitive_attr& attr = primitive_attr(),
                               bool allow_empty = false);
  };

  // Empty.
  shuffle_forward() = default;
  DNNSPEC_ABI shuffle_forward(const primitive_desc& pd) : primitive(pd) {}
};

// Reads DNNL_ARG_DIFF_DST, writes DNNL_ARG_DIFF_SRC.
struct shuffle_backward : public primitive {
  struct desc {
    dnnl_shuffle_desc_t data;

    // As forward, but for the descriptor: `any` is allowed, and becomes the layout of the forward
    // data when the primitive descriptor is created (SHU-011).
    DNNSPEC_ABI desc(const memory::desc& diff_data_desc, int axis, int group_size);
  };

  struct primitive_desc : public dnnl::primitive_desc {
    // Empty.
    primitive_desc() = default;

    // One more handle of a C handle's backward shuffle; null gives an empty one.
    DNNSPEC_ABI primitive_desc(dnnl_primitive_desc_t from)
        : dnnl::primitive_desc(from, dnnl::primitive::kind::shuffle, prop_kind::backward_data) {}

    // `hint_fwd_pd` describes the forward shuffle, of the same dims (SHU-013).
    DNNSPEC_ABI primitive_desc(const desc& adesc, const engine& aengine,
                               const shuffle_forward::primitive_desc& hint_fwd_pd,
                               const primitive_attr& attr = primitive_attr(),
                               bool allow_empty = false);
  };

  // Empty.
  shuffle_backward() = default;
  DNNSPEC_ABI shuffle_backward(const primitive_desc& pd) : primitive(pd) {}
};

}  // namespace dnnl

#endif  // DNNSPEC_API_SHUFFLE_SHUFFLE_HPP_
