// Views of a tensor, of whatever layout: the call that makes one, and what it shows (OPT-011,
// OPT-012, MD-080).
#ifndef DNNSPEC_CONFORMANCE_MODEL_VIEWS_H_
#define DNNSPEC_CONFORMANCE_MODEL_VIEWS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "conformance/case/random.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"

namespace conformance {

// A view of a tensor, and which of its elements it shows.
struct OneView {
  std::string kind, call;
  std::function<dnnl::memory::desc(const dnnl::memory::desc&, bool allow_empty)> make;
  spec::Dims dims;
  std::vector<int64_t> numbers;  // row-major in the tensor, for each element of the view
};

OneView AnyPermutationOf(const spec::Dims& dims, Random& random);
// `to` has as many elements as `dims`.
OneView ReshapeOf(const spec::Dims& to);
// Not empty where `dims` are not.
OneView AnyRegionOf(const spec::Dims& dims, Random& random);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MODEL_VIEWS_H_
