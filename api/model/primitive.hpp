// dnnl::primitive: a function, made for given shapes and types, that is executed any number of
// times.
//
// Source: oneDNN introduction page; requirements PRIM-030 to PRIM-051.
#ifndef DNNSPEC_API_MODEL_PRIMITIVE_HPP_
#define DNNSPEC_API_MODEL_PRIMITIVE_HPP_

#include <unordered_map>

#include "oneapi/dnnl/engine/handle.hpp"
#include "oneapi/dnnl/engine/stream.hpp"
#include "oneapi/dnnl/memory/memory.hpp"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/arguments.h"
#include "oneapi/dnnl/types/c_handles.h"
#include "oneapi/dnnl/types/c_types.h"

namespace dnnl {

struct primitive_desc_base;

struct primitive : public handle<dnnl_primitive_t> {
  enum class kind {
    undef = dnnl_undefined_primitive,
    reorder = dnnl_reorder,
    shuffle = dnnl_shuffle,
    concat = dnnl_concat,
    sum = dnnl_sum,
    convolution = dnnl_convolution,
    deconvolution = dnnl_deconvolution,
    eltwise = dnnl_eltwise,
    softmax = dnnl_softmax,
    pooling = dnnl_pooling,
    lrn = dnnl_lrn,
    batch_normalization = dnnl_batch_normalization,
    layer_normalization = dnnl_layer_normalization,
    inner_product = dnnl_inner_product,
    rnn = dnnl_rnn,
    binary = dnnl_binary,
    logsoftmax = dnnl_logsoftmax,
    matmul = dnnl_matmul,
    resampling = dnnl_resampling,
    pooling_v2 = dnnl_pooling_v2,
    reduction = dnnl_reduction,
    prelu = dnnl_prelu,
    softmax_v2 = dnnl_softmax_v2,
  };

  // Empty.
  primitive() = default;

  // As handle::reset.
  DNNSPEC_ABI explicit primitive(dnnl_primitive_t from, bool weak = false) : handle(from, weak) {}

  // Allocates no scratchpad: with scratchpad_mode::library an execution takes that of its stream,
  // which grows when more is wanted than before (out_of_memory comes from execute() then).
  DNNSPEC_ABI primitive(const primitive_desc_base& pd);
  DNNSPEC_ABI primitive(const_dnnl_primitive_desc_t c_pd);

  DNNSPEC_ABI kind get_kind() const;

  // Lives as long as some copy of this primitive.
  DNNSPEC_ABI const_dnnl_primitive_desc_t get_primitive_desc() const;

  // Computes, or submits to the stream. `args` maps DNNL_ARG_ numbers to memories of the engine and
  // type of pd.query_md(query::exec_arg_md, number), whose get_size() bytes hold all that this
  // descriptor addresses: for a region its parent's memory serves. What is run-time in it is the
  // memory's, which agrees with it in the rest. Numbers that the primitive does not use are
  // ignored. Everything is checked before anything is written (PRIM-033 to PRIM-037); handles may
  // be dropped before the stream's wait() (STR-013).
  //
  // What is written shares no byte with other arguments; but where each element comes from one of
  // the source alone, without a sum, it may replace it in place (PRIM-050). One primitive may be
  // executed from several threads at once, each with a stream of its own and, in
  // scratchpad_mode::user, a scratchpad of its own.
  DNNSPEC_ABI void execute(const stream& astream,
                           const std::unordered_map<int, memory>& args) const;
};

inline dnnl_primitive_kind_t convert_to_c(primitive::kind value) {
  return static_cast<dnnl_primitive_kind_t>(value);
}

}  // namespace dnnl

#endif  // DNNSPEC_API_MODEL_PRIMITIVE_HPP_
