#include "conformance/inner_product/run.h"

namespace conformance {

using Product = PrimitivesOf<InnerProductCase>;

std::shared_ptr<ProductForward::desc> Product::ForwardDesc(const InnerProductCase&,
                                                           dnnl::prop_kind kind,
                                                           const ComputationDescs& descs,
                                                           bool bias) {
  using Desc = ProductForward::desc;
  return bias
             ? std::make_shared<Desc>(kind, descs[kSrc], descs[kWeights], descs[kBias], descs[kDst])
             : std::make_shared<Desc>(kind, descs[kSrc], descs[kWeights], descs[kDst]);
}

std::shared_ptr<ProductBackwardData::desc> Product::DataDesc(const InnerProductCase&,
                                                             const ComputationDescs& descs) {
  return std::make_shared<ProductBackwardData::desc>(descs[kSrc], descs[kWeights], descs[kDst]);
}

std::shared_ptr<ProductBackwardWeights::desc> Product::WeightsDesc(const InnerProductCase&,
                                                                   const ComputationDescs& descs,
                                                                   bool bias) {
  using Desc = ProductBackwardWeights::desc;
  return bias ? std::make_shared<Desc>(descs[kSrc], descs[kWeights], descs[kBias], descs[kDst])
              : std::make_shared<Desc>(descs[kSrc], descs[kWeights], descs[kDst]);
}

}  // namespace conformance
