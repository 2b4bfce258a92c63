// dnnl::primitive_attr: what a primitive does besides its operation.
//
//   dnnl::primitive_attr attr;
//   attr.set_output_scales(1 << 0, {0.5f, 0.25f});  // one for each index of dst's dim 0
//
// Setters accept every well-formed configuration that some primitive of oneDNN has; whether a
// primitive serves it is decided when its descriptor is created, which takes a snapshot (ATTR-002,
// ATTR-005). Copies share their state (OBJ-009).
//
// Source: oneDNN "Primitive Attributes" page; requirements ATTR-001 to ATTR-064.
#ifndef DNNSPEC_API_MODEL_ATTRIBUTES_HPP_
#define DNNSPEC_API_MODEL_ATTRIBUTES_HPP_

#include <cstdint>
#include <vector>

#include "oneapi/dnnl/engine/handle.hpp"
#include "oneapi/dnnl/model/post_ops.hpp"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_handles.h"
#include "oneapi/dnnl/types/enums.hpp"

namespace dnnl {

struct primitive_attr : public handle<dnnl_primitive_attr_t> {
  // The same as no attributes: library scratchpad, scale 1, no post-ops.
  DNNSPEC_ABI primitive_attr();

  // As handle::reset.
  DNNSPEC_ABI primitive_attr(dnnl_primitive_attr_t from, bool weak = false) : handle(from, weak) {}

  // Permits lower precision inside f32 arithmetic; no primitive here makes use of it. Shuffle,
  // eltwise and backward primitives refuse all but `strict`.
  DNNSPEC_ABI fpmath_mode get_fpmath_mode() const;
  DNNSPEC_ABI void set_fpmath_mode(fpmath_mode mode);

  DNNSPEC_ABI scratchpad_mode get_scratchpad_mode() const;
  DNNSPEC_ABI void set_scratchpad_mode(scratchpad_mode mode);

  // dst = scale * op(...), in f32, before the post-ops. Bit d of the mask gives each index of dst's
  // logical dim d a scale of its own; scales are row-major over the masked dims. Their number is
  // checked when a primitive descriptor is created. The one value DNNL_RUNTIME_F32_VAL stands for
  // scales that come at execution as DNNL_ARG_ATTR_OUTPUT_SCALES. Refuses a negative mask, no
  // values, and the run-time value among others (ATTR-020 to ATTR-035).
  DNNSPEC_ABI void get_output_scales(int& mask, std::vector<float>& scales) const;
  DNNSPEC_ABI void set_output_scales(int mask, const std::vector<float>& scales);

  // Of one argument, by its DNNL_ARG_ number: value = scale * (stored - zero_point). Unset ones
  // read as mask 0 and the single value 1, respectively 0. Run-time values are DNNL_RUNTIME_F32_VAL
  // and DNNL_RUNTIME_S32_VAL. Reorder serves one zero point (mask 0) of DNNL_ARG_SRC and of
  // DNNL_ARG_DST; other primitives serve no zero points, and none serves these scales (ATTR-060 to
  // ATTR-064).
  //
  // Refused where no primitive has such values: scales but of DNNL_ARG_SRC_0 and DNNL_ARG_SRC_1,
  // zero points but of DNNL_ARG_SRC, DNNL_ARG_WEIGHTS and DNNL_ARG_DST, and more than one zero
  // point that is known already.
  DNNSPEC_ABI void get_scales(int arg, int& mask, std::vector<float>& scales) const;
  DNNSPEC_ABI void set_scales(int arg, int mask, const std::vector<float>& scales);
  DNNSPEC_ABI void get_zero_points(int arg, int& mask,
                                   std::vector<std::int32_t>& zero_points) const;
  DNNSPEC_ABI void set_zero_points(int arg, int mask, const std::vector<std::int32_t>& zero_points);

  // Independent of later changes on either side (ATTR-045, ATTR-046).
  DNNSPEC_ABI const post_ops get_post_ops() const;
  DNNSPEC_ABI void set_post_ops(const post_ops ops);

  // Quantisation of RNN data (scale * value + shift) and weights. For RNN primitives only.
  DNNSPEC_ABI void set_rnn_data_qparams(float scale, float shift);
  DNNSPEC_ABI void get_rnn_data_qparams(float& scale, float& shift) const;
  DNNSPEC_ABI void set_rnn_weights_qparams(int mask, const std::vector<float>& scales);
  DNNSPEC_ABI void get_rnn_weights_qparams(int& mask, std::vector<float>& scales) const;
  DNNSPEC_ABI void set_rnn_weights_projection_qparams(int mask, const std::vector<float>& scales);
  DNNSPEC_ABI void get_rnn_weights_projection_qparams(int& mask, std::vector<float>& scales) const;
};

}  // namespace dnnl

#endif  // DNNSPEC_API_MODEL_ATTRIBUTES_HPP_
