#include "spec/inner_product/oracle.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "spec/numeric/approx.h"

namespace spec {

Approx InnerProductForward(const InnerProduct& problem, const std::vector<double>& src,
                           const std::vector<double>& weights, const std::vector<double>& bias,
                           int64_t n, int64_t oc, const std::optional<Approx>& old) {
  Summation sum;
  for (int64_t i = 0; i < problem.inputs; ++i)
    sum.Add(Exactly(src[n * problem.inputs + i]) * Exactly(weights[oc * problem.inputs + i]));
  if (!bias.empty()) sum.Add(Exactly(bias[oc]));
  if (old) sum.Add(*old);
  return sum.Total();
}

Approx InnerProductBackwardData(const InnerProduct& problem, const std::vector<double>& diff_dst,
                                const std::vector<double>& weights, int64_t n, int64_t input) {
  Summation sum;
  for (int64_t oc = 0; oc < problem.oc; ++oc)
    sum.Add(Exactly(diff_dst[n * problem.oc + oc]) * Exactly(weights[oc * problem.inputs + input]));
  return sum.Total();
}

Approx InnerProductBackwardWeights(const InnerProduct& problem, const std::vector<double>& src,
                                   const std::vector<double>& diff_dst, int64_t oc, int64_t input) {
  Summation sum;
  for (int64_t n = 0; n < problem.n; ++n)
    sum.Add(Exactly(diff_dst[n * problem.oc + oc]) * Exactly(src[n * problem.inputs + input]));
  return sum.Total();
}

Approx InnerProductBackwardBias(const InnerProduct& problem, const std::vector<double>& diff_dst,
                                int64_t oc) {
  Summation sum;
  for (int64_t n = 0; n < problem.n; ++n) sum.Add(Exactly(diff_dst[n * problem.oc + oc]));
  return sum.Total();
}

}  // namespace spec
