#include "api/convolution/testing/open.h"

#include <cstddef>
#include <cstdint>

#include "api/convolution/testing/convolution_operation.h"
#include "api/testing/open.h"

namespace spi {
namespace {

// Weights have groups where their rank says so. Padding is half of a kernel on both sides.
struct Window {
  std::vector<int64_t> src, weights;
  int64_t stride;
};
// One of everything, pointwise, first and inner layers of networks, depthwise, groups, lines,
// volumes, nothing.
const Window kWindows[] = {
    {{1, 1, 1, 1}, {1, 1, 1, 1}, 1},        {{2, 30, 7, 7}, {17, 30, 1, 1}, 1},
    {{1, 3, 224, 224}, {64, 3, 7, 7}, 2},   {{1, 64, 14, 14}, {64, 64, 3, 3}, 1},
    {{1, 33, 14, 14}, {33, 1, 1, 3, 3}, 2}, {{2, 12, 5, 5}, {3, 5, 4, 3, 3}, 1},
    {{2, 32, 9}, {20, 32, 3}, 1},           {{1, 8, 4, 4, 4}, {16, 8, 3, 3, 3}, 1},
    {{0, 16, 5, 5}, {16, 16, 3, 3}, 1},
};

Operation ConvolutionOf(PropKind prop, const ProductTypes& types, const Window& window,
                        unsigned open) {
  const std::vector<int64_t>&src = window.src, &weights = window.weights;
  const size_t grouped = weights.size() - src.size();
  std::vector<int64_t> dst = src;
  dst[1] = weights[grouped] * (grouped != 0 ? weights[0] : 1);
  ConvolutionOperation operation;
  operation.prop = prop;
  for (size_t axis = 2; axis < src.size(); ++axis) {
    const int64_t kernel = weights[grouped + axis], padding = kernel / 2;
    operation.params.strides[axis - 2] = window.stride;
    operation.params.padding_l[axis - 2] = operation.params.padding_r[axis - 2] = padding;
    dst[axis] = (src[axis] - kernel + 2 * padding) / window.stride + 1;
  }
  const bool channels_last = (open & kPlainNhwc) != 0;
  operation.src = LayoutFor(types.src, src, (open & kOpenSrc) != 0, channels_last);
  operation.weights = LayoutFor(types.weights, weights, (open & kOpenWeights) != 0);
  operation.dst = LayoutFor(types.dst, dst, (open & kOpenDst) != 0, channels_last);
  return operation;
}

}  // namespace

std::vector<Operation> OpenConvolution() {
  std::vector<Operation> operations;
  for (const PropKind prop :
       {PropKind::kForwardInference, PropKind::kBackwardData, PropKind::kBackwardWeights})
    for (const ProductTypes& types : kProductTypes)
      for (const Window& window : kWindows)
        for (const unsigned open : kOpenOfProducts) {
          if (types.forward_only && !IsForward(prop)) continue;
          operations.push_back(ConvolutionOf(prop, types, window, open));
        }
  return operations;
}

}  // namespace spi
