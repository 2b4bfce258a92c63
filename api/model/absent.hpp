// The primitives of oneDNN 2.6 that this library lacks. Their classes can be named,
// forward-declared and held empty, and whoever makes one is told by the compiler, in one sentence,
// that it is not here.
//
//   dnnl::deconvolution_forward::desc d(...);
//   // error: static assertion failed: dnnspec has no dnnl::deconvolution_forward, one of the
//   // primitives in oneapi/dnnl/model/absent.hpp
#ifndef DNNSPEC_API_MODEL_ABSENT_HPP_
#define DNNSPEC_API_MODEL_ABSENT_HPP_

#include <initializer_list>
#include <type_traits>

#include "oneapi/dnnl/model/primitive.hpp"
#include "oneapi/dnnl/model/primitive_desc.hpp"
#include "oneapi/dnnl/types/abi.h"

namespace dnnspec {

// Takes every argument that a constructor may get, lists in braces too.
struct anything {
  anything() = default;
  template <typename T>
  anything(const T&) {}
  anything(std::initializer_list<anything>) {}
};
using arg = const anything&;

}  // namespace dnnspec

namespace dnnl {

// A template, so that the assertion fails where somebody calls it and nowhere else.
#define DNNSPEC_ABSENT_CONSTRUCTOR(name, constructor)                                      \
  template <typename Called = void>                                                        \
  DNNSPEC_ABI constructor(                                                                 \
      dnnspec::arg, dnnspec::arg, dnnspec::arg = {}, dnnspec::arg = {}, dnnspec::arg = {}, \
      dnnspec::arg = {}, dnnspec::arg = {}, dnnspec::arg = {}, dnnspec::arg = {},          \
      dnnspec::arg = {}, dnnspec::arg = {}, dnnspec::arg = {}, dnnspec::arg = {},          \
      dnnspec::arg = {}, dnnspec::arg = {}, dnnspec::arg = {}, dnnspec::arg = {},          \
      dnnspec::arg = {}, dnnspec::arg = {}, dnnspec::arg = {}, dnnspec::arg = {},          \
      dnnspec::arg = {}, dnnspec::arg = {}, dnnspec::arg = {}) {                           \
    static_assert(!std::is_void<Called>::value,                                            \
                  "dnnspec has no dnnl::" #name                                            \
                  ", one of the primitives in oneapi/dnnl/model/absent.hpp");              \
  }

#define DNNSPEC_ABSENT(name)                                      \
  struct name : public primitive {                                \
    struct desc {                                                 \
      DNNSPEC_ABSENT_CONSTRUCTOR(name, desc)                      \
    };                                                            \
    struct primitive_desc : public dnnl::primitive_desc {         \
      primitive_desc() = default;                                 \
      DNNSPEC_ABSENT_CONSTRUCTOR(name, primitive_desc)            \
    };                                                            \
    name() = default;                                             \
    DNNSPEC_ABI name(const primitive_desc& pd) : primitive(pd) {} \
  }

DNNSPEC_ABSENT(augru_backward);
DNNSPEC_ABSENT(augru_forward);
DNNSPEC_ABSENT(batch_normalization_backward);
DNNSPEC_ABSENT(batch_normalization_forward);
DNNSPEC_ABSENT(binary);
DNNSPEC_ABSENT(concat);
DNNSPEC_ABSENT(deconvolution_backward_data);
DNNSPEC_ABSENT(deconvolution_backward_weights);
DNNSPEC_ABSENT(deconvolution_forward);
DNNSPEC_ABSENT(gru_backward);
DNNSPEC_ABSENT(gru_forward);
DNNSPEC_ABSENT(layer_normalization_backward);
DNNSPEC_ABSENT(layer_normalization_forward);
DNNSPEC_ABSENT(lbr_augru_backward);
DNNSPEC_ABSENT(lbr_augru_forward);
DNNSPEC_ABSENT(lbr_gru_backward);
DNNSPEC_ABSENT(lbr_gru_forward);
DNNSPEC_ABSENT(logsoftmax_backward);
DNNSPEC_ABSENT(logsoftmax_forward);
DNNSPEC_ABSENT(lrn_backward);
DNNSPEC_ABSENT(lrn_forward);
DNNSPEC_ABSENT(lstm_backward);
DNNSPEC_ABSENT(lstm_forward);
DNNSPEC_ABSENT(matmul);
DNNSPEC_ABSENT(pooling_backward);
DNNSPEC_ABSENT(pooling_forward);
DNNSPEC_ABSENT(pooling_v2_backward);
DNNSPEC_ABSENT(pooling_v2_forward);
DNNSPEC_ABSENT(prelu_backward);
DNNSPEC_ABSENT(prelu_forward);
DNNSPEC_ABSENT(reduction);
DNNSPEC_ABSENT(resampling_backward);
DNNSPEC_ABSENT(resampling_forward);
DNNSPEC_ABSENT(softmax_backward);
DNNSPEC_ABSENT(softmax_forward);
DNNSPEC_ABSENT(softmax_v2_backward);
DNNSPEC_ABSENT(softmax_v2_forward);
DNNSPEC_ABSENT(sum);
DNNSPEC_ABSENT(vanilla_rnn_backward);
DNNSPEC_ABSENT(vanilla_rnn_forward);

#undef DNNSPEC_ABSENT
#undef DNNSPEC_ABSENT_CONSTRUCTOR

}  // namespace dnnl

#endif  // DNNSPEC_API_MODEL_ABSENT_HPP_
