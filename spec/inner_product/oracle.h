// ORC-IP: the definition of inner product, as the specification writes it.
//
//   dst(n, oc) = bias(oc) + sum over ic, spatial of src(n, ic, spatial) * weights(oc, ic, spatial)
//
// and the derivatives of the sum of all dst(n, oc) * diff_dst(n, oc). The axes of src after the
// first are one axis here, `inputs` long, in logical order whatever the layouts are: matrices below
// are row-major in logical order, src and diff_src n x inputs, weights and diff_weights oc x
// inputs, dst and diff_dst n x oc.
#ifndef DNNSPEC_SPEC_INNER_PRODUCT_ORACLE_H_
#define DNNSPEC_SPEC_INNER_PRODUCT_ORACLE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "spec/numeric/approx.h"

namespace spec {

struct InnerProduct {
  int64_t n, oc, inputs;
};

// One element of each result, with its bound. `bias` is empty or has `oc` numbers. With `old` that
// is one more term of the sum.
Approx InnerProductForward(const InnerProduct& problem, const std::vector<double>& src,
                           const std::vector<double>& weights, const std::vector<double>& bias,
                           int64_t n, int64_t oc, const std::optional<Approx>& old = {});

Approx InnerProductBackwardData(const InnerProduct& problem, const std::vector<double>& diff_dst,
                                const std::vector<double>& weights, int64_t n, int64_t input);

Approx InnerProductBackwardWeights(const InnerProduct& problem, const std::vector<double>& src,
                                   const std::vector<double>& diff_dst, int64_t oc, int64_t input);

Approx InnerProductBackwardBias(const InnerProduct& problem, const std::vector<double>& diff_dst,
                                int64_t oc);

}  // namespace spec

#endif  // DNNSPEC_SPEC_INNER_PRODUCT_ORACLE_H_
