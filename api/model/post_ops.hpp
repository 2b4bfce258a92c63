// dnnl::post_ops: operations that follow a primitive's own, on its result, in the order appended.
//
//   dnnl::post_ops ops;
//   ops.append_sum(0.5f);  // dst = op(...) + 0.5 * what dst held before
//
// Any sequence can be written down; what a primitive does not serve, it refuses when its descriptor
// is created (ATTR-005, ATTR-006). Reorder serves one sum; forward convolution and forward inner
// product serve sums and eltwise; all else serves none.
//
// Source: oneDNN "Post-ops" page; requirements ATTR-040 to ATTR-053.
#ifndef DNNSPEC_API_MODEL_POST_OPS_HPP_
#define DNNSPEC_API_MODEL_POST_OPS_HPP_

#include <cstdint>
#include <vector>

#include "oneapi/dnnl/engine/handle.hpp"
#include "oneapi/dnnl/memory/memory.hpp"
#include "oneapi/dnnl/model/primitive.hpp"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_handles.h"
#include "oneapi/dnnl/types/enums.hpp"

namespace dnnl {

// Copies share the sequence (OBJ-010); attributes take a snapshot of it (ATTR-045). At most 32
// entries. Getters fail on an index that is not in [0, len()) and on an entry of another kind, and
// change none of their results then.
struct post_ops : public handle<dnnl_post_ops_t> {
  // An empty sequence, not an empty handle.
  DNNSPEC_ABI post_ops();

  // As handle::reset.
  DNNSPEC_ABI explicit post_ops(dnnl_post_ops_t from, bool weak = false) : handle(from, weak) {}

  DNNSPEC_ABI int len() const;
  DNNSPEC_ABI primitive::kind kind(int index) const;

  // dst = op(...) + scale * (dst_old - zero_point), dst_old read as `data_type`, or as the
  // destination's own type if that is undef.
  DNNSPEC_ABI void append_sum(float scale = 1.f,
                              memory::data_type data_type = memory::data_type::undef);
  DNNSPEC_ABI void append_sum(float scale, std::int32_t zero_point,
                              memory::data_type data_type = memory::data_type::undef);
  DNNSPEC_ABI void get_params_sum(int index, float& scale) const;
  DNNSPEC_ABI void get_params_sum(int index, float& scale, memory::data_type& data_type) const;
  DNNSPEC_ABI void get_params_sum(int index, float& scale, std::int32_t& zero_point,
                                  memory::data_type& data_type) const;

  // scale * f(op(...)), with f one of the eltwise_ algorithms and its two parameters.
  DNNSPEC_ABI void append_eltwise(float scale, algorithm aalgorithm, float alpha, float beta);
  DNNSPEC_ABI void get_params_eltwise(int index, float& scale, algorithm& aalgorithm, float& alpha,
                                      float& beta) const;

  // A depthwise convolution of a square kernel; its kind is primitive::kind::convolution. The
  // scales are as in primitive_attr::set_output_scales.
  DNNSPEC_ABI void append_dw(memory::data_type weights_data_type, memory::data_type bias_data_type,
                             memory::data_type dst_data_type, memory::dim kernel_size,
                             memory::dim stride_size, memory::dim padding_l_size, int mask,
                             const std::vector<float>& scales);
  DNNSPEC_ABI void get_params_dw(int index, memory::data_type& weights_data_type,
                                 memory::data_type& bias_data_type,
                                 memory::data_type& dst_data_type, memory::dim& kernel_size,
                                 memory::dim& stride_size, memory::dim& padding_l_size, int& mask,
                                 std::vector<float>& scales) const;

  // The same with a kernel of 3, padding of 1, and strides of 1 and 2.
  DNNSPEC_ABI void append_dw_k3s1p1(memory::data_type weights_data_type,
                                    memory::data_type bias_data_type,
                                    memory::data_type dst_data_type, int mask,
                                    const std::vector<float>& scales);
  DNNSPEC_ABI void get_params_dw_k3s1p1(int index, memory::data_type& weights_data_type,
                                        memory::data_type& bias_data_type,
                                        memory::data_type& dst_data_type, int& mask,
                                        std::vector<float>& scales) const;
  DNNSPEC_ABI void append_dw_k3s2p1(memory::data_type weights_data_type,
                                    memory::data_type bias_data_type,
                                    memory::data_type dst_data_type, int mask,
                                    const std::vector<float>& scales);
  DNNSPEC_ABI void get_params_dw_k3s2p1(int index, memory::data_type& weights_data_type,
                                        memory::data_type& bias_data_type,
                                        memory::data_type& dst_data_type, int& mask,
                                        std::vector<float>& scales) const;

  // op(...) with a second tensor, which comes at execution as
  // DNNL_ARG_ATTR_MULTIPLE_POST_OP(index) | DNNL_ARG_SRC_1.
  DNNSPEC_ABI void append_binary(algorithm aalgorithm, const memory::desc& src1_desc);
  DNNSPEC_ABI void get_params_binary(int index, algorithm& aalgorithm,
                                     memory::desc& src1_desc) const;

  // PReLU; its weights come at execution. Bit d of the mask: one weight for each index of dim d.
  DNNSPEC_ABI void append_prelu(int mask);
  DNNSPEC_ABI void get_params_prelu(int index, int& mask) const;
};

}  // namespace dnnl

#endif  // DNNSPEC_API_MODEL_POST_OPS_HPP_
