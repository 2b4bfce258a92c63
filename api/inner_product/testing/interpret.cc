#include "api/inner_product/testing/interpret.h"

#include <cstdint>

#include "api/inner_product/operation.h"
#include "api/spi/operation.h"
#include "api/spi/types.h"
#include "api/testing/product.h"
#include "spec/inner_product/oracle.h"

namespace spi {

void InterpretInnerProduct(const Tensors& tensors, Use use) {
  const InnerProductView view(tensors.operation);
  spec::InnerProduct p = {view.src.dims[0], view.weights.dims[0], 1};
  for (int j = 1; j < view.weights.rank; ++j) p.inputs *= view.weights.dims[j];
  if (IsForward(view.prop)) {
    const auto src = tensors.Numbers(kArgSrc), weights = tensors.Numbers(kArgWeights),
               bias = tensors.Numbers(kArgBias);
    const auto sum = [&](int64_t k) {
      return spec::InnerProductForward(p, src, weights, bias, k / p.oc, k % p.oc);
    };
    return InterpretForward(p.oc, 1, tensors, sum, use);
  }
  const auto diff_dst = tensors.Numbers(kArgDiffDst);
  if (view.prop == PropKind::kBackwardData) {
    const auto weights = tensors.Numbers(kArgWeights);
    const auto sum = [&](int64_t k) {
      return spec::InnerProductBackwardData(p, diff_dst, weights, k / p.inputs, k % p.inputs);
    };
    return InterpretSums(kArgDiffSrc, tensors, sum, use);
  }
  const auto src = tensors.Numbers(kArgSrc);
  const auto sum = [&](int64_t k) {
    return spec::InnerProductBackwardWeights(p, src, diff_dst, k / p.inputs, k % p.inputs);
  };
  InterpretSums(kArgDiffWeights, tensors, sum, use);
  if (view.bias == nullptr) return;
  const auto of_bias = [&](int64_t k) { return spec::InnerProductBackwardBias(p, diff_dst, k); };
  InterpretSums(kArgDiffBias, tensors, of_bias, use);
}

}  // namespace spi
