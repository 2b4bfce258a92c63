// The classes of convolution, as conformance/subject/computation.h wants them.
#ifndef DNNSPEC_CONFORMANCE_CONVOLUTION_RUN_H_
#define DNNSPEC_CONFORMANCE_CONVOLUTION_RUN_H_

#include <memory>

#include "conformance/convolution/cases.h"
#include "conformance/convolution/data.h"
#include "conformance/subject/computation.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

using ConvolutionForward = dnnl::convolution_forward;
using ConvolutionBackwardData = dnnl::convolution_backward_data;
using ConvolutionBackwardWeights = dnnl::convolution_backward_weights;

// What the constructors take beside tensors. Empty dilates: the constructor without.
struct ConvolutionNumbers {
  dnnl::algorithm algorithm = dnnl::algorithm::convolution_direct;
  dnnl::memory::dims strides, dilates, padding_l, padding_r;
  bool with_dilates = false;
};

ConvolutionNumbers NumbersOf(const ConvolutionCase& c);

// The constructor calls; may throw.
std::shared_ptr<ConvolutionForward::desc> MakeForwardDesc(const ConvolutionNumbers& numbers,
                                                          dnnl::prop_kind kind,
                                                          const ComputationDescs& descs, bool bias);
std::shared_ptr<ConvolutionBackwardData::desc> MakeDataDesc(const ConvolutionNumbers& numbers,
                                                            const ComputationDescs& descs);
std::shared_ptr<ConvolutionBackwardWeights::desc> MakeWeightsDesc(const ConvolutionNumbers& numbers,
                                                                  const ComputationDescs& descs,
                                                                  bool bias);

template <>
struct PrimitivesOf<ConvolutionCase> {
  using Forward = ConvolutionForward;
  using BackwardData = ConvolutionBackwardData;
  using BackwardWeights = ConvolutionBackwardWeights;
  static constexpr const char* kName = "convolution";
  static constexpr dnnl::primitive::kind kKind = dnnl::primitive::kind::convolution;

  static std::shared_ptr<Forward::desc> ForwardDesc(const ConvolutionCase& c, dnnl::prop_kind kind,
                                                    const ComputationDescs& descs, bool bias) {
    return MakeForwardDesc(NumbersOf(c), kind, descs, bias);
  }
  static std::shared_ptr<Forward::desc> ForwardDesc(const ConvolutionNumbers& numbers,
                                                    dnnl::prop_kind kind,
                                                    const ComputationDescs& descs, bool bias) {
    return MakeForwardDesc(numbers, kind, descs, bias);
  }
  static std::shared_ptr<BackwardData::desc> DataDesc(const ConvolutionCase& c,
                                                      const ComputationDescs& descs) {
    return MakeDataDesc(NumbersOf(c), descs);
  }
  static std::shared_ptr<BackwardData::desc> DataDesc(const ConvolutionNumbers& numbers,
                                                      const ComputationDescs& descs) {
    return MakeDataDesc(numbers, descs);
  }
  static std::shared_ptr<BackwardWeights::desc> WeightsDesc(const ConvolutionCase& c,
                                                            const ComputationDescs& descs,
                                                            bool bias) {
    return MakeWeightsDesc(NumbersOf(c), descs, bias);
  }
  static std::shared_ptr<BackwardWeights::desc> WeightsDesc(const ConvolutionNumbers& numbers,
                                                            const ComputationDescs& descs,
                                                            bool bias) {
    return MakeWeightsDesc(numbers, descs, bias);
  }
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CONVOLUTION_RUN_H_
