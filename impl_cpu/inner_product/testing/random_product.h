// Inner products with data that every order of summation gives exactly, and what must come of them:
// computed coordinate by coordinate, with no code of the implementation but its conversions.
#ifndef DNNSPEC_IMPL_CPU_INNER_PRODUCT_TESTING_RANDOM_PRODUCT_H_
#define DNNSPEC_IMPL_CPU_INNER_PRODUCT_TESTING_RANDOM_PRODUCT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "api/spi/types.h"
#include "impl_cpu/testing/random_operation.h"

namespace impl_cpu {

// The types of src, weights, bias and dst, or of their gradients.
struct ProductTypes {
  spi::DataType src, weights, bias, dst;
};
constexpr ProductTypes kAllF32 = {spi::DataType::kF32, spi::DataType::kF32, spi::DataType::kF32,
                                  spi::DataType::kF32};

struct ProductShape {
  int64_t n, oc;
  std::vector<int64_t> inputs;
};

// Of any rank, around the sizes of tiles, panels and vectors.
ProductShape RandomProductShape(Random& random);

// With layouts, bias and attributes of all sorts.
spi::Operation RandomProduct(Random& random, spi::PropKind prop, const ProductTypes& types,
                             const ProductShape& shape);

// Scales of 1 or `oc` numbers, and post-ops, that are exact on small integers.
std::shared_ptr<const spi::Attributes> RandomAttributes(Random& random, const ProductTypes& types,
                                                        int64_t oc);

// All tensors row-major.
spi::Operation PlainProduct(spi::PropKind prop, const ProductTypes& types,
                            const ProductShape& shape, bool bias);
// All tensors open.
spi::Operation OpenProduct(spi::PropKind prop, const ProductTypes& types, const ProductShape& shape,
                           bool bias);

// The operation with what a planner chose for its open tensors.
spi::Operation WithChosen(spi::Operation operation, const std::vector<spi::Layout>& chosen);

// A buffer for each tensor: small integers as elements; what is no element is NaN in floats and
// full in integers, and so is what is only written.
using ProductData = std::vector<Bytes>;
ProductData DataFor(Random& random, const spi::Operation& operation);

// What the buffers hold after an execution.
ProductData Expected(const spi::Operation& operation, ProductData data);

// Executes `plan` with a scratchpad full of NaNs; everything else is in `data`.
ProductData Executed(const spi::Planned& planned, ProductData data);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_INNER_PRODUCT_TESTING_RANDOM_PRODUCT_H_
