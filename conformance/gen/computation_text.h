// A computation as statements of a program, as statements.h.
#ifndef DNNSPEC_CONFORMANCE_GEN_COMPUTATION_TEXT_H_
#define DNNSPEC_CONFORMANCE_GEN_COMPUTATION_TEXT_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/gen/computation.h"
#include "conformance/gen/computed_data.h"

namespace conformance {

struct ComputationText {
  std::string primitive;  // "inner_product", of dnnl::inner_product_forward
  // What its constructors take before the tensors and behind them: "ALGORITHM, " and ", STRIDES".
  std::string before, behind;
  // What must come of data, in a tensor that the direction writes.
  std::function<std::vector<ExpectedElement>(Role role, const ComputedData& data)> expect;
};

// For the comparison of the case's own data at `where`. "" for what is too large to read, or lies
// in memory in a way that no plain array can.
std::string StatementsOf(const Computation& c, const ComputationText& text, std::string_view where,
                         std::string_view expected);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_GEN_COMPUTATION_TEXT_H_
