// Convolution as an operation: sums over the taps of a kernel and the channels of a group.
//
//   forward:           dst(n, g*OC+oc, o) = bias(g*OC+oc)
//                        + sum_{ic,k} src(n, g*IC+ic, o*S + k*(D+1) - PL) * weights(g, oc, ic, k)
//   backward data:     diff_src(n, g*IC+ic, i)
//                        = sum_{oc,k,o: o*S + k*(D+1) - PL = i} diff_dst(n, g*OC+oc, o)
//                                                               * weights(g, oc, ic, k)
//   backward weights:  diff_weights(g, oc, ic, k)
//                        = sum_{n,o} diff_dst(n, g*OC+oc, o) * src(n, g*IC+ic, o*S+k*(D+1)-PL)
//                      diff_bias(g*OC+oc) = sum_{n,o} diff_dst(n, g*OC+oc, o)
//
// A term whose place in the source does not exist is left out. o, k and i have one to three axes.
//
// Source: oneDNN developer guide, "Convolution"; requirements CONV-006 to CONV-046.
#ifndef DNNSPEC_API_CONVOLUTION_OPERATION_H_
#define DNNSPEC_API_CONVOLUTION_OPERATION_H_

#include <array>
#include <cstdint>

#include "api/product/operation.h"
#include "api/spi/operation.h"

namespace spi {

extern const Signature kConvolutionSignature;

// As MakeProduct.
Operation MakeConvolution(PropKind prop, const ConvolutionParams& params, const Layout& src,
                          const Layout& weights, const Layout* bias, const Layout& dst);

// One spatial axis: the output o reads by tap k the input o * stride + k * step - padding. Where
// there are outputs, o * stride + k * step and input + padding fit 63 bits.
struct ConvolutionAxis {
  int64_t input = 1, output = 1, kernel = 1, stride = 1, step = 1, padding = 0;
};

// What a convolution's operation says, by names. Points into it. Of `src` the dims are {N, G*IC,
// spatial...}, of rank 3 to 5; of `weights` {OC, IC, spatial...}, or {G, OC, IC, spatial...} where
// `grouped`; of `bias` {G*OC}; of `dst` {N, G*OC, spatial...}.
struct ConvolutionView : ProductView {
  explicit ConvolutionView(const Operation& operation);

  const ConvolutionParams& params;
  bool grouped;
  int64_t batch, groups, ic, oc;  // channels of one group
  int spatial;                    // how many spatial axes the tensors have
  // Always three, the innermost last; of those that the tensors lack, in front, everything is 1
  // long.
  std::array<ConvolutionAxis, 3> axes;
};

}  // namespace spi

#endif  // DNNSPEC_API_CONVOLUTION_OPERATION_H_
