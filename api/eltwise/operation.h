// Eltwise as an operation: one function of every element, or its derivative.
//
//   forward:   dst(x) = f(src(x))
//   backward:  diff_src(x) = diff_dst(x) * f'(src(x)), or the same written with dst(x) = f(src(x))
//
// Training and inference are the same. Dims and types of all tensors are equal; layouts may differ
// (ELT-073). dst may occupy exactly the memory of src, diff_src that of diff_dst (ELT-074,
// ELT-075).
//
// Source: oneDNN developer guide, "Eltwise"; requirements ELT-002 to ELT-075.
#ifndef DNNSPEC_API_ELTWISE_OPERATION_H_
#define DNNSPEC_API_ELTWISE_OPERATION_H_

#include "api/spi/operation.h"

namespace spi {

extern const Signature kEltwiseSignature;

// `prop` is one of the two forward ones. Tensors: src, dst.
Operation MakeEltwiseForward(PropKind prop, const EltwiseParams& params, const Layout& src,
                             const Layout& dst);

// Tensors: `data`, which is src, or dst where UsesDst(params.algorithm); diff_dst; diff_src.
Operation MakeEltwiseBackward(const EltwiseParams& params, const Layout& data,
                              const Layout& diff_dst, const Layout& diff_src);

// What an eltwise's operation says, by names. Points into it.
struct EltwiseView {
  explicit EltwiseView(const Operation& operation);

  bool forward;
  Algorithm algorithm;  // as it was given: forward computes PlainOf(algorithm)
  float alpha, beta;
  const Layout& data;      // src, or dst where backward UsesDst(algorithm)
  const Layout& diff_dst;  // of kind kNone forward
  const Layout& to;        // dst, or diff_src
};

}  // namespace spi

#endif  // DNNSPEC_API_ELTWISE_OPERATION_H_
