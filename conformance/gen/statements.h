// A case as statements of a program: descriptors, data and the comparison, all literal. What the
// program is around them: conformance/reproduce.
#ifndef DNNSPEC_CONFORMANCE_GEN_STATEMENTS_H_
#define DNNSPEC_CONFORMANCE_GEN_STATEMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/gen/placement.h"
#include "conformance/gen/tensors.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {

// The expression that makes a tensor's descriptor.
std::string DescExpression(const TensorSpec& tensor);

// Row-major number of the element that "NAME[1,0,2] ..." names; nullopt if it names none.
std::optional<int64_t> NumberOfElement(std::string_view where, const spec::Dims& dims);

// `values` as an initialiser.
std::string Braced(const std::vector<int64_t>& values);
// A float literal with exactly these bits.
std::string FloatLiteral(float value);

// One execution from a tensor to another on the CPU: row-major elements.
struct ExecutionText {
  TensorSpec src, dst;
  Placement from, to;
  std::vector<spec::Bits> source, before, after;  // `before` and `after`: of the destination
  std::vector<bool> exact;  // whether the element must be `after`; otherwise it is not compared
  // Makes and executes the primitive, with `engine`, `stream`, `src` and `dst` (descriptors),
  // `src_memory` and `dst_memory`.
  std::string calls;
};

// Ends with `return 1;` where an element differs and `return 0;`. "" for what is too large to read,
// or lies in memory in a way that no plain array can (an edge of a page).
std::string StatementsOf(const ExecutionText& execution);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_GEN_STATEMENTS_H_
