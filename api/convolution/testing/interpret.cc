#include "api/convolution/testing/interpret.h"

#include <cstddef>
#include <cstdint>

#include "api/convolution/operation.h"
#include "api/spi/operation.h"
#include "api/spi/types.h"
#include "api/testing/product.h"
#include "spec/convolution/oracle.h"

namespace spi {
namespace {

spec::Convolution ProblemOf(const ConvolutionView& view) {
  spec::Convolution p = {view.batch, view.groups, view.ic, view.oc, {}};
  for (size_t j = 0; j < 3; ++j) {
    const ConvolutionAxis& of = view.axes[j];
    p.axes[j] = {of.input, of.output, of.kernel, of.stride, of.step - 1, of.padding, 0};
  }
  return p;
}

}  // namespace

void InterpretConvolution(const Tensors& tensors, Use use) {
  const ConvolutionView view(tensors.operation);
  const spec::Convolution p = ProblemOf(view);
  const int64_t ics = p.groups * p.ic, ocs = p.groups * p.oc;
  if (IsForward(view.prop)) {
    const auto src = tensors.Numbers(kArgSrc), weights = tensors.Numbers(kArgWeights),
               bias = tensors.Numbers(kArgBias);
    const int64_t places = p.outputs();
    const auto sum = [&](int64_t k) {
      return spec::ConvolutionForward(p, src, weights, bias, k / places / ocs, k / places % ocs,
                                      k % places);
    };
    return InterpretForward(ocs, places, tensors, sum, use);
  }
  const auto diff_dst = tensors.Numbers(kArgDiffDst);
  if (view.prop == PropKind::kBackwardData) {
    const auto weights = tensors.Numbers(kArgWeights);
    const int64_t places = p.inputs();
    const auto sum = [&](int64_t k) {
      return spec::ConvolutionBackwardData(p, diff_dst, weights, k / places / ics, k / places % ics,
                                           k % places);
    };
    return InterpretSums(kArgDiffSrc, tensors, sum, use);
  }
  const auto src = tensors.Numbers(kArgSrc);
  const int64_t taps = p.taps();
  const auto sum = [&](int64_t k) {
    return spec::ConvolutionBackwardWeights(p, src, diff_dst, k / taps / p.ic, k / taps % p.ic,
                                            k % taps);
  };
  InterpretSums(kArgDiffWeights, tensors, sum, use);
  if (view.bias == nullptr) return;
  const auto of_bias = [&](int64_t k) { return spec::ConvolutionBackwardBias(p, diff_dst, k); };
  InterpretSums(kArgDiffBias, tensors, of_bias, use);
}

}  // namespace spi
