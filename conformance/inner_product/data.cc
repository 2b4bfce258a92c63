#include "conformance/inner_product/data.h"

#include <optional>

#include "spec/inner_product/oracle.h"

namespace conformance {
namespace {

double SumOfIntegers(const spec::InnerProduct& problem, const std::vector<double>& src,
                     const std::vector<double>& weights, int64_t n, int64_t oc) {
  double sum = 0;  // of fewer than 53 bits
  for (int64_t i = 0; i < problem.inputs; ++i)
    sum += src[static_cast<size_t>(n * problem.inputs + i)] *
           weights[static_cast<size_t>(oc * problem.inputs + i)];
  return sum;
}

}  // namespace

std::vector<ExpectedElement> ExpectedOf(const InnerProductCase& c, Role role,
                                        const ComputedData& data, Profile) {
  const spec::InnerProduct problem = {c.mb, c.oc, c.inputs()};
  const auto numbers = [&](Role of) { return conformance::NumbersOf(c.uses[of].type, data[of]); };
  std::vector<ExpectedElement> expected;
  if (c.forward()) {
    const std::vector<double> src = numbers(kSrc), weights = numbers(kWeights),
                              bias = numbers(kBias), old = numbers(kDst);
    const std::vector<float> scales = ScaleValues(c.attributes, c.oc, c.seed);
    for (int64_t n = 0; n < c.mb; ++n) {
      for (int64_t oc = 0; oc < c.oc; ++oc) {
        const double before = old[static_cast<size_t>(n * c.oc + oc)];
        spec::Approx sum;
        std::optional<spec::Approx> with_old;
        if (c.integral()) {
          sum = IntegerSum(SumOfIntegers(problem, src, weights, n, oc));
          if (c.bias) sum = sum + IntegerSum(bias[static_cast<size_t>(oc)]);
        } else {
          sum = spec::InnerProductForward(problem, src, weights, bias, n, oc);
          if (const auto term = OldTerm(c.attributes, before))
            with_old = spec::InnerProductForward(problem, src, weights, bias, n, oc, term);
        }
        expected.push_back(FusedElement(c, sum, scales, oc, before, with_old));
      }
    }
  } else if (role == kSrc) {
    const std::vector<double> diff_dst = numbers(kDst), weights = numbers(kWeights);
    for (int64_t n = 0; n < c.mb; ++n)
      for (int64_t i = 0; i < problem.inputs; ++i)
        expected.push_back({spec::InnerProductBackwardData(problem, diff_dst, weights, n, i)});
  } else if (role == kWeights) {
    const std::vector<double> src = numbers(kSrc), diff_dst = numbers(kDst);
    for (int64_t oc = 0; oc < c.oc; ++oc)
      for (int64_t i = 0; i < problem.inputs; ++i)
        expected.push_back({spec::InnerProductBackwardWeights(problem, src, diff_dst, oc, i)});
  } else {
    const std::vector<double> diff_dst = numbers(kDst);
    for (int64_t oc = 0; oc < c.oc; ++oc)
      expected.push_back({spec::InnerProductBackwardBias(problem, diff_dst, oc)});
  }
  return expected;
}

}  // namespace conformance
