// Interprets sums of products, with what may follow them: what inner product and convolution share.
//
// A sum that is exact in any order is equal, and its zero has its sign, but behind a post-op of
// eltwise. Of others the bound of the oracle is allowed; behind a function that is not exact there
// is none, and what Interpret() writes is right alone.
#ifndef DNNSPEC_API_TESTING_PRODUCT_H_
#define DNNSPEC_API_TESTING_PRODUCT_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "api/testing/right.h"
#include "api/testing/tensors.h"
#include "spec/numeric/approx.h"

namespace spi {

// Of element `k` of a result.
using Sum = absl::FunctionRef<spec::Approx(int64_t k)>;

// A result that is its sums and nothing else: a gradient.
void InterpretSums(int argument, const Tensors& tensors, Sum sum, Use use);

// kArgDst of a forward operation, by its attributes; the bias is in the sums. `places` elements
// belong to one channel, one after another.
void InterpretForward(int64_t channels, int64_t places, const Tensors& tensors, Sum sum, Use use);

}  // namespace spi

#endif  // DNNSPEC_API_TESTING_PRODUCT_H_
