#include "conformance/convolution/run.h"

namespace conformance {
namespace {

dnnl::algorithm AlgorithmOf(ConvolutionAlgorithm algorithm) {
  switch (algorithm) {
    case ConvolutionAlgorithm::kDirect:
      break;
    case ConvolutionAlgorithm::kAuto:
      return dnnl::algorithm::convolution_auto;
    case ConvolutionAlgorithm::kWinograd:
      return dnnl::algorithm::convolution_winograd;
  }
  return dnnl::algorithm::convolution_direct;
}

}  // namespace

ConvolutionNumbers NumbersOf(const ConvolutionCase& c) {
  using spec::ConvolutionAxis;
  ConvolutionNumbers numbers;
  numbers.algorithm = AlgorithmOf(c.algorithm);
  numbers.strides = c.Each(&ConvolutionAxis::stride);
  numbers.dilates = c.Each(&ConvolutionAxis::dilation);
  numbers.padding_l = c.Each(&ConvolutionAxis::padding_l);
  numbers.padding_r = c.Each(&ConvolutionAxis::padding_r);
  numbers.with_dilates = c.gives_dilations();
  return numbers;
}

std::shared_ptr<ConvolutionForward::desc> MakeForwardDesc(const ConvolutionNumbers& n,
                                                          dnnl::prop_kind kind,
                                                          const ComputationDescs& d, bool bias) {
  using Desc = ConvolutionForward::desc;
  if (bias && n.with_dilates)
    return std::make_shared<Desc>(kind, n.algorithm, d[kSrc], d[kWeights], d[kBias], d[kDst],
                                  n.strides, n.dilates, n.padding_l, n.padding_r);
  if (bias)
    return std::make_shared<Desc>(kind, n.algorithm, d[kSrc], d[kWeights], d[kBias], d[kDst],
                                  n.strides, n.padding_l, n.padding_r);
  if (n.with_dilates)
    return std::make_shared<Desc>(kind, n.algorithm, d[kSrc], d[kWeights], d[kDst], n.strides,
                                  n.dilates, n.padding_l, n.padding_r);
  return std::make_shared<Desc>(kind, n.algorithm, d[kSrc], d[kWeights], d[kDst], n.strides,
                                n.padding_l, n.padding_r);
}

std::shared_ptr<ConvolutionBackwardData::desc> MakeDataDesc(const ConvolutionNumbers& n,
                                                            const ComputationDescs& d) {
  using Desc = ConvolutionBackwardData::desc;
  if (n.with_dilates)
    return std::make_shared<Desc>(n.algorithm, d[kSrc], d[kWeights], d[kDst], n.strides, n.dilates,
                                  n.padding_l, n.padding_r);
  return std::make_shared<Desc>(n.algorithm, d[kSrc], d[kWeights], d[kDst], n.strides, n.padding_l,
                                n.padding_r);
}

std::shared_ptr<ConvolutionBackwardWeights::desc> MakeWeightsDesc(const ConvolutionNumbers& n,
                                                                  const ComputationDescs& d,
                                                                  bool bias) {
  using Desc = ConvolutionBackwardWeights::desc;
  if (bias && n.with_dilates)
    return std::make_shared<Desc>(n.algorithm, d[kSrc], d[kWeights], d[kBias], d[kDst], n.strides,
                                  n.dilates, n.padding_l, n.padding_r);
  if (bias)
    return std::make_shared<Desc>(n.algorithm, d[kSrc], d[kWeights], d[kBias], d[kDst], n.strides,
                                  n.padding_l, n.padding_r);
  if (n.with_dilates)
    return std::make_shared<Desc>(n.algorithm, d[kSrc], d[kWeights], d[kDst], n.strides, n.dilates,
                                  n.padding_l, n.padding_r);
  return std::make_shared<Desc>(n.algorithm, d[kSrc], d[kWeights], d[kDst], n.strides, n.padding_l,
                                n.padding_r);
}

}  // namespace conformance
