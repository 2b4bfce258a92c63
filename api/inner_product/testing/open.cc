#include "api/inner_product/testing/open.h"

#include <cstdint>

#include "api/inner_product/testing/inner_product_operation.h"
#include "api/testing/open.h"

namespace spi {
namespace {

// Outputs, and the source: one, odd, whole panels, one more; a fully connected layer behind an
// image, a video; transformers.
struct Sizes {
  int64_t outputs;
  std::vector<int64_t> src;
};
const Sizes kSizes[] = {
    {1, {1, 1}},          {1, {3, 17}},       {7, {2, 5}},        {16, {4, 16}},
    {17, {4, 33}},        {30, {2, 3, 5}},    {10, {2, 6, 4, 4}}, {100, {1, 512, 7, 7}},
    {6, {2, 3, 2, 4, 4}}, {1000, {32, 2048}}, {3072, {128, 768}}, {0, {2, 3}},
};

Operation InnerProductOf(PropKind prop, const ProductTypes& types, const Sizes& sizes,
                         unsigned open) {
  std::vector<int64_t> weights = sizes.src;
  weights[0] = sizes.outputs;
  InnerProductOperation operation;
  operation.prop = prop;
  operation.src = LayoutFor(types.src, sizes.src, (open & kOpenSrc) != 0, (open & kPlainNhwc) != 0);
  operation.weights = LayoutFor(types.weights, weights, (open & kOpenWeights) != 0);
  operation.dst = LayoutFor(types.dst, {sizes.src[0], sizes.outputs}, (open & kOpenDst) != 0);
  return operation;
}

}  // namespace

std::vector<Operation> OpenInnerProduct() {
  std::vector<Operation> operations;
  for (const PropKind prop : {PropKind::kForwardTraining, PropKind::kForwardInference,
                              PropKind::kBackwardData, PropKind::kBackwardWeights})
    for (const ProductTypes& types : kProductTypes)
      for (const Sizes& sizes : kSizes)
        for (const unsigned open : kOpenOfProducts) {
          if (types.forward_only && !IsForward(prop)) continue;
          if (open & kPlainNhwc && sizes.src.size() < 4) continue;
          operations.push_back(InnerProductOf(prop, types, sizes, open));
        }
  return operations;
}

}  // namespace spi
