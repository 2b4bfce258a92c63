// The classes of inner product, as conformance/subject/computation.h wants them.
#ifndef DNNSPEC_CONFORMANCE_INNER_PRODUCT_RUN_H_
#define DNNSPEC_CONFORMANCE_INNER_PRODUCT_RUN_H_

#include <memory>
#include <vector>

#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/data.h"
#include "conformance/subject/computation.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

using ProductForward = dnnl::inner_product_forward;
using ProductBackwardData = dnnl::inner_product_backward_data;
using ProductBackwardWeights = dnnl::inner_product_backward_weights;

template <>
struct PrimitivesOf<InnerProductCase> {
  using Forward = ProductForward;
  using BackwardData = ProductBackwardData;
  using BackwardWeights = ProductBackwardWeights;
  static constexpr const char* kName = "inner product";
  static constexpr dnnl::primitive::kind kKind = dnnl::primitive::kind::inner_product;

  static std::shared_ptr<Forward::desc> ForwardDesc(const InnerProductCase& c, dnnl::prop_kind kind,
                                                    const ComputationDescs& descs, bool bias);
  static std::shared_ptr<BackwardData::desc> DataDesc(const InnerProductCase& c,
                                                      const ComputationDescs& descs);
  static std::shared_ptr<BackwardWeights::desc> WeightsDesc(const InnerProductCase& c,
                                                            const ComputationDescs& descs,
                                                            bool bias);
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_INNER_PRODUCT_RUN_H_
